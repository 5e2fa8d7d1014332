#ifndef PALLASITE_MODEL_TEXT_JSON_CONFIG_READER_H_
#define PALLASITE_MODEL_TEXT_JSON_CONFIG_READER_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "model/config/kernel_config.h"
#include "model/text/json_decode.h"

namespace pallasite {

inline constexpr int64_t kFormatVersion = 1;
inline constexpr int64_t kMaxGatherLength = int64_t{1} << 20;

// Turns JSON values into configurations. Refuses what the language cannot say;
// what Pallas would refuse is the business of Evaluate. A step is named after
// what it reads, with Read before it where a type has that name.
class ConfigReader : public Decoder {
 public:
  bool Config(const JsonValue& value, const Location& at, KernelConfig& out);

 private:
  // json_config_reader.cc: what surrounds the trees and the body.
  bool ReadTarget(const JsonValue& value, const Location& at, Target& out);
  bool Mesh(const JsonValue& value, const Location& at, Named<int64_t>& out);
  bool Kernel(const JsonValue& value, const Location& at, KernelSpec& out);
  bool Axes(const JsonValue& value, const Location& at, AxisList& out);
  bool Threads(const JsonValue& value, const Location& at, ThreadAxis& out);
  bool Params(const JsonValue& value, const Location& at, CompilerParams& out);
  bool Array(const JsonValue& value, const Location& at, ArraySpec& out);
  bool NoteArguments(const KernelConfig& config, const Location& at);
  bool NoteArgument(std::string_view name, const RefTree* tree,
                    const Location& at);

  // json_tree_reader.cc
  bool Tree(const JsonValue& value, const Location& at, RefTree& out);
  bool Trees(const JsonValue& value, const Location& at,
             std::vector<RefTree>& out);
  bool Ref(const JsonValue& value, const Location& at, std::string_view space,
           RefSpec& out);
  bool Transform(const JsonValue& value, const Location& at, RefTransform& out);
  bool Layout(const JsonValue& value, const Location& at, TmemLayoutSpec& out);
  bool Barrier(const JsonValue& value, const Location& at, BarrierSpec& out);
  bool ClusterBarrier(const JsonValue& value, const Location& at,
                      ClusterBarrierSpec& out);
  bool NumBarriers(const JsonValue& value, const Location& at, Shape& out);
  bool AxisGroup(const JsonValue& value, const Location& at,
                 std::vector<std::string>& out);

  // json_body_reader.cc
  bool ReadOp(const JsonValue& value, const Location& at, Op& out);
  bool Ops(const JsonValue& value, const Location& at, std::vector<Op>& out);
  bool AsyncPrefetch(const JsonValue& value, const Location& at,
                     AsyncPrefetchOp& out);
  bool PrintLayout(const JsonValue& value, const Location& at,
                   PrintLayoutOp& out);
  bool Partition(const JsonValue& value, const Location& at,
                 CopyPartition& out);
  bool ReadPredicate(const JsonValue& value, const Location& at,
                     Predicate& out);
  bool ReadRefExpr(const JsonValue& value, const Location& at, RefExpr& out);
  bool Path(std::string_view text, const Location& at, RefExpr& out);
  bool ReadView(const JsonValue& value, const Location& at, View& out);
  bool ReadIndex(const JsonValue& value, const Location& at, Index& out);
  bool ReadScalar(const JsonValue& value, const Location& at, Scalar& out);
  bool ReadAxisIndex(const JsonValue& value, const Location& at,
                     AxisIndex& out);
  bool Slice(const JsonValue& value, const Location& at, PySlice& out);
  bool Ds(const JsonValue& value, const Location& at, DynamicSlice& out);
  bool Gather(const JsonValue& value, const Location& at, GatherIndex& out);
  bool ReadDeviceId(const JsonValue& value, const Location& at, DeviceId& out);
  bool ByAxis(const JsonValue& value, const Location& at, DeviceIdDict& out);

  // The kernel's arguments; null stands for an array.
  absl::flat_hash_map<std::string_view, const RefTree*> arguments_;
  std::vector<std::string_view> names_;  // of the arguments, in order
};

}  // namespace pallasite

#endif  // PALLASITE_MODEL_TEXT_JSON_CONFIG_READER_H_

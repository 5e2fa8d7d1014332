#ifndef PALLASITE_MODEL_TEXT_JSON_CONFIG_WRITER_H_
#define PALLASITE_MODEL_TEXT_JSON_CONFIG_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "absl/types/span.h"
#include "model/config/kernel_config.h"
#include "model/text/json_emit.h"
#include "model/text/json_keys.h"

namespace pallasite {

// Writes the parts of a configuration, each as one value.
class ConfigWriter {
 public:
  explicit ConfigWriter(JsonEmitter& out) : out_(out) {}

  void Config(const KernelConfig& config, JsonEmitter::Layout layout);

 private:
  void Ints(absl::Span<const int64_t> values);
  void Names(absl::Span<const std::string> names);

  // json_writer.cc: what surrounds the trees and the body.
  void Kernel(const KernelSpec& kernel);
  void Axes(std::string_view key, const AxisList& axes);
  void Threads(const ThreadAxis& threads);
  void Params(const CompilerParams& params);
  void Arrays(std::string_view key, const Named<ArraySpec>& arrays);

  // json_tree_writer.cc
  void Tree(const RefTree& tree);
  void Trees(absl::Span<const RefTree> trees);
  void TaggedTrees(std::string_view tag, absl::Span<const RefTree> trees);
  void Node(const RefSpec& ref);
  void Node(const BarrierSpec& barrier);
  void Node(const ClusterBarrierSpec& barrier);
  void Node(const AccumulatorSpec& accumulator);
  void Node(const RefSequence& sequence);
  void Node(const RefDict& dict);
  void Node(const RefUnionSpec& refs);
  void Transform(const RefTransform& transform);
  void Layout(const TmemLayoutSpec& layout);
  // The fields that both kinds of barriers have.
  template <typename Spec>
  void BarrierFields(const Spec& barrier);

  // json_body_writer.cc
  void Ops(absl::Span<const Op> ops);
  void Node(const AsyncPrefetchOp& op);
  void Node(const PrintLayoutOp& op);
  void Node(const WarpMapOp& op);
  void Ref(const RefExpr& ref);
  void Node(const AtView& view);
  void Node(const TransposeView& view);
  void Node(const ReshapeView& view);
  void Node(const PeerView& view);
  void Node(const MulticastView& view);
  void Node(const ClusterView& view);
  void Node(const Scalar& scalar);
  void Node(const PySlice& slice);
  void Node(const DynamicSlice& slice);
  void Node(const EllipsisIndex&) { out_.Value(words::kEllipsis); }
  void Node(const GatherIndex& gather);
  void Node(const DeviceIdTuple& id);
  void Node(const DeviceIdDict& id);

  template <typename... Ts>
  void Any(const std::variant<Ts...>& value) {
    std::visit([this](const auto& node) { this->Node(node); }, value);
  }
  template <typename T>
  void Optional(std::string_view key, const std::optional<T>& value) {
    if (value) out_.Member(key, *value);
  }
  void OptionalInt(const std::optional<int64_t>& value) {
    out_.Value(value ? nlohmann::json(*value) : nlohmann::json());
  }

  JsonEmitter& out_;
};

}  // namespace pallasite

#endif  // PALLASITE_MODEL_TEXT_JSON_CONFIG_WRITER_H_

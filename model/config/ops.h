#ifndef PALLASITE_MODEL_CONFIG_OPS_H_
#define PALLASITE_MODEL_CONFIG_OPS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "model/config/dtype.h"
#include "model/config/shape.h"

namespace pallasite {

// --- Index expressions

// `lax.axis_index(axis) * scale + offset`, known only when the kernel runs.
struct AxisIndex {
  std::string axis;
  int64_t scale = 1;
  int64_t offset = 0;
  bool operator==(const AxisIndex&) const = default;
};
using Scalar = std::variant<int64_t, AxisIndex>;

// A Python slice `start:stop:step`; an absent part is None.
struct PySlice {
  std::optional<int64_t> start;
  std::optional<int64_t> stop;
  std::optional<int64_t> step;
  bool operator==(const PySlice&) const = default;
};
// `pl.ds(start, size, stride)`.
struct DynamicSlice {
  Scalar start = int64_t{0};
  int64_t size = 0;
  std::optional<int64_t> stride;
  bool operator==(const DynamicSlice&) const = default;
};
struct EllipsisIndex {
  bool operator==(const EllipsisIndex&) const = default;
};
// A rank-1 vector of row numbers: `plgpu.broadcasted_iota` over `length`
// elements. Selecting rows with it asks for a gather.
struct GatherIndex {
  DType dtype = DType::kUInt32;
  int64_t length = 0;
  bool operator==(const GatherIndex&) const = default;
};
using Index =
    std::variant<Scalar, PySlice, DynamicSlice, EllipsisIndex, GatherIndex>;

// --- Views: what is applied to a ref before an op takes it, left to right
// ------

struct AtView {  // `.at[indices]`
  std::vector<Index> indices;
  bool operator==(const AtView&) const = default;
};
struct TransposeView {  // `.transpose(permutation)`
  Shape permutation;
  bool operator==(const TransposeView&) const = default;
};
struct ReshapeView {  // `.reshape(shape)`
  Shape shape;
  bool operator==(const ReshapeView&) const = default;
};

enum class DeviceIdType : uint8_t { kMesh, kLogical };
// A device id is a scalar, a tuple of mesh coordinates, or a dict from mesh
// axes (several joined into one key when `axes` has more than one) to scalars.
struct DeviceIdTuple {
  std::vector<Scalar> coordinates;
  bool operator==(const DeviceIdTuple&) const = default;
};
struct DeviceIdDict {
  struct Entry {
    std::vector<std::string> axes;
    Scalar index = int64_t{0};
    bool operator==(const Entry&) const = default;
  };
  std::vector<Entry> entries;
  bool operator==(const DeviceIdDict&) const = default;
};
using DeviceId = std::variant<Scalar, DeviceIdTuple, DeviceIdDict>;

struct PeerView {  // `plgpu.remote_ref(ref, device_id, device_id_type)`
  DeviceId device_id = Scalar{int64_t{0}};
  DeviceIdType id_type = DeviceIdType::kMesh;
  bool operator==(const PeerView&) const = default;
};
struct MulticastView {  // `plgpu.multicast_ref(ref, collective_axes)`
  std::vector<std::string> axes;
  bool operator==(const MulticastView&) const = default;
};
struct ClusterView {  // `plgpu.cluster_ref(ref, {axis: block})`
  std::vector<std::pair<std::string, Scalar>> block_id;
  bool operator==(const ClusterView&) const = default;
};
using View = std::variant<AtView, TransposeView, ReshapeView, PeerView,
                          MulticastView, ClusterView>;

// --- Ref expressions

// A step from a kernel argument into its tree: a position in a sequence or
// union, or a dict key.
using PathStep = std::variant<int64_t, std::string>;
struct RefExpr {
  std::string name;  // an input, output or scratch name
  std::vector<PathStep> path;
  std::vector<View> views;
  bool operator==(const RefExpr&) const = default;
};

// --- Ops

struct Replicated {
  bool operator==(const Replicated&) const = default;
};
struct Partitioned {
  int64_t axis = 0;
  bool operator==(const Partitioned&) const = default;
};
using CopyPartition = std::variant<Replicated, Partitioned>;

// `axis_index(axis) == value`, or a Python bool.
struct AxisEquals {
  std::string axis;
  int64_t value = 0;
  bool operator==(const AxisEquals&) const = default;
};
using Predicate = std::variant<bool, AxisEquals>;

// `plgpu.async_prefetch(ref, collective_axes=, leader_tracked=, predicate=)`.
struct AsyncPrefetchOp {
  RefExpr ref;
  std::optional<std::vector<std::string>> collective_axes;
  std::optional<CopyPartition> leader_tracked;
  std::optional<Predicate> predicate;
  bool operator==(const AsyncPrefetchOp&) const = default;
};

// `plgpu.print_layout("{}", ref)`: the smallest use of a ref. It takes the
// ref's memory through the same path as every other op.
struct PrintLayoutOp {
  RefExpr ref;
  bool operator==(const PrintLayoutOp&) const = default;
};

struct Op;
// `plgpu.warp_map`: the body runs once per warp.
struct WarpMapOp {
  std::vector<Op> body;
  bool operator==(const WarpMapOp&) const;
};

struct Op {
  std::variant<AsyncPrefetchOp, PrintLayoutOp, WarpMapOp> node;
  bool operator==(const Op&) const = default;
};
inline bool WarpMapOp::operator==(const WarpMapOp& other) const {
  return body == other.body;
}

}  // namespace pallasite

#endif  // PALLASITE_MODEL_CONFIG_OPS_H_

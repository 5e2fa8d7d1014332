#ifndef PALLASITE_MODEL_CONFIG_REF_H_
#define PALLASITE_MODEL_CONFIG_REF_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "model/config/dtype.h"
#include "model/config/shape.h"

namespace pallasite {

enum class MemorySpace : uint8_t { kGmem, kSmem, kTmem, kRegs };

// --- Arguments of `MemorySpace(shape, dtype, transforms=, packed=, ...)` ----

struct TilingTransform {
  Shape tiling;  // elements per tile, applied to the minor dimensions
  bool operator==(const TilingTransform&) const = default;
};
struct SwizzleTransform {
  int64_t swizzle = 0;  // bytes
  bool operator==(const SwizzleTransform&) const = default;
};
// `plgpu.TransposeTransform` of early releases.
struct TransposeTransform {
  Shape permutation;
  bool operator==(const TransposeTransform&) const = default;
};
using RefTransform =
    std::variant<TilingTransform, SwizzleTransform, TransposeTransform>;

enum class TmemLayoutKind : uint8_t {
  kScales,
  kSparseMetadata,
  kM64Collective,
  kScalesM64Collective,
};
// `plgpu.TMEMLayout.X(...)`. `columns` and `packing` belong to kM64Collective.
struct TmemLayoutSpec {
  TmemLayoutKind kind = TmemLayoutKind::kScales;
  std::optional<int64_t> columns;
  std::optional<int64_t> packing;  // elements per 32-bit cell
  bool operator==(const TmemLayoutSpec&) const = default;
};

struct RefSpec {
  MemorySpace space = MemorySpace::kSmem;
  DType dtype = DType::kFloat32;
  Shape shape;
  std::vector<RefTransform> transforms;
  std::optional<bool> packed;
  std::optional<bool> collective;
  std::optional<TmemLayoutSpec> layout;
  bool operator==(const RefSpec&) const = default;
};

// --- Barriers and accumulators ---------------------------------------------

// `num_barriers=`: an int (held as rank 1) or a tuple; both behave alike.
struct BarrierSpec {
  int64_t num_arrivals = 1;
  Shape num_barriers;
  bool orders_tensor_core = false;
  bool operator==(const BarrierSpec&) const = default;
};

struct ClusterBarrierSpec {
  // Each entry is one cluster axis, or several grouped into one.
  std::vector<std::vector<std::string>> collective_axes;
  int64_t num_arrivals = 1;
  Shape num_barriers;
  bool orders_tensor_core = false;
  bool leader_tracked = false;
  bool operator==(const ClusterBarrierSpec&) const = default;
};

// Elements of the largest accumulator that the model answers for. JAX makes one
// value of every register, so that a lowering takes a minute and gigabytes at
// 2^26 elements; a warpgroup has registers for 2^15.
inline constexpr int64_t kMaxAccumulatorElements = int64_t{1} << 20;

// `plgpu.ACC(shape, dtype)`: a WGMMA accumulator in registers.
struct AccumulatorSpec {
  DType dtype = DType::kFloat32;
  Shape shape;
  bool operator==(const AccumulatorSpec&) const = default;
};

// --- Ref trees ---------------------------------------------------------------

struct RefTree;

enum class SequenceKind : uint8_t { kList, kTuple };
struct RefSequence {
  SequenceKind kind = SequenceKind::kList;
  std::vector<RefTree> items;
  bool operator==(const RefSequence&) const;
};
// Entries in source order. JAX flattens dicts in sorted key order: use
// ForEachLeaf of walk.h, never this order, to reproduce what JAX does first.
struct RefDictEntry;
struct RefDict {
  std::vector<RefDictEntry> entries;
  bool operator==(const RefDict&) const;
};
// `plgpu.RefUnion(*groups)`: each group is a tree of refs.
struct RefUnionSpec {
  std::vector<RefTree> groups;
  bool operator==(const RefUnionSpec&) const;
};

struct RefTree {
  std::variant<RefSpec, BarrierSpec, ClusterBarrierSpec, AccumulatorSpec,
               RefSequence, RefDict, RefUnionSpec>
      node;
  bool operator==(const RefTree&) const = default;
};

// A std::pair in all but name. Clang cannot instantiate the pair here: it asks
// about RefTree while RefTree asks about it.
struct RefDictEntry {
  RefDictEntry() = default;
  RefDictEntry(std::string_view key, RefTree tree)
      : first(key), second(std::move(tree)) {}
  bool operator==(const RefDictEntry&) const = default;
  std::string first;
  RefTree second;
};

inline bool RefSequence::operator==(const RefSequence& other) const {
  return kind == other.kind && items == other.items;
}
inline bool RefDict::operator==(const RefDict& other) const {
  return entries == other.entries;
}
inline bool RefUnionSpec::operator==(const RefUnionSpec& other) const {
  return groups == other.groups;
}

}  // namespace pallasite

#endif  // PALLASITE_MODEL_CONFIG_REF_H_

#include "model/union_plan.h"

#include <algorithm>
#include <variant>

namespace pallasite {
namespace {

// The first leaf of a union, which speaks for all of them; null when empty.
const RefTree* FirstLeaf(const RefUnionSpec& spec) {
  const RefTree* first = nullptr;
  for (const RefTree& group : spec.groups) {
    ForEachLeaf(group, Location(), TreeOrder::kFlatten,
                [&](const RefTree& leaf, const Location&) {
                  first = &leaf;
                  return false;
                });
    if (first != nullptr) break;
  }
  return first;
}

}  // namespace

MemorySpace SpaceOf(const RefUnionSpec& spec) {
  const RefTree* first = FirstLeaf(spec);
  if (first == nullptr) return MemorySpace::kSmem;
  if (const auto* nested = std::get_if<RefUnionSpec>(&first->node)) {
    return SpaceOf(*nested);
  }
  return std::get<RefSpec>(first->node).space;
}

bool IsCollective(const RefUnionSpec& spec) {
  const RefTree* first = FirstLeaf(spec);
  if (first == nullptr) return false;
  if (const auto* nested = std::get_if<RefUnionSpec>(&first->node)) {
    return IsCollective(*nested);
  }
  return std::get<RefSpec>(first->node).collective.value_or(false);
}

int64_t MemberSize(const RefTree& leaf) {
  // A nested union is bytes (SMEM) or 32-bit columns (TMEM) already.
  if (const auto* nested = std::get_if<RefUnionSpec>(&leaf.node)) {
    return ReservedSize(*nested);
  }
  const auto& ref = std::get<RefSpec>(leaf.node);
  if (ref.space == MemorySpace::kTmem) {
    return ColumnsInShape(LayoutOf(ref), CollapsedTmemShape(ref.shape));
  }
  int64_t elements = 1;
  for (const int64_t extent : ref.shape) elements *= extent;
  return elements * Info(ref.dtype).bits / 8;
}

int64_t ReservedSize(const RefUnionSpec& spec) {
  if (SpaceOf(spec) != MemorySpace::kTmem) {
    return PlaceMembers(
        spec, Location(),
        [](const RefTree&, const Location&, int64_t, int64_t) {});
  }
  int64_t largest = 0;
  for (const RefTree& group : spec.groups) {
    int64_t columns = 0;
    ForEachLeaf(group, Location(), TreeOrder::kFlatten,
                [&](const RefTree& leaf, const Location&) {
                  columns += AlignUp(MemberSize(leaf), kTmemColumnAlignment);
                  return true;
                });
    largest = std::max(largest, columns);
  }
  return largest;
}

bool Unpacks(const RefUnionSpec& spec) {
  bool batches = true;
  const int64_t reach = PlaceMembers(
      spec, Location(),
      [&](const RefTree& leaf, const Location&, int64_t, int64_t) {
        const auto* ref = std::get_if<RefSpec>(&leaf.node);
        batches &= ref == nullptr || ref->space != MemorySpace::kTmem ||
                   !HasEmptyBatch(*ref);
      });
  return batches && reach == ReservedSize(spec);
}

}  // namespace pallasite

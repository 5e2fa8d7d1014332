#ifndef PALLASITE_MODEL_UNION_PLAN_H_
#define PALLASITE_MODEL_UNION_PLAN_H_

#include <algorithm>
#include <cstdint>

#include "model/config/ref.h"
#include "model/config/shape.h"
#include "model/config/walk.h"
#include "model/errors/location.h"
#include "model/tmem_layout.h"

namespace pallasite {

// Each ref in SMEM starts at a multiple of this many bytes.
inline constexpr int64_t kSmemAlignment = 1024;

// What follows holds for unions whose construction is accepted.

MemorySpace SpaceOf(const RefUnionSpec& spec);
bool IsCollective(const RefUnionSpec& spec);

// Bytes in SMEM, columns in TMEM that one leaf of a union takes.
int64_t MemberSize(const RefTree& leaf);

// What the union reserves: its largest group, in bytes of SMEM (the last ref
// unpadded) or columns of TMEM (every ref padded to kTmemColumnAlignment).
int64_t ReservedSize(const RefUnionSpec& spec);

// Where the refs of a union go when the kernel unpacks it. Calls
// visit(leaf, location, group, offset) in tree order, offsets in bytes or
// columns, and returns how far the largest group reaches.
template <typename Visit>
int64_t PlaceMembers(const RefUnionSpec& spec, const Location& at,
                     Visit&& visit) {
  const int64_t alignment = SpaceOf(spec) == MemorySpace::kTmem
                                ? kTmemColumnAlignment
                                : kSmemAlignment;
  int64_t reach = 0;
  for (size_t i = 0; i < spec.groups.size(); ++i) {
    const auto group = static_cast<int64_t>(i);
    int64_t offset = 0;
    ForEachLeaf(spec.groups[i], Location(at, group), TreeOrder::kFlatten,
                [&](const RefTree& leaf, const Location& leaf_at) {
                  offset = AlignUp(offset, alignment);
                  visit(leaf, leaf_at, group, offset);
                  offset += MemberSize(leaf);
                  return true;
                });
    reach = std::max(reach, offset);
  }
  return reach;
}

// Whether JAX can take the union apart: no member has an empty batch, and the
// members reach exactly as far as was reserved for them.
bool Unpacks(const RefUnionSpec& spec);

}  // namespace pallasite

#endif  // PALLASITE_MODEL_UNION_PLAN_H_

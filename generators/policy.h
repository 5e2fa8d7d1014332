#ifndef PALLASITE_GENERATORS_POLICY_H_
#define PALLASITE_GENERATORS_POLICY_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "generators/dtype_set.h"
#include "model/config/kernel_config.h"

namespace pallasite {

// Subjects that a configuration can exercise. Whatever a subject needs (a
// cluster, an input) is generated with it.
enum class Area : uint8_t {
  kKernel,        // grid, cluster, threads, device mesh, compiler parameters
  kSmem,          // scratch refs in shared memory
  kTmem,          // scratch refs in tensor memory
  kRefUnion,      // unions of scratch refs
  kBarriers,      // barriers and cluster barriers
  kAccumulators,  // WGMMA accumulators
  kPrefetch,      // async_prefetch
  kPrintLayout,   // print_layout
};
inline constexpr Area kAllAreas[] = {
    Area::kKernel,   Area::kSmem,         Area::kTmem,     Area::kRefUnion,
    Area::kBarriers, Area::kAccumulators, Area::kPrefetch, Area::kPrintLayout};

std::string_view Name(Area area);
std::optional<Area> AreaFromName(std::string_view name);

class AreaSet {
 public:
  constexpr AreaSet() = default;
  constexpr AreaSet(std::initializer_list<Area> areas) {
    for (const Area area : areas) Add(area);
  }
  static constexpr AreaSet All() {
    AreaSet all;
    for (const Area area : kAllAreas) all.Add(area);
    return all;
  }
  constexpr void Add(Area area) { bits_ |= 1u << static_cast<unsigned>(area); }
  constexpr bool Has(Area area) const {
    return (bits_ >> static_cast<unsigned>(area) & 1u) != 0;
  }
  constexpr bool HasAnyOf(AreaSet other) const {
    return (bits_ & other.bits_) != 0;
  }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr bool operator==(const AreaSet&) const = default;

 private:
  uint32_t bits_ = 0;
};

// What generated configurations may contain. Limits bound the size of one
// configuration and, for an odometer, the number of all of them.
struct GenPolicy {
  Release release = kDefaultRelease;
  std::optional<Arch> arch;          // absent: any of 8.0, 9.0, 10.0
  std::optional<Lowering> lowering;  // absent: either, or the default
  AreaSet areas = AreaSet::All();

  size_t max_inputs = 3;
  size_t max_outputs = 2;
  size_t max_scratch = 4;
  size_t max_ops = 4;
  size_t max_tree_width = 3;
  size_t max_tree_depth = 2;
  size_t max_rank = 5;
  size_t max_views = 3;
  size_t max_grid_rank = 4;
  int64_t max_extent = int64_t{1} << 20;

  // Element types to choose from, where the subject allows them.
  DTypeSet dtypes = DTypeSet::All();
  // Only extents of the boundary lattice that are at most `max_extent`, and no
  // others: what an odometer can get through.
  bool lattice_only = false;

  // A policy small enough to enumerate.
  static GenPolicy Tiny(AreaSet areas);
};

}  // namespace pallasite

#endif  // PALLASITE_GENERATORS_POLICY_H_

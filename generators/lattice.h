#ifndef PALLASITE_GENERATORS_LATTICE_H_
#define PALLASITE_GENERATORS_LATTICE_H_

#include <cstdint>

#include "absl/types/span.h"
#include "generators/choices.h"

namespace pallasite {

// Sizes at which something changes in Mosaic GPU: tile and swizzle widths, 16
// bytes, box and column limits, 227 KiB, powers of two up to the limits of
// 32-bit counters, each with its neighbours. Sorted.
absl::Span<const int64_t> BoundaryLattice();

// A multiple of `step` from `low` to `high`; needs at least one. Mostly small
// or at a boundary of the lattice, of the range or of `unit` (a tile, say).
struct Sizes {
  int64_t low = 0;
  int64_t high = 0;
  int64_t step = 1;
  bool lattice_only = false;
};
int64_t PickSize(Choices& choices, const Sizes& sizes);

}  // namespace pallasite

#endif  // PALLASITE_GENERATORS_LATTICE_H_

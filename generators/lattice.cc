#include "generators/lattice.h"

#include <algorithm>
#include <cstdint>

namespace pallasite {
namespace {

constexpr int64_t kLattice[] = {
    0,          1,          2,          3,         4,        5,
    7,          8,          9,          12,        15,       16,
    17,         31,         32,         33,        63,       64,
    65,         127,        128,        129,       255,      256,
    257,        511,        512,        513,       1023,     1024,
    1025,       2048,       4095,       4096,      4097,     8191,
    8192,       16384,      29055,      29056,     29057,    32768,
    58111,      58112,      58113,      65535,     65536,    65537,
    116223,     116224,     116225,     231424,    232447,   232448,
    232449,     233472,     1048575,    1048576,   16777216, 2147483646,
    2147483647, 2147483648, 4294967295, 4294967296};

}  // namespace

absl::Span<const int64_t> BoundaryLattice() { return kLattice; }

int64_t PickSize(Choices& choices, const Sizes& sizes) {
  const int64_t step = sizes.step;
  const int64_t low =
      step == 1 ? sizes.low : (sizes.low + step - 1) / step * step;
  const int64_t high = step == 1 ? sizes.high : sizes.high / step * step;
  if (low >= high) return low;
  const auto boundary = [&] {
    const auto* const first =
        std::lower_bound(std::begin(kLattice), std::end(kLattice), low);
    const auto* const last = std::upper_bound(first, std::end(kLattice), high);
    // One past the lattice's own values stands for the end of the range.
    const auto index = choices.UpTo(static_cast<uint64_t>(last - first));
    if (first + index == last) return high;
    return std::max(low, first[index] / step * step);
  };
  if (sizes.lattice_only) return boundary();
  const int64_t steps = (high - low) / step;
  switch (choices.Weighted({45, 40, 15})) {
    case 0:
      return low + step * choices.Between(0, std::min<int64_t>(steps, 4));
    case 1:
      return boundary();
    default:
      return low + step * choices.Between(0, steps);
  }
}

}  // namespace pallasite

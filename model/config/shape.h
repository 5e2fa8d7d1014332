#ifndef PALLASITE_MODEL_CONFIG_SHAPE_H_
#define PALLASITE_MODEL_CONFIG_SHAPE_H_

#include <cstdint>
#include <optional>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"

namespace pallasite {

// Extents in elements, major to minor. Also used for tilings and permutations.
using Shape = absl::InlinedVector<int64_t, 5>;

// Limits of the configuration language for the shapes of arrays and refs. They
// keep sizes in bits within an int64, so they are exact however hostile the
// input. Extents of zero do not count towards the number of elements.
inline constexpr int kMaxRank = 8;
inline constexpr int64_t kMaxExtent = int64_t{1} << 40;
inline constexpr int64_t kMaxElements = int64_t{1} << 48;

using Wide = __int128;

// Number of elements; nullopt when even 128 bits overflow, which only shapes
// that are not bound by the limits above can do.
inline std::optional<Wide> ElementCount(absl::Span<const int64_t> shape) {
  Wide product = 1;
  for (int64_t extent : shape) {
    if (__builtin_mul_overflow(product, static_cast<Wide>(extent), &product)) {
      return std::nullopt;
    }
  }
  return product;
}

template <typename Int>
constexpr Int AlignUp(Int value, Int alignment) {
  const Int remainder = value % alignment;
  return remainder == 0 ? value : value + (alignment - remainder);
}

}  // namespace pallasite

#endif  // PALLASITE_MODEL_CONFIG_SHAPE_H_

#ifndef PALLASITE_MODEL_LOWER_SHARED_TMA_ENGINE_H_
#define PALLASITE_MODEL_LOWER_SHARED_TMA_ENGINE_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/container/inlined_vector.h"
#include "model/config/shape.h"
#include "model/lower/shared/gmem_access.h"

namespace pallasite {

inline constexpr size_t kTmaMaxRank = 5;

using Wides = absl::InlinedVector<Wide, kMaxRank>;

// One dimension of the box that the TMA engine transfers.
struct TmaDim {
  Wide length = 1;  // elements; JAX computes negative ones and goes on
  bool squeezed = false;
};
using TmaBox = absl::InlinedVector<TmaDim, kMaxRank>;

// Elements between neighbours, dimension by dimension, of an array that
// CheckTmaArray accepted.
Shape Strides(const Shape& shape);

// The box in the engine's own dimensions, once single elements of the array
// were dropped: dimensions that an integer indexed come first, and are merged
// into one when there would be too many.
struct EngineBox {
  Wides lengths;
  int64_t minor_stride = 1;  // elements between neighbours of the last one
  // Extent of the merged dimension: how many steps of their common stride the
  // merged ones span.
  std::optional<Wide> merged_extent;
};

// Row numbers leave the dimensions as they are.
EngineBox ToEngine(const GmemArray& array, const TmaBox& box, bool gather);

}  // namespace pallasite

#endif  // PALLASITE_MODEL_LOWER_SHARED_TMA_ENGINE_H_

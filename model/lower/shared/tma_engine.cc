#include "model/lower/shared/tma_engine.h"

#include <numeric>

namespace pallasite {
namespace {

// A dimension of the box with what the array has there.
struct EngineDim {
  Wide length = 1;
  int64_t extent = 1;
  int64_t stride = 1;  // elements
};
using EngineDims = absl::InlinedVector<EngineDim, kMaxRank>;

// Replaces the first `count` dimensions by one of their common stride. Returns
// its extent.
Wide MergeLeading(EngineDims& dims, size_t count) {
  int64_t common = 0;
  for (size_t i = 0; i < count; ++i) {
    common = std::gcd(common, dims[i].stride);
  }
  Wide extent = 1;
  for (size_t i = 0; i < count; ++i) {
    extent += (dims[i].extent - 1) * Wide{dims[i].stride} / common;
  }
  dims.erase(dims.begin(), dims.begin() + static_cast<int64_t>(count) - 1);
  dims[0].stride = common;
  return extent;
}

}  // namespace

Shape Strides(const Shape& shape) {
  Shape strides(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;) {
    strides[i - 1] = strides[i] * shape[i];
  }
  return strides;
}

EngineBox ToEngine(const GmemArray& array, const TmaBox& box, bool gather) {
  const Shape strides = Strides(array.shape);
  EngineDims dims;
  size_t squeezed = 0;
  for (const bool squeezed_pass : {true, false}) {
    for (size_t i = 0; i < box.size(); ++i) {
      if (box[i].squeezed != squeezed_pass) continue;
      const bool unit = array.shape[i] == 1 && box[i].length == 1;
      if (unit && !gather) continue;
      dims.push_back({box[i].length, array.shape[i], strides[i]});
      if (squeezed_pass) ++squeezed;
    }
  }
  EngineBox engine;
  if (dims.size() > kTmaMaxRank && squeezed > 0 && !gather) {
    engine.merged_extent = MergeLeading(dims, squeezed);
  }
  for (const EngineDim& dim : dims) engine.lengths.push_back(dim.length);
  if (!dims.empty()) engine.minor_stride = dims.back().stride;
  return engine;
}

}  // namespace pallasite

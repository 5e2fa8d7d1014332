#ifndef PALLASITE_GENERATORS_VALID_TMA_H_
#define PALLASITE_GENERATORS_VALID_TMA_H_

#include <cstddef>
#include <cstdint>

#include "model/config/dtype.h"

namespace pallasite::valid {

// Dimensions that one TMA transfer can have.
inline constexpr size_t kTmaMaxRank = 5;

// Inputs of 64-bit types become 32 bits wide on their way into a kernel;
// outputs stay as they are.
inline DType InKernel(DType dtype, bool input) {
  return input ? WithoutX64(dtype) : dtype;
}

// Whether TMA can move elements of this type.
inline bool IsTmaDType(DType dtype) {
  switch (dtype) {
    case DType::kBool:
    case DType::kFloat8E3M4:
    case DType::kFloat8E4M3:
    case DType::kFloat8E4M3B11FNUZ:
    case DType::kFloat8E4M3FNUZ:
    case DType::kFloat8E5M2FNUZ:
    case DType::kFloat64:
    case DType::kComplex64:
    case DType::kComplex128:
      return false;
    default:
      return true;
  }
}

// Elements in the 16 bytes that TMA moves at least.
inline int64_t TmaUnit(DType dtype) { return 128 / Info(dtype).bits; }

}  // namespace pallasite::valid

#endif  // PALLASITE_GENERATORS_VALID_TMA_H_

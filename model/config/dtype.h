#ifndef PALLASITE_MODEL_CONFIG_DTYPE_H_
#define PALLASITE_MODEL_CONFIG_DTYPE_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "absl/types/span.h"

namespace pallasite {

// Element types a Pallas ref can be declared with.
enum class DType : uint8_t {
  kBool,
  kInt2,
  kInt4,
  kInt8,
  kInt16,
  kInt32,
  kInt64,
  kUInt2,
  kUInt4,
  kUInt8,
  kUInt16,
  kUInt32,
  kUInt64,
  kFloat4E2M1FN,
  kFloat8E3M4,
  kFloat8E4M3,
  kFloat8E4M3B11FNUZ,
  kFloat8E4M3FN,
  kFloat8E4M3FNUZ,
  kFloat8E5M2,
  kFloat8E5M2FNUZ,
  kFloat8E8M0FNU,
  kBFloat16,
  kFloat16,
  kFloat32,
  kFloat64,
  kComplex64,
  kComplex128,
};

enum class DTypeKind : uint8_t { kBool, kSigned, kUnsigned, kFloat, kComplex };

struct DTypeInfo {
  DType dtype;
  std::string_view name;       // in configurations: "f32"
  std::string_view jax_name;   // as JAX prints it: "float32"
  std::string_view mlir_name;  // as MLIR prints it: "f32", "complex<f32>"
  DTypeKind kind;
  int bits;     // storage width that JAX counts with, in bits: bool is 8
  int ir_bits;  // width of the MLIR element type, in bits: bool is 1
};

const DTypeInfo& Info(DType dtype);
absl::Span<const DTypeInfo> AllDTypes();
std::optional<DType> DTypeFromName(std::string_view name);

// What an array argument of this type becomes when `jax_enable_x64` is off, as
// it is by default: 64-bit numbers are narrowed to 32 bits.
DType WithoutX64(DType dtype);

}  // namespace pallasite

#endif  // PALLASITE_MODEL_CONFIG_DTYPE_H_

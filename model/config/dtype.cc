#include "model/config/dtype.h"

#include <array>
#include <cstddef>

namespace pallasite {
namespace {

using K = DTypeKind;

constexpr std::array kDTypes = {
    DTypeInfo{DType::kBool, "bool", "bool", "i1", K::kBool, 8, 1},
    DTypeInfo{DType::kInt2, "i2", "int2", "i2", K::kSigned, 2, 2},
    DTypeInfo{DType::kInt4, "i4", "int4", "i4", K::kSigned, 4, 4},
    DTypeInfo{DType::kInt8, "i8", "int8", "i8", K::kSigned, 8, 8},
    DTypeInfo{DType::kInt16, "i16", "int16", "i16", K::kSigned, 16, 16},
    DTypeInfo{DType::kInt32, "i32", "int32", "i32", K::kSigned, 32, 32},
    DTypeInfo{DType::kInt64, "i64", "int64", "i64", K::kSigned, 64, 64},
    DTypeInfo{DType::kUInt2, "u2", "uint2", "i2", K::kUnsigned, 2, 2},
    DTypeInfo{DType::kUInt4, "u4", "uint4", "i4", K::kUnsigned, 4, 4},
    DTypeInfo{DType::kUInt8, "u8", "uint8", "i8", K::kUnsigned, 8, 8},
    DTypeInfo{DType::kUInt16, "u16", "uint16", "i16", K::kUnsigned, 16, 16},
    DTypeInfo{DType::kUInt32, "u32", "uint32", "i32", K::kUnsigned, 32, 32},
    DTypeInfo{DType::kUInt64, "u64", "uint64", "i64", K::kUnsigned, 64, 64},
    DTypeInfo{DType::kFloat4E2M1FN, "f4e2m1fn", "float4_e2m1fn", "f4E2M1FN",
              K::kFloat, 4, 4},
    DTypeInfo{DType::kFloat8E3M4, "f8e3m4", "float8_e3m4", "f8E3M4", K::kFloat,
              8, 8},
    DTypeInfo{DType::kFloat8E4M3, "f8e4m3", "float8_e4m3", "f8E4M3", K::kFloat,
              8, 8},
    DTypeInfo{DType::kFloat8E4M3B11FNUZ, "f8e4m3b11fnuz", "float8_e4m3b11fnuz",
              "f8E4M3B11FNUZ", K::kFloat, 8, 8},
    DTypeInfo{DType::kFloat8E4M3FN, "f8e4m3fn", "float8_e4m3fn", "f8E4M3FN",
              K::kFloat, 8, 8},
    DTypeInfo{DType::kFloat8E4M3FNUZ, "f8e4m3fnuz", "float8_e4m3fnuz",
              "f8E4M3FNUZ", K::kFloat, 8, 8},
    DTypeInfo{DType::kFloat8E5M2, "f8e5m2", "float8_e5m2", "f8E5M2", K::kFloat,
              8, 8},
    DTypeInfo{DType::kFloat8E5M2FNUZ, "f8e5m2fnuz", "float8_e5m2fnuz",
              "f8E5M2FNUZ", K::kFloat, 8, 8},
    DTypeInfo{DType::kFloat8E8M0FNU, "f8e8m0fnu", "float8_e8m0fnu", "f8E8M0FNU",
              K::kFloat, 8, 8},
    DTypeInfo{DType::kBFloat16, "bf16", "bfloat16", "bf16", K::kFloat, 16, 16},
    DTypeInfo{DType::kFloat16, "f16", "float16", "f16", K::kFloat, 16, 16},
    DTypeInfo{DType::kFloat32, "f32", "float32", "f32", K::kFloat, 32, 32},
    DTypeInfo{DType::kFloat64, "f64", "float64", "f64", K::kFloat, 64, 64},
    DTypeInfo{DType::kComplex64, "c64", "complex64", "complex<f32>",
              K::kComplex, 64, 64},
    DTypeInfo{DType::kComplex128, "c128", "complex128", "complex<f64>",
              K::kComplex, 128, 128},
};

constexpr bool TableIsIndexedByDType() {
  for (size_t i = 0; i < kDTypes.size(); ++i) {
    if (static_cast<size_t>(kDTypes[i].dtype) != i) return false;
  }
  return true;
}
static_assert(TableIsIndexedByDType());

}  // namespace

const DTypeInfo& Info(DType dtype) {
  return kDTypes[static_cast<size_t>(dtype)];
}

absl::Span<const DTypeInfo> AllDTypes() { return kDTypes; }

std::optional<DType> DTypeFromName(std::string_view name) {
  for (const DTypeInfo& info : kDTypes) {
    if (info.name == name) return info.dtype;
  }
  return std::nullopt;
}

DType WithoutX64(DType dtype) {
  switch (dtype) {
    case DType::kInt64:
      return DType::kInt32;
    case DType::kUInt64:
      return DType::kUInt32;
    case DType::kFloat64:
      return DType::kFloat32;
    case DType::kComplex128:
      return DType::kComplex64;
    default:
      return dtype;
  }
}

}  // namespace pallasite

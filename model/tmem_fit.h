#ifndef PALLASITE_MODEL_TMEM_FIT_H_
#define PALLASITE_MODEL_TMEM_FIT_H_

#include <cstdint>
#include <string_view>

#include "model/config/ref.h"
#include "model/config/shape.h"
#include "model/errors/rule.h"
#include "model/tmem_layout.h"

namespace pallasite {

// Whether a shape fits a tensor memory layout. JAX asks this at several places,
// so each phase has rows of its own built from these parts (tcgen05.py
// TMEMLayout.check_type).
struct TmemFit {
  TmemLayout layout;
  Shape shape;       // batch dimensions collapsed
  int64_t bits = 0;  // element width as the asking phase counts it
};

inline constexpr std::string_view kTmemRankPattern =
    "TMEM can only represent 2D shapes, got {shape}";
inline constexpr std::string_view kTmemTilesPattern =
    "{shape} is not divisible into tiles of shape {tile}";
inline constexpr std::string_view kTmemVectorPattern =
    "For {bits}-bit types, the vector length must be 1 or {full} , but got: "
    "{length}";

Finding TmemRankMismatch(const TmemFit& fit);
Finding TmemTilesMismatch(const TmemFit& fit);
Finding TmemVectorMismatch(const TmemFit& fit);

// A ref in tensor memory as lowering sees it: element widths are MLIR's now.
struct LoweredTmem {
  DType dtype = DType::kFloat32;  // may be narrower than declared, in unions
  TmemFit fit;
};
LoweredTmem LowerTmemType(const RefSpec& ref, DType dtype);

}  // namespace pallasite

#endif  // PALLASITE_MODEL_TMEM_FIT_H_

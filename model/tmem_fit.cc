#include "model/tmem_fit.h"

#include "model/python.h"

namespace pallasite {

Finding TmemRankMismatch(const TmemFit& fit) {
  if (fit.shape.size() == 2) return Holds();
  return Broken({{"shape", PyTuple(fit.shape)}});
}

Finding TmemTilesMismatch(const TmemFit& fit) {
  const int64_t tile[] = {fit.layout.tile_rows(), fit.layout.tile_columns()};
  if (fit.shape[0] % tile[0] == 0 && fit.shape[1] % tile[1] == 0) {
    return Holds();
  }
  return Broken({{"shape", PyTuple(fit.shape)}, {"tile", PyTuple(tile)}});
}

Finding TmemVectorMismatch(const TmemFit& fit) {
  const int64_t length = fit.layout.vector_length();
  const int64_t full = 32 / fit.bits;
  if (length == 1 || length == full) return Holds();
  return Broken({{"bits", PyInt(fit.bits)},
                 {"full", PyInt(full)},
                 {"length", PyInt(length)}});
}

LoweredTmem LowerTmemType(const RefSpec& ref, DType dtype) {
  return {.dtype = dtype,
          .fit = {.layout = LayoutOf(ref),
                  .shape = CollapsedTmemShape(ref.shape),
                  .bits = Info(dtype).ir_bits}};
}

}  // namespace pallasite

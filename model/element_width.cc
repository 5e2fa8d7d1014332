#include "model/element_width.h"

#include <string>

namespace pallasite {

Finding HasNoWidth(DType dtype) {
  const DTypeInfo& info = Info(dtype);
  if (info.kind != DTypeKind::kComplex) return Holds();
  return Broken({{"type", std::string(info.mlir_name)}});
}

}  // namespace pallasite

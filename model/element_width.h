#ifndef PALLASITE_MODEL_ELEMENT_WIDTH_H_
#define PALLASITE_MODEL_ELEMENT_WIDTH_H_

#include <string_view>

#include "model/config/dtype.h"
#include "model/errors/rule.h"

namespace pallasite {

// Many steps of lowering ask for the width of an element type and know none for
// complex numbers (utils.py bitwidth). The message is the type as MLIR prints
// it.
inline constexpr std::string_view kNoWidthPattern = "{type}";
Finding HasNoWidth(DType dtype);

}  // namespace pallasite

#endif  // PALLASITE_MODEL_ELEMENT_WIDTH_H_

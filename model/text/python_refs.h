#ifndef PALLASITE_MODEL_TEXT_PYTHON_REFS_H_
#define PALLASITE_MODEL_TEXT_PYTHON_REFS_H_

#include <string>

#include "model/config/dtype.h"
#include "model/config/ref.h"
#include "model/text/python_source.h"

namespace pallasite {

std::string PyDType(DType dtype);
// The call that builds a ref tree; its leaves come in source order.
PyExpr PyRefTree(const RefTree& tree);

}  // namespace pallasite

#endif  // PALLASITE_MODEL_TEXT_PYTHON_REFS_H_

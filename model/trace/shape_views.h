#ifndef PALLASITE_MODEL_TRACE_SHAPE_VIEWS_H_
#define PALLASITE_MODEL_TRACE_SHAPE_VIEWS_H_

#include <vector>

#include "model/config/ops.h"
#include "model/config/shape.h"
#include "model/errors/check.h"

namespace pallasite {

// Views that change nothing but the shape, which becomes that of the result.

// `.transpose` looks at the shape only when somebody asks for the result's.
bool TraceTranspose(const TransposeView& view, const Location& at,
                    Checker& checker, Shape& shape);
bool TraceReshape(const ReshapeView& view, const Location& at, Checker& checker,
                  Shape& shape);

void AppendShapeViewRules(RuleList& rules);

}  // namespace pallasite

#endif  // PALLASITE_MODEL_TRACE_SHAPE_VIEWS_H_

#ifndef PALLASITE_MODEL_CONSTRUCT_REF_H_
#define PALLASITE_MODEL_CONSTRUCT_REF_H_

#include <vector>

#include "model/config/ref.h"
#include "model/errors/check.h"

namespace pallasite {

// Building a ref, before any kernel sees it: `plgpu.SMEM(shape, dtype, ...)`.
bool CheckRefConstruction(const RefSpec& ref, const Location& at,
                          Checker& checker);

void AppendRefConstructionRules(RuleList& rules);

}  // namespace pallasite

#endif  // PALLASITE_MODEL_CONSTRUCT_REF_H_

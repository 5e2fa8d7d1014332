#ifndef PALLASITE_MODEL_CONSTRUCT_REF_UNION_H_
#define PALLASITE_MODEL_CONSTRUCT_REF_UNION_H_

#include <vector>

#include "model/config/ref.h"
#include "model/errors/check.h"

namespace pallasite {

// `plgpu.RefUnion(*groups)`, once its groups are built.
bool CheckUnionConstruction(const RefUnionSpec& spec, const Location& at,
                            Checker& checker);

void AppendRefUnionRules(RuleList& rules);

}  // namespace pallasite

#endif  // PALLASITE_MODEL_CONSTRUCT_REF_UNION_H_

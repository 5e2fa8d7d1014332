#ifndef PALLASITE_MODEL_LOWER_SHARED_INDEX_VALUES_H_
#define PALLASITE_MODEL_LOWER_SHARED_INDEX_VALUES_H_

#include <vector>

#include "model/config/kernel_config.h"
#include "model/errors/check.h"

namespace pallasite {

// The values that a ref expression computed are lowered where they were
// computed, before the op that takes the ref. `warp` is true inside warp_map.
bool LowerIndexValues(const RefExpr& expr, bool lane, bool warp,
                      const Location& at, Checker& checker);
// Layout inference for them, Warpgroup semantics only.
bool InferIndexValues(const RefExpr& expr, const Location& at,
                      Checker& checker);

void AppendIndexValueRules(RuleList& rules);

}  // namespace pallasite

#endif  // PALLASITE_MODEL_LOWER_SHARED_INDEX_VALUES_H_

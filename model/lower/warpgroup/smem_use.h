#ifndef PALLASITE_MODEL_LOWER_WARPGROUP_SMEM_USE_H_
#define PALLASITE_MODEL_LOWER_WARPGROUP_SMEM_USE_H_

#include <vector>

#include "model/config/ref.h"
#include "model/errors/check.h"

namespace pallasite {

// Under Warpgroup semantics a use of a ref in SMEM recasts the physical memory
// to the declared shape and leaves tiling and swizzle to layout inference. Refs
// in TMEM are looked at once layouts are known.

// The recast itself, in the op's own lowering rule.
bool LowerSmemUse(const RefSpec& ref, const Location& at, Checker& checker);

// Module verification of that recast.
bool VerifySmemUse(const RefSpec& ref, const Location& at, Checker& checker);

// Layout inference for a ref in SMEM that is used. `dtype` is what the ref has
// become, which for members of unions may be narrower than declared.
bool InferSmemUse(const RefSpec& ref, DType dtype, const Location& at,
                  Checker& checker);

// Lowering of the dialect for a ref in TMEM that is used.
bool LowerTmemUse(const RefSpec& ref, DType dtype, const Location& at,
                  Checker& checker);

void AppendSmemUseRules(RuleList& rules);

}  // namespace pallasite

#endif  // PALLASITE_MODEL_LOWER_WARPGROUP_SMEM_USE_H_

#ifndef PALLASITE_MODEL_LOWER_SHARED_WARP_MAP_H_
#define PALLASITE_MODEL_LOWER_SHARED_WARP_MAP_H_

#include <vector>

#include "model/errors/check.h"

namespace pallasite {

// `plgpu.warp_map` itself, before its body. `warp` is true inside another one.
bool LowerWarpMap(bool lane, bool warp, const Location& at, Checker& checker);

void AppendWarpMapRules(RuleList& rules);

}  // namespace pallasite

#endif  // PALLASITE_MODEL_LOWER_SHARED_WARP_MAP_H_

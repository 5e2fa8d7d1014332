#ifndef PALLASITE_MODEL_LOWER_LANE_PREFETCH_H_
#define PALLASITE_MODEL_LOWER_LANE_PREFETCH_H_

#include <vector>

#include "model/config/kernel_config.h"
#include "model/errors/check.h"

namespace pallasite {

// `plgpu.async_prefetch` under Lane semantics. `warp` is true inside warp_map.

// Its lowering rule, in program order.
bool LowerPrefetchLane(const AsyncPrefetchOp& op, const KernelConfig& config,
                       bool warp, const Location& at, Checker& checker);
// Its TMA descriptor, once every op was lowered.
bool FinishPrefetchLane(const AsyncPrefetchOp& op, const KernelConfig& config,
                        const Location& at, Checker& checker);

void AppendLanePrefetchRules(RuleList& rules);

}  // namespace pallasite

#endif  // PALLASITE_MODEL_LOWER_LANE_PREFETCH_H_

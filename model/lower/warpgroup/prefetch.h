#ifndef PALLASITE_MODEL_LOWER_WARPGROUP_PREFETCH_H_
#define PALLASITE_MODEL_LOWER_WARPGROUP_PREFETCH_H_

#include <vector>

#include "model/config/kernel_config.h"
#include "model/errors/check.h"

namespace pallasite {

// `plgpu.async_prefetch` under Warpgroup semantics, step by step. Every step is
// taken for all ops of the kernel before the next one. `warp` is true inside
// warp_map.

// Its lowering rule, in program order.
bool LowerPrefetchWarpgroup(const AsyncPrefetchOp& op,
                            const KernelConfig& config, bool warp,
                            const Location& at, Checker& checker);
// Verification of the module: the ops outside warp_map first, then each
// warp_map.
bool VerifyPrefetchWarpgroup(const AsyncPrefetchOp& op,
                             const KernelConfig& config, const Location& at,
                             Checker& checker);
// Layout inference.
bool InferPrefetchWarpgroup(const AsyncPrefetchOp& op, const Location& at,
                            Checker& checker);
// Lowering of the dialect.
bool LowerPrefetchDialect(const AsyncPrefetchOp& op, const KernelConfig& config,
                          const Location& at, Checker& checker);
// Its TMA descriptor.
bool FinishPrefetchWarpgroup(const AsyncPrefetchOp& op,
                             const KernelConfig& config, const Location& at,
                             Checker& checker);

void AppendWarpgroupPrefetchRules(RuleList& rules);

}  // namespace pallasite

#endif  // PALLASITE_MODEL_LOWER_WARPGROUP_PREFETCH_H_

#ifndef PALLASITE_MODEL_LOWER_SHARED_PRINT_LAYOUT_H_
#define PALLASITE_MODEL_LOWER_SHARED_PRINT_LAYOUT_H_

#include <vector>

#include "model/config/kernel_config.h"
#include "model/errors/check.h"

namespace pallasite {

// The lowering of `plgpu.print_layout`, step by step. `warp` is true inside
// warp_map.

// Its lowering rule, in program order.
bool LowerPrintLayout(const PrintLayoutOp& op, const KernelConfig& config,
                      bool warp, const Location& at, Checker& checker);
// Verification of the module, once every op was lowered.
bool VerifyPrintLayout(const PrintLayoutOp& op, const KernelConfig& config,
                       const Location& at, Checker& checker);
// The rest belongs to Warpgroup semantics. Layout inference takes the ops
// first, then the refs that were allocated as scratch, in their order.
bool InferPrintLayout(const PrintLayoutOp& op, const KernelConfig& config,
                      const Location& at, Checker& checker);
bool InferPrintedScratch(const KernelConfig& config, const Location& root,
                         Checker& checker);
// Lowering of the dialect meets the scratch before the ops; members of unions
// come into being with the op that uses them.
bool LowerPrintedScratch(const KernelConfig& config, const Location& root,
                         Checker& checker);
bool LowerPrintDialect(const PrintLayoutOp& op, const KernelConfig& config,
                       const Location& at, Checker& checker);

void AppendPrintLayoutRules(RuleList& rules);

}  // namespace pallasite

#endif  // PALLASITE_MODEL_LOWER_SHARED_PRINT_LAYOUT_H_

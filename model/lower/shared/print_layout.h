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
// Layout inference, Warpgroup semantics only.
bool InferPrintLayout(const PrintLayoutOp& op, const KernelConfig& config,
                      const Location& at, Checker& checker);

void AppendPrintLayoutRules(std::vector<const RuleDoc*>& rules);

}  // namespace pallasite

#endif  // PALLASITE_MODEL_LOWER_SHARED_PRINT_LAYOUT_H_

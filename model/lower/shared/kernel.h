#ifndef PALLASITE_MODEL_LOWER_SHARED_KERNEL_H_
#define PALLASITE_MODEL_LOWER_SHARED_KERNEL_H_

#include <vector>

#include "model/config/kernel_config.h"
#include "model/errors/check.h"

namespace pallasite {

// What lowering refuses about the kernel as a whole before it looks inside.
bool LowerKernelParams(const CompilerParams& params, const Location& at,
                       Checker& checker);
// Module verification of what was allocated, once every op was lowered.
bool VerifyKernel(const KernelConfig& config, const Location& root,
                  Checker& checker);

void AppendKernelLoweringRules(RuleList& rules);

}  // namespace pallasite

#endif  // PALLASITE_MODEL_LOWER_SHARED_KERNEL_H_

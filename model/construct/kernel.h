#ifndef PALLASITE_MODEL_CONSTRUCT_KERNEL_H_
#define PALLASITE_MODEL_CONSTRUCT_KERNEL_H_

#include <vector>

#include "model/config/kernel_config.h"
#include "model/errors/check.h"

namespace pallasite {

// `plgpu.CompilerParams(...)`.
bool CheckCompilerParams(const CompilerParams& params, const Location& at,
                         Checker& checker);
// `plgpu.kernel(...)`, which builds the kernel's `plgpu.Mesh`.
bool CheckKernelMesh(const KernelSpec& kernel, const Location& at,
                     Checker& checker);

void AppendKernelRules(RuleList& rules);

}  // namespace pallasite

#endif  // PALLASITE_MODEL_CONSTRUCT_KERNEL_H_

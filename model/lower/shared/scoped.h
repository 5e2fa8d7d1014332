#ifndef PALLASITE_MODEL_LOWER_SHARED_SCOPED_H_
#define PALLASITE_MODEL_LOWER_SHARED_SCOPED_H_

#include <vector>

#include "model/config/kernel_config.h"
#include "model/errors/check.h"
#include "model/lower/shared/resources.h"

namespace pallasite {

// Handing the scratch to the kernel body, ref by ref, once all of it is
// allocated.
bool LowerScratch(const KernelConfig& config, const Resources& resources,
                  const Location& root, Checker& checker);

// A TMEM ref becoming a Lane ref, which checks its element width again. `dtype`
// is what the ref has become, which for members of unions may be narrower.
bool CheckLaneTmem(const RefSpec& ref, DType dtype, const Location& at,
                   Checker& checker);

void AppendScopedRules(RuleList& rules);

}  // namespace pallasite

#endif  // PALLASITE_MODEL_LOWER_SHARED_SCOPED_H_

#ifndef PALLASITE_MODEL_LOWER_SHARED_BARRIERS_H_
#define PALLASITE_MODEL_LOWER_SHARED_BARRIERS_H_

#include "model/config/kernel_config.h"
#include "model/errors/check.h"

namespace pallasite {

// Initialising the barriers of the scratch, one array after the other.
bool AllocateBarriers(const KernelConfig& config, const Location& root,
                      Checker& checker);

void AppendBarrierAllocationRules(RuleList& rules);

}  // namespace pallasite

#endif  // PALLASITE_MODEL_LOWER_SHARED_BARRIERS_H_

#ifndef PALLASITE_MODEL_LOWER_SHARED_TMA_DESCRIPTOR_H_
#define PALLASITE_MODEL_LOWER_SHARED_TMA_DESCRIPTOR_H_

#include <vector>

#include "model/errors/check.h"
#include "model/lower/shared/gmem_access.h"
#include "model/lower/shared/tma_engine.h"

namespace pallasite {

// The descriptor of a transfer is written after everything else was lowered.
bool CheckTmaDescriptor(const GmemArray& array, const TmaBox& box,
                        const Location& at, Checker& checker);

void AppendTmaDescriptorRules(RuleList& rules);

}  // namespace pallasite

#endif  // PALLASITE_MODEL_LOWER_SHARED_TMA_DESCRIPTOR_H_

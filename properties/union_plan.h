#ifndef PALLASITE_PROPERTIES_UNION_PLAN_H_
#define PALLASITE_PROPERTIES_UNION_PLAN_H_

#include "model/config/kernel_config.h"
#include "properties/property.h"

namespace pallasite {

// Where the model says that unions of an accepted kernel place their refs:
// those of one group are aligned and do not overlap, every group begins where
// the union does, and the scratch takes as much as its largest groups need.
// Sizes are computed here, not asked for.
Failure UnionPlanHolds(const KernelConfig& accepted);

}  // namespace pallasite

#endif  // PALLASITE_PROPERTIES_UNION_PLAN_H_

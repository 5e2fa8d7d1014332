#ifndef PALLASITE_GENERATORS_WILD_REPAIR_H_
#define PALLASITE_GENERATORS_WILD_REPAIR_H_

#include "generators/choices.h"
#include "generators/policy.h"
#include "model/config/kernel_config.h"

namespace pallasite::wild {

// Restores what the configuration format asks for and a change of structure can
// break: names that differ, refs that exist, shapes of a bearable size.
void Repair(Choices& choices, const GenPolicy& policy, KernelConfig& config);

}  // namespace pallasite::wild

#endif  // PALLASITE_GENERATORS_WILD_REPAIR_H_

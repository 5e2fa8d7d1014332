#ifndef PALLASITE_GENERATORS_WILD_H_
#define PALLASITE_GENERATORS_WILD_H_

#include "generators/choices.h"
#include "generators/policy.h"
#include "model/config/kernel_config.h"

namespace pallasite {

// A valid configuration after 1 to 4 changes of anything to anything, most of
// them to a boundary. Nobody knows what it should do: only that the model and
// JAX must agree. The configuration format can express it.
KernelConfig GenWildConfig(Choices& choices, const GenPolicy& policy);

// One such change.
void Tweak(Choices& choices, const GenPolicy& policy, KernelConfig& config);

}  // namespace pallasite

#endif  // PALLASITE_GENERATORS_WILD_H_

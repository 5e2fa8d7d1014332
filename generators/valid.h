#ifndef PALLASITE_GENERATORS_VALID_H_
#define PALLASITE_GENERATORS_VALID_H_

#include "generators/choices.h"
#include "generators/policy.h"
#include "model/config/kernel_config.h"

namespace pallasite {

// A configuration that JAX accepts, valid by construction: nothing is generated
// and thrown away. Its target is set.
KernelConfig GenKernelConfig(Choices& choices, const GenPolicy& policy);

}  // namespace pallasite

#endif  // PALLASITE_GENERATORS_VALID_H_

#ifndef PALLASITE_PROPERTIES_VALID_IS_ACCEPTED_H_
#define PALLASITE_PROPERTIES_VALID_IS_ACCEPTED_H_

#include "model/config/kernel_config.h"
#include "properties/property.h"

namespace pallasite {

// The model accepts what was generated as valid, without a known defect of JAX
// and without leaving anything unmodelled.
Failure ValidIsAccepted(const KernelConfig& config);

}  // namespace pallasite

#endif  // PALLASITE_PROPERTIES_VALID_IS_ACCEPTED_H_

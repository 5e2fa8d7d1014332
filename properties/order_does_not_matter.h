#ifndef PALLASITE_PROPERTIES_ORDER_DOES_NOT_MATTER_H_
#define PALLASITE_PROPERTIES_ORDER_DOES_NOT_MATTER_H_

#include "generators/choices.h"
#include "model/config/kernel_config.h"
#include "properties/property.h"

namespace pallasite {

// An accepted kernel stays accepted, with the same resources, when its scratch
// entries, the entries of its dicts or the ops of its body change places.
Failure OrderDoesNotMatter(const KernelConfig& accepted, Choices& choices);

}  // namespace pallasite

#endif  // PALLASITE_PROPERTIES_ORDER_DOES_NOT_MATTER_H_

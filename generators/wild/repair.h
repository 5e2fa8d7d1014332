#ifndef PALLASITE_GENERATORS_WILD_REPAIR_H_
#define PALLASITE_GENERATORS_WILD_REPAIR_H_

#include <cstdint>

#include "generators/choices.h"
#include "generators/policy.h"
#include "model/config/kernel_config.h"
#include "model/config/shape.h"

namespace pallasite::wild {

// Cuts later extents down until the shape has no more elements than `limit`, as
// ones that the format can express have.
void BoundElements(Shape& shape, int64_t limit = kMaxElements);

// Restores what the configuration format asks for and a change of structure can
// break: names that differ, refs that exist, shapes of a bearable size.
void Repair(Choices& choices, const GenPolicy& policy, KernelConfig& config);

}  // namespace pallasite::wild

#endif  // PALLASITE_GENERATORS_WILD_REPAIR_H_

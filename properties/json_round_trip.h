#ifndef PALLASITE_PROPERTIES_JSON_ROUND_TRIP_H_
#define PALLASITE_PROPERTIES_JSON_ROUND_TRIP_H_

#include "model/config/kernel_config.h"
#include "properties/property.h"

namespace pallasite {

// Reading what was written gives the same configuration, and writing that gives
// the same text, byte by byte, in both layouts.
Failure JsonRoundTrips(const KernelConfig& config);

}  // namespace pallasite

#endif  // PALLASITE_PROPERTIES_JSON_ROUND_TRIP_H_

#ifndef PALLASITE_PROPERTIES_REPRODUCIBLE_H_
#define PALLASITE_PROPERTIES_REPRODUCIBLE_H_

#include <cstdint>

#include "generators/policy.h"
#include "properties/property.h"

namespace pallasite {

// The same seed gives the same configuration, and so do the bytes and the trace
// of its decisions.
Failure Reproduces(uint64_t seed, const GenPolicy& policy);

// A fingerprint of the first `count` configurations of a seed: of their
// canonical text, so that it means the same on every machine.
uint64_t Fingerprint(uint64_t seed, uint64_t count, const GenPolicy& policy);

}  // namespace pallasite

#endif  // PALLASITE_PROPERTIES_REPRODUCIBLE_H_

#ifndef PALLASITE_PROPERTIES_SHRINKING_H_
#define PALLASITE_PROPERTIES_SHRINKING_H_

#include <cstdint>

#include "generators/policy.h"
#include "properties/property.h"

namespace pallasite {

// Shrinking a generated case that breaks some rule keeps that rule broken, does
// not make the trace larger, and ends: shrinking the result changes nothing.
Failure ShrinkingKeepsTheRule(uint64_t seed, const GenPolicy& policy);

}  // namespace pallasite

#endif  // PALLASITE_PROPERTIES_SHRINKING_H_

#ifndef PALLASITE_GENERATORS_CASE_H_
#define PALLASITE_GENERATORS_CASE_H_

#include <cstdint>
#include <optional>
#include <string>

#include "generators/choices.h"
#include "generators/policy.h"
#include "model/config/kernel_config.h"
#include "model/errors/verdict.h"

namespace pallasite {

// A configuration with what its generator knows about it.
struct GeneratedCase {
  KernelConfig config;
  bool valid = false;  // valid by construction
  std::string rule;    // the one rule that was broken; empty: not known
};

// Valid, with one rule broken or two, or distorted at random.
GeneratedCase GenerateCase(Choices& choices, const GenPolicy& policy);

// The `index`-th configuration of a campaign. The same on every machine.
GeneratedCase GenerateCase(uint64_t seed, uint64_t index,
                           const GenPolicy& policy);

// How a verdict contradicts what the generator knows; nullopt when it does not.
std::optional<std::string> Unmet(const GeneratedCase& generated,
                                 const Verdict& verdict);

}  // namespace pallasite

#endif  // PALLASITE_GENERATORS_CASE_H_

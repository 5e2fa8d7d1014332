#ifndef PALLASITE_GENERATORS_TWO_FAULTS_H_
#define PALLASITE_GENERATORS_TWO_FAULTS_H_

#include <optional>
#include <string_view>

#include "generators/choices.h"
#include "generators/policy.h"
#include "model/config/kernel_config.h"

namespace pallasite {

// A kernel that breaks two rules in parts of their own: what breaks the one is
// laid beside what breaks the other.
struct TwoFaults {
  KernelConfig config;
  // The same kernel with the scratch and the body of one fault only, and the
  // rule that was broken there; what the other one did to the rest may have
  // mended it. The items of `first` come first.
  struct Fault {
    KernelConfig config;
    std::string_view rule;
  };
  Fault first;
  Fault second;
};

// Nullopt when the two would change the same part of the kernel.
std::optional<TwoFaults> GenTwoFaults(Choices& choices,
                                      const GenPolicy& policy);

}  // namespace pallasite

#endif  // PALLASITE_GENERATORS_TWO_FAULTS_H_

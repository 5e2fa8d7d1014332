#ifndef PALLASITE_PROPERTIES_DESCRIBE_H_
#define PALLASITE_PROPERTIES_DESCRIBE_H_

#include <string>

#include "model/config/kernel_config.h"
#include "model/errors/verdict.h"

namespace pallasite {

// The target the configuration names, or the default one.
Target TargetOf(const KernelConfig& config);

// "rejected construct.ref.tmem-rows at scratch.s: <message>"
std::string Describe(const Verdict& verdict);

}  // namespace pallasite

#endif  // PALLASITE_PROPERTIES_DESCRIBE_H_

#ifndef PALLASITE_MODEL_LOWER_SHARED_CLUSTER_AXIS_H_
#define PALLASITE_MODEL_LOWER_SHARED_CLUSTER_AXIS_H_

#include <string>
#include <vector>

#include "model/config/kernel_config.h"
#include "model/errors/check.h"

namespace pallasite {

// Every place that takes a cluster axis by name looks it up the same way.
bool CheckClusterAxis(const KernelSpec& kernel, const std::string& axis,
                      const Location& at, Checker& checker);

void AppendClusterAxisRules(RuleList& rules);

}  // namespace pallasite

#endif  // PALLASITE_MODEL_LOWER_SHARED_CLUSTER_AXIS_H_

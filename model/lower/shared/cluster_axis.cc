#include "model/lower/shared/cluster_axis.h"

#include <algorithm>
#include <string>
#include <vector>

#include "model/python.h"

namespace pallasite {
namespace {

struct AxisLookup {
  const KernelSpec& kernel;
  const std::string& axis;
};

constexpr Rule<AxisLookup> kAxisRules[] = {
    {.doc = {.id = "lower.cluster.unknown-axis",
             .area = "mesh/grid/kernel-params",
             .phase = Phase::kLower,
             .wordings = {{.raises = PyExc::kLookupError,
                           .pattern = "Unknown cluster axis {axis}, available "
                                      "axes: {axes}"}},
             .why = "Collective operations run over axes of the kernel's "
                    "cluster, known by their names.",
             .fix = "Name an axis of cluster_names.",
             .source = "lowering.py _resolve_cluster_axis"},
     .violated = [](const AxisLookup& lookup) -> Finding {
       const std::vector<std::string>& names = lookup.kernel.cluster.names;
       if (std::find(names.begin(), names.end(), lookup.axis) != names.end()) {
         return Holds();
       }
       // CUDA's order is minor to major, the reverse of the declaration.
       const std::vector<std::string> reversed(names.rbegin(), names.rend());
       return Broken({{"axis", lookup.axis}, {"axes", PyList(reversed)}});
     }},
};

}  // namespace

bool CheckClusterAxis(const KernelSpec& kernel, const std::string& axis,
                      const Location& at, Checker& checker) {
  return checker.Check(kAxisRules, AxisLookup{kernel, axis}, at);
}

void AppendClusterAxisRules(RuleList& rules) {
  AppendDocs(kAxisRules, {Stage::kEstimate, Stage::kLowerBody}, rules);
}

}  // namespace pallasite

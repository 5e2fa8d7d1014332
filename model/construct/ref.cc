#include "model/construct/ref.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "model/errors/rule.h"

namespace pallasite {
namespace {

constexpr std::string_view kArea = "ref-construction";

// A ref in TMEM, as `MemorySpace.__call__` sees it.
constexpr Rule<RefSpec> kTmemRules[] = {
    {.doc = {.id = "construct.ref.tmem-transforms",
             .area = kArea,
             .phase = Phase::kConstruct,
             .wordings = {{.raises = PyExc::kValueError,
                           .pattern = "transforms are not supported for TMEM"}},
             .why = "Tensor memory has hardware layouts of its own; tiling and "
                    "swizzling describe shared memory.",
             .fix = "Drop transforms= from the TMEM ref; choose its layout with "
                    "packed= or layout=.",
             .source = "core.py MemorySpace.__call__"},
     .violated =
         [](const RefSpec& ref) { return BrokenIf(!ref.transforms.empty()); }},
};

}  // namespace

bool CheckRefConstruction(const RefSpec& ref, const Location& at,
                          Checker& checker) {
  return checker.Check(kTmemRules, ref, at);
}

void AppendRefConstructionRules(std::vector<const RuleDoc*>& rules) {
  for (const auto& rule : kTmemRules) rules.push_back(&rule.doc);
}

}  // namespace pallasite

#include "generators/case.h"

#include "absl/strings/str_cat.h"
#include "generators/choices.h"
#include "generators/valid.h"
#include "generators/wild.h"

namespace pallasite {
namespace {

constexpr uint32_t kWildPercent = 35;

}  // namespace

GeneratedCase GenerateCase(uint64_t seed, uint64_t index,
                           const GenPolicy& policy) {
  RandomSource source(SeedFor(seed, index));
  Choices choices(source);
  GeneratedCase generated;
  if (choices.Chance(kWildPercent)) {
    generated.config = GenWildConfig(choices, policy);
    return generated;
  }
  generated.config = GenKernelConfig(choices, policy);
  generated.valid = true;
  return generated;
}

std::optional<std::string> Unmet(const GeneratedCase& generated,
                                 const Verdict& verdict) {
  if (generated.valid && !verdict.AcceptedByJax() &&
      verdict.kind != VerdictKind::kUnmodelled) {
    return "generated as valid, but the model refuses";
  }
  if (!generated.rule.empty() &&
      (verdict.rule == nullptr || verdict.rule->id != generated.rule) &&
      verdict.kind != VerdictKind::kUnmodelled) {
    return absl::StrCat("generated to break ", generated.rule,
                        ", but the model says otherwise");
  }
  return std::nullopt;
}

}  // namespace pallasite

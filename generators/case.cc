#include "generators/case.h"

#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "generators/choices.h"
#include "generators/mutations/mutation.h"
#include "generators/two_faults.h"
#include "generators/valid.h"
#include "generators/wild.h"

namespace pallasite {

GeneratedCase GenerateCase(Choices& choices, const GenPolicy& policy) {
  enum { kValid, kOneRule, kTwoFaults, kWild };
  const auto kind = choices.Weighted({30, 30, 10, 30});
  GeneratedCase generated;
  if (kind == kWild) {
    generated.config = GenWildConfig(choices, policy);
    return generated;
  }
  if (kind == kTwoFaults && choices.Bool()) {
    if (std::optional<TwoFaults> faults = GenTwoFaults(choices, policy)) {
      generated.config = std::move(faults->config);
      return generated;
    }
  }
  generated.config = GenKernelConfig(choices, policy);
  generated.valid = kind == kValid;
  if (kind == kValid) return generated;
  const Mutation* first = BreakSomeRule(generated.config, choices, policy);
  if (kind == kTwoFaults) {
    // Rows of mutations expect a valid configuration, so the second change is
    // of the other kind.
    Tweak(choices, policy, generated.config);
  } else if (first != nullptr) {
    generated.rule = first->rule;
  }
  return generated;
}

GeneratedCase GenerateCase(uint64_t seed, uint64_t index,
                           const GenPolicy& policy) {
  RandomSource source(SeedFor(seed, index));
  Choices choices(source);
  return GenerateCase(choices, policy);
}

std::optional<std::string> Unmet(const GeneratedCase& generated,
                                 const Verdict& verdict) {
  if (verdict.kind == VerdictKind::kUnmodelled) return std::nullopt;
  if (generated.valid && verdict.kind != VerdictKind::kAccepted) {
    return "generated as valid, but the model disagrees";
  }
  if (!generated.rule.empty() &&
      (verdict.rule == nullptr || verdict.rule->id != generated.rule)) {
    return absl::StrCat(
        "generated to break ", generated.rule, ", but the model says ",
        verdict.rule == nullptr ? std::string("accepted")
                                : std::string(verdict.rule->id));
  }
  return std::nullopt;
}

}  // namespace pallasite

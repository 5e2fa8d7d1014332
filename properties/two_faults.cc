#include "properties/two_faults.h"

#include <optional>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "model/catalogue.h"
#include "model/errors/verdict.h"
#include "model/evaluate.h"
#include "model/graphs/precedence.h"

namespace pallasite {
namespace {

Verdict Judge(const KernelConfig& config) {
  return Evaluate(config, TargetOf(config));
}

// Faults of a sum, which what lies beside them can mend.
struct Mended {
  std::string_view fault;
  std::string_view by;  // the rule that the other fault breaks; empty: any
};
constexpr Mended kMended[] = {
    // A ref without columns is refused only where no other has any.
    {"lower.tmem.no-columns", ""},
    // A negative number of barriers takes a negative number of bytes.
    {"lower.smem.exceeds-limit", "lower.barrier.negative-count"},
};

bool MayMend(const RuleDoc& fault, const RuleDoc& other) {
  for (const auto& [id, by] : kMended) {
    if (fault.id == id && (by.empty() || other.id == by)) return true;
  }
  return false;
}

// The fault that should be reported when both are there; null: no telling.
const RuleDoc* Foretold(const Verdict& first, const Verdict& second) {
  if (MayMend(*first.rule, *second.rule) ||
      MayMend(*second.rule, *first.rule)) {
    return nullptr;
  }
  const Precedence& precedence = Precedence::OfCatalogue();
  if (precedence.Dominates(*first.rule, *second.rule)) return first.rule;
  if (precedence.Dominates(*second.rule, *first.rule)) return second.rule;
  const bool same_kind = (first.rule->defect == DefectKind::kAccepted) ==
                         (second.rule->defect == DefectKind::kAccepted);
  if (!same_kind || first.stage != second.stage ||
      WalkOf(first.stage) == StageWalk::kNothing) {
    return nullptr;
  }
  return first.rule;
}

std::string Id(const RuleDoc* rule) {
  return rule == nullptr ? "none" : std::string(rule->id);
}

}  // namespace

Failure TheDominantRuleWins(const TwoFaults& faults, TwoFaultOutcome& outcome) {
  const Verdict first = Judge(faults.first.config);
  const Verdict second = Judge(faults.second.config);
  outcome = TwoFaultOutcome::kUndecided;
  // Changes that both share may have mended one of them.
  if (first.rule == nullptr || second.rule == nullptr) return std::nullopt;
  const Verdict both = Judge(faults.config);
  if (both.rule != first.rule && both.rule != second.rule) {
    outcome = TwoFaultOutcome::kAnother;
    if (both.kind != VerdictKind::kAccepted) return std::nullopt;
    return absl::StrCat("two faults, ", Id(first.rule), " and ",
                        Id(second.rule), ", yet the model accepts");
  }
  const RuleDoc* winner = Foretold(first, second);
  if (winner == nullptr) return std::nullopt;
  outcome = TwoFaultOutcome::kForetold;
  if (both.rule == winner) return std::nullopt;
  return absl::StrCat("of ", Id(first.rule), " (",
                      std::string(Name(first.stage)), ") and ", Id(second.rule),
                      " (", std::string(Name(second.stage)),
                      ") the model reports ", Id(both.rule),
                      ", the precedence graph ", Id(winner));
}

}  // namespace pallasite

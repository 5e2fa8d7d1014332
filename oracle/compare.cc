#include "oracle/compare.h"

#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "model/errors/rule.h"
#include "model/text/facts_json.h"
#include "model/text/json_spelling.h"

namespace pallasite {
namespace {

bool SameError(const Verdict::Error& expected, const OracleAnswer& answer) {
  if (expected.exception == PyExc::kSegmentationFault) {
    return answer.outcome == OracleOutcome::kCrashed &&
           answer.message == kDiedOfSegmentationFault;
  }
  return answer.outcome == OracleOutcome::kRaised &&
         answer.exception == Name(expected.exception) &&
         answer.phase == expected.phase &&
         MessageMatches(expected.message, answer.message);
}

}  // namespace

std::string Summary(const OracleAnswer& answer) {
  if (answer.outcome != OracleOutcome::kRaised) {
    return absl::StrCat(AsAbsl(Name(answer.outcome)),
                        answer.message.empty() ? "" : ": ", answer.message);
  }
  return absl::StrCat(answer.exception, " (",
                      AsAbsl(answer.phase ? Name(*answer.phase) : ""),
                      "): ", answer.message, " [", answer.raise_site, "]");
}

std::string Summary(const Verdict& verdict) {
  std::string text = verdict.rule == nullptr
                         ? std::string(Name(verdict.kind))
                         : absl::StrCat(AsAbsl(Name(verdict.kind)), " ",
                                        AsAbsl(verdict.rule->id));
  if (verdict.error) {
    absl::StrAppend(&text, " ", AsAbsl(Name(verdict.error->exception)), " (",
                    AsAbsl(Name(verdict.error->phase)),
                    "): ", verdict.error->message);
  }
  return text;
}

std::optional<std::string> Differ(const Verdict& verdict, const Facts& facts,
                                  const OracleAnswer& answer) {
  const bool answered = answer.outcome == OracleOutcome::kAccepted ||
                        answer.outcome == OracleOutcome::kRaised;
  if (answered && verdict.kind == VerdictKind::kUnmodelled) return std::nullopt;
  const auto difference = [&](std::string_view what) {
    return absl::StrCat(AsAbsl(what), ": the model says ", Summary(verdict),
                        "; JAX says ", Summary(answer));
  };
  if (verdict.error && SameError(*verdict.error, answer)) return std::nullopt;
  if (!answered) return difference("no answer");
  if (verdict.error) {
    return difference(answer.outcome == OracleOutcome::kRaised ? "other error"
                                                               : "acceptance");
  }
  if (answer.outcome == OracleOutcome::kRaised) return difference("acceptance");
  if (answer.facts && *answer.facts != facts) {
    return absl::StrCat("facts: the model says ", FactsToJson(facts),
                        "; JAX says ", FactsToJson(*answer.facts));
  }
  return std::nullopt;
}

}  // namespace pallasite

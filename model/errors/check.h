#ifndef PALLASITE_MODEL_ERRORS_CHECK_H_
#define PALLASITE_MODEL_ERRORS_CHECK_H_

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "absl/types/span.h"
#include "model/errors/location.h"
#include "model/errors/rule.h"
#include "model/errors/verdict.h"

namespace pallasite {

// The state of one evaluation. The first refusal ends it: every step returns
// false from then on, and its caller returns too.
class Checker {
 public:
  explicit Checker(const Target& target, Facts* facts = nullptr)
      : target_(target), facts_(facts) {}

  const Target& target() const { return target_; }
  const Release& release() const { return target_.jax; }
  // Null when nobody asked for facts.
  Facts* facts() const { return facts_; }

  // What is reported from here on is reported by this stage.
  void Enter(Stage stage) { stage_ = stage; }

  // Checks `subject` against the rows in order. False: refused.
  template <typename Subject>
  bool Check(absl::Span<const Rule<Subject>> rules, const Subject& subject,
             const Location& location) {
    for (const Rule<Subject>& rule : rules) {
      if (Finding finding = rule.violated(subject);
          finding != nullptr && !Report(rule.doc, *finding, location)) {
        return false;
      }
    }
    return true;
  }
  template <typename Subject, size_t n>
  bool Check(const Rule<Subject> (&rules)[n], const Subject& subject,
             const Location& location) {
    return Check(absl::MakeConstSpan(rules), subject, location);
  }

  // Ends the evaluation with "outside the model". Always false.
  bool Unmodelled(std::string what, const Location& location) {
    verdict_ = Verdict{.kind = VerdictKind::kUnmodelled,
                       .location = location.Format(),
                       .unmodelled = std::move(what)};
    return false;
  }

  // The refusal, or what an accepted evaluation amounts to.
  Verdict Take(bool accepted) {
    if (!accepted) return std::move(verdict_);
    return std::move(accepted_defect_).value_or(Verdict{});
  }

 private:
  // True when JAX goes on all the same: this release does not have the rule, or
  // wrongly accepts. Of several wrong acceptances the first is kept.
  bool Report(const RuleDoc& doc, const HoleValues& values,
              const Location& location) {
    const Wording* wording = doc.WordingFor(release());
    if (wording == nullptr) return true;
    Verdict verdict{.kind = doc.defect == DefectKind::kNone
                                ? VerdictKind::kRejected
                                : VerdictKind::kDefect,
                    .rule = &doc,
                    .stage = stage_,
                    .location = location.Format()};
    if (doc.defect == DefectKind::kAccepted) {
      if (!accepted_defect_) accepted_defect_ = std::move(verdict);
      return true;
    }
    verdict.error = Verdict::Error{.exception = wording->raises,
                                   .message = values.Fill(wording->pattern),
                                   .phase = doc.phase};
    verdict_ = std::move(verdict);
    return false;
  }

  const Target target_;
  Facts* const facts_;
  Stage stage_ = Stage::kConstructScratch;
  Verdict verdict_;
  std::optional<Verdict> accepted_defect_;
};

}  // namespace pallasite

#endif  // PALLASITE_MODEL_ERRORS_CHECK_H_

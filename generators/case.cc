#include "generators/case.h"

#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "generators/choices.h"
#include "generators/mutations/mutation.h"
#include "generators/valid.h"
#include "generators/wild.h"
#include "model/catalogue.h"

namespace pallasite {
namespace {

// Out of a hundred configurations; the rest are valid.
constexpr uint32_t kMutatedPercent = 30;
constexpr uint32_t kWildPercent = 25;

// Every such configuration costs a worker of the oracle and the seconds that a
// new one takes. Corpus replay asks them instead.
bool KillsPython(std::string_view rule) {
  const RuleDoc* doc = FindRule(rule);
  return doc != nullptr && doc->wordings[0].raises == PyExc::kSegmentationFault;
}

// A rule is about an area when its id says so.
bool IsWithin(std::string_view rule, const AreaSet& areas) {
  if (areas == AreaSet::All()) return true;
  for (const Area area : kAllAreas) {
    if (areas.Has(area) && rule.find(Name(area)) != rule.npos) return true;
  }
  return false;
}

std::vector<const Mutation*> MutationsWithin(const AreaSet& areas) {
  std::vector<const Mutation*> rows;
  for (const Mutation& mutation : Mutations()) {
    if (IsWithin(mutation.rule, areas) && !KillsPython(mutation.rule)) {
      rows.push_back(&mutation);
    }
  }
  return rows;
}

GeneratedCase GenMutated(Choices& choices, const GenPolicy& policy) {
  static const auto& all =
      *new std::vector<const Mutation*>(MutationsWithin(AreaSet::All()));
  std::vector<const Mutation*> within;
  if (policy.areas != AreaSet::All()) within = MutationsWithin(policy.areas);
  const std::vector<const Mutation*>& rows = within.empty() ? all : within;
  GeneratedCase generated = {.config = GenKernelConfig(choices, policy)};
  const Mutation& mutation = *rows[choices.UpTo(rows.size() - 1)];
  // Where the precondition does not hold, nothing is known about the result.
  if (mutation.apply(generated.config, choices)) {
    generated.rule = std::string(mutation.rule);
  }
  return generated;
}

}  // namespace

GeneratedCase GenerateCase(uint64_t seed, uint64_t index,
                           const GenPolicy& policy) {
  RandomSource source(SeedFor(seed, index));
  Choices choices(source);
  switch (choices.Weighted(
      {100 - kMutatedPercent - kWildPercent, kMutatedPercent, kWildPercent})) {
    case 1:
      return GenMutated(choices, policy);
    case 2:
      return {.config = GenWildConfig(choices, policy)};
    default:
      return {.config = GenKernelConfig(choices, policy), .valid = true};
  }
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

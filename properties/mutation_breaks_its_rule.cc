#include "properties/mutation_breaks_its_rule.h"

#include <string>

#include "model/evaluate.h"
#include "properties/describe.h"

namespace pallasite {
namespace {

bool Names(const Verdict& verdict, const Mutation& mutation) {
  return verdict.rule != nullptr && verdict.rule->id == mutation.rule;
}

}  // namespace

Failure MutationBreaksItsRule(KernelConfig valid, const Mutation& mutation,
                              Choices& choices) {
  if (!mutation.apply(valid, choices)) return std::nullopt;
  const Verdict verdict = Evaluate(valid, TargetOf(valid));
  if (Names(verdict, mutation)) return std::nullopt;
  return "meant to break " + std::string(mutation.rule) +
         ", but the model says: " + Describe(verdict);
}

Failure TwoMutationsBreakOneOfTheirRules(KernelConfig valid,
                                         const Mutation& first,
                                         const Mutation& second,
                                         Choices& choices) {
  if (!first.apply(valid, choices) || !second.apply(valid, choices)) {
    return std::nullopt;
  }
  const Verdict verdict = Evaluate(valid, TargetOf(valid));
  if (Names(verdict, first) || Names(verdict, second)) return std::nullopt;
  return "meant to break " + std::string(first.rule) + " and " +
         std::string(second.rule) +
         ", but the model says: " + Describe(verdict);
}

}  // namespace pallasite

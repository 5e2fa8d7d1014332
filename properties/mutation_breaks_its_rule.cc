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

}  // namespace pallasite

#include "properties/shrinking.h"

#include <string>
#include <vector>

#include "generators/case.h"
#include "generators/choices.h"
#include "generators/shrink.h"
#include "model/evaluate.h"
#include "properties/describe.h"

namespace pallasite {

Failure ShrinkingKeepsTheRule(uint64_t seed, const GenPolicy& policy) {
  const auto generate = [&](Choices& choices) {
    return GenerateCase(choices, policy).config;
  };
  const auto rule_of = [](const KernelConfig& config) {
    return Evaluate(config, TargetOf(config)).rule;
  };
  RandomSource source(seed);
  Choices choices(source);
  const RuleDoc* rule = rule_of(generate(choices));
  if (rule == nullptr) return std::nullopt;

  const auto still_fails = [&](const KernelConfig& config) {
    return rule_of(config) == rule;
  };
  const Trace shrunk = Shrink(choices.trace(), generate, still_fails);
  std::vector<uint64_t> values;
  for (const Choice& choice : shrunk) values.push_back(choice.value);
  ReplaySource replay(values);
  Choices replayed(replay);
  if (!still_fails(generate(replayed))) {
    return "shrunk away from " + std::string(rule->id);
  }
  if (ShortlexLess(choices.trace(), shrunk)) return "the trace got larger";
  if (Shrink(shrunk, generate, still_fails) != shrunk) {
    return "shrinking could go on";
  }
  return std::nullopt;
}

}  // namespace pallasite

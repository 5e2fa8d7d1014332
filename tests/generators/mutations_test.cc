#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "generators/case.h"
#include "generators/mutations/mutation.h"
#include "generators/valid.h"
#include "gtest/gtest.h"
#include "model/catalogue.h"
#include "model/evaluate.h"
#include "model/text/json_writer.h"
#include "properties/json_round_trip.h"
#include "properties/mutation_breaks_its_rule.h"
#include "properties/valid_is_accepted.h"

namespace pallasite {
namespace {

TEST(MutationsTest, BreakEveryRuleOfTheCatalogue) {
  for (const RuleDoc* rule : Catalogue()) {
    EXPECT_NE(FindMutation(rule->id), nullptr) << rule->id;
  }
}

TEST(MutationsTest, BreakKnownRulesOnceAndSayWhen) {
  std::set<std::string_view> seen;
  for (const Mutation& mutation : Mutations()) {
    EXPECT_NE(FindRule(mutation.rule), nullptr) << mutation.rule;
    EXPECT_TRUE(seen.insert(mutation.rule).second) << mutation.rule;
    EXPECT_FALSE(mutation.precondition.empty()) << mutation.rule;
  }
  EXPECT_EQ(FindMutation("construct.no.such-rule"), nullptr);
}

class EveryMutationTest : public ::testing::TestWithParam<std::string_view> {};

TEST_P(EveryMutationTest, BreaksItsRuleAndNothingBeforeIt) {
  const Mutation& mutation = *FindMutation(GetParam());
  RandomSource source(0);
  Choices choices(source);
  size_t broken = 0;
  for (uint64_t i = 0; i < 200; ++i) {
    source.Reseed(SeedFor(21, i));
    choices.Restart();
    KernelConfig config = GenKernelConfig(choices, {});
    // The positive twin.
    ASSERT_FALSE(ValidIsAccepted(config)) << WriteConfig(config);
    if (!mutation.apply(config, choices)) continue;
    ++broken;
    const Verdict verdict = Evaluate(config, *config.target);
    ASSERT_NE(verdict.rule, nullptr) << WriteConfig(config);
    ASSERT_EQ(verdict.rule->id, mutation.rule) << verdict.location << "\n"
                                               << WriteConfig(config);
    if (const Failure failure = JsonRoundTrips(config)) FAIL() << *failure;
  }
  EXPECT_GE(broken, 100u) << "the precondition hardly ever holds: "
                          << mutation.precondition;
}

std::vector<std::string_view> Rules() {
  std::vector<std::string_view> rules;
  for (const Mutation& mutation : Mutations()) rules.push_back(mutation.rule);
  return rules;
}

INSTANTIATE_TEST_SUITE_P(
    Rules, EveryMutationTest, ::testing::ValuesIn(Rules()),
    [](const ::testing::TestParamInfo<std::string_view>& info) {
      std::string name(info.param);
      for (char& c : name) {
        if (c == '.' || c == '-') c = '_';
      }
      return name;
    });

TEST(BreakSomeRuleTest, KeepsToTheAreasAndTheLoweringOfThePolicy) {
  GenPolicy policy;
  policy.areas = {Area::kRefUnion};
  policy.lowering = Lowering::kLane;
  std::set<std::string> rules;
  for (uint64_t i = 0; i < 2000; ++i) {
    const GeneratedCase generated = GenerateCase(31, i, policy);
    if (generated.rule.empty()) continue;
    rules.insert(generated.rule);
    EXPECT_EQ(generated.config.kernel.params.lowering, policy.lowering);
  }
  EXPECT_TRUE(rules.contains("construct.ref-union.collective-mix"));
  EXPECT_TRUE(rules.contains("lower.ref-union.lane-rows"));
  EXPECT_FALSE(rules.contains("lower.tma.dtype"));
}

TEST(BreakSomeRuleTest, LeavesOutRulesThatTheReleaseDoesNotHave) {
  GenPolicy policy;
  policy.areas = {Area::kSmem};
  policy.release = {0, 10, 0};
  for (uint64_t i = 0; i < 2000; ++i) {
    EXPECT_NE(GenerateCase(32, i, policy).rule,
              "construct.ref.transpose-transform-removed");
  }
}

}  // namespace
}  // namespace pallasite

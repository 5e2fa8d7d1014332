#include "model/graphs/precedence.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "generators/case.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/catalogue.h"
#include "model/evaluate.h"

namespace pallasite {
namespace {

using testing::HasSubstr;

const RuleDoc& RuleOf(const char* id) {
  const RuleDoc* rule = FindRule(id);
  if (rule == nullptr) throw std::invalid_argument(id);
  return *rule;
}

bool Dominates(const char* winner, const char* loser) {
  return Precedence::OfCatalogue().Dominates(RuleOf(winner), RuleOf(loser));
}

struct Pair {
  const char* winner;
  const char* loser;
};

class DominanceTest : public testing::TestWithParam<Pair> {};

TEST_P(DominanceTest, HoldsOneWayOnly) {
  const auto& [winner, loser] = GetParam();
  EXPECT_TRUE(Dominates(winner, loser));
  EXPECT_FALSE(Dominates(loser, winner));
}

INSTANTIATE_TEST_SUITE_P(
    Rules, DominanceTest,
    testing::Values(
        Pair{"construct.ref-union.collective-mix", "construct.mesh.grid-names"},
        Pair{"construct.ref.swizzle-width", "trace.prefetch.not-gmem"},
        Pair{"lower.smem.exceeds-limit", "lower.barrier.negative-count"},
        Pair{"lower.prefetch.warpgroup-peer",
             "lower.prefetch.warpgroup-row-type"},
        // A wrong acceptance yields to every refusal, however late.
        Pair{"lower.device-id.replay", "trace.ref-union.member-narrowed"}));

TEST(PrecedenceTest, RulesOfOneStageDoNotDominateEachOther) {
  EXPECT_FALSE(Dominates("construct.ref.swizzle-width",
                         "construct.ref-union.collective-mix"));
  EXPECT_FALSE(Dominates("construct.ref-union.collective-mix",
                         "construct.ref.swizzle-width"));
}

TEST(PrecedenceTest, TheOrderHoldsEveryRuleOnceAfterItsDominators) {
  const Precedence& precedence = Precedence::OfCatalogue();
  const std::vector<const RuleDoc*> order = precedence.Order();
  EXPECT_THAT(order, testing::UnorderedElementsAreArray(Catalogue()));
  for (size_t i = 0; i < order.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      EXPECT_FALSE(precedence.Dominates(*order[i], *order[j]))
          << order[i]->id << " before " << order[j]->id;
    }
  }
}

TEST(PrecedenceTest, DotNamesEveryRule) {
  const std::string dot = Precedence::OfCatalogue().Dot();
  for (const RuleDoc* rule : Catalogue()) {
    EXPECT_THAT(dot, HasSubstr(std::string(rule->id)));
  }
}

TEST(PrecedenceTest, AStageBelongsToThePhaseOfItsRules) {
  for (const ListedRule& rule : ListedRules()) {
    for (const Stage stage : {rule.stages.first, rule.stages.last}) {
      const Phase phase = stage < Stage::kTraceScratch  ? Phase::kConstruct
                          : stage < Stage::kLowerParams ? Phase::kTrace
                                                        : Phase::kLower;
      EXPECT_EQ(phase, rule.doc->phase) << rule.doc->id;
    }
  }
}

// The stages that a table claims against those that report its rules.
TEST(PrecedenceTest, RulesAreReportedByTheirStagesOnly) {
  absl::flat_hash_map<const RuleDoc*, StageRange> stages;
  for (const ListedRule& rule : ListedRules()) {
    stages[rule.doc] = rule.stages;
  }
  size_t reported = 0;
  for (uint64_t i = 0; i < 30000; ++i) {
    const KernelConfig config = GenerateCase(71, i, {}).config;
    const Verdict verdict = Evaluate(config, TargetOf(config));
    if (verdict.rule == nullptr) continue;
    ++reported;
    EXPECT_TRUE(stages.at(verdict.rule).Contains(verdict.stage))
        << verdict.rule->id << " by " << Name(verdict.stage);
  }
  EXPECT_GT(reported, 10000u);
}

}  // namespace
}  // namespace pallasite

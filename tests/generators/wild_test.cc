#include "generators/wild.h"

#include <cstdint>
#include <set>
#include <string_view>

#include "generators/choices.h"
#include "gtest/gtest.h"
#include "model/catalogue.h"
#include "model/evaluate.h"
#include "model/text/json_writer.h"
#include "properties/json_round_trip.h"

namespace pallasite {
namespace {

TEST(WildTest, StaysWithinTheConfigurationFormat) {
  RandomSource source(41);
  Choices choices(source);
  for (int i = 0; i < 5000; ++i) {
    choices.Restart();
    const KernelConfig config = GenWildConfig(choices, {});
    if (const Failure failure = JsonRoundTrips(config)) FAIL() << *failure;
  }
}

TEST(WildTest, ReachesMostRulesAndIsOftenAccepted) {
  RandomSource source(42);
  Choices choices(source);
  std::set<const RuleDoc*> rules;
  int accepted = 0;
  constexpr int kConfigs = 50000;
  for (int i = 0; i < kConfigs; ++i) {
    choices.Restart();
    const KernelConfig config = GenWildConfig(choices, {});
    const Verdict verdict = Evaluate(config, *config.target);
    if (verdict.rule != nullptr) rules.insert(verdict.rule);
    if (verdict.kind == VerdictKind::kAccepted) ++accepted;
  }
  EXPECT_GE(rules.size(), Catalogue().size() * 8 / 10);
  EXPECT_GE(accepted, kConfigs / 4);
  EXPECT_LE(accepted, kConfigs * 3 / 4);
}

TEST(WildTest, StaysWithinTheConfigurationFormatHoweverOftenItIsTweaked) {
  RandomSource source(43);
  for (int i = 0; i < 300; ++i) {
    Choices choices(source);
    KernelConfig config = GenWildConfig(choices, {});
    for (int j = 0; j < 30; ++j) Tweak(choices, {}, config);
    if (const Failure failure = JsonRoundTrips(config)) FAIL() << *failure;
    Evaluate(config, *config.target);
  }
}

}  // namespace
}  // namespace pallasite

#include "generators/scopes.h"

#include <cstdint>
#include <optional>

#include "gtest/gtest.h"
#include "model/evaluate.h"
#include "model/text/json_reader.h"
#include "model/text/json_writer.h"
#include "properties/union_plan.h"

namespace pallasite {
namespace {

const Scope& ScopeOf(const char* name) { return *FindScope(name); }

template <typename Visit>
uint64_t Enumerate(const Scope& scope, Visit&& visit) {
  ScopeEnumerator configs(scope);
  uint64_t count = 0;
  while (const std::optional<KernelConfig> config = configs.At(count)) {
    visit(*config);
    ++count;
  }
  return count;
}

// Counted by hand: a ref is one of 28 types and 15 shapes. In TMEM it has three
// values for each of two flags and 7 layouts, elsewhere 8 lists of transforms
// and a flag or none. There are two lowerings.
constexpr uint64_t kRefs = 2 * 28 * 15 * (3 * 3 * 7 + 3 * 8 * 2);
// 24 members make 24 + 2 * (24 + 24^2) groups, and those unions of one or two.
constexpr uint64_t kGroups = 24 + 2 * (24 + 24 * 24);
constexpr uint64_t kUnions = kGroups + kGroups * kGroups;
// 6 leaves; a level adds three kinds of none, one or two children.
constexpr uint64_t kShallow = 6 + 3 * (1 + 6 + 6 * 6);
constexpr uint64_t kTrees = 6 + 3 * (1 + kShallow + kShallow * kShallow);

TEST(ScopesTest, MoreThanAMillionUnionsAreJudgedAndPlacedRight) {
  static_assert(kUnions > 1000000);
  uint64_t accepted = 0;
  uint64_t refused = 0;
  const uint64_t count =
      Enumerate(ScopeOf("ref-union"), [&](const KernelConfig& config) {
        const Verdict verdict = Evaluate(config, TargetOf(config));
        ASSERT_NE(verdict.kind, VerdictKind::kUnmodelled);
        if (verdict.kind == VerdictKind::kAccepted) {
          ++accepted;
          const Failure failure = UnionPlanHolds(config);
          ASSERT_FALSE(failure) << *failure << "\n" << WriteConfig(config);
        } else {
          ++refused;
        }
      });
  EXPECT_EQ(count, kUnions);
  EXPECT_GT(accepted, 10000);
  EXPECT_GT(refused, count / 20);
}

TEST(ScopesTest, EveryRefIsJudged) {
  const uint64_t count = Enumerate(
      ScopeOf("ref"),
      [&](const KernelConfig& config) { Evaluate(config, TargetOf(config)); });
  EXPECT_EQ(count, kRefs);
}

TEST(ScopesTest, EveryTreeIsJudged) {
  const uint64_t count =
      Enumerate(ScopeOf("ref-tree"), [&](const KernelConfig& config) {
        const Verdict verdict = Evaluate(config, TargetOf(config));
        ASSERT_NE(verdict.kind, VerdictKind::kUnmodelled);
      });
  EXPECT_EQ(count, kTrees);
}

TEST(ScopesTest, ConfigurationsAreOnesThatTheReaderTakes) {
  for (const Scope& scope : Scopes()) {
    ScopeEnumerator configs(scope);
    for (uint64_t number = 0;; number += 997) {
      const std::optional<KernelConfig> config = configs.At(number);
      if (!config) break;
      const auto read = ReadConfig(WriteConfig(*config));
      ASSERT_TRUE(read.ok()) << read.status() << "\n" << WriteConfig(*config);
      EXPECT_EQ(*read, *config);
    }
  }
}

TEST(ScopesTest, AnEnumeratorFindsANumberAndThenTheEnd) {
  ScopeEnumerator one(ScopeOf("ref-tree"));
  ScopeEnumerator other(ScopeOf("ref-tree"));
  ASSERT_TRUE(other.At(3));
  EXPECT_EQ(one.At(41), other.At(41));
  EXPECT_TRUE(one.At(kTrees - 1));
  EXPECT_FALSE(one.At(kTrees));
}

}  // namespace
}  // namespace pallasite

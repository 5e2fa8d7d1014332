#include "generators/shrink.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "generators/case.h"
#include "generators/mutations/mutation.h"
#include "generators/valid.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/evaluate.h"
#include "model/text/json_writer.h"

namespace pallasite {
namespace {

using ::testing::ElementsAre;

Trace TraceOf(std::vector<uint64_t> values) {
  Trace trace;
  for (const uint64_t value : values) trace.push_back({100, value});
  return trace;
}

TEST(ShortlexTest, PutsShorterFirstAndThenSmaller) {
  EXPECT_TRUE(ShortlexLess(TraceOf({9, 9}), TraceOf({0, 0, 0})));
  EXPECT_TRUE(ShortlexLess(TraceOf({1, 9}), TraceOf({2, 0})));
  EXPECT_FALSE(ShortlexLess(TraceOf({1, 2}), TraceOf({1, 2})));
}

std::vector<std::vector<uint64_t>> AllSteps(const Trace& trace) {
  std::vector<std::vector<uint64_t>> all;
  const ShrinkSteps steps(trace);
  for (size_t i = 0; i < steps.size(); ++i) {
    if (auto values = steps[i]) all.push_back(*std::move(values));
  }
  return all;
}

TEST(ShrinkStepsTest, DeletesEveryBlockThenCutsThenLowers) {
  EXPECT_THAT(
      AllSteps(TraceOf({8, 0, 5})),
      ElementsAre(ElementsAre(), ElementsAre(5), ElementsAre(8),
                  ElementsAre(0, 5), ElementsAre(8, 5), ElementsAre(8, 0),
                  // 8 becomes 0, without one or both that follow it.
                  ElementsAre(0, 5), ElementsAre(0),
                  // Halves, quarters less, one less.
                  ElementsAre(0, 0, 5), ElementsAre(4, 0, 5),
                  ElementsAre(6, 0, 5), ElementsAre(7, 0, 5),
                  ElementsAre(8, 0, 0), ElementsAre(8, 0, 2),
                  ElementsAre(8, 0, 4), ElementsAre(8, 0, 4)));
}

TEST(ShrinkStepsTest, NumbersTheBlocksOfLongTraces) {
  const size_t n = 300;
  const ShrinkSteps steps(TraceOf(std::vector<uint64_t>(n, 1)));
  EXPECT_TRUE(steps[0]->empty());
  EXPECT_EQ(steps[1]->size(), 1u);
  EXPECT_EQ(steps[n * (n + 1) / 2 - 1]->size(), n - 1);
  EXPECT_EQ(steps[n * (n + 1) / 2]->size(), n - 1);  // the first cut
  EXPECT_EQ(steps[steps.size() - 1]->size(), n);
}

KernelConfig Valid(Choices& choices) { return GenKernelConfig(choices, {}); }

std::vector<KernelConfig> ShrinkAll(KernelConfig (*generate)(Choices&),
                                    StillFails still_fails, int findings) {
  std::vector<KernelConfig> shrunk;
  RandomSource source(0);
  for (uint64_t i = 0; static_cast<int>(shrunk.size()) < findings; ++i) {
    source.Reseed(SeedFor(51, i));
    Choices choices(source);
    if (!still_fails(generate(choices))) continue;
    const Trace trace = Shrink(choices.trace(), generate, still_fails);
    std::vector<uint64_t> values;
    for (const Choice& choice : trace) values.push_back(choice.value);
    ReplaySource replay(values);
    Choices replayed(replay);
    shrunk.push_back(generate(replayed));
  }
  return shrunk;
}

TEST(ShrinkTest, LeavesNothingOfAConfigurationThatFailsAnyway) {
  const auto shrunk = ShrinkAll(
      Valid, [](const KernelConfig&) { return true; }, 100);
  ReplaySource zeroes({});
  Choices choices(zeroes);
  const KernelConfig simplest = Valid(choices);
  for (const KernelConfig& config : shrunk) {
    EXPECT_EQ(WriteConfig(config), WriteConfig(simplest));
  }
}

TEST(ShrinkTest, KeepsTheOneRefThatMatters) {
  // Any member of a union in tensor memory.
  const auto has_tmem_union = [](const KernelConfig& config) {
    for (const auto& entry : config.scratch) {
      const auto* spec = std::get_if<RefUnionSpec>(&entry.second.node);
      if (spec == nullptr) continue;
      for (const RefTree& group : spec->groups) {
        const auto* ref = std::get_if<RefSpec>(&group.node);
        if (ref != nullptr && ref->space == MemorySpace::kTmem) return true;
      }
    }
    return false;
  };
  const auto shrunk = ShrinkAll(Valid, has_tmem_union, 100);
  for (const KernelConfig& config : shrunk) {
    EXPECT_EQ(WriteConfig(config), WriteConfig(shrunk.front()));
  }
  const KernelConfig& smallest = shrunk.front();
  ASSERT_EQ(smallest.scratch.size(), 1u);
  EXPECT_TRUE(smallest.body.empty());
  EXPECT_TRUE(smallest.mesh.empty());
  EXPECT_TRUE(smallest.kernel.grid.sizes.empty());
}

TEST(ShrinkTest, LowersNumbersToTheNextBoundary) {
  // At least 300 columns of f32 in tensor memory.
  const auto is_wide = [](const KernelConfig& config) {
    for (const auto& entry : config.scratch) {
      const auto* ref = std::get_if<RefSpec>(&entry.second.node);
      if (ref != nullptr && ref->space == MemorySpace::kTmem &&
          ref->dtype == DType::kFloat32 && ref->shape.size() == 2 &&
          ref->shape[1] >= 300) {
        return true;
      }
    }
    return false;
  };
  for (const KernelConfig& config : ShrinkAll(Valid, is_wide, 50)) {
    ASSERT_EQ(config.scratch.size(), 1u) << WriteConfig(config);
    EXPECT_LE(std::get<RefSpec>(config.scratch[0].second.node).shape[1], 512)
        << WriteConfig(config);
  }
}

TEST(ShrinkTest, AsksNoMoreOftenThanAllowed) {
  RandomSource source(52);
  Choices choices(source);
  Valid(choices);
  int calls = 0;
  Shrink(
      choices.trace(), Valid,
      [&](const KernelConfig&) {
        ++calls;
        return false;
      },
      10);
  EXPECT_EQ(calls, 10);
}

TEST(ShrinkTest, KeepsTheFindingWhileAMutationIsReplayed) {
  const Mutation& mutation =
      *FindMutation("construct.ref-union.collective-mix");
  const auto generate = [&](Choices& choices) {
    KernelConfig config = GenKernelConfig(choices, {});
    mutation.apply(config, choices);
    return config;
  };
  const auto still_fails = [&](const KernelConfig& config) {
    const Verdict verdict = Evaluate(config, *config.target);
    return verdict.rule != nullptr && verdict.rule->id == mutation.rule;
  };
  for (uint64_t i = 0; i < 50; ++i) {
    RandomSource source(SeedFor(53, i));
    Choices choices(source);
    ASSERT_TRUE(still_fails(generate(choices)));
    const Trace trace = Shrink(choices.trace(), generate, still_fails);
    std::vector<uint64_t> values;
    for (const Choice& choice : trace) values.push_back(choice.value);
    ReplaySource replay(values);
    Choices replayed(replay);
    const KernelConfig config = generate(replayed);
    EXPECT_TRUE(still_fails(config));
    EXPECT_EQ(config.scratch.size(), 1u) << WriteConfig(config);
    EXPECT_TRUE(config.body.empty()) << WriteConfig(config);
  }
}

}  // namespace
}  // namespace pallasite

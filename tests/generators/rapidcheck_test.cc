#include "generators/rapidcheck.h"

#include <cstdint>
#include <sstream>
#include <string>

#include "generators/valid.h"
#include "gtest/gtest.h"
#include "model/text/json_writer.h"

namespace pallasite {
namespace {

rc::Gen<KernelConfig> ValidConfigs() {
  return FromChoices<KernelConfig>(
      [](Choices& choices) { return GenKernelConfig(choices, {}); });
}

TEST(FromChoicesTest, GivesTheSameValueForTheSameSeed) {
  const auto gen = ValidConfigs();
  for (uint64_t seed = 0; seed < 100; ++seed) {
    EXPECT_EQ(gen(rc::Random(seed), 100).value(),
              gen(rc::Random(seed), 0).value());
  }
}

TEST(FromChoicesTest, GivesOtherValuesForOtherSeeds) {
  const auto gen = ValidConfigs();
  int different = 0;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    if (gen(rc::Random(seed), 100).value() !=
        gen(rc::Random(seed + 1), 100).value()) {
      ++different;
    }
  }
  EXPECT_GE(different, 95);
}

// Goes down to the first simpler value that still fails, as RapidCheck does.
template <typename T, typename Fails>
T ShrinkGreedily(rc::Shrinkable<T> shrinkable, Fails&& fails) {
  auto shrinks = shrinkable.shrinks();
  while (auto next = shrinks.next()) {
    if (!fails(next->value())) continue;
    shrinkable = std::move(*next);
    shrinks = shrinkable.shrinks();
  }
  return shrinkable.value();
}

TEST(FromChoicesTest, ShrinksThroughTheTrace) {
  const auto gen = ValidConfigs();
  const auto has_scratch = [](const KernelConfig& config) {
    return !config.scratch.empty();
  };
  int found = 0;
  for (uint64_t seed = 0; found < 20; ++seed) {
    auto shrinkable = gen(rc::Random(seed), 100);
    if (!has_scratch(shrinkable.value())) continue;
    ++found;
    const KernelConfig smallest = ShrinkGreedily(shrinkable, has_scratch);
    EXPECT_EQ(smallest.scratch.size(), 1u);
    EXPECT_TRUE(smallest.body.empty()) << WriteConfig(smallest);
    EXPECT_TRUE(smallest.mesh.empty()) << WriteConfig(smallest);
  }
}

TEST(FromChoicesTest, PrintsConfigurationsAsJson) {
  std::ostringstream out;
  rc::show(KernelConfig(), out);
  EXPECT_EQ(out.str(), WriteConfig(KernelConfig()));
}

}  // namespace
}  // namespace pallasite

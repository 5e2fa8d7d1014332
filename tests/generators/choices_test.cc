#include "generators/choices.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace pallasite {
namespace {

using ::testing::ElementsAre;

TEST(RandomSourceTest, GivesTheValuesOfSplitMix64OnEveryMachine) {
  // The generator's published test vector for the seed 1234567.
  RandomSource source(1234567);
  EXPECT_EQ(source.Next(UINT64_MAX, {}), 6457827717110365317u);
  EXPECT_EQ(source.Next(UINT64_MAX, {}), 3203168211198807973u);
  EXPECT_EQ(source.Next(UINT64_MAX, {}), 9817491932198370423u);
}

TEST(RandomSourceTest, KeepsToTheBoundAndReachesAllOfIt) {
  for (const uint64_t bound : {1u, 2u, 5u, 255u}) {
    RandomSource source(bound);
    std::set<uint64_t> seen;
    for (int i = 0; i < 10000; ++i) {
      const uint64_t value = source.Next(bound, {});
      ASSERT_LE(value, bound);
      seen.insert(value);
    }
    EXPECT_EQ(seen.size(), bound + 1);
  }
}

TEST(RandomSourceTest, DrawsInProportionToTheWeights) {
  RandomSource source(1);
  const uint32_t weights[] = {10, 0, 30};
  int counts[3] = {};
  for (int i = 0; i < 40000; ++i) ++counts[source.Next(2, weights)];
  EXPECT_NEAR(counts[0], 10000, 500);
  EXPECT_EQ(counts[1], 0);
  EXPECT_NEAR(counts[2], 30000, 500);
}

TEST(SeedForTest, GivesDifferentSeedsForNeighbours) {
  std::set<uint64_t> seeds;
  for (uint64_t run = 0; run < 100; ++run) {
    for (uint64_t index = 0; index < 100; ++index) {
      seeds.insert(SeedFor(run, index));
    }
  }
  EXPECT_EQ(seeds.size(), 10000u);
}

TEST(ByteSourceTest, TakesAsManyBytesAsTheBoundNeeds) {
  const uint8_t bytes[] = {7, 1, 2, 9};
  ByteSource source(bytes);
  EXPECT_EQ(source.Next(255, {}), 7u);
  EXPECT_EQ(source.Next(65535, {}), 0x0102u);
  EXPECT_EQ(source.Next(3, {}), 1u);  // 9 modulo 4
}

TEST(ByteSourceTest, ReadsZeroesPastTheEnd) {
  const uint8_t bytes[] = {200};
  ByteSource source(bytes);
  EXPECT_EQ(source.Next(255, {}), 200u);
  EXPECT_EQ(source.Next(255, {}), 0u);
  EXPECT_EQ(source.Next(UINT64_MAX, {}), 0u);
}

TEST(ReplaySourceTest, LowersValuesToTheBoundAndEndsInZeroes) {
  const uint64_t values[] = {3, 9};
  ReplaySource source(values);
  EXPECT_EQ(source.Next(5, {}), 3u);
  EXPECT_EQ(source.Next(5, {}), 5u);
  EXPECT_EQ(source.Next(5, {}), 0u);
}

// A generator whose second decision depends on the first.
std::string Word(Choices& choices) {
  std::string word;
  const uint64_t length = choices.UpTo(2);
  for (uint64_t i = 0; i < length; ++i) word += choices.Bool() ? 'b' : 'a';
  return word;
}

TEST(OdometerTest, GivesEveryOutcomeOnceAndThenEnds) {
  Odometer odometer;
  std::vector<std::string> words;
  do {
    Choices choices(odometer);
    words.push_back(Word(choices));
  } while (odometer.Advance());
  EXPECT_THAT(words, ElementsAre("", "a", "b", "aa", "ab", "ba", "bb"));
}

TEST(OdometerTest, EndsAtOnceWhenNothingIsDecided) {
  Odometer odometer;
  EXPECT_FALSE(odometer.Advance());
}

TEST(ChoicesTest, RecordsDecisionsAndLeavesOutThoseWithOneOutcome) {
  const uint64_t values[] = {4, 1};
  ReplaySource source(values);
  Choices choices(source);
  EXPECT_EQ(choices.UpTo(9), 4u);
  EXPECT_EQ(choices.UpTo(0), 0u);
  EXPECT_TRUE(choices.Bool());
  EXPECT_THAT(choices.trace(), ElementsAre(Choice{9, 4}, Choice{1, 1}));
  choices.Restart();
  EXPECT_TRUE(choices.trace().empty());
}

TEST(ChoicesTest, TakesTheFirstOfEverythingAtZero) {
  ReplaySource source({});
  Choices choices(source);
  EXPECT_EQ(choices.Between(-3, 5), -3);
  EXPECT_FALSE(choices.Chance(99));
  EXPECT_EQ(choices.Weighted({1, 1000}), 0u);
  EXPECT_EQ(choices.Pick({7, 8, 9}), 7);
  EXPECT_EQ(choices.Pick(std::vector<int>{7, 8, 9}), 7);
}

TEST(ChoicesTest, CoversAllOf64Bits) {
  const uint64_t values[] = {UINT64_MAX};
  ReplaySource source(values);
  Choices choices(source);
  EXPECT_EQ(choices.Between(INT64_MIN, INT64_MAX), INT64_MAX);
}

TEST(ChoicesTest, AsksBeforeEveryItemOfAListThatIsNotDue) {
  // One due; another: yes; another: no.
  const uint64_t values[] = {5, 1, 6, 0, 7};
  ReplaySource source(values);
  Choices choices(source);
  std::vector<uint64_t> items;
  choices.List(1, 9, [&](size_t) { items.push_back(choices.UpTo(9)); });
  EXPECT_THAT(items, ElementsAre(5u, 6u));
}

TEST(ChoicesTest, EndsAListAtItsMost) {
  RandomSource source(3);
  for (int i = 0; i < 1000; ++i) {
    Choices choices(source);
    size_t count = 0;
    choices.List(2, 4, [&](size_t index) {
      EXPECT_EQ(index, count);
      ++count;
    });
    EXPECT_GE(count, 2u);
    EXPECT_LE(count, 4u);
  }
}

}  // namespace
}  // namespace pallasite

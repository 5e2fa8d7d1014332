#include "generators/lattice.h"

#include <algorithm>
#include <cstdint>
#include <set>

#include "gtest/gtest.h"

namespace pallasite {
namespace {

TEST(BoundaryLatticeTest, IsSortedAndWithoutRepetition) {
  const auto lattice = BoundaryLattice();
  EXPECT_TRUE(std::is_sorted(lattice.begin(), lattice.end()));
  EXPECT_EQ(std::adjacent_find(lattice.begin(), lattice.end()), lattice.end());
}

TEST(BoundaryLatticeTest, HoldsBothSidesOfEveryLimit) {
  const auto lattice = BoundaryLattice();
  for (const int64_t limit :
       {int64_t{8}, int64_t{16}, int64_t{64}, int64_t{128}, int64_t{256},
        int64_t{512}, int64_t{227 * 1024}, int64_t{227 * 1024 / 2},
        int64_t{227 * 1024 / 4}, int64_t{65536}}) {
    for (const int64_t value : {limit - 1, limit, limit + 1}) {
      EXPECT_TRUE(std::binary_search(lattice.begin(), lattice.end(), value))
          << value;
    }
  }
}

TEST(PickSizeTest, GivesMultiplesInsideTheRange) {
  RandomSource source(1);
  Choices choices(source);
  for (int i = 0; i < 100000; ++i) {
    choices.Restart();
    const int64_t step = choices.Between(1, 40);
    const int64_t low = choices.Between(0, 300);
    const int64_t high = low + step + choices.Between(0, 100000);
    const int64_t size = PickSize(choices, {low, high, step});
    ASSERT_GE(size, low);
    ASSERT_LE(size, high);
    ASSERT_EQ(size % step, 0);
  }
}

TEST(PickSizeTest, ReachesBothEndsAndTheBoundariesBetween) {
  RandomSource source(2);
  Choices choices(source);
  std::set<int64_t> seen;
  for (int i = 0; i < 20000; ++i) seen.insert(PickSize(choices, {3, 1000}));
  for (const int64_t size : {3, 4, 127, 128, 129, 255, 256, 257, 513, 1000}) {
    EXPECT_TRUE(seen.contains(size)) << size;
  }
}

TEST(PickSizeTest, TakesTheLowEndWhenNothingIsDecided) {
  ReplaySource source({});
  Choices choices(source);
  EXPECT_EQ(PickSize(choices, {5, 1000, 8}), 8);
  EXPECT_EQ(PickSize(choices, {0, 1000}), 0);
}

}  // namespace
}  // namespace pallasite

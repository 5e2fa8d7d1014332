#include "absl/strings/str_format.h"
#include "gtest/gtest.h"
#include "model/evaluate.h"
#include "model/text/json_reader.h"

namespace pallasite {
namespace {

VerdictKind Judge(const char* accumulator, const char* lowering) {
  const auto config = ReadConfig(absl::StrFormat(
      R"({"pallasite": 1, "target": {"jax": "0.11.2", "arch": "9.0"},
          "kernel": {"lowering": "%s"},
          "inputs": {"x": "bool[]"}, "outputs": {"o": "bool[]"},
          "scratch": {"a": {"acc": "%s"}}})",
      lowering, accumulator));
  EXPECT_TRUE(config.ok()) << config.status();
  return config.ok() ? Evaluate(*config, TargetOf(*config)).kind
                     : VerdictKind::kUnmodelled;
}

// JAX was seen to take 42 seconds for 2^26 elements and to be killed for its
// memory at 2^38, so those are no configurations to vouch for.
TEST(AccumulatorTest, OnesTooLargeToLowerAreNotVouchedFor) {
  for (const char* lowering : {"lane", "warpgroup"}) {
    EXPECT_EQ(Judge("i32[64,16384]", lowering), VerdictKind::kAccepted);
    EXPECT_EQ(Judge("i32[64,16392]", lowering), VerdictKind::kUnmodelled);
    EXPECT_EQ(Judge("i32[64,4294967296]", lowering), VerdictKind::kUnmodelled);
  }
}

TEST(AccumulatorTest, AWrongShapeIsRefusedHoweverLarge) {
  EXPECT_EQ(Judge("i32[63,4294967296]", "lane"), VerdictKind::kRejected);
}

}  // namespace
}  // namespace pallasite

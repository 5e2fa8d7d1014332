#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"
#include "model/errors/verdict.h"
#include "model/evaluate.h"
#include "tests/lower/prefetch_rows.h"

namespace pallasite {
namespace {

std::string Prefetch(std::string_view ref) {
  return absl::StrCat(R"({"async_prefetch": {"ref": )",
                      absl::string_view(ref.data(), ref.size()), "}}");
}
std::string WarpMap(const std::vector<std::string>& ops) {
  return absl::StrCat(R"({"warp_map": [)", absl::StrJoin(ops, ", "), "]}");
}

// Several faults in one kernel. JAX 0.11.2 was seen to raise the named one.
struct OrderRow {
  std::string_view name;
  Lowering lowering;
  std::vector<std::string> body;
  std::string_view rule;
  std::string_view location;
};

std::vector<OrderRow> Rows() {
  // Faults, from the one that JAX finds first to the one it finds last.
  const std::string too_many = Prefetch(R"({"x": [{"at": [0, 0, 0]}]})");
  const std::string multicast = Prefetch(R"({"x": [{"multicast": ["d"]}]})");
  const std::string negative =
      Prefetch(R"({"x": [{"at": [{"ds": [0, -2]}]}]})");
  const std::string six_rows =
      Prefetch(R"({"x": [{"at": [{"gather": "u32[6]"}]}]})");
  const std::string narrow = Prefetch(R"({"x": [{"at": [0, 0]}]})");
  const std::string column = Prefetch(R"({"x": [{"at": ["...", 0]}]})");
  const std::string fine = Prefetch(R"("x")");
  const std::string unknown_axis_and_six_rows =
      R"({"async_prefetch": {"collective_axes": ["q"], "ref": {"x": [
          {"at": [{"gather": "u32[6]"}]}]}}})";
  constexpr Lowering kLane = Lowering::kLane;
  constexpr Lowering kWarpgroup = Lowering::kWarpgroup;
  return {
      {"TracingComesBeforeLowering",
       kLane,
       {narrow, too_many},
       "trace.indexing.too-many-indices",
       "body[1].ref.views[0].at"},
      {"LaneLowersOpByOp",
       kLane,
       {narrow, multicast},
       "lower.tma.minor-bits",
       "body[0].ref"},
      {"LaneWritesDescriptorsLast",
       kLane,
       {column, narrow},
       "lower.tma.minor-bits",
       "body[1].ref"},
      {"LaneWritesDescriptorsInOrder",
       kLane,
       {fine, column, column},
       "lower.tma.minor-stride",
       "body[1].ref"},
      {"WarpgroupRulesComeBeforeVerification",
       kWarpgroup,
       {negative, multicast},
       "lower.gmem.multicast",
       "body[1].ref.views[0]"},
      {"VerificationComesBeforeLayoutInference",
       kWarpgroup,
       {six_rows, negative},
       "lower.prefetch.warpgroup-negative-length",
       "body[1]"},
      {"VerificationLooksIntoWarpMapLast",
       kWarpgroup,
       {WarpMap({negative}), negative},
       "lower.prefetch.warpgroup-negative-length",
       "body[1]"},
      {"VerificationLooksIntoWarpMap",
       kWarpgroup,
       {fine, WarpMap({fine, negative})},
       "lower.prefetch.warpgroup-negative-length",
       "body[1].warp_map[1]"},
      {"LayoutInferenceComesBeforeDialectLowering",
       kWarpgroup,
       {narrow, six_rows},
       "lower.gather.warpgroup-tile",
       "body[1].ref.views[0].at[0]"},
      {"DialectLoweringComesBeforeDescriptors",
       kWarpgroup,
       {column, narrow},
       "lower.tma.minor-bits",
       "body[1].ref"},
      {"WarpMapIsLoweredBeforeItsBody",
       kLane,
       {WarpMap({WarpMap({narrow})})},
       "lower.warp-map.nested",
       "body[0].warp_map[0]"},
      {"IndicesAreLoweredBeforeTheirOp",
       kLane,
       {unknown_axis_and_six_rows},
       "lower.gather.lane-tile",
       "body[0].ref.views[0].at[0]"},
  };
}

Verdict EvaluateBody(const std::vector<std::string>& ops, Lowering lowering,
                     std::string_view around = "") {
  const std::string body = absl::StrCat("[", absl::StrJoin(ops, ", "), "]");
  return Evaluate(PrefetchConfig({.around = around, .body = body}, lowering),
                  Target());
}

TEST(PrefetchOrder, FirstErrorOfJaxIsFirst) {
  for (const OrderRow& row : Rows()) {
    SCOPED_TRACE(std::string(row.name));
    const Verdict verdict = EvaluateBody(row.body, row.lowering);
    ASSERT_NE(verdict.rule, nullptr);
    EXPECT_EQ(verdict.rule->id, row.rule);
    EXPECT_EQ(verdict.location, row.location);
  }
}

TEST(PrefetchOrder, KernelsWithoutVisibleEffectsAreTracedOnly) {
  constexpr std::string_view kNoOutputs = R"("outputs": {})";
  EXPECT_EQ(EvaluateBody({Prefetch(R"({"x": [{"at": [0, 0]}]})")},
                         Lowering::kLane, kNoOutputs)
                .kind,
            VerdictKind::kAccepted);
  EXPECT_EQ(EvaluateBody({Prefetch(R"({"x": [{"at": [0, 0, 0]}]})")},
                         Lowering::kLane, kNoOutputs)
                .kind,
            VerdictKind::kRejected);
}

}  // namespace
}  // namespace pallasite

#include "model/text/case.h"

#include <string>
#include <string_view>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "model/text/facts_json.h"

namespace pallasite {
namespace {

CorpusCase FullCase() {
  CorpusCase full;
  full.about = "A \"quoted\" story\nof two lines";
  full.config.mesh = {{"d", 2}};
  full.config.inputs = {{"x", {DType::kFloat32, {128, 128}}}};
  full.expect[{0, 11, 2}] = {
      .verdict = VerdictKind::kRejected,
      .rule = "construct.ref-union.collective",
      .error = JaxError{"ValueError", "Some {*} are not.", Phase::kConstruct},
      .location = "scratch.acc"};
  full.expect[{0, 9, 0}] = {.verdict = VerdictKind::kDefect, .rule = "d.one"};
  full.expect[{0, 10, 0}] = {
      .verdict = VerdictKind::kDefect,
      .rule = "d.two",
      .error = JaxError{"AssertionError", "", Phase::kLower},
      .location = "body[0].ref"};
  full.expect[{0, 8, 0}] = {.verdict = VerdictKind::kUnmodelled,
                            .location = "kernel.grid"};
  full.expect[{0, 12, 0, 1}] = {.verdict = VerdictKind::kAccepted};
  full.observed[{0, 11, 2}] = {
      .how = Evidence::kOracle,
      .error = JaxError{"ValueError", "Some are not.", Phase::kConstruct},
      .raise_site = "core.py:665 RefUnion.__init__"};
  full.observed[{0, 9, 0}] = {
      .how = Evidence::kSource,
      .error = JaxError{"TypeError", "", Phase::kTrace}};
  full.observed[{0, 10, 0}] = {
      .facts = Facts{.smem_bytes = 1,
                     .tmem_columns = 2,
                     .tmem_collective_columns = 3,
                     .barrier_allocations = 4,
                     .barriers = INT64_MAX,
                     .union_members = {{"acc[0]", 0, 0}, {"acc[1]", 1, 64}}}};
  full.observed[{0, 12, 0, 1}] = {.facts = Facts()};
  full.provenance = "cases.md 1";
  return full;
}

// By hand, not by the writer.
constexpr std::string_view kSmallCase = R"({
  "case": 1,
  "about": "an empty kernel",
  "config": {"pallasite": 1,
             "mesh": {"d": 2}},
  "expect": {
    "0.11.2": {
      "verdict": "rejected",
      "rule": "r",
      "class": "ValueError",
      "message": "no",
      "phase": "lower",
      "location": "mesh"
    }
  },
  "observed": {
    "0.9.0": {
      "how": "oracle",
      "outcome": "accepted",
      "facts": {"smem_bytes": 1, "tmem_columns": 2, "tmem_collective_columns": 3, "barrier_allocations": 4, "barriers": 5, "union_members": [{"path": "acc[0]", "group": 0, "offset": 8}]}
    },
    "0.11.2": {
      "how": "source",
      "outcome": "raised",
      "class": "ValueError",
      "message": "no",
      "phase": "lower",
      "raise_site": "core.py:1 f"
    }
  },
  "provenance": "hand-made"
}
)";

TEST(CorpusCaseText, RoundTrips) {
  CorpusCase bare;
  bare.about = "x";
  for (const CorpusCase& corpus_case : {FullCase(), bare}) {
    const std::string text = WriteCase(corpus_case);
    SCOPED_TRACE(text);
    const auto read = ReadCase(text);
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(*read, corpus_case);
    EXPECT_EQ(WriteCase(*read), text);
  }
}

TEST(CorpusCaseText, IsWrittenByReleaseOverIndentedLines) {
  const auto read = ReadCase(kSmallCase);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->about, "an empty kernel");
  EXPECT_EQ(read->expect.at({0, 11, 2}).error->phase, Phase::kLower);
  EXPECT_EQ(read->observed.at({0, 9, 0}).facts->union_members[0].offset, 8);
  EXPECT_EQ(WriteCase(*read), kSmallCase);
}

// A change to kSmallCase, and where and why it is refused.
struct Change {
  const char* from;
  const char* to;
  const char* path;
  const char* phrase;
};

TEST(CorpusCaseText, IsRefusedAtTheCulprit) {
  const Change rows[] = {
      {R"("case": 1)", R"("case": 2)", "case",
       "case version 2 is unknown; expected 1"},
      {R"("case": 1,)", "", "top level", R"(the key "case" is missing)"},
      {R"("about")", R"("abuot")", "top level", R"(did you mean "about"?)"},
      {R"("an empty kernel")", R"("")", "about", "expected some text"},
      {R"("an empty kernel")", "7", "about", "expected a string, got 7"},
      {R"("pallasite": 1)", R"("pallasite": 2)", "config.pallasite",
       "format version 2"},
      {R"({"d": 2})", R"({"d": 0})", "config.mesh.d", "at least 1 device"},
      {R"("expect")", R"("expected")", "top level",
       R"(did you mean "expect"?)"},
      {R"("0.11.2": {
      "verdict")",
       R"("0.11": {
      "verdict")",
       "expect", R"(expected a JAX release)"},
      {R"("verdict": "rejected")", R"("verdict": "reject")",
       "expect.0.11.2.verdict", R"(did you mean "rejected"?)"},
      {R"("verdict": "rejected")", R"("verdict": "accepted")", "expect.0.11.2",
       R"(the key "rule" does not go with the verdict accepted)"},
      {R"("verdict": "rejected")", R"("verdict": "unmodelled")",
       "expect.0.11.2", R"(the key "rule" does not go with)"},
      {R"("verdict": "rejected",)", "", "expect.0.11.2",
       R"(the key "verdict" is missing)"},
      {R"("rule": "r",)", "", "expect.0.11.2", R"(the key "rule" is missing)"},
      {R"("class": "ValueError",
      "message": "no",
      "phase": "lower",
      "location")",
       R"("message": "no",
      "location")",
       "expect.0.11.2", R"(the key "class" is missing)"},
      {R"("verdict": "rejected",
      "rule": "r",
      "class": "ValueError",)",
       R"("verdict": "defect",
      "rule": "r",)",
       "expect.0.11.2",
       R"(the key "message" does not go with the verdict defect that JAX)"},
      {R"("phase": "lower",
      "location")",
       R"("phase": "run",
      "location")",
       "expect.0.11.2.phase",
       R"(expected one of "construct", "trace", "lower")"},
      {R"("location": "mesh")", R"("location": "")", "expect.0.11.2.location",
       "expected some text"},
      {R"("how": "source")", R"("how": "guess")", "observed.0.11.2.how",
       R"(expected one of "oracle", "source", got the string "guess")"},
      {R"("outcome": "raised")", R"("outcome": "accepted")", "observed.0.11.2",
       R"(the key "class" does not go with the verdict accepted)"},
      {R"("outcome": "accepted")", R"("outcome": "raised")", "observed.0.9.0",
       R"(the key "facts" does not go with the verdict raised)"},
      {R"("0.9.0")", R"("0.11.2.0")", "observed",
       R"(the release "0.11.2" is there twice)"},
      {R"("smem_bytes": 1)", R"("smem_bytes": 1.5)",
       "observed.0.9.0.facts.smem_bytes", "expected an integer"},
      {R"("smem_bytes": 1, )", "", "observed.0.9.0.facts",
       R"(the key "smem_bytes" is missing)"},
      {R"("offset")", R"("offsets")", "observed.0.9.0.facts.union_members[0]",
       R"(did you mean "offset"?)"},
      {R"("hand-made")", "null", "provenance", "expected a string, got null"},
      {"\n}\n", "\n", "top level", "not valid JSON"},
  };
  ASSERT_TRUE(ReadCase(kSmallCase).ok());
  for (const Change& row : rows) {
    SCOPED_TRACE(row.to);
    const std::string text = absl::StrReplaceAll(
        {kSmallCase.data(), kSmallCase.size()}, {{row.from, row.to}});
    ASSERT_NE(text, kSmallCase);
    const auto read = ReadCase(text);
    ASSERT_FALSE(read.ok());
    const std::string message(read.status().message());
    EXPECT_TRUE(absl::StartsWith(message, absl::StrCat(row.path, ": ")))
        << message;
    EXPECT_TRUE(absl::StrContains(message, row.phrase)) << message;
  }
}

TEST(FactsText, RoundTripsOnOneLine) {
  const Facts facts = *FullCase().observed.at({0, 10, 0}).facts;
  EXPECT_EQ(FactsToJson(facts),
            R"({"smem_bytes": 1, "tmem_columns": 2, )"
            R"("tmem_collective_columns": 3, "barrier_allocations": 4, )"
            R"("barriers": 9223372036854775807, "union_members": [)"
            R"({"path": "acc[0]", "group": 0, "offset": 0}, )"
            R"({"path": "acc[1]", "group": 1, "offset": 64}]})");
  for (const Facts& each : {facts, Facts()}) {
    const auto read = FactsFromJson(FactsToJson(each));
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(*read, each);
  }
}

TEST(FactsText, IsRefusedAtTheCulprit) {
  const auto refusal = [](std::string_view text) {
    return std::string(FactsFromJson(text).status().message());
  };
  EXPECT_EQ(refusal("[]").substr(0, 40),
            "top level: expected an object with keys ");
  EXPECT_EQ(refusal("{"),
            "top level: not valid JSON at line 1, column 1: "
            "unexpected end of input; expected string literal");
  EXPECT_EQ(refusal("{}"), R"(top level: the key "smem_bytes" is missing)");
  const std::string good = FactsToJson(Facts());
  EXPECT_EQ(refusal(absl::StrReplaceAll(
                good, {{"barriers\": 0", "barriers\": \"0\""}})),
            R"(barriers: expected an integer, got the string "0")");
}

}  // namespace
}  // namespace pallasite

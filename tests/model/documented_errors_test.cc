#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "model/catalogue.h"
#include "model/evaluate.h"
#include "model/text/json_reader.h"
#include "nlohmann/json.hpp"
#include "tests/paths.h"

namespace pallasite {
namespace {

namespace fs = std::filesystem;

nlohmann::json Load(const fs::path& path) {
  std::ifstream file(path);
  return nlohmann::json::parse(file);
}

// The public records, each as its facts say.
std::vector<nlohmann::json> Records() {
  std::vector<nlohmann::json> records;
  for (const auto& entry :
       fs::directory_iterator(SourcePath("corpus/documented_errors"))) {
    records.push_back(Load(entry.path()));
  }
  return records;
}

TEST(DocumentedErrors, EachRecordIsARuleWithTheSameClassAndText) {
  const std::vector<nlohmann::json> records = Records();
  ASSERT_EQ(records.size(), 2u);
  for (const nlohmann::json& record : records) {
    for (const char* key : {"id", "slug"}) {
      const RuleDoc* rule = FindRule(record[key].get<std::string>());
      ASSERT_NE(rule, nullptr) << record[key];
      const Wording* wording = rule->WordingFor(kDefaultRelease);
      ASSERT_NE(wording, nullptr);
      EXPECT_EQ(Name(wording->raises), record["class"].get<std::string>());
      EXPECT_EQ(wording->pattern, record["message"].get<std::string>());
      EXPECT_EQ(rule->defect, DefectKind::kNone);
    }
  }
}

TEST(DocumentedErrors, NearMissesAreAcceptedByTheModelAndWereSeenAccepted) {
  for (const nlohmann::json& record : Records()) {
    ASSERT_GE(record["near_misses"].size(), 2u) << record["id"];
    for (const auto& path : record["near_misses"]) {
      const nlohmann::json near_miss =
          Load(fs::path(SourcePath("corpus")) / path.get<std::string>());
      const auto config = ReadConfig(near_miss["config"].dump());
      ASSERT_TRUE(config.ok()) << config.status();
      EXPECT_EQ(Evaluate(*config, *config->target).kind, VerdictKind::kAccepted)
          << path;
      EXPECT_EQ(near_miss["observed"]["0.11.2"]["how"], "oracle") << path;
      EXPECT_EQ(near_miss["observed"]["0.11.2"]["outcome"], "accepted") << path;
    }
  }
}

// Facts about the two records, written down by hand.
struct Row {
  const char* about;
  const char* config;
  const char* exception;  // null: accepted
  const char* message;
  const char* phase;
  const char* location;
};

constexpr Row kRows[] = {
    {"members of a union with different flags",
     R"({"pallasite": 1, "scratch": {"u": {"union": [
         {"tmem": "f32[128,128]", "collective": true},
         {"tmem": "f32[128,128]"}]}}})",
     "ValueError",
     "Some aliased TMEM references are collective and some are not.",
     "construct", "scratch.u"},
    {"collective members need an even cluster, but no flag differs",
     R"({"pallasite": 1, "kernel": {"cluster": {"c": 2}}, "scratch": {"u": {
         "union": [{"tmem": "f32[128,128]", "collective": true},
                   {"tmem": "f32[128,64]", "collective": true}]}}})",
     nullptr, nullptr, nullptr, nullptr},
    {"a peer under Warpgroup semantics",
     R"({"pallasite": 1, "inputs": {"x": "f32[128,128]"},
         "outputs": {"o": "f32[8]"},
         "mesh": {"d": 4},
         "kernel": {"lowering": "warpgroup"}, "body": [{"async_prefetch": {
         "ref": {"x": [{"peer": 1, "id_type": "logical"}]}}}]})",
     "NotImplementedError",
     "GMEM refs with peer ids are not supported in warpgroup lowering.",
     "lower", "body[0]"},
    {"a peer under Lane semantics",
     R"({"pallasite": 1, "inputs": {"x": "f32[128,128]"},
         "outputs": {"o": "f32[8]"},
         "mesh": {"d": 4},
         "kernel": {"lowering": "lane"}, "body": [{"async_prefetch": {
         "ref": {"x": [{"peer": 1, "id_type": "logical"}]}}}]})",
     nullptr, nullptr, nullptr, nullptr},
    {"a local array under Warpgroup semantics",
     R"({"pallasite": 1, "inputs": {"x": "f32[128,128]"},
         "outputs": {"o": "f32[8]"},
         "kernel": {"lowering": "warpgroup"},
         "body": [{"async_prefetch": {"ref": "x"}}]})",
     nullptr, nullptr, nullptr, nullptr},
};

TEST(DocumentedErrors, AreRaisedExactlyWhereTheirFactsSay) {
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.about);
    const auto config = ReadConfig(row.config);
    ASSERT_TRUE(config.ok()) << config.status();
    const Verdict verdict = Evaluate(*config, Target{.arch = {10, 0}});
    if (row.exception == nullptr) {
      EXPECT_EQ(verdict.kind, VerdictKind::kAccepted);
      continue;
    }
    ASSERT_EQ(verdict.kind, VerdictKind::kRejected);
    EXPECT_EQ(Name(verdict.error->exception), row.exception);
    EXPECT_EQ(verdict.error->message, row.message);
    EXPECT_EQ(Name(verdict.error->phase), row.phase);
    EXPECT_EQ(verdict.location, row.location);
  }
}

}  // namespace
}  // namespace pallasite

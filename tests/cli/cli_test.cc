#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "oracle/find.h"
#include "tests/command.h"
#include "tests/paths.h"

namespace pallasite {
namespace {

using nlohmann::json;
using testing::HasSubstr;

CommandResult Pallasite(const std::string& arguments) {
  return RunCommand(BinaryPath() + " " + arguments + " 2>&1");
}

json LastLine(const std::string& output) {
  const size_t end = output.find_last_not_of('\n');
  const size_t start = output.rfind('\n', end);
  return json::parse(output.substr(start == output.npos ? 0 : start + 1));
}

constexpr char kAccepted[] = R"({"pallasite": 1})";
constexpr char kRejected[] =
    R"({"pallasite": 1, "scratch": {"b": {"barrier": {"num_arrivals": 0}}}})";
constexpr char kWrong[] = R"({"pallasite": 1, "kernl": {}})";
// print_layout of a view is outside the model.
constexpr char kUnmodelled[] =
    R"({"pallasite": 1, "scratch": {"s": {"smem": "f32[8,8]"}},
        "body": [{"print_layout": {"ref": {"s": [{"at": [0]}]}}}]})";

struct ExitRow {
  const char* about;
  std::vector<const char*> configs;
  int exit;
};

TEST(CheckCommand, ExitCodesFollowTheVerdicts) {
  const TempFolder folder;
  const ExitRow rows[] = {
      {"accepted", {kAccepted}, 0},
      {"rejected", {kRejected}, 1},
      {"bad input", {kWrong}, 2},
      {"unmodelled", {kUnmodelled}, 3},
      {"a rejection outranks the unmodelled", {kUnmodelled, kRejected}, 1},
      {"and the other way round", {kRejected, kUnmodelled}, 1},
      {"bad input outranks all", {kRejected, kWrong}, 2},
  };
  for (const ExitRow& row : rows) {
    std::string text;
    for (const char* config : row.configs) {
      text += json::accept(config) ? json::parse(config).dump() : config;
      text += "\n";
    }
    const std::string file = folder.Write("c.jsonl", text);
    EXPECT_EQ(Pallasite("check " + file).exit_status, row.exit) << row.about;
  }
  EXPECT_EQ(Pallasite("check").exit_status, 2);
  EXPECT_EQ(Pallasite("check " + folder.At("missing.json")).exit_status, 2);
  EXPECT_EQ(Pallasite("nonsense").exit_status, 2);
  EXPECT_EQ(Pallasite("--help").exit_status, 0);
}

TEST(CheckCommand, JsonSaysWhatWhereWhyAndHowToFix) {
  const TempFolder folder;
  const std::string file = folder.Write("c.json", kRejected);
  const json verdict =
      LastLine(Pallasite("check --format json " + file).output);
  EXPECT_EQ(verdict["verdict"], "rejected");
  EXPECT_EQ(verdict["class"], "ValueError");
  EXPECT_EQ(verdict["message"], "Num arrivals must be at least 1, but got 0");
  EXPECT_EQ(verdict["phase"], "construct");
  EXPECT_EQ(verdict["location"], "scratch.b");
  EXPECT_EQ(verdict["rule"], "construct.barrier.arrivals-positive");
  EXPECT_FALSE(verdict["why"].empty());
  EXPECT_FALSE(verdict["fix"].empty());
  const json accepted = LastLine(
      Pallasite("check --format json " + folder.Write("a.json", kAccepted))
          .output);
  EXPECT_EQ(accepted["verdict"], "accepted");
  EXPECT_EQ(accepted["facts"]["smem_bytes"], 0);
}

TEST(CheckCommand, BadInputNamesFileAndPlace) {
  const TempFolder folder;
  const std::string file = folder.Write("c.json", kWrong);
  const CommandResult result = Pallasite("check " + file);
  EXPECT_THAT(result.output, HasSubstr(file));
  EXPECT_THAT(result.output, HasSubstr("kernl"));
  EXPECT_THAT(result.output, HasSubstr("\"kernel\""));
}

TEST(CheckCommand, TheTargetOfTheCommandLineWins) {
  const TempFolder folder;
  const std::string file = folder.Write(
      "c.json",
      R"({"pallasite": 1, "target": {"jax": "0.11.2", "arch": "9.0"}})");
  EXPECT_EQ(Pallasite("check --target arch=10.0 " + file).exit_status, 0);
  const CommandResult bad = Pallasite("check --target sm=90 " + file);
  EXPECT_EQ(bad.exit_status, 2);
  EXPECT_THAT(bad.output, HasSubstr("arch=X.Y"));
}

TEST(ExplainCommand, TakesTheSlugOfAPublicRecord) {
  const CommandResult by_slug =
      Pallasite("explain some-aliased-tmem-references-are-collective-and-so");
  EXPECT_EQ(by_slug.exit_status, 0);
  EXPECT_THAT(by_slug.output, HasSubstr("construct.ref-union.collective-mix"));
  EXPECT_THAT(by_slug.output, HasSubstr("Some aliased TMEM references"));
  const CommandResult unknown = Pallasite("explain construct.ref-union.mix");
  EXPECT_EQ(unknown.exit_status, 2);
  EXPECT_THAT(unknown.output, HasSubstr("did you mean construct.ref-union."));
}

TEST(RulesCommand, JsonCarriesTheContract) {
  const json rules =
      json::parse(RunCommand(BinaryPath() + " rules --format json").output);
  ASSERT_TRUE(rules.is_array());
  for (const json& rule : rules) {
    for (const char* key :
         {"id", "aliases", "area", "phase", "class", "pattern", "releases",
          "raise_sites", "observed", "mutation", "corpus"}) {
      ASSERT_TRUE(rule.contains(key)) << rule["id"] << " " << key;
    }
    EXPECT_TRUE(rule["mutation"].get<bool>()) << rule["id"];
    EXPECT_GE(rule["observed"].value("0.11.2", 0), 1) << rule["id"];
    EXPECT_FALSE(rule["corpus"].empty()) << rule["id"];
  }
}

TEST(ReplayCommand, TheCorpusHoldsAndATamperedCaseDoesNot) {
  const CommandResult whole = Pallasite("replay --format json");
  EXPECT_EQ(whole.exit_status, 0) << whole.output;
  const json summary = LastLine(whole.output);
  EXPECT_GE(summary["cases"].get<int>(), 150);
  EXPECT_EQ(summary["compared"], summary["cases"]);

  const TempFolder folder;
  std::ifstream file(
      SourcePath("corpus/rules/construct.ref-union.collective-mix.json"));
  json tampered = json::parse(file);
  tampered["observed"]["0.11.2"]["message"] = "Something else.";
  const std::string path = folder.Write("t.json", tampered.dump());
  const CommandResult one = Pallasite("replay " + path);
  EXPECT_EQ(one.exit_status, 1);
  EXPECT_THAT(one.output, HasSubstr("Something else."));
}

TEST(FuzzCommand, TheSameSeedGivesTheSameCampaignInShardsToo) {
  const TempFolder folder;
  const auto run = [&](const std::string& more) {
    return LastLine(
        Pallasite("fuzz --oracle none --format json --seed 7 --out " +
                  folder.At("run") + " " + more)
            .output);
  };
  const json whole = run("--runs 400");
  EXPECT_EQ(whole["configurations"], 400);
  EXPECT_EQ(whole["divergences"], 0);
  EXPECT_EQ(whole["accepted"], run("--runs 400")["accepted"]);
  const json first = run("--runs 200 --shard 0/2");
  const json second = run("--runs 200 --shard 1/2");
  for (const char* key : {"accepted", "rejected", "defects", "unmodelled"}) {
    EXPECT_EQ(whole[key].get<int>(),
              first[key].get<int>() + second[key].get<int>())
        << key;
  }
}

TEST(FuzzCommand, RefusesWhatItCannotDo) {
  EXPECT_EQ(Pallasite("fuzz --area nonsense").exit_status, 2);
  EXPECT_EQ(Pallasite("fuzz --shard 2/2").exit_status, 2);
  EXPECT_EQ(
      Pallasite("fuzz --runs 1 --oracle none --out /proc/nowhere").exit_status,
      2);
  const CommandResult no_jax = Pallasite(
      "fuzz --runs 1 --python /bin/false --out /tmp/pallasite-no-jax");
  EXPECT_EQ(no_jax.exit_status, 4);
  EXPECT_THAT(no_jax.output, HasSubstr("real JAX is not available"));
}

// Starts a campaign in the background; its process id.
pid_t StartCampaign(const std::string& out) {
  const pid_t child = fork();
  if (child == 0) {
    if (std::freopen("/dev/null", "w", stdout) == nullptr ||
        std::freopen("/dev/null", "w", stderr) == nullptr) {
      _exit(127);
    }
    execl(BinaryPath().c_str(), BinaryPath().c_str(), "fuzz", "--oracle",
          "none", "--seconds", "600", "--out", out.c_str(), nullptr);
    _exit(127);
  }
  return child;
}

void WaitFor(const std::string& path) {
  for (int i = 0; i < 500 && !std::filesystem::exists(path); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

TEST(FuzzCommand, OneRunAFolderAndCtrlCLeavesAReadableResult) {
  const TempFolder folder;
  const std::string out = folder.At("run");
  const pid_t child = StartCampaign(out);
  WaitFor(out + "/divergences.jsonl");
  const CommandResult second =
      Pallasite("fuzz --oracle none --runs 1 --out " + out);
  EXPECT_EQ(second.exit_status, 2);
  EXPECT_THAT(second.output, HasSubstr("another run"));
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  ASSERT_EQ(kill(child, SIGINT), 0);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 130);
  std::ifstream file(out + "/summary.json");
  const json summary = json::parse(file);
  EXPECT_TRUE(summary["interrupted"].get<bool>());
  EXPECT_GT(summary["configurations"].get<int>(), 0);
}

TEST(FuzzCommand, AgreesWithRealJax) {
  const auto paths = FindOracle(kDefaultRelease);
  if (!paths.ok()) GTEST_SKIP() << paths.status().message();
  const TempFolder folder;
  const json summary =
      LastLine(Pallasite("fuzz --runs 200 --seed 99 --format json --out " +
                         folder.At("run"))
                   .output);
  EXPECT_EQ(summary["compared"], 200);
  EXPECT_EQ(summary["divergences"], 0);
  EXPECT_EQ(summary["valid_generated"], summary["valid_accepted_by_jax"]);
  EXPECT_EQ(summary["jax"], "0.11.2");
  EXPECT_GT(summary["rules_reached"].get<int>(), 20);
}

}  // namespace
}  // namespace pallasite

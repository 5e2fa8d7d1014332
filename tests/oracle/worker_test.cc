#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "model/text/python_emitter.h"
#include "nlohmann/json.hpp"
#include "oracle/client.h"
#include "oracle/find.h"
#include "tests/command.h"
#include "tests/oracle/sample_configs.h"

namespace pallasite {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::HasSubstr;

// Addresses differ from run to run, in JAX's own texts too.
std::string WithoutAddresses(const std::string& text) {
  static const std::regex* const kAddress = new std::regex("0x[0-9a-f]+");
  return std::regex_replace(text, *kAddress, "0x?");
}

// What two answers to one question must share, as text.
std::string Gist(const OracleAnswer& answer) {
  nlohmann::json gist = {{"outcome", std::string(Name(answer.outcome))},
                         {"class", answer.exception},
                         {"message", WithoutAddresses(answer.message)},
                         {"raise_site", answer.raise_site}};
  if (answer.phase) gist["phase"] = std::string(Name(*answer.phase));
  if (answer.facts) {
    gist["smem"] = answer.facts->smem_bytes;
    gist["tmem"] = answer.facts->tmem_columns;
    for (const UnionMember& member : answer.facts->union_members) {
      gist["union"].push_back({member.path, member.group, member.offset});
    }
  }
  return gist.dump();
}

class OracleWorkerTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto paths = FindOracle(kDefaultRelease);
    if (!paths.ok()) GTEST_SKIP() << paths.status().message();
    paths_ = *paths;
  }

  std::unique_ptr<OraclePool> StartPool(int workers = 1,
                                        milliseconds timeout = seconds(60)) {
    auto pool = OraclePool::Start(
        {.paths = paths_, .workers = workers, .timeout = timeout});
    EXPECT_TRUE(pool.ok()) << pool.status();
    return *std::move(pool);
  }

  static OracleAnswer Ask(OraclePool& pool, OracleRequest request) {
    pool.Submit(1, std::move(request));
    auto result = pool.WaitAny(seconds(100));
    EXPECT_TRUE(result.has_value());
    return result ? result->answer : OracleAnswer{};
  }

  static OracleAnswer Ask(OraclePool& pool, const Sample& sample) {
    return Ask(pool, MakeOracleRequest(sample.config, {.arch = sample.arch},
                                       /*with_facts=*/true));
  }

  // `statement` runs where the kernel is constructed.
  static OracleRequest Constructing(const std::string& statement) {
    return {.body =
                "import os, sys, signal, time\n"
                "def construct():\n  " +
                statement + "\n  return (lambda: 0), ()\n"};
  }

  OraclePaths paths_;
};

TEST_F(OracleWorkerTest, AnswersWhatJaxDoes) {
  const auto pool = StartPool();
  EXPECT_EQ(pool->greeting().jax, "0.11.2");
  for (const Sample& sample : SampleConfigs()) {
    SCOPED_TRACE(sample.name);
    const OracleAnswer answer = Ask(*pool, sample);
    const bool accepted = sample.phase == "accepted";
    EXPECT_EQ(answer.outcome,
              accepted ? OracleOutcome::kAccepted : OracleOutcome::kRaised)
        << answer.message;
    EXPECT_EQ(answer.exception, sample.exception);
    EXPECT_THAT(answer.message, HasSubstr(sample.message));
    if (accepted) {
      EXPECT_TRUE(answer.facts.has_value());
    } else {
      ASSERT_TRUE(answer.phase.has_value());
      EXPECT_EQ(Name(*answer.phase), sample.phase);
      EXPECT_THAT(answer.raise_site, testing::StartsWith("jax/"));
    }
    EXPECT_GT(answer.ms, 0);
    EXPECT_GT(answer.rss_bytes, 0);
  }
  EXPECT_EQ(pool->replaced(), 0);
}

TEST_F(OracleWorkerTest, AnswersTheSameInAnyOrder) {
  const std::vector<Sample> samples = SampleConfigs();
  // Every configuration on every architecture: nothing of one may stick.
  std::vector<OracleRequest> requests;
  for (const Sample& sample : samples) {
    for (const Arch arch : {Arch{8, 0}, Arch{9, 0}, Arch{10, 0}}) {
      requests.push_back(
          MakeOracleRequest(sample.config, {.arch = arch}, true));
    }
  }
  std::vector<size_t> order(requests.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::mt19937 random(7);
  std::map<int64_t, std::string> first;
  const auto pool = StartPool(2);
  for (int round = 0; round < 3; ++round) {
    for (const size_t i : order) {
      pool->Submit(static_cast<int64_t>(i), requests[i]);
    }
    while (const auto result = pool->WaitAny(seconds(100))) {
      const std::string gist = Gist(result->answer);
      const auto [known, is_new] = first.emplace(result->id, gist);
      EXPECT_EQ(known->second, gist) << requests[result->id].body;
    }
    std::shuffle(order.begin(), order.end(), random);
  }
  EXPECT_EQ(first.size(), requests.size());
}

TEST_F(OracleWorkerTest, TellsWhereUnionsPlaceTheirRefs) {
  // SMEM refs start at multiples of 1024 bytes, dict entries come by key.
  KernelConfig smem = PlainKernel();
  smem.scratch = {
      {"u",
       Union({Smem(DType::kFloat32, {100}),
              Tuple({Smem(DType::kInt8, {10}),
                     RefTree{RefDict{{{"b", Smem(DType::kInt8, {2000})},
                                      {"a", Smem(DType::kInt8, {4})}}}}})})},
      {"s", Smem(DType::kFloat16, {8})}};
  // TMEM refs start at multiples of 4 columns.
  KernelConfig tmem = PlainKernel();
  tmem.scratch = {{"acc", Union({Tmem({128, 128}),
                                 List({Tmem({128, 6}), Tmem({128, 32})})})},
                  {"bars", List({{BarrierSpec{.num_barriers = {3}}},
                                 {BarrierSpec{.num_barriers = {2}}},
                                 {BarrierSpec{}}})}};
  const struct {
    KernelConfig config;
    Facts facts;
  } kCases[] = {
      {smem,
       {.smem_bytes = 4096 + 1024,
        .union_members = {{"u[0]", 0, 0},
                          {"u[1][0]", 1, 0},
                          {"u[1][1].a", 1, 1024},
                          {"u[1][1].b", 1, 2048}}}},
      {tmem,
       {.tmem_columns = 128,
        .barrier_allocations = 3,
        .barriers = 6,
        .union_members = {{"acc[0]", 0, 0},
                          {"acc[1][0]", 1, 0},
                          {"acc[1][1]", 1, 8}}}},
  };
  const auto pool = StartPool();
  for (const auto& c : kCases) {
    const Target target = {.arch = {10, 0}};
    const OracleAnswer answer =
        Ask(*pool, MakeOracleRequest(c.config, target, true));
    ASSERT_TRUE(answer.facts.has_value()) << answer.message;
    EXPECT_EQ(answer.facts->smem_bytes, c.facts.smem_bytes);
    EXPECT_EQ(answer.facts->tmem_columns, c.facts.tmem_columns);
    EXPECT_EQ(answer.facts->barrier_allocations, c.facts.barrier_allocations);
    EXPECT_EQ(answer.facts->barriers, c.facts.barriers);
    EXPECT_TRUE(answer.facts->union_members == c.facts.union_members);
    EXPECT_FALSE(Ask(*pool, MakeOracleRequest(c.config, target, false))
                     .facts.has_value());
  }
}

TEST_F(OracleWorkerTest, HasNoFactsOfAKernelThatJaxDrops) {
  // Far too much SMEM, but without outputs or effects nobody looks.
  KernelConfig config = PlainKernel();
  config.outputs.clear();
  config.scratch = {{"s", Smem(DType::kFloat32, {1 << 20})}};
  const auto pool = StartPool();
  const OracleAnswer dropped = Ask(*pool, MakeOracleRequest(config, {}, true));
  EXPECT_EQ(dropped.outcome, OracleOutcome::kAccepted);
  EXPECT_FALSE(dropped.facts.has_value());
  config.body = {{AsyncPrefetchOp{.ref = {"x", {}, {}}}}};
  const OracleAnswer read = Ask(*pool, MakeOracleRequest(config, {}, true));
  EXPECT_EQ(read.outcome, OracleOutcome::kAccepted);
  EXPECT_FALSE(read.facts.has_value());
  config.body = {{PrintLayoutOp{{"s", {}, {}}}}};
  const OracleAnswer lowered = Ask(*pool, MakeOracleRequest(config, {}, true));
  EXPECT_EQ(lowered.outcome, OracleOutcome::kRaised);
  EXPECT_THAT(lowered.message, HasSubstr("exceeds available shared memory"));
}

TEST_F(OracleWorkerTest, ReportsWhateverIsRaised) {
  const struct {
    std::string statement;
    std::string exception;
    std::string message;
  } kCases[] = {
      {"raise SystemExit(3)", "SystemExit", "3"},
      {"raise KeyboardInterrupt", "KeyboardInterrupt", ""},
      {"raise KeyError('k')", "KeyError", "'k'"},
      {"raise ValueError('line\\nline \\u00e9 \\ud800')", "ValueError",
       "line\nline \xc3\xa9"},
      {"raise type('Odd', (Exception,), {'__str__': lambda self: 1 / 0})()",
       "Odd", "<ZeroDivisionError while asking for the message>"},
      {"def f(): f()\n  f()", "RecursionError", "recursion"},
  };
  const auto pool = StartPool();
  for (const auto& c : kCases) {
    const OracleAnswer answer = Ask(*pool, Constructing(c.statement));
    EXPECT_EQ(answer.outcome, OracleOutcome::kRaised);
    EXPECT_EQ(answer.exception, c.exception);
    EXPECT_THAT(answer.message, HasSubstr(c.message));
    EXPECT_EQ(answer.phase, Phase::kConstruct);
  }
  EXPECT_EQ(pool->replaced(), 0);
}

TEST_F(OracleWorkerTest, TellsItsOwnFaultsFromThoseOfJax) {
  const auto pool = StartPool();
  for (const char* body : {"def (", "x = 1 / 0", "x = 1"}) {
    EXPECT_EQ(Ask(*pool, {.body = body}).outcome, OracleOutcome::kUnusable);
  }
}

TEST_F(OracleWorkerTest, KeepsItsProtocolClean) {
  const auto pool = StartPool();
  for (const char* statement :
       {"print('{}')", "os.write(1, b'noise\\n')", "sys.stdin.read()",
        "os.system('echo noise')", "os.kill(os.getpid(), signal.SIGINT)",
        "sys.stdout.close()"}) {
    EXPECT_EQ(Ask(*pool, Constructing(statement)).outcome,
              OracleOutcome::kAccepted)
        << statement;
  }
  EXPECT_EQ(pool->replaced(), 0);
}

TEST_F(OracleWorkerTest, LeavesAStackWhenItCrashesOrHangs) {
  const auto pool = StartPool(1, seconds(2));
  const OracleAnswer crash = Ask(*pool, Constructing("os.abort()"));
  EXPECT_EQ(crash.outcome, OracleOutcome::kCrashed);
  EXPECT_THAT(crash.stderr_tail, HasSubstr("in construct"));
  const OracleAnswer hang = Ask(*pool, Constructing("while True: pass"));
  EXPECT_EQ(hang.outcome, OracleOutcome::kTimedOut);
  EXPECT_THAT(hang.stderr_tail, HasSubstr("in construct"));
  EXPECT_EQ(Ask(*pool, SampleConfigs().back()).outcome,
            OracleOutcome::kAccepted);
}

TEST_F(OracleWorkerTest, StartsEveryQuestionAfresh) {
  const auto pool = StartPool();
  EXPECT_EQ(Ask(*pool, Constructing("global left; left = 1")).outcome,
            OracleOutcome::kAccepted);
  EXPECT_EQ(Ask(*pool, Constructing("left")).exception, "NameError");
}

TEST_F(OracleWorkerTest, AgreesWithTheStandaloneScript) {
  const auto pool = StartPool();
  const TempFolder folder;
  for (const Sample& sample : SampleConfigs()) {
    SCOPED_TRACE(sample.name);
    const std::string script = folder.Write(
        "repro.py", EmitReproScript(sample.config, {.arch = sample.arch}));
    const CommandResult run =
        RunCommand(paths_.python + " " + script + " 2>/dev/null");
    EXPECT_EQ(run.exit_status, 0);
    EXPECT_EQ(std::count(run.output.begin(), run.output.end(), '\n'), 1);
    nlohmann::json told = nlohmann::json::parse(run.output, nullptr, false);
    ASSERT_TRUE(told.is_object()) << run.output;
    const OracleAnswer answer = Ask(*pool, sample);
    EXPECT_EQ(told["outcome"], std::string(Name(answer.outcome)));
    if (answer.outcome != OracleOutcome::kRaised) continue;
    EXPECT_EQ(told["class"], answer.exception);
    EXPECT_EQ(WithoutAddresses(told["message"]),
              WithoutAddresses(answer.message));
    EXPECT_EQ(told["phase"], std::string(Name(*answer.phase)));
    EXPECT_EQ(told["raise_site"], answer.raise_site);
  }
}

TEST(EmittedPython, Compiles) {
  if (RunCommand("python3 --version").exit_status != 0) {
    GTEST_SKIP() << "no python3 on PATH to compile with";
  }
  const TempFolder folder;
  for (const Sample& sample : SampleConfigs()) {
    const Target target = {.arch = sample.arch};
    folder.Write(sample.name + ".py", EmitPythonBody(sample.config, target));
    folder.Write(sample.name + "_repro.py",
                 EmitReproScript(sample.config, target));
  }
  const CommandResult compiled =
      RunCommand("python3 -m compileall -q " + folder.At("."));
  EXPECT_EQ(compiled.exit_status, 0) << compiled.output;
}

}  // namespace
}  // namespace pallasite

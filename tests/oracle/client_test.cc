#include "oracle/client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <cctype>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "oracle/find.h"
#include "tests/command.h"

namespace pallasite {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::HasSubstr;
using Clock = std::chrono::steady_clock;

// A worker without JAX: a shell script that does what the body says.
constexpr char kScript[] = R"sh(
echo $$ >> "$0.pids"
echo '{"hello": 1, "jax": "0.0.1", "python": "3.0.0"}'
while read -r line; do
  id=$(printf '%s' "$line" | sed 's/.*"id":\([0-9]*\).*/\1/')
  rss=1
  case "$line" in
    *hang*) sleep 1000 ;;
    *crash*) echo "last words" >&2; kill -SEGV $$ ;;
    *leave*) exit 7 ;;
    *nonsense*) echo "not json"; continue ;;
    *stranger*) id=12345 ;;
    *grow*) exec dd if=/dev/zero of=/dev/null bs=200M 3>&1 ;;
    *flood*) exec cat /dev/zero ;;
    *fat*) rss=60000 ;;
    *chatty*) head -c 300000 /dev/zero | tr '\0' e >&2 ;;
    *raise*)
      printf '%s%s\n' '{"id": '$id', "outcome": "raised", "class": "KeyError",' \
        '"message": "m", "phase": "trace", "raise_site": "f", "ms": 1, "rss_kib": 1}'
      continue ;;
  esac
  echo '{"id": '$id', "outcome": "accepted", "ms": 1, "rss_kib": '$rss'}'
done
)sh";

class OraclePoolTest : public testing::Test {
 protected:
  OraclePoolTest() { SetScript(kScript); }

  void SetScript(const std::string& text) {
    script_ = folder_.Write("worker.sh", text);
  }

  OracleOptions Options(int workers, milliseconds timeout = seconds(10)) const {
    return {.paths = {.python = "/bin/sh", .worker = script_},
            .workers = workers,
            .timeout = timeout,
            .memory_limit_bytes = int64_t{64} << 20};
  }

  std::unique_ptr<OraclePool> StartPool(int workers,
                                        milliseconds timeout = seconds(10)) {
    auto pool = OraclePool::Start(Options(workers, timeout));
    EXPECT_TRUE(pool.ok()) << pool.status();
    return *std::move(pool);
  }

  // Process groups of all workers that were ever started.
  std::vector<pid_t> Groups() const {
    std::ifstream file(script_ + ".pids");
    std::vector<pid_t> pids;
    for (pid_t pid = 0; file >> pid;) pids.push_back(pid);
    return pids;
  }

  // How many processes of a group run; those that only wait for their parent to
  // notice their end do not.
  static int RunningIn(pid_t group) {
    int running = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
      if (!std::isdigit(entry.path().filename().native()[0])) continue;
      std::ifstream stat(entry.path() / "stat");
      std::string text((std::istreambuf_iterator<char>(stat)), {});
      std::istringstream fields(text.substr(text.rfind(')') + 1));
      char state = 'Z';
      pid_t parent = 0;
      pid_t its_group = 0;
      fields >> state >> parent >> its_group;
      if (its_group == group && state != 'Z' && state != 'X') ++running;
    }
    return running;
  }

  static OracleAnswer Ask(OraclePool& pool, std::string body) {
    pool.Submit(1, {.body = std::move(body)});
    auto result = pool.WaitAny(seconds(20));
    EXPECT_TRUE(result.has_value());
    return result ? result->answer : OracleAnswer{};
  }

 private:
  TempFolder folder_;
  std::string script_;
};

TEST_F(OraclePoolTest, AnswersEveryQuestionOnce) {
  const auto pool = StartPool(2);
  EXPECT_EQ(pool->greeting().jax, "0.0.1");
  std::map<int64_t, OracleOutcome> outcomes;
  for (int64_t id = 0; id < 40; ++id) {
    pool->Submit(id, {.body = id % 2 == 0 ? "fine" : "raise"});
  }
  EXPECT_EQ(pool->pending(), 40);
  while (const auto result = pool->WaitAny(seconds(20))) {
    EXPECT_TRUE(outcomes.emplace(result->id, result->answer.outcome).second);
  }
  ASSERT_EQ(outcomes.size(), 40u);
  for (const auto& [id, outcome] : outcomes) {
    EXPECT_EQ(outcome,
              id % 2 == 0 ? OracleOutcome::kAccepted : OracleOutcome::kRaised);
  }
  EXPECT_EQ(pool->pending(), 0);
  EXPECT_EQ(pool->replaced(), 0);
}

TEST_F(OraclePoolTest, PassesOnWhatWasRaised) {
  const auto pool = StartPool(1);
  const OracleAnswer answer = Ask(*pool, "raise");
  EXPECT_EQ(answer.outcome, OracleOutcome::kRaised);
  EXPECT_EQ(answer.exception, "KeyError");
  EXPECT_EQ(answer.message, "m");
  EXPECT_EQ(answer.phase, Phase::kTrace);
  EXPECT_EQ(answer.raise_site, "f");
}

TEST_F(OraclePoolTest, ReplacesAWorkerThatFailsAndGoesOn) {
  const struct {
    std::string body;
    OracleOutcome outcome;
    std::string message;
    std::string stderr_tail;
  } kCases[] = {
      {"crash", OracleOutcome::kCrashed, "signal 11", "last words"},
      {"leave", OracleOutcome::kCrashed, "exit status 7", ""},
      {"nonsense", OracleOutcome::kCrashed, "", ""},
      {"stranger", OracleOutcome::kCrashed, "", ""},
      {"hang", OracleOutcome::kTimedOut, "", ""},
      {"flood", OracleOutcome::kCrashed, "", ""},
      {"grow", OracleOutcome::kMemory, "signal 9", ""},
  };
  const auto pool = StartPool(1, milliseconds(1000));
  int64_t replaced = 0;
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.body);
    const OracleAnswer answer = Ask(*pool, c.body);
    EXPECT_EQ(answer.outcome, c.outcome);
    EXPECT_THAT(answer.message, HasSubstr(c.message));
    EXPECT_THAT(answer.stderr_tail, HasSubstr(c.stderr_tail));
    EXPECT_EQ(pool->replaced(), ++replaced);
    EXPECT_EQ(Ask(*pool, "fine").outcome, OracleOutcome::kAccepted);
  }
}

TEST_F(OraclePoolTest, ReplacesAWorkerThatHasGrownBeforeItsNextQuestion) {
  const auto pool = StartPool(1);
  EXPECT_EQ(Ask(*pool, "fat").outcome, OracleOutcome::kAccepted);
  EXPECT_EQ(pool->replaced(), 1);
  EXPECT_EQ(Ask(*pool, "fine").outcome, OracleOutcome::kAccepted);
  EXPECT_EQ(pool->replaced(), 1);
}

TEST_F(OraclePoolTest, SurvivesMuchTextInBothDirections) {
  const auto pool = StartPool(1);
  EXPECT_EQ(Ask(*pool, "chatty").outcome, OracleOutcome::kAccepted);
  EXPECT_EQ(Ask(*pool, std::string(300 << 10, 'x')).outcome,
            OracleOutcome::kAccepted);
}

TEST_F(OraclePoolTest, WaitsNoLongerThanTold) {
  const auto pool = StartPool(1);
  const auto start = Clock::now();
  EXPECT_FALSE(pool->WaitAny(seconds(20)).has_value());  // nothing to wait for
  pool->Submit(1, {.body = "hang"});
  EXPECT_FALSE(pool->WaitAny(milliseconds(50)).has_value());
  EXPECT_LT(Clock::now() - start, seconds(2));
  EXPECT_EQ(pool->pending(), 1);
}

TEST_F(OraclePoolTest, EndsAllItStartedAtOnce) {
  auto pool = StartPool(3);
  for (int64_t id = 0; id < 6; ++id) pool->Submit(id, {.body = "hang"});
  pool->WaitAny(milliseconds(100));
  const auto start = Clock::now();
  pool.reset();
  EXPECT_LT(Clock::now() - start, seconds(1));
  const std::vector<pid_t> groups = Groups();
  EXPECT_EQ(groups.size(), 3u);
  for (const pid_t group : groups) {
    EXPECT_NE(group, getpgrp());
    EXPECT_EQ(RunningIn(group), 0);
  }
}

TEST_F(OraclePoolTest, ReturnsFromAWaitWhenASignalArrives) {
  const auto pool = StartPool(1);
  struct sigaction action = {};
  action.sa_handler = [](int) {};
  struct sigaction before = {};
  sigaction(SIGALRM, &action, &before);
  pool->Submit(1, {.body = "hang"});
  ualarm(100000, 0);
  const auto start = Clock::now();
  EXPECT_FALSE(pool->WaitAny(seconds(20)).has_value());
  EXPECT_LT(Clock::now() - start, seconds(5));
  sigaction(SIGALRM, &before, nullptr);
}

TEST_F(OraclePoolTest, SaysWhyItCannotStart) {
  const struct {
    std::string script;
    std::string message;
  } kCases[] = {
      {"echo no module named jax >&2; exit 1", "no module named jax"},
      {"exit 3", "exit status 3"},
      {"echo hello; sleep 1000", "before it was ready"},
      {"echo '{\"hello\": 99, \"jax\": \"1\", \"python\": \"3\"}'; sleep 1000",
       "before it was ready"},
  };
  for (const auto& c : kCases) {
    SetScript(c.script);
    const auto pool = OraclePool::Start(Options(2));
    ASSERT_FALSE(pool.ok());
    EXPECT_THAT(std::string(pool.status().message()), HasSubstr(c.message));
  }
  OracleOptions options = Options(1);
  options.paths.python = "/no/such/python";
  const auto pool = OraclePool::Start(options);
  ASSERT_FALSE(pool.ok());
  EXPECT_THAT(std::string(pool.status().message()),
              HasSubstr("/no/such/python"));
}

TEST_F(OraclePoolTest, AnswersEvenWhenNoWorkerComesBack) {
  const auto pool = StartPool(1);
  SetScript("echo gone >&2; exit 1");
  for (int64_t id = 0; id < 3; ++id) pool->Submit(id, {.body = "leave"});
  int answers = 0;
  while (const auto result = pool->WaitAny(seconds(20))) {
    EXPECT_EQ(result->answer.outcome, OracleOutcome::kCrashed);
    ++answers;
  }
  EXPECT_EQ(answers, 3);
  EXPECT_THAT(Ask(*pool, "fine").message, HasSubstr("gone"));
}

// Sets a variable of the environment for the life of a test.
class ScopedVariable {
 public:
  ScopedVariable(const char* name, const char* value) : name_(name) {
    if (const char* old = getenv(name)) old_ = old;
    if (value == nullptr) {
      unsetenv(name);
    } else {
      setenv(name, value, 1);
    }
  }
  ~ScopedVariable() {
    if (old_.empty()) {
      unsetenv(name_);
    } else {
      setenv(name_, old_.c_str(), 1);
    }
  }

 private:
  const char* name_;
  std::string old_;
};

TEST(FindOracle, PrefersWhatIsNamedMoreDirectly) {
  const ScopedVariable python("PALLASITE_ORACLE_PYTHON", "/bin/true");
  const ScopedVariable worker("PALLASITE_ORACLE_WORKER", nullptr);
  const auto named = FindOracle(kDefaultRelease, "/bin/false");
  ASSERT_TRUE(named.ok()) << named.status();
  EXPECT_EQ(named->python, "/bin/false");
  EXPECT_THAT(named->worker, testing::EndsWith("/oracle/worker.py"));
  const auto from_environment = FindOracle(kDefaultRelease);
  ASSERT_TRUE(from_environment.ok()) << from_environment.status();
  EXPECT_EQ(from_environment->python, "/bin/true");
}

TEST(FindOracle, SaysHowToGetJaxWhenThereIsNone) {
  const ScopedVariable python("PALLASITE_ORACLE_PYTHON", nullptr);
  const auto paths = FindOracle(Release{9, 9, 9});
  ASSERT_FALSE(paths.ok());
  const std::string message(paths.status().message());
  EXPECT_THAT(message, HasSubstr("/.venv/oracle-9.9.9/bin/python"));
  EXPECT_THAT(message, HasSubstr("oracle/setup.sh 9.9.9"));
}

TEST(FindOracle, SaysWhichFileCannotBeRead) {
  const ScopedVariable worker("PALLASITE_ORACLE_WORKER", "/no/worker.py");
  const auto paths = FindOracle(kDefaultRelease, "/bin/true");
  ASSERT_FALSE(paths.ok());
  EXPECT_THAT(std::string(paths.status().message()),
              HasSubstr("/no/worker.py"));
}

}  // namespace
}  // namespace pallasite

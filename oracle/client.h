#ifndef PALLASITE_ORACLE_CLIENT_H_
#define PALLASITE_ORACLE_CLIENT_H_

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "oracle/answer.h"
#include "oracle/find.h"
#include "oracle/process.h"

namespace pallasite {

struct OracleOptions {
  OraclePaths paths;
  int workers = 1;
  std::chrono::milliseconds timeout = std::chrono::seconds(60);
  int64_t memory_limit_bytes = int64_t{4} << 30;
};

struct OracleResult {
  int64_t id = 0;
  OracleAnswer answer;
};

// A pool of long-lived Python workers that ask real JAX. A worker that dies,
// hangs or grows too large is replaced, and the configuration that did it gets
// an answer that says so. Use from one thread.
class OraclePool {
 public:
  // Starts the workers and waits for the first one to be ready.
  static absl::StatusOr<std::unique_ptr<OraclePool>> Start(
      const OracleOptions& options);
  // Ends all workers at once, whatever they are doing.
  ~OraclePool();
  OraclePool(const OraclePool&) = delete;
  OraclePool& operator=(const OraclePool&) = delete;

  // Which JAX and Python answer: "0.11.2", "3.12.1".
  const Greeting& greeting() const { return greeting_; }
  int workers() const { return static_cast<int>(workers_.size()); }

  // Queues a question. Answers come in any order; `id` tells them apart.
  void Submit(int64_t id, OracleRequest request);
  // Questions whose answers have not been taken yet.
  int64_t pending() const { return pending_; }
  // The next answer, or nothing when none came in time, when nothing is
  // pending, or when a signal arrived.
  std::optional<OracleResult> WaitAny(std::chrono::milliseconds timeout);
  // How many workers have been replaced.
  int64_t replaced() const { return replaced_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Question {
    int64_t id = 0;
    OracleRequest request;
  };
  struct Worker {
    std::unique_ptr<LineProcess> process;  // null: retired
    bool ready = false;                    // has greeted
    bool worn_out = false;  // to be replaced before its next question
    std::optional<Question> question;
    Clock::time_point since;  // start of the process or of the question
  };

  explicit OraclePool(const OracleOptions& options) : options_(options) {}
  bool Poll(std::chrono::milliseconds timeout);
  void Attend(Worker& worker);
  bool HandleLine(Worker& worker, const std::string& line);
  void EnforceLimits(Worker& worker);
  void GiveUpOn(Worker& worker, OracleOutcome outcome);
  void Replace(Worker& worker);
  void Dispatch();
  bool AllRetired() const;
  void Finish(int64_t id, OracleAnswer answer);

  OracleOptions options_;
  Greeting greeting_;
  std::vector<Worker> workers_;
  std::deque<Question> queue_;
  std::deque<OracleResult> answered_;
  int64_t pending_ = 0;
  int64_t replaced_ = 0;
  int failed_starts_ = 0;      // in a row
  std::string start_failure_;  // why the last one failed
  Clock::time_point limits_checked_;
};

}  // namespace pallasite

#endif  // PALLASITE_ORACLE_CLIENT_H_

#include "oracle/client.h"

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"

namespace pallasite {
namespace {

using std::chrono::milliseconds;

// Importing JAX from a cold disk takes a while.
constexpr milliseconds kStartLimit = std::chrono::minutes(3);
// After as many workers in a row that never got ready, none will.
constexpr int kMaxFailedStarts = 3;
// How often the limits are looked at.
constexpr milliseconds kTick(50);

}  // namespace

absl::StatusOr<std::unique_ptr<OraclePool>> OraclePool::Start(
    const OracleOptions& options) {
  std::unique_ptr<OraclePool> pool(new OraclePool(options));
  pool->workers_.resize(static_cast<size_t>(std::max(1, options.workers)));
  for (Worker& worker : pool->workers_) pool->Replace(worker);
  while (pool->greeting_.jax.empty()) {
    if (pool->AllRetired()) {
      return absl::UnavailableError(
          absl::StrCat("no JAX to ask: ", options.paths.python, " ",
                       options.paths.worker, ": ", pool->start_failure_));
    }
    if (!pool->Poll(kTick)) return absl::CancelledError("interrupted");
  }
  return pool;
}

OraclePool::~OraclePool() {
  for (Worker& worker : workers_) {
    if (worker.process != nullptr) worker.process->Doom();
  }
}

void OraclePool::Submit(int64_t id, OracleRequest request) {
  queue_.push_back({.id = id, .request = std::move(request)});
  ++pending_;
  Dispatch();
}

std::optional<OracleResult> OraclePool::WaitAny(milliseconds timeout) {
  const Clock::time_point deadline = Clock::now() + timeout;
  while (answered_.empty()) {
    const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now());
    if (pending_ == 0 || left <= milliseconds::zero()) return std::nullopt;
    if (!Poll(std::min(left, kTick))) return std::nullopt;
  }
  OracleResult result = std::move(answered_.front());
  answered_.pop_front();
  --pending_;
  return result;
}

// One look at all workers. False when a signal arrived.
bool OraclePool::Poll(milliseconds timeout) {
  std::vector<pollfd> fds;
  for (const Worker& worker : workers_) {
    if (worker.process == nullptr) continue;
    const int events = worker.process->HasUnsent() ? POLLIN | POLLOUT : POLLIN;
    fds.push_back({.fd = worker.process->lines_fd(),
                   .events = static_cast<decltype(pollfd::events)>(events)});
    fds.push_back({.fd = worker.process->errors_fd(), .events = POLLIN});
  }
  if (poll(fds.data(), fds.size(), static_cast<int>(timeout.count())) < 0 &&
      errno == EINTR) {
    return false;
  }
  for (Worker& worker : workers_) {
    if (worker.process != nullptr) Attend(worker);
  }
  if (Clock::now() - limits_checked_ >= kTick) {
    limits_checked_ = Clock::now();
    for (Worker& worker : workers_) {
      if (worker.process != nullptr) EnforceLimits(worker);
    }
  }
  Dispatch();
  return true;
}

void OraclePool::Attend(Worker& worker) {
  worker.process->SendMore();
  const bool connected = worker.process->Receive();
  while (const std::optional<std::string> line = worker.process->NextLine()) {
    if (!HandleLine(worker, *line)) {
      GiveUpOn(worker, OracleOutcome::kCrashed);
      return;
    }
  }
  if (!connected) {
    GiveUpOn(worker, OracleOutcome::kCrashed);
    return;
  }
  // What earlier questions left behind must not count against a later one.
  if (worker.worn_out) {
    ++replaced_;
    worker.process->Kill();
    Replace(worker);
  }
}

// False when the worker does not keep to the protocol.
bool OraclePool::HandleLine(Worker& worker, const std::string& line) {
  if (!worker.ready) {
    absl::StatusOr<Greeting> greeting = DecodeGreeting(line);
    if (!greeting.ok()) return false;
    greeting_ = *std::move(greeting);
    worker.ready = true;
    failed_starts_ = 0;
    return true;
  }
  if (!worker.question) return false;
  absl::StatusOr<OracleAnswer> answer = DecodeAnswer(line, worker.question->id);
  if (!answer.ok()) return false;
  worker.worn_out = answer->rss_bytes > options_.memory_limit_bytes / 2;
  Finish(worker.question->id, *std::move(answer));
  worker.question.reset();
  return true;
}

void OraclePool::EnforceLimits(Worker& worker) {
  const auto elapsed = Clock::now() - worker.since;
  if (!worker.ready) {
    if (elapsed > kStartLimit) GiveUpOn(worker, OracleOutcome::kTimedOut);
    return;
  }
  if (!worker.question) return;
  if (elapsed > options_.timeout) {
    worker.process->Abort();
    GiveUpOn(worker, OracleOutcome::kTimedOut);
  } else if (worker.process->ResidentBytes() > options_.memory_limit_bytes) {
    GiveUpOn(worker, OracleOutcome::kMemory);
  }
}

// Ends a worker, answers for it and starts another in its place.
void OraclePool::GiveUpOn(Worker& worker, OracleOutcome outcome) {
  worker.process->Kill();
  const std::string ending =
      absl::StrCat("the worker ended with ", worker.process->ending());
  if (worker.question) {
    const auto elapsed = Clock::now() - worker.since;
    Finish(worker.question->id,
           {.outcome = outcome,
            .message = ending,
            .ms = std::chrono::duration<double, std::milli>(elapsed).count(),
            .stderr_tail = worker.process->error_tail()});
  }
  ++replaced_;
  if (!worker.ready) {
    ++failed_starts_;
    start_failure_ = absl::StrCat(ending, " before it was ready\n",
                                  worker.process->error_tail());
  }
  Replace(worker);
}

void OraclePool::Replace(Worker& worker) {
  worker = {};
  worker.since = Clock::now();
  if (failed_starts_ >= kMaxFailedStarts) return;
  absl::StatusOr<std::unique_ptr<LineProcess>> process =
      LineProcess::Start(options_.paths.python, options_.paths.worker);
  if (process.ok()) {
    worker.process = *std::move(process);
  } else {
    start_failure_ = std::string(process.status().message());
  }
}

bool OraclePool::AllRetired() const {
  return std::all_of(
      workers_.begin(), workers_.end(),
      [](const Worker& worker) { return worker.process == nullptr; });
}

void OraclePool::Dispatch() {
  for (Worker& worker : workers_) {
    if (queue_.empty()) return;
    if (!worker.ready || worker.question) continue;
    worker.question = std::move(queue_.front());
    queue_.pop_front();
    worker.since = Clock::now();
    worker.process->Send(
        EncodeRequest(worker.question->id, worker.question->request,
                      std::chrono::duration<double>(options_.timeout).count()));
  }
  // Nobody is left to ask, and nobody will come.
  while (AllRetired() && !queue_.empty()) {
    Finish(queue_.front().id,
           {.outcome = OracleOutcome::kCrashed, .message = start_failure_});
    queue_.pop_front();
  }
}

void OraclePool::Finish(int64_t id, OracleAnswer answer) {
  answered_.push_back({.id = id, .answer = std::move(answer)});
}

}  // namespace pallasite

#ifndef PALLASITE_ORACLE_ANSWER_H_
#define PALLASITE_ORACLE_ANSWER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "model/config/kernel_config.h"
#include "model/errors/rule.h"
#include "model/errors/verdict.h"

namespace pallasite {

// One question to a worker: see oracle/worker.py.
struct OracleRequest {
  std::string body;
  Arch arch;
  // Names of the scratch items, when the facts behind an acceptance are wanted.
  std::optional<std::vector<std::string>> facts_about;
};

// The question what `target.jax` does with `config`.
OracleRequest MakeOracleRequest(const KernelConfig& config,
                                const Target& target, bool with_facts);

enum class OracleOutcome : uint8_t {
  kAccepted,
  kRaised,
  kUnusable,  // the request was no Python that runs: a fault of ours
  kCrashed,   // the worker died over it
  kTimedOut,  // killed after the time limit
  kMemory,    // killed above the memory limit
};
std::string_view Name(OracleOutcome outcome);

// What real JAX did with one configuration.
struct OracleAnswer {
  OracleOutcome outcome = OracleOutcome::kAccepted;
  // kRaised and kUnusable: class name and complete text of the exception.
  std::string exception;
  std::string message;
  std::optional<Phase> phase;
  // Innermost JAX frame: "jax/_src/pallas/core.py:185 MemorySpace.__call__".
  std::string raise_site;
  // On request, when accepted; absent when JAX dropped the kernel unlowered.
  std::optional<Facts> facts;
  double ms = 0;  // in the worker, or until it was given up
  int64_t rss_bytes = 0;
  // kCrashed, kTimedOut and kMemory: the end of the worker's standard error.
  std::string stderr_tail;
};

// One line in the protocol of oracle/worker.py, newline included.
std::string EncodeRequest(int64_t id, const OracleRequest& request,
                          double limit_seconds);

struct Greeting {
  std::string jax;
  std::string python;
};
absl::StatusOr<Greeting> DecodeGreeting(std::string_view line);
absl::StatusOr<OracleAnswer> DecodeAnswer(std::string_view line, int64_t id);

}  // namespace pallasite

#endif  // PALLASITE_ORACLE_ANSWER_H_

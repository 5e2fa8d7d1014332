#ifndef PALLASITE_MODEL_TEXT_CASE_H_
#define PALLASITE_MODEL_TEXT_CASE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "model/config/kernel_config.h"
#include "model/errors/rule.h"
#include "model/errors/verdict.h"

namespace pallasite {

// An exception that reaches the user.
struct JaxError {
  std::string exception;  // class, "ValueError"
  std::string message;    // an expected one may hold `{*}`
  Phase phase = Phase::kConstruct;
  bool operator==(const JaxError&) const = default;
};

// What the model must answer.
struct ExpectedVerdict {
  VerdictKind verdict = VerdictKind::kAccepted;
  std::string rule;               // of a rejection or a defect: its id
  std::optional<JaxError> error;  // a defect without one is an acceptance
  std::string location;           // in the configuration; empty: not compared
  bool operator==(const ExpectedVerdict&) const = default;
};

// How an observation came about. The two are never added together.
enum class Evidence : uint8_t {
  kOracle,  // seen from real JAX
  kSource,  // read in its source only
};

// What a release of JAX does.
struct ObservedVerdict {
  Evidence how = Evidence::kOracle;
  std::optional<JaxError> error;  // absent: it accepts
  std::string raise_site;         // "jax/.../core.py:665 RefUnion.__init__"
  std::optional<Facts> facts;     // of an acceptance
  bool operator==(const ObservedVerdict&) const = default;
};

// One file of the corpus: a configuration, and per release the verdict that is
// expected and the one that was observed.
struct CorpusCase {
  std::string about;
  KernelConfig config;
  std::map<Release, ExpectedVerdict> expect;
  std::map<Release, ObservedVerdict> observed;
  std::string provenance;
  bool operator==(const CorpusCase&) const = default;
};

// As strict as the configuration reader. Paths start at the case:
// "config.kernel.grid.i", "expect.0.11.2.phase".
absl::StatusOr<CorpusCase> ReadCase(std::string_view json);

// The canonical text of a case file, with a newline at the end.
std::string WriteCase(const CorpusCase& corpus_case);

}  // namespace pallasite

#endif  // PALLASITE_MODEL_TEXT_CASE_H_

#ifndef PALLASITE_MODEL_ERRORS_VERDICT_H_
#define PALLASITE_MODEL_ERRORS_VERDICT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/errors/rule.h"

namespace pallasite {

enum class VerdictKind : uint8_t {
  kAccepted,
  kRejected,    // with a documented error
  kDefect,      // this release gets it wrong: see rule->defect
  kUnmodelled,  // outside the declared scope of the model
};
std::string_view Name(VerdictKind kind);

// Where a union places one of its refs.
struct UnionMember {
  std::string path;    // "acc[1][0]"
  int64_t group = 0;   // index of the union's argument it belongs to
  int64_t offset = 0;  // bytes in SMEM, columns in TMEM
  bool operator==(const UnionMember&) const = default;
};

// What JAX computes on the way to accepting a kernel. Collected on request.
struct Facts {
  int64_t smem_bytes = 0;    // scratch, aligned as allocated
  int64_t tmem_columns = 0;  // non-collective, before rounding up
  int64_t tmem_collective_columns = 0;
  int64_t barrier_allocations = 0;         // arrays of barriers
  int64_t barriers = 0;                    // barriers in all of them
  std::vector<UnionMember> union_members;  // in tree order
  bool operator==(const Facts&) const = default;
};

struct Verdict {
  VerdictKind kind = VerdictKind::kAccepted;
  // The rule that was broken (kRejected) or that names the defect (kDefect).
  const RuleDoc* rule = nullptr;
  Stage stage = Stage::kConstructScratch;  // that reported the rule
  // What JAX raises. Absent when it accepts, which a defect may do too.
  struct Error {
    PyExc exception = PyExc::kValueError;
    std::string message;  // may hold `{*}`: compare with MessageMatches
    Phase phase = Phase::kConstruct;
  };
  std::optional<Error> error;
  std::string location;  // in the configuration, as Location::Format writes it
  std::string unmodelled;  // what the model does not cover (kUnmodelled)

  bool AcceptedByJax() const {
    return kind == VerdictKind::kAccepted ||
           (kind == VerdictKind::kDefect && !error.has_value());
  }
};

}  // namespace pallasite

#endif  // PALLASITE_MODEL_ERRORS_VERDICT_H_

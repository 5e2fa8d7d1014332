#ifndef PALLASITE_ORACLE_FIND_H_
#define PALLASITE_ORACLE_FIND_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "model/config/kernel_config.h"

namespace pallasite {

struct OraclePaths {
  std::string python;  // an interpreter that has JAX
  std::string worker;  // oracle/worker.py
};

// Where the oracle for a JAX release is. The interpreter is, in this order:
// `python` when it is not empty; $PALLASITE_ORACLE_PYTHON; the environment that
// oracle/setup.sh makes, `.venv/oracle-<release>` in the project. The worker is
// the project's own unless $PALLASITE_ORACLE_WORKER names another. NotFound
// says what to do.
absl::StatusOr<OraclePaths> FindOracle(const Release& release,
                                       std::string_view python = "");

}  // namespace pallasite

#endif  // PALLASITE_ORACLE_FIND_H_

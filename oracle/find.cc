#include "oracle/find.h"

#include <unistd.h>

#include <cstdlib>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "model/text/release.h"

namespace pallasite {
namespace {

constexpr const char* kPythonVariable = "PALLASITE_ORACLE_PYTHON";
constexpr const char* kWorkerVariable = "PALLASITE_ORACLE_WORKER";

std::string Environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

absl::StatusOr<OraclePaths> FindOracle(const Release& release,
                                       std::string_view python) {
  OraclePaths paths = {.python = std::string(python),
                       .worker = Environment(kWorkerVariable)};
  std::string remedy = "name an interpreter that has JAX";
  if (paths.python.empty()) paths.python = Environment(kPythonVariable);
  if (paths.python.empty()) {
    const std::string name = FormatRelease(release);
    paths.python = absl::StrCat(PALLASITE_SOURCE_DIR, "/.venv/oracle-", name,
                                "/bin/python");
    remedy = absl::StrCat("run oracle/setup.sh ", name, ", or set ",
                          kPythonVariable, " to an interpreter that has JAX");
  }
  if (access(paths.python.c_str(), X_OK) != 0) {
    return absl::NotFoundError(absl::StrCat("no JAX to ask: ", paths.python,
                                            " cannot be run; ", remedy));
  }
  if (paths.worker.empty()) {
    paths.worker = absl::StrCat(PALLASITE_SOURCE_DIR, "/oracle/worker.py");
  }
  if (access(paths.worker.c_str(), R_OK) != 0) {
    return absl::NotFoundError(
        absl::StrCat("no JAX to ask: ", paths.worker, " cannot be read; set ",
                     kWorkerVariable, " to the project's oracle/worker.py"));
  }
  return paths;
}

}  // namespace pallasite

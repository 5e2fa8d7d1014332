#include "cli/pool.h"

#include <algorithm>
#include <thread>

#include "oracle/find.h"

namespace pallasite::cli {

void AddPoolOptions(CLI::App& command, PoolOptions& options) {
  command.add_option("--python", options.python,
                     "interpreter that has JAX; found by itself otherwise");
  command.add_option("--jobs", options.jobs, "JAX workers; one a core")
      ->check(CLI::NonNegativeNumber);
}

absl::StatusOr<std::unique_ptr<OraclePool>> StartPool(
    const PoolOptions& options, const Release& release) {
  absl::StatusOr<OraclePaths> paths = FindOracle(release, options.python);
  if (!paths.ok()) return paths.status();
  OracleOptions pool = {.paths = *paths};
  pool.workers =
      options.jobs > 0
          ? options.jobs
          : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  return OraclePool::Start(pool);
}

}  // namespace pallasite::cli

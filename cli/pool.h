#ifndef PALLASITE_CLI_POOL_H_
#define PALLASITE_CLI_POOL_H_

#include <memory>
#include <string>

#include "CLI/CLI.hpp"
#include "absl/status/statusor.h"
#include "model/config/kernel_config.h"
#include "oracle/client.h"

namespace pallasite::cli {

struct PoolOptions {
  std::string python;
  int jobs = 0;  // 0: one a core
};

void AddPoolOptions(CLI::App& command, PoolOptions& options);

absl::StatusOr<std::unique_ptr<OraclePool>> StartPool(
    const PoolOptions& options, const Release& release);

}  // namespace pallasite::cli

#endif  // PALLASITE_CLI_POOL_H_

#ifndef PALLASITE_CLI_COMMON_H_
#define PALLASITE_CLI_COMMON_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "model/config/kernel_config.h"
#include "model/errors/verdict.h"
#include "nlohmann/json_fwd.hpp"

namespace pallasite::cli {

// Exit codes of every command, documented in docs/cli.md.
inline constexpr int kExitOk = 0;          // accepted; clean
inline constexpr int kExitRefused = 1;     // rejected; mismatch; finding
inline constexpr int kExitBadInput = 2;    // unreadable input or arguments
inline constexpr int kExitUnmodelled = 3;  // the model does not know
inline constexpr int kExitNoOracle = 4;    // JAX was asked for and is missing
inline constexpr int kExitInterrupted = 130;  // Ctrl-C

// "jax=0.11.2,arch=9.0": either part may be missing.
struct TargetOption {
  std::optional<Release> jax;
  std::optional<Arch> arch;
  // Its parts win over the configuration's own target.
  Target For(const KernelConfig& config) const;
};
absl::StatusOr<TargetOption> ParseTarget(std::string_view text);

// The content of a file; "-" is standard input.
absl::StatusOr<std::string> ReadFile(const std::string& path);
// Writes next to `path` and renames, so that readers never see half a file.
absl::Status WriteFile(const std::string& path, std::string_view content);

// Configurations of a file: one, JSON lines, or one corpus case.
struct NamedConfig {
  std::string name;  // "file.json", "file.jsonl:3"
  KernelConfig config;
};
absl::StatusOr<std::vector<NamedConfig>> ReadConfigFile(
    const std::string& path);

// The project folder: $PALLASITE_HOME, or where this binary was built from.
std::string ProjectDir();

// Terminal colours, empty when standard output is no terminal or NO_COLOR is
// set.
struct Style {
  std::string_view good, bad, warn, dim, bold, off;
};
const Style& Colours();

nlohmann::ordered_json VerdictJson(const Verdict& verdict, const Facts* facts);
void PrintError(absl::string_view message);

}  // namespace pallasite::cli

#endif  // PALLASITE_CLI_COMMON_H_

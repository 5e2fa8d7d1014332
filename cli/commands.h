#ifndef PALLASITE_CLI_COMMANDS_H_
#define PALLASITE_CLI_COMMANDS_H_

#include <functional>

#include "CLI/CLI.hpp"

namespace pallasite::cli {

// A subcommand: registers its options on `app` and sets `run`, which returns
// the exit code once the arguments are parsed.
using Run = std::function<int()>;
void AddCheck(CLI::App& app, Run& run);
void AddFuzz(CLI::App& app, Run& run);
void AddReplay(CLI::App& app, Run& run);
void AddBless(CLI::App& app, Run& run);
void AddRepro(CLI::App& app, Run& run);
void AddRules(CLI::App& app, Run& run);
void AddExplain(CLI::App& app, Run& run);
void AddPrecedence(CLI::App& app, Run& run);

}  // namespace pallasite::cli

#endif  // PALLASITE_CLI_COMMANDS_H_

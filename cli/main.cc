#include <unistd.h>

#include <iostream>

#include "cli/commands.h"
#include "cli/common.h"

namespace pallasite::cli {
namespace {

constexpr char kIntroduction[] =
    R"(Which Pallas Mosaic GPU kernel configurations are legal, and why not.

  pallasite check kernel.json        the exact error JAX would raise, where and the fix
  pallasite fuzz --seconds 60        compare the model with real JAX
  pallasite replay                   re-check everything ever found
  pallasite explain <rule id>        one documented error
  pallasite <command> --help         more, with examples)";

int Main(int argc, char** argv) {
  CLI::App app(kIntroduction, "pallasite");
  app.set_version_flag("--version", PALLASITE_VERSION);
  app.require_subcommand(1);
  app.failure_message(CLI::FailureMessage::help);
  Run run;
  AddCheck(app, run);
  AddFuzz(app, run);
  AddReplay(app, run);
  AddBless(app, run);
  AddRepro(app, run);
  AddRules(app, run);
  AddExplain(app, run);
  AddPrecedence(app, run);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error);
    return code == 0 ? kExitOk : kExitBadInput;
  }
  return run();
}

}  // namespace
}  // namespace pallasite::cli

int main(int argc, char** argv) { return pallasite::cli::Main(argc, argv); }

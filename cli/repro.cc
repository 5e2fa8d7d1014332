#include <iostream>
#include <memory>
#include <string>

#include "cli/commands.h"
#include "cli/common.h"
#include "model/text/python_emitter.h"

namespace pallasite::cli {
namespace {

struct Options {
  std::string file;
  std::string target;
};

int Repro(const Options& options) {
  const absl::StatusOr<TargetOption> target = ParseTarget(options.target);
  if (!target.ok()) {
    PrintError(target.status().message());
    return kExitBadInput;
  }
  const absl::StatusOr<std::vector<NamedConfig>> configs =
      ReadConfigFile(options.file);
  if (!configs.ok()) {
    PrintError(configs.status().message());
    return kExitBadInput;
  }
  if (configs->size() != 1) {
    PrintError(options.file +
               ": holds several configurations; a script is about one");
    return kExitBadInput;
  }
  const KernelConfig& config = configs->front().config;
  std::cout << EmitReproScript(config, target->For(config));
  return kExitOk;
}

}  // namespace

void AddRepro(CLI::App& app, Run& run) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "repro",
      "Prints a standalone Python script that asks the installed JAX the same "
      "question and prints what it did as one JSON line.");
  command->footer(R"(
  pallasite repro kernel.json > repro.py && python repro.py)");
  command
      ->add_option("FILE", options->file,
                   "configuration or corpus case; - is standard input")
      ->required();
  command->add_option("--target", options->target, "jax=RELEASE,arch=X.Y");
  command->callback(
      [options, &run] { run = [options] { return Repro(*options); }; });
}

}  // namespace pallasite::cli

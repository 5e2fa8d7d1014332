#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/common.h"
#include "model/evaluate.h"
#include "nlohmann/json.hpp"

namespace pallasite::cli {
namespace {

struct Options {
  std::vector<std::string> files;
  std::string target;
  std::string format = "text";
};

void PrintText(const std::string& name, const Verdict& verdict) {
  const Style& style = Colours();
  const auto line = [&](const char* label, std::string_view text) {
    std::cout << "  " << style.dim << label << style.off << text << "\n";
  };
  switch (verdict.kind) {
    case VerdictKind::kAccepted:
      std::cout << name << ": " << style.good << "accepted" << style.off
                << "\n";
      return;
    case VerdictKind::kUnmodelled:
      std::cout << name << ": " << style.warn << "unmodelled" << style.off
                << "\n";
      line("what   ", verdict.unmodelled);
      line("where  ", verdict.location);
      return;
    case VerdictKind::kRejected:
      std::cout << name << ": " << style.bad << "rejected" << style.off << "\n";
      break;
    case VerdictKind::kDefect:
      std::cout << name << ": " << style.warn
                << (verdict.error ? "rejected, through a defect of JAX"
                                  : "accepted, through a defect of JAX")
                << style.off << "\n";
      break;
  }
  if (verdict.error) {
    std::cout << "  " << style.bold << Name(verdict.error->exception) << ": "
              << verdict.error->message << style.off << "\n";
  }
  if (verdict.error) line("phase  ", Name(verdict.error->phase));
  line("where  ", verdict.location);
  line("rule   ", verdict.rule->id);
  line("why    ", verdict.rule->why);
  line("fix    ", verdict.rule->fix);
  if (verdict.rule->defect != DefectKind::kNone) {
    line("right  ", verdict.rule->spec_verdict);
  }
}

int ExitCode(const Verdict& verdict) {
  if (verdict.kind == VerdictKind::kUnmodelled) return kExitUnmodelled;
  return verdict.AcceptedByJax() ? kExitOk : kExitRefused;
}

int Check(const Options& options) {
  const absl::StatusOr<TargetOption> target = ParseTarget(options.target);
  if (!target.ok()) {
    PrintError(target.status().message());
    return kExitBadInput;
  }
  int exit = kExitOk;
  for (const std::string& file : options.files) {
    const absl::StatusOr<std::vector<NamedConfig>> configs =
        ReadConfigFile(file);
    if (!configs.ok()) {
      PrintError(configs.status().message());
      return kExitBadInput;
    }
    for (const NamedConfig& named : *configs) {
      Facts facts;
      const Verdict verdict =
          Evaluate(named.config, target->For(named.config), &facts);
      if (options.format == "json") {
        nlohmann::ordered_json json = {{"name", named.name}};
        json.update(VerdictJson(verdict, &facts));
        std::cout << json.dump() << "\n";
      } else {
        PrintText(named.name, verdict);
      }
      // A refusal outranks what the model does not know.
      const int code = ExitCode(verdict);
      if (exit != kExitRefused && code != kExitOk) exit = code;
    }
  }
  return exit;
}

}  // namespace

void AddCheck(CLI::App& app, Run& run) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("check",
                         "Says what JAX would do with a configuration: accept "
                         "it, or the exact error.");
  command->footer(R"(
  pallasite check kernel.json
  pallasite check --target jax=0.11.2,arch=9.0 --format json many.jsonl
  generate | pallasite check -

Exit: 0 accepted, 1 rejected, 2 bad input, 3 outside the model.)");
  command
      ->add_option("FILE", options->files,
                   "configuration, JSON lines or corpus case; - is standard "
                   "input")
      ->required();
  command->add_option("--target", options->target,
                      "jax=RELEASE,arch=X.Y; wins over the file's own target");
  command->add_option("--format", options->format, "text or json lines")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  command->callback(
      [options, &run] { run = [options] { return Check(*options); }; });
}

}  // namespace pallasite::cli

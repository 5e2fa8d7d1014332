#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "absl/strings/str_cat.h"
#include "cli/campaign.h"
#include "cli/commands.h"
#include "cli/common.h"
#include "cli/corpus.h"
#include "cli/pool.h"
#include "cli/rule_record.h"
#include "generators/mutations/mutation.h"
#include "generators/shrink.h"
#include "generators/valid.h"
#include "model/evaluate.h"
#include "model/text/python_emitter.h"
#include "oracle/compare.h"

namespace pallasite::cli {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::vector<std::string> files;
  PoolOptions pool;
  std::string corpus;
  std::string about;
  bool in_place = false;
  bool missing = false;
};

// Where a case belongs: its rule's name, or its configuration's for accepted
// ones.
std::string HomeOf(const NamedConfig& named, const Verdict& verdict) {
  if (verdict.kind == VerdictKind::kAccepted) {
    return absl::StrCat("accepted/", fs::path(named.name).stem().string());
  }
  return absl::StrCat(
      verdict.kind == VerdictKind::kDefect ? "defects/" : "rules/",
      std::string(verdict.rule->id));
}

std::string AboutText(const Verdict& verdict) {
  return verdict.rule == nullptr ? "Accepted." : std::string(verdict.rule->why);
}

// A case as it is now: what the model says, and what JAX did.
CorpusCase Compose(const NamedConfig& named, const Target& target,
                   const Verdict& verdict, const OracleAnswer& answer,
                   const std::string& about) {
  CorpusCase composed = {.about = about, .config = named.config};
  composed.config.target = target;
  composed.expect[target.jax] = ExpectationFrom(verdict);
  composed.observed[target.jax] = ObservationFrom(answer);
  composed.provenance = "pallasite bless";
  return composed;
}

absl::Status Write(const std::string& path, const CorpusCase& composed,
                   const Target& target, bool script) {
  std::error_code error;
  fs::create_directories(fs::path(path).parent_path(), error);
  if (absl::Status status = WriteFile(path, WriteCase(composed));
      !status.ok() || !script) {
    return status;
  }
  const std::string beside = fs::path(path).replace_extension(".py").string();
  return WriteFile(beside, EmitReproScript(composed.config, target));
}

int BlessOne(const Options& options, const NamedConfig& named,
             OraclePool& pool) {
  const Target target = TargetOf(named.config);
  Facts facts;
  const Verdict verdict = Evaluate(named.config, target, &facts);
  if (verdict.kind == VerdictKind::kUnmodelled) {
    PrintError(absl::StrCat(named.name, ": outside the model: ",
                            verdict.unmodelled, "; nothing to bless"));
    return kExitUnmodelled;
  }
  pool.Submit(0, MakeOracleRequest(named.config, target, true));
  std::optional<OracleResult> result;
  while (!result && pool.pending() > 0 && !Interrupted()) {
    result = pool.WaitAny(std::chrono::milliseconds(200));
  }
  if (!result) return kExitInterrupted;
  if (const auto difference = Differ(verdict, facts, result->answer)) {
    PrintError(absl::StrCat(named.name, ": not blessed, ", *difference));
    return kExitRefused;
  }
  const std::string path =
      options.in_place ? named.name
                       : absl::StrCat(options.corpus.empty() ? DefaultCorpus()
                                                             : options.corpus,
                                      "/", HomeOf(named, verdict), ".json");
  const std::string about =
      options.about.empty() ? AboutText(verdict) : options.about;
  const absl::Status written =
      Write(path, Compose(named, target, verdict, result->answer, about),
            target, verdict.kind == VerdictKind::kDefect);
  if (!written.ok()) {
    PrintError(written.message());
    return kExitBadInput;
  }
  std::cout << path << ": " << Summary(verdict) << "\n";
  return kExitOk;
}

// The simplest configuration that the rule's mutation leads to.
std::optional<KernelConfig> Smallest(const Mutation& mutation) {
  const GenPolicy policy;
  const auto generate = [&](Choices& choices) {
    KernelConfig config = GenKernelConfig(choices, policy);
    mutation.apply(config, choices);
    return config;
  };
  const auto breaks_it = [&](const KernelConfig& config) {
    const Verdict verdict = Evaluate(config, TargetOf(config));
    return verdict.rule != nullptr && verdict.rule->id == mutation.rule;
  };
  constexpr uint64_t kAttempts = 200;
  for (uint64_t attempt = 0; attempt < kAttempts; ++attempt) {
    RandomSource source(SeedFor(0, attempt));
    Choices choices(source);
    if (!breaks_it(generate(choices))) continue;
    std::vector<uint64_t> values;
    for (const Choice& choice : Shrink(choices.trace(), generate, breaks_it)) {
      values.push_back(choice.value);
    }
    ReplaySource replay(values);
    Choices smallest(replay);
    return generate(smallest);
  }
  return std::nullopt;
}

// A configuration for every rule that the corpus has no case of.
std::vector<NamedConfig> Missing(const std::vector<CorpusFile>& corpus) {
  std::vector<NamedConfig> configs;
  for (const RuleRecord& record : MakeRuleRecords(corpus)) {
    const Mutation* mutation = FindMutation(record.doc->id);
    if (!record.corpus.empty() || mutation == nullptr) continue;
    if (std::optional<KernelConfig> config = Smallest(*mutation)) {
      configs.push_back({std::string(record.doc->id), *std::move(config)});
    }
  }
  return configs;
}

int Bless(const Options& options) {
  std::vector<NamedConfig> configs;
  if (options.missing) {
    const absl::StatusOr<std::vector<CorpusFile>> corpus =
        LoadCorpus({options.corpus.empty() ? DefaultCorpus() : options.corpus});
    if (!corpus.ok()) {
      PrintError(corpus.status().message());
      return kExitBadInput;
    }
    configs = Missing(*corpus);
  }
  for (const std::string& file : options.files) {
    absl::StatusOr<std::vector<NamedConfig>> read = ReadConfigFile(file);
    if (!read.ok()) {
      PrintError(read.status().message());
      return kExitBadInput;
    }
    configs.insert(configs.end(), read->begin(), read->end());
  }
  absl::StatusOr<std::unique_ptr<OraclePool>> pool =
      StartPool(options.pool, kDefaultRelease);
  if (!pool.ok()) {
    PrintError(
        absl::StrCat("a case needs a verdict of real JAX, which is not "
                     "available: ",
                     pool.status().message()));
    return kExitNoOracle;
  }
  Interrupted();
  int exit = kExitOk;
  for (const NamedConfig& named : configs) {
    const int code = BlessOne(options, named, **pool);
    if (code == kExitInterrupted) return code;
    if (code != kExitOk) exit = code;
  }
  return exit;
}

}  // namespace

void AddBless(CLI::App& app, Run& run) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "bless",
      "Turns configurations into corpus cases: asks the model and real JAX, "
      "and where they agree writes both verdicts down. Defects get a script "
      "beside the case.");
  command->footer(R"(
  pallasite bless new.json               into corpus/{rules,defects,accepted}/
  pallasite bless --in-place corpus/rules/*.json
  pallasite bless --missing              a smallest case for every new rule

Exit: 0 written, 1 model and JAX disagree, 2 bad input, 3 outside the model, 4 no JAX.)");
  command->add_option("FILE", options->files, "configurations or corpus cases");
  command->add_flag("--missing", options->missing,
                    "also generate a case for every rule without one");
  command->add_option("--corpus", options->corpus, "instead of corpus/");
  command->add_option("--about", options->about, "what the case shows");
  command->add_flag("--in-place", options->in_place,
                    "write each case back to its own file");
  AddPoolOptions(*command, options->pool);
  command->callback(
      [options, &run] { run = [options] { return Bless(*options); }; });
}

}  // namespace pallasite::cli

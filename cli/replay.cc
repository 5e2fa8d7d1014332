#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "cli/campaign.h"
#include "cli/commands.h"
#include "cli/common.h"
#include "cli/corpus.h"
#include "cli/pool.h"
#include "model/evaluate.h"
#include "nlohmann/json.hpp"
#include "oracle/compare.h"

namespace pallasite::cli {
namespace {

struct Options {
  std::vector<std::string> paths;
  PoolOptions pool;
  std::string oracle = "recorded";
  std::string format = "text";
};

// Asks real JAX about every case of the release that the pool runs.
void ReplayLive(const std::vector<CorpusFile>& corpus, const Release& release,
                OraclePool& pool, ReplayResult& result) {
  std::map<int64_t, const CorpusFile*> asked;
  ForEachExpectation(corpus, [&](const CorpusFile& file, const Release& jax) {
    if (jax != release) return;
    const Target target = TargetOf(file.content, release);
    const auto id = static_cast<int64_t>(asked.size());
    asked[id] = &file;
    pool.Submit(id, MakeOracleRequest(file.content.config, target, true));
  });
  while (pool.pending() > 0 && !Interrupted()) {
    const std::optional<OracleResult> answer =
        pool.WaitAny(std::chrono::milliseconds(200));
    if (!answer) continue;
    const CorpusFile& file = *asked[answer->id];
    const Target target = TargetOf(file.content, release);
    Facts facts;
    const Verdict verdict = Evaluate(file.content.config, target, &facts);
    ++result.compared;
    if (auto what = Differ(verdict, facts, answer->answer)) {
      result.mismatches.emplace_back(file.path, *what);
    }
  }
}

void Print(const Options& options, const ReplayResult& result,
           const std::string& oracle) {
  if (options.format == "json") {
    nlohmann::ordered_json mismatches = nlohmann::ordered_json::array();
    for (const auto& [path, what] : result.mismatches) {
      mismatches.push_back({{"case", path}, {"what", what}});
    }
    std::cout << nlohmann::ordered_json{{"cases", result.cases},
                                        {"compared", result.compared},
                                        {"oracle", oracle},
                                        {"mismatches", mismatches}}
                     .dump()
              << "\n";
    return;
  }
  const Style& style = Colours();
  for (const auto& [path, what] : result.mismatches) {
    std::cout << style.bad << path << style.off << "\n  " << what << "\n";
  }
  std::cout << result.cases << " cases replayed, " << result.compared
            << " compared with " << oracle << ", " << result.mismatches.size()
            << " mismatches\n";
}

int Replay(const Options& options) {
  const absl::StatusOr<std::vector<CorpusFile>> corpus = LoadCorpus(
      options.paths.empty() ? std::vector<std::string>{DefaultCorpus()}
                            : options.paths);
  if (!corpus.ok()) {
    PrintError(corpus.status().message());
    return kExitBadInput;
  }
  ReplayResult result = ReplayRecorded(*corpus);
  std::string oracle = "recorded verdicts";
  if (options.oracle == "jax") {
    result.compared = 0;
    absl::StatusOr<std::unique_ptr<OraclePool>> pool =
        StartPool(options.pool, kDefaultRelease);
    if (!pool.ok()) {
      PrintError(
          absl::StrCat("real JAX is not available: ", pool.status().message(),
                       "\nUse --oracle recorded."));
      return kExitNoOracle;
    }
    oracle = absl::StrCat("JAX ", (*pool)->greeting().jax);
    Interrupted();
    ReplayLive(*corpus, kDefaultRelease, **pool, result);
  }
  Print(options, result, oracle);
  if (Interrupted()) return kExitInterrupted;
  return result.mismatches.empty() ? kExitOk : kExitRefused;
}

}  // namespace

void AddReplay(CLI::App& app, Run& run) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("replay",
                         "Re-checks the corpus: the model against what each "
                         "case expects, and against JAX.");
  command->footer(R"(
  pallasite replay
  pallasite replay --oracle jax corpus/rules

Exit: 0 all as expected, 1 mismatches, 2 unreadable case, 4 no JAX.)");
  command->add_option("PATH", options->paths,
                      "case files or folders; corpus/ by default");
  command
      ->add_option("--oracle", options->oracle,
                   "recorded: verdicts noted in the cases; jax: ask again")
      ->check(CLI::IsMember({"jax", "recorded"}))
      ->capture_default_str();
  AddPoolOptions(*command, options->pool);
  command->add_option("--format", options->format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  command->callback(
      [options, &run] { run = [options] { return Replay(*options); }; });
}

}  // namespace pallasite::cli

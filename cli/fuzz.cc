#include <iostream>
#include <memory>
#include <random>
#include <string>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "cli/campaign.h"
#include "cli/commands.h"
#include "cli/common.h"
#include "cli/corpus.h"
#include "cli/pool.h"
#include "cli/run_dir.h"
#include "nlohmann/json.hpp"

namespace pallasite::cli {
namespace {

struct Options {
  std::optional<double> seconds;
  std::optional<int64_t> runs;
  std::optional<uint64_t> seed;
  std::string areas;
  std::string oracle = "jax";
  PoolOptions pool;
  std::string target;
  std::string shard = "0/1";
  std::string out;
  std::string format = "text";
};

absl::StatusOr<AreaSet> ParseAreas(const std::string& text) {
  if (text.empty()) return AreaSet::All();
  AreaSet areas;
  for (const absl::string_view name : absl::StrSplit(text, ',')) {
    const std::optional<Area> area = AreaFromName({name.data(), name.size()});
    if (!area) {
      std::string known;
      for (const Area a : kAllAreas) {
        absl::StrAppend(&known, known.empty() ? "" : ", ",
                        std::string(Name(a)));
      }
      return absl::InvalidArgumentError(
          absl::StrCat("--area: \"", name, "\" is none of ", known));
    }
    areas.Add(*area);
  }
  return areas;
}

absl::Status ParseShard(const std::string& text, CampaignOptions& options) {
  const std::pair<std::string, std::string> parts =
      absl::StrSplit(text, absl::MaxSplits('/', 1));
  if (!absl::SimpleAtoi(parts.first, &options.shard) ||
      !absl::SimpleAtoi(parts.second, &options.shards) || options.shards < 1 ||
      options.shard < 0 || options.shard >= options.shards) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--shard: expected I/N with 0 <= I < N, got \"", text, "\""));
  }
  return absl::OkStatus();
}

absl::StatusOr<CampaignOptions> MakeCampaign(const Options& options) {
  CampaignOptions campaign = {.seconds = options.seconds, .runs = options.runs};
  if (!campaign.seconds && !campaign.runs) campaign.seconds = 60;
  campaign.seed = options.seed.value_or(
      (uint64_t{std::random_device{}()} << 16) ^ std::random_device{}());
  absl::StatusOr<AreaSet> areas = ParseAreas(options.areas);
  if (!areas.ok()) return areas.status();
  campaign.policy.areas = *areas;
  const absl::StatusOr<TargetOption> target = ParseTarget(options.target);
  if (!target.ok()) return target.status();
  if (target->jax) campaign.policy.release = *target->jax;
  campaign.policy.arch = target->arch;
  if (absl::Status status = ParseShard(options.shard, campaign); !status.ok()) {
    return status;
  }
  return campaign;
}

nlohmann::ordered_json SummaryJson(const CampaignOptions& options,
                                   const Tally& tally, const std::string& jax,
                                   const std::string& out) {
  return {{"configurations", tally.configurations},
          {"compared", tally.compared},
          {"accepted", tally.accepted},
          {"rejected", tally.rejected},
          {"defects", tally.defects},
          {"unmodelled", tally.unmodelled},
          {"divergences", tally.divergences},
          {"valid_generated", tally.valid_generated},
          {"valid_accepted_by_jax", tally.valid_accepted_by_jax},
          {"rules_reached", tally.rules.size()},
          {"raise_sites_reached", tally.raise_sites.size()},
          {"seconds", tally.seconds},
          {"jax", jax},
          {"seed", options.seed},
          {"shard", absl::StrCat(options.shard, "/", options.shards)},
          {"jax_seconds", tally.jax_ms / 1000},
          {"interrupted", Interrupted()},
          {"out", out}};
}

std::string SummaryText(const CampaignOptions& options, const Tally& tally,
                        const std::string& jax, const std::string& out,
                        const std::vector<std::string>& examples) {
  std::string text = absl::StrFormat(
      "seed %u, %.0f seconds, oracle: %s\n"
      "  configurations  %d, %d of them compared with JAX\n"
      "  accepted        %d\n"
      "  rejected        %d\n"
      "  known defects   %d\n"
      "  unmodelled      %d\n"
      "  valid by construction: %d",
      options.seed, tally.seconds, jax, tally.configurations, tally.compared,
      tally.accepted, tally.rejected, tally.defects, tally.unmodelled,
      tally.valid_generated);
  if (tally.compared > 0) {
    absl::StrAppendFormat(&text, ", accepted by JAX: %d",
                          tally.valid_accepted_by_jax);
  }
  absl::StrAppendFormat(
      &text,
      "\n  rules reached   %d, raise sites of JAX reached %d\n"
      "  divergences     %d\n",
      tally.rules.size(), tally.raise_sites.size(), tally.divergences);
  for (const auto& [kind, count] : tally.unmodelled_kinds) {
    absl::StrAppendFormat(&text, "    unmodelled: %s (%d)\n", kind, count);
  }
  for (const std::string& example : examples) {
    absl::StrAppend(&text, "    ", example, "\n");
  }
  absl::StrAppend(&text, "report: ", out, "/summary.json",
                  tally.divergences == 0 ? "" : ", divergences.jsonl beside it",
                  "\n");
  return text;
}

absl::Status WriteReport(const RunDir& out, const CampaignOptions& campaign,
                         const Tally& tally, const std::string& jax) {
  nlohmann::ordered_json report = SummaryJson(campaign, tally, jax, out.path());
  report["rules"] = tally.rules;
  report["raise_sites"] = tally.raise_sites;
  report["unmodelled_kinds"] = tally.unmodelled_kinds;
  return WriteFile(out.File("summary.json"), report.dump(2) + "\n");
}

// Where JAX cannot be asked, what the corpus noted of it stands in.
absl::Status CompareRecorded(Campaign& run) {
  const absl::StatusOr<std::vector<CorpusFile>> corpus =
      LoadCorpus({DefaultCorpus()});
  if (!corpus.ok()) return corpus.status();
  const ReplayResult replayed = ReplayRecorded(*corpus);
  std::vector<std::string> findings;
  for (const auto& [path, what] : replayed.mismatches) {
    findings.push_back(absl::StrCat(path, ": ", what));
  }
  run.AddRecorded(replayed.compared, findings);
  return absl::OkStatus();
}

int Fuzz(const Options& options) {
  const absl::StatusOr<CampaignOptions> campaign = MakeCampaign(options);
  if (!campaign.ok()) {
    PrintError(campaign.status().message());
    return kExitBadInput;
  }
  const std::string path =
      !options.out.empty()
          ? options.out
          : absl::StrCat(ProjectDir(), "/runs/fuzz-", campaign->seed, "-",
                         campaign->shard, "-of-", campaign->shards);
  absl::StatusOr<RunDir> out = RunDir::Open(path);
  if (!out.ok()) {
    PrintError(out.status().message());
    return kExitBadInput;
  }
  std::unique_ptr<OraclePool> pool;
  std::string jax =
      "none: the model and the generators were compared only "
      "with each other";
  if (options.oracle == "jax") {
    absl::StatusOr<std::unique_ptr<OraclePool>> started =
        StartPool(options.pool, campaign->policy.release);
    if (!started.ok()) {
      PrintError(absl::StrCat(
          "real JAX is not available: ", started.status().message(),
          "\nUse --oracle recorded for the verdicts noted in the corpus."));
      return kExitNoOracle;
    }
    pool = *std::move(started);
    jax = absl::StrCat(pool->greeting().jax, " on Python ",
                       pool->greeting().python);
  }
  Interrupted();  // from here on Ctrl-C ends the campaign, not the process
  Campaign run(*campaign, pool.get(), *out);
  absl::Status status = run.Run();
  if (options.oracle == "recorded" && status.ok()) {
    jax = "recorded verdicts of JAX, since JAX itself was not asked";
    status = CompareRecorded(run);
  }
  if (status.ok()) {
    status = WriteReport(*out, *campaign, run.tally(), jax);
  }
  if (options.format == "json") {
    std::cout << SummaryJson(*campaign, run.tally(),
                             pool == nullptr ? "" : pool->greeting().jax, path)
                     .dump()
              << std::endl;
  } else {
    std::cout << SummaryText(*campaign, run.tally(), jax, path, run.examples())
              << std::flush;
  }
  if (!status.ok()) {
    PrintError(status.message());
    return kExitBadInput;
  }
  if (run.tally().divergences > 0) return kExitRefused;
  return Interrupted() ? kExitInterrupted : kExitOk;
}

}  // namespace

void AddFuzz(CLI::App& app, Run& run) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "fuzz",
      "Generates configurations and compares model, generators and real JAX.");
  command->footer(R"(
  pallasite fuzz --seconds 60
  pallasite fuzz --runs 5000 --seed 7 --area ref-union,prefetch
  pallasite fuzz --seconds 600 --shard 2/8 --out runs/night-2

Exit: 0 clean, 1 divergences, 2 bad arguments, 4 no JAX, 130 interrupted.)");
  command->add_option("--seconds", options->seconds, "how long; 60 by default")
      ->check(CLI::PositiveNumber);
  command->add_option("--runs", options->runs, "how many configurations")
      ->check(CLI::PositiveNumber);
  command->add_option("--seed", options->seed,
                      "the same seed gives the same configurations");
  command->add_option("--area", options->areas,
                      "subjects, separated by commas; all by default");
  command
      ->add_option("--oracle", options->oracle,
                   "jax: ask real JAX; recorded: the verdicts noted in the "
                   "corpus; none: model and generators only")
      ->check(CLI::IsMember({"jax", "recorded", "none"}))
      ->capture_default_str();
  AddPoolOptions(*command, options->pool);
  command->add_option("--target", options->target, "jax=RELEASE,arch=X.Y");
  command
      ->add_option("--shard", options->shard,
                   "I/N: take every N-th configuration, from the I-th")
      ->capture_default_str();
  command->add_option("--out", options->out, "folder for the report");
  command->add_option("--format", options->format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  command->callback(
      [options, &run] { run = [options] { return Fuzz(*options); }; });
}

}  // namespace pallasite::cli

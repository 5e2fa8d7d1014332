#ifndef PALLASITE_CLI_CAMPAIGN_H_
#define PALLASITE_CLI_CAMPAIGN_H_

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "cli/run_dir.h"
#include "generators/case.h"
#include "generators/policy.h"
#include "model/config/kernel_config.h"
#include "model/errors/verdict.h"
#include "nlohmann/json_fwd.hpp"
#include "oracle/answer.h"
#include "oracle/client.h"

namespace pallasite::cli {

struct CampaignOptions {
  std::optional<double> seconds;  // at least one of the two is set
  std::optional<int64_t> runs;
  uint64_t seed = 0;
  GenPolicy policy;
  // This campaign takes every `shards`-th configuration, starting at `shard`.
  int64_t shard = 0;
  int64_t shards = 1;
};

// What became of the configurations of a campaign.
struct Tally {
  int64_t configurations = 0;
  int64_t compared = 0;  // with real JAX
  int64_t accepted = 0;
  int64_t rejected = 0;
  int64_t defects = 0;
  int64_t unmodelled = 0;
  int64_t divergences = 0;  // unexplained
  int64_t valid_generated = 0;
  int64_t valid_accepted_by_jax = 0;
  double seconds = 0;
  double jax_ms = 0;                     // time the workers spent inside JAX
  std::map<std::string, int64_t> rules;  // broken, as JAX confirmed
  std::map<std::string, int64_t> raise_sites;  // of JAX
  std::map<std::string, int64_t> unmodelled_kinds;
};

// Generates configurations, asks the model and, given a pool, real JAX, and
// writes every disagreement to the run directory as it is found. Ends early
// when `Interrupted()`.
class Campaign {
 public:
  Campaign(const CampaignOptions& options, OraclePool* pool, RunDir& out)
      : options_(options), pool_(pool), out_(out) {}

  absl::Status Run();
  // Counts cases of the recorded corpus that were replayed beside.
  void AddRecorded(int64_t compared, const std::vector<std::string>& findings);
  const Tally& tally() const { return tally_; }
  // Human-readable, one line a disagreement, at most a handful.
  const std::vector<std::string>& examples() const { return examples_; }

 private:
  using Clock = std::chrono::steady_clock;
  // A configuration on its way to JAX, with what the model says about it.
  struct Question {
    int64_t index = 0;
    GeneratedCase generated;
    Target target;
    Verdict verdict;
    Facts facts;
  };

  bool Done(int64_t taken) const;
  absl::Status Ask(int64_t index);
  absl::Status Settle(const Question& question, const OracleAnswer* answer);
  absl::Status Finding(const Question& question, const OracleAnswer* answer,
                       const std::string& what);
  void ShowProgress(bool last);

  const CampaignOptions options_;
  OraclePool* const pool_;
  RunDir& out_;
  Tally tally_;
  std::vector<std::string> examples_;
  std::map<int64_t, Question> asked_;
  Clock::time_point start_;
  Clock::time_point shown_;
};

// True once Ctrl-C was pressed. Installs the handler when first called.
bool Interrupted();

}  // namespace pallasite::cli

#endif  // PALLASITE_CLI_CAMPAIGN_H_

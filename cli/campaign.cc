#include "cli/campaign.h"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "cli/common.h"
#include "model/evaluate.h"
#include "model/text/json_writer.h"
#include "nlohmann/json.hpp"
#include "oracle/compare.h"

namespace pallasite::cli {
namespace {

constexpr std::chrono::milliseconds kTick{200};
constexpr int kQuestionsAhead = 3;  // per worker, so that none waits for us
constexpr size_t kMaxExamples = 8;

volatile std::sig_atomic_t g_interrupted = 0;

void Interrupt(int) { g_interrupted = 1; }

nlohmann::ordered_json AnswerJson(const OracleAnswer& answer) {
  nlohmann::ordered_json json = {{"outcome", Name(answer.outcome)}};
  if (!answer.exception.empty()) json["class"] = answer.exception;
  if (!answer.message.empty()) json["message"] = answer.message;
  if (answer.phase) json["phase"] = Name(*answer.phase);
  if (!answer.raise_site.empty()) json["raise_site"] = answer.raise_site;
  if (!answer.stderr_tail.empty()) json["stderr"] = answer.stderr_tail;
  return json;
}

}  // namespace

bool Interrupted() {
  static const bool installed = [] {
    struct sigaction action = {};
    action.sa_handler = Interrupt;  // no SA_RESTART: waits end at once
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
    return true;
  }();
  return installed && g_interrupted != 0;
}

bool Campaign::Done(int64_t taken) const {
  if (Interrupted()) return true;
  if (options_.runs && taken >= *options_.runs) return true;
  return options_.seconds &&
         std::chrono::duration<double>(Clock::now() - start_).count() >=
             *options_.seconds;
}

absl::Status Campaign::Run() {
  start_ = Clock::now();
  shown_ = start_;
  const int64_t ahead =
      pool_ == nullptr ? 0 : kQuestionsAhead * pool_->workers();
  int64_t taken = 0;
  while (!Done(taken) || !asked_.empty()) {
    if (Interrupted()) break;
    if (!Done(taken) &&
        (pool_ == nullptr || static_cast<int64_t>(asked_.size()) < ahead)) {
      const absl::Status status =
          Ask(options_.shard + options_.shards * taken++);
      if (!status.ok()) return status;
      if (pool_ == nullptr) ShowProgress(false);
      continue;
    }
    if (std::optional<OracleResult> result = pool_->WaitAny(kTick)) {
      auto question = asked_.extract(result->id);
      const absl::Status status = Settle(question.mapped(), &result->answer);
      if (!status.ok()) return status;
    }
    ShowProgress(false);
  }
  tally_.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  ShowProgress(true);
  return absl::OkStatus();
}

absl::Status Campaign::Ask(int64_t index) {
  Question question = {
      .index = index,
      .generated = GenerateCase(options_.seed, static_cast<uint64_t>(index),
                                options_.policy)};
  question.target = TargetOf(question.generated.config);
  question.verdict =
      Evaluate(question.generated.config, question.target, &question.facts);
  if (pool_ == nullptr) return Settle(question, nullptr);
  pool_->Submit(index, MakeOracleRequest(question.generated.config,
                                         question.target, true));
  asked_.emplace(index, std::move(question));
  return absl::OkStatus();
}

absl::Status Campaign::Settle(const Question& question,
                              const OracleAnswer* answer) {
  const Verdict& verdict = question.verdict;
  ++tally_.configurations;
  switch (verdict.kind) {
    case VerdictKind::kAccepted:
      ++tally_.accepted;
      break;
    case VerdictKind::kRejected:
      ++tally_.rejected;
      break;
    case VerdictKind::kDefect:
      ++tally_.defects;
      break;
    case VerdictKind::kUnmodelled:
      ++tally_.unmodelled;
      ++tally_.unmodelled_kinds[verdict.unmodelled];
      break;
  }
  if (question.generated.valid) ++tally_.valid_generated;
  if (const std::optional<std::string> unmet =
          Unmet(question.generated, verdict)) {
    return Finding(question, answer, *unmet);
  }
  if (answer == nullptr) return absl::OkStatus();
  ++tally_.compared;
  tally_.jax_ms += answer->ms;
  if (answer->outcome == OracleOutcome::kRaised) {
    ++tally_.raise_sites[answer->raise_site];
  }
  if (question.generated.valid && answer->outcome == OracleOutcome::kAccepted) {
    ++tally_.valid_accepted_by_jax;
  }
  if (const std::optional<std::string> difference =
          Differ(verdict, question.facts, *answer)) {
    return Finding(question, answer, *difference);
  }
  if (verdict.rule != nullptr) ++tally_.rules[std::string(verdict.rule->id)];
  return absl::OkStatus();
}

absl::Status Campaign::Finding(const Question& question,
                               const OracleAnswer* answer,
                               const std::string& what) {
  ++tally_.divergences;
  if (examples_.size() < kMaxExamples) examples_.push_back(what);
  nlohmann::ordered_json json = {
      {"index", question.index},
      {"what", what},
      {"expected",
       question.generated.valid ? "valid" : question.generated.rule},
      {"model", VerdictJson(question.verdict, &question.facts)}};
  if (answer != nullptr) json["jax"] = AnswerJson(*answer);
  json["config"] =
      nlohmann::ordered_json::parse(WriteConfig(question.generated.config));
  using nlohmann::ordered_json;
  return out_.AppendDivergence(
      json.dump(-1, ' ', false, ordered_json::error_handler_t::replace));
}

void Campaign::AddRecorded(int64_t compared,
                           const std::vector<std::string>& findings) {
  tally_.compared += compared;
  tally_.divergences += static_cast<int64_t>(findings.size());
  for (const std::string& what : findings) {
    if (examples_.size() < kMaxExamples) examples_.push_back(what);
  }
}

void Campaign::ShowProgress(bool last) {
  const bool terminal = isatty(STDERR_FILENO) != 0;
  const auto now = Clock::now();
  const auto every = terminal ? std::chrono::milliseconds(500)
                              : std::chrono::milliseconds(10000);
  if (!last && now - shown_ < every) return;
  shown_ = now;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const auto percent = [](int64_t part, int64_t whole) {
    return whole == 0
               ? 100.0
               : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  };
  const std::string line = absl::StrFormat(
      "%5.0f s  %d configurations (%.0f/s)  accepted %d  rejected %d  defects "
      "%d  unmodelled %d  valid %.1f%%  rules %d  raise sites %d  divergences "
      "%d",
      seconds, tally_.configurations,
      static_cast<double>(tally_.configurations) / std::max(seconds, 1e-3),
      tally_.accepted, tally_.rejected, tally_.defects, tally_.unmodelled,
      pool_ == nullptr
          ? 100.0
          : percent(tally_.valid_accepted_by_jax, tally_.valid_generated),
      tally_.rules.size(), tally_.raise_sites.size(), tally_.divergences);
  std::fprintf(stderr, terminal ? "\r\033[K%s%s" : "%s%s", line.c_str(),
               terminal && !last ? "" : "\n");
}

}  // namespace pallasite::cli

#include "oracle/answer.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "model/text/python_emitter.h"
#include "nlohmann/json.hpp"

namespace pallasite {
namespace {

using Json = nlohmann::json;

// Version of the protocol; oracle/worker.py says it in its greeting.
constexpr int64_t kProtocol = 1;

absl::Status NotUnderstood(std::string_view line, std::string_view problem) {
  constexpr size_t kShown = 200;
  return absl::InternalError(absl::StrCat("the oracle's worker wrote ",
                                          std::string(line.substr(0, kShown)),
                                          ": ", std::string(problem)));
}

std::optional<Phase> PhaseFromName(std::string_view name) {
  for (const Phase phase : {Phase::kConstruct, Phase::kTrace, Phase::kLower}) {
    if (Name(phase) == name) return phase;
  }
  return std::nullopt;
}

std::optional<OracleOutcome> OutcomeFromName(std::string_view name) {
  for (const OracleOutcome outcome :
       {OracleOutcome::kAccepted, OracleOutcome::kRaised,
        OracleOutcome::kUnusable}) {
    if (Name(outcome) == name) return outcome;
  }
  return std::nullopt;
}

Facts FactsFromJson(const Json& json) {
  Facts facts;
  json.at("smem_bytes").get_to(facts.smem_bytes);
  json.at("tmem_columns").get_to(facts.tmem_columns);
  json.at("tmem_collective_columns").get_to(facts.tmem_collective_columns);
  json.at("barrier_allocations").get_to(facts.barrier_allocations);
  json.at("barriers").get_to(facts.barriers);
  for (const Json& member : json.at("union_members")) {
    facts.union_members.push_back({.path = member.at("path"),
                                   .group = member.at("group"),
                                   .offset = member.at("offset")});
  }
  return facts;
}

}  // namespace

OracleRequest MakeOracleRequest(const KernelConfig& config,
                                const Target& target, bool with_facts) {
  OracleRequest request = {.body = EmitPythonBody(config, target),
                           .arch = target.arch};
  if (with_facts) {
    request.facts_about.emplace();
    for (const auto& [name, tree] : config.scratch) {
      request.facts_about->push_back(name);
    }
  }
  return request;
}

std::string_view Name(OracleOutcome outcome) {
  switch (outcome) {
    case OracleOutcome::kAccepted:
      return "accepted";
    case OracleOutcome::kRaised:
      return "raised";
    case OracleOutcome::kUnusable:
      return "unusable";
    case OracleOutcome::kCrashed:
      return "crashed";
    case OracleOutcome::kTimedOut:
      return "timed-out";
    case OracleOutcome::kMemory:
      return "memory";
  }
  return "";
}

std::string EncodeRequest(int64_t id, const OracleRequest& request,
                          double limit_seconds) {
  Json json = {{"id", id},
               {"body", request.body},
               {"arch", {request.arch.major, request.arch.minor}},
               {"limit_s", limit_seconds}};
  if (request.facts_about) {
    json["facts"] = true;
    json["scratch"] = *request.facts_about;
  }
  return json.dump(-1, ' ', /*ensure_ascii=*/true,
                   Json::error_handler_t::replace) +
         "\n";
}

// The library reports a missing or mistyped field by exception; the worker is
// ours, so there is one place that turns any of them into a status.
absl::StatusOr<Greeting> DecodeGreeting(std::string_view line) {
  try {
    const Json json = Json::parse(line);
    if (json.at("hello") != kProtocol) {
      return NotUnderstood(line, "another version of oracle/worker.py");
    }
    return Greeting{.jax = json.at("jax"), .python = json.at("python")};
  } catch (const Json::exception& error) {
    return NotUnderstood(line, error.what());
  }
}

absl::StatusOr<OracleAnswer> DecodeAnswer(std::string_view line, int64_t id) {
  try {
    const Json json = Json::parse(line);
    if (json.at("id") != id) return NotUnderstood(line, "not what was asked");
    const auto outcome = OutcomeFromName(json.at("outcome").get<std::string>());
    if (!outcome) return NotUnderstood(line, "unknown outcome");
    OracleAnswer answer = {.outcome = *outcome};
    if (*outcome != OracleOutcome::kAccepted) {
      json.at("class").get_to(answer.exception);
      json.at("message").get_to(answer.message);
      json.at("raise_site").get_to(answer.raise_site);
      answer.phase = PhaseFromName(json.at("phase").get<std::string>());
    }
    if (json.contains("facts")) answer.facts = FactsFromJson(json["facts"]);
    json.at("ms").get_to(answer.ms);
    answer.rss_bytes = json.at("rss_kib").get<int64_t>() * 1024;
    return answer;
  } catch (const Json::exception& error) {
    return NotUnderstood(line, error.what());
  }
}

}  // namespace pallasite

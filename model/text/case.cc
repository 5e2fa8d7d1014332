#include "model/text/case.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "model/text/facts_json.h"
#include "model/text/json_config_reader.h"
#include "model/text/json_emit.h"
#include "model/text/json_spelling.h"
#include "model/text/json_writer.h"
#include "model/text/release.h"

namespace pallasite {
namespace {

constexpr int64_t kCaseVersion = 1;

constexpr ObjectKeys kCaseKeys = {
    .name = "case",
    .fields = {"case", "about", "config", "expect", "observed", "provenance"}};
constexpr ObjectKeys kExpectedKeys = {
    .name = "expected",
    .fields = {"verdict", "rule", "class", "message", "phase", "location"}};
constexpr ObjectKeys kObservedKeys = {
    .name = "observed",
    .fields = {"how", "outcome", "class", "message", "phase", "raise_site",
               "facts"}};

constexpr Word<VerdictKind> kVerdicts[] = {
    {VerdictKind::kAccepted, "accepted"},
    {VerdictKind::kRejected, "rejected"},
    {VerdictKind::kDefect, "defect"},
    {VerdictKind::kUnmodelled, "unmodelled"}};
constexpr Word<Phase> kPhases[] = {{Phase::kConstruct, "construct"},
                                   {Phase::kTrace, "trace"},
                                   {Phase::kLower, "lower"}};
constexpr Word<Evidence> kEvidence[] = {{Evidence::kOracle, "oracle"},
                                        {Evidence::kSource, "source"}};
constexpr Word<bool> kOutcomes[] = {{true, "accepted"}, {false, "raised"}};

class CaseReader : public ConfigReader {
 public:
  bool Case(const JsonValue& value, const Location& at, CorpusCase& out);

 private:
  template <typename T, typename Read>
  bool ByRelease(const JsonValue& value, const Location& at,
                 std::map<Release, T>& out, Read&& read);
  bool ReadExpected(const JsonValue& value, const Location& at,
                    ExpectedVerdict& out);
  bool ReadObserved(const JsonValue& value, const Location& at,
                    ObservedVerdict& out);
  bool Error(const JsonValue& value, const Location& at, JaxError& out);
  // Text that must not be empty.
  bool Text(const JsonValue& value, const Location& at, std::string& out);
  // Refuses keys that do not go with the rest of a verdict.
  bool Without(const JsonValue& value, const Location& at,
               std::initializer_list<std::string_view> keys,
               std::string_view verdict);
};

bool CaseReader::Case(const JsonValue& value, const Location& at,
                      CorpusCase& out) {
  int64_t version = 0;
  if (!Object(value, at, kCaseKeys) ||
      !Required(value, at, "case", version, Via(&Decoder::Int))) {
    return false;
  }
  if (version != kCaseVersion) {
    return Refuse(Location(at, "case"),
                  absl::StrCat("case version ", version,
                               " is unknown; expected ", kCaseVersion));
  }
  const auto expect = [this](const JsonValue& v, const Location& l,
                             std::map<Release, ExpectedVerdict>& verdicts) {
    return ByRelease(v, l, verdicts, Via(&CaseReader::ReadExpected));
  };
  const auto observed = [this](const JsonValue& v, const Location& l,
                               std::map<Release, ObservedVerdict>& verdicts) {
    return ByRelease(v, l, verdicts, Via(&CaseReader::ReadObserved));
  };
  return Required(value, at, "about", out.about, Via(&CaseReader::Text)) &&
         Required(value, at, "config", out.config,
                  Via(&ConfigReader::Config)) &&
         Required(value, at, "expect", out.expect, expect) &&
         Member(value, at, "observed", out.observed, observed) &&
         Member(value, at, "provenance", out.provenance,
                Via(&CaseReader::Text));
}

template <typename T, typename Read>
bool CaseReader::ByRelease(const JsonValue& value, const Location& at,
                           std::map<Release, T>& out, Read&& read) {
  if (value.kind != JsonValue::Kind::kObject) {
    return Expected(at, "an object from JAX releases to verdicts", value);
  }
  for (size_t i = 0; i < value.items.size(); ++i) {
    const std::string& key = value.keys[i];
    const absl::StatusOr<Release> release = ParseRelease(key);
    if (!release.ok()) {
      const absl::string_view why = release.status().message();
      return Refuse(at, {why.data(), why.size()});
    }
    const auto [entry, is_new] = out.try_emplace(*release);
    if (!is_new) {
      return Refuse(at, absl::StrCat("the release ", Quoted(key),
                                     " is there twice; keep one of them"));
    }
    if (!read(value.items[i], Location(at, key), entry->second)) return false;
  }
  return true;
}

bool CaseReader::ReadExpected(const JsonValue& value, const Location& at,
                              ExpectedVerdict& out) {
  const auto verdict = [this](const JsonValue& v, const Location& l,
                              VerdictKind& kind) {
    return OneOf(v, l, kVerdicts, kind);
  };
  if (!Object(value, at, kExpectedKeys) ||
      !Required(value, at, "verdict", out.verdict, verdict)) {
    return false;
  }
  const std::string_view name = pallasite::Name(out.verdict);
  if (out.verdict == VerdictKind::kAccepted) {
    return Without(value, at, {"rule", "class", "message", "phase", "location"},
                   name);
  }
  if (!Member(value, at, "location", out.location, Via(&CaseReader::Text))) {
    return false;
  }
  if (out.verdict == VerdictKind::kUnmodelled) {
    return Without(value, at, {"rule", "class", "message", "phase"}, name);
  }
  if (!Required(value, at, "rule", out.rule, Via(&CaseReader::Text))) {
    return false;
  }
  if (out.verdict == VerdictKind::kDefect && value.Find("class") == nullptr) {
    return Without(value, at, {"message", "phase"},
                   "defect that JAX accepts (without \"class\")");
  }
  return Error(value, at, out.error.emplace());
}

bool CaseReader::ReadObserved(const JsonValue& value, const Location& at,
                              ObservedVerdict& out) {
  const auto how = [this](const JsonValue& v, const Location& l,
                          Evidence& evidence) {
    return OneOf(v, l, kEvidence, evidence);
  };
  const auto outcome = [this](const JsonValue& v, const Location& l,
                              bool& accepted) {
    return OneOf(v, l, kOutcomes, accepted);
  };
  bool accepted = false;
  if (!Object(value, at, kObservedKeys) ||
      !Required(value, at, "how", out.how, how) ||
      !Required(value, at, "outcome", accepted, outcome)) {
    return false;
  }
  if (!accepted) {
    return Without(value, at, {"facts"}, "raised") &&
           Error(value, at, out.error.emplace()) &&
           Member(value, at, "raise_site", out.raise_site,
                  Via(&CaseReader::Text));
  }
  const auto facts = [this](const JsonValue& v, const Location& l, Facts& f) {
    return DecodeFacts(v, l, *this, f);
  };
  return Without(value, at, {"class", "message", "phase", "raise_site"},
                 "accepted") &&
         Member(value, at, "facts", out.facts, facts);
}

bool CaseReader::Error(const JsonValue& value, const Location& at,
                       JaxError& out) {
  const auto phase = [this](const JsonValue& v, const Location& l, Phase& p) {
    return OneOf(v, l, kPhases, p);
  };
  return Required(value, at, "class", out.exception, Via(&CaseReader::Text)) &&
         Required(value, at, "message", out.message, Via(&Decoder::String)) &&
         Required(value, at, "phase", out.phase, phase);
}

bool CaseReader::Text(const JsonValue& value, const Location& at,
                      std::string& out) {
  if (!String(value, at, out)) return false;
  return !out.empty() || Refuse(at, "expected some text, got \"\"");
}

bool CaseReader::Without(const JsonValue& value, const Location& at,
                         std::initializer_list<std::string_view> keys,
                         std::string_view verdict) {
  for (const std::string_view key : keys) {
    if (value.Find(key) != nullptr) {
      return Refuse(at, absl::StrCat("the key ", Quoted(key),
                                     " does not go with the verdict ",
                                     AsAbsl(verdict), "; leave it out"));
    }
  }
  return true;
}

void EmitError(const JaxError& error, JsonEmitter& out) {
  out.Member("class", error.exception);
  out.Member("message", error.message);
  out.Member("phase", Name(error.phase));
}

void EmitExpected(const ExpectedVerdict& expected, JsonEmitter& out) {
  out.Open('{', JsonEmitter::Layout::kBlock);
  out.Member("verdict", Name(expected.verdict));
  if (!expected.rule.empty()) out.Member("rule", expected.rule);
  if (expected.error) EmitError(*expected.error, out);
  if (!expected.location.empty()) out.Member("location", expected.location);
  out.Close();
}

void EmitObserved(const ObservedVerdict& observed, JsonEmitter& out) {
  out.Open('{', JsonEmitter::Layout::kBlock);
  out.Member("how", WordFor(kEvidence, observed.how));
  out.Member("outcome", WordFor(kOutcomes, !observed.error.has_value()));
  if (observed.error) EmitError(*observed.error, out);
  if (!observed.raise_site.empty()) {
    out.Member("raise_site", observed.raise_site);
  }
  if (observed.facts) {
    out.Key("facts");
    EmitFacts(*observed.facts, out);
  }
  out.Close();
}

template <typename T, typename Emit>
void EmitByRelease(std::string_view key, const std::map<Release, T>& verdicts,
                   Emit emit, JsonEmitter& out) {
  out.Key(key);
  out.Open('{', JsonEmitter::Layout::kBlock);
  for (const auto& [release, verdict] : verdicts) {
    out.Key(FormatRelease(release));
    emit(verdict, out);
  }
  out.Close();
}

}  // namespace

absl::StatusOr<CorpusCase> ReadCase(std::string_view json) {
  const absl::StatusOr<JsonValue> value = ParseJson(json);
  if (!value.ok()) return value.status();
  CaseReader reader;
  CorpusCase corpus_case;
  if (!reader.Case(*value, Location(), corpus_case)) return reader.status();
  return corpus_case;
}

std::string WriteCase(const CorpusCase& corpus_case) {
  JsonEmitter out;
  out.Open('{', JsonEmitter::Layout::kBlock);
  out.Member("case", kCaseVersion);
  out.Member("about", corpus_case.about);
  out.Key("config");
  EmitConfig(corpus_case.config, JsonEmitter::Layout::kAligned, out);
  EmitByRelease("expect", corpus_case.expect, EmitExpected, out);
  if (!corpus_case.observed.empty()) {
    EmitByRelease("observed", corpus_case.observed, EmitObserved, out);
  }
  if (!corpus_case.provenance.empty()) {
    out.Member("provenance", corpus_case.provenance);
  }
  out.Close();
  return std::move(out).Take() + "\n";
}

}  // namespace pallasite

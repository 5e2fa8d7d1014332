#include "cli/corpus.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "cli/common.h"
#include "model/evaluate.h"
#include "oracle/compare.h"

namespace pallasite::cli {
namespace {

namespace fs = std::filesystem;

constexpr char kRecords[] = "documented_errors";

std::string Shown(const fs::path& path) {
  std::error_code error;
  const fs::path relative = fs::relative(path, ProjectDir(), error);
  const bool inside = !error && !relative.empty() && *relative.begin() != "..";
  return (inside ? relative : path).string();
}

absl::Status Collect(const std::string& path, std::vector<fs::path>& files) {
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    files.emplace_back(path);
    return absl::OkStatus();
  }
  for (fs::recursive_directory_iterator it(path, error), end;
       !error && it != end; it.increment(error)) {
    if (it->is_directory() && it->path().filename() == kRecords) {
      it.disable_recursion_pending();
    } else if (it->path().extension() == ".json") {
      files.push_back(it->path());
    }
  }
  if (error) {
    return absl::UnavailableError(
        absl::StrCat(path, ": cannot be listed: ", error.message()));
  }
  return absl::OkStatus();
}

bool SameText(const ExpectedVerdict& a, const ExpectedVerdict& b) {
  return a.verdict == b.verdict && a.rule == b.rule && a.error == b.error &&
         (a.location.empty() || a.location == b.location);
}

std::string Text(const ExpectedVerdict& verdict) {
  std::string text(Name(verdict.verdict));
  if (!verdict.rule.empty()) absl::StrAppend(&text, " ", verdict.rule);
  if (verdict.error) {
    absl::StrAppend(&text, " ", verdict.error->exception, " (",
                    std::string(Name(verdict.error->phase)),
                    "): ", verdict.error->message);
  }
  if (!verdict.location.empty()) {
    absl::StrAppend(&text, " at ", verdict.location);
  }
  return text;
}

}  // namespace

absl::StatusOr<std::vector<CorpusFile>> LoadCorpus(
    const std::vector<std::string>& paths) {
  std::vector<fs::path> files;
  for (const std::string& path : paths) {
    if (absl::Status status = Collect(path, files); !status.ok()) {
      return status;
    }
  }
  std::sort(files.begin(), files.end());
  std::vector<CorpusFile> corpus;
  for (const fs::path& path : files) {
    absl::StatusOr<std::string> text = ReadFile(path.string());
    if (!text.ok()) return text.status();
    absl::StatusOr<CorpusCase> content = ReadCase(*text);
    if (!content.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat(Shown(path), ": ", content.status().message()));
    }
    corpus.push_back({Shown(path), *std::move(content)});
  }
  return corpus;
}

std::string DefaultCorpus() { return ProjectDir() + "/corpus"; }

Target TargetOf(const CorpusCase& corpus_case, const Release& release) {
  Target target = pallasite::TargetOf(corpus_case.config);
  target.jax = release;
  return target;
}

ReplayResult ReplayRecorded(const std::vector<CorpusFile>& corpus) {
  ReplayResult result;
  ForEachExpectation(corpus, [&](const CorpusFile& file, const Release& jax) {
    const CorpusCase& content = file.content;
    Facts facts;
    const Verdict verdict =
        Evaluate(content.config, TargetOf(content, jax), &facts);
    ++result.cases;
    const ExpectedVerdict& expected = content.expect.at(jax);
    if (const ExpectedVerdict actual = ExpectationFrom(verdict);
        !SameText(expected, actual)) {
      result.mismatches.emplace_back(
          file.path, absl::StrCat("expected ", Text(expected),
                                  "\n  the model says ", Text(actual)));
    }
    const auto observed = content.observed.find(jax);
    if (observed == content.observed.end() ||
        observed->second.how != Evidence::kOracle) {
      return;
    }
    ++result.compared;
    if (auto what = Differ(verdict, facts, AnswerFrom(observed->second))) {
      result.mismatches.emplace_back(file.path, *what);
    }
  });
  return result;
}

OracleAnswer AnswerFrom(const ObservedVerdict& observed) {
  OracleAnswer answer = {.raise_site = observed.raise_site,
                         .facts = observed.facts};
  if (observed.error &&
      observed.error->exception == Name(PyExc::kSegmentationFault)) {
    answer.outcome = OracleOutcome::kCrashed;
    answer.message = std::string(kDiedOfSegmentationFault);
  } else if (observed.error) {
    answer.outcome = OracleOutcome::kRaised;
    answer.exception = observed.error->exception;
    answer.message = observed.error->message;
    answer.phase = observed.error->phase;
  }
  return answer;
}

ObservedVerdict ObservationFrom(const OracleAnswer& answer) {
  ObservedVerdict observed = {.raise_site = answer.raise_site,
                              .facts = answer.facts};
  if (answer.outcome == OracleOutcome::kCrashed) {
    observed.error =
        JaxError{.exception = std::string(Name(PyExc::kSegmentationFault)),
                 .phase = Phase::kLower};
  } else if (answer.outcome == OracleOutcome::kRaised) {
    observed.error = JaxError{.exception = answer.exception,
                              .message = answer.message,
                              .phase = answer.phase.value_or(Phase::kLower)};
  }
  return observed;
}

ExpectedVerdict ExpectationFrom(const Verdict& verdict) {
  ExpectedVerdict expected = {.verdict = verdict.kind,
                              .location = verdict.location};
  if (verdict.rule != nullptr) expected.rule = std::string(verdict.rule->id);
  if (verdict.error) {
    expected.error =
        JaxError{.exception = std::string(Name(verdict.error->exception)),
                 .message = verdict.error->message,
                 .phase = verdict.error->phase};
  }
  return expected;
}

}  // namespace pallasite::cli

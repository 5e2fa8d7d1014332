#ifndef PALLASITE_CLI_CORPUS_H_
#define PALLASITE_CLI_CORPUS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "model/text/case.h"
#include "oracle/answer.h"

namespace pallasite::cli {

struct CorpusFile {
  std::string path;  // relative to the project folder where it is inside
  CorpusCase content;
};

// Every case file (*.json) below the given files and folders, by path.
// `corpus/documented_errors` holds records, not cases, and is passed over.
absl::StatusOr<std::vector<CorpusFile>> LoadCorpus(
    const std::vector<std::string>& paths);

// `<project>/corpus`.
std::string DefaultCorpus();

// Every (case, release) that the corpus expects something of.
template <typename Visit>
void ForEachExpectation(const std::vector<CorpusFile>& corpus, Visit&& visit) {
  for (const CorpusFile& file : corpus) {
    for (const auto& [release, expected] : file.content.expect) {
      visit(file, release);
    }
  }
}

struct ReplayResult {
  int64_t cases = 0;     // a case counts once a release
  int64_t compared = 0;  // with JAX, live or recorded
  std::vector<std::pair<std::string, std::string>> mismatches;  // path, what
};
// The model against every expectation and every recorded verdict of JAX.
ReplayResult ReplayRecorded(const std::vector<CorpusFile>& corpus);

// The target a case is about on a release.
Target TargetOf(const CorpusCase& corpus_case, const Release& release);

// A recorded observation as an answer of the oracle, and back.
OracleAnswer AnswerFrom(const ObservedVerdict& observed);
ObservedVerdict ObservationFrom(const OracleAnswer& answer);
ExpectedVerdict ExpectationFrom(const Verdict& verdict);

}  // namespace pallasite::cli

#endif  // PALLASITE_CLI_CORPUS_H_

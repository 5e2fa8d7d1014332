#include "cli/rule_record.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "generators/mutations/mutation.h"
#include "model/catalogue.h"
#include "model/text/json_writer.h"
#include "model/text/release.h"
#include "nlohmann/json.hpp"

namespace pallasite::cli {
namespace {

std::string RangeText(const ReleaseRange& range) {
  if (!range.first && !range.last) return "all";
  return absl::StrCat(range.first ? FormatRelease(*range.first) : "", "..",
                      range.last ? FormatRelease(*range.last) : "");
}

bool Used(const Wording& wording) { return wording.pattern.data() != nullptr; }

const Wording& Newest(const RuleDoc& doc) {
  const Wording* newest = &doc.wordings[0];
  for (const Wording& wording : doc.wordings) {
    if (Used(wording)) newest = &wording;
  }
  return *newest;
}

void AddCase(const CorpusFile& file, RuleRecord& record) {
  for (const auto& [release, expected] : file.content.expect) {
    if (expected.rule != record.doc->id) continue;
    if (record.corpus.empty() || record.corpus.back() != file.path) {
      record.corpus.push_back(file.path);
    }
    if (record.example.empty()) {
      record.example = WriteConfig(file.content.config);
      if (expected.error) record.example_message = expected.error->message;
    }
    const auto observed = file.content.observed.find(release);
    if (observed == file.content.observed.end() ||
        observed->second.how != Evidence::kOracle) {
      continue;
    }
    ++record.observed[FormatRelease(release)];
    if (!observed->second.raise_site.empty()) {
      record.raise_sites.insert(observed->second.raise_site);
    }
  }
}

}  // namespace

std::vector<RuleRecord> MakeRuleRecords(const std::vector<CorpusFile>& corpus) {
  std::vector<RuleRecord> records;
  for (const RuleDoc* doc : Catalogue()) {
    RuleRecord record = {.doc = doc,
                         .mutation = FindMutation(doc->id) != nullptr};
    for (const CorpusFile& file : corpus) AddCase(file, record);
    records.push_back(std::move(record));
  }
  return records;
}

nlohmann::ordered_json ToJson(const RuleRecord& record) {
  const RuleDoc& doc = *record.doc;
  nlohmann::ordered_json aliases = nlohmann::ordered_json::array();
  for (const std::string_view alias : doc.aliases) {
    if (!alias.empty()) aliases.push_back(alias);
  }
  nlohmann::ordered_json releases = nlohmann::ordered_json::array();
  for (const Wording& wording : doc.wordings) {
    if (!Used(wording)) continue;
    releases.push_back({{"releases", RangeText(wording.releases)},
                        {"class", Name(wording.raises)},
                        {"pattern", wording.pattern}});
  }
  const Wording& newest = Newest(doc);
  nlohmann::ordered_json json = {{"id", doc.id},
                                 {"aliases", aliases},
                                 {"area", doc.area},
                                 {"phase", Name(doc.phase)},
                                 {"class", Name(newest.raises)},
                                 {"pattern", newest.pattern},
                                 {"releases", releases},
                                 {"raise_sites", record.raise_sites},
                                 {"observed", nlohmann::ordered_json::object()},
                                 {"mutation", record.mutation},
                                 {"corpus", record.corpus},
                                 {"why", doc.why},
                                 {"fix", doc.fix},
                                 {"source", doc.source},
                                 {"defect", Name(doc.defect)}};
  for (const auto& [release, count] : record.observed) {
    json["observed"][release] = count;
  }
  if (doc.defect != DefectKind::kNone) json["spec_verdict"] = doc.spec_verdict;
  return json;
}

std::string ExplainText(const RuleRecord& record, const Style& style) {
  const RuleDoc& doc = *record.doc;
  const Wording& newest = Newest(doc);
  std::string text;
  const auto line = [&](std::string_view label, std::string_view value) {
    text += std::string(style.dim) + std::string(label) +
            std::string(style.off) + std::string(value) + "\n";
  };
  text += std::string(style.bold) + std::string(doc.id) +
          std::string(style.off) + "\n";
  if (doc.defect == DefectKind::kAccepted) {
    line("raises    ", "nothing: JAX accepts");
  } else {
    line("raises    ", absl::StrCat(std::string(Name(newest.raises)), ": ",
                                    std::string(newest.pattern)));
  }
  line("phase     ", Name(doc.phase));
  line("area      ", doc.area);
  line("source    ", doc.source);
  line("releases  ", RangeText(newest.releases));
  line("why       ", doc.why);
  line("fix       ", doc.fix);
  if (doc.defect != DefectKind::kNone) {
    line("defect    ", Name(doc.defect));
    line("right     ", doc.spec_verdict);
  }
  for (const std::string_view alias : doc.aliases) {
    if (!alias.empty()) line("also      ", alias);
  }
  for (const std::string& site : record.raise_sites) line("raised at ", site);
  for (const auto& [release, count] : record.observed) {
    line("seen      ", absl::StrCat(count, count == 1 ? " case" : " cases",
                                    " on JAX ", release));
  }
  if (!record.example.empty()) {
    text += absl::StrCat("\n", record.example);
    if (!record.example_message.empty()) {
      text += absl::StrCat("-> ", record.example_message, "\n");
    }
  }
  return text;
}

}  // namespace pallasite::cli

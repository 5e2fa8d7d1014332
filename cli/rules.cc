#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "cli/commands.h"
#include "cli/common.h"
#include "cli/corpus.h"
#include "cli/errors_page.h"
#include "cli/rule_record.h"
#include "model/catalogue.h"
#include "model/text/release.h"
#include "nlohmann/json.hpp"

namespace pallasite::cli {
namespace {

struct RulesOptions {
  std::string format = "text";
  std::string corpus;
};

struct ExplainOptions {
  std::string id;
  std::string format = "text";
};

absl::StatusOr<std::vector<RuleRecord>> Records(const std::string& corpus) {
  absl::StatusOr<std::vector<CorpusFile>> files =
      LoadCorpus({corpus.empty() ? DefaultCorpus() : corpus});
  if (!files.ok()) return files.status();
  return MakeRuleRecords(*files);
}

int Rules(const RulesOptions& options) {
  const absl::StatusOr<std::vector<RuleRecord>> records =
      Records(options.corpus);
  if (!records.ok()) {
    PrintError(records.status().message());
    return kExitBadInput;
  }
  if (options.format == "json") {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const RuleRecord& record : *records) all.push_back(ToJson(record));
    std::cout << all.dump(1) << "\n";
    return kExitOk;
  }
  if (options.format == "markdown") {
    std::cout << ErrorsPage(*records);
    return kExitOk;
  }
  const Style& style = Colours();
  int64_t observed = 0;
  for (const RuleRecord& record : *records) {
    const bool seen = !record.observed.empty();
    observed += seen ? 1 : 0;
    std::cout << (seen ? style.good : style.warn)
              << (seen ? "seen    " : "unseen  ") << style.off << record.doc->id
              << style.dim << "  " << Name(record.doc->phase)
              << (record.doc->defect == DefectKind::kNone ? "" : "  defect")
              << style.off << "\n";
  }
  std::cout << records->size() << " rules, " << observed
            << " of them seen from real JAX in the corpus\n";
  return kExitOk;
}

std::string Closest(const std::string& id) {
  // The rule that shares the most of its words with what was asked for.
  std::string best;
  size_t most = 0;
  for (const RuleDoc* rule : Catalogue()) {
    const std::string known(rule->id);
    size_t same = 0;
    while (same < known.size() && same < id.size() && known[same] == id[same]) {
      ++same;
    }
    if (known.find(id) != known.npos) same = id.size() + 1;
    if (same > most) {
      most = same;
      best = known;
    }
  }
  return best;
}

int Explain(const ExplainOptions& options) {
  const RuleDoc* rule = FindRule(options.id);
  if (rule == nullptr) {
    const std::string closest = Closest(options.id);
    PrintError(absl::StrCat(
        "no rule \"", options.id, "\"",
        closest.empty() ? "" : absl::StrCat("; did you mean ", closest, "?"),
        " `pallasite rules` lists them all."));
    return kExitBadInput;
  }
  const absl::StatusOr<std::vector<RuleRecord>> records = Records("");
  if (!records.ok()) {
    PrintError(records.status().message());
    return kExitBadInput;
  }
  const auto record =
      std::find_if(records->begin(), records->end(),
                   [&](const RuleRecord& r) { return r.doc == rule; });
  std::cout << (options.format == "json" ? ToJson(*record).dump(1) + "\n"
                                         : ExplainText(*record, Colours()));
  return kExitOk;
}

}  // namespace

void AddRules(CLI::App& app, Run& run) {
  auto options = std::make_shared<RulesOptions>();
  CLI::App* command =
      app.add_subcommand("rules",
                         "Lists every documented error, and how often real JAX "
                         "was seen to raise it.");
  command->footer(R"(
  pallasite rules --format json | jq '.[] | select(.observed == {})'
  pallasite rules --format markdown > docs/errors.md)");
  command->add_option("--format", options->format, "text, json or markdown")
      ->check(CLI::IsMember({"text", "json", "markdown"}))
      ->capture_default_str();
  command->add_option("--corpus", options->corpus, "instead of corpus/");
  command->callback(
      [options, &run] { run = [options] { return Rules(*options); }; });
}

void AddExplain(CLI::App& app, Run& run) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App* command = app.add_subcommand(
      "explain",
      "Explains one rule: what it says, why, the fix, and an example.");
  command->footer(R"(
  pallasite explain construct.ref-union.collective-mix
  pallasite explain some-aliased-tmem-references-are-collective-and-so)");
  command
      ->add_option("ID", options->id,
                   "rule id, or the slug or id of a public record")
      ->required();
  command->add_option("--format", options->format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  command->callback(
      [options, &run] { run = [options] { return Explain(*options); }; });
}

}  // namespace pallasite::cli

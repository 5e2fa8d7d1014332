#include "model/graphs/precedence.h"

#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "cli/commands.h"
#include "cli/common.h"
#include "model/catalogue.h"
#include "nlohmann/json.hpp"

namespace pallasite::cli {
namespace {

struct Options {
  std::vector<std::string> rules;
  std::string format = "text";
  bool dot = false;
};

std::string StagesText(const StageRange& stages) {
  std::string text(Name(stages.first));
  if (stages.last != stages.first) {
    absl::StrAppend(&text, " to ", std::string(Name(stages.last)));
  }
  return text;
}

const ListedRule* FindListed(const std::string& id) {
  const RuleDoc* doc = FindRule(id);
  for (const ListedRule& rule : ListedRules()) {
    if (rule.doc == doc) return &rule;
  }
  return nullptr;
}

// Which of two rules is reported when a configuration breaks both.
int Compare(const std::vector<std::string>& ids) {
  const ListedRule* rules[2];
  for (size_t i = 0; i < 2; ++i) {
    rules[i] = FindListed(ids[i]);
    if (rules[i] == nullptr) {
      PrintError(absl::StrCat("no rule is called \"", ids[i],
                              "\"; pallasite rules lists them"));
      return kExitBadInput;
    }
  }
  const Precedence& precedence = Precedence::OfCatalogue();
  const bool first = precedence.Dominates(*rules[0]->doc, *rules[1]->doc);
  const bool second = precedence.Dominates(*rules[1]->doc, *rules[0]->doc);
  if (first || second) {
    std::cout << rules[second ? 1 : 0]->doc->id << "\n";
  } else {
    std::cout << "the one whose place comes first in the configuration\n";
  }
  for (const ListedRule* rule : rules) {
    std::cout << "  " << rule->doc->id << ": " << StagesText(rule->stages);
    if (rule->doc->defect == DefectKind::kAccepted) {
      std::cout << ", wrongly accepted: yields to every refusal";
    }
    std::cout << "\n";
  }
  return kExitOk;
}

int List(const Options& options) {
  const Precedence& precedence = Precedence::OfCatalogue();
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const RuleDoc* doc : precedence.Order()) {
    const ListedRule& rule = *FindListed(std::string(doc->id));
    if (options.format == "json") {
      all.push_back({{"id", doc->id},
                     {"first_stage", Name(rule.stages.first)},
                     {"last_stage", Name(rule.stages.last)},
                     {"refuses", doc->defect != DefectKind::kAccepted}});
    } else {
      std::cout << doc->id << "  " << Colours().dim << StagesText(rule.stages)
                << Colours().off << "\n";
    }
  }
  if (options.format == "json") std::cout << all.dump(1) << "\n";
  return kExitOk;
}

int Precede(const Options& options) {
  if (options.dot) {
    std::cout << Precedence::OfCatalogue().Dot();
    return kExitOk;
  }
  if (options.rules.empty()) return List(options);
  if (options.rules.size() == 2) return Compare(options.rules);
  PrintError("precedence takes two rules, or none to list them all");
  return kExitBadInput;
}

}  // namespace

void AddPrecedence(CLI::App& app, Run& run) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "precedence", "Which error is reported when several rules are broken.");
  command->footer(R"(
  pallasite precedence                         all rules, in the order of JAX's stages
  pallasite precedence lower.smem.exceeds-limit lower.barrier.too-many
  pallasite precedence --dot | dot -Tsvg > precedence.svg

Exit: 0 done, 2 bad arguments.)");
  command->add_option("rules", options->rules, "two rule ids or aliases");
  command->add_flag("--dot", options->dot, "the graph, for Graphviz");
  command->add_option("--format", options->format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  command->callback(
      [options, &run] { run = [options] { return Precede(*options); }; });
}

}  // namespace pallasite::cli

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include "generators/mutations/mutation.h"
#include "gtest/gtest.h"
#include "model/catalogue.h"
#include "model/text/case.h"
#include "model/text/python_emitter.h"
#include "tests/paths.h"

namespace pallasite {
namespace {

namespace fs = std::filesystem;

std::string Slurp(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return std::move(text).str();
}

// The cases of a corpus folder by file name.
std::map<std::string, CorpusCase> Cases(const std::string& folder) {
  std::map<std::string, CorpusCase> cases;
  for (const auto& entry :
       fs::directory_iterator(SourcePath("corpus/") + folder)) {
    if (entry.path().extension() != ".json") continue;
    const auto read = ReadCase(Slurp(entry.path()));
    EXPECT_TRUE(read.ok()) << entry.path() << ": " << read.status();
    if (read.ok()) cases[entry.path().stem().string()] = *read;
  }
  return cases;
}

TEST(Completeness, EveryRuleHasAMutation) {
  for (const RuleDoc* rule : Catalogue()) {
    EXPECT_NE(FindMutation(rule->id), nullptr) << rule->id;
  }
  std::set<std::string> broken;
  for (const Mutation& mutation : Mutations()) {
    EXPECT_NE(FindRule(mutation.rule), nullptr) << mutation.rule;
    EXPECT_TRUE(broken.insert(std::string(mutation.rule)).second)
        << mutation.rule << " twice";
  }
}

TEST(Completeness, EveryRuleHasACaseThatRealJaxWasSeenToRaise) {
  const auto rules = Cases("rules");
  const auto defects = Cases("defects");
  for (const RuleDoc* rule : Catalogue()) {
    const std::string id(rule->id);
    SCOPED_TRACE(id);
    const auto& home = rule->defect == DefectKind::kNone ? rules : defects;
    const auto found = home.find(id);
    ASSERT_NE(found, home.end()) << "no case; run `pallasite bless --missing`";
    const CorpusCase& example = found->second;
    EXPECT_EQ(example.expect.at(kDefaultRelease).rule, id);
    const ObservedVerdict& observed = example.observed.at(kDefaultRelease);
    EXPECT_EQ(observed.how, Evidence::kOracle);
    EXPECT_EQ(observed.error.has_value(),
              rule->defect != DefectKind::kAccepted);
  }
  EXPECT_EQ(rules.size() + defects.size(), Catalogue().size())
      << "a case of a rule that is gone";
}

TEST(Completeness, EveryDefectHasTheScriptThatReproducesIt) {
  for (const auto& [id, example] : Cases("defects")) {
    const std::string script =
        Slurp(SourcePath("corpus/defects/") + id + ".py");
    EXPECT_EQ(script, EmitReproScript(example.config, *example.config.target))
        << id << ": run `pallasite bless` on it again";
  }
}

}  // namespace
}  // namespace pallasite

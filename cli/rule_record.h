#ifndef PALLASITE_CLI_RULE_RECORD_H_
#define PALLASITE_CLI_RULE_RECORD_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "cli/common.h"
#include "cli/corpus.h"
#include "model/errors/rule.h"
#include "nlohmann/json_fwd.hpp"

namespace pallasite::cli {

// A rule with what the generators and the recorded corpus know about it.
struct RuleRecord {
  const RuleDoc* doc = nullptr;
  std::set<std::string> raise_sites;  // of JAX, as recorded
  // Release to how many cases saw real JAX do it.
  std::map<std::string, int64_t> observed;
  bool mutation = false;            // a generator breaks exactly this rule
  std::vector<std::string> corpus;  // case files that are about it
  // The first of them: its configuration, and what it raises.
  std::string example;
  std::string example_message;
};

// One record a rule, in catalogue order.
std::vector<RuleRecord> MakeRuleRecords(const std::vector<CorpusFile>& corpus);

nlohmann::ordered_json ToJson(const RuleRecord& record);
std::string ExplainText(const RuleRecord& record, const Style& style);

}  // namespace pallasite::cli

#endif  // PALLASITE_CLI_RULE_RECORD_H_

#include "model/catalogue.h"

#include <string_view>
#include <vector>

#include "model/construct/barrier.h"
#include "model/construct/kernel.h"
#include "model/construct/ref.h"
#include "model/construct/ref_union.h"
#include "model/lower/lane/prefetch.h"
#include "model/lower/lane/union_member.h"
#include "model/lower/shared/cluster_axis.h"
#include "model/lower/shared/device_id.h"
#include "model/lower/shared/gmem_access.h"
#include "model/lower/shared/index_values.h"
#include "model/lower/shared/kernel.h"
#include "model/lower/shared/print_layout.h"
#include "model/lower/shared/resources.h"
#include "model/lower/shared/scoped.h"
#include "model/lower/shared/tma.h"
#include "model/lower/shared/tma_descriptor.h"
#include "model/lower/shared/warp_map.h"
#include "model/lower/warpgroup/prefetch.h"
#include "model/lower/warpgroup/smem_use.h"
#include "model/trace/indexer.h"
#include "model/trace/prefetch.h"
#include "model/trace/ref_union.h"
#include "model/trace/scalar.h"
#include "model/trace/scratch.h"
#include "model/trace/views.h"

namespace pallasite {
namespace {

// One line per table, in the order in which Evaluate consults them.
RuleList BuildCatalogue() {
  RuleList rules;
  AppendRefConstructionRules(rules);
  AppendRefUnionRules(rules);
  AppendBarrierRules(rules);
  AppendKernelRules(rules);
  AppendScratchRules(rules);
  AppendScalarRules(rules);
  AppendIndexerRules(rules);
  AppendViewRules(rules);
  AppendPrefetchTraceRules(rules);
  AppendRefUnionTraceRules(rules);
  AppendKernelLoweringRules(rules);
  AppendClusterAxisRules(rules);
  AppendResourceRules(rules);
  AppendScopedRules(rules);
  AppendUnionMemberRules(rules);
  AppendPrintLayoutRules(rules);
  AppendSmemUseRules(rules);
  AppendDeviceIdRules(rules);
  AppendWarpMapRules(rules);
  AppendIndexValueRules(rules);
  AppendGmemAccessRules(rules);
  AppendTmaRules(rules);
  AppendTmaDescriptorRules(rules);
  AppendLanePrefetchRules(rules);
  AppendWarpgroupPrefetchRules(rules);
  return rules;
}

}  // namespace

absl::Span<const RuleDoc* const> Catalogue() {
  static const auto& docs = *new std::vector<const RuleDoc*>([] {
    std::vector<const RuleDoc*> docs;
    for (const ListedRule& rule : ListedRules()) docs.push_back(rule.doc);
    return docs;
  }());
  return docs;
}

absl::Span<const ListedRule> ListedRules() {
  static const RuleList& rules = *new RuleList(BuildCatalogue());
  return rules;
}

const RuleDoc* FindRule(std::string_view id_or_alias) {
  for (const RuleDoc* rule : Catalogue()) {
    if (rule->id == id_or_alias) return rule;
    for (const std::string_view alias : rule->aliases) {
      if (!alias.empty() && alias == id_or_alias) return rule;
    }
  }
  return nullptr;
}

}  // namespace pallasite

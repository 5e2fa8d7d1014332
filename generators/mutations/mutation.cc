#include "generators/mutations/mutation.h"

#include <optional>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "model/catalogue.h"
#include "model/evaluate.h"

namespace pallasite {
namespace {

struct Table {
  AreaSet areas;  // what its rows are about
  absl::Span<const Mutation> rows;
};

std::vector<Table> Tables() {
  using namespace mutations;
  return {
      {{Area::kSmem, Area::kTmem}, RefMutations()},
      {{Area::kRefUnion}, RefUnionMutations()},
      {{Area::kKernel}, KernelMutations()},
      {{Area::kBarriers}, BarrierMutations()},
      {{Area::kSmem, Area::kTmem, Area::kAccumulators}, ScratchMutations()},
      {{Area::kPrintLayout}, PrintLayoutMutations()},
      {{Area::kPrefetch}, IndexingMutations()},
      {{Area::kPrefetch}, GatherMutations()},
      {{Area::kPrefetch}, RemoteMutations()},
      {{Area::kPrefetch}, PrefetchMutations()},
  };
}

// A row with what decides whether a policy wants it.
struct Candidate {
  const Mutation* mutation = nullptr;
  const RuleDoc* rule = nullptr;
  AreaSet areas;
};

struct Rows {
  std::vector<Mutation> all;
  std::vector<Candidate> candidates;
  absl::flat_hash_map<std::string_view, const Mutation*> by_rule;
};

const Rows& AllRows() {
  static const Rows& rows = *new Rows([] {
    Rows rows;
    std::vector<AreaSet> areas;
    for (const Table& table : Tables()) {
      rows.all.insert(rows.all.end(), table.rows.begin(), table.rows.end());
      areas.resize(rows.all.size(), table.areas);
    }
    for (size_t i = 0; i < rows.all.size(); ++i) {
      const Mutation& row = rows.all[i];
      rows.by_rule.emplace(row.rule, &row);
      rows.candidates.push_back({&row, FindRule(row.rule), areas[i]});
    }
    return rows;
  }());
  return rows;
}

// Every such configuration costs a worker of the oracle and the seconds that a
// new one takes. Corpus replay asks them instead.
bool KillsPython(const RuleDoc& rule) {
  return rule.wordings[0].raises == PyExc::kSegmentationFault;
}

bool Wants(const GenPolicy& policy, const Candidate& candidate) {
  return policy.areas.HasAnyOf(candidate.areas) && candidate.rule != nullptr &&
         candidate.rule->WordingFor(policy.release) != nullptr &&
         !KillsPython(*candidate.rule);
}

// The rows that a policy wants. A campaign asks for the same ones every time.
const std::vector<const Mutation*>& Wanted(const GenPolicy& policy) {
  struct Answer {
    AreaSet areas;
    Release release;
    std::vector<const Mutation*> rows;
  };
  thread_local std::optional<Answer> last;
  if (!last || last->areas != policy.areas || last->release != policy.release) {
    last = Answer{policy.areas, policy.release, {}};
    for (const Candidate& candidate : AllRows().candidates) {
      if (Wants(policy, candidate)) last->rows.push_back(candidate.mutation);
    }
  }
  return last->rows;
}

}  // namespace

absl::Span<const Mutation> Mutations() { return AllRows().all; }

const Mutation* FindMutation(std::string_view rule) {
  const auto found = AllRows().by_rule.find(rule);
  return found == AllRows().by_rule.end() ? nullptr : found->second;
}

const Mutation* BreakSomeRule(KernelConfig& config, Choices& choices,
                              const GenPolicy& policy) {
  const std::vector<const Mutation*>& wanted = Wanted(policy);
  if (wanted.empty()) return nullptr;
  const Mutation* mutation = choices.Pick(wanted);
  if (!mutation->apply(config, choices)) return nullptr;
  const bool kept_lowering =
      !policy.lowering ||
      LoweringOf(config, policy.release) == *policy.lowering;
  return kept_lowering ? mutation : nullptr;
}

}  // namespace pallasite

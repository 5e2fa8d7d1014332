#include "properties/order_does_not_matter.h"

#include <cstddef>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "model/config/walk.h"
#include "model/evaluate.h"
#include "properties/describe.h"

namespace pallasite {
namespace {

template <typename T>
void Shuffle(Choices& choices, std::vector<T>& items) {
  for (size_t left = items.size(); left > 1; --left) {
    std::swap(items[left - 1], items[choices.UpTo(left - 1)]);
  }
}

void ShuffleDicts(Choices& choices, RefTree& tree) {
  const auto all = [&](std::vector<RefTree>& trees) {
    for (RefTree& child : trees) ShuffleDicts(choices, child);
  };
  std::visit(Overloaded{[&](RefSequence& sequence) { all(sequence.items); },
                        [&](RefUnionSpec& spec) { all(spec.groups); },
                        [&](RefDict& dict) {
                          Shuffle(choices, dict.entries);
                          for (auto& entry : dict.entries) {
                            ShuffleDicts(choices, entry.second);
                          }
                        },
                        [](auto&) {}},
             tree.node);
}

bool SameResources(const Facts& a, const Facts& b) {
  return a.smem_bytes == b.smem_bytes && a.tmem_columns == b.tmem_columns &&
         a.tmem_collective_columns == b.tmem_collective_columns &&
         a.barrier_allocations == b.barrier_allocations &&
         a.barriers == b.barriers;
}

}  // namespace

Failure OrderDoesNotMatter(const KernelConfig& accepted, Choices& choices) {
  Facts before;
  Facts after;
  Evaluate(accepted, TargetOf(accepted), &before);
  KernelConfig shuffled = accepted;
  Shuffle(choices, shuffled.scratch);
  Shuffle(choices, shuffled.body);
  for (auto& entry : shuffled.scratch) ShuffleDicts(choices, entry.second);
  const Verdict verdict = Evaluate(shuffled, TargetOf(shuffled), &after);
  if (verdict.kind != VerdictKind::kAccepted) {
    return "refused in another order: " + Describe(verdict);
  }
  if (!SameResources(before, after)) return "other resources in another order";
  return std::nullopt;
}

}  // namespace pallasite

#ifndef PALLASITE_MODEL_CONFIG_WALK_H_
#define PALLASITE_MODEL_CONFIG_WALK_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>

#include "absl/container/inlined_vector.h"
#include "model/config/kernel_config.h"
#include "model/config/ref.h"
#include "model/errors/location.h"

namespace pallasite {

template <class... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};
template <class... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

// Positions of a dict's entries in the order in which JAX flattens them.
inline absl::InlinedVector<size_t, 4> SortedEntries(const RefDict& dict) {
  absl::InlinedVector<size_t, 4> order(dict.entries.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return dict.entries[a].first < dict.entries[b].first;
  });
  return order;
}

enum class TreeOrder : uint8_t {
  kSource,   // as Python evaluates the expression
  kFlatten,  // as jax.tree.leaves visits it: dicts by sorted key
};

// Calls visit(const RefTree&, const Location&) -> bool for every leaf of a
// tree; a union is a leaf, as it is for JAX. Stops, and returns false, when a
// visit does.
template <typename Visit>
bool ForEachLeaf(const RefTree& tree, const Location& at, TreeOrder order,
                 Visit&& visit) {
  if (const auto* sequence = std::get_if<RefSequence>(&tree.node)) {
    for (size_t i = 0; i < sequence->items.size(); ++i) {
      if (!ForEachLeaf(sequence->items[i],
                       Location(at, static_cast<int64_t>(i)), order, visit)) {
        return false;
      }
    }
    return true;
  }
  if (const auto* dict = std::get_if<RefDict>(&tree.node)) {
    const auto sorted = SortedEntries(*dict);
    for (size_t i = 0; i < dict->entries.size(); ++i) {
      const size_t entry = order == TreeOrder::kFlatten ? sorted[i] : i;
      const auto& [key, child] = dict->entries[entry];
      if (!ForEachLeaf(child, Location(at, key), order, visit)) return false;
    }
    return true;
  }
  return visit(tree, at);
}

// Every leaf of the scratch, in the order in which JAX allocates them.
template <typename Visit>
bool ForEachScratchLeaf(const KernelConfig& config, const Location& root,
                        Visit&& visit) {
  const Location scratch(root, "scratch");
  for (const auto& [name, tree] : config.scratch) {
    if (!ForEachLeaf(tree, Location(scratch, name), TreeOrder::kFlatten,
                     visit)) {
      return false;
    }
  }
  return true;
}

}  // namespace pallasite

#endif  // PALLASITE_MODEL_CONFIG_WALK_H_

#include "model/resolve.h"

#include <cstddef>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace pallasite {
namespace {

// The value of an entry; null when there is none of that name.
template <typename Entry>
auto Find(const std::vector<Entry>& entries, const std::string& name)
    -> decltype(&entries[0].second) {
  for (const Entry& entry : entries) {
    if (entry.first == name) return &entry.second;
  }
  return nullptr;
}

// One step down; null when there is nothing there.
const RefTree* Child(const RefTree& tree, const PathStep& step) {
  if (const auto* dict = std::get_if<RefDict>(&tree.node)) {
    const auto* key = std::get_if<std::string>(&step);
    return key == nullptr ? nullptr : Find(dict->entries, *key);
  }
  const auto* index = std::get_if<int64_t>(&step);
  if (index == nullptr || *index < 0) return nullptr;
  const auto position = static_cast<size_t>(*index);
  const std::vector<RefTree>* items = nullptr;
  if (const auto* s = std::get_if<RefSequence>(&tree.node)) items = &s->items;
  if (const auto* u = std::get_if<RefUnionSpec>(&tree.node)) {
    items = &u->groups;
  }
  return items != nullptr && position < items->size() ? &(*items)[position]
                                                      : nullptr;
}

}  // namespace

ResolvedRef Resolve(const KernelConfig& config, const RefExpr& expr) {
  ResolvedRef resolved;
  resolved.array = Find(config.inputs, expr.name);
  resolved.is_input = resolved.array != nullptr;
  if (resolved.array == nullptr) {
    resolved.array = Find(config.outputs, expr.name);
  }
  if (resolved.array != nullptr) {
    resolved.unsupported = !expr.path.empty();
    return resolved;
  }
  const RefTree* tree = Find(config.scratch, expr.name);
  for (const PathStep& step : expr.path) {
    if (tree == nullptr) break;
    if (const auto* through = std::get_if<RefUnionSpec>(&tree->node)) {
      resolved.unsupported |= resolved.union_of != nullptr;
      resolved.union_of = through;
    }
    tree = Child(*tree, step);
  }
  resolved.leaf = tree;
  resolved.unsupported |= tree == nullptr ||
                          std::holds_alternative<RefSequence>(tree->node) ||
                          std::holds_alternative<RefDict>(tree->node);
  return resolved;
}

const RefUnionSpec* UnionOf(const ResolvedRef& resolved) {
  if (resolved.union_of != nullptr || resolved.leaf == nullptr) {
    return resolved.union_of;
  }
  return std::get_if<RefUnionSpec>(&resolved.leaf->node);
}

}  // namespace pallasite

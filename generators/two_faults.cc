#include "generators/two_faults.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "generators/mutations/mutation.h"
#include "generators/valid.h"

namespace pallasite {
namespace {

using Renaming = absl::flat_hash_map<std::string, std::string>;

void Rename(const Renaming& names, std::vector<Op>& body) {
  for (Op& op : body) {
    RefExpr* ref = nullptr;
    if (auto* prefetch = std::get_if<AsyncPrefetchOp>(&op.node)) {
      ref = &prefetch->ref;
    } else if (auto* print = std::get_if<PrintLayoutOp>(&op.node)) {
      ref = &print->ref;
    } else {
      Rename(names, std::get<WarpMapOp>(op.node).body);
      continue;
    }
    const auto found = names.find(ref->name);
    if (found != names.end()) ref->name = found->second;
  }
}

bool IsTaken(const KernelConfig& config, const std::string& name) {
  const auto has = [&](const auto& items) {
    return std::any_of(items.begin(), items.end(),
                       [&](const auto& item) { return item.first == name; });
  };
  return has(config.inputs) || has(config.outputs) || has(config.scratch);
}

std::string FreeName(const KernelConfig& one, const KernelConfig& other,
                     const std::string& name) {
  for (int i = 2;; ++i) {
    std::string candidate = absl::StrCat(name, i);
    if (!IsTaken(one, candidate) && !IsTaken(other, candidate)) {
      return candidate;
    }
  }
}

// Gives what `config` has beyond `base` names that `other` does not use.
void Disentangle(const KernelConfig& base, const KernelConfig& other,
                 KernelConfig& config) {
  Renaming names;
  const auto rename = [&](auto& items, size_t from) {
    for (size_t i = from; i < items.size(); ++i) {
      std::string& name = items[i].first;
      if (!IsTaken(other, name)) continue;
      std::string fresh = FreeName(config, other, name);
      names.emplace(name, fresh);
      name = std::move(fresh);
    }
  };
  rename(config.scratch, 0);
  rename(config.inputs, base.inputs.size());
  rename(config.outputs, base.outputs.size());
  Rename(names, config.body);
}

// Of two versions the one that was changed. False: both were.
template <typename T>
bool TakeChanged(const T& base, const T& a, const T& b, T& out) {
  out = a == base ? b : a;
  return a == base || b == base || a == b;
}

bool MergeArrays(const Named<ArraySpec>& base, const Named<ArraySpec>& a,
                 const Named<ArraySpec>& b, Named<ArraySpec>& out) {
  if (a.size() < base.size() || b.size() < base.size()) return false;
  out.resize(base.size());
  for (size_t i = 0; i < base.size(); ++i) {
    if (!TakeChanged(base[i], a[i], b[i], out[i])) return false;
  }
  const auto rest = static_cast<std::ptrdiff_t>(base.size());
  out.insert(out.end(), a.begin() + rest, a.end());
  out.insert(out.end(), b.begin() + rest, b.end());
  return true;
}

template <typename T>
std::vector<T> Joined(const std::vector<T>& a, const std::vector<T>& b) {
  std::vector<T> all = a;
  all.insert(all.end(), b.begin(), b.end());
  return all;
}

// `a` and `b` come from `base`, whose scratch and body only `a` may have.
std::optional<KernelConfig> Merge(const KernelConfig& base,
                                  const KernelConfig& a,
                                  const KernelConfig& b) {
  KernelConfig merged;
  if (!TakeChanged(base.target, a.target, b.target, merged.target) ||
      !TakeChanged(base.mesh, a.mesh, b.mesh, merged.mesh) ||
      !TakeChanged(base.kernel, a.kernel, b.kernel, merged.kernel) ||
      !MergeArrays(base.inputs, a.inputs, b.inputs, merged.inputs) ||
      !MergeArrays(base.outputs, a.outputs, b.outputs, merged.outputs)) {
    return std::nullopt;
  }
  merged.scratch = Joined(a.scratch, b.scratch);
  merged.body = Joined(a.body, b.body);
  return merged;
}

}  // namespace

std::optional<TwoFaults> GenTwoFaults(Choices& choices,
                                      const GenPolicy& policy) {
  const KernelConfig base = GenKernelConfig(choices, policy);
  KernelConfig full = base;
  const Mutation* in_full = BreakSomeRule(full, choices, policy);
  KernelConfig bare = base;
  bare.scratch.clear();
  bare.body.clear();
  const Mutation* in_bare = BreakSomeRule(bare, choices, policy);
  if (in_full == nullptr || in_bare == nullptr) return std::nullopt;
  Disentangle(base, full, bare);
  TwoFaults::Fault a = {std::move(full), in_full->rule};
  TwoFaults::Fault b = {std::move(bare), in_bare->rule};
  if (choices.Bool()) std::swap(a, b);
  std::optional<KernelConfig> merged = Merge(base, a.config, b.config);
  if (!merged) return std::nullopt;
  for (KernelConfig* alone : {&a.config, &b.config}) {
    alone->target = merged->target;
    alone->mesh = merged->mesh;
    alone->kernel = merged->kernel;
    alone->inputs = merged->inputs;
    alone->outputs = merged->outputs;
  }
  return TwoFaults{*std::move(merged), std::move(a), std::move(b)};
}

}  // namespace pallasite

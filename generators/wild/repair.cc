#include "generators/wild/repair.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "generators/wild/parts.h"
#include "model/config/walk.h"

namespace pallasite::wild {

void BoundElements(Shape& shape, int64_t limit) {
  int64_t left = limit;
  for (int64_t& extent : shape) {
    extent = std::min(extent, left);
    left /= std::max<int64_t>(extent, 1);
  }
}

namespace {

// Gives the entries of a map names of their own.
template <typename T>
void MakeNamesDiffer(Named<T>& entries,
                     absl::Span<const std::string_view> names) {
  std::vector<std::string> taken;
  for (auto& [name, value] : entries) {
    const auto is_taken = [&](std::string_view n) {
      return std::find(taken.begin(), taken.end(), n) != taken.end();
    };
    for (size_t i = 0; is_taken(name) && i < names.size(); ++i) {
      if (!is_taken(names[i])) name = names[i];
    }
    taken.push_back(name);
  }
}

// Drops later entries that repeat an earlier key.
template <typename Entries, typename Key>
void DropRepeated(Entries& entries, Key&& key) {
  for (size_t i = 0; i < entries.size(); ++i) {
    for (size_t j = entries.size(); j > i + 1; --j) {
      if (key(entries[j - 1]) == key(entries[i])) {
        entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(j - 1));
      }
    }
  }
}

void RepairViews(std::vector<View>& views) {
  for (View& view : views) {
    if (auto* cluster = std::get_if<ClusterView>(&view)) {
      DropRepeated(cluster->block_id,
                   [](const auto& entry) { return entry.first; });
    }
    auto* peer = std::get_if<PeerView>(&view);
    auto* dict =
        peer != nullptr ? std::get_if<DeviceIdDict>(&peer->device_id) : nullptr;
    if (dict == nullptr) continue;
    for (auto& entry : dict->entries) {
      if (entry.axes.empty()) entry.axes.emplace_back("q");
    }
    DropRepeated(dict->entries,
                 [](const DeviceIdDict::Entry& entry) { return entry.axes; });
  }
}

void BoundShapes(RefTree& tree) {
  const auto all = [](std::vector<RefTree>& trees) {
    for (RefTree& child : trees) BoundShapes(child);
  };
  std::visit(Overloaded{[](RefSpec& ref) { BoundElements(ref.shape); },
                        [](AccumulatorSpec& acc) {
                          BoundElements(acc.shape, kMaxAccumulatorElements);
                        },
                        [&](RefSequence& sequence) { all(sequence.items); },
                        [&](RefUnionSpec& spec) { all(spec.groups); },
                        [](RefDict& dict) {
                          for (auto& entry : dict.entries) {
                            BoundShapes(entry.second);
                          }
                        },
                        [](auto&) {}},
             tree.node);
}

class Repairer {
 public:
  Repairer(Choices& choices, const GenPolicy& policy,
           const KernelConfig& config)
      : parts_(choices, policy, config), refs_(Refs(config)) {}

  void Body(std::vector<Op>& body) {
    if (refs_.empty()) body.clear();
    for (Op& op : body) {
      std::visit(
          Overloaded{[&](AsyncPrefetchOp& prefetch) { Expr(prefetch.ref); },
                     [&](PrintLayoutOp& print) { Expr(print.ref); },
                     [&](WarpMapOp& warp_map) { Body(warp_map.body); }},
          op.node);
    }
  }

 private:
  void Expr(RefExpr& expr) {
    RepairViews(expr.views);
    const bool exists =
        std::any_of(refs_.begin(), refs_.end(), [&](const RefExpr& ref) {
          return ref.name == expr.name && ref.path == expr.path;
        });
    if (exists) return;
    RefExpr target = parts_.AnyRef();
    expr.name = std::move(target.name);
    expr.path = std::move(target.path);
  }

  Parts parts_;
  const std::vector<RefExpr> refs_;
};

}  // namespace

void Repair(Choices& choices, const GenPolicy& policy, KernelConfig& config) {
  constexpr std::string_view kNames[] = {"s", "t", "u", "v", "w",
                                         "a", "b", "g", "h"};
  MakeNamesDiffer(config.scratch, kNames);
  for (auto& entry : config.inputs) BoundElements(entry.second.shape);
  for (auto& entry : config.outputs) BoundElements(entry.second.shape);
  for (auto& entry : config.scratch) BoundShapes(entry.second);
  Repairer(choices, policy, config).Body(config.body);
}

}  // namespace pallasite::wild

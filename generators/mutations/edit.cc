#include "generators/mutations/edit.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "generators/valid/context.h"
#include "model/config/walk.h"
#include "model/evaluate.h"

namespace pallasite::mutations {
namespace {

template <typename T>
bool HasName(const Named<T>& entries, std::string_view name) {
  return std::any_of(entries.begin(), entries.end(),
                     [&](const auto& entry) { return entry.first == name; });
}

std::string FreshName(const KernelConfig& config, std::string_view base) {
  const auto is_free = [&](const std::string& name) {
    return !HasName(config.inputs, name) && !HasName(config.outputs, name) &&
           !HasName(config.scratch, name);
  };
  std::string name(base);
  // Where there are many, their number is the first that is likely to be free.
  for (size_t i = config.scratch.size(); !is_free(name); ++i) {
    name = absl::StrCat(absl::string_view(base.data(), base.size()), i);
  }
  return name;
}

// Whether a ref in TMEM has the packing that counting its columns takes.
// Another mutation may have seen to it that it has not.
bool HasCells(const RefSpec& ref) {
  if (ref.layout) return ref.layout->packing.value_or(1) > 0;
  return !ref.packed.value_or(false) || Info(ref.dtype).bits <= 32;
}

// What the scratch takes, as JAX counts it.
struct ScratchUse {
  int64_t smem = 0;  // refs, padded, with barriers and the address of TMEM
  int64_t columns = 0;
  std::optional<bool> collective;
};

void Count(const RefTree& tree, ScratchUse& use);

// A union takes what its largest group does.
void CountUnion(const RefUnionSpec& spec, ScratchUse& use) {
  ScratchUse largest;
  for (const RefTree& group : spec.groups) {
    ScratchUse taken;
    Count(group, taken);
    largest.smem = std::max(largest.smem, taken.smem);
    largest.columns = std::max(largest.columns, taken.columns);
    if (taken.collective) largest.collective = taken.collective;
  }
  use.smem += largest.smem;
  use.columns += largest.columns;
  if (largest.collective) use.collective = largest.collective;
}

void Count(const RefTree& tree, ScratchUse& use) {
  ForEachLeaf(
      tree, Location(), TreeOrder::kFlatten,
      [&](const RefTree& leaf, const Location&) {
        const auto barriers = [&](const Shape& shape) {
          int64_t count = 1;
          for (const int64_t extent : shape) count *= extent;
          use.smem += 8 * count;
        };
        if (const auto* ref = std::get_if<RefSpec>(&leaf.node)) {
          if (ref->space == MemorySpace::kTmem && HasCells(*ref)) {
            use.columns += AlignUp<int64_t>(valid::TmemColumns(*ref), 8);
            use.collective = ref->collective.value_or(false);
          } else if (ref->space == MemorySpace::kSmem) {
            use.smem +=
                AlignUp(valid::SmemBytes(*ref), valid::SmemBudget::kAlignment);
          }
        } else if (const auto* b = std::get_if<BarrierSpec>(&leaf.node)) {
          barriers(b->num_barriers);
        } else if (const auto* c =
                       std::get_if<ClusterBarrierSpec>(&leaf.node)) {
          barriers(c->num_barriers);
        } else if (const auto* u = std::get_if<RefUnionSpec>(&leaf.node)) {
          CountUnion(*u, use);
        }
        return true;
      });
}

ScratchUse UseOf(const KernelConfig& config) {
  ScratchUse use{.smem = 4};
  for (const auto& entry : config.scratch) Count(entry.second, use);
  return use;
}

// Calls visit(RefTree&, bool in_union) for every leaf, unions' members
// included.
template <typename Visit>
void ForEachNode(RefTree& tree, bool in_union, Visit&& visit) {
  if (auto* sequence = std::get_if<RefSequence>(&tree.node)) {
    for (RefTree& item : sequence->items) ForEachNode(item, in_union, visit);
  } else if (auto* dict = std::get_if<RefDict>(&tree.node)) {
    for (auto& entry : dict->entries) {
      ForEachNode(entry.second, in_union, visit);
    }
  } else {
    visit(tree, in_union);
    if (auto* spec = std::get_if<RefUnionSpec>(&tree.node)) {
      for (RefTree& group : spec->groups) ForEachNode(group, true, visit);
    }
  }
}

void SetCollective(RefTree& tree, bool collective) {
  ForEachNode(tree, false, [&](RefTree& leaf, bool) {
    auto* ref = std::get_if<RefSpec>(&leaf.node);
    if (ref != nullptr && ref->space == MemorySpace::kTmem) {
      ref->collective = collective;
    }
  });
}

void DropOpsOnScratch(const KernelConfig& config, std::vector<Op>& body) {
  const auto on_scratch = [&](const RefExpr& ref) {
    return !HasName(config.inputs, ref.name) &&
           !HasName(config.outputs, ref.name);
  };
  body.erase(
      std::remove_if(body.begin(), body.end(),
                     [&](Op& op) {
                       return std::visit(
                           Overloaded{[&](const AsyncPrefetchOp& prefetch) {
                                        return on_scratch(prefetch.ref);
                                      },
                                      [&](const PrintLayoutOp& print) {
                                        return on_scratch(print.ref);
                                      },
                                      [&](WarpMapOp& warp_map) {
                                        DropOpsOnScratch(config, warp_map.body);
                                        return warp_map.body.empty();
                                      }},
                           op.node);
                     }),
      body.end());
}

RefSpec& SomeRefOf(KernelConfig& config, Choices& choices, bool in_unions,
                   RefFilter passes, RefSpec fallback) {
  std::vector<RefSpec*> refs;
  for (auto& entry : config.scratch) {
    ForEachNode(entry.second, false, [&](RefTree& leaf, bool in_union) {
      auto* ref = std::get_if<RefSpec>(&leaf.node);
      if (ref != nullptr && (in_unions || !in_union) && passes(*ref)) {
        refs.push_back(ref);
      }
    });
  }
  if (refs.empty()) return AddRef(config, std::move(fallback));
  return *choices.Pick(refs);
}

}  // namespace

// --- Kernel

bool IsLane(const KernelConfig& config) {
  const Release release = config.target ? config.target->jax : kDefaultRelease;
  return LoweringOf(config, release) == Lowering::kLane;
}

void RequireLowering(KernelConfig& config, Lowering lowering) {
  if (IsLane(config) == (lowering == Lowering::kLane)) return;
  config.kernel.params.lowering = lowering;
  config.scratch.clear();
  config.body.clear();
}

std::vector<std::string> RequireClusterAxes(KernelConfig& config,
                                            size_t count) {
  AxisList& cluster = config.kernel.cluster;
  constexpr std::string_view kNames[] = {"c", "e", "f", "c1", "e1", "f1"};
  for (const std::string_view name : kNames) {
    if (cluster.names.size() >= count) break;
    if (std::find(cluster.names.begin(), cluster.names.end(), name) !=
        cluster.names.end()) {
      continue;
    }
    cluster.names.emplace_back(name);
    cluster.sizes.push_back(1);
  }
  return cluster.names;
}

void ReplaceCluster(KernelConfig& config, const Shape& sizes) {
  config.scratch.clear();
  config.body.clear();
  config.kernel.cluster.sizes.clear();
  config.kernel.cluster.names.clear();
  RequireClusterAxes(config, sizes.size());
  config.kernel.cluster.sizes = sizes;
}

std::string RequireGridAxis(KernelConfig& config) {
  AxisList& grid = config.kernel.grid;
  if (grid.names.empty()) {
    grid.names.emplace_back("i");
    grid.sizes.push_back(4);
  }
  return grid.names.back();
}

std::string RequireMeshAxis(KernelConfig& config) {
  if (config.mesh.empty()) {
    config.mesh.emplace_back("d", 2);
    config.body.clear();
  }
  return config.mesh.front().first;
}

void RequireNoMesh(KernelConfig& config) {
  if (config.mesh.empty()) return;
  config.mesh.clear();
  config.body.clear();
}

void RequireThreads(KernelConfig& config) {
  ThreadAxis& threads = config.kernel.threads;
  if (threads.count) return;
  threads = {.count = 2, .name = "wg"};
}

void RequireNoThreads(KernelConfig& config) {
  if (!config.kernel.threads.count) return;
  config.kernel.threads = {};
  config.body.clear();
}

// --- Scratch

void ClearScratch(KernelConfig& config) {
  config.scratch.clear();
  DropOpsOnScratch(config, config.body);
}

RefTree& AddScratch(KernelConfig& config, RefTree tree) {
  std::string name = FreshName(config, "extra");
  config.scratch.emplace_back(std::move(name), std::move(tree));
  return config.scratch.back().second;
}

RefTree& AddLeaf(KernelConfig& config, RefTree leaf) {
  ScratchUse added;
  Count(leaf, added);
  const ScratchUse use = UseOf(config);
  if (use.smem + added.smem > valid::SmemBudget::kLimit ||
      use.columns + added.columns > valid::TmemBudget::kLimit) {
    ClearScratch(config);
  } else if (use.collective) {
    SetCollective(leaf, *use.collective);
  }
  return AddScratch(config, std::move(leaf));
}

RefSpec& AddRef(KernelConfig& config, RefSpec ref) {
  return std::get<RefSpec>(AddLeaf(config, RefTree{std::move(ref)}).node);
}

RefSpec& SomeRef(KernelConfig& config, Choices& choices, RefFilter passes,
                 RefSpec fallback) {
  return SomeRefOf(config, choices, true, passes, std::move(fallback));
}

RefSpec& SomeLoneRef(KernelConfig& config, Choices& choices, RefFilter passes,
                     RefSpec fallback) {
  return SomeRefOf(config, choices, false, passes, std::move(fallback));
}

std::vector<RefSpec*> Members(RefUnionSpec& spec) {
  std::vector<RefSpec*> members;
  for (RefTree& group : spec.groups) {
    ForEachNode(group, true, [&](RefTree& leaf, bool) {
      if (auto* ref = std::get_if<RefSpec>(&leaf.node)) members.push_back(ref);
    });
  }
  return members;
}

RefUnionSpec& SomeUnion(KernelConfig& config, Choices& choices,
                        MemorySpace space) {
  std::vector<RefUnionSpec*> unions;
  for (auto& entry : config.scratch) {
    ForEachNode(entry.second, false, [&](RefTree& leaf, bool in_union) {
      auto* spec = std::get_if<RefUnionSpec>(&leaf.node);
      if (spec == nullptr || in_union) return;
      const std::vector<RefSpec*> members = Members(*spec);
      if (!members.empty() && members.front()->space == space) {
        unions.push_back(spec);
      }
    });
  }
  if (!unions.empty()) return *choices.Pick(unions);
  RefUnionSpec spec;
  spec.groups.push_back(RefTree{space == MemorySpace::kSmem
                                    ? Smem(DType::kFloat32, {8})
                                    : Tmem(DType::kFloat32, {128, 8})});
  return std::get<RefUnionSpec>(AddLeaf(config, RefTree{std::move(spec)}).node);
}

RefSpec Smem(DType dtype, Shape shape, std::vector<RefTransform> transforms) {
  return {.space = MemorySpace::kSmem,
          .dtype = dtype,
          .shape = std::move(shape),
          .transforms = std::move(transforms)};
}

RefSpec Tmem(DType dtype, Shape shape, std::optional<bool> packed) {
  return {.space = MemorySpace::kTmem,
          .dtype = dtype,
          .shape = std::move(shape),
          .packed = packed};
}

// --- Body

Op& AddOp(KernelConfig& config, Choices& choices, Op op, bool in_warp) {
  std::vector<Op>& body = config.body;
  const auto at =
      body.begin() + static_cast<std::ptrdiff_t>(choices.UpTo(body.size()));
  if (!in_warp || !choices.Chance(15)) return *body.insert(at, std::move(op));
  WarpMapOp warp_map;
  warp_map.body.push_back(std::move(op));
  const auto wrapped = body.insert(at, Op{std::move(warp_map)});
  return std::get<WarpMapOp>(wrapped->node).body.front();
}

void PrintLast(KernelConfig& config, Choices& choices,
               std::vector<PathStep> path) {
  AddOp(config, choices,
        Op{PrintLayoutOp{
            {.name = config.scratch.back().first, .path = std::move(path)}}});
}

AsyncPrefetchOp& SomePrefetch(KernelConfig& config, Choices& choices) {
  std::vector<AsyncPrefetchOp*> prefetches;
  const auto collect = [&](auto&& self, std::vector<Op>& body) -> void {
    for (Op& op : body) {
      if (auto* prefetch = std::get_if<AsyncPrefetchOp>(&op.node)) {
        prefetches.push_back(prefetch);
      } else if (auto* warp_map = std::get_if<WarpMapOp>(&op.node)) {
        self(self, warp_map->body);
      }
    }
  };
  collect(collect, config.body);
  if (prefetches.empty()) return AddPrefetchOfRows(config, choices, {});
  return *choices.Pick(prefetches);
}

ArraySpec Rows(Choices& choices) {
  const DType dtype = choices.Pick(
      {DType::kFloat32, DType::kInt32, DType::kFloat16, DType::kUInt8});
  return {.dtype = dtype, .shape = {8, 4096 / Info(dtype).bits}};
}

AsyncPrefetchOp& AddPrefetch(KernelConfig& config, Choices& choices,
                             ArraySpec array, std::vector<View> views,
                             bool in_warp) {
  std::string name = FreshName(config, "src");
  AsyncPrefetchOp op{.ref = {.name = name, .views = std::move(views)}};
  config.inputs.emplace_back(std::move(name), std::move(array));
  return std::get<AsyncPrefetchOp>(
      AddOp(config, choices, Op{std::move(op)}, in_warp).node);
}

AsyncPrefetchOp& AddPrefetchOfRows(KernelConfig& config, Choices& choices,
                                   std::vector<View> views, bool in_warp) {
  return AddPrefetch(config, choices, Rows(choices), std::move(views), in_warp);
}

}  // namespace pallasite::mutations

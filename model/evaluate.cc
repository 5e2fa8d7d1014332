#include "model/evaluate.h"

#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

#include "model/config/walk.h"
#include "model/construct/barrier.h"
#include "model/construct/kernel.h"
#include "model/construct/ref.h"
#include "model/construct/ref_union.h"
#include "model/lower/lane/prefetch.h"
#include "model/lower/shared/kernel.h"
#include "model/lower/shared/print_layout.h"
#include "model/lower/shared/resources.h"
#include "model/lower/shared/scoped.h"
#include "model/lower/shared/warp_map.h"
#include "model/lower/warpgroup/prefetch.h"
#include "model/trace/prefetch.h"
#include "model/trace/print_layout.h"
#include "model/trace/scratch.h"
#include "model/union_plan.h"

namespace pallasite {
namespace {

// --- Construction: Python evaluates the arguments of a call before the call
// ------

bool ConstructTree(const RefTree& tree, const Location& at, Checker& checker);

bool ConstructAll(const std::vector<RefTree>& trees, const Location& at,
                  Checker& checker) {
  for (size_t i = 0; i < trees.size(); ++i) {
    if (!ConstructTree(trees[i], Location(at, static_cast<int64_t>(i)),
                       checker)) {
      return false;
    }
  }
  return true;
}

bool ConstructTree(const RefTree& tree, const Location& at, Checker& checker) {
  return std::visit(
      Overloaded{[&](const RefSpec& ref) {
                   return CheckRefConstruction(ref, at, checker);
                 },
                 [&](const BarrierSpec& barrier) {
                   return CheckBarrierConstruction(barrier, at, checker);
                 },
                 [&](const ClusterBarrierSpec& barrier) {
                   return CheckBarrierConstruction(barrier, at, checker);
                 },
                 [](const AccumulatorSpec&) { return true; },
                 [&](const RefSequence& sequence) {
                   return ConstructAll(sequence.items, at, checker);
                 },
                 [&](const RefDict& dict) {
                   for (const auto& [key, child] : dict.entries) {
                     if (!ConstructTree(child, Location(at, key), checker)) {
                       return false;
                     }
                   }
                   return true;
                 },
                 [&](const RefUnionSpec& spec) {
                   return ConstructAll(spec.groups, at, checker) &&
                          CheckUnionConstruction(spec, at, checker);
                 }},
      tree.node);
}

bool Construct(const KernelConfig& config, const Location& root,
               Checker& checker) {
  checker.Enter(Stage::kConstructScratch);
  const Location scratch(root, "scratch");
  for (const auto& [name, tree] : config.scratch) {
    if (!ConstructTree(tree, Location(scratch, name), checker)) return false;
  }
  checker.Enter(Stage::kConstructKernel);
  const Location kernel(root, "kernel");
  return CheckCompilerParams(config.kernel.params, Location(kernel, "params"),
                             checker) &&
         CheckKernelMesh(config.kernel, kernel, checker);
}

// --- The body, op by op

// Calls visit(op, location, warp) for every op in program order: warp_map
// before what it holds. `warp` is true inside warp_map.
template <typename Visit>
bool ForEachOp(const std::vector<Op>& body, const Location& at, bool warp,
               Visit&& visit) {
  for (size_t i = 0; i < body.size(); ++i) {
    const Location here(at, static_cast<int64_t>(i));
    if (!visit(body[i], here, warp)) return false;
    const auto* warp_map = std::get_if<WarpMapOp>(&body[i].node);
    if (warp_map != nullptr &&
        !ForEachOp(warp_map->body, Location(here, "warp_map"), true, visit)) {
      return false;
    }
  }
  return true;
}

bool TraceOp(const Op& op, const KernelConfig& config, const Location& at,
             Checker& checker) {
  if (const auto* print = std::get_if<PrintLayoutOp>(&op.node)) {
    return TracePrintLayout(*print, config, at, checker);
  }
  const auto* prefetch = std::get_if<AsyncPrefetchOp>(&op.node);
  return prefetch == nullptr || TracePrefetch(*prefetch, config, at, checker);
}

bool Trace(const KernelConfig& config, const Location& root, Checker& checker) {
  checker.Enter(Stage::kTraceScratch);
  const Location scratch(root, "scratch");
  for (const auto& [name, tree] : config.scratch) {
    if (!TraceScratch(tree, Location(scratch, name), checker)) return false;
  }
  checker.Enter(Stage::kTraceBody);
  return ForEachOp(config.body, Location(root, "body"), false,
                   [&](const Op& op, const Location& at, bool) {
                     return TraceOp(op, config, at, checker);
                   });
}

// The passes over the body, each of which takes all ops before the next begins.

bool LowerOp(const Op& op, const KernelConfig& config, bool lane, bool warp,
             const Location& at, Checker& checker) {
  if (const auto* print = std::get_if<PrintLayoutOp>(&op.node)) {
    return LowerPrintLayout(*print, config, warp, at, checker);
  }
  const auto* prefetch = std::get_if<AsyncPrefetchOp>(&op.node);
  if (prefetch == nullptr) return LowerWarpMap(lane, warp, at, checker);
  return lane ? LowerPrefetchLane(*prefetch, config, warp, at, checker)
              : LowerPrefetchWarpgroup(*prefetch, config, warp, at, checker);
}

bool VerifyOp(const Op& op, const KernelConfig& config, bool lane,
              const Location& at, Checker& checker) {
  if (const auto* print = std::get_if<PrintLayoutOp>(&op.node)) {
    return VerifyPrintLayout(*print, config, at, checker);
  }
  const auto* prefetch = std::get_if<AsyncPrefetchOp>(&op.node);
  return prefetch == nullptr || lane ||
         VerifyPrefetchWarpgroup(*prefetch, config, at, checker);
}

bool InferOp(const Op& op, const KernelConfig& config, const Location& at,
             Checker& checker) {
  if (const auto* print = std::get_if<PrintLayoutOp>(&op.node)) {
    return InferPrintLayout(*print, config, at, checker);
  }
  const auto* prefetch = std::get_if<AsyncPrefetchOp>(&op.node);
  return prefetch == nullptr || InferPrefetchWarpgroup(*prefetch, at, checker);
}

bool LowerDialect(const Op& op, const KernelConfig& config, const Location& at,
                  Checker& checker) {
  if (const auto* print = std::get_if<PrintLayoutOp>(&op.node)) {
    return LowerPrintDialect(*print, config, at, checker);
  }
  const auto* prefetch = std::get_if<AsyncPrefetchOp>(&op.node);
  return prefetch == nullptr ||
         LowerPrefetchDialect(*prefetch, config, at, checker);
}

bool FinishOp(const Op& op, const KernelConfig& config, bool lane,
              const Location& at, Checker& checker) {
  const auto* prefetch = std::get_if<AsyncPrefetchOp>(&op.node);
  if (prefetch == nullptr) return true;
  return lane ? FinishPrefetchLane(*prefetch, config, at, checker)
              : FinishPrefetchWarpgroup(*prefetch, config, at, checker);
}

// Verification looks at the ops outside of warp_map before those inside.
bool VerifyBody(const KernelConfig& config, bool lane, const Location& body,
                Checker& checker) {
  checker.Enter(Stage::kVerifyBody);
  for (const bool warps : {false, true}) {
    if (!ForEachOp(config.body, body, false,
                   [&](const Op& op, const Location& at, bool warp) {
                     return warp != warps ||
                            VerifyOp(op, config, lane, at, checker);
                   })) {
      return false;
    }
  }
  return true;
}

// Layout inference and the lowering of the dialect, for Warpgroup semantics.
bool LowerModule(const KernelConfig& config, const Location& root,
                 const Location& body, Checker& checker) {
  checker.Enter(Stage::kInferBody);
  if (!ForEachOp(config.body, body, false,
                 [&](const Op& op, const Location& at, bool) {
                   return InferOp(op, config, at, checker);
                 })) {
    return false;
  }
  checker.Enter(Stage::kInferScratch);
  if (!InferPrintedScratch(config, root, checker)) return false;
  checker.Enter(Stage::kLowerPrinted);
  if (!LowerPrintedScratch(config, root, checker)) return false;
  checker.Enter(Stage::kLowerDialect);
  return ForEachOp(config.body, body, false,
                   [&](const Op& op, const Location& at, bool) {
                     return LowerDialect(op, config, at, checker);
                   });
}

bool LowerBody(const KernelConfig& config, const Location& root,
               Checker& checker) {
  const Location body(root, "body");
  const bool lane = LoweringOf(config, checker.release()) == Lowering::kLane;
  checker.Enter(Stage::kLowerBody);
  if (!ForEachOp(config.body, body, false,
                 [&](const Op& op, const Location& at, bool warp) {
                   return LowerOp(op, config, lane, warp, at, checker);
                 })) {
    return false;
  }
  checker.Enter(Stage::kVerifyKernel);
  if (!VerifyKernel(config, root, checker) ||
      !VerifyBody(config, lane, body, checker) ||
      (!lane && !LowerModule(config, root, body, checker))) {
    return false;
  }
  checker.Enter(Stage::kFinishBody);
  return ForEachOp(config.body, body, false,
                   [&](const Op& op, const Location& at, bool) {
                     return FinishOp(op, config, lane, at, checker);
                   });
}

// Without outputs and without effects that others can see JAX drops the kernel
// instead of lowering it. Prefetching only reads.
bool IsDropped(const KernelConfig& config, const Location& root) {
  return config.outputs.empty() &&
         ForEachOp(config.body, Location(root, "body"), false,
                   [](const Op& op, const Location&, bool) {
                     return !std::holds_alternative<PrintLayoutOp>(op.node);
                   });
}

bool Lower(const KernelConfig& config, const Location& root, Checker& checker) {
  if (IsDropped(config, root)) return true;
  Resources resources;
  checker.Enter(Stage::kLowerParams);
  return LowerKernelParams(config.kernel.params,
                           Location(Location(root, "kernel"), "params"),
                           checker) &&
         EstimateResources(config, root, checker, resources) &&
         Allocate(config, resources, root, checker) &&
         LowerScratch(config, resources, root, checker) &&
         LowerBody(config, root, checker);
}

void RecordUnions(const KernelConfig& config, Facts& facts) {
  for (const auto& [name, tree] : config.scratch) {
    ForEachLeaf(
        tree, Location(Location(), name), TreeOrder::kFlatten,
        [&](const RefTree& leaf, const Location& at) {
          const auto* spec = std::get_if<RefUnionSpec>(&leaf.node);
          // A union that cannot be taken apart places nothing.
          if (spec == nullptr || !Unpacks(*spec)) return true;
          PlaceMembers(
              *spec, at,
              [&](const RefTree&, const Location& member, int64_t group,
                  int64_t offset) {
                facts.union_members.push_back({member.Format(), group, offset});
              });
          return true;
        });
  }
}

}  // namespace

Lowering LoweringOf(const KernelConfig& config, const Release& release) {
  constexpr Release kWarpgroupByDefault = {0, 11, 0};
  const Lowering by_default =
      release < kWarpgroupByDefault ? Lowering::kLane : Lowering::kWarpgroup;
  return config.kernel.params.lowering.value_or(by_default);
}

Verdict Evaluate(const KernelConfig& config, const Target& target,
                 Facts* facts) {
  const Location root;
  Checker checker(target, facts);
  // Release ranges are noted where they are known, but only one release was
  // held against the oracle so far: about others nothing is claimed.
  if (target.jax != kDefaultRelease) {
    return checker.Take(checker.Unmodelled(
        "another release than JAX 0.11.2, which the rules were held against",
        Location(root, "target")));
  }
  const bool accepted = Construct(config, root, checker) &&
                        Trace(config, root, checker) &&
                        Lower(config, root, checker);
  if (accepted && facts != nullptr) RecordUnions(config, *facts);
  return checker.Take(accepted);
}

}  // namespace pallasite

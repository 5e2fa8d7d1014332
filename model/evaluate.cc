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
#include "model/lower/warpgroup/prefetch.h"
#include "model/trace/prefetch.h"
#include "model/trace/print_layout.h"
#include "model/trace/scratch.h"
#include "model/union_plan.h"

namespace pallasite {
namespace {

// --- Construction: Python evaluates the arguments of a call before the call --

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
  const Location scratch(root, "scratch");
  for (const auto& [name, tree] : config.scratch) {
    if (!ConstructTree(tree, Location(scratch, name), checker)) return false;
  }
  const Location kernel(root, "kernel");
  return CheckCompilerParams(config.kernel.params, Location(kernel, "params"),
                             checker) &&
         CheckKernelMesh(config.kernel, kernel, checker);
}

// --- The body, op by op ------------------------------------------------------

// Calls visit(op, location, warp) for every op that is no warp_map, in program
// order.
template <typename Visit>
bool ForEachOp(const std::vector<Op>& body, const Location& at, bool warp,
               Visit&& visit) {
  for (size_t i = 0; i < body.size(); ++i) {
    const Location here(at, static_cast<int64_t>(i));
    const auto* warp_map = std::get_if<WarpMapOp>(&body[i].node);
    const bool ok =
        warp_map != nullptr
            ? ForEachOp(warp_map->body, Location(here, "warp_map"), true, visit)
            : visit(body[i], here, warp);
    if (!ok) return false;
  }
  return true;
}

bool Trace(const KernelConfig& config, const Location& root, Checker& checker) {
  const Location scratch(root, "scratch");
  for (const auto& [name, tree] : config.scratch) {
    if (!TraceScratch(tree, Location(scratch, name), checker)) return false;
  }
  return ForEachOp(
      config.body, Location(root, "body"), false,
      [&](const Op& op, const Location& at, bool) {
        if (const auto* print = std::get_if<PrintLayoutOp>(&op.node)) {
          return TracePrintLayout(*print, config, at, checker);
        }
        return TracePrefetch(std::get<AsyncPrefetchOp>(op.node), config, at,
                             checker);
      });
}

// One step of lowering the body, taken for every op before the next step:
// print_layout(op, at, warp) and prefetch(op, at, warp).
template <typename PrintLayout, typename Prefetch>
bool LowerOps(const KernelConfig& config, const Location& root,
              PrintLayout&& print_layout, Prefetch&& prefetch) {
  return ForEachOp(config.body, Location(root, "body"), false,
                   [&](const Op& op, const Location& at, bool warp) {
                     const auto* print = std::get_if<PrintLayoutOp>(&op.node);
                     return print != nullptr
                                ? print_layout(*print, at, warp)
                                : prefetch(std::get<AsyncPrefetchOp>(op.node),
                                           at, warp);
                   });
}

bool LowerBodyLane(const KernelConfig& config, const Location& root,
                   Checker& checker) {
  // 1. Every op's own rule, in program order.
  return LowerOps(
             config, root,
             [&](const PrintLayoutOp& op, const Location& at, bool warp) {
               return LowerPrintLayout(op, config, warp, at, checker);
             },
             [&](const AsyncPrefetchOp& op, const Location& at, bool warp) {
               return LowerPrefetchLane(op, config, warp, at, checker);
             }) &&
         // 2. Verification of the whole module.
         VerifyKernel(config, root, checker) &&
         // 3. TMA descriptors.
         LowerOps(
             config, root,
             [](const PrintLayoutOp&, const Location&, bool) { return true; },
             [&](const AsyncPrefetchOp& op, const Location& at, bool) {
               return FinishPrefetchLane(op, config, at, checker);
             });
}

// MLIR verifies what stands in warp_map after everything that does not.
bool VerifyBodyWarpgroup(const KernelConfig& config, const Location& root,
                         bool in_warp_map, Checker& checker) {
  return LowerOps(
      config, root,
      [&](const PrintLayoutOp& op, const Location& at, bool warp) {
        return warp != in_warp_map ||
               VerifyPrintLayout(op, config, at, checker);
      },
      [&](const AsyncPrefetchOp& op, const Location& at, bool warp) {
        return warp != in_warp_map ||
               VerifyPrefetchWarpgroup(op, config, at, checker);
      });
}

bool LowerBodyWarpgroup(const KernelConfig& config, const Location& root,
                        Checker& checker) {
  // 1. Every op's own rule, in program order.
  return LowerOps(
             config, root,
             [&](const PrintLayoutOp& op, const Location& at, bool warp) {
               return LowerPrintLayout(op, config, warp, at, checker);
             },
             [&](const AsyncPrefetchOp& op, const Location& at, bool warp) {
               return LowerPrefetchWarpgroup(op, config, warp, at, checker);
             }) &&
         // 2. Verification of the whole module.
         VerifyKernel(config, root, checker) &&
         VerifyBodyWarpgroup(config, root, false, checker) &&
         VerifyBodyWarpgroup(config, root, true, checker) &&
         // 3. Layouts are inferred for the whole module.
         LowerOps(
             config, root,
             [&](const PrintLayoutOp& op, const Location& at, bool) {
               return InferPrintLayout(op, config, at, checker);
             },
             [&](const AsyncPrefetchOp& op, const Location& at, bool) {
               return InferPrefetchWarpgroup(op, at, checker);
             }) &&
         // 4. Its ops are lowered once more.
         LowerOps(
             config, root,
             [](const PrintLayoutOp&, const Location&, bool) { return true; },
             [&](const AsyncPrefetchOp& op, const Location& at, bool) {
               return LowerPrefetchDialect(op, config, at, checker);
             }) &&
         // 5. TMA descriptors.
         LowerOps(
             config, root,
             [](const PrintLayoutOp&, const Location&, bool) { return true; },
             [&](const AsyncPrefetchOp& op, const Location& at, bool) {
               return FinishPrefetchWarpgroup(op, config, at, checker);
             });
}

bool LowerBody(const KernelConfig& config, const Location& root,
               Checker& checker) {
  return LoweringOf(config, checker.release()) == Lowering::kLane
             ? LowerBodyLane(config, root, checker)
             : LowerBodyWarpgroup(config, root, checker);
}

bool Lower(const KernelConfig& config, const Location& root, Checker& checker) {
  Resources resources;
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
  const bool accepted = Construct(config, root, checker) &&
                        Trace(config, root, checker) &&
                        Lower(config, root, checker);
  if (accepted && facts != nullptr) RecordUnions(config, *facts);
  return checker.Take(accepted);
}

}  // namespace pallasite

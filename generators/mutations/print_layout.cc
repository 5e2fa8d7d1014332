// print_layout, and what using a ref asks of its declaration.

#include <cstdint>
#include <utility>

#include "generators/mutations/edit.h"
#include "generators/mutations/mutation.h"

namespace pallasite::mutations {
namespace {

// A new ref that the body prints.
bool AddUsed(KernelConfig& config, Choices& choices, Lowering lowering,
             RefSpec ref) {
  RequireLowering(config, lowering);
  AddRef(config, std::move(ref));
  PrintLast(config, choices);
  return true;
}

bool AddUsedUnderWarpgroup(KernelConfig& config, Choices& choices,
                           RefSpec ref) {
  return AddUsed(config, choices, Lowering::kWarpgroup, std::move(ref));
}

bool PrintArray(KernelConfig& config, Choices& choices, Lowering lowering) {
  RequireLowering(config, lowering);
  const auto& [name, array] = choices.Bool() && !config.inputs.empty()
                                  ? choices.Pick(config.inputs)
                                  : choices.Pick(config.outputs);
  AddOp(config, choices, Op{PrintLayoutOp{{.name = name}}});
  return true;
}

constexpr Mutation kMutations[] = {
    {.rule = "lower.print-layout.warp-context",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           AddRef(config, Smem(DType::kFloat32, {8, 32}));
           WarpMapOp warp_map;
           warp_map.body.push_back(
               Op{PrintLayoutOp{{.name = config.scratch.back().first}}});
           AddOp(config, choices, Op{std::move(warp_map)});
           return true;
         }},
    {.rule = "lower.print-layout.barrier",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           if (choices.Bool()) {
             AddLeaf(config, RefTree{BarrierSpec()});
           } else {
             AddLeaf(config, RefTree{ClusterBarrierSpec()});
           }
           PrintLast(config, choices);
           return true;
         }},
    {.rule = "lower.print-layout.scalar-transpose",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           AddRef(config, Smem(DType::kFloat32, {}));
           PrintLayoutOp print = {{.name = config.scratch.back().first,
                                   .views = {TransposeView{}}}};
           AddOp(config, choices, Op{std::move(print)});
           return true;
         }},
    {.rule = "lower.print-layout.lane-gmem",
     .precondition = "there is an output",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           return !config.outputs.empty() &&
                  PrintArray(config, choices, Lowering::kLane);
         }},
    {.rule = "lower.print-layout.warpgroup-gmem",
     .precondition = "there is an output",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           return !config.outputs.empty() &&
                  PrintArray(config, choices, Lowering::kWarpgroup);
         }},
    {.rule = "lower.print-layout.batched-tmem",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           AddRef(config, Tmem(DType::kFloat32, {choices.Between(1, 4), 128,
                                                 4 * choices.Between(1, 4)}));
           PrintLast(config, choices);
           return true;
         }},
    {.rule = "lower.smem.warpgroup-recast",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           return AddUsedUnderWarpgroup(
               config, choices,
               Smem(DType::kFloat32, {8},
                    {TilingTransform{{8, choices.Between(2, 32)}}}));
         }},
    {.rule = "lower.smem.warpgroup-transforms-form",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           return AddUsedUnderWarpgroup(
               config, choices,
               choices.Bool()
                   ? Smem(DType::kFloat32, {8, 32},
                          {SwizzleTransform{128}, SwizzleTransform{128}})
                   : Smem(DType::kFloat32, {8, 32},
                          {TilingTransform{{8, 32}}, TilingTransform{{4, 8}}}));
         }},
    {.rule = "lower.smem.warpgroup-empty-tiling",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           RefSpec ref = Smem(DType::kFloat32, {8, choices.Between(1, 32)});
           ref.transforms.emplace_back(std::in_place_type<TilingTransform>);
           return AddUsedUnderWarpgroup(config, choices, std::move(ref));
         }},
    {.rule = "lower.smem.warpgroup-empty-extent",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           return AddUsedUnderWarpgroup(
               config, choices,
               Smem(DType::kFloat32,
                    choices.Pick({Shape{8, 0}, Shape{2, 0, 4}})));
         }},
    {.rule = "lower.smem.warpgroup-complex",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           const DType dtype =
               choices.Pick({DType::kComplex64, DType::kComplex128});
           return AddUsedUnderWarpgroup(
               config, choices, Smem(dtype, {8, choices.Between(1, 16)}));
         }},
    {.rule = "lower.smem.warpgroup-transforms-do-not-apply",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           const auto swizzle = choices.Pick<int64_t>({32, 64, 128});
           RefSpec ref =
               Smem(DType::kBool, {8, swizzle}, {SwizzleTransform{swizzle}});
           if (choices.Bool()) {
             ref.transforms.insert(ref.transforms.begin(),
                                   TilingTransform{{8, swizzle}});
           }
           return AddUsedUnderWarpgroup(config, choices, std::move(ref));
         }},
    {.rule = "lower.tmem.warpgroup-complex",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           const DType dtype =
               choices.Pick({DType::kComplex64, DType::kComplex128});
           return AddUsedUnderWarpgroup(
               config, choices,
               Tmem(dtype, {128, choices.Between(1, 16)}, false));
         }},
    {.rule = "lower.tmem.warpgroup-vector-length",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           return AddUsedUnderWarpgroup(
               config, choices,
               Tmem(DType::kBool, {128, 4 * choices.Between(1, 16)}, true));
         }},
};

}  // namespace

absl::Span<const Mutation> PrintLayoutMutations() { return kMutations; }

}  // namespace pallasite::mutations

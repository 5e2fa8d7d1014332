// Row numbers as indices.

#include <cstdint>
#include <utility>
#include <vector>

#include "generators/mutations/edit.h"
#include "generators/mutations/mutation.h"

namespace pallasite::mutations {
namespace {

View At(std::vector<Index> indices) { return AtView{std::move(indices)}; }

GatherIndex Gather(Choices& choices, DType dtype = DType::kUInt32) {
  return {.dtype = dtype, .length = choices.Pick<int64_t>({4, 8, 16, 64})};
}

// Prefetches rows through one `.at` with these indices, not in a warp: a single
// warp has no vectors.
AsyncPrefetchOp& Indexed(KernelConfig& config, Choices& choices,
                         std::vector<Index> indices) {
  return AddPrefetchOfRows(config, choices, {At(std::move(indices))}, false);
}

constexpr Mutation kMutations[] = {
    {.rule = "trace.gather.bool",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           Indexed(config, choices, {Gather(choices, DType::kBool)});
           return true;
         }},
    {.rule = "trace.gather.mismatched-lengths",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           Indexed(config, choices,
                   {GatherIndex{.length = 16}, GatherIndex{.length = 8}});
           return true;
         }},
    {.rule = "lower.gather.warp-context",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           AsyncPrefetchOp& op = Indexed(config, choices, {Gather(choices)});
           // Wrap the op that was just added.
           for (Op& present : config.body) {
             if (std::get_if<AsyncPrefetchOp>(&present.node) != &op) continue;
             WarpMapOp warp_map;
             warp_map.body.push_back(present);
             present.node = std::move(warp_map);
             return true;
           }
           return false;
         }},
    {.rule = "lower.gather.complex",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           Indexed(config, choices,
                   {Gather(choices, choices.Pick({DType::kComplex64,
                                                  DType::kComplex128}))});
           return true;
         }},
    {.rule = "lower.gather.lane-tile",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           RequireLowering(config, Lowering::kLane);
           Indexed(config, choices,
                   {GatherIndex{.length = choices.Pick<int64_t>({3, 5, 18})}});
           return true;
         }},
    {.rule = "lower.gather.warpgroup-tile",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           RequireLowering(config, Lowering::kWarpgroup);
           Indexed(config, choices,
                   {GatherIndex{.length = choices.Pick<int64_t>({3, 5, 18})}});
           return true;
         }},
    {.rule = "lower.gather.broadcast",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           Indexed(config, choices, {Gather(choices), int64_t{0}});
           return true;
         }},
    {.rule = "lower.indexing.chained-gather",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           AddPrefetchOfRows(config, choices,
                             {At({Gather(choices)}), At({PySlice{}})}, false);
           return true;
         }},
    {.rule = "lower.prefetch.lane-gather-predicate",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           RequireLowering(config, Lowering::kLane);
           Indexed(config, choices, {Gather(choices)}).predicate =
               choices.Bool();
           return true;
         }},
    {.rule = "lower.prefetch.lane-collective-gather",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           RequireLowering(config, Lowering::kLane);
           const auto axes = RequireClusterAxes(config, 1);
           Indexed(config, choices, {Gather(choices)}).collective_axes = {
               axes.front()};
           return true;
         }},
    {.rule = "lower.prefetch.warpgroup-row-type",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           RequireLowering(config, Lowering::kWarpgroup);
           Indexed(
               config, choices,
               {Gather(choices, choices.Pick({DType::kFloat32, DType::kFloat16,
                                              DType::kUInt4}))});
           return true;
         }},
    {.rule = "lower.tma.gather-dimension",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           if (choices.Bool()) {
             Indexed(config, choices, {PySlice{}, Gather(choices)});
             return true;
           }
           AddPrefetch(config, choices,
                       {.dtype = DType::kFloat32, .shape = {8, 8, 32}},
                       {At({Gather(choices)})}, false);
           return true;
         }},
    {.rule = "lower.tma.gather-float",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           RequireLowering(config, Lowering::kLane);
           Indexed(config, choices,
                   {Gather(choices,
                           choices.Pick({DType::kFloat32, DType::kFloat16}))});
           return true;
         }},
    {.rule = "lower.tma.gather-signed",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           RequireLowering(config, Lowering::kLane);
           Indexed(config, choices,
                   {Gather(choices, choices.Pick({DType::kInt32, DType::kInt8,
                                                  DType::kInt16}))});
           return true;
         }},
    {.rule = "lower.tma.gather-prefetch",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           Indexed(config, choices, {Gather(choices)});
           return true;
         }},
};

}  // namespace

absl::Span<const Mutation> GatherMutations() { return kMutations; }

}  // namespace pallasite::mutations

// async_prefetch: its options, and what the TMA engine can transfer.

#include <cstdint>
#include <utility>
#include <vector>

#include "generators/mutations/edit.h"
#include "generators/mutations/mutation.h"

namespace pallasite::mutations {
namespace {

View At(std::vector<Index> indices) { return AtView{std::move(indices)}; }

bool Prefetch(KernelConfig& config, Choices& choices, DType dtype,
              Shape shape) {
  AddPrefetch(config, choices, {.dtype = dtype, .shape = std::move(shape)});
  return true;
}

AsyncPrefetchOp& LanePrefetch(KernelConfig& config, Choices& choices,
                              std::vector<View> views = {}) {
  RequireLowering(config, Lowering::kLane);
  return AddPrefetchOfRows(config, choices, std::move(views));
}

AsyncPrefetchOp& WarpgroupPrefetch(KernelConfig& config, Choices& choices,
                                   std::vector<View> views = {}) {
  RequireLowering(config, Lowering::kWarpgroup);
  return AddPrefetchOfRows(config, choices, std::move(views));
}

constexpr Mutation kMutations[] = {
    {.rule = "trace.prefetch.not-gmem",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           if (choices.Bool()) {
             AddRef(config, Smem(DType::kFloat32, {8, 32}));
           } else {
             AddLeaf(config, RefTree{BarrierSpec()});
           }
           AddOp(config, choices,
                 Op{AsyncPrefetchOp{{.name = config.scratch.back().first}}},
                 true);
           return true;
         }},

    // --- Options under Lane lowering
    {.rule = "lower.prefetch.lane-stride",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           LanePrefetch(config, choices,
                        {At({PySlice{.step = choices.Between(2, 8)}})});
           return true;
         }},
    {.rule = "lower.prefetch.lane-empty-slice",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           LanePrefetch(config, choices,
                        {choices.Bool() ? At({PySlice{.stop = 0}})
                                        : At({DynamicSlice{}})});
           return true;
         }},
    {.rule = "lower.prefetch.lane-partition-scalar",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           RequireLowering(config, Lowering::kLane);
           AddPrefetch(config, choices, {.shape = {}}).leader_tracked =
               Partitioned{choices.Between(0, 2)};
           return true;
         }},
    {.rule = "lower.prefetch.lane-partition-axis",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           AsyncPrefetchOp& op = LanePrefetch(config, choices);
           op.leader_tracked = Partitioned{
               choices.Bool() ? choices.Between(2, 8) : -choices.Between(1, 3)};
           if (choices.Bool()) {
             op.collective_axes = {RequireClusterAxes(config, 1).front()};
           }
           return true;
         }},
    {.rule = "lower.prefetch.lane-partition-alone",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           AsyncPrefetchOp& op = LanePrefetch(config, choices);
           op.leader_tracked = Partitioned{choices.Between(0, 1)};
           if (choices.Bool()) op.collective_axes.emplace();
           return true;
         }},
    {.rule = "lower.prefetch.lane-partition-cluster",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           ReplaceCluster(config, choices.Pick({Shape{4}, Shape{2, 2}, Shape{8},
                                                Shape{3}}));
           AsyncPrefetchOp& op = LanePrefetch(config, choices);
           op.collective_axes = {config.kernel.cluster.names.front()};
           op.leader_tracked = Partitioned{0};
           return true;
         }},
    {.rule = "lower.prefetch.lane-partition-divisible",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           ReplaceCluster(config, {2});
           AsyncPrefetchOp& op = LanePrefetch(
               config, choices,
               {At({PySlice{.stop = 2 * choices.Between(0, 3) + 1}})});
           op.collective_axes = {config.kernel.cluster.names.front()};
           op.leader_tracked = Partitioned{0};
           return true;
         }},

    // --- Options under Warpgroup lowering
    {.rule = "lower.prefetch.warpgroup-collective",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           AsyncPrefetchOp& op = WarpgroupPrefetch(config, choices);
           op.collective_axes = {RequireClusterAxes(config, 1).front()};
           if (choices.Bool()) op.leader_tracked = Partitioned{0};
           return true;
         }},
    {.rule = "lower.prefetch.warpgroup-leader-tracked",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           AsyncPrefetchOp& op = WarpgroupPrefetch(config, choices);
           if (choices.Bool()) {
             op.leader_tracked = Replicated{};
           } else {
             op.leader_tracked = Partitioned{choices.Between(0, 8)};
           }
           return true;
         }},
    {.rule = "lower.prefetch.warpgroup-stride",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           WarpgroupPrefetch(config, choices,
                             {At({PySlice{.step = choices.Between(2, 8)}})});
           return true;
         }},
    {.rule = "lower.prefetch.warpgroup-negative-length",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           WarpgroupPrefetch(
               config, choices,
               {At({DynamicSlice{.size = -choices.Between(2, 8)}})});
           return true;
         }},

    {.rule = "lower.warp-map.nested",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           WarpMapOp inner;
           if (!config.inputs.empty() && choices.Bool()) {
             inner.body.push_back(
                 Op{AsyncPrefetchOp{{.name = config.inputs.front().first}}});
           }
           WarpMapOp outer;
           outer.body.push_back(Op{std::move(inner)});
           AddOp(config, choices, Op{std::move(outer)});
           return true;
         }},

    // --- The TMA engine
    {.rule = "lower.tma.empty-dimension",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           return Prefetch(config, choices, DType::kFloat32,
                           choices.Pick({Shape{8, 0}, Shape{8, 0, 32}}));
         }},
    {.rule = "lower.tma.complex",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           return Prefetch(
               config, choices,
               choices.Pick({DType::kComplex64, DType::kComplex128}), {8, 32});
         }},
    {.rule = "lower.tma.stride-alignment",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           return Prefetch(config, choices, DType::kFloat32,
                           choices.Pick({Shape{8, 6}, Shape{1, 1}, Shape{8, 3},
                                         Shape{2, 4, 2}}));
         }},
    {.rule = "lower.tma.rank",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           return Prefetch(config, choices, DType::kFloat32,
                           choices.Pick({Shape{2, 2, 2, 2, 2, 8},
                                         Shape{2, 1, 2, 2, 2, 2, 4},
                                         Shape{2, 2, 2, 2, 2, 2, 2, 4}}));
         }},
    {.rule = "lower.tma.collective-size",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           ReplaceCluster(config, choices.Pick({Shape{2}, Shape{4}, Shape{8}}));
           AsyncPrefetchOp& op = LanePrefetch(
               config, choices,
               {At({PySlice{.stop = choices.Pick<int64_t>({3, 5, 7})}})});
           op.collective_axes = {config.kernel.cluster.names.front()};
           return true;
         }},
    {.rule = "lower.tma.scalar",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           return Prefetch(config, choices, DType::kFloat32,
                           choices.Bool() ? Shape{} : Shape{1});
         }},
    {.rule = "lower.tma.minor-bits",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           if (choices.Bool()) {
             return Prefetch(config, choices, DType::kFloat32,
                             {choices.Pick<int64_t>({2, 3, 5, 1023})});
           }
           AddPrefetchOfRows(
               config, choices,
               {At({PySlice{}, PySlice{.stop = choices.Between(1, 3)}})});
           return true;
         }},
    {.rule = "lower.tma.bool",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           return Prefetch(config, choices, DType::kBool,
                           {8, 128 * choices.Between(1, 4)});
         }},
    {.rule = "lower.tma.dtype",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           return Prefetch(
               config, choices,
               choices.Pick({DType::kFloat8E3M4, DType::kFloat8E4M3,
                             DType::kFloat8E4M3B11FNUZ, DType::kFloat8E4M3FNUZ,
                             DType::kFloat8E5M2FNUZ}),
               {8, 32});
         }},
    {.rule = "lower.tma.merged-empty",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           AddPrefetch(config, choices, {.shape = {0, 2, 2, 2, 2, 2, 4}},
                       {At({int64_t{0}, PySlice{}, int64_t{0}, int64_t{0}})});
           return true;
         }},
    {.rule = "lower.tma.minor-stride",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           AddPrefetch(config, choices,
                       {.dtype = DType::kFloat32, .shape = {8, 32}},
                       {At({PySlice{}, choices.Between(0, 31)})});
           return true;
         }},
};

}  // namespace

absl::Span<const Mutation> PrefetchMutations() { return kMutations; }

}  // namespace pallasite::mutations

// Barriers and cluster barriers.

#include <cstdint>

#include "generators/mutations/edit.h"
#include "generators/mutations/mutation.h"

namespace pallasite::mutations {
namespace {

int64_t TooFew(Choices& choices) {
  return choices.Pick<int64_t>({0, -1, -128, INT64_MIN});
}

// A cluster barrier on axes of the cluster, or on none.
ClusterBarrierSpec OnCluster(KernelConfig& config, Choices& choices) {
  ClusterBarrierSpec barrier;
  if (choices.Bool()) {
    barrier.collective_axes = {{RequireClusterAxes(config, 1).front()}};
  }
  return barrier;
}

constexpr Mutation kMutations[] = {
    {.rule = "construct.barrier.arrivals-positive",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           AddLeaf(config,
                   RefTree{BarrierSpec{.num_arrivals = TooFew(choices)}});
           return true;
         }},
    {.rule = "construct.cluster-barrier.arrivals-positive",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           ClusterBarrierSpec barrier = OnCluster(config, choices);
           barrier.num_arrivals = TooFew(choices);
           AddLeaf(config, RefTree{std::move(barrier)});
           return true;
         }},
    {.rule = "lower.barrier.warpgroup-zero",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           RequireLowering(config, Lowering::kWarpgroup);
           AddLeaf(config, RefTree{BarrierSpec{
                               .num_barriers = choices.Pick(
                                   {Shape{0}, Shape{2, 0}, Shape{0, 33}})}});
           return true;
         }},
    {.rule = "lower.barrier.negative-count",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           const Shape count =
               choices.Pick({Shape{-1}, Shape{-1, 2}, Shape{-33}});
           if (choices.Bool()) {
             AddLeaf(config, RefTree{BarrierSpec{.num_barriers = count}});
           } else {
             ClusterBarrierSpec barrier = OnCluster(config, choices);
             barrier.num_barriers = count;
             AddLeaf(config, RefTree{std::move(barrier)});
           }
           return true;
         }},
    {.rule = "lower.cluster-barrier.mask-overflow",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           ReplaceCluster(config, choices.Pick({Shape{64}, Shape{2, 33},
                                                Shape{100, 1, 2}}));
           ClusterBarrierSpec barrier;
           barrier.collective_axes = {config.kernel.cluster.names};
           AddLeaf(config, RefTree{std::move(barrier)});
           return true;
         }},
    {.rule = "lower.barrier.too-many",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           const Shape count =
               choices.Pick({Shape{33}, Shape{64}, Shape{2, 17}, Shape{3, 11}});
           if (choices.Bool()) {
             AddLeaf(config, RefTree{BarrierSpec{.num_barriers = count}});
           } else {
             ClusterBarrierSpec barrier = OnCluster(config, choices);
             barrier.num_barriers = count;
             AddLeaf(config, RefTree{std::move(barrier)});
           }
           return true;
         }},
    {.rule = "lower.cluster-barrier.leader-single-dimension",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           ClusterBarrierSpec barrier{.leader_tracked = true};
           if (choices.Bool()) {
             const auto axes = RequireClusterAxes(config, 2);
             barrier.collective_axes = {{axes[0]}, {axes[1]}};
           }
           AddLeaf(config, RefTree{std::move(barrier)});
           return true;
         }},
    {.rule = "lower.cluster-barrier.leader-ungrouped",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices&) {
           const auto axes = RequireClusterAxes(config, 2);
           AddLeaf(config, RefTree{ClusterBarrierSpec{
                               .collective_axes = {{axes[0], axes[1]}},
                               .leader_tracked = true}});
           return true;
         }},
};

}  // namespace

absl::Span<const Mutation> BarrierMutations() { return kMutations; }

}  // namespace pallasite::mutations

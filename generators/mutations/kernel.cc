// The mesh of blocks and threads, compiler parameters, what a block can hold.

#include <cstdint>
#include <utility>

#include "generators/mutations/edit.h"
#include "generators/mutations/mutation.h"
#include "generators/valid/context.h"

namespace pallasite::mutations {
namespace {

constexpr int64_t kMaxSmem = valid::SmemBudget::kLimit;

// Drops a name or a size of a list of at most `most` axes, or adds one too
// many.
void Unbalance(AxisList& axes, Choices& choices, size_t most) {
  const bool names = choices.Bool();
  const bool full = !names && axes.sizes.size() >= most;
  if (axes.sizes.empty() || (!full && choices.Bool())) {
    if (names) {
      axes.names.emplace_back("q");
    } else {
      axes.sizes.push_back(2);
    }
  } else if (names) {
    axes.names.pop_back();
  } else {
    axes.sizes.pop_back();
  }
  // Another mutation may have unbalanced them the other way.
  if (axes.sizes.size() == axes.names.size()) axes.names.emplace_back("q");
}

constexpr Mutation kMutations[] = {
    {.rule = "construct.compiler-params.profile-pair",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           CompilerParams& params = config.kernel.params;
           params.profile_space.reset();
           params.profile_dir.reset();
           if (choices.Bool()) {
             params.profile_space = choices.Pick<int64_t>({1, 64, -1});
             if (choices.Bool()) params.profile_dir = "";
           } else {
             params.profile_dir = "/tmp/profile";
             if (choices.Bool()) params.profile_space = 0;
           }
           return true;
         }},
    {.rule = "construct.mesh.cluster-rank",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           AxisList& cluster = config.kernel.cluster;
           while (cluster.sizes.size() < 4) cluster.sizes.push_back(1);
           if (choices.Bool()) cluster.names = {"c", "e", "f", "h"};
           return true;
         }},
    {.rule = "construct.mesh.grid-names",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           Unbalance(config.kernel.grid, choices, 8);
           return true;
         }},
    {.rule = "construct.mesh.cluster-names",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           Unbalance(config.kernel.cluster, choices, 3);
           return true;
         }},
    {.rule = "construct.mesh.thread-pair",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           ThreadAxis& threads = config.kernel.threads;
           threads = {};
           if (choices.Bool()) {
             threads.count = choices.Between(1, 17);
           } else {
             threads.name = "wg";
           }
           return true;
         }},
    {.rule = "construct.mesh.too-many-threads",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           config.kernel.threads = {
               .count = choices.Pick<int64_t>({17, 18, 32, 64, 65536}),
               .name = "wg"};
           return true;
         }},
    {.rule = "lower.compiler-params.dimension-semantics",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           auto& semantics = config.kernel.params.dimension_semantics.emplace();
           choices.List(0, 3, [&](size_t) {
             semantics.push_back(
                 choices.Pick({DimensionSemantics::kParallel,
                               DimensionSemantics::kSequential}));
           });
           return true;
         }},
    {.rule = "lower.cluster.unknown-axis",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           const std::string axis =
               choices.Bool() ? RequireGridAxis(config) : std::string("q");
           if (choices.Bool()) {
             SomePrefetch(config, choices).collective_axes = {axis};
           } else {
             AddLeaf(config,
                     RefTree{ClusterBarrierSpec{.collective_axes = {{axis}}}});
           }
           return true;
         }},
    {.rule = "lower.cluster.zero-extent",
     .precondition = "the cluster's names have sizes",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           RequireClusterAxes(config, 1);
           Shape& sizes = config.kernel.cluster.sizes;
           if (sizes.empty()) return false;
           sizes[choices.UpTo(sizes.size() - 1)] = 0;
           return true;
         }},
    {.rule = "lower.smem.exceeds-limit",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           ClearScratch(config);
           switch (choices.UpTo(2)) {
             case 0:  // one byte too many
               AddScratch(config, RefTree{Smem(DType::kInt8, {kMaxSmem + 1})});
               return true;
             case 1:  // full, and a barrier
               AddScratch(config, RefTree{Smem(DType::kInt8, {kMaxSmem})});
               AddScratch(config, RefTree{BarrierSpec()});
               return true;
             default:  // every ref is padded
               for (int i = 0; i < 228; ++i) {
                 AddScratch(config, RefTree{Smem(DType::kInt8, {1})});
               }
               return true;
           }
         }},
};

}  // namespace

absl::Span<const Mutation> KernelMutations() { return kMutations; }

}  // namespace pallasite::mutations

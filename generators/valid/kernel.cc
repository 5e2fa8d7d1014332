#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "generators/valid/context.h"

namespace pallasite::valid {
namespace {

constexpr std::string_view kMeshNames[] = {"d", "n", "r"};
constexpr std::string_view kGridNames[] = {"i", "j", "k", "l", "m"};
constexpr std::string_view kClusterNames[] = {"c", "e", "f"};
constexpr std::string_view kThreadName = "wg";

// CUDA's limits for the x, y and z extents of a grid, in blocks.
constexpr int64_t kMaxGridX = 2147483647;
constexpr int64_t kMaxGridYZ = 65535;
// Blocks that every architecture can put into one cluster.
constexpr int64_t kMaxClusterBlocks = 8;

void GenMesh(Context& context) {
  int64_t left = kMaxMeshDevices;
  context.choices.List(
      0, std::size(kMeshNames),
      [&](size_t i) {
        const int64_t size = context.choices.Between(1, left);
        left /= size;
        context.config.mesh.emplace_back(kMeshNames[i], size);
      },
      30);
}

void GenCluster(Context& context) {
  AxisList& cluster = context.config.kernel.cluster;
  int64_t left = kMaxClusterBlocks;
  context.choices.List(
      0, std::size(kClusterNames),
      [&](size_t i) {
        // Pairs of blocks are what most of Mosaic GPU is about.
        const int64_t size = left >= 2 && context.choices.Chance(60)
                                 ? 2
                                 : context.choices.Between(1, left);
        left /= size;
        cluster.sizes.push_back(size);
        cluster.names.emplace_back(kClusterNames[i]);
      },
      40);
}

void GenGrid(Context& context) {
  KernelSpec& kernel = context.config.kernel;
  // CUDA has three dimensions: the minor axis becomes x, the one before it y,
  // and all others together z. The cluster multiplies each.
  const int64_t blocks = context.ClusterSize();
  int64_t left_z = kMaxGridYZ / blocks;
  context.choices.List(
      0, std::min(std::size(kGridNames), context.policy.max_grid_rank),
      [&](size_t i) {
        const int64_t limit = i == 0   ? kMaxGridX / blocks
                              : i == 1 ? kMaxGridYZ / blocks
                                       : left_z;
        const int64_t size =
            context.Size(1, std::min(limit, context.policy.max_extent));
        if (i >= 2) left_z /= size;
        kernel.grid.sizes.push_back(size);
        kernel.grid.names.emplace_back(kGridNames[i]);
      },
      60);
  std::reverse(kernel.grid.sizes.begin(), kernel.grid.sizes.end());
}

void GenThreads(Context& context) {
  // Threads share their allocations, which accumulators do not support.
  if (!context.choices.Chance(30)) return;
  ThreadAxis& threads = context.config.kernel.threads;
  threads.count = context.choices.Between(1, 16);
  threads.name = kThreadName;
}

void GenParams(Context& context) {
  CompilerParams& params = context.config.kernel.params;
  Choices& choices = context.choices;
  if (choices.Chance(10)) params.approx_math = choices.Bool();
  if (choices.Chance(10)) {
    params.max_concurrent_steps = choices.Between(1, 8);
  }
  if (choices.Chance(10)) params.unsafe_no_auto_barriers = choices.Bool();
  if (choices.Chance(10)) {
    params.reduction_scratch_bytes = context.Size(0, 8192);
  }
  if (choices.Chance(10)) params.skip_device_barrier = choices.Bool();
}

}  // namespace

void GenKernel(Context& context) {
  // Peers need a mesh, collective copies and barriers a cluster, dynamic starts
  // a grid: these are generated whatever the areas.
  GenMesh(context);
  GenCluster(context);
  GenGrid(context);
  GenThreads(context);
  if (context.Has(Area::kKernel)) GenParams(context);
}

}  // namespace pallasite::valid

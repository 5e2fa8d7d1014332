#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "generators/valid/context.h"

namespace pallasite::valid {
namespace {

constexpr int64_t kBarrierBytes = 8;
// Barriers that one allocation may hold.
constexpr int64_t kMaxBarriers = 32;
// Arrivals that the hardware can count, in threads of a warpgroup.
constexpr int64_t kMaxArrivals = ((int64_t{1} << 20) - 1) / 128;

// The shape of an array of barriers and, when not empty, their number.
Shape GenCount(Context& context, int64_t most) {
  Shape shape;
  if (!context.choices.Chance(50)) return shape;
  context.choices.List(1, 2, [&](size_t) {
    const int64_t extent = context.Size(1, most);
    most /= extent;
    shape.push_back(extent);
  });
  return shape;
}

// Cluster axes without repetition, now and then several grouped into one.
std::vector<std::vector<std::string>> GenAxes(Context& context) {
  std::vector<std::vector<std::string>> axes;
  for (const std::string& name : context.config.kernel.cluster.names) {
    if (!context.choices.Chance(70)) continue;
    if (!axes.empty() && context.choices.Chance(25)) {
      axes.back().push_back(name);
    } else {
      axes.push_back({name});
    }
  }
  return axes;
}

}  // namespace

std::optional<RefTree> GenBarrier(Context& context) {
  const int64_t most =
      std::min(kMaxBarriers, context.smem.left() / kBarrierBytes);
  if (most < 1) return std::nullopt;
  const int64_t arrivals = context.Size(1, kMaxArrivals);
  const Shape count = GenCount(context, most);
  int64_t barriers = 1;
  for (const int64_t extent : count) barriers *= extent;
  context.smem.Spend(barriers * kBarrierBytes);
  const bool orders = context.choices.Chance(25);
  if (context.config.kernel.cluster.names.empty() ||
      !context.choices.Chance(50)) {
    return RefTree{BarrierSpec{.num_arrivals = arrivals,
                               .num_barriers = count,
                               .orders_tensor_core = orders}};
  }
  ClusterBarrierSpec barrier{.collective_axes = GenAxes(context),
                             .num_arrivals = arrivals,
                             .num_barriers = count,
                             .orders_tensor_core = orders};
  if (barrier.collective_axes.size() == 1 &&
      barrier.collective_axes[0].size() == 1) {
    barrier.leader_tracked = context.choices.Chance(25);
  }
  return RefTree{std::move(barrier)};
}

}  // namespace pallasite::valid

#include <optional>
#include <utility>

#include "generators/valid/context.h"

namespace pallasite::valid {
namespace {

// Once per warp: only async_prefetch is lowered there.
std::optional<Op> GenWarpMap(Context& context) {
  WarpMapOp warp_map;
  context.choices.List(1, 2, [&](size_t) {
    auto op = GenPrefetch(context);
    if (op) warp_map.body.push_back(*std::move(op));
  });
  if (warp_map.body.empty()) return std::nullopt;
  return Op{std::move(warp_map)};
}

std::optional<Op> GenOp(Context& context) {
  const bool prefetch = context.Has(Area::kPrefetch);
  const bool print = context.Has(Area::kPrintLayout);
  if (prefetch && (!print || context.choices.Weighted({70, 30}) == 0)) {
    if (context.choices.Chance(10)) return GenWarpMap(context);
    return GenPrefetch(context);
  }
  return GenPrintLayout(context);
}

}  // namespace

absl::InlinedVector<Axis, 8> AxesInScope(const KernelConfig& config) {
  absl::InlinedVector<Axis, 8> axes;
  const auto add = [&](const AxisList& list) {
    for (size_t i = 0; i < list.names.size(); ++i) {
      axes.push_back({list.names[i], list.sizes[i]});
    }
  };
  add(config.kernel.grid);
  add(config.kernel.cluster);
  const ThreadAxis& threads = config.kernel.threads;
  if (threads.name && threads.count) {
    axes.push_back({*threads.name, *threads.count});
  }
  for (const auto& [name, size] : config.mesh) axes.push_back({name, size});
  return axes;
}

void GenBody(Context& context) {
  if (!context.Has(Area::kPrefetch) && !context.Has(Area::kPrintLayout)) return;
  context.choices.List(0, context.policy.max_ops, [&](size_t) {
    auto op = GenOp(context);
    if (op) context.config.body.push_back(*std::move(op));
  });
}

}  // namespace pallasite::valid

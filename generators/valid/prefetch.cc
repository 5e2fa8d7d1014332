#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "generators/valid/context.h"
#include "generators/valid/tma.h"
#include "generators/valid/views.h"

namespace pallasite::valid {
namespace {

// An input or output that async_prefetch can take.
struct Source {
  const std::string* name = nullptr;
  const ArraySpec* array = nullptr;
  DType dtype = DType::kFloat32;  // in the kernel
};

bool CanPrefetch(const Source& source) {
  const Shape& shape = source.array->shape;
  if (!IsTmaDType(source.dtype) || shape.empty()) return false;
  for (const int64_t extent : shape) {
    if (extent < 1) return false;
  }
  return shape.back() % TmaUnit(source.dtype) == 0;
}

Dims DimsOf(const Source& source) {
  Dims dims;
  for (const int64_t extent : source.array->shape) {
    dims.push_back({.whole = extent, .size = extent});
  }
  dims.back().step = TmaUnit(source.dtype);
  dims.back().indexable = false;
  // Dimensions of one element are dropped. When too many others are left, all
  // indexed ones together count as one.
  const auto wide = static_cast<size_t>(std::count_if(
      dims.begin(), dims.end(), [](const Dim& dim) { return dim.whole > 1; }));
  size_t surplus = wide > kTmaMaxRank ? wide + 1 - kTmaMaxRank : 0;
  for (Dim& dim : dims) {
    if (surplus == 0) break;
    if (dim.whole == 1) continue;
    dim.must_index = true;
    --surplus;
  }
  return dims;
}

std::vector<View> GenViews(Context& context, Dims& dims) {
  std::vector<View> views;
  const bool must = std::any_of(dims.begin(), dims.end(),
                                [](const Dim& dim) { return dim.must_index; });
  context.choices.List(must ? 1 : 0, context.policy.max_views, [&](size_t i) {
    // The Warpgroup lowering knows no peers.
    const bool peers = context.lane() && !(must && i == 0);
    if (peers && context.choices.Chance(context.config.mesh.empty() ? 3 : 30)) {
      views.emplace_back(GenPeerView(context));
    } else {
      views.emplace_back(GenAtView(context, dims));
    }
  });
  return views;
}

// --- Collective prefetches

// Cluster axes, as a bit a position, and their blocks.
struct AxisSubset {
  uint32_t mask = 0;
  int64_t blocks = 1;
};

absl::InlinedVector<AxisSubset, 8> Subsets(const AxisList& cluster) {
  absl::InlinedVector<AxisSubset, 8> subsets;
  for (uint32_t mask = 1; mask < 1u << cluster.names.size(); ++mask) {
    AxisSubset subset{.mask = mask};
    for (size_t i = 0; i < cluster.names.size(); ++i) {
      if ((mask >> i & 1) != 0) subset.blocks *= cluster.sizes[i];
    }
    subsets.push_back(subset);
  }
  return subsets;
}

std::vector<std::string> NamesOf(const AxisList& cluster, uint32_t mask) {
  std::vector<std::string> names;
  for (size_t i = 0; i < cluster.names.size(); ++i) {
    if ((mask >> i & 1) != 0) names.push_back(cluster.names[i]);
  }
  return names;
}

// Whether JAX finds dimensions to split among the blocks: from the major one
// on, each is used up or absorbs all that is left.
bool Splits(const Dims& dims, int64_t blocks) {
  for (const Dim& dim : dims) {
    if (dim.indexed || (dim.whole == 1 && dim.size == 1)) continue;
    if (dim.size % blocks == 0) return dim.size / blocks % dim.step == 0;
    if (blocks % dim.size != 0) return false;
    blocks /= dim.size;
  }
  return blocks == 1;
}

// Positions among the dimensions that are left which can be halved.
absl::InlinedVector<int64_t, 8> HalvableAxes(const Dims& dims) {
  absl::InlinedVector<int64_t, 8> axes;
  int64_t position = 0;
  for (const Dim& dim : dims) {
    if (dim.indexed) continue;
    if (dim.size % (2 * dim.step) == 0) axes.push_back(position);
    ++position;
  }
  return axes;
}

void GenLaneCollective(Context& context, const Dims& dims,
                       AsyncPrefetchOp& op) {
  Choices& choices = context.choices;
  const AxisList& cluster = context.config.kernel.cluster;
  if (choices.Weighted({60, 40}) == 1 && context.ClusterSize() == 2) {
    const auto halvable = HalvableAxes(dims);
    if (!halvable.empty()) {
      op.collective_axes = cluster.names;
      op.leader_tracked = Partitioned{choices.Pick(halvable)};
      return;
    }
  }
  absl::InlinedVector<AxisSubset, 8> fitting;
  for (const AxisSubset& subset : Subsets(cluster)) {
    if (Splits(dims, subset.blocks)) fitting.push_back(subset);
  }
  if (fitting.empty()) return;
  op.collective_axes = NamesOf(cluster, choices.Pick(fitting).mask);
  if (choices.Chance(25)) op.leader_tracked = Replicated{};
}

void GenCollective(Context& context, const Dims& dims, AsyncPrefetchOp& op) {
  // The Warpgroup lowering silently drops both options.
  if (!context.lane()) return;
  const bool cluster = !context.config.kernel.cluster.names.empty();
  if (cluster && context.choices.Chance(50)) {
    GenLaneCollective(context, dims, op);
  } else if (context.choices.Chance(5)) {
    op.collective_axes.emplace();
  } else if (context.choices.Chance(5)) {
    op.leader_tracked = Replicated{};
  }
}

std::optional<Predicate> GenPredicate(Context& context) {
  Choices& choices = context.choices;
  if (!choices.Chance(25)) return std::nullopt;
  const auto axes = AxesInScope(context.config);
  if (axes.empty() || choices.Bool()) return choices.Bool();
  const Axis& axis = choices.Pick(axes);
  return AxisEquals{.axis = std::string(axis.name),
                    .value = context.Size(0, axis.size - 1)};
}

}  // namespace

std::optional<Op> GenPrefetch(Context& context) {
  absl::InlinedVector<Source, 8> sources;
  const auto add = [&](const Named<ArraySpec>& arrays, bool input) {
    for (const auto& [name, array] : arrays) {
      const Source source{&name, &array, InKernel(array.dtype, input)};
      if (CanPrefetch(source)) sources.push_back(source);
    }
  };
  add(context.config.inputs, true);
  add(context.config.outputs, false);
  if (sources.empty()) return std::nullopt;
  const Source& source = context.choices.Pick(sources);
  Dims dims = DimsOf(source);
  AsyncPrefetchOp op{.ref = {.name = *source.name}};
  op.ref.views = GenViews(context, dims);
  GenCollective(context, dims, op);
  op.predicate = GenPredicate(context);
  return Op{std::move(op)};
}

}  // namespace pallasite::valid

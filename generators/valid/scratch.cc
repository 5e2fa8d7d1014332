#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "generators/valid/context.h"

namespace pallasite::valid {
namespace {

constexpr std::string_view kScratchNames[] = {"s", "t", "u", "v",
                                              "w", "a", "b", "g"};
constexpr std::string_view kKeys[] = {"k", "h", "n", "e"};

enum class Leaf : uint8_t { kSmem, kTmem, kUnion, kBarrier, kAccumulator };

struct LeafKind {
  Leaf leaf;
  Area area;
  uint32_t weight;
};
constexpr LeafKind kLeafKinds[] = {
    {Leaf::kSmem, Area::kSmem, 30},
    {Leaf::kTmem, Area::kTmem, 25},
    {Leaf::kUnion, Area::kRefUnion, 30},
    {Leaf::kBarrier, Area::kBarriers, 15},
    {Leaf::kAccumulator, Area::kAccumulators, 5},
};

std::optional<RefTree> GenLeaf(Context& context, Leaf leaf) {
  switch (leaf) {
    case Leaf::kSmem: {
      auto ref =
          GenSmemRef(context, context.smem.largest_ref(), RefUse::kAlone);
      if (!ref) return std::nullopt;
      context.smem.SpendRef(SmemBytes(*ref));
      return RefTree{*std::move(ref)};
    }
    case Leaf::kTmem: {
      if (!OpenTmem(context)) return std::nullopt;
      auto ref = GenTmemRef(context, context.tmem.left(), RefUse::kAlone);
      if (!ref) return std::nullopt;
      context.tmem.Spend(TmemColumns(*ref));
      return RefTree{*std::move(ref)};
    }
    case Leaf::kUnion:
      return GenUnion(context);
    case Leaf::kBarrier:
      return GenBarrier(context);
    case Leaf::kAccumulator:
      return GenAccumulator(context);
  }
  return std::nullopt;
}

std::optional<RefTree> GenTree(Context& context,
                               absl::Span<const LeafKind> kinds, size_t depth) {
  Choices& choices = context.choices;
  if (depth == 0 || !choices.Chance(20)) {
    uint32_t weights[std::size(kLeafKinds)];
    for (size_t i = 0; i < kinds.size(); ++i) weights[i] = kinds[i].weight;
    const size_t kind =
        choices.Weighted(absl::MakeConstSpan(weights, kinds.size()));
    return GenLeaf(context, kinds[kind].leaf);
  }
  const auto shape = choices.UpTo(2);
  RefSequence sequence{shape == 1 ? SequenceKind::kTuple : SequenceKind::kList,
                       {}};
  RefDict dict;
  choices.List(1, std::min(std::size(kKeys), context.policy.max_tree_width),
               [&](size_t i) {
                 auto item = GenTree(context, kinds, depth - 1);
                 if (!item) return;
                 if (shape == 2) {
                   dict.entries.emplace_back(kKeys[i], *std::move(item));
                 } else {
                   sequence.items.push_back(*std::move(item));
                 }
               });
  if (shape == 2) return RefTree{std::move(dict)};
  return RefTree{std::move(sequence)};
}

}  // namespace

void GenScratch(Context& context) {
  absl::InlinedVector<LeafKind, 5> kinds;
  for (const LeafKind& kind : kLeafKinds) {
    if (!context.Has(kind.area)) continue;
    if (kind.leaf == Leaf::kAccumulator &&
        context.config.kernel.threads.count.has_value()) {
      continue;
    }
    kinds.push_back(kind);
  }
  if (kinds.empty()) return;
  if (context.Has(Area::kTmem) || context.Has(Area::kRefUnion)) {
    // Decided once and in any case, so that a trace that loses its cluster or
    // its first ref still fits.
    const bool collective = context.choices.Bool();
    context.tmem_collective = collective && context.ClusterSize() % 2 == 0;
  }
  context.choices.List(
      0, std::min(std::size(kScratchNames), context.policy.max_scratch),
      [&](size_t i) {
        auto tree = GenTree(context, kinds, context.policy.max_tree_depth);
        if (tree) {
          context.config.scratch.emplace_back(kScratchNames[i],
                                              *std::move(tree));
        }
      });
}

}  // namespace pallasite::valid

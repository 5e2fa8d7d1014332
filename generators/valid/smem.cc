#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>

#include "generators/valid/context.h"

namespace pallasite::valid {
namespace {

// What transforms ask of the minor dimensions of a ref.
struct TileSteps {
  Shape steps;                  // each extent must be a multiple of its step
  bool minor_is_fixed = false;  // the last extent equals its step
};

// Chooses transforms that fit the element type and a ref of at most `elements`
// elements.
TileSteps GenTransforms(Context& context, int64_t elements, RefSpec& ref) {
  enum { kNone, kTile, kTileAndSwizzle, kSwizzle };
  Choices& choices = context.choices;
  const size_t max_rank = context.policy.max_rank;
  TileSteps tiles;
  const auto kind = choices.Weighted({55, 15, 20, 10});
  if (kind == kNone) return tiles;
  int64_t left = elements;
  if (kind == kTile) {
    choices.List(1, std::min<size_t>(3, max_rank), [&](size_t) {
      const int64_t tile = context.Size(1, std::min<int64_t>(left, 256));
      left /= tile;
      tiles.steps.push_back(tile);
    });
    ref.transforms.emplace_back(TilingTransform{tiles.steps});
    return tiles;
  }
  const int64_t swizzle = choices.Pick<int64_t>({32, 64, 128});
  const int64_t minor = swizzle * 8 / Info(ref.dtype).bits;
  if (minor > elements) return tiles;
  if (kind == kSwizzle) {
    tiles.minor_is_fixed = true;
  } else {
    left /= minor;
    choices.List(0, std::min<size_t>(2, max_rank - 1), [&](size_t) {
      // Eight rows are what the hardware's patterns repeat after.
      const int64_t tile = left >= 8 && choices.Chance(60)
                               ? 8
                               : context.Size(1, std::min<int64_t>(left, 64));
      left /= tile;
      tiles.steps.push_back(tile);
    });
  }
  tiles.steps.push_back(minor);
  if (kind == kTileAndSwizzle) {
    ref.transforms.emplace_back(TilingTransform{tiles.steps});
  }
  ref.transforms.emplace_back(SwizzleTransform{swizzle});
  return tiles;
}

// A shape of at most `elements` elements that suits the tiles. With `whole`
// above 1 it has no empty dimension and a multiple of `whole` elements.
Shape GenShape(Context& context, int64_t elements, const TileSteps& tiles,
               int64_t whole, int64_t least) {
  size_t rank = std::max<size_t>(tiles.steps.size(), whole > 1 ? 1 : 0);
  context.choices.List(0, context.policy.max_rank - rank,
                       [&](size_t) { ++rank; });
  Shape steps(rank - tiles.steps.size(), 1);
  steps.insert(steps.end(), tiles.steps.begin(), tiles.steps.end());
  if (whole > 1) steps.back() = std::lcm(steps.back(), whole);
  int64_t left = elements;
  for (const int64_t step : steps) left /= step;
  Shape shape;
  for (size_t i = 0; i < rank; ++i) {
    int64_t extent = steps[i];
    if (i + 1 < rank || !tiles.minor_is_fixed) {
      extent = context.Size(least, left * steps[i], steps[i]);
    }
    left /= std::max<int64_t>(1, extent / steps[i]);
    shape.push_back(extent);
  }
  return shape;
}

}  // namespace

int64_t SmemBytes(const RefSpec& ref) {
  int64_t elements = 1;
  for (const int64_t extent : ref.shape) elements *= extent;
  return elements * Info(ref.dtype).bits / 8;
}

std::optional<RefSpec> GenSmemRef(Context& context, int64_t bytes, RefUse use) {
  if (bytes < SmemBudget::kAlignment) return std::nullopt;
  const bool in_union = use != RefUse::kAlone;
  static const DTypeSet in_unions = DTypeSet::Where([](const DTypeInfo& info) {
    return info.kind != DTypeKind::kBool && info.kind != DTypeKind::kComplex;
  });
  const auto dtype = PickDType(context, in_union ? in_unions : DTypeSet::All());
  if (!dtype) return std::nullopt;
  RefSpec ref{.space = MemorySpace::kSmem, .dtype = *dtype};
  const int64_t bits = Info(*dtype).bits;
  // Members of a union fill whole bytes.
  const int64_t whole = in_union && bits < 8 ? 8 / bits : 1;
  const int64_t elements = bytes * 8 / bits;
  const TileSteps tiles = GenTransforms(context, elements / whole, ref);
  ref.shape = GenShape(context, elements, tiles, whole, in_union ? 1 : 0);
  return ref;
}

}  // namespace pallasite::valid

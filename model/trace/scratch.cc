#include "model/trace/scratch.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "model/config/walk.h"
#include "model/physical_shape.h"
#include "model/python.h"

namespace pallasite {
namespace {

constexpr std::string_view kArea = "ref-transforms/indexing";

// A tiling meeting a shape: the first pair of extents that does not go
// together.
struct TilingFit {
  int64_t extent = 1;
  int64_t tile = 1;
};

TilingFit FirstMisfit(const Shape& shape, const Shape& tiling) {
  const size_t leading =
      shape.size() > tiling.size() ? shape.size() - tiling.size() : 0;
  for (size_t i = leading; i < shape.size() && i - leading < tiling.size();
       ++i) {
    const int64_t tile = tiling[i - leading];
    if (tile == 0 || shape[i] % tile != 0) return {shape[i], tile};
  }
  return {};
}

constexpr Rule<TilingFit> kTilingRules[] = {
    {.doc = {.id = "trace.tiling.zero-tile",
             .area = kArea,
             .phase = Phase::kTrace,
             .wordings = {{.raises = PyExc::kZeroDivisionError,
                           .pattern = "integer modulo by zero"}},
             .why = "A tile without elements cannot cover anything.",
             .fix = "Give the tile positive extents.",
             .source = "core.py TilingTransform.transform_type",
             .defect = DefectKind::kUndocumented,
             .spec_verdict = "Refuse with a message that names the tiling."},
     .violated = [](const TilingFit& fit) { return BrokenIf(fit.tile == 0); }},
    {.doc = {.id = "trace.tiling.indivisible",
             .area = kArea,
             .phase = Phase::kTrace,
             .wordings = {{.raises = PyExc::kAssertionError, .pattern = ""}},
             .why = "Every tile must be full.",
             .fix = "Pad the ref, or choose a tile that divides its minor "
                    "dimensions.",
             .source = "core.py TilingTransform.transform_type",
             .defect = DefectKind::kUndocumented,
             .spec_verdict = "Refuse with the shape and the tiling in the "
                             "message; JAX raises a bare assertion."},
     .violated =
         [](const TilingFit& fit) {
           return BrokenIf(fit.extent % fit.tile != 0);
         }},
};

// A swizzle meeting the shape it is applied to.
struct SwizzleFit {
  int64_t swizzle = 0;  // bytes
  DType dtype = DType::kFloat32;
  const Shape& shape;
  int64_t elements() const { return swizzle * 8 / Info(dtype).bits; }
};

constexpr std::string_view kSwizzleSource =
    "core.py SwizzleTransform.transform_type";

constexpr Rule<SwizzleFit> kSwizzleRules[] = {
    {.doc = {.id = "trace.swizzle.scalar",
             .area = kArea,
             .phase = Phase::kTrace,
             .wordings = {{.raises = PyExc::kIndexError,
                           .pattern = "tuple index out of range"}},
             .why = "A scalar has no row to swizzle.",
             .fix = "Drop the swizzle from refs of rank 0.",
             .source = kSwizzleSource,
             .defect = DefectKind::kUndocumented,
             .spec_verdict = "Refuse with a message that names the rank."},
     .violated =
         [](const SwizzleFit& fit) { return BrokenIf(fit.shape.empty()); }},
    {.doc = {.id = "trace.swizzle.minor-extent",
             .area = kArea,
             .phase = Phase::kTrace,
             .wordings = {{.pattern =
                               "Swizzle {swizzle} requires the trailing "
                               "dimension to be of size {elements}, but got "
                               "shape: {shape}"}},
             .why = "The hardware swizzles rows of exactly that many bytes.",
             .fix = "Tile the ref so that its minor tile extent is the swizzle "
                    "divided by the element size, before the swizzle.",
             .source = kSwizzleSource},
     .violated = [](const SwizzleFit& fit) -> Finding {
       if (fit.shape.back() == fit.elements()) return Holds();
       return Broken({{"swizzle", PyInt(fit.swizzle)},
                      {"elements", PyInt(fit.elements())},
                      {"shape", PyTuple(fit.shape)}});
     }},
};

bool TraceTiling(const TilingTransform& transform, const Location& at,
                 Shape& shape, Checker& checker) {
  if (!checker.Check(kTilingRules, FirstMisfit(shape, transform.tiling), at)) {
    return false;
  }
  if (std::any_of(transform.tiling.begin(), transform.tiling.end(),
                  [](int64_t tile) { return tile <= 0; })) {
    return checker.Unmodelled("tile extents that are not positive", at);
  }
  shape = Tiled(shape, transform.tiling);
  const std::optional<Wide> elements = ElementCount(shape);
  if (!elements || *elements > kMaxElements) {
    return checker.Unmodelled("a tiling that adds too many elements", at);
  }
  return true;
}

bool HasEmptyTiling(const RefSpec& ref) {
  return std::any_of(ref.transforms.begin(), ref.transforms.end(),
                     [](const RefTransform& transform) {
                       const auto* t = std::get_if<TilingTransform>(&transform);
                       return t != nullptr && t->tiling.empty();
                     });
}

bool TraceRef(const RefSpec& ref, const Location& at, bool in_union,
              Checker& checker) {
  if (ref.transforms.empty()) return true;
  const Location transforms(at, "transforms");
  // Undoing an empty tiling yields a scalar, whatever the ref was.
  if (HasEmptyTiling(ref) && (in_union || ref.transforms.size() > 1)) {
    return checker.Unmodelled("an empty tiling in company", transforms);
  }
  Shape shape = ref.shape;
  for (size_t i = 0; i < ref.transforms.size(); ++i) {
    const Location here(transforms, static_cast<int64_t>(i));
    if (const auto* t = std::get_if<TilingTransform>(&ref.transforms[i])) {
      if (!TraceTiling(*t, here, shape, checker)) return false;
    } else if (const auto* s =
                   std::get_if<SwizzleTransform>(&ref.transforms[i])) {
      const SwizzleFit fit = {
          .swizzle = s->swizzle, .dtype = ref.dtype, .shape = shape};
      if (!checker.Check(kSwizzleRules, fit, here)) return false;
    } else {
      return checker.Unmodelled("TransposeTransform of early releases", here);
    }
  }
  return true;
}

bool TraceTree(const RefTree& tree, const Location& at, bool in_union,
               Checker& checker) {
  return ForEachLeaf(
      tree, at, TreeOrder::kFlatten,
      [&](const RefTree& leaf, const Location& leaf_at) {
        if (const auto* ref = std::get_if<RefSpec>(&leaf.node)) {
          return TraceRef(*ref, leaf_at, in_union, checker);
        }
        if (const auto* spec = std::get_if<RefUnionSpec>(&leaf.node)) {
          for (size_t i = 0; i < spec->groups.size(); ++i) {
            if (!TraceTree(spec->groups[i],
                           Location(leaf_at, static_cast<int64_t>(i)), true,
                           checker)) {
              return false;
            }
          }
        }
        return true;
      });
}

}  // namespace

bool TraceScratch(const RefTree& tree, const Location& at, Checker& checker) {
  return TraceTree(tree, at, false, checker);
}

void AppendScratchRules(RuleList& rules) {
  AppendDocs(kTilingRules, Stage::kTraceScratch, rules);
  AppendDocs(kSwizzleRules, Stage::kTraceScratch, rules);
}

}  // namespace pallasite

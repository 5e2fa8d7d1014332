#include "model/lower/shared/index_values.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "absl/strings/str_cat.h"
#include "model/python.h"
#include "model/trace/indexer.h"

namespace pallasite {
namespace {

constexpr std::string_view kArea = "ref-transforms/indexing";

// Row numbers are spread over a warpgroup by the tile.
constexpr int64_t kRowsPerTile = 4;
// JAX unrolls what it does to row numbers; beyond this it takes minutes.
constexpr int64_t kMaxUnrolledRows = int64_t{1} << 12;

struct GatherUse {
  const GatherIndex& gather;
  bool lane = false;
  bool warp = false;

  std::string_view semantics() const { return lane ? "Lane" : "Warpgroup"; }
  bool whole_tiles() const { return gather.length % kRowsPerTile == 0; }
};

constexpr Rule<GatherUse> kIotaRules[] = {
    {.doc = {.id = "lower.gather.warp-context",
             .area = kArea,
             .phase = Phase::kLower,
             .wordings =
                 {{.raises = PyExc::kNotImplementedError,
                   .pattern =
                       "Unimplemented primitive in Pallas Mosaic GPU lowering: "
                       "iota for lowering semantics "
                       "LoweringSemantics.{semantics} and user thread "
                       "semantics PrimitiveSemantics.Warp. Please file an "
                       "issue at "
                       "https://github.com/jax-ml/jax/issues/new/choose."}},
             .why = "Row numbers are an array of a whole warpgroup, which a "
                    "single warp cannot hold.",
             .fix = "Move the gather out of warp_map.",
             .source = "lowering.py lower_jaxpr_to_mosaic_gpu"},
     .violated = [](const GatherUse& use) -> Finding {
       if (!use.warp) return Holds();
       return Broken({{"semantics", std::string(use.semantics())}});
     }},
    {.doc = {.id = "lower.gather.complex",
             .area = kArea,
             .phase = Phase::kLower,
             .wordings = {{.raises = PyExc::kMlirError,
                           .pattern = "Invalid type:\nerror: \"iota:\"({*}): "
                                      "failed to verify 'elementType': "
                                      "VectorElementTypeInterface instance"}},
             .why = "There are no vectors of complex numbers in MLIR.",
             .fix = "Use an unsigned integer type.",
             .source = "lowering.py _iota_lowering",
             .defect = DefectKind::kUndocumented,
             .spec_verdict = "Refuse while tracing, as for bool."},
     .violated =
         [](const GatherUse& use) {
           return BrokenIf(Info(use.gather.dtype).kind == DTypeKind::kComplex);
         }},
    {.doc = {.id = "lower.gather.lane-tile",
             .area = kArea,
             .phase = Phase::kLower,
             .wordings = {{.pattern = "Tiling (({tile},),) does not apply to "
                                      "shape ({length},)"}},
             .why = "The TMA engine takes four row numbers at a time.",
             .fix = "Gather a multiple of four rows.",
             .source = "fragmented_array.py Tiling.tile_shape"},
     .violated = [](const GatherUse& use) -> Finding {
       if (!use.lane || use.whole_tiles()) return Holds();
       return Broken({{"tile", PyInt(kRowsPerTile)},
                      {"length", PyInt(use.gather.length)}});
     }},
};

struct IndexExpression {
  const AtView& view;
  bool lane = false;
};

// An integer next to row numbers, or row numbers of length one next to others.
bool NeedsBroadcast(const AtView& view) {
  const int64_t rows = GatheredRows(view);
  if (rows == 0) return false;
  return std::any_of(view.indices.begin(), view.indices.end(),
                     [&](const Index& index) {
                       const auto* gather = std::get_if<GatherIndex>(&index);
                       return std::holds_alternative<Scalar>(index) ||
                              (gather != nullptr && gather->length != rows);
                     });
}

constexpr Rule<IndexExpression> kBroadcastRules[] = {
    {.doc = {.id = "lower.gather.broadcast",
             .area = kArea,
             .phase = Phase::kLower,
             .wordings =
                 {{.raises = PyExc::kNotImplementedError,
                   .pattern =
                       "Unimplemented primitive in Pallas Mosaic GPU lowering: "
                       "broadcast_to for lowering semantics "
                       "LoweringSemantics.{semantics} and user thread "
                       "semantics PrimitiveSemantics.Warpgroup. Please file an "
                       "issue at "
                       "https://github.com/jax-ml/jax/issues/new/choose."}},
             .why = "Next to row numbers every other index is stretched to the "
                    "same length, which Mosaic GPU cannot do.",
             .fix = "Use slices in the other dimensions.",
             .source = "lowering.py lower_jaxpr_to_mosaic_gpu"},
     .violated = [](const IndexExpression& expression) -> Finding {
       if (!NeedsBroadcast(expression.view)) return Holds();
       return Broken({{"semantics", expression.lane ? "Lane" : "Warpgroup"}});
     }},
};

constexpr Rule<GatherUse> kLayoutRules[] = {
    {.doc = {.id = "lower.gather.warpgroup-tile",
             .area = kArea,
             .phase = Phase::kLower,
             .wordings =
                 {{.pattern =
                       "Cannot cast to layout TiledLayout(tiling=Tiling("
                       "tiles=((4,),)), warp_dims=(Replicated(times=4),), "
                       "lane_dims=(Replicated(times=32),), vector_dim=-1): the "
                       "layout is notcompatible with the operand shape "
                       "({length},) in {*} = mosaic_gpu.layout_cast x({*} : "
                       "vector<{length}x{element}>) {{new_layout = "
                       "#mosaic_gpu.TiledLayout<[[4]], warp_dims = "
                       "[#mosaic_gpu.Replicated<times = 4>], lane_dims = "
                       "[#mosaic_gpu.Replicated<times = 32>], vector_dim = "
                       "-1>}}."}},
             .why = "The TMA engine takes four row numbers at a time.",
             .fix = "Gather a multiple of four rows.",
             .source = "layout_inference.py _layout_cast_constraint_system"},
     .violated = [](const GatherUse& use) -> Finding {
       if (use.whole_tiles()) return Holds();
       return Broken(
           {{"length", PyInt(use.gather.length)},
            {"element",
             std::string(Info(WithoutX64(use.gather.dtype)).mlir_name)}});
     }},
};

// Calls visit(view, location) for the `.at` views of an expression.
template <typename Visit>
bool ForEachAt(const RefExpr& expr, const Location& at, Visit&& visit) {
  const Location views(at, "views");
  for (size_t i = 0; i < expr.views.size(); ++i) {
    const auto* view = std::get_if<AtView>(&expr.views[i]);
    if (view == nullptr) continue;
    const Location here(views, static_cast<int64_t>(i));
    if (!visit(*view, Location(here, "at"))) return false;
  }
  return true;
}

// Calls visit(gather, location) for the row numbers of an index expression.
template <typename Visit>
bool ForEachGather(const AtView& view, const Location& at, Visit&& visit) {
  for (size_t i = 0; i < view.indices.size(); ++i) {
    const auto* gather = std::get_if<GatherIndex>(&view.indices[i]);
    if (gather != nullptr &&
        !visit(*gather, Location(at, static_cast<int64_t>(i)))) {
      return false;
    }
  }
  return true;
}

}  // namespace

bool LowerIndexValues(const RefExpr& expr, bool lane, bool warp,
                      const Location& at, Checker& checker) {
  return ForEachAt(expr, at, [&](const AtView& view, const Location& here) {
    return ForEachGather(view, here,
                         [&](const GatherIndex& gather, const Location& place) {
                           if (!warp && gather.length > kMaxUnrolledRows) {
                             return checker.Unmodelled(
                                 "a gather of more than 4096 rows", place);
                           }
                           return checker.Check(kIotaRules,
                                                GatherUse{gather, lane, warp},
                                                place);
                         }) &&
           checker.Check(kBroadcastRules, IndexExpression{view, lane}, here);
  });
}

bool InferIndexValues(const RefExpr& expr, const Location& at,
                      Checker& checker) {
  return ForEachAt(expr, at, [&](const AtView& view, const Location& here) {
    return ForEachGather(
        view, here, [&](const GatherIndex& gather, const Location& place) {
          return checker.Check(kLayoutRules, GatherUse{gather}, place);
        });
  });
}

void AppendIndexValueRules(RuleList& rules) {
  AppendDocs(kIotaRules, Stage::kLowerBody, rules);
  AppendDocs(kBroadcastRules, Stage::kLowerBody, rules);
  AppendDocs(kLayoutRules, Stage::kInferBody, rules);
}

}  // namespace pallasite

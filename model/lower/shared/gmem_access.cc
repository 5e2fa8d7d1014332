#include "model/lower/shared/gmem_access.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <variant>

#include "absl/types/span.h"
#include "model/lower/shared/device_id.h"
#include "model/python.h"
#include "model/trace/indexer.h"

namespace pallasite {
namespace {

constexpr std::string_view kArea = "ref-transforms/indexing";

constexpr Rule<View> kViewRules[] = {
    {.doc = {.id = "lower.gmem.multicast",
             .area = "semaphores/multimem/remote",
             .phase = Phase::kLower,
             .wordings = {{.pattern =
                               "Multicast refs are not supported by this "
                               "primitive."}},
             .why = "Only stores reach several devices at once.",
             .fix = "Drop multicast_ref, or store with copy_smem_to_gmem.",
             .source = "primitives.py _extract_gmem_copy_params"},
     .violated =
         [](const View& view) {
           return BrokenIf(std::holds_alternative<MulticastView>(view));
         }},
    {.doc = {.id = "lower.gmem.view",
             .area = kArea,
             .phase = Phase::kLower,
             .wordings = {{.raises = PyExc::kNotImplementedError,
                           .pattern =
                               "Non-indexing transforms on GMEM refs are "
                               "not implemented."}},
             .why =
                 "Copies and prefetches take a box out of an array as it lies "
                 "in global memory.",
             .fix = "Transpose or reshape outside the kernel; use cluster_ref "
                    "for shared memory only.",
             .source = "primitives.py _extract_gmem_copy_params"},
     .violated =
         [](const View& view) {
           return BrokenIf(std::holds_alternative<TransposeView>(view) ||
                           std::holds_alternative<ReshapeView>(view) ||
                           std::holds_alternative<ClusterView>(view));
         }},
};

// --- Several `.at` one after the other ---------------------------------------

constexpr std::string_view kMergeSource = "lowering.py merge_indexers";

constexpr Rule<AtView> kChainedRules[] = {
    {.doc = {.id = "lower.indexing.chained-gather",
             .area = kArea,
             .phase = Phase::kLower,
             .wordings = {{.raises = PyExc::kNotImplementedError,
                           .pattern = ""}},
             .why = "Row numbers cannot be combined with other index "
                    "expressions.",
             .fix = "Write one .at[...] with all indices.",
             .source = kMergeSource,
             .defect = DefectKind::kWrongMessage,
             .spec_verdict = "Refuse with a message; JAX gives none."},
     .violated =
         [](const AtView& view) { return BrokenIf(GatheredRows(view) != 0); }},
};

constexpr Rule<DimIndex> kChainedSliceRules[] = {
    {.doc = {.id = "lower.indexing.chained-stride",
             .area = kArea,
             .phase = Phase::kLower,
             .wordings = {{.raises = PyExc::kNotImplementedError,
                           .pattern = "Non-unit strides not implemented."}},
             .why = "Chained index expressions are merged into one by adding "
                    "their starts, which only unit strides allow.",
             .fix = "Use slices without a step.",
             .source = kMergeSource},
     .violated =
         [](const DimIndex& index) {
           return BrokenIf(index.kind == DimIndex::Kind::kSlice &&
                           index.stride != 1);
         }},
};

// --- The merged indices ------------------------------------------------------

struct SliceUse {
  const DimIndex& index;
  bool lane = false;

  bool dynamic() const {
    return index.kind == DimIndex::Kind::kSlice && index.axis != nullptr;
  }
};

// The start of a slice as Python prints it: Lane semantics has a repr for what
// it computes, and nobody has one for a plain axis index.
std::string StartRepr(const SliceUse& use) {
  const AxisIndex& axis = *use.index.axis;
  if (use.lane && (axis.scale != 1 || axis.offset != 0)) {
    return "FragmentedArray(layout=WGSplatFragLayout(shape=()), "
           "is_signed=True)";
  }
  return "<jaxlib.mlir._mlir_libs._mlir.ir.OpResult object at {*}>";
}

constexpr Rule<SliceUse> kStrideRules[] = {
    {.doc = {.id = "lower.indexing.dynamic-stride",
             .area = kArea,
             .phase = Phase::kLower,
             .wordings = {{.raises = PyExc::kNotImplementedError,
                           .pattern = "Unsupported slice: Slice(start={start}, "
                                      "size={size}, stride={stride})"}},
             .why = "A slice that starts at a value of the kernel has to be "
                    "contiguous.",
             .fix = "Drop the stride.",
             .source = "lowering.py _ndindexer_indices",
             .defect = DefectKind::kWrongMessage,
             .spec_verdict =
                 "Refuse, but name the stride; JAX prints the start "
                 "as an object with its address."},
     .violated = [](const SliceUse& use) -> Finding {
       if (!use.dynamic() || use.index.stride == 1) return Holds();
       return Broken({{"start", StartRepr(use)},
                      {"size", PyInt(use.index.size)},
                      {"stride", PyInt(use.index.stride)}});
     }},
};

constexpr Rule<GmemSlice> kLengthRules[] = {
    {.doc = {.id = "lower.indexing.negative-length",
             .area = kArea,
             .phase = Phase::kLower,
             .wordings = {{.pattern = "length must be non-negative, got "
                                      "{length}"}},
             .why = "A slice cannot have fewer than no elements.",
             .fix = "Give pl.ds a size that is not negative.",
             .source = "mosaic/gpu/utils.py DynamicSlice.__post_init__"},
     .violated = [](const GmemSlice& slice) -> Finding {
       if (slice.kind != GmemSlice::Kind::kDynamic || slice.size >= 0) {
         return Holds();
       }
       return Broken({{"length", PyInt(slice.size)}});
     }},
};

// A single index expression.
bool LowerIndexer(const Indexer& indexer, bool lane, const Location& at,
                  Checker& checker, GmemAccess& access) {
  for (const DimIndex& index : indexer) {
    if (!checker.Check(kStrideRules, SliceUse{index, lane}, at)) return false;
    GmemSlice slice = {
        .start = index.start, .size = index.size, .stride = index.stride};
    if (index.kind == DimIndex::Kind::kInteger) {
      slice.kind = GmemSlice::Kind::kIndex;
    } else if (index.kind == DimIndex::Kind::kGather) {
      slice.kind = GmemSlice::Kind::kGather;
      slice.size = index.gather->length;
      slice.gather = index.gather;
    } else if (index.axis != nullptr) {
      slice.kind = GmemSlice::Kind::kDynamic;
    }
    if (!checker.Check(kLengthRules, slice, at)) return false;
    access.slices.push_back(slice);
  }
  return true;
}

struct AtUse {
  const AtView* view;
  size_t position;  // among the views
};

// Several index expressions become one, whose starts are all computed.
bool MergeIndexers(absl::Span<const AtUse> uses, const Shape& array_shape,
                   const Location& views, Checker& checker,
                   GmemAccess& access) {
  for (const int64_t extent : array_shape) {
    access.slices.push_back(
        {.kind = GmemSlice::Kind::kDynamic, .size = extent});
  }
  Shape shape = array_shape;
  for (const AtUse& use : uses) {
    const Location here(views, static_cast<int64_t>(use.position));
    const Location at(here, "at");
    if (!checker.Check(kChainedRules, *use.view, at)) return false;
    const Indexer indexer = Promote(*use.view, shape);
    size_t next = 0;
    shape.clear();
    for (GmemSlice& slice : access.slices) {
      if (slice.kind == GmemSlice::Kind::kIndex) continue;
      const DimIndex& index = indexer[next++];
      if (!checker.Check(kChainedSliceRules, index, at)) return false;
      if (index.kind == DimIndex::Kind::kInteger) {
        slice.kind = GmemSlice::Kind::kIndex;
      } else {
        slice.size = index.size;
        shape.push_back(index.size);
      }
    }
  }
  for (const GmemSlice& slice : access.slices) {
    if (!checker.Check(kLengthRules, slice, views)) return false;
  }
  return true;
}

}  // namespace

bool LowerGmemViews(const RefExpr& expr, const GmemArray& array,
                    const KernelConfig& config, bool lane, const Location& at,
                    Checker& checker, GmemAccess& access) {
  const Location views(at, "views");
  absl::InlinedVector<AtUse, 4> uses;
  for (size_t i = 0; i < expr.views.size(); ++i) {
    const View& view = expr.views[i];
    const Location here(views, static_cast<int64_t>(i));
    if (const auto* indexed = std::get_if<AtView>(&view)) {
      uses.push_back({indexed, i});
    } else if (const auto* peer = std::get_if<PeerView>(&view)) {
      if (!LowerDeviceId(*peer, config, lane, Location(here, "peer"),
                         checker)) {
        return false;
      }
      access.peer = peer;
    } else if (!checker.Check(kViewRules, view, here)) {
      return false;
    }
  }
  if (uses.empty()) return true;
  if (uses.size() > 1) {
    return MergeIndexers(uses, array.shape, views, checker, access);
  }
  const Location here(views, static_cast<int64_t>(uses[0].position));
  return LowerIndexer(Promote(*uses[0].view, array.shape), lane,
                      Location(here, "at"), checker, access);
}

void AppendGmemAccessRules(RuleList& rules) {
  AppendDocs(kViewRules, Stage::kLowerBody, rules);
  AppendDocs(kChainedRules, Stage::kLowerBody, rules);
  AppendDocs(kChainedSliceRules, Stage::kLowerBody, rules);
  AppendDocs(kStrideRules, Stage::kLowerBody, rules);
  AppendDocs(kLengthRules, Stage::kLowerBody, rules);
}

}  // namespace pallasite

#include "model/trace/indexer.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "model/config/walk.h"
#include "model/python.h"
#include "model/trace/scalar.h"

namespace pallasite {
namespace {

constexpr std::string_view kArea = "ref-transforms/indexing";
constexpr std::string_view kSource = "indexing.py NDIndexer.from_indices_shape";
constexpr std::string_view kBoundsSource =
    "indexing.py NDIndexer.__post_init__";

bool IsEllipsis(const Index& index) {
  return std::holds_alternative<EllipsisIndex>(index);
}

int64_t CountEllipses(const AtView& view) {
  return std::count_if(view.indices.begin(), view.indices.end(), IsEllipsis);
}

// --- How Python prints indices -----------------------------------------------

std::string Repr(const Scalar& scalar) {
  const auto* value = std::get_if<int64_t>(&scalar);
  return value != nullptr ? PyInt(*value) : "JitTracer(int32[])";
}

std::string Repr(const std::optional<int64_t>& part) {
  return part ? PyInt(*part) : "None";
}

std::string Repr(const Index& index) {
  return std::visit(
      Overloaded{
          [](const Scalar& scalar) { return Repr(scalar); },
          [](const PySlice& slice) {
            return absl::StrCat("slice(", Repr(slice.start), ", ",
                                Repr(slice.stop), ", ", Repr(slice.step), ")");
          },
          [](const DynamicSlice& slice) {
            return absl::StrCat("Slice(start=", Repr(slice.start),
                                ", size=", slice.size,
                                ", stride=", slice.stride.value_or(1), ")");
          },
          [](const EllipsisIndex&) { return std::string("Ellipsis"); },
          [](const GatherIndex& gather) {
            const std::string_view dtype =
                Info(WithoutX64(gather.dtype)).jax_name;
            return absl::StrCat("JitTracer(",
                                absl::string_view(dtype.data(), dtype.size()),
                                "[", gather.length, "])");
          },
      },
      index);
}

// The indices as a tuple. An ellipsis stands for nothing where there are more
// indices than dimensions already.
std::string Repr(const AtView& view) {
  std::vector<std::string> items;
  for (const Index& index : view.indices) {
    if (!IsEllipsis(index)) items.push_back(Repr(index));
  }
  return absl::StrCat("(", absl::StrJoin(items, ", "),
                      items.size() == 1 ? ",)" : ")");
}

// --- Evaluating the indices --------------------------------------------------

constexpr Rule<DynamicSlice> kDynamicSliceRules[] = {
    {.doc = {.id = "trace.indexing.negative-stride",
             .area = kArea,
             .phase = Phase::kTrace,
             .wordings = {{.pattern = "`stride` must be >= 0."}},
             .why = "A slice cannot walk backwards.",
             .fix = "Give pl.ds a stride of at least 1, or none.",
             .source = "indexing.py Slice.__post_init__"},
     .violated =
         [](const DynamicSlice& slice) {
           return BrokenIf(slice.stride.value_or(1) < 0);
         }},
};

constexpr Rule<GatherIndex> kGatherRules[] = {
    {.doc = {.id = "trace.gather.bool",
             .area = kArea,
             .phase = Phase::kTrace,
             // The kinds come in any order: JAX prints a set.
             .wordings = {{.raises = PyExc::kTypeError,
                           .pattern = "iota does not accept dtype bool. "
                                      "Accepted dtypes are subtypes of {*}."}},
             .why = "Row numbers are counted, which bool cannot do.",
             .fix = "Use an unsigned integer type.",
             .source = "lax.py _iota_abstract_eval"},
     .violated =
         [](const GatherIndex& gather) {
           return BrokenIf(gather.dtype == DType::kBool);
         }},
};

bool TraceIndex(const Index& index, const KernelConfig& config,
                const Location& at, Checker& checker) {
  return std::visit(Overloaded{
                        [&](const Scalar& scalar) {
                          return TraceScalar(scalar, config, at, checker);
                        },
                        [](const PySlice&) { return true; },
                        [&](const DynamicSlice& slice) {
                          return TraceScalar(slice.start, config, at,
                                             checker) &&
                                 checker.Check(kDynamicSliceRules, slice, at);
                        },
                        [](const EllipsisIndex&) { return true; },
                        [&](const GatherIndex& gather) {
                          return checker.Check(kGatherRules, gather, at);
                        },
                    },
                    index);
}

// --- Meeting the shape -------------------------------------------------------

struct IndexedRef {
  const AtView& view;
  const Shape& shape;
};

constexpr Rule<IndexedRef> kRankRules[] = {
    {.doc = {.id = "trace.indexing.several-ellipses",
             .area = kArea,
             .phase = Phase::kTrace,
             .wordings = {{.pattern = "Only one ellipsis is supported."}},
             .why = "With two of them nobody could tell how many dimensions "
                    "each stands for.",
             .fix = "Keep one `...`.",
             .source = kSource},
     .violated =
         [](const IndexedRef& ref) {
           return BrokenIf(CountEllipses(ref.view) > 1);
         }},
    {.doc = {.id = "trace.indexing.too-many-indices",
             .area = kArea,
             .phase = Phase::kTrace,
             .wordings = {{.pattern = "`indices` must not be longer than "
                                      "`shape`: indices={indices}, "
                                      "shape={shape}"}},
             .why = "There is one index a dimension at most.",
             .fix = "Drop indices, or index a ref of higher rank.",
             .source = kSource},
     .violated = [](const IndexedRef& ref) -> Finding {
       const size_t indices = ref.view.indices.size() -
                              static_cast<size_t>(CountEllipses(ref.view));
       if (indices <= ref.shape.size()) return Holds();
       return Broken(
           {{"indices", Repr(ref.view)}, {"shape", PyTuple(ref.shape)}});
     }},
};

constexpr Rule<PySlice> kStepRules[] = {
    {.doc = {.id = "trace.indexing.zero-step",
             .area = kArea,
             .phase = Phase::kTrace,
             .wordings = {{.pattern = "slice step cannot be zero"}},
             .why = "A slice has to move on.",
             .fix = "Use a step of 1, or leave it out.",
             .source = "core.py canonicalize_slice"},
     .violated =
         [](const PySlice& slice) { return BrokenIf(slice.step == 0); }},
    {.doc = {.id = "trace.indexing.negative-step",
             .area = kArea,
             .phase = Phase::kTrace,
             .wordings = {{.pattern = "slice must have a step >= 1 (found: "
                                      "{step})"}},
             .why = "A slice cannot walk backwards.",
             .fix = "Use a positive step.",
             .source = "indexing.py Slice.from_slice"},
     .violated = [](const PySlice& slice) -> Finding {
       if (slice.step.value_or(1) >= 1) return Holds();
       return Broken({{"step", PyInt(*slice.step)}});
     }},
};

constexpr Rule<int64_t> kIntegerRules[] = {
    {.doc = {.id = "trace.indexing.integer-overflow",
             .area = kArea,
             .phase = Phase::kTrace,
             .wordings = {{.raises = PyExc::kOverflowError,
                           .pattern = "Python int {value} too large to convert "
                                      "to int32"}},
             .why = "An integer index becomes a 32-bit value of the kernel.",
             .fix = "Keep indices within 32 bits.",
             .source = "abstract_arrays.py _int_aval"},
     .violated = [](const int64_t& value) -> Finding {
       if (FitsInt32(value)) return Holds();
       return Broken({{"value", PyInt(value)}});
     }},
};

constexpr Rule<AtView> kBroadcastRules[] = {
    {.doc = {.id = "trace.gather.mismatched-lengths",
             .area = kArea,
             .phase = Phase::kTrace,
             .wordings = {{.pattern = "Cannot broadcast shapes for indexing: "
                                      "{{indexer_shapes}}"}},
             .why = "Several vectors of indices are taken together, element by "
                    "element.",
             .fix = "Give them the same length.",
             .source = kSource,
             .defect = DefectKind::kWrongMessage,
             .spec_verdict = "Refuse, but print the shapes: the message is a "
                             "template that nobody fills in."},
     .violated =
         [](const AtView& view) { return BrokenIf(GatheredRows(view) < 0); }},
};

// One index against the extent of its dimension.
struct DimUse {
  const DimIndex& index;
  int64_t extent = 0;

  bool known_slice() const {
    return index.kind == DimIndex::Kind::kSlice && index.axis == nullptr;
  }
  bool passes_the_end() const {
    return static_cast<Wide>(index.start) +
               (static_cast<Wide>(index.size) - 1) * index.stride >=
           extent;
  }
};

constexpr Rule<DimUse> kBoundsRules[] = {
    {.doc = {.id = "trace.indexing.slice-start",
             .area = kArea,
             .phase = Phase::kTrace,
             .wordings =
                 {{.pattern = "Out of bound slice: start={start}, dim={dim}."}},
             .why = "A slice has to begin inside the dimension. Python clamps "
                    "its slices first, so `x[200:300]` of 128 rows begins at "
                    "128.",
             .fix = "Start the slice inside the ref.",
             .source = kBoundsSource},
     .violated = [](const DimUse& use) -> Finding {
       // A start of zero is taken for one that is not known.
       if (!use.known_slice() || use.index.start == 0 ||
           use.index.start < use.extent) {
         return Holds();
       }
       return Broken(
           {{"start", PyInt(use.index.start)}, {"dim", PyInt(use.extent)}});
     }},
    {.doc = {.id = "trace.indexing.slice-end",
             .area = kArea,
             .phase = Phase::kTrace,
             .wordings = {{.pattern = "Out of bound slice: start={start}, "
                                      "size={size}, stride={stride}, "
                                      "dim={dim}."}},
             .why = "A slice has to end inside the dimension.",
             .fix = "Shorten the slice, or start it earlier.",
             .source = kBoundsSource},
     .violated = [](const DimUse& use) -> Finding {
       if (!use.known_slice() || use.index.start == 0 || use.index.size == 0 ||
           !use.passes_the_end()) {
         return Holds();
       }
       return Broken({{"start", PyInt(use.index.start)},
                      {"size", PyInt(use.index.size)},
                      {"stride", PyInt(use.index.stride)},
                      {"dim", PyInt(use.extent)}});
     }},
    {.doc = {.id = "trace.indexing.unchecked-end",
             .area = kArea,
             .phase = Phase::kTrace,
             .wordings = {{.pattern = "-"}},
             .why =
                 "The bounds of a slice are checked when its start is known, "
                 "and a start of zero counts as unknown.",
             .fix = "Keep the slice inside the ref.",
             .source = kBoundsSource,
             .defect = DefectKind::kAccepted,
             .spec_verdict = "Refuse as for any other start: \"Out of bound "
                             "slice: start=0, ...\"."},
     .violated =
         [](const DimUse& use) {
           return BrokenIf(use.known_slice() && use.index.start == 0 &&
                           use.index.size > 0 && use.passes_the_end());
         }},
    {.doc = {.id = "trace.indexing.unchecked-slice",
             .area = kArea,
             .phase = Phase::kTrace,
             .wordings = {{.pattern = "-"}},
             .why =
                 "pl.ds takes a negative start or size and hands it on; what "
                 "is transferred then has nothing to do with the ref.",
             .fix = "Use a start and a size that are not negative.",
             .source = kBoundsSource,
             .defect = DefectKind::kAccepted,
             .spec_verdict = "Refuse while tracing."},
     .violated =
         [](const DimUse& use) {
           return BrokenIf(use.known_slice() &&
                           (use.index.start < 0 || use.index.size < 0));
         }},
    {.doc = {.id = "trace.indexing.unchecked-integer",
             .area = kArea,
             .phase = Phase::kTrace,
             .wordings = {{.pattern = "-"}},
             .why = "JAX has a check for integer indices, but by then they are "
                    "values of the kernel and no longer known. Negative ones "
                    "do not count from the end either.",
             .fix = "Use an integer from 0 to the extent minus 1.",
             .source = kBoundsSource,
             .defect = DefectKind::kAccepted,
             .spec_verdict = "Refuse: \"Out of bound indexer: idx=..., "
                             "dim=...\"."},
     .violated =
         [](const DimUse& use) {
           return BrokenIf(
               use.index.kind == DimIndex::Kind::kInteger &&
               use.index.axis == nullptr &&
               (use.index.start < 0 || use.index.start >= use.extent));
         }},
};

// --- Promotion ---------------------------------------------------------------

// What Python makes of a slice with a positive step over `extent` elements.
void Clamp(const PySlice& slice, int64_t extent, DimIndex& out) {
  const auto clamp = [&](int64_t i) -> Wide {
    return i >= 0 ? std::min<Wide>(extent, i)
                  : std::max<Wide>(0, static_cast<Wide>(extent) + i);
  };
  const Wide start = slice.start ? clamp(*slice.start) : 0;
  const Wide stop = slice.stop ? clamp(*slice.stop) : extent;
  const Wide step = slice.step.value_or(1);
  Wide size = std::max<Wide>(0, stop - start + step - 1);
  if (step != 1) size /= step;  // 128-bit division is slow
  out.start = static_cast<int64_t>(start);
  out.size = static_cast<int64_t>(size);
  out.stride = static_cast<int64_t>(step);
}

void SetStart(const Scalar& scalar, DimIndex& out) {
  if (const auto* value = std::get_if<int64_t>(&scalar)) {
    out.start = *value;
  } else {
    out.axis = &std::get<AxisIndex>(scalar);
  }
}

// `out` takes its whole dimension so far.
void PromoteIndex(const Index& index, int64_t extent, DimIndex& out) {
  if (const auto* slice = std::get_if<PySlice>(&index)) {
    Clamp(*slice, extent, out);
  } else if (const auto* dynamic = std::get_if<DynamicSlice>(&index)) {
    out.size = dynamic->size;
    out.stride = dynamic->stride.value_or(1);
    SetStart(dynamic->start, out);
  } else if (const auto* scalar = std::get_if<Scalar>(&index)) {
    out.kind = DimIndex::Kind::kInteger;
    out.size = 0;
    SetStart(*scalar, out);
  } else if (const auto* gather = std::get_if<GatherIndex>(&index)) {
    out.kind = DimIndex::Kind::kGather;
    out.size = 0;
    out.gather = gather;
  }
}

// Calls visit(index, dimension, position) for each index but the ellipsis, with
// the dimension it applies to and its position in the source.
template <typename Visit>
bool ForEachIndex(const AtView& view, const Shape& shape, Visit&& visit) {
  size_t dimension = 0;
  for (size_t i = 0; i < view.indices.size(); ++i) {
    if (IsEllipsis(view.indices[i])) {
      dimension += shape.size() + 1 - view.indices.size();
      continue;
    }
    if (!visit(view.indices[i], dimension, i)) return false;
    ++dimension;
  }
  return true;
}

// The shape of the result: the dimensions of all gathers and integers become
// one, or none, at the place of the first of them, or in front when slices
// stand between them.
Shape IndexedShape(const Indexer& indexer, int64_t rows) {
  Shape shape;
  std::optional<size_t> first;
  size_t last = 0;
  size_t count = 0;
  for (size_t i = 0; i < indexer.size(); ++i) {
    if (indexer[i].kind == DimIndex::Kind::kSlice) {
      shape.push_back(indexer[i].size);
      continue;
    }
    if (!first) first = shape.size();
    last = i;
    ++count;
  }
  if (rows == 0) return shape;
  const bool adjacent = last + 1 == *first + count;
  shape.insert(shape.begin() + (adjacent ? static_cast<int64_t>(*first) : 0),
               rows);
  return shape;
}

}  // namespace

Indexer Promote(const AtView& view, const Shape& shape) {
  Indexer indexer(shape.size());
  // Dimensions without an index of their own are taken whole.
  for (size_t i = 0; i < shape.size(); ++i) indexer[i].size = shape[i];
  ForEachIndex(view, shape, [&](const Index& index, size_t dimension, size_t) {
    PromoteIndex(index, shape[dimension], indexer[dimension]);
    return true;
  });
  return indexer;
}

int64_t GatheredRows(const AtView& view) {
  int64_t rows = 0;
  for (const Index& index : view.indices) {
    const auto* gather = std::get_if<GatherIndex>(&index);
    if (gather == nullptr) continue;
    if (rows > 1 && gather->length > 1 && rows != gather->length) return -1;
    rows = std::max(rows, gather->length);
  }
  return rows;
}

bool TraceIndices(const AtView& view, const KernelConfig& config,
                  const Location& at, Checker& checker) {
  for (size_t i = 0; i < view.indices.size(); ++i) {
    if (!TraceIndex(view.indices[i], config,
                    Location(at, static_cast<int64_t>(i)), checker)) {
      return false;
    }
  }
  return true;
}

bool TraceAt(const AtView& view, const Location& at, Checker& checker,
             Shape& shape) {
  const auto place = [&](size_t position) {
    return Location(at, static_cast<int64_t>(position));
  };
  if (!checker.Check(kRankRules, IndexedRef{view, shape}, at)) return false;
  for (size_t i = 0; i < view.indices.size(); ++i) {
    const auto* slice = std::get_if<PySlice>(&view.indices[i]);
    if (slice != nullptr && !checker.Check(kStepRules, *slice, place(i))) {
      return false;
    }
  }
  for (size_t i = 0; i < view.indices.size(); ++i) {
    const auto* scalar = std::get_if<Scalar>(&view.indices[i]);
    if (scalar == nullptr) continue;
    const auto* value = std::get_if<int64_t>(scalar);
    if (value != nullptr && !checker.Check(kIntegerRules, *value, place(i))) {
      return false;
    }
  }
  if (!checker.Check(kBroadcastRules, view, at)) return false;
  const Indexer indexer = Promote(view, shape);
  if (!ForEachIndex(
          view, shape, [&](const Index&, size_t dimension, size_t position) {
            return checker.Check(kBoundsRules,
                                 DimUse{indexer[dimension], shape[dimension]},
                                 place(position));
          })) {
    return false;
  }
  shape = IndexedShape(indexer, GatheredRows(view));
  return true;
}

void AppendIndexerRules(RuleList& rules) {
  AppendDocs(kDynamicSliceRules, Stage::kTraceBody, rules);
  AppendDocs(kGatherRules, Stage::kTraceBody, rules);
  AppendDocs(kRankRules, Stage::kTraceBody, rules);
  AppendDocs(kStepRules, Stage::kTraceBody, rules);
  AppendDocs(kIntegerRules, Stage::kTraceBody, rules);
  AppendDocs(kBroadcastRules, Stage::kTraceBody, rules);
  AppendDocs(kBoundsRules, Stage::kTraceBody, rules);
}

}  // namespace pallasite

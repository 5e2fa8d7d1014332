#include "model/trace/shape_views.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

#include "model/python.h"

namespace pallasite {
namespace {

constexpr std::string_view kArea = "ref-transforms/indexing";

// --- Transposes --------------------------------------------------------------

struct Transposition {
  const Shape& permutation;
  const Shape& shape;
};

constexpr std::string_view kTransposeSource =
    "types.py TransposeTransform.transform_type";

constexpr Rule<Transposition> kTransposeRules[] = {
    {.doc = {.id = "trace.transpose.rank",
             .area = kArea,
             .phase = Phase::kTrace,
             .wordings = {{.pattern =
                               "Permutation {permutation} does not match "
                               "the rank of the type ({rank})"}},
             .why = "A permutation names every dimension.",
             .fix = "Give the permutation one entry a dimension.",
             .source = kTransposeSource},
     .violated = [](const Transposition& t) -> Finding {
       if (t.permutation.size() == t.shape.size()) return Holds();
       return Broken({{"permutation", PyTuple(t.permutation)},
                      {"rank", PyInt(static_cast<Wide>(t.shape.size()))}});
     }},
    {.doc = {.id = "trace.transpose.range",
             .area = kArea,
             .phase = Phase::kTrace,
             .wordings = {{.raises = PyExc::kIndexError,
                           .pattern = "tuple index out of range"}},
             .why = "The entries of a permutation are dimensions of the ref.",
             .fix = "Use each number from 0 to the rank minus 1 once.",
             .source = kTransposeSource,
             .defect = DefectKind::kUndocumented,
             .spec_verdict = "Refuse with the permutation and the rank."},
     .violated =
         [](const Transposition& t) {
           const auto rank = static_cast<int64_t>(t.shape.size());
           return BrokenIf(
               std::any_of(t.permutation.begin(), t.permutation.end(),
                           [&](int64_t p) { return p < -rank || p >= rank; }));
         }},
};

Shape Permuted(const TransposeView& view, const Shape& shape) {
  Shape permuted;
  for (const int64_t p : view.permutation) {
    permuted.push_back(
        shape[p < 0 ? p + static_cast<int64_t>(shape.size()) : p]);
  }
  return permuted;
}

// --- Reshapes ----------------------------------------------------------------

constexpr int64_t kInferred = -1;

struct Reshape {
  const Shape& target;
  const Shape& shape;

  int64_t inferred() const {
    return std::count(target.begin(), target.end(), kInferred);
  }
};

// numpy multiplies 64-bit integers modulo 2^64.
uint64_t WrappedProduct(const Shape& shape) {
  uint64_t product = 1;
  for (const int64_t extent : shape) product *= static_cast<uint64_t>(extent);
  return product;
}

// Product of the extents that are given; nullopt beyond 128 bits.
std::optional<Wide> KnownCount(const Shape& target) {
  Shape known;
  for (const int64_t extent : target) {
    if (extent != kInferred) known.push_back(extent);
  }
  return ElementCount(known);
}

constexpr std::string_view kReshapeSource = "types.py _canonicalize_reshape";

constexpr Rule<Reshape> kReshapeRules[] = {
    {.doc = {.id = "trace.reshape.size",
             .area = kArea,
             .phase = Phase::kTrace,
             .wordings = {{.pattern = "cannot reshape shape {shape} into shape "
                                      "{target}"}},
             .why = "A reshape keeps the number of elements.",
             .fix = "Choose extents with the same product.",
             .source = kReshapeSource},
     .violated = [](const Reshape& reshape) -> Finding {
       if (reshape.inferred() != 0 ||
           WrappedProduct(reshape.target) == WrappedProduct(reshape.shape)) {
         return Holds();
       }
       return Broken({{"shape", PyTuple(reshape.shape)},
                      {"target", PyTuple(reshape.target)}});
     }},
    {.doc = {.id = "trace.reshape.several-inferred",
             .area = kArea,
             .phase = Phase::kTrace,
             .wordings = {{.pattern =
                               "At most one dimension can be -1, but got "
                               "{target}"}},
             .why = "Only one extent follows from the others.",
             .fix = "Keep one -1.",
             .source = kReshapeSource},
     .violated = [](const Reshape& reshape) -> Finding {
       if (reshape.inferred() <= 1) return Holds();
       return Broken({{"target", PyTuple(reshape.target)}});
     }},
    {.doc = {.id = "trace.reshape.inferred-from-zero",
             .area = kArea,
             .phase = Phase::kTrace,
             .wordings = {{.raises = PyExc::kZeroDivisionError,
                           .pattern = "integer modulo by zero"}},
             .why = "Next to an extent of zero any extent would do.",
             .fix = "Write all extents out.",
             .source = kReshapeSource,
             .defect = DefectKind::kUndocumented,
             .spec_verdict = "Refuse with the shapes in the message."},
     .violated =
         [](const Reshape& reshape) {
           return BrokenIf(reshape.inferred() == 1 &&
                           KnownCount(reshape.target) == Wide{0});
         }},
    {.doc = {.id = "trace.reshape.indivisible",
             .area = kArea,
             .phase = Phase::kTrace,
             .wordings = {{.pattern = "Specified dims {target} do not evenly "
                                      "divide the size of the ref ({size})."}},
             .why = "The extent that stands for -1 has to come out whole.",
             .fix = "Choose extents whose product divides the number of "
                    "elements.",
             .source = kReshapeSource},
     .violated = [](const Reshape& reshape) -> Finding {
       if (reshape.inferred() != 1) return Holds();
       const Wide size = *ElementCount(reshape.shape);
       if (size % *KnownCount(reshape.target) == 0) return Holds();
       return Broken(
           {{"target", PyTuple(reshape.target)}, {"size", PyInt(size)}});
     }},
};

// Sizes that the arithmetic above is not exact for. Shapes of arrays stay far
// below; only long chains of views get here.
bool IsTooLarge(const Reshape& reshape) {
  if (reshape.inferred() == 0) return false;
  const std::optional<Wide> size = ElementCount(reshape.shape);
  const std::optional<Wide> known = KnownCount(reshape.target);
  constexpr Wide kLimit = Wide{1} << 62;
  return !size || !known || *size >= kLimit || *size <= -kLimit;
}

}  // namespace

bool TraceTranspose(const TransposeView& view, const Location& at,
                    Checker& checker, Shape& shape) {
  if (!checker.Check(kTransposeRules, Transposition{view.permutation, shape},
                     at)) {
    return false;
  }
  shape = Permuted(view, shape);
  return true;
}

bool TraceReshape(const ReshapeView& view, const Location& at, Checker& checker,
                  Shape& shape) {
  const Reshape reshape = {view.shape, shape};
  if (IsTooLarge(reshape)) {
    return checker.Unmodelled("a reshape of 2^62 elements and more", at);
  }
  if (!checker.Check(kReshapeRules, reshape, at)) return false;
  Shape result = view.shape;
  for (int64_t& extent : result) {
    if (extent == kInferred && reshape.inferred() == 1) {
      extent =
          static_cast<int64_t>(*ElementCount(shape) / *KnownCount(view.shape));
    }
  }
  shape = result;
  return true;
}

void AppendShapeViewRules(RuleList& rules) {
  AppendDocs(kTransposeRules, Stage::kTraceBody, rules);
  AppendDocs(kReshapeRules, Stage::kTraceBody, rules);
}

}  // namespace pallasite

#include "model/lower/warpgroup/smem_use.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "model/element_width.h"
#include "model/physical_shape.h"
#include "model/python.h"
#include "model/tmem_fit.h"

namespace pallasite {
namespace {

constexpr std::string_view kArea = "ref-transforms/indexing";

// --- Verification

struct Recast {
  Wide physical = 0;  // elements in memory
  Wide declared = 0;  // elements of the declared shape
};

constexpr Rule<Recast> kRecastRules[] = {
    {.doc = {.id = "lower.smem.warpgroup-recast",
             .area = kArea,
             .phase = Phase::kLower,
             .wordings =
                 {{.raises = PyExc::kVerificationError,
                   .pattern =
                       "Pallas encountered an internal verification error. "
                       "Please file a bug at "
                       "https://github.com/jax-ml/jax/issues/new/choose. Error "
                       "details: 'mosaic_gpu.reinterpret_cast' op source and "
                       "result memrefs must have the same number of elements, "
                       "but got {physical} and {declared}{*}"}},
             .why = "A tiling with more dimensions than the ref multiplies its "
                    "memory instead of cutting it into tiles.",
             .fix = "Give the tiling at most as many dimensions as the ref.",
             .source = "mosaic/gpu/core.py _lower_as_gpu_kernel",
             .defect = DefectKind::kUndocumented,
             .spec_verdict = "Refuse a tiling of higher rank than the ref when "
                             "the ref is declared."},
     .violated = [](const Recast& recast) -> Finding {
       if (recast.physical == recast.declared) return Holds();
       return Broken({{"physical", PyInt(recast.physical)},
                      {"declared", PyInt(recast.declared)}});
     }},
};

// --- Layout inference

struct SmemUse {
  const RefSpec& ref;
  DType dtype;
  const TilingTransform* tiling = nullptr;
  const SwizzleTransform* swizzle = nullptr;
  bool known_form = true;  // at most a tiling, then at most a swizzle
};

SmemUse Classify(const RefSpec& ref, DType dtype) {
  SmemUse use = {.ref = ref, .dtype = dtype};
  for (const RefTransform& transform : ref.transforms) {
    const auto* tiling = std::get_if<TilingTransform>(&transform);
    const auto* swizzle = std::get_if<SwizzleTransform>(&transform);
    if (tiling != nullptr && use.tiling == nullptr && use.swizzle == nullptr) {
      use.tiling = tiling;
    } else if (swizzle != nullptr && use.swizzle == nullptr) {
      use.swizzle = swizzle;
    } else {
      use.known_form = false;
    }
  }
  return use;
}

std::string TilingRepr(const TilingTransform& transform) {
  return absl::StrFormat("TileTransform(tiling=%s, rounding=None)",
                         PyTuple(transform.tiling));
}

std::string TransformsRepr(const std::vector<RefTransform>& transforms) {
  const std::string items = absl::StrJoin(
      transforms, ", ", [](std::string* out, const RefTransform& transform) {
        if (const auto* tiling = std::get_if<TilingTransform>(&transform)) {
          out->append(TilingRepr(*tiling));
          return;
        }
        const int64_t bytes = std::get<SwizzleTransform>(transform).swizzle;
        out->append(absl::StrFormat("<SwizzlingMode.k%dByteSwizzle: %d>", bytes,
                                    bytes));
      });
  return absl::StrFormat("[%s]", items);
}

// Whether the dimension whose elements lie side by side is ambiguous: several
// dimensions then have a stride of one.
bool AmbiguousMinor(const Shape& shape) {
  return shape.size() > 1 && shape.back() == 1;
}

// Whether a swizzle agrees with the extent that it runs along.
bool SwizzleFits(const SmemUse& use) {
  if (use.swizzle == nullptr) return true;
  if (AmbiguousMinor(use.ref.shape)) return false;
  const int64_t elements = use.swizzle->swizzle * 8 / Info(use.dtype).ir_bits;
  const int64_t extent =
      use.tiling != nullptr ? use.tiling->tiling.back() : use.ref.shape.back();
  return extent % elements == 0;
}

bool TransformsApply(const SmemUse& use) {
  const Shape& shape = use.ref.shape;
  if (use.tiling != nullptr && use.tiling->tiling.size() > shape.size()) {
    return false;
  }
  if (shape.empty()) return use.tiling == nullptr && use.swizzle == nullptr;
  return SwizzleFits(use);
}

constexpr std::string_view kInferenceSource =
    "layout_inference.py _with_transforms_constraint_system";

constexpr Rule<SmemUse> kSmemRules[] = {
    {.doc = {.id = "lower.smem.warpgroup-transforms-form",
             .area = kArea,
             .phase = Phase::kLower,
             .wordings = {{.raises = PyExc::kNotImplementedError,
                           .pattern = "Unsupported transforms {transforms}"}},
             .why =
                 "Layout inference knows one tiling followed by one swizzle, "
                 "either of which may be missing.",
             .fix = "Declare at most one TilingTransform, then at most one "
                    "SwizzleTransform.",
             .source = kInferenceSource},
     .violated = [](const SmemUse& use) -> Finding {
       if (use.known_form) return Holds();
       return Broken({{"transforms", TransformsRepr(use.ref.transforms)}});
     }},
    {.doc = {.id = "lower.smem.warpgroup-empty-tiling",
             .area = kArea,
             .phase = Phase::kLower,
             .wordings = {{.raises = PyExc::kNotImplementedError,
                           .pattern = "Empty tiling unsupported"}},
             .why = "A tiling without dimensions does not describe tiles.",
             .fix = "Drop the TilingTransform.",
             .source = "constraints.py _is_valid_smem_layout_assignment"},
     .violated =
         [](const SmemUse& use) {
           return BrokenIf(use.tiling != nullptr && use.tiling->tiling.empty());
         }},
    {.doc = {.id = "lower.smem.warpgroup-empty-extent",
             .area = kArea,
             .phase = Phase::kLower,
             .wordings = {{.raises = PyExc::kNotImplementedError,
                           .pattern = "We cannot apply swizzle to "
                                      "non-contiguous refs"}},
             .why = "An extent of zero that is not the major one gives the ref "
                    "a stride of zero, which looks like a gap in memory.",
             .fix = "Drop refs without elements.",
             .source = "constraints.py _is_valid_smem_layout_assignment",
             .defect = DefectKind::kWrongMessage,
             .spec_verdict = "Accept, as Lane semantics does, or refuse refs "
                             "without elements when they are declared."},
     .violated =
         [](const SmemUse& use) {
           const Shape& shape = use.ref.shape;
           return BrokenIf(shape.size() > 1 &&
                           std::find(shape.begin() + 1, shape.end(), 0) !=
                               shape.end());
         }},
    {.doc = {.id = "lower.smem.warpgroup-complex",
             .area = kArea,
             .phase = Phase::kLower,
             .wordings = {{.raises = PyExc::kNotImplementedError,
                           .pattern = kNoWidthPattern}},
             .why = "Layout inference works on element widths, and complex "
                    "numbers have none that it knows.",
             .fix = "Keep real and imaginary parts in separate refs.",
             .source = "utils.py bitwidth",
             .defect = DefectKind::kWrongMessage,
             .spec_verdict = "Refuse the element type by name; the message is "
                             "only the type, and Lane semantics accepts."},
     .violated = [](const SmemUse& use) { return HasNoWidth(use.dtype); }},
    {.doc = {.id = "lower.smem.warpgroup-transforms-do-not-apply",
             .area = kArea,
             .phase = Phase::kLower,
             .wordings = {{.pattern = "Cannot apply {tiling} with {swizzle} to "
                                      "memref with shape {shape}."}},
             .why = "The minor extent must be a whole number of swizzled rows. "
                    "A bool counts as 8 bits when the ref is declared and as 1 "
                    "bit here, and a 64-bit member of a union has become 32 "
                    "bits wide, so what passed there can fail here.",
             .fix = "Use an integer type of the width you mean, or drop the "
                    "swizzle.",
             .source = kInferenceSource},
     .violated = [](const SmemUse& use) -> Finding {
       if (TransformsApply(use)) return Holds();
       return Broken({{"tiling", use.tiling != nullptr
                                     ? absl::StrFormat("tiling %s",
                                                       TilingRepr(*use.tiling))
                                     : "empty tiling"},
                      {"swizzle",
                       use.swizzle != nullptr
                           ? absl::StrFormat("%d swizzle", use.swizzle->swizzle)
                           : "no swizzle"},
                      {"shape", PyTuple(use.ref.shape)}});
     }},
};

constexpr Rule<LoweredTmem> kTmemRules[] = {
    {.doc = {.id = "lower.tmem.warpgroup-complex",
             .area = "tcgen05/tmem",
             .phase = Phase::kLower,
             .wordings = {{.raises = PyExc::kNotImplementedError,
                           .pattern = kNoWidthPattern}},
             .why = "Complex numbers have no width that tensor memory knows.",
             .fix = "Keep real and imaginary parts in separate refs.",
             .source = "utils.py bitwidth",
             .defect = DefectKind::kWrongMessage,
             .spec_verdict = "Refuse the element type when the ref is built; "
                             "the message is only the type's name."},
     .violated = [](const LoweredTmem& use) { return HasNoWidth(use.dtype); }},
    {.doc = {.id = "lower.tmem.warpgroup-vector-length",
             .area = "tcgen05/tmem",
             .phase = Phase::kLower,
             .wordings = {{.pattern = kTmemVectorPattern}},
             .why =
                 "A bool counts as 8 bits when the ref is built and as 1 bit "
                 "when it is used, so four to a cell stops fitting.",
             .fix = "Use i8 or u8 instead of bool, or packed=False.",
             .source = "tcgen05.py TMEMLayout.check_type",
             .defect = DefectKind::kUndocumented,
             .spec_verdict = "Count a bool alike everywhere."},
     .violated =
         [](const LoweredTmem& use) { return TmemVectorMismatch(use.fit); }},
};

}  // namespace

bool LowerSmemUse(const RefSpec& ref, const Location& at, Checker& checker) {
  if (ref.space != MemorySpace::kSmem || ref.transforms.empty()) return true;
  const Shape physical = PhysicalShape(ref);
  const auto minor = physical.begin() + (physical.empty() ? 0 : 1);
  return std::find(minor, physical.end(), 0) == physical.end() ||
         checker.Unmodelled("the use of a tiled ref without elements", at);
}

bool VerifySmemUse(const RefSpec& ref, const Location& at, Checker& checker) {
  if (ref.space != MemorySpace::kSmem || ref.transforms.empty()) return true;
  // Undoing an empty tiling leaves the scalar it made, so there is no recast.
  for (const RefTransform& transform : ref.transforms) {
    const auto* tiling = std::get_if<TilingTransform>(&transform);
    if (tiling != nullptr && tiling->tiling.empty()) return true;
  }
  const Recast recast = {.physical = *ElementCount(PhysicalShape(ref)),
                         .declared = *ElementCount(ref.shape)};
  return checker.Check(kRecastRules, recast, at);
}

bool InferSmemUse(const RefSpec& ref, DType dtype, const Location& at,
                  Checker& checker) {
  return checker.Check(kSmemRules, Classify(ref, dtype), at);
}

bool LowerTmemUse(const RefSpec& ref, DType dtype, const Location& at,
                  Checker& checker) {
  return checker.Check(kTmemRules, LowerTmemType(ref, dtype), at);
}

void AppendSmemUseRules(RuleList& rules) {
  AppendDocs(kRecastRules, Stage::kVerifyBody, rules);
  AppendDocs(kSmemRules, {Stage::kInferBody, Stage::kInferScratch}, rules);
  AppendDocs(kTmemRules, {Stage::kLowerPrinted, Stage::kLowerDialect}, rules);
}

}  // namespace pallasite

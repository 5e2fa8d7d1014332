#include "model/construct/ref.h"

#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_format.h"
#include "model/config/walk.h"
#include "model/python.h"
#include "model/tmem_layout.h"

namespace pallasite {
namespace {

constexpr std::string_view kArea = "ref-construction";
constexpr std::string_view kSource = "core.py MemorySpace.__call__";

// --- transforms=, which Python evaluates before the ref itself

constexpr Rule<RefTransform> kTransformRules[] = {
    {.doc = {.id = "construct.ref.swizzle-width",
             .area = kArea,
             .wordings = {{.pattern =
                               "Swizzle {swizzle} is not supported. Only "
                               "32, 64 and 128 are accepted."}},
             .why = "The TMA engine and the tensor cores know three swizzle "
                    "patterns only, 32, 64 and 128 bytes wide.",
             .fix = "Use a swizzle of 32, 64 or 128 bytes, or none.",
             .source = "core.py SwizzleTransform.__post_init__"},
     .violated = [](const RefTransform& transform) -> Finding {
       const auto* t = std::get_if<SwizzleTransform>(&transform);
       if (t == nullptr || t->swizzle == 32 || t->swizzle == 64 ||
           t->swizzle == 128) {
         return Holds();
       }
       return Broken({{"swizzle", PyInt(t->swizzle)}});
     }},
    {.doc = {.id = "construct.ref.transpose-transform-removed",
             .area = kArea,
             .wordings = {{.releases = {.first = Release{0, 10, 1}},
                           .raises = PyExc::kAttributeError,
                           .pattern =
                               "module 'jax.experimental.pallas.mosaic_gpu' "
                               "has no attribute 'TransposeTransform'"}},
             .why = "plgpu.TransposeTransform was removed: a ref is declared "
                    "untransposed and transposed where it is used.",
             .fix = "Drop the transform and call .transpose(...) on the ref in "
                    "the kernel body.",
             .source = "mosaic_gpu.py module attributes"},
     .violated =
         [](const RefTransform& transform) {
           return BrokenIf(
               std::holds_alternative<TransposeTransform>(transform));
         }},
};

// --- Tensor memory

constexpr Rule<RefSpec> kTmemArgumentRules[] = {
    {.doc = {.id = "construct.ref.tmem-transforms",
             .area = kArea,
             .wordings = {{.pattern = "transforms are not supported for TMEM"}},
             .why = "Tensor memory has hardware layouts of its own; tiling and "
                    "swizzling describe shared memory.",
             .fix = "Drop transforms= from the TMEM ref and choose its layout "
                    "with packed= or layout=.",
             .source = kSource},
     .violated =
         [](const RefSpec& ref) { return BrokenIf(!ref.transforms.empty()); }},
    {.doc = {.id = "construct.ref.tmem-width-needs-packed",
             .area = kArea,
             .wordings = {{.pattern =
                               "dtypes narrower than 32-bit require either the "
                               "packed argument or an explicit TMEM layout"}},
             .why =
                 "A tensor memory cell holds 32 bits. For any other width "
                 "JAX must be told whether several elements share a cell. "
                 "(64-bit types get this text too, although they are wider.)",
             .fix = "Pass packed=True or packed=False, or a layout=.",
             .source = kSource},
     .violated =
         [](const RefSpec& ref) {
           return BrokenIf(!ref.layout && !ref.packed &&
                           Info(ref.dtype).bits != 32);
         }},
    {.doc = {.id = "construct.ref.tmem-packed-and-layout",
             .area = kArea,
             .wordings =
                 {{.pattern =
                       "packed cannot be specified if layout is specified."}},
             .why = "An explicit layout already says how elements share cells; "
                    "even packed=False contradicts it.",
             .fix = "Pass either packed= or layout=, not both.",
             .source = kSource},
     .violated =
         [](const RefSpec& ref) {
           return BrokenIf(ref.layout.has_value() && ref.packed.has_value());
         }},
};

// What the inference of a layout looks at: the two minor dimensions.
struct InferredTmem {
  absl::Span<const int64_t> minor;  // at most two extents
  bool collective = false;
  int64_t packing = 1;

  bool HalfRows() const { return minor[0] == kTmemLanes / 2; }
  int64_t columns() const { return minor[1]; }
};

constexpr std::string_view kInferSource = "tcgen05.py _infer_tmem_layout";

constexpr Rule<InferredTmem> kInferenceRules[] = {
    {.doc =
         {.id = "construct.ref.tmem-rank",
          .area = kArea,
          .wordings = {{.pattern =
                            "TMEM can only represent 2D shapes, got {shape}"}},
          .why = "Tensor memory is a table of 128 lanes by 512 columns; a "
                 "ref needs rows and columns.",
          .fix = "Give the ref at least two dimensions.",
          .source = kInferSource},
     .violated = [](const InferredTmem& t) -> Finding {
       if (t.minor.size() == 2) return Holds();
       return Broken({{"shape", PyTuple(t.minor)}});
     }},
    {.doc = {.id = "construct.ref.tmem-packing",
             .area = kArea,
             .wordings = {{.pattern = "Packing must be <= 8 and a power of 2, "
                                      "got: {packing}"}},
             .why =
                 "A cell holds one, two, four or eight elements. 2-bit types "
                 "would need sixteen, 64-bit types less than one.",
             .fix = "Use packed=False, or an element type of 4 to 32 bits.",
             .source = kInferSource},
     .violated = [](const InferredTmem& t) -> Finding {
       if (t.packing <= 8 && HasOneBit(t.packing)) return Holds();
       return Broken({{"packing", PyInt(t.packing)}});
     }},
    {.doc = {.id = "construct.ref.tmem-columns-divisible-by-packing",
             .area = kArea,
             .wordings = {{.pattern = "Minor dimension of shape must be "
                                      "divisible by packing, got: {shape}"}},
             .why = "A row may not end in the middle of a cell.",
             .fix =
                 "Make the number of columns a multiple of 32 divided by the "
                 "element width.",
             .source = kInferSource},
     .violated = [](const InferredTmem& t) -> Finding {
       if (t.columns() % t.packing == 0) return Holds();
       return Broken({{"shape", PyTuple(t.minor)}});
     }},
    {.doc = {.id = "construct.ref.tmem-rows",
             .area = kArea,
             .wordings = {{.pattern =
                               "Unsupported shape: {shape}. TMEM references "
                               "must have either 128 or 64 rows, but got "
                               "{rows}."}},
             .why = "The tensor core writes accumulators of 128 rows, or 64 in "
                    "its half modes.",
             .fix = "Use 128 or 64 rows, or an explicit layout=.",
             .source = kInferSource},
     .violated = [](const InferredTmem& t) -> Finding {
       if (t.minor[0] == kTmemLanes || t.HalfRows()) return Holds();
       return Broken(
           {{"shape", PyTuple(t.minor)}, {"rows", PyInt(t.minor[0])}});
     }},
    {.doc = {.id = "construct.ref.tmem-half-lane-too-few-columns",
             .area = kArea,
             .wordings = {{.pattern = "Packing must be <= 8 and a power of 2, "
                                      "got: {packing}"}},
             .why =
                 "A ref of 64 rows is split in two halves along its columns, "
                 "and each half must hold at least one full cell.",
             .fix = "Use a multiple of 16 columns, at least 16.",
             .source = "tcgen05.py tmem_half_lane_layout",
             .defect = DefectKind::kWrongMessage,
             .spec_verdict = "Refuse the number of columns, not the packing, "
                             "which is legal."},
     .violated = [](const InferredTmem& t) -> Finding {
       if (!t.HalfRows() || t.collective || t.packing <= t.columns() / 2) {
         return Holds();
       }
       return Broken({{"packing", PyInt(t.packing)}});
     }},
};

// A layout of 64 rows, inferred or asked for.
struct HalfRowsLayout {
  TmemLayout layout;
};

constexpr std::string_view kHalfSource =
    "tcgen05.py tmem_half_lane_layout, tmem_m64_collective_layout";

constexpr Rule<HalfRowsLayout> kHalfRowsRules[] = {
    {.doc = {.id = "construct.ref.tmem-columns-multiple-of-16",
             .area = kArea,
             .wordings = {{.pattern = "Columns must be a multiple of 16, got: "
                                      "{columns}"}},
             .why = "Refs of 64 rows are laid out in blocks of 16 columns.",
             .fix = "Round the number of columns up to a multiple of 16.",
             .source = kHalfSource},
     .violated = [](const HalfRowsLayout& t) -> Finding {
       if (t.layout.columns % 16 == 0) return Holds();
       return Broken({{"columns", PyInt(t.layout.columns)}});
     }},
    {.doc = {.id = "construct.ref.tmem-tile-positive",
             .area = kArea,
             .wordings = {{.pattern = "Tile shape must only have positive "
                                      "sizes, got: {tiles}"}},
             .why =
                 "A layout of 64 rows has one tile as wide as the ref, so it "
                 "cannot describe a ref without columns.",
             .fix = "Use a positive multiple of 16 columns.",
             .source = "fragmented_array.py Tiling.__post_init__"},
     .violated = [](const HalfRowsLayout& t) -> Finding {
       if (t.layout.columns > 0 && t.layout.packing > 0) return Holds();
       const int64_t columns = t.layout.columns;
       return Broken(
           {{"tiles", absl::StrFormat("((64, %d), (32, %d), (%d,))", columns,
                                      columns / 2, t.layout.packing)}});
     }},
    {.doc = {.id = "construct.ref.tmem-layout-not-canonical",
             .area = kArea,
             .wordings = {{.pattern = "{layout} is not canonical."}},
             .why = "With 16 columns and eight elements a cell the innermost "
                    "tile equals the one around it, and JAX's own layout check "
                    "refuses the layout that JAX built.",
             .fix = "Use 32 columns or more, or packed=False.",
             .source = "fragmented_array.py TiledLayout.__post_init__",
             .defect = DefectKind::kUndocumented,
             .spec_verdict = "Accept: the layout is well defined."},
     .violated = [](const HalfRowsLayout& t) -> Finding {
       if (t.layout.packing != t.layout.columns / 2) return Holds();
       return Broken({{"layout", t.layout.Repr()}});
     }},
};

// layout=plgpu.TMEMLayout.M64_COLLECTIVE_LAYOUT(columns, packing)
constexpr Rule<TmemLayout> kExplicitLayoutRules[] = {
    {.doc = {.id = "construct.ref.tmem-layout-packing",
             .area = kArea,
             .wordings = {{.pattern = "Packing must be <= 8 and a power of 2, "
                                      "got: {packing}"}},
             .why = "A cell holds one, two, four or eight elements.",
             .fix = "Pass a packing of 1, 2, 4 or 8 to the layout.",
             .source = "tcgen05.py tmem_m64_collective_layout"},
     .violated = [](const TmemLayout& t) -> Finding {
       if (t.packing <= 8 && HasOneBit(t.packing)) return Holds();
       return Broken({{"packing", PyInt(t.packing)}});
     }},
};

// --- Other memory spaces

constexpr Rule<RefSpec> kOtherSpaceRules[] = {
    {.doc = {.id = "construct.ref.tmem-only-arguments",
             .area = kArea,
             .wordings = {{.pattern = "packed, collective and layout arguments "
                                      "are only supported for TMEM."}},
             .why = "These describe tensor memory; other memory spaces have "
                    "none of it, and even False is refused.",
             .fix = "Drop packed=, collective= and layout= from the ref, or "
                    "place it in TMEM.",
             .source = kSource},
     .violated =
         [](const RefSpec& ref) {
           return BrokenIf(ref.packed || ref.collective || ref.layout);
         }},
};

bool CheckTmem(const RefSpec& ref, const Location& at, Checker& checker) {
  if (!checker.Check(kTmemArgumentRules, ref, at)) return false;
  if (ref.layout) {
    const TmemLayout layout = LayoutOf(ref);
    if (layout.kind != TmemLayout::Kind::kM64Collective) return true;
    const Location here(at, "layout");
    return checker.Check(kExplicitLayoutRules, layout, here) &&
           checker.Check(kHalfRowsRules, HalfRowsLayout{layout}, here);
  }
  const size_t skip = ref.shape.size() > 2 ? ref.shape.size() - 2 : 0;
  const InferredTmem inferred = {
      .minor = absl::MakeConstSpan(ref.shape).subspan(skip),
      .collective = ref.collective.value_or(false),
      .packing = ref.packed.value_or(false) ? 32 / Info(ref.dtype).bits : 1};
  if (!checker.Check(kInferenceRules, inferred, at)) return false;
  return !inferred.HalfRows() ||
         checker.Check(kHalfRowsRules, HalfRowsLayout{LayoutOf(ref)}, at);
}

}  // namespace

bool CheckRefConstruction(const RefSpec& ref, const Location& at,
                          Checker& checker) {
  const Location transforms(at, "transforms");
  for (size_t i = 0; i < ref.transforms.size(); ++i) {
    if (!checker.Check(kTransformRules, ref.transforms[i],
                       Location(transforms, static_cast<int64_t>(i)))) {
      return false;
    }
  }
  if (ref.space == MemorySpace::kTmem) return CheckTmem(ref, at, checker);
  return checker.Check(kOtherSpaceRules, ref, at);
}

void AppendRefConstructionRules(RuleList& rules) {
  AppendDocs(kTransformRules, Stage::kConstructScratch, rules);
  AppendDocs(kTmemArgumentRules, Stage::kConstructScratch, rules);
  AppendDocs(kInferenceRules, Stage::kConstructScratch, rules);
  AppendDocs(kExplicitLayoutRules, Stage::kConstructScratch, rules);
  AppendDocs(kHalfRowsRules, Stage::kConstructScratch, rules);
  AppendDocs(kOtherSpaceRules, Stage::kConstructScratch, rules);
}

}  // namespace pallasite

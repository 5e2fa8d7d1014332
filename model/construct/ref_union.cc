#include "model/construct/ref_union.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/config/walk.h"
#include "model/python.h"
#include "model/tmem_fit.h"
#include "model/tmem_layout.h"
#include "model/union_plan.h"

namespace pallasite {
namespace {

constexpr std::string_view kArea = "ref-union";
constexpr std::string_view kSource = "core.py RefUnion.__init__";

// --- Memory spaces of the leaves

bool HasSpace(const RefTree& leaf) {
  return std::holds_alternative<RefSpec>(leaf.node) ||
         std::holds_alternative<RefUnionSpec>(leaf.node);
}

MemorySpace LeafSpace(const RefTree& leaf) {
  if (const auto* nested = std::get_if<RefUnionSpec>(&leaf.node)) {
    return SpaceOf(*nested);
  }
  return std::get<RefSpec>(leaf.node).space;
}

std::string_view PythonClass(const RefTree& leaf) {
  if (std::holds_alternative<BarrierSpec>(leaf.node)) return "Barrier";
  if (std::holds_alternative<ClusterBarrierSpec>(leaf.node)) {
    return "ClusterBarrier";
  }
  return "WGMMAAccumulatorRef";
}

constexpr Rule<RefTree> kMemberRules[] = {
    {.doc = {.id = "construct.ref-union.member-without-space",
             .area = kArea,
             .wordings = {{.raises = PyExc::kAttributeError,
                           .pattern = "'{class}' object has no attribute "
                                      "'memory_space'"}},
             .why =
                 "Only refs can share memory. Barriers and accumulators have "
                 "no memory space to compare.",
             .fix = "Move the barrier or accumulator out of the union.",
             .source = kSource,
             .defect = DefectKind::kUndocumented,
             .spec_verdict = "Refuse with a message that names the member that "
                             "is no ref."},
     .violated = [](const RefTree& leaf) -> Finding {
       if (HasSpace(leaf)) return Holds();
       return Broken({{"class", std::string(PythonClass(leaf))}});
     }},
};

struct MixedSpaces {
  bool mixed = false;
};

constexpr Rule<MixedSpaces> kSpaceRules[] = {
    {.doc = {.id = "construct.ref-union.mixed-spaces",
             .area = kArea,
             .wordings = {{.raises = PyExc::kNotImplementedError,
                           .pattern =
                               "All aliased Refs must have the same memory "
                               "space (SMEM or TMEM). Got <generator object "
                               "RefUnion.__init__.<locals>.<genexpr> at "
                               "0x{*}>."}},
             .why = "The members of a union share one allocation, and only "
                    "shared and tensor memory are allocated that way.",
             .fix = "Give all members the same space, SMEM or TMEM.",
             .source = kSource,
             .defect = DefectKind::kWrongMessage,
             .spec_verdict =
                 "Refuse with the memory spaces in the message; JAX "
                 "prints a generator object instead of its items."},
     .violated =
         [](const MixedSpaces& spaces) { return BrokenIf(spaces.mixed); }},
};

// max() over the groups, which needs one.
constexpr Rule<RefUnionSpec> kGroupRules[] = {
    {.doc = {.id = "construct.ref-union.empty",
             .area = kArea,
             .wordings = {{.pattern = "max() iterable argument is empty"}},
             .why = "A union without members has no size.",
             .fix = "Pass at least one ref to RefUnion.",
             .source = kSource,
             .defect = DefectKind::kUndocumented,
             .spec_verdict = "Refuse with a message that says that a union "
                             "needs members."},
     .violated =
         [](const RefUnionSpec& spec) {
           return BrokenIf(spec.groups.empty());
         }},
};

// --- Shared memory

constexpr Rule<RefSpec> kSmemMemberRules[] = {
    {.doc = {.id = "construct.ref-union.smem-dtype",
             .area = kArea,
             .wordings = {{.raises = PyExc::kNotImplementedError,
                           .pattern = "Unsupported dtype: {dtype}"}},
             .why = "The size of a member is computed for integer and "
                    "floating-point types only.",
             .fix = "Declare the member as an integer of the same width and "
                    "bitcast it where it is used.",
             .source = "core.py _ref_group_size"},
     .violated = [](const RefSpec& ref) -> Finding {
       const DTypeInfo& info = Info(ref.dtype);
       if (info.kind != DTypeKind::kBool && info.kind != DTypeKind::kComplex) {
         return Holds();
       }
       return Broken({{"dtype", std::string(info.jax_name)}});
     }},
    {.doc = {.id = "construct.ref-union.smem-byte-aligned",
             .area = kArea,
             .wordings = {{.pattern = "Only byte-aligned shapes are supported. "
                                      "Got shape: {dtype}{shape}"}},
             .why = "Members are placed at byte offsets, so each must fill a "
                    "whole number of bytes.",
             .fix = "Pad the member so that its bits are a multiple of eight.",
             .source = "core.py _ref_group_size"},
     .violated = [](const RefSpec& ref) -> Finding {
       int64_t bits = Info(ref.dtype).bits;
       for (const int64_t extent : ref.shape) bits *= extent;
       if (bits % 8 == 0) return Holds();
       return Broken({{"dtype", std::string(Info(ref.dtype).jax_name)},
                      {"shape", PyTuple(ref.shape)}});
     }},
};

// --- Tensor memory

constexpr std::string_view kFitSource = "tcgen05.py TMEMLayout.check_type";

// Only refs with an explicit layout can break these: an inferred one fits.
constexpr Rule<TmemFit> kColumnRules[] = {
    {.doc = {.id = "construct.ref-union.tmem-rank",
             .area = kArea,
             .wordings = {{.pattern = kTmemRankPattern}},
             .why = "Columns are counted on rows by columns.",
             .fix = "Give the ref two dimensions or more.",
             .source = kFitSource},
     .violated = TmemRankMismatch},
    {.doc = {.id = "construct.ref-union.tmem-tiles",
             .area = kArea,
             .wordings = {{.pattern = kTmemTilesPattern}},
             .why = "The layout repeats a fixed tile, which must cover the ref "
                    "exactly.",
             .fix = "Make rows and columns multiples of the tile's, or choose "
                    "another layout.",
             .source = kFitSource},
     .violated = TmemTilesMismatch},
    {.doc = {.id = "construct.ref-union.tmem-vector-length",
             .area = kArea,
             .wordings = {{.pattern = kTmemVectorPattern}},
             .why = "A cell holds one element, or as many as fit in 32 bits; a "
                    "layout made for another element width does neither.",
             .fix = "Choose a layout made for this element width.",
             .source = kFitSource},
     .violated = TmemVectorMismatch},
};

struct CollectiveFlags {
  bool differ = false;
};

constexpr Rule<CollectiveFlags> kCollectiveRules[] = {
    {.doc = {.id = "construct.ref-union.collective-mix",
             .area = kArea,
             .wordings = {{.releases = {.first = Release{0, 7, 0}},
                           .pattern = "Some aliased TMEM references are "
                                      "collective and some are not."}},
             .why =
                 "The members of a union share one tensor memory allocation, "
                 "and an allocation is made either by one CTA or by a pair "
                 "of them.",
             .fix = "Give all members the same collective flag, or keep "
                    "collective and non-collective refs in separate unions.",
             .source = kSource,
             .aliases = {"some-aliased-tmem-references-are-collective-and-so",
                         "ab16150f7e1be4df"}},
     .violated =
         [](const CollectiveFlags& flags) { return BrokenIf(flags.differ); }},
};

bool CheckSmemMembers(const RefUnionSpec& spec, const Location& at,
                      Checker& checker) {
  for (size_t i = 0; i < spec.groups.size(); ++i) {
    const bool ok = ForEachLeaf(
        spec.groups[i], Location(at, static_cast<int64_t>(i)),
        TreeOrder::kFlatten, [&](const RefTree& leaf, const Location& leaf_at) {
          const auto* ref = std::get_if<RefSpec>(&leaf.node);
          return ref == nullptr ||
                 checker.Check(kSmemMemberRules, *ref, leaf_at);
        });
    if (!ok) return false;
  }
  return true;
}

bool CheckTmemMembers(const RefUnionSpec& spec, const Location& at,
                      Checker& checker) {
  const bool collective = IsCollective(spec);
  CollectiveFlags flags;
  for (size_t i = 0; i < spec.groups.size(); ++i) {
    const bool ok = ForEachLeaf(
        spec.groups[i], Location(at, static_cast<int64_t>(i)),
        TreeOrder::kFlatten, [&](const RefTree& leaf, const Location& leaf_at) {
          if (const auto* nested = std::get_if<RefUnionSpec>(&leaf.node)) {
            flags.differ |= IsCollective(*nested) != collective;
            return true;
          }
          const auto& ref = std::get<RefSpec>(leaf.node);
          flags.differ |= ref.collective.value_or(false) != collective;
          const TmemFit fit = {.layout = LayoutOf(ref),
                               .shape = CollapsedTmemShape(ref.shape),
                               .bits = Info(ref.dtype).bits};
          return checker.Check(kColumnRules, fit, leaf_at);
        });
    if (!ok) return false;
  }
  return checker.Check(kCollectiveRules, flags, at);
}

// Whether all leaves live in `space`. The scan ends at the first that does not,
// and a leaf without a memory space refuses there; then nullopt.
std::optional<bool> AllIn(MemorySpace space, const RefUnionSpec& spec,
                          const Location& at, Checker& checker) {
  bool refused = false;
  for (size_t i = 0; i < spec.groups.size(); ++i) {
    const bool same = ForEachLeaf(
        spec.groups[i], Location(at, static_cast<int64_t>(i)),
        TreeOrder::kFlatten, [&](const RefTree& leaf, const Location& leaf_at) {
          refused = !checker.Check(kMemberRules, leaf, leaf_at);
          return !refused && LeafSpace(leaf) == space;
        });
    if (refused) return std::nullopt;
    if (!same) return false;
  }
  return true;
}

}  // namespace

bool CheckUnionConstruction(const RefUnionSpec& spec, const Location& at,
                            Checker& checker) {
  const std::optional<bool> in_smem =
      AllIn(MemorySpace::kSmem, spec, at, checker);
  if (!in_smem) return false;
  if (*in_smem) {
    return CheckSmemMembers(spec, at, checker) &&
           checker.Check(kGroupRules, spec, at);
  }
  const std::optional<bool> in_tmem =
      AllIn(MemorySpace::kTmem, spec, at, checker);
  if (!in_tmem) return false;
  if (*in_tmem) return CheckTmemMembers(spec, at, checker);
  return checker.Check(kSpaceRules, MixedSpaces{true}, at);
}

void AppendRefUnionRules(RuleList& rules) {
  AppendDocs(kMemberRules, Stage::kConstructScratch, rules);
  AppendDocs(kSmemMemberRules, Stage::kConstructScratch, rules);
  AppendDocs(kGroupRules, Stage::kConstructScratch, rules);
  AppendDocs(kColumnRules, Stage::kConstructScratch, rules);
  AppendDocs(kCollectiveRules, Stage::kConstructScratch, rules);
  AppendDocs(kSpaceRules, Stage::kConstructScratch, rules);
}

}  // namespace pallasite

#include "model/trace/ref_union.h"

#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

#include "model/config/walk.h"
#include "model/python.h"
#include "model/tmem_layout.h"
#include "model/union_plan.h"

namespace pallasite {
namespace {

// A union in tensor memory: what was reserved, and how far its members reach.
struct UnionExtent {
  int64_t reserved = 0;  // columns
  int64_t reach = 0;     // columns
};

constexpr Rule<UnionExtent> kUnpackRules[] = {
    {.doc = {.id = "trace.ref-union.unaligned-columns",
             .area = "ref-union",
             .phase = Phase::kTrace,
             .wordings = {{.raises = PyExc::kAssertionError,
                           .pattern = "({reach}, {reserved})"}},
             .why =
                 "When a union is declared every member is padded to four "
                 "columns; when it is taken apart the last member of a group "
                 "is not, and the two totals are compared.",
             .fix = "Make the columns of the last ref of the largest group a "
                    "multiple of four.",
             .source = "core.py flatten_ref_union",
             .defect = DefectKind::kUndocumented,
             .spec_verdict = "Accept: the members fit what was reserved."},
     .violated = [](const UnionExtent& extent) -> Finding {
       if (extent.reach == extent.reserved) return Holds();
       return Broken({{"reach", PyInt(extent.reach)},
                      {"reserved", PyInt(extent.reserved)}});
     }},
};

// A ref in tensor memory while its union is taken apart.
constexpr Rule<RefSpec> kBatchRules[] = {
    {.doc = {.id = "trace.ref-union.empty-batch",
             .area = "ref-union",
             .phase = Phase::kTrace,
             .wordings = {{.raises = PyExc::kZeroDivisionError,
                           .pattern = "integer modulo by zero"}},
             .why =
                 "The columns of a member are divided among its batch, which "
                 "is empty.",
             .fix = "Give every batch dimension an extent of at least 1.",
             .source = "core.py ExpandLeadingBatchDimensionsTransform",
             .defect = DefectKind::kUndocumented,
             .spec_verdict = "Refuse empty batch dimensions when the ref is "
                             "built."},
     .violated =
         [](const RefSpec& ref) { return BrokenIf(HasEmptyBatch(ref)); }},
};

constexpr Rule<RefSpec> kMemberRules[] = {
    {.doc = {.id = "trace.ref-union.member-narrowed",
             .area = "ref-union",
             .phase = Phase::kTrace,
             .wordings = {{.pattern = "-"}},
             .why =
                 "Outside a union a 64-bit ref keeps its type. A member of a "
                 "union silently becomes 32 bits wide, unless jax_enable_x64 "
                 "is on, and covers half the memory it reserved.",
             .fix = "Declare the member with a 32-bit type, or keep it out of "
                    "the union.",
             .source = "core.py ExtractAliasedRef.from_transformed_ref",
             .defect = DefectKind::kAccepted,
             .spec_verdict = "Keep the member's type, or refuse it."},
     .violated =
         [](const RefSpec& ref) {
           return BrokenIf(WithoutX64(ref.dtype) != ref.dtype);
         }},
};

}  // namespace

bool UnpackUnion(const ResolvedRef& resolved, const Location& at,
                 Checker& checker) {
  const RefUnionSpec* spec = UnionOf(resolved);
  if (spec == nullptr) return true;
  if (SpaceOf(*spec) == MemorySpace::kTmem) {
    for (size_t i = 0; i < spec->groups.size(); ++i) {
      const bool ok = ForEachLeaf(
          spec->groups[i], Location(at, static_cast<int64_t>(i)),
          TreeOrder::kFlatten, [&](const RefTree& leaf, const Location&) {
            const auto* ref = std::get_if<RefSpec>(&leaf.node);
            return ref == nullptr || checker.Check(kBatchRules, *ref, at);
          });
      if (!ok) return false;
    }
    const UnionExtent extent = {
        .reserved = ReservedSize(*spec),
        .reach = PlaceMembers(
            *spec, at,
            [](const RefTree&, const Location&, int64_t, int64_t) {})};
    if (!checker.Check(kUnpackRules, extent, at)) return false;
  }
  if (resolved.union_of == nullptr) return true;
  const auto* member = std::get_if<RefSpec>(&resolved.leaf->node);
  return member == nullptr || checker.Check(kMemberRules, *member, at);
}

void AppendRefUnionTraceRules(RuleList& rules) {
  AppendDocs(kBatchRules, Stage::kTraceBody, rules);
  AppendDocs(kUnpackRules, Stage::kTraceBody, rules);
  AppendDocs(kMemberRules, Stage::kTraceBody, rules);
}

}  // namespace pallasite

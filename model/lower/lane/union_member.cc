#include "model/lower/lane/union_member.h"

#include <variant>
#include <vector>

#include "model/lower/shared/scoped.h"
#include "model/physical_shape.h"
#include "model/python.h"
#include "model/tmem_layout.h"
#include "model/union_plan.h"

namespace pallasite {
namespace {

constexpr Rule<Shape> kRowRules[] = {
    {.doc = {.id = "lower.ref-union.lane-rows",
             .area = "ref-union",
             .phase = Phase::kLower,
             .wordings = {{.pattern =
                               "TMEM aliasing only supported for Refs with the "
                               "same first dimension, got 128 != {rows}."}},
             .why = "Under Lane semantics the union is one ref of 128 rows and "
                    "every member a slice of its columns, even when all members "
                    "have 64 rows.",
             .fix = "Use members of 128 rows, or Warpgroup semantics, which "
                    "places each member by itself.",
             .source = "lowering.py _extract_aliased_ref"},
     .violated = [](const Shape& shape) -> Finding {
       if (shape[0] == kTmemLanes) return Holds();
       return Broken({{"rows", PyInt(shape[0])}});
     }},
};

}  // namespace

bool ExtractUnionMember(const ResolvedRef& member, bool lane,
                        const Location& at, Checker& checker) {
  const auto* ref = std::get_if<RefSpec>(&member.leaf->node);
  if (ref == nullptr) return true;  // a union inside a union, taken whole
  if (ref->space == MemorySpace::kSmem) {
    return MemberSize(*member.leaf) != 0 ||
           checker.Unmodelled("the use of a union member without bytes", at);
  }
  if (!lane) return true;
  RefSpec narrowed = *ref;
  narrowed.dtype = WithoutX64(ref->dtype);
  return checker.Check(kRowRules, PhysicalShape(*ref), at) &&
         CheckLaneTmem(narrowed, at, checker);
}

void AppendUnionMemberRules(std::vector<const RuleDoc*>& rules) {
  AppendDocs(kRowRules, rules);
}

}  // namespace pallasite

#include "model/lower/lane/union_member.h"

#include <cstdint>
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
             .why =
                 "Under Lane semantics the union is one ref of 128 rows and "
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

// A member of a union in SMEM, as a range of the union's bytes.
struct ByteRange {
  Wide begin = 0;
  Wide end = 0;
  int64_t reserved = 0;
};

constexpr Rule<ByteRange> kRangeRules[] = {
    {.doc = {.id = "lower.ref-union.lane-out-of-bounds",
             .area = "ref-union",
             .phase = Phase::kLower,
             .wordings = {{.raises = PyExc::kIndexError,
                           .pattern = "Slice slice({begin}, {end}, None) along "
                                      "axis 0 is out of bounds for shape "
                                      "[{reserved}]"}},
             .why = "A tiling with more dimensions than the ref multiplies its "
                    "memory, but the union reserves only what the declared "
                    "shape needs.",
             .fix = "Give the tiling at most as many dimensions as the ref.",
             .source = "utils.py parse_indices",
             .defect = DefectKind::kUndocumented,
             .spec_verdict = "Refuse a tiling of higher rank than the ref when "
                             "the ref is declared."},
     .violated = [](const ByteRange& range) -> Finding {
       if (range.end <= range.reserved) return Holds();
       return Broken({{"begin", PyInt(range.begin)},
                      {"end", PyInt(range.end)},
                      {"reserved", PyInt(range.reserved)}});
     }},
};

bool ExtractFromSmem(const ResolvedRef& member, bool lane, const Location& at,
                     Checker& checker) {
  if (MemberSize(*member.leaf) == 0) {
    return checker.Unmodelled("the use of a union member without bytes", at);
  }
  if (!lane) return true;
  const auto& ref = std::get<RefSpec>(member.leaf->node);
  ByteRange range = {.reserved = ReservedSize(*member.union_of)};
  PlaceMembers(
      *member.union_of, at,
      [&](const RefTree& leaf, const Location&, int64_t, int64_t offset) {
        if (&leaf == member.leaf) range.begin = offset;
      });
  const Wide bits = Info(WithoutX64(ref.dtype)).bits;
  range.end = range.begin + *ElementCount(PhysicalShape(ref)) * bits / 8;
  return checker.Check(kRangeRules, range, at);
}

}  // namespace

bool ExtractUnionMember(const ResolvedRef& member, bool lane,
                        const Location& at, Checker& checker) {
  const auto& ref = std::get<RefSpec>(member.leaf->node);
  if (ref.space == MemorySpace::kSmem) {
    return ExtractFromSmem(member, lane, at, checker);
  }
  return !lane || (checker.Check(kRowRules, PhysicalShape(ref), at) &&
                   CheckLaneTmem(ref, WithoutX64(ref.dtype), at, checker));
}

void AppendUnionMemberRules(RuleList& rules) {
  AppendDocs(kRangeRules, Stage::kLowerBody, rules);
  AppendDocs(kRowRules, Stage::kLowerBody, rules);
}

}  // namespace pallasite

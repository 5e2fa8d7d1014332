#include "properties/union_plan.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "model/config/walk.h"
#include "model/evaluate.h"
#include "properties/describe.h"

namespace pallasite {
namespace {

constexpr int64_t kSmemAlignment = 1024;  // bytes, of every ref
constexpr int64_t kTmemAlignment = 4;     // columns, of every member
constexpr int64_t kTmemBlock = 8;         // columns, of every allocation

bool InTmem(const RefTree& tree) {
  if (const auto* ref = std::get_if<RefSpec>(&tree.node)) {
    return ref->space == MemorySpace::kTmem;
  }
  bool tmem = false;
  const auto* spec = std::get_if<RefUnionSpec>(&tree.node);
  if (spec == nullptr || spec->groups.empty()) return false;
  ForEachLeaf(spec->groups.front(), Location(), TreeOrder::kFlatten,
              [&](const RefTree& leaf, const Location&) {
                tmem = InTmem(leaf);
                return false;
              });
  return tmem;
}

// Columns of 128 cells that a ref fills, all copies of a replicated layout
// counted.
int64_t TmemColumns(const RefSpec& ref) {
  int64_t elements = 1;
  for (const int64_t extent : ref.shape) elements *= extent;
  int64_t copies = 1;
  int64_t packing = ref.packed.value_or(false) ? 32 / Info(ref.dtype).bits : 1;
  if (ref.layout) {
    switch (ref.layout->kind) {
      case TmemLayoutKind::kScales:
        copies = 4;
        packing = 4;
        break;
      case TmemLayoutKind::kScalesM64Collective:
        copies = 2;
        packing = 4;
        break;
      case TmemLayoutKind::kSparseMetadata:
        packing = 16;
        break;
      case TmemLayoutKind::kM64Collective:
        packing = ref.layout->packing.value_or(1);
        break;
    }
  }
  return elements * copies / 128 / packing;
}

int64_t LeafSize(const RefTree& leaf);

// A group takes its refs one after the other, each aligned.
int64_t GroupSize(const RefTree& group, bool tmem) {
  int64_t size = 0;
  ForEachLeaf(group, Location(), TreeOrder::kFlatten,
              [&](const RefTree& leaf, const Location&) {
                size = AlignUp(size, tmem ? kTmemAlignment : kSmemAlignment);
                size += LeafSize(leaf);
                return true;
              });
  return size;
}

int64_t LeafSize(const RefTree& leaf) {
  const bool tmem = InTmem(leaf);
  if (const auto* spec = std::get_if<RefUnionSpec>(&leaf.node)) {
    int64_t size = 0;
    for (const RefTree& group : spec->groups) {
      size = std::max(size, GroupSize(group, tmem));
    }
    return tmem ? AlignUp(size, kTmemAlignment) : size;
  }
  const auto& ref = std::get<RefSpec>(leaf.node);
  if (tmem) return TmemColumns(ref);
  int64_t bits = Info(ref.dtype).bits;
  for (const int64_t extent : ref.shape) bits *= extent;
  return bits / 8;
}

class Checker {
 public:
  explicit Checker(const Facts& facts) : facts_(facts) {}

  void Union(const RefUnionSpec& spec, const Location& at, bool tmem) {
    const int64_t alignment = tmem ? kTmemAlignment : kSmemAlignment;
    for (size_t i = 0; i < spec.groups.size(); ++i) {
      const auto group = static_cast<int64_t>(i);
      int64_t end = 0;  // of the member before
      bool first = true;
      ForEachLeaf(spec.groups[i], Location(at, group), TreeOrder::kFlatten,
                  [&](const RefTree& leaf, const Location& here) {
                    const UnionMember* member = Next(here.Format());
                    if (member == nullptr) return false;
                    if (member->group != group) Fail(*member, "another group");
                    if (member->offset % alignment != 0) {
                      Fail(*member, "not aligned");
                    }
                    if (first && member->offset != 0) {
                      Fail(*member, "not at the union's start");
                    }
                    if (member->offset < end) Fail(*member, "overlaps");
                    first = false;
                    end = member->offset + LeafSize(leaf);
                    return true;
                  });
    }
  }

  Failure Result() {
    if (!failure_ && next_ != facts_.union_members.size()) {
      failure_ = "more members than refs";
    }
    return failure_;
  }

 private:
  const UnionMember* Next(const std::string& path) {
    if (next_ == facts_.union_members.size()) {
      failure_ = absl::StrCat("no member for ", path);
      return nullptr;
    }
    const UnionMember& member = facts_.union_members[next_++];
    if (member.path != path) Fail(member, absl::StrCat("expected ", path));
    return &member;
  }
  void Fail(const UnionMember& member, const std::string& what) {
    if (!failure_) failure_ = absl::StrCat(member.path, ": ", what);
  }

  const Facts& facts_;
  size_t next_ = 0;
  Failure failure_;
};

}  // namespace

Failure UnionPlanHolds(const KernelConfig& accepted) {
  Facts facts;
  const Verdict verdict = Evaluate(accepted, TargetOf(accepted), &facts);
  if (verdict.kind != VerdictKind::kAccepted) {
    return "not accepted: " + Describe(verdict);
  }
  Checker checker(facts);
  int64_t smem = 0;
  int64_t columns = 0;
  for (const auto& [name, tree] : accepted.scratch) {
    ForEachLeaf(tree, Location(Location(), name), TreeOrder::kFlatten,
                [&](const RefTree& leaf, const Location& at) {
                  const auto* spec = std::get_if<RefUnionSpec>(&leaf.node);
                  const bool ref = std::holds_alternative<RefSpec>(leaf.node);
                  if (spec == nullptr && !ref) return true;
                  const bool tmem = InTmem(leaf);
                  if (spec != nullptr) checker.Union(*spec, at, tmem);
                  (tmem ? columns : smem) += AlignUp(
                      LeafSize(leaf), tmem ? kTmemBlock : kSmemAlignment);
                  return true;
                });
  }
  if (Failure failure = checker.Result()) return failure;
  const int64_t reserved = facts.tmem_columns + facts.tmem_collective_columns;
  if (facts.smem_bytes != smem || reserved != columns) {
    return absl::StrFormat(
        "expected %d bytes of SMEM and %d columns of TMEM, got %d and %d", smem,
        columns, facts.smem_bytes, reserved);
  }
  return std::nullopt;
}

}  // namespace pallasite

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "generators/valid/context.h"

namespace pallasite::valid {
namespace {

enum class GroupKind : uint8_t { kRef, kList, kTuple, kDict };

RefTree Wrap(GroupKind kind, std::vector<RefTree> items) {
  constexpr std::string_view kKeys[] = {"b", "a", "d", "c"};
  if (kind == GroupKind::kDict) {
    RefDict dict;
    for (size_t i = 0; i < items.size(); ++i) {
      dict.entries.emplace_back(kKeys[i], std::move(items[i]));
    }
    return RefTree{std::move(dict)};
  }
  return RefTree{RefSequence{
      kind == GroupKind::kTuple ? SequenceKind::kTuple : SequenceKind::kList,
      std::move(items)}};
}

GroupKind GenGroupKind(Context& context) {
  if (context.policy.max_tree_depth == 0) return GroupKind::kRef;
  return static_cast<GroupKind>(context.choices.Weighted({60, 15, 15, 10}));
}

// What a group takes of its union's memory, bytes or columns.
struct Group {
  std::vector<RefTree> refs;
  int64_t taken = 0;
};

// One ref or several laid one after the other, `left` in all.
Group GenRefs(Context& context, MemorySpace space, GroupKind kind,
              int64_t left) {
  const bool smem = space == MemorySpace::kSmem;
  const int64_t alignment = smem ? SmemBudget::kAlignment : 4;
  const int64_t smallest = smem ? SmemBudget::kAlignment : 8;
  size_t count = 1;
  if (kind != GroupKind::kRef) {
    count = 0;
    context.choices.List(1, std::min<size_t>(3, context.policy.max_tree_width),
                         [&](size_t) { ++count; });
  }
  Group group;
  for (bool last = false; !last;) {
    last = group.refs.size() + 1 == count || left < 2 * smallest;
    // A dict is laid out in key order, so any of its refs may come last.
    const RefUse use = last || kind == GroupKind::kDict
                           ? RefUse::kUnionMemberLast
                           : RefUse::kUnionMember;
    const int64_t room = last ? left : left - smallest;
    auto ref =
        smem ? GenSmemRef(context, room, use) : GenTmemRef(context, room, use);
    if (!ref) break;
    const int64_t size = smem ? SmemBytes(*ref) : TmemColumns(*ref);
    const int64_t padded = (size + alignment - 1) / alignment * alignment;
    left -= padded;
    group.taken += padded;
    group.refs.push_back(RefTree{*std::move(ref)});
  }
  return group;
}

}  // namespace

std::optional<RefTree> GenUnion(Context& context) {
  const bool smem = context.choices.Weighted({60, 40}) == 0;
  if (!smem && !OpenTmem(context)) return std::nullopt;
  const auto space = smem ? MemorySpace::kSmem : MemorySpace::kTmem;
  const int64_t room = smem ? context.smem.largest_ref() : context.tmem.left();
  RefUnionSpec spec;
  int64_t largest = 0;
  context.choices.List(
      1, std::min<size_t>(4, context.policy.max_tree_width + 1), [&](size_t) {
        const GroupKind kind = GenGroupKind(context);
        Group group = GenRefs(context, space, kind, room);
        if (group.refs.empty()) return;
        largest = std::max(largest, group.taken);
        spec.groups.push_back(kind == GroupKind::kRef
                                  ? std::move(group.refs[0])
                                  : Wrap(kind, std::move(group.refs)));
      });
  if (spec.groups.empty()) return std::nullopt;
  if (smem) {
    context.smem.SpendRef(largest);
  } else {
    context.tmem.Spend(largest);
  }
  return RefTree{std::move(spec)};
}

}  // namespace pallasite::valid

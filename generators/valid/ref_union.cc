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

struct Union {
  RefUnionSpec spec;
  int64_t taken = 0;
};

std::optional<Union> GenGroups(Context& context, MemorySpace space,
                               int64_t room, bool nested);

// A ref, or now and then another union, and what it takes.
struct Member {
  RefTree tree;
  int64_t size = 0;
};

std::optional<Member> GenMember(Context& context, MemorySpace space,
                                int64_t room, RefUse use, bool nested) {
  if (!nested && context.policy.max_tree_depth > 1 &&
      context.choices.Chance(3)) {
    auto inner = GenGroups(context, space, room, true);
    if (!inner) return std::nullopt;
    return Member{RefTree{std::move(inner->spec)}, inner->taken};
  }
  const bool smem = space == MemorySpace::kSmem;
  auto ref =
      smem ? GenSmemRef(context, room, use) : GenTmemRef(context, room, use);
  if (!ref) return std::nullopt;
  const int64_t size = smem ? SmemBytes(*ref) : TmemColumns(*ref);
  return Member{RefTree{*std::move(ref)}, size};
}

// One ref or several laid one after the other, `left` in all.
Group GenGroup(Context& context, MemorySpace space, GroupKind kind,
               int64_t left, bool nested) {
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
    auto member = GenMember(context, space, room, use, nested);
    if (!member) break;
    const int64_t padded =
        (member->size + alignment - 1) / alignment * alignment;
    left -= padded;
    group.taken += padded;
    group.refs.push_back(std::move(member->tree));
  }
  return group;
}

std::optional<Union> GenGroups(Context& context, MemorySpace space,
                               int64_t room, bool nested) {
  Union result;
  context.choices.List(
      1, std::min<size_t>(4, context.policy.max_tree_width + 1), [&](size_t) {
        const GroupKind kind = GenGroupKind(context);
        Group group = GenGroup(context, space, kind, room, nested);
        if (group.refs.empty()) return;
        result.taken = std::max(result.taken, group.taken);
        result.spec.groups.push_back(kind == GroupKind::kRef
                                         ? std::move(group.refs[0])
                                         : Wrap(kind, std::move(group.refs)));
      });
  if (result.spec.groups.empty()) return std::nullopt;
  return result;
}

}  // namespace

std::optional<RefTree> GenUnion(Context& context) {
  const bool smem = context.choices.Weighted({60, 40}) == 0;
  if (!smem && !OpenTmem(context)) return std::nullopt;
  auto result =
      smem ? GenGroups(context, MemorySpace::kSmem, context.smem.largest_ref(),
                       false)
           : GenGroups(context, MemorySpace::kTmem, context.tmem.left(), false);
  if (!result) return std::nullopt;
  if (smem) {
    context.smem.SpendRef(result->taken);
  } else {
    context.tmem.Spend(result->taken);
  }
  return RefTree{std::move(result->spec)};
}

}  // namespace pallasite::valid

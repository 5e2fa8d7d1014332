// RefUnion(...), and what the kernel makes of its members.

#include <cstdint>
#include <utility>
#include <vector>

#include "generators/mutations/edit.h"
#include "generators/mutations/mutation.h"

namespace pallasite::mutations {
namespace {

// A new union of one member, used by the body.
RefSpec& AddUsedUnion(KernelConfig& config, Choices& choices, RefSpec member) {
  RefUnionSpec spec;
  spec.groups.push_back(RefTree{std::move(member)});
  RefTree& tree = AddLeaf(config, RefTree{std::move(spec)});
  PrintLast(config, choices, {int64_t{0}});
  return *Members(std::get<RefUnionSpec>(tree.node)).front();
}

// Unions that another mutation worked on may hold refs of several spaces; the
// first says what the union is.
std::vector<RefSpec*> MembersIn(RefUnionSpec& spec, MemorySpace space) {
  std::vector<RefSpec*> members = Members(spec);
  std::erase_if(members,
                [&](const RefSpec* member) { return member->space != space; });
  return members;
}

// A ref of some union.
RefSpec& SomeMember(KernelConfig& config, Choices& choices, MemorySpace space) {
  RefUnionSpec& spec = SomeUnion(config, choices, space);
  return *choices.Pick(MembersIn(spec, space));
}

// Replaces a member of a union in TMEM by one whose explicit layout is compared
// with its shape when the union is built.
void SetExplicit(KernelConfig& config, Choices& choices, DType dtype,
                 TmemLayoutKind kind, Shape shape) {
  RefSpec& member = SomeMember(config, choices, MemorySpace::kTmem);
  member.dtype = dtype;
  member.shape = std::move(shape);
  member.packed.reset();
  member.layout = TmemLayoutSpec{.kind = kind};
}

constexpr Mutation kMutations[] = {
    {.rule = "construct.ref-union.member-without-space",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           RefUnionSpec& spec = SomeUnion(
               config, choices,
               choices.Pick({MemorySpace::kSmem, MemorySpace::kTmem}));
           RefTree leaf;
           switch (choices.UpTo(2)) {
             case 0:
               leaf.node = BarrierSpec{};
               break;
             case 1:
               leaf.node = ClusterBarrierSpec{};
               break;
             default:
               leaf.node = AccumulatorSpec{.shape = {64, 8}};
           }
           if (choices.Bool()) {
             spec.groups.push_back(std::move(leaf));
           } else {  // in front, in a union that the body does not use
             RefUnionSpec fresh;
             fresh.groups.push_back(std::move(leaf));
             fresh.groups.push_back(RefTree{Smem(DType::kFloat32, {8})});
             AddLeaf(config, RefTree{std::move(fresh)});
           }
           return true;
         }},
    {.rule = "construct.ref-union.smem-dtype",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           SomeMember(config, choices, MemorySpace::kSmem).dtype = choices.Pick(
               {DType::kBool, DType::kComplex64, DType::kComplex128});
           return true;
         }},
    {.rule = "construct.ref-union.smem-byte-aligned",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           RefSpec& member = SomeMember(config, choices, MemorySpace::kSmem);
           member.transforms.clear();
           member.dtype =
               choices.Pick({DType::kInt4, DType::kUInt4, DType::kFloat4E2M1FN,
                             DType::kInt2, DType::kUInt2});
           member.shape =
               choices.Pick({Shape{3}, Shape{}, Shape{5, 7}, Shape{1, 255}});
           return true;
         }},
    {.rule = "construct.ref-union.empty",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices&) {
           AddScratch(config, RefTree{RefUnionSpec{}});
           return true;
         }},
    {.rule = "construct.ref-union.tmem-rank",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           SetExplicit(config, choices, DType::kUInt8, TmemLayoutKind::kScales,
                       choices.Bool() ? Shape{128} : Shape{});
           return true;
         }},
    {.rule = "construct.ref-union.tmem-tiles",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           switch (choices.UpTo(2)) {
             case 0:
               SetExplicit(config, choices, DType::kUInt8,
                           TmemLayoutKind::kScales,
                           {128, 4 * choices.Between(0, 8) + 2});
               return true;
             case 1:
               SetExplicit(config, choices, DType::kUInt2,
                           TmemLayoutKind::kSparseMetadata,
                           {128, 16 * choices.Between(0, 8) + 8});
               return true;
             default:
               SetExplicit(config, choices, DType::kUInt8,
                           TmemLayoutKind::kScalesM64Collective,
                           {128, 4 * choices.Between(1, 8)});
               return true;
           }
         }},
    {.rule = "construct.ref-union.tmem-vector-length",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           const DType dtype = choices.Pick({DType::kFloat16, DType::kInt4,
                                             DType::kFloat32, DType::kFloat64});
           const int64_t columns = 4 * choices.Between(1, 8);
           SetExplicit(config, choices, dtype, TmemLayoutKind::kScales,
                       {128, columns});
           return true;
         }},
    {.rule = "construct.ref-union.collective-mix",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           RefUnionSpec& spec = SomeUnion(config, choices, MemorySpace::kTmem);
           const std::vector<RefSpec*> members =
               MembersIn(spec, MemorySpace::kTmem);
           RefSpec& member = *choices.Pick(members);
           const bool collective = member.collective.value_or(false);
           // The flag alone decides how 64 rows are laid out.
           const bool layout_stays = member.layout || member.shape.size() < 2 ||
                                     *(member.shape.end() - 2) != 64;
           if (members.size() > 1 && layout_stays && choices.Bool()) {
             member.collective = !collective;
           } else {
             RefSpec other = Tmem(DType::kFloat32, {128, 8});
             other.collective = !collective;
             spec.groups.push_back(RefTree{std::move(other)});
           }
           return true;
         }},
    {.rule = "construct.ref-union.mixed-spaces",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           const bool smem = choices.Bool();
           RefUnionSpec& spec = SomeUnion(
               config, choices, smem ? MemorySpace::kSmem : MemorySpace::kTmem);
           RefSpec other =
               choices.Bool()
                   ? RefSpec{.space = choices.Pick(
                                 {MemorySpace::kGmem, MemorySpace::kRegs}),
                             .shape = {8}}
               : smem ? Tmem(DType::kFloat32, {128, 8})
                      : Smem(DType::kFloat32, {8});
           spec.groups.push_back(RefTree{std::move(other)});
           return true;
         }},
    {.rule = "trace.ref-union.unaligned-columns",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           const int64_t vectors = 4 * choices.Between(0, 15);
           const int64_t columns = vectors + choices.Between(1, 3);
           AddUsedUnion(config, choices, Tmem(DType::kFloat32, {128, columns}));
           return true;
         }},
    {.rule = "trace.ref-union.empty-batch",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           RefUnionSpec spec;
           spec.groups.push_back(RefTree{
               Tmem(DType::kFloat32,
                    choices.Pick({Shape{0, 128, 8}, Shape{2, 0, 128, 8}}))});
           spec.groups.push_back(RefTree{Tmem(DType::kFloat32, {128, 8})});
           AddLeaf(config, RefTree{std::move(spec)});
           PrintLast(config, choices, {choices.Between(0, 1)});
           return true;
         }},
    {.rule = "trace.ref-union.member-narrowed",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           const DType dtype =
               choices.Pick({DType::kInt64, DType::kUInt64, DType::kFloat64});
           const int64_t columns = choices.Between(1, 16);
           AddUsedUnion(config, choices, Smem(dtype, {8, columns}));
           return true;
         }},
    {.rule = "lower.ref-union.lane-out-of-bounds",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           RequireLowering(config, Lowering::kLane);
           AddUsedUnion(config, choices,
                        Smem(DType::kFloat32, {8},
                             {TilingTransform{{8, choices.Between(2, 32)}}}));
           return true;
         }},
    {.rule = "lower.ref-union.lane-rows",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           RequireLowering(config, Lowering::kLane);
           AddUsedUnion(
               config, choices,
               Tmem(DType::kFloat32, {64, 16 * choices.Between(1, 8)}));
           return true;
         }},
};

}  // namespace

absl::Span<const Mutation> RefUnionMutations() { return kMutations; }

}  // namespace pallasite::mutations

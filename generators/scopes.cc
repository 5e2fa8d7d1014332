#include "generators/scopes.h"

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "generators/mutations/edit.h"

namespace pallasite {
namespace {

using mutations::Smem;
using mutations::Tmem;

// A kernel that is lowered rather than dropped, with this scratch.
KernelConfig WithScratch(RefTree tree) {
  KernelConfig config;
  config.target = Target{.arch = {10, 0}};
  config.kernel.cluster = {.sizes = {2}, .names = {"c"}};
  config.outputs.emplace_back("o", ArraySpec{DType::kFloat32, {8, 128}});
  config.scratch.emplace_back("s", std::move(tree));
  return config;
}

// Keys out of order: JAX flattens a dict by sorted key.
RefTree DictOf(std::vector<RefTree> items) {
  constexpr std::string_view kKeys[] = {"b", "a"};
  RefDict dict;
  for (size_t i = 0; i < items.size(); ++i) {
    dict.entries.emplace_back(kKeys[i], std::move(items[i]));
  }
  return RefTree{std::move(dict)};
}

std::optional<bool> AnyFlag(Choices& choices) {
  const auto flag = choices.UpTo(2);
  return flag == 0 ? std::nullopt : std::optional<bool>(flag == 2);
}

// --- One ref, with every argument

Shape AnyShape(Choices& choices) {
  static const auto& shapes = *new std::vector<Shape>{
      {},        {1},        {0},         {128},       {128, 128},
      {64, 16},  {64, 8},    {64, 0},     {128, 3},    {32, 64},
      {128, 32}, {128, 513}, {2, 64, 32}, {0, 128, 8}, {2, 2, 128, 4}};
  return choices.Pick(shapes);
}

std::optional<TmemLayoutSpec> AnyLayout(Choices& choices) {
  static const auto& layouts = *new std::vector<std::optional<TmemLayoutSpec>>{
      std::nullopt,
      TmemLayoutSpec{.kind = TmemLayoutKind::kScales},
      TmemLayoutSpec{.kind = TmemLayoutKind::kSparseMetadata},
      TmemLayoutSpec{.kind = TmemLayoutKind::kScalesM64Collective},
      TmemLayoutSpec{.kind = TmemLayoutKind::kM64Collective, .columns = 32},
      TmemLayoutSpec{
          .kind = TmemLayoutKind::kM64Collective, .columns = 16, .packing = 2},
      TmemLayoutSpec{
          .kind = TmemLayoutKind::kM64Collective, .columns = 8, .packing = 3}};
  return choices.Pick(layouts);
}

std::vector<RefTransform> AnyTransforms(Choices& choices) {
  static const auto& transforms = *new std::vector<std::vector<RefTransform>>{
      {},
      {TilingTransform{{8, 32}}},
      {TilingTransform{{8, 32}}, SwizzleTransform{128}},
      {TilingTransform{{64}}, SwizzleTransform{64}},
      {SwizzleTransform{128}},
      {SwizzleTransform{16}},
      {TilingTransform{{0}}},
      {TransposeTransform{{1, 0}}}};
  return choices.Pick(transforms);
}

KernelConfig GenRef(Choices& choices) {
  RefSpec ref;
  ref.space = static_cast<MemorySpace>(choices.UpTo(3));
  ref.dtype = static_cast<DType>(choices.UpTo(AllDTypes().size() - 1));
  ref.shape = AnyShape(choices);
  if (ref.space == MemorySpace::kTmem) {
    ref.packed = AnyFlag(choices);
    ref.collective = AnyFlag(choices);
    ref.layout = AnyLayout(choices);
  } else {
    ref.transforms = AnyTransforms(choices);
    if (choices.Bool()) ref.collective = false;
  }
  KernelConfig config = WithScratch(RefTree{std::move(ref)});
  config.kernel.params.lowering = static_cast<Lowering>(choices.UpTo(1));
  return config;
}

// --- Unions of one or two groups of one or two members

RefSpec WithFlag(RefSpec ref, std::optional<bool> collective) {
  ref.collective = collective;
  return ref;
}

const std::vector<RefTree>& UnionMembers() {
  static const auto& members = *new std::vector<RefTree>([] {
    std::vector<RefTree> all;
    for (const DType dtype : {DType::kFloat32, DType::kInt4, DType::kBool}) {
      for (const Shape& shape : {Shape{}, Shape{3}, Shape{8, 128}}) {
        all.push_back(RefTree{Smem(dtype, shape)});
      }
    }
    all.push_back(
        RefTree{Smem(DType::kFloat16, {8, 64},
                     {TilingTransform{{8, 64}}, SwizzleTransform{128}})});
    for (const std::optional<bool> collective :
         {std::optional<bool>(), std::optional<bool>(true)}) {
      for (const std::optional<bool> packed :
           {std::optional<bool>(), std::optional<bool>(false),
            std::optional<bool>(true)}) {
        all.push_back(RefTree{
            WithFlag(Tmem(DType::kFloat16, {128, 64}, packed), collective)});
      }
      all.push_back(
          RefTree{WithFlag(Tmem(DType::kFloat32, {128, 64}), collective)});
    }
    all.push_back(RefTree{Tmem(DType::kFloat32, {64, 16})});
    all.push_back(RefTree{Tmem(DType::kFloat32, {2, 128, 8})});
    RefSpec scales = Tmem(DType::kUInt8, {128, 8});
    scales.layout = TmemLayoutSpec{.kind = TmemLayoutKind::kScales};
    all.push_back(RefTree{std::move(scales)});
    all.push_back(RefTree{RefSpec{.space = MemorySpace::kGmem, .shape = {8}}});
    all.push_back(RefTree{RefSpec{.space = MemorySpace::kRegs, .shape = {8}}});
    all.push_back(RefTree{BarrierSpec()});
    return all;
  }());
  return members;
}

RefTree GenGroup(Choices& choices) {
  enum { kAlone, kList, kDict };
  const auto kind = choices.UpTo(2);
  const std::vector<RefTree>& members = UnionMembers();
  if (kind == kAlone) return choices.Pick(members);
  const size_t count = 1 + choices.UpTo(1);
  std::vector<RefTree> items;
  for (size_t i = 0; i < count; ++i) items.push_back(choices.Pick(members));
  if (kind == kDict) return DictOf(std::move(items));
  return RefTree{RefSequence{SequenceKind::kList, std::move(items)}};
}

KernelConfig GenUnion(Choices& choices) {
  RefUnionSpec spec;
  const size_t count = 1 + choices.UpTo(1);
  for (size_t i = 0; i < count; ++i) spec.groups.push_back(GenGroup(choices));
  return WithScratch(RefTree{std::move(spec)});
}

// --- Trees of depth two and width two

RefTree GenLeaf(Choices& choices) {
  static const auto& leaves = *new std::vector<RefTree>{
      RefTree{Smem(DType::kFloat32, {8, 128})},
      RefTree{Tmem(DType::kFloat32, {128, 64})},
      RefTree{WithFlag(Tmem(DType::kFloat32, {128, 64}), true)},
      RefTree{BarrierSpec{.num_arrivals = 0}},
      RefTree{ClusterBarrierSpec{.collective_axes = {{"c"}}}},
      RefTree{RefUnionSpec{{RefTree{Smem(DType::kInt8, {232448})},
                            RefTree{Smem(DType::kFloat32, {8})}}}}};
  return choices.Pick(leaves);
}

RefTree GenTree(Choices& choices, int depth) {
  enum { kLeaf, kList, kTuple, kDict };
  const auto kind = choices.UpTo(depth == 0 ? kLeaf : kDict);
  if (kind == kLeaf) return GenLeaf(choices);
  const size_t count = choices.UpTo(2);
  std::vector<RefTree> items;
  for (size_t i = 0; i < count; ++i) {
    items.push_back(GenTree(choices, depth - 1));
  }
  if (kind == kDict) return DictOf(std::move(items));
  return RefTree{
      RefSequence{kind == kList ? SequenceKind::kList : SequenceKind::kTuple,
                  std::move(items)}};
}

KernelConfig GenRefTree(Choices& choices) {
  return WithScratch(GenTree(choices, 2));
}

constexpr Scope kScopes[] = {
    {"ref", "one ref: every space, dtype and argument, both lowerings", GenRef},
    {"ref-union", "unions of up to two groups of up to two members", GenUnion},
    {"ref-tree", "lists, tuples and dicts, two levels deep", GenRefTree},
};

}  // namespace

absl::Span<const Scope> Scopes() { return kScopes; }

const Scope* FindScope(std::string_view name) {
  for (const Scope& scope : kScopes) {
    if (scope.name == name) return &scope;
  }
  return nullptr;
}

std::optional<KernelConfig> ScopeEnumerator::At(uint64_t number) {
  while (!exhausted_) {
    Choices choices(odometer_);
    KernelConfig config = scope_.generate(choices);
    const uint64_t present = next_++;
    exhausted_ = !odometer_.Advance();
    if (present == number) return config;
  }
  return std::nullopt;
}

}  // namespace pallasite

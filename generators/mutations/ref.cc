// Building a ref: plgpu.SMEM(...), plgpu.TMEM(...).

#include <cstdint>
#include <optional>
#include <utility>

#include "generators/mutations/edit.h"
#include "generators/mutations/mutation.h"

namespace pallasite::mutations {
namespace {

bool Any(const RefSpec&) { return true; }
bool InSmem(const RefSpec& ref) { return ref.space == MemorySpace::kSmem; }
bool InTmem(const RefSpec& ref) { return ref.space == MemorySpace::kTmem; }
bool HasInferredLayout(const RefSpec& ref) {
  return InTmem(ref) && !ref.layout && ref.shape.size() >= 2;
}

RefSpec& SomeTmem(KernelConfig& config, Choices& choices) {
  return SomeRef(config, choices, InTmem, Tmem(DType::kFloat32, {128, 8}));
}

// A ref in TMEM whose layout follows from its shape.
RefSpec& SomeInferred(KernelConfig& config, Choices& choices) {
  return SomeRef(config, choices, HasInferredLayout,
                 Tmem(DType::kFloat32, {128, 8}));
}

// Turns a ref in TMEM into 64 rows of `columns` elements.
void MakeHalfRows(RefSpec& ref, DType dtype, std::optional<bool> packed,
                  int64_t columns) {
  ref.layout.reset();
  ref.dtype = dtype;
  ref.packed = packed;
  ref.shape = {64, columns};
}

DType NarrowType(Choices& choices) {
  return choices.Pick({DType::kFloat16, DType::kInt8, DType::kInt4});
}

constexpr Mutation kMutations[] = {
    {.rule = "construct.ref.swizzle-width",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           RefSpec& ref =
               SomeRef(config, choices, Any, Smem(DType::kFloat32, {8, 32}));
           ref.transforms.emplace_back(SwizzleTransform{choices.Pick<int64_t>(
               {0, 1, 16, 31, 33, 63, 127, 129, 256, -32})});
           return true;
         }},
    {.rule = "construct.ref.transpose-transform-removed",
     .precondition = "the target is 0.10.1 or later",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           RefSpec& ref =
               SomeRef(config, choices, Any, Smem(DType::kFloat32, {8, 32}));
           ref.transforms.emplace_back(TransposeTransform{{1, 0}});
           return true;
         }},
    {.rule = "construct.ref.tmem-transforms",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           RefSpec& ref = SomeTmem(config, choices);
           if (choices.Bool()) {
             ref.transforms.emplace_back(TilingTransform{{8, 32}});
           } else {
             ref.transforms.emplace_back(SwizzleTransform{128});
           }
           return true;
         }},
    {.rule = "construct.ref.tmem-width-needs-packed",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           RefSpec& ref = SomeInferred(config, choices);
           ref.packed.reset();
           ref.dtype =
               choices.Pick({DType::kFloat16, DType::kInt2, DType::kUInt8,
                             DType::kFloat64, DType::kBool, DType::kComplex64});
           return true;
         }},
    {.rule = "construct.ref.tmem-packed-and-layout",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           RefSpec& ref = SomeTmem(config, choices);
           if (!ref.layout) ref.layout = TmemLayoutSpec{};
           ref.packed = choices.Bool();
           return true;
         }},
    {.rule = "construct.ref.tmem-rank",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           RefSpec& ref = SomeInferred(config, choices);
           ref.shape = choices.Bool() ? Shape{128} : Shape{};
           return true;
         }},
    {.rule = "construct.ref.tmem-packing",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           RefSpec& ref = SomeInferred(config, choices);
           ref.packed = true;
           ref.dtype = choices.Pick({DType::kInt2, DType::kUInt2, DType::kInt64,
                                     DType::kFloat64, DType::kComplex64,
                                     DType::kComplex128});
           return true;
         }},
    {.rule = "construct.ref.tmem-columns-divisible-by-packing",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           RefSpec& ref = SomeInferred(config, choices);
           ref.packed = true;
           ref.dtype = NarrowType(choices);
           const int64_t packing = 32 / Info(ref.dtype).bits;
           const int64_t whole = packing * choices.Between(0, 64);
           ref.shape.back() = whole + choices.Between(1, packing - 1);
           return true;
         }},
    {.rule = "construct.ref.tmem-rows",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           RefSpec& ref = SomeInferred(config, choices);
           ref.shape[ref.shape.size() - 2] =
               choices.Pick<int64_t>({0, 1, 32, 63, 65, 127, 129, 256, 1024});
           return true;
         }},
    {.rule = "construct.ref.tmem-half-lane-too-few-columns",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           RefSpec& ref = SomeTmem(config, choices);
           const DType dtype = NarrowType(choices);
           const int64_t packing = 32 / Info(dtype).bits;
           MakeHalfRows(ref, dtype, true, choices.Bool() ? packing : 0);
           ref.collective.reset();
           return true;
         }},
    {.rule = "construct.ref.tmem-layout-packing",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           RefSpec& ref = SomeTmem(config, choices);
           ref.packed.reset();
           ref.layout = TmemLayoutSpec{
               .kind = TmemLayoutKind::kM64Collective,
               .columns = 16 * choices.Between(0, 4),
               .packing = choices.Pick<int64_t>({0, 3, 5, 6, 7, 16, 32, -3})};
           return true;
         }},
    {.rule = "construct.ref.tmem-columns-multiple-of-16",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           RefSpec& ref = SomeTmem(config, choices);
           const auto columns =
               choices.Pick<int64_t>({2, 8, 15, 17, 24, 129, 255, 513});
           if (choices.Bool()) {
             MakeHalfRows(ref, DType::kFloat32, std::nullopt, columns);
             return true;
           }
           ref.packed.reset();
           ref.layout = TmemLayoutSpec{.kind = TmemLayoutKind::kM64Collective,
                                       .columns = columns};
           return true;
         }},
    {.rule = "construct.ref.tmem-tile-positive",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           RefSpec& ref = SomeTmem(config, choices);
           if (choices.Bool()) {
             MakeHalfRows(ref, DType::kFloat32, std::nullopt, 0);
             ref.collective = true;
             return true;
           }
           ref.packed.reset();
           ref.layout = TmemLayoutSpec{.kind = TmemLayoutKind::kM64Collective,
                                       .columns = -16 * choices.Between(0, 2)};
           return true;
         }},
    {.rule = "construct.ref.tmem-layout-not-canonical",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           RefSpec& ref = SomeTmem(config, choices);
           if (choices.Bool()) {
             MakeHalfRows(ref,
                          choices.Pick({DType::kInt4, DType::kUInt4,
                                        DType::kFloat4E2M1FN}),
                          true, 16);
             return true;
           }
           ref.packed.reset();
           ref.layout = TmemLayoutSpec{.kind = TmemLayoutKind::kM64Collective,
                                       .columns = 16,
                                       .packing = 8};
           return true;
         }},
    {.rule = "construct.ref.tmem-only-arguments",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           RefSpec& ref =
               SomeRef(config, choices, InSmem, Smem(DType::kFloat32, {8, 32}));
           switch (choices.UpTo(2)) {
             case 0:
               ref.packed = choices.Bool();
               return true;
             case 1:
               ref.collective = choices.Bool();
               return true;
             default:
               ref.layout = TmemLayoutSpec{};
               return true;
           }
         }},
};

}  // namespace

absl::Span<const Mutation> RefMutations() { return kMutations; }

}  // namespace pallasite::mutations

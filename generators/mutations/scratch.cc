// What tracing and lowering make of scratch that could be built.

#include <cstdint>
#include <optional>
#include <utility>

#include "generators/mutations/edit.h"
#include "generators/mutations/mutation.h"
#include "generators/valid/context.h"
#include "model/config/walk.h"

namespace pallasite::mutations {
namespace {

constexpr int64_t kMaxColumns = valid::TmemBudget::kLimit;

RefSpec Explicit(DType dtype, TmemLayoutKind kind, Shape shape) {
  RefSpec ref = Tmem(dtype, std::move(shape));
  ref.layout = TmemLayoutSpec{.kind = kind};
  return ref;
}

RefSpec WithCollective(RefSpec ref, bool collective) {
  ref.collective = collective;
  return ref;
}

bool HasAccumulator(const KernelConfig& config) {
  bool found = false;
  for (const auto& entry : config.scratch) {
    ForEachLeaf(entry.second, Location(), TreeOrder::kFlatten,
                [&](const RefTree& leaf, const Location&) {
                  found |= std::holds_alternative<AccumulatorSpec>(leaf.node);
                  return true;
                });
  }
  return found;
}

bool AddAccumulator(KernelConfig& config, AccumulatorSpec accumulator) {
  AddScratch(config, RefTree{std::move(accumulator)});
  return true;
}

bool AddLaneAccumulator(KernelConfig& config, Choices& choices, Shape shape) {
  RequireLowering(config, Lowering::kLane);
  RequireNoThreads(config);
  return AddAccumulator(
      config, {.dtype = choices.Pick({DType::kFloat32, DType::kInt32}),
               .shape = std::move(shape)});
}

constexpr Mutation kMutations[] = {
    // --- transforms= meets the shape
    {.rule = "trace.tiling.zero-tile",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           RefSpec& ref = SomeRef(
               config, choices,
               [](const RefSpec& ref) {
                 return ref.space == MemorySpace::kSmem && !ref.shape.empty();
               },
               Smem(DType::kFloat32, {8, 32}));
           TilingTransform tiling{Shape(ref.shape.size(), 1)};
           tiling.tiling[choices.UpTo(ref.shape.size() - 1)] = 0;
           ref.transforms = {std::move(tiling)};
           return true;
         }},
    {.rule = "trace.tiling.indivisible",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           RefSpec& ref = SomeRef(
               config, choices,
               [](const RefSpec& ref) {
                 return ref.space == MemorySpace::kSmem && !ref.shape.empty() &&
                        ref.shape.back() > 0;
               },
               Smem(DType::kFloat32, {8, 32}));
           TilingTransform tiling{{ref.shape.back() + choices.Between(1, 64)}};
           if (choices.Bool()) tiling.tiling.insert(tiling.tiling.begin(), 1);
           if (tiling.tiling.size() > ref.shape.size()) {
             tiling.tiling.erase(tiling.tiling.begin());
           }
           ref.transforms = {std::move(tiling)};
           return true;
         }},
    {.rule = "trace.swizzle.scalar",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           AddRef(
               config,
               Smem(DType::kFloat32, {},
                    {SwizzleTransform{choices.Pick<int64_t>({32, 64, 128})}}));
           return true;
         }},
    {.rule = "trace.swizzle.minor-extent",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           RefSpec& ref = SomeRef(
               config, choices,
               [](const RefSpec& ref) {
                 return ref.space == MemorySpace::kSmem && !ref.shape.empty();
               },
               Smem(DType::kFloat32, {8, 31}));
           int64_t swizzle = choices.Pick<int64_t>({32, 64, 128});
           if (ref.shape.back() == swizzle * 8 / Info(ref.dtype).bits) {
             swizzle = swizzle == 128 ? 32 : swizzle * 2;
           }
           ref.transforms = {SwizzleTransform{swizzle}};
           return true;
         }},

    // --- The estimate of what the kernel needs
    {.rule = "lower.scratch.gmem",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           AddScratch(config,
                      RefTree{RefSpec{.space = MemorySpace::kGmem,
                                      .shape = {choices.Between(0, 8), 16}}});
           return true;
         }},
    {.rule = "lower.scratch.tmem-rank",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           AddScratch(config,
                      RefTree{Explicit(DType::kUInt8, TmemLayoutKind::kScales,
                                       choices.Bool() ? Shape{128} : Shape{})});
           return true;
         }},
    {.rule = "lower.scratch.tmem-tiles",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           RefSpec ref =
               choices.Bool()
                   ? Explicit(DType::kUInt8, TmemLayoutKind::kScales,
                              {choices.Pick<int64_t>({64, 127, 129}), 4})
                   : Explicit(DType::kUInt2, TmemLayoutKind::kSparseMetadata,
                              {128, 16 * choices.Between(0, 8) + 1});
           AddScratch(config, RefTree{std::move(ref)});
           return true;
         }},
    {.rule = "lower.scratch.tmem-vector-length",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           const DType dtype =
               choices.Pick({DType::kFloat16, DType::kInt4, DType::kFloat32,
                             DType::kInt64, DType::kComplex64});
           RefSpec ref = Explicit(dtype, TmemLayoutKind::kScales,
                                  {128, 4 * choices.Between(1, 8)});
           AddScratch(config, RefTree{std::move(ref)});
           return true;
         }},
    {.rule = "lower.scratch.regs",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           if (HasAccumulator(config)) ClearScratch(config);
           AddScratch(config,
                      RefTree{RefSpec{.space = MemorySpace::kRegs,
                                      .shape = {choices.Between(1, 8), 16}}});
           return true;
         }},

    // --- Tensor memory
    {.rule = "lower.tmem.collective-mix",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           ClearScratch(config);
           const bool first = choices.Bool();
           for (const bool collective : {first, !first}) {
             AddScratch(
                 config,
                 RefTree{WithCollective(
                     Tmem(DType::kFloat32, {128, 4 * choices.Between(1, 200)}),
                     collective)});
           }
           return true;
         }},
    {.rule = "lower.tmem.too-many-columns",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           ClearScratch(config);
           if (choices.Bool()) {
             AddScratch(
                 config,
                 RefTree{Tmem(DType::kFloat32,
                              {128, choices.Pick<int64_t>({513, 520, 1024})})});
           } else {  // the last of several
             for (int i = 0; i < 3; ++i) {
               AddScratch(config, RefTree{Tmem(DType::kFloat32,
                                               {128, kMaxColumns / 2})});
             }
           }
           return true;
         }},
    {.rule = "lower.tmem.collective-odd-cluster",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           ReplaceCluster(config, choices.Pick({Shape{}, Shape{1}, Shape{3},
                                                Shape{1, 3}, Shape{5, 1, 1}}));
           AddScratch(
               config,
               RefTree{WithCollective(
                   Tmem(DType::kFloat32, {128, 4 * choices.Between(1, 128)}),
                   true)});
           return true;
         }},
    {.rule = "lower.tmem.no-columns",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           ClearScratch(config);
           AddScratch(config, RefTree{Tmem(DType::kFloat32,
                                           choices.Bool() ? Shape{128, 0}
                                                          : Shape{0, 128, 8})});
           return true;
         }},
    {.rule = "lower.tmem.lane-complex",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           RequireLowering(config, Lowering::kLane);
           const DType dtype =
               choices.Pick({DType::kComplex64, DType::kComplex128});
           AddRef(config, Tmem(dtype, {128, choices.Between(1, 16)}, false));
           return true;
         }},
    {.rule = "lower.tmem.lane-vector-length",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           RequireLowering(config, Lowering::kLane);
           AddRef(config,
                  Tmem(DType::kBool, {128, 4 * choices.Between(1, 16)}, true));
           return true;
         }},

    // --- Accumulators
    {.rule = "lower.acc.collective",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           RequireThreads(config);
           return AddAccumulator(config,
                                 {.shape = {64, 8 * choices.Between(1, 16)}});
         }},
    {.rule = "lower.acc.unsigned",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           RequireNoThreads(config);
           return AddAccumulator(
               config, {.dtype = choices.Pick({DType::kUInt32, DType::kUInt8,
                                               DType::kBool, DType::kUInt64}),
                        .shape = {64, 8}});
         }},
    {.rule = "lower.acc.lane-rank-0",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           return AddLaneAccumulator(config, choices, {});
         }},
    {.rule = "lower.acc.lane-rank-1",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           return AddLaneAccumulator(config, choices, {64});
         }},
    {.rule = "lower.acc.lane-rank-3",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           return AddLaneAccumulator(config, choices, {1, 64, 8});
         }},
    {.rule = "lower.acc.lane-shape",
     .precondition = "always",
     .apply =
         [](KernelConfig& config, Choices& choices) {
           return AddLaneAccumulator(
               config, choices,
               choices.Pick({Shape{63, 8}, Shape{32, 8}, Shape{65, 8},
                             Shape{64, 7}, Shape{64, 12}, Shape{8, 64}}));
         }},
};

}  // namespace

absl::Span<const Mutation> ScratchMutations() { return kMutations; }

}  // namespace pallasite::mutations

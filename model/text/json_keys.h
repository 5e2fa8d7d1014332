#ifndef PALLASITE_MODEL_TEXT_JSON_KEYS_H_
#define PALLASITE_MODEL_TEXT_JSON_KEYS_H_

#include <cstddef>
#include <string_view>

#include "absl/types/span.h"
#include "model/config/kernel_config.h"
#include "model/config/ops.h"
#include "model/config/ref.h"

// Every key and every fixed word of the configuration format, once. The reader
// knows nothing else, docs/config.schema.json says the same, and a test
// compares the two.

namespace pallasite {

// The keys of one kind of object. Its name is that of its definition in the
// schema. An object with tags holds exactly one of them, which tells its kind.
struct ObjectKeys {
  std::string_view name;
  std::string_view tags[4];
  std::string_view fields[11];
};

namespace keys {

inline constexpr ObjectKeys kConfig = {
    .name = "config",
    .fields = {"pallasite", "target", "mesh", "kernel", "inputs", "outputs",
               "scratch", "body"}};
inline constexpr ObjectKeys kTarget = {.name = "target",
                                       .fields = {"jax", "arch"}};
inline constexpr ObjectKeys kKernel = {
    .name = "kernel",
    .fields = {"lowering", "grid", "cluster", "threads", "params"}};
inline constexpr ObjectKeys kParams = {
    .name = "params",
    .fields = {"dimension_semantics", "approx_math", "max_concurrent_steps",
               "unsafe_no_auto_barriers", "reduction_scratch_bytes",
               "profile_space", "profile_dir", "profile_trace_scope",
               "profile_bounds_check", "skip_device_barrier"}};

// Ref trees.
inline constexpr ObjectKeys kRef = {
    .name = "ref",
    .tags = {"gmem", "smem", "tmem", "regs"},
    .fields = {"transforms", "packed", "collective", "layout"}};
inline constexpr ObjectKeys kBarrier = {.name = "barrier", .tags = {"barrier"}};
inline constexpr ObjectKeys kBarrierFields = {
    .name = "barrier_fields",
    .fields = {"num_arrivals", "num_barriers", "orders_tensor_core"}};
inline constexpr ObjectKeys kClusterBarrier = {.name = "cluster_barrier",
                                               .tags = {"cluster_barrier"}};
inline constexpr ObjectKeys kClusterBarrierFields = {
    .name = "cluster_barrier_fields",
    .fields = {"collective_axes", "num_arrivals", "num_barriers",
               "orders_tensor_core", "leader_tracked"}};
inline constexpr ObjectKeys kAccumulator = {.name = "accumulator",
                                            .tags = {"acc"}};
inline constexpr ObjectKeys kTuple = {.name = "tuple", .tags = {"tuple"}};
inline constexpr ObjectKeys kDict = {.name = "dict", .tags = {"dict"}};
inline constexpr ObjectKeys kUnion = {.name = "union", .tags = {"union"}};
inline constexpr const ObjectKeys* kTrees[] = {
    &kRef,   &kBarrier, &kClusterBarrier, &kAccumulator,
    &kTuple, &kDict,    &kUnion};

inline constexpr ObjectKeys kTile = {.name = "tile", .tags = {"tile"}};
inline constexpr ObjectKeys kSwizzle = {.name = "swizzle", .tags = {"swizzle"}};
inline constexpr ObjectKeys kTranspose = {.name = "transpose",
                                          .tags = {"transpose"}};
inline constexpr const ObjectKeys* kTransforms[] = {&kTile, &kSwizzle,
                                                    &kTranspose};
inline constexpr ObjectKeys kM64Collective = {.name = "m64_collective",
                                              .tags = {"m64_collective"}};

// Views and what is in them.
inline constexpr ObjectKeys kAt = {.name = "at", .tags = {"at"}};
inline constexpr ObjectKeys kReshape = {.name = "reshape", .tags = {"reshape"}};
inline constexpr ObjectKeys kPeer = {
    .name = "peer", .tags = {"peer"}, .fields = {"id_type"}};
inline constexpr ObjectKeys kMulticast = {.name = "multicast",
                                          .tags = {"multicast"}};
inline constexpr ObjectKeys kClusterRef = {.name = "cluster_ref",
                                           .tags = {"cluster_ref"}};
inline constexpr const ObjectKeys* kViews[] = {
    &kAt, &kTranspose, &kReshape, &kPeer, &kMulticast, &kClusterRef};
inline constexpr ObjectKeys kAxisIndex = {
    .name = "axis_index", .tags = {"axis"}, .fields = {"scale", "offset"}};
inline constexpr ObjectKeys kDynamicSlice = {.name = "ds", .tags = {"ds"}};
inline constexpr ObjectKeys kGather = {.name = "gather", .tags = {"gather"}};
inline constexpr const ObjectKeys* kIndices[] = {&kAxisIndex, &kDynamicSlice,
                                                 &kGather};
inline constexpr ObjectKeys kByAxis = {.name = "by_axis", .tags = {"by_axis"}};
inline constexpr const ObjectKeys* kDeviceIds[] = {&kAxisIndex, &kByAxis};

// Ops.
inline constexpr ObjectKeys kAsyncPrefetch = {.name = "async_prefetch",
                                              .tags = {"async_prefetch"}};
inline constexpr ObjectKeys kAsyncPrefetchFields = {
    .name = "async_prefetch_fields",
    .fields = {"ref", "collective_axes", "leader_tracked", "predicate"}};
inline constexpr ObjectKeys kPartitioned = {.name = "partitioned",
                                            .tags = {"partitioned"}};
inline constexpr ObjectKeys kAxisEquals = {.name = "axis_equals",
                                           .fields = {"axis", "equals"}};
inline constexpr ObjectKeys kPrintLayout = {.name = "print_layout",
                                            .tags = {"print_layout"}};
inline constexpr ObjectKeys kPrintLayoutFields = {.name = "print_layout_fields",
                                                  .fields = {"ref"}};
inline constexpr ObjectKeys kWarpMap = {.name = "warp_map",
                                        .tags = {"warp_map"}};
inline constexpr const ObjectKeys* kOps[] = {&kAsyncPrefetch, &kPrintLayout,
                                             &kWarpMap};

// All of the above.
inline constexpr const ObjectKeys* kAll[] = {&kConfig,
                                             &kTarget,
                                             &kKernel,
                                             &kParams,
                                             &kRef,
                                             &kBarrier,
                                             &kBarrierFields,
                                             &kClusterBarrier,
                                             &kClusterBarrierFields,
                                             &kAccumulator,
                                             &kTuple,
                                             &kDict,
                                             &kUnion,
                                             &kTile,
                                             &kSwizzle,
                                             &kTranspose,
                                             &kM64Collective,
                                             &kAt,
                                             &kReshape,
                                             &kPeer,
                                             &kMulticast,
                                             &kClusterRef,
                                             &kAxisIndex,
                                             &kDynamicSlice,
                                             &kGather,
                                             &kByAxis,
                                             &kAsyncPrefetch,
                                             &kAsyncPrefetchFields,
                                             &kPartitioned,
                                             &kAxisEquals,
                                             &kPrintLayout,
                                             &kPrintLayoutFields,
                                             &kWarpMap};

}  // namespace keys

// A fixed word and what it stands for.
template <typename E>
struct Word {
  E value;
  std::string_view word;
};

template <typename E, size_t n>
constexpr std::string_view WordFor(const Word<E> (&words)[n], E value) {
  for (const Word<E>& word : words) {
    if (word.value == value) return word.word;
  }
  return "";
}

namespace words {

inline constexpr Word<Lowering> kLowering[] = {
    {Lowering::kLane, "lane"}, {Lowering::kWarpgroup, "warpgroup"}};
inline constexpr Word<DimensionSemantics> kDimensionSemantics[] = {
    {DimensionSemantics::kParallel, "parallel"},
    {DimensionSemantics::kSequential, "sequential"}};
inline constexpr Word<TraceScope> kTraceScope[] = {
    {TraceScope::kWarp, "warp"}, {TraceScope::kWarpgroup, "warpgroup"}};
inline constexpr Word<MemorySpace> kMemorySpace[] = {
    {MemorySpace::kGmem, "gmem"},
    {MemorySpace::kSmem, "smem"},
    {MemorySpace::kTmem, "tmem"},
    {MemorySpace::kRegs, "regs"}};
// The layouts without arguments.
inline constexpr Word<TmemLayoutKind> kTmemLayout[] = {
    {TmemLayoutKind::kScales, "scales"},
    {TmemLayoutKind::kSparseMetadata, "sparse_metadata"},
    {TmemLayoutKind::kScalesM64Collective, "scales_m64_collective"}};
inline constexpr Word<DeviceIdType> kDeviceIdType[] = {
    {DeviceIdType::kMesh, "mesh"}, {DeviceIdType::kLogical, "logical"}};
// The partition without arguments.
inline constexpr std::string_view kReplicated = "replicated";
inline constexpr std::string_view kEllipsis = "...";

}  // namespace words
}  // namespace pallasite

#endif  // PALLASITE_MODEL_TEXT_JSON_KEYS_H_

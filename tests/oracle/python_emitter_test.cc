#include "model/text/python_emitter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>

#include "model/text/python_refs.h"
#include "model/text/python_source.h"
#include "tests/oracle/sample_configs.h"

namespace pallasite {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string EmitView(View view) {
  KernelConfig config = PlainKernel();
  config.body = {{AsyncPrefetchOp{.ref = {"x", {}, {std::move(view)}}}}};
  return EmitPythonBody(config, Target{});
}

TEST(PythonEmitter, WritesAWholeKernelAsAPersonWould) {
  KernelConfig config = PlainKernel();
  config.kernel.params.lowering = Lowering::kLane;
  config.scratch = {{"b", RefTree{BarrierSpec{}}}};
  config.body = {{PrintLayoutOp{{"b", {}, {}}}}};
  EXPECT_EQ(EmitPythonBody(config, Target{}), R"(def body(x, o, b):
  plgpu.print_layout("{}", b)


def scratch_types():
  return [plgpu.Barrier()]


def construct():
  kernel = plgpu.kernel(
      body,
      out_type=jax.ShapeDtypeStruct((128, 128), jnp.float32),
      scratch_types=scratch_types(),
      compiler_params=plgpu.CompilerParams(
          lowering_semantics=plgpu.LoweringSemantics.Lane,
      ),
  )
  arguments = (jax.ShapeDtypeStruct((128, 128), jnp.float32),)
  return kernel, arguments
)");
}

TEST(PythonEmitter, WritesEveryKindOfScratch) {
  const RefTree smem = Smem(DType::kInt8, {16});
  const struct {
    RefTree tree;
    std::string source;
  } kCases[] = {
      {smem, "plgpu.SMEM((16,), jnp.int8)"},
      {Smem(DType::kBool, {}), "plgpu.SMEM((), jnp.bool_)"},
      {{RefSpec{.space = MemorySpace::kGmem, .shape = {8}}},
       "plgpu.GMEM((8,), jnp.float32)"},
      {{RefSpec{.space = MemorySpace::kRegs, .shape = {8}}},
       "plgpu.REGS((8,), jnp.float32)"},
      {{RefSpec{.shape = {8, 64}, .transforms = {TilingTransform{{8, 64}}}}},
       "transforms=(plgpu.TilingTransform((8, 64)),)"},
      {{RefSpec{.shape = {8}, .transforms = {SwizzleTransform{32}}}},
       "transforms=(plgpu.SwizzleTransform(32),)"},
      {{RefSpec{.shape = {8}, .transforms = {TransposeTransform{{1, 0}}}}},
       "transforms=(plgpu.TransposeTransform((1, 0)),)"},
      {{RefSpec{.space = MemorySpace::kTmem,
                .dtype = DType::kBFloat16,
                .shape = {128, 64},
                .packed = false,
                .collective = true}},
       "plgpu.TMEM((128, 64), jnp.bfloat16, packed=False, collective=True)"},
      {{RefSpec{.space = MemorySpace::kTmem,
                .layout = TmemLayoutSpec{TmemLayoutKind::kScales}}},
       "layout=plgpu.TMEMLayout.SCALES_LAYOUT)"},
      {{RefSpec{.space = MemorySpace::kTmem,
                .layout = TmemLayoutSpec{TmemLayoutKind::kSparseMetadata}}},
       "layout=plgpu.TMEMLayout.SPARSE_METADATA_LAYOUT)"},
      {{RefSpec{
           .space = MemorySpace::kTmem,
           .layout = TmemLayoutSpec{TmemLayoutKind::kM64Collective, 64, 2}}},
       "layout=plgpu.TMEMLayout.M64_COLLECTIVE_LAYOUT(64, packing=2)"},
      {{RefSpec{
           .space = MemorySpace::kTmem,
           .layout = TmemLayoutSpec{TmemLayoutKind::kScalesM64Collective}}},
       "layout=plgpu.TMEMLayout.SCALES_M64_COLLECTIVE_LAYOUT)"},
      {{BarrierSpec{}}, "plgpu.Barrier()"},
      {{BarrierSpec{
           .num_arrivals = 2, .num_barriers = {3}, .orders_tensor_core = true}},
       "plgpu.Barrier(num_arrivals=2, num_barriers=3, "
       "orders_tensor_core=True)"},
      {{BarrierSpec{.num_barriers = {2, 3}}}, "num_barriers=(2, 3)"},
      {{ClusterBarrierSpec{.collective_axes = {{"c"}, {"d", "e"}},
                           .leader_tracked = true}},
       R"(collective_axes=("c", ("d", "e")), leader_tracked=True)"},
      {{AccumulatorSpec{.shape = {64, 8}}}, "plgpu.ACC((64, 8), jnp.float32)"},
      {List({smem}), "[plgpu.SMEM((16,), jnp.int8)]"},
      {Tuple({smem}), "(plgpu.SMEM((16,), jnp.int8),)"},
      {Tuple({}), "()"},
      {{RefDict{{{"b", smem}, {"a", {BarrierSpec{}}}}}},
       R"({"b": plgpu.SMEM((16,), jnp.int8), "a": plgpu.Barrier()})"},
      {Union({}), "plgpu.RefUnion()"},
      {Union({List({smem}), smem}),
       "plgpu.RefUnion([plgpu.SMEM((16,), jnp.int8)], "
       "plgpu.SMEM((16,), jnp.int8))"},
  };
  for (const auto& c : kCases) {
    EXPECT_THAT(Flat(PyRefTree(c.tree)), HasSubstr(c.source));
  }
}

TEST(PythonEmitter, WritesEveryKindOfView) {
  const struct {
    View view;
    std::string source;
  } kCases[] = {
      {AtView{}, "x.at[()]"},
      {AtView{{Scalar{int64_t{-3}}}}, "x.at[-3]"},
      {AtView{{Scalar{AxisIndex{"i", 1, 0}}}},
       R"(x.at[jax.lax.axis_index("i")])"},
      {AtView{{Scalar{AxisIndex{"i", 8, 4}}}},
       R"(x.at[jax.lax.axis_index("i") * 8 + 4])"},
      {AtView{{Scalar{AxisIndex{"i", -1, INT64_MIN}}}},
       R"(x.at[jax.lax.axis_index("i") * -1 - 9223372036854775808])"},
      {AtView{{PySlice{}, PySlice{1, std::nullopt, std::nullopt},
               PySlice{std::nullopt, -2, std::nullopt}, PySlice{0, 8, 2},
               PySlice{std::nullopt, std::nullopt, 2}}},
       "x.at[:, 1:, :-2, 0:8:2, ::2]"},
      {AtView{{DynamicSlice{Scalar{int64_t{0}}, 8, std::nullopt},
               DynamicSlice{AxisIndex{"i", 8, 0}, 8, 2}}},
       R"(x.at[pl.ds(0, 8), pl.ds(jax.lax.axis_index("i") * 8, 8, 2)])"},
      {AtView{{EllipsisIndex{}}}, "x.at[...]"},
      {AtView{{GatherIndex{DType::kUInt32, 32}}},
       "x.at[plgpu.broadcasted_iota(jnp.uint32, (32,), 0, "
       "layout=plgpu.Layout.TMA_INDICES)]"},
      {AtView{{GatherIndex{DType::kInt32, 12}}},
       "x.at[plgpu.broadcasted_iota(jnp.int32, (12,), 0, "
       "layout=plgpu.Layout.TMA_INDICES_4)]"},
      {TransposeView{{1, 0}}, "x.transpose((1, 0))"},
      {ReshapeView{{16384}}, "x.reshape((16384,))"},
      {PeerView{Scalar{int64_t{1}}}, "plgpu.remote_ref(x, 1))"},
      {PeerView{Scalar{int64_t{1}}, DeviceIdType::kLogical},
       "plgpu.remote_ref(x, 1, pl.DeviceIdType.LOGICAL)"},
      {PeerView{DeviceIdTuple{{int64_t{1}}}}, "plgpu.remote_ref(x, (1,))"},
      {PeerView{DeviceIdDict{
           {{{"d"}, int64_t{1}}, {{"e", "f"}, AxisIndex{"i", 1, 0}}}}},
       R"(remote_ref(x, {"d": 1, ("e", "f"): jax.lax.axis_index("i")}))"},
      {MulticastView{{"d"}}, R"(plgpu.multicast_ref(x, ("d",)))"},
      {ClusterView{{{"c", int64_t{1}}}}, R"(plgpu.cluster_ref(x, {"c": 1}))"},
  };
  for (const auto& c : kCases) {
    EXPECT_THAT(EmitView(c.view), HasSubstr(c.source));
  }
}

TEST(PythonEmitter, AppliesViewsLeftToRight) {
  KernelConfig config = PlainKernel();
  const RefExpr ref = {"x",
                       {int64_t{1}, std::string("key")},
                       {AtView{{Scalar{int64_t{0}}}},
                        PeerView{Scalar{int64_t{1}}}, TransposeView{{1, 0}}}};
  config.body = {{AsyncPrefetchOp{.ref = ref}}};
  EXPECT_THAT(EmitPythonBody(config, Target{}),
              HasSubstr("  plgpu.async_prefetch(plgpu.remote_ref("
                        "x[1][\"key\"].at[0], 1).transpose((1, 0)))\n"));
}

TEST(PythonEmitter, WritesEveryKindOfOp) {
  const RefExpr x = {"x", {}, {}};
  const Op plain = {AsyncPrefetchOp{.ref = x}};
  const struct {
    Op op;
    std::string source;
  } kCases[] = {
      {plain, "  plgpu.async_prefetch(x)\n"},
      {{AsyncPrefetchOp{.ref = x, .collective_axes = {{"c"}}}},
       "  plgpu.async_prefetch(x, collective_axes=(\"c\",))\n"},
      {{AsyncPrefetchOp{.ref = x, .leader_tracked = Replicated{}}},
       "leader_tracked=plgpu.CopyPartition.REPLICATED)\n"},
      {{AsyncPrefetchOp{.ref = x, .leader_tracked = Partitioned{1}}},
       "leader_tracked=plgpu.CopyPartition.PARTITIONED(1))\n"},
      {{AsyncPrefetchOp{.ref = x, .predicate = true}}, "predicate=True)\n"},
      {{AsyncPrefetchOp{.ref = x, .predicate = AxisEquals{"i", 0}}},
       "predicate=jax.lax.axis_index(\"i\") == 0)\n"},
      {{PrintLayoutOp{x}}, "  plgpu.print_layout(\"{}\", x)\n"},
      {{WarpMapOp{{plain}}},
       "  @plgpu.warp_map\n  def _(warp_id):\n    plgpu.async_prefetch(x)\n"},
      {{WarpMapOp{}}, "  @plgpu.warp_map\n  def _(warp_id):\n    pass\n"},
  };
  for (const auto& c : kCases) {
    KernelConfig config = PlainKernel();
    config.body = {c.op};
    EXPECT_THAT(EmitPythonBody(config, Target{}), HasSubstr(c.source));
  }
}

TEST(PythonEmitter, WritesOnlyTheParametersThatAreSet) {
  KernelConfig config = PlainKernel();
  EXPECT_THAT(EmitPythonBody(config, Target{}),
              Not(HasSubstr("compiler_params")));
  config.kernel.params = {
      .dimension_semantics = {{DimensionSemantics::kParallel,
                               DimensionSemantics::kSequential}},
      .approx_math = true,
      .max_concurrent_steps = 2,
      .unsafe_no_auto_barriers = false,
      .reduction_scratch_bytes = 0,
      .profile_space = 16,
      .profile_dir = "a \"b\"",
      .profile_trace_scope = TraceScope::kWarp,
      .profile_bounds_check = true,
      .skip_device_barrier = true,
  };
  const std::string source = EmitPythonBody(config, Target{});
  for (const char* argument :
       {"dimension_semantics=(\"parallel\", \"sequential\")",
        "approx_math=True", "max_concurrent_steps=2",
        "unsafe_no_auto_barriers=False", "reduction_scratch_bytes=0",
        "profile_space=16", "profile_dir=\"a \\\"b\\\"\"",
        "profile_trace_scope=plgpu.TraceScope.WARP",
        "profile_bounds_check=True", "skip_device_barrier=True"}) {
    EXPECT_THAT(source, HasSubstr(argument));
  }
  EXPECT_THAT(source, Not(HasSubstr("lowering_semantics")));
}

TEST(PythonEmitter, WritesAxesAsGivenEvenWhenTheyDoNotMatch) {
  KernelConfig config = PlainKernel();
  config.kernel.grid = {{4, 2}, {"i"}};
  config.kernel.cluster = {{}, {"c"}};
  config.kernel.threads = {.count = 2};
  const std::string source = EmitPythonBody(config, Target{});
  for (const char* argument :
       {"grid=(4, 2)", "grid_names=(\"i\",)", "cluster=()",
        "cluster_names=(\"c\",)", "num_threads=2"}) {
    EXPECT_THAT(source, HasSubstr(argument));
  }
  EXPECT_THAT(source, Not(HasSubstr("thread_name")));
}

TEST(PythonEmitter, ReturnsOutputsBareOnlyWhenThereIsOne) {
  KernelConfig config = PlainKernel();
  EXPECT_THAT(EmitPythonBody(config, Target{}),
              HasSubstr("out_type=jax.ShapeDtypeStruct("));
  config.outputs.push_back({"p", {DType::kInt8, {4}}});
  EXPECT_THAT(EmitPythonBody(config, Target{}), HasSubstr("out_type=(\n"));
  config.outputs.clear();
  EXPECT_THAT(EmitPythonBody(config, Target{}), HasSubstr("out_type=()"));
}

TEST(PythonEmitter, SpreadsOverTheMeshOnlyWhenThereIsOne) {
  KernelConfig config = PlainKernel();
  EXPECT_THAT(EmitPythonBody(config, Target{}), Not(HasSubstr("mesh")));
  config.mesh = {{"d", 2}, {"e", 4}};
  const std::string source = EmitPythonBody(config, Target{});
  EXPECT_THAT(source,
              HasSubstr("mesh = jax.make_mesh((2, 4), (\"d\", \"e\"))\n"));
  EXPECT_THAT(source, HasSubstr("check_vma=False"));
}

TEST(PythonEmitter, RenamesArgumentsThatWouldHideAModule) {
  KernelConfig config = PlainKernel();
  config.inputs = {{"jax", {}}, {"jax_", {}}};
  config.outputs = {{"warp_id", {}}};
  config.body = {{AsyncPrefetchOp{.ref = {"jax", {}, {}}}},
                 {AsyncPrefetchOp{.ref = {"jax_", {}, {}}}}};
  const std::string source = EmitPythonBody(config, Target{});
  EXPECT_THAT(source, HasSubstr("def body(jax_, jax__, warp_id_):\n"
                                "  plgpu.async_prefetch(jax_)\n"
                                "  plgpu.async_prefetch(jax__)\n"));
}

TEST(PythonEmitter, CallsTheKernelAsEachReleaseNamesIt) {
  KernelConfig config = PlainKernel();
  config.scratch = {{"b", RefTree{BarrierSpec{}}}};
  const std::string old = EmitPythonBody(config, {.jax = {0, 10, 1}});
  EXPECT_THAT(old, HasSubstr("out_shape="));
  EXPECT_THAT(old, HasSubstr("scratch_shapes="));
  const std::string now = EmitPythonBody(config, {.jax = {0, 10, 2}});
  EXPECT_THAT(now, HasSubstr("out_type="));
  EXPECT_THAT(now, HasSubstr("scratch_types="));
}

TEST(ReproScript, OverridesTheArchitectureOnlyWhenJaxWouldAssumeAnother) {
  const KernelConfig config = PlainKernel();
  EXPECT_THAT(EmitReproScript(config, {.arch = {9, 0}}),
              Not(HasSubstr("_infer_arch")));
  EXPECT_THAT(EmitReproScript(config, {.arch = {10, 0}}),
              HasSubstr("assume_architecture(10, 0)"));
}

TEST(ReproScript, HoldsTheSameSourceThatTheOracleIsAsked) {
  for (const Sample& sample : SampleConfigs()) {
    const Target target = {.arch = sample.arch};
    EXPECT_THAT(EmitReproScript(sample.config, target),
                HasSubstr(EmitPythonBody(sample.config, target)))
        << sample.name;
  }
}

}  // namespace
}  // namespace pallasite

#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "model/text/json_reader.h"
#include "model/text/json_writer.h"

namespace pallasite {
namespace {

RefExpr Ref(std::string name, std::vector<View> views = {}) {
  return {.name = std::move(name), .views = std::move(views)};
}

RefTree Smem(Shape shape) {
  return {RefSpec{.space = MemorySpace::kSmem,
                  .dtype = DType::kFloat16,
                  .shape = std::move(shape)}};
}

std::vector<KernelConfig> TreeConfigs() {
  std::vector<KernelConfig> configs;
  const auto add = [&](RefTree tree) {
    configs.emplace_back().scratch = {{"a", std::move(tree)}};
  };
  for (const MemorySpace space : {MemorySpace::kGmem, MemorySpace::kSmem,
                                  MemorySpace::kTmem, MemorySpace::kRegs}) {
    add({RefSpec{.space = space, .shape = {0, kMaxExtent}}});
  }
  for (const DTypeInfo& info : AllDTypes()) {
    add({AccumulatorSpec{.dtype = info.dtype}});
  }
  add({RefSpec{.dtype = DType::kFloat8E4M3FN,
               .shape = {1, 2, 3, 4, 5, 6, 7, 8},
               .transforms = {TilingTransform{{8, -64}}, SwizzleTransform{-128},
                              TransposeTransform{{1, 0}}, TilingTransform{}},
               .packed = false,
               .collective = true}});
  for (const TmemLayoutKind kind :
       {TmemLayoutKind::kScales, TmemLayoutKind::kSparseMetadata,
        TmemLayoutKind::kScalesM64Collective}) {
    add({RefSpec{.packed = true,
                 .collective = false,
                 .layout = TmemLayoutSpec{.kind = kind}}});
  }
  const auto m64 = TmemLayoutKind::kM64Collective;
  add({RefSpec{.layout = TmemLayoutSpec{m64, 128}}});
  add({RefSpec{.layout = TmemLayoutSpec{m64, -1, 2}}});
  add({BarrierSpec{}});
  add({BarrierSpec{.num_arrivals = -3, .num_barriers = {7}}});
  add({BarrierSpec{.num_barriers = {2, -3}, .orders_tensor_core = true}});
  add({ClusterBarrierSpec{}});
  add({ClusterBarrierSpec{.collective_axes = {{"c"}, {"c", "e"}, {}},
                          .num_arrivals = 0,
                          .num_barriers = {0, 0, 0},
                          .orders_tensor_core = true,
                          .leader_tracked = true}});
  add({RefSequence{}});
  add({RefSequence{.kind = SequenceKind::kTuple}});
  add({RefDict{}});
  add({RefUnionSpec{}});
  const RefTree list{RefSequence{.items = {Smem({8}), Smem({})}}};
  const RefTree tuple{RefSequence{SequenceKind::kTuple, {list, Smem({1})}}};
  add({RefDict{{{"b", tuple}, {"a", {RefUnionSpec{{list, tuple}}}}}}});
  return configs;
}

std::vector<KernelConfig> KernelConfigs() {
  std::vector<KernelConfig> configs(1);
  const auto add = [&]() -> KernelConfig& { return configs.emplace_back(); };
  add().target = Target{.jax = {0, 12, 0, 1}, .arch = {10, 0}};
  add().target = Target{.jax = {0, 5, 0}, .arch = {8, 0}};
  add().mesh = {{"d", 2}, {"e", 4}};
  add().kernel.params.lowering = Lowering::kLane;
  add().kernel.grid = {{8, 0, -1}, {"i", "j", "k"}};
  add().kernel.grid = {{8, 4}, {"i"}};
  add().kernel.grid = {{}, {"i"}};
  add().kernel.cluster = {{2, 2}, {"c", "c"}};
  add().kernel.cluster = {{INT64_MAX, INT64_MIN}, {"c", "e"}};
  add().kernel.threads = {.count = 2, .name = "wg"};
  add().kernel.threads = {.count = 2};
  add().kernel.threads = {.name = "wg"};
  add().kernel.params = {
      .lowering = Lowering::kWarpgroup,
      .dimension_semantics = {{DimensionSemantics::kParallel,
                               DimensionSemantics::kSequential}},
      .approx_math = false,
      .max_concurrent_steps = -1,
      .unsafe_no_auto_barriers = true,
      .reduction_scratch_bytes = 0,
      .profile_space = 1024,
      .profile_dir = "a \"b\"\\\n\x01\xc3\xa9\xf0\x9f\x98\x80",
      .profile_trace_scope = TraceScope::kWarp,
      .profile_bounds_check = false,
      .skip_device_barrier = false};
  add().kernel.params = {
      .dimension_semantics = std::vector<DimensionSemantics>(),
      .profile_dir = "",
      .profile_trace_scope = TraceScope::kWarpgroup};
  KernelConfig& arrays = add();
  arrays.inputs = {{"z", {DType::kBool, {}}}, {"y", {DType::kComplex64, {3}}}};
  arrays.outputs = {{"a", {DType::kUInt2, {0, 1}}}};
  return configs;
}

std::vector<KernelConfig> BodyConfigs() {
  const AxisIndex axis = {.axis = "i", .scale = -8, .offset = 3};
  const std::vector<View> views = {
      AtView{},
      AtView{{Scalar(-1), Scalar(AxisIndex{.axis = "i"}), Scalar(axis),
              EllipsisIndex(), PySlice(), PySlice{.start = 0, .stop = 8},
              PySlice{.stop = -1}, PySlice{.start = 1, .step = -2},
              PySlice{.step = 1}, DynamicSlice{.start = axis, .size = -4},
              DynamicSlice{.start = 3, .size = 4, .stride = 0},
              GatherIndex{.dtype = DType::kInt8, .length = 1 << 20},
              GatherIndex{.length = 1}}},
      TransposeView{{1, 0, -1}},
      ReshapeView{{-1, 128}},
      ReshapeView{},
      PeerView{.device_id = Scalar(1), .id_type = DeviceIdType::kLogical},
      PeerView{.device_id = Scalar(axis)},
      PeerView{.device_id = DeviceIdTuple{{1, axis}}},
      PeerView{.device_id = DeviceIdTuple{}},
      PeerView{.device_id = DeviceIdDict{{{{"d"}, 1}, {{"d", "e"}, axis}}}},
      PeerView{.device_id = DeviceIdDict{}, .id_type = DeviceIdType::kLogical},
      MulticastView{{"d", "d"}},
      MulticastView{},
      ClusterView{{{"c", 1}, {"e", axis}}},
      ClusterView{},
  };
  std::vector<Op> ops = {
      {PrintLayoutOp{Ref("x")}},
      {WarpMapOp{}},
      {AsyncPrefetchOp{.ref = Ref("x")}},
      {AsyncPrefetchOp{.ref = Ref("x"),
                       .collective_axes = std::vector<std::string>(),
                       .leader_tracked = Replicated(),
                       .predicate = true}},
      {AsyncPrefetchOp{.ref = Ref("x"),
                       .collective_axes = {{"c", "e"}},
                       .leader_tracked = Partitioned{-1},
                       .predicate = false}},
      {AsyncPrefetchOp{.ref = Ref("x"), .predicate = AxisEquals{"i", -1}}},
  };
  for (const View& view : views)
    ops.push_back({PrintLayoutOp{Ref("x", {view})}});
  ops.push_back({PrintLayoutOp{Ref("x", views)}});
  ops.push_back({PrintLayoutOp{{.name = "t", .path = {1, "key", 0, 0}}}});
  ops.push_back({WarpMapOp{{{WarpMapOp{ops}}, ops[0]}}});

  std::vector<KernelConfig> configs;
  const RefTree refs{RefUnionSpec{{Smem({8}), {RefSequence{}}}}};
  const RefTree tuple{RefSequence{SequenceKind::kTuple, {refs, Smem({1})}}};
  const RefTree dict{RefDict{{{"key", tuple}}}};
  for (const Op& op : ops) {
    KernelConfig& config = configs.emplace_back();
    config.inputs = {{"x", {DType::kFloat32, {128, 128}}}};
    config.scratch = {{"t", {RefSequence{.items = {Smem({8}), dict}}}}};
    config.body = {op};
  }
  KernelConfig all = configs.back();
  all.body = ops;
  configs.push_back(all);
  return configs;
}

void ExpectRoundTrip(const KernelConfig& config) {
  for (const std::string& text :
       {WriteConfig(config), WriteConfigLine(config)}) {
    SCOPED_TRACE(text);
    const auto read = ReadConfig(text);
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(*read, config);
    EXPECT_EQ(WriteConfig(*read), WriteConfig(config));
  }
}

TEST(JsonRoundTrip, KeepsEveryKindOfTree) {
  for (const KernelConfig& config : TreeConfigs()) ExpectRoundTrip(config);
}

TEST(JsonRoundTrip, KeepsEverythingAroundTheTrees) {
  for (const KernelConfig& config : KernelConfigs()) ExpectRoundTrip(config);
}

TEST(JsonRoundTrip, KeepsEveryKindOfOpViewAndIndex) {
  for (const KernelConfig& config : BodyConfigs()) ExpectRoundTrip(config);
}

TEST(JsonRoundTrip, KeepsDistinctConfigurationsDistinct) {
  std::vector<KernelConfig> all = TreeConfigs();
  for (const KernelConfig& config : KernelConfigs()) all.push_back(config);
  for (const KernelConfig& config : BodyConfigs()) all.push_back(config);
  for (size_t i = 0; i < all.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (all[i] == all[j]) continue;
      EXPECT_NE(WriteConfig(all[i]), WriteConfig(all[j]));
    }
  }
}

// Several spellings, one configuration, one canonical text.
struct Spelling {
  const char* what;
  const char* text;
  const char* canonical;
};

constexpr Spelling kSpellings[] = {
    {"only the version", R"( { "pallasite" : 1 } )", R"({"pallasite": 1})"},
    {"empty sections",
     R"({"body": [], "scratch": {}, "outputs": {}, "inputs": {}, "mesh": {},
         "kernel": {"params": {}, "grid": {}, "cluster": [[], []],
                    "threads": [null, null]}, "pallasite": 1})",
     R"({"pallasite": 1})"},
    {"key order and lines",
     R"({"scratch": {"b": {"barrier": {}}}, "inputs": {"x": "f32[]"},
         "pallasite": 1})",
     "{\"pallasite\": 1,\n \"inputs\": {\"x\": \"f32[]\"},\n"
     " \"scratch\": {\"b\": {\"barrier\": {}}}}"},
    {"kernel order",
     R"({"pallasite": 1, "kernel": {"threads": [2, "wg"], "params":
         {"approx_math": true, "dimension_semantics": []}, "cluster":
         [[2], ["c"]], "grid": [[8, 4], ["i"]], "lowering": "lane"}})",
     "{\"pallasite\": 1,\n \"kernel\": {\"lowering\": \"lane\", "
     "\"grid\": [[8, 4], [\"i\"]], \"cluster\": {\"c\": 2}, "
     "\"threads\": {\"wg\": 2}, \"params\": {\"dimension_semantics\": [], "
     "\"approx_math\": true}}}"},
    {"defaults of refs and barriers",
     R"({"pallasite": 1, "scratch": {"a": {"transforms": [], "smem": "f32[8]"},
         "b": {"barrier": {"num_barriers": [2], "num_arrivals": 1,
                           "orders_tensor_core": false}},
         "c": {"cluster_barrier": {"leader_tracked": false, "num_barriers": [],
                                   "collective_axes": [["c"]]}}}})",
     "{\"pallasite\": 1,\n \"scratch\": {\"a\": {\"smem\": \"f32[8]\"}, "
     "\"b\": {\"barrier\": {\"num_barriers\": 2}}, "
     "\"c\": {\"cluster_barrier\": {\"collective_axes\": [\"c\"]}}}}"},
    {"defaults of views",
     R"({"pallasite": 1, "inputs": {"x": "f32[8]"}, "body": [
         {"print_layout": {"ref": {"x": []}}},
         {"print_layout": {"ref": {"x": [{"id_type": "mesh", "peer": -0}]}}},
         {"print_layout": {"ref": {"x": [{"at": [[0, 8, null],
           {"offset": 0, "scale": 1, "axis": "i"}]}]}}}]})",
     "{\"pallasite\": 1,\n \"inputs\": {\"x\": \"f32[8]\"},\n \"body\": ["
     "{\"print_layout\": {\"ref\": \"x\"}}, "
     "{\"print_layout\": {\"ref\": {\"x\": [{\"peer\": 0}]}}}, "
     "{\"print_layout\": {\"ref\": {\"x\": [{\"at\": [[0, 8], "
     "{\"axis\": \"i\"}]}]}}}]}"},
    {"escapes",
     R"({"pallasite": 1, "inputs": {"\u0078": "f32[8]"}, "kernel":
         {"params": {"profile_dir": "\u00e9\ud83d\ude00\/\u0000"}}})",
     "{\"pallasite\": 1,\n \"kernel\": {\"params\": {\"profile_dir\": "
     "\"\xc3\xa9\xf0\x9f\x98\x80/\\u0000\"}},\n"
     " \"inputs\": {\"x\": \"f32[8]\"}}"},
};

TEST(JsonWriter, WritesEverySpellingCanonically) {
  for (const Spelling& spelling : kSpellings) {
    SCOPED_TRACE(spelling.what);
    const auto config = ReadConfig(spelling.text);
    ASSERT_TRUE(config.ok()) << config.status();
    EXPECT_EQ(WriteConfig(*config), spelling.canonical);
    const auto again = ReadConfig(spelling.canonical);
    ASSERT_TRUE(again.ok()) << again.status();
    EXPECT_EQ(*again, *config);
  }
}

// What Pallas refuses, or nobody has checked, is no business of the reader.
constexpr const char* kLetThrough[] = {
    R"("kernel": {"grid": {"i": 0}, "cluster": {"c": -2}})",
    R"("kernel": {"threads": {"wg": 0}, "params": {"max_concurrent_steps": -1}})",
    R"("inputs": {"x": "f32[0]"}, "body": [{"async_prefetch": {"ref":
       {"x": [{"at": [99, [-5, 5], {"ds": [-1, -1, 0]}]},
              {"transpose": [7, 7]}, {"reshape": [-1, -1]}]}}}])",
    R"("scratch": {"b": {"barrier": {"num_arrivals": 0, "num_barriers": -1}}})",
    R"("scratch": {"a": {"tmem": "f32[1,2,3]", "transforms": [{"tile": [0]},
       {"swizzle": 7}], "packed": true}})",
    R"("scratch": {"u": {"union": []}, "v": {"union": [{"barrier": {}},
       {"union": [{"gmem": "c128[1]"}]}]}}, "body":
       [{"print_layout": {"ref": "v[0]"}}, {"print_layout": {"ref": "v[1][0]"}}])",
    R"("inputs": {"x": "f32[8]"}, "body": [{"async_prefetch": {"ref":
       {"x": [{"multicast": ["nowhere"]}, {"cluster_ref": {"nowhere": 9}},
              {"at": [{"axis": "nowhere"}]}]}, "collective_axes": ["nowhere"]}}])",
};

TEST(JsonReader, LeavesLegalityToTheModel) {
  for (const char* entries : kLetThrough) {
    SCOPED_TRACE(entries);
    const auto config =
        ReadConfig(std::string("{\"pallasite\": 1, ") + entries + "}");
    ASSERT_TRUE(config.ok()) << config.status();
    ExpectRoundTrip(*config);
  }
}

}  // namespace
}  // namespace pallasite

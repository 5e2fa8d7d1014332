#include "tests/oracle/sample_configs.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pallasite {
namespace {

constexpr char kAccepted[] = "accepted";
constexpr char kConstruct[] = "construct";
constexpr char kTrace[] = "trace";
constexpr char kLower[] = "lower";

KernelConfig WithScratch(Named<RefTree> scratch, std::vector<Op> body = {}) {
  KernelConfig config = PlainKernel();
  config.scratch = std::move(scratch);
  config.body = std::move(body);
  return config;
}

KernelConfig WithBody(std::vector<Op> body, Lowering lowering) {
  KernelConfig config = PlainKernel();
  config.kernel.params.lowering = lowering;
  config.body = std::move(body);
  return config;
}

Op Prefetch(std::vector<View> views) {
  return {AsyncPrefetchOp{.ref = {"x", {}, std::move(views)}}};
}

Op Print(std::string name, std::vector<PathStep> path) {
  return {PrintLayoutOp{{std::move(name), std::move(path), {}}}};
}

KernelConfig OnMesh(KernelConfig config) {
  config.mesh = {{"d", 4}};
  return config;
}

KernelConfig InCluster(KernelConfig config) {
  config.kernel.cluster = {{2}, {"c"}};
  return config;
}

KernelConfig OnGrid(KernelConfig config) {
  config.kernel.grid = {{16}, {"i"}};
  config.kernel.threads = {2, "wg"};
  return config;
}

const View kRowsByGrid =
    AtView{{DynamicSlice{AxisIndex{"i", 8, 0}, 8, std::nullopt},
            PySlice{0, 64, std::nullopt}}};

View Gather(DType dtype) { return AtView{{GatherIndex{dtype, 16}}}; }

View Peer(DeviceId id, DeviceIdType type = DeviceIdType::kMesh) {
  return PeerView{std::move(id), type};
}

void AddConstruction(std::vector<Sample>& samples) {
  const auto add = [&](std::string name, KernelConfig config,
                       std::string exception, std::string message) {
    samples.push_back({std::move(name), std::move(config), Arch{}, kConstruct,
                       std::move(exception), std::move(message)});
  };
  add("unions_of_mixed_collectivity",
      WithScratch({{"acc", Union({Tmem({128, 128}, true), Tmem({128, 64})})}}),
      "ValueError",
      "Some aliased TMEM references are collective and some are not.");
  add("unions_of_mixed_spaces",
      WithScratch(
          {{"acc", Union({Tmem({128, 128}), Smem(DType::kFloat32, {8})})}}),
      "NotImplementedError",
      "All aliased Refs must have the same memory space");
  add("first_fault_in_source_order",
      WithScratch(
          {{"s", RefTree{RefSpec{.shape = {8, 64},
                                 .transforms = {SwizzleTransform{48}}}}},
           {"b", RefTree{BarrierSpec{.num_arrivals = 0}}}}),
      "ValueError", "Swizzle 48 is not supported");
  add("barriers_nobody_arrives_at",
      WithScratch({{"b", RefTree{BarrierSpec{.num_arrivals = 0}}}}),
      "ValueError", "Num arrivals must be at least 1, but got 0");
  KernelConfig unnamed_grid = PlainKernel();
  unnamed_grid.kernel.grid = {{4, 2}, {"i"}};
  add("grids_with_missing_names", unnamed_grid, "ValueError",
      "grid_names must have the same length as grid");
  KernelConfig profile = PlainKernel();
  profile.kernel.params.profile_space = 16;
  add("profiles_without_folder", profile, "ValueError",
      "Either both profile_space and profile_dir must be set, or neither.");
}

void AddTracing(std::vector<Sample>& samples) {
  samples.push_back({"prefetches_of_smem",
                     WithScratch({{"s", Smem(DType::kFloat32, {8, 128})}},
                                 {{AsyncPrefetchOp{.ref = {"s", {}, {}}}}}),
                     Arch{}, kTrace, "ValueError", "must be"});
  samples.push_back(
      {"peers_of_multicasts",
       OnMesh(WithBody(
           {Prefetch({MulticastView{{"d"}}, Peer(Scalar{int64_t{1}})})},
           Lowering::kLane)),
       Arch{}, kTrace, "ValueError",
       "Can't make a multicast reference into a peer reference."});
  samples.push_back(
      {"tiles_that_do_not_divide",
       WithScratch(
           {{"s", RefTree{RefSpec{.dtype = DType::kFloat16,
                                  .shape = {60, 64},
                                  .transforms = {TilingTransform{{8, 64}}}}}}}),
       Arch{}, kTrace, "AssertionError", ""});
}

void AddLowering(std::vector<Sample>& samples) {
  samples.push_back(
      {"peers_by_logical_id_under_warpgroup",
       OnMesh(WithBody(
           {Prefetch({Peer(Scalar{int64_t{1}}, DeviceIdType::kLogical)})},
           Lowering::kWarpgroup)),
       Arch{}, kLower, "NotImplementedError",
       "GMEM refs with peer ids are not supported in warpgroup lowering."});
  samples.push_back(
      {"peers_with_too_many_coordinates",
       OnMesh(
           WithBody({Prefetch({Peer(DeviceIdTuple{{int64_t{1}, int64_t{2}}})})},
                    Lowering::kLane)),
       Arch{}, kLower, "ValueError",
       "Number of device ids must match the number of mesh axes"});
  samples.push_back({"more_smem_than_there_is",
                     WithScratch({{"s", Smem(DType::kFloat32, {59000})}}),
                     Arch{}, kLower, "ValueError",
                     "Mosaic GPU kernel exceeds available shared memory"});
  samples.push_back({"collective_tmem_without_cluster",
                     WithScratch({{"acc", Tmem({128, 128}, true)}}),
                     Arch{10, 0}, kLower, "ValueError",
                     "Collective TMEM allocations are only supported for"});
  samples.push_back(
      {"gathers_in_a_warp",
       WithBody({{WarpMapOp{{Prefetch({Gather(DType::kUInt32)})}}}},
                Lowering::kWarpgroup),
       Arch{}, kLower, "NotImplementedError", "Unimplemented primitive"});
  samples.push_back(
      {"gathers_by_signed_rows",
       WithBody({Prefetch({Gather(DType::kInt32)})}, Lowering::kLane), Arch{},
       kLower, "ValueError", "Gather/scatter indices must be unsigned"});
  samples.push_back(
      {"columns_that_are_not_contiguous",
       WithBody({Prefetch({AtView{{EllipsisIndex{}, Scalar{int64_t{3}}}}})},
                Lowering::kWarpgroup),
       Arch{}, kLower, "ValueError",
       "TMA requires the stride of the last dimension"});
  samples.push_back(
      {"peers_by_grid_index",
       OnGrid(OnMesh(WithBody(
           {Prefetch({Peer(DeviceIdDict{{{{"d"}, AxisIndex{"i", 2, -1}}}})})},
           Lowering::kLane))),
       Arch{}, kLower, "ValueError",
       "Failed to recompute the async_copy peer id on the host"});
}

void AddAcceptance(std::vector<Sample>& samples) {
  const auto add = [&](std::string name, KernelConfig config, Arch arch = {}) {
    samples.push_back(
        {std::move(name), std::move(config), arch, kAccepted, "", ""});
  };
  add("nothing_at_all", PlainKernel());
  add("peers_by_mesh_coordinates",
      OnMesh(WithBody({Prefetch({Peer(DeviceIdTuple{{int64_t{1}}})})},
                      Lowering::kLane)));
  add("peers_by_axis_name",
      OnMesh(WithBody({Prefetch({Peer(DeviceIdDict{{{{"d"}, int64_t{1}}}})})},
                      Lowering::kLane)));
  add("slices_by_grid_index",
      OnGrid(WithBody({Prefetch({kRowsByGrid})}, Lowering::kWarpgroup)));
  KernelConfig options = InCluster(WithBody({}, Lowering::kLane));
  options.body = {
      {AsyncPrefetchOp{.ref = {"x", {}, {}},
                       .collective_axes = std::vector<std::string>{"c"},
                       .leader_tracked = Partitioned{0},
                       .predicate = AxisEquals{"c", 0}}}};
  add("prefetches_with_every_option", options);
  add("unions_of_tmem",
      WithScratch({{"acc", Union({Tmem({128, 128}),
                                  List({Tmem({128, 64}), Tmem({128, 32})})})},
                   {"b", RefTree{BarrierSpec{.num_barriers = {3}}}}},
                  {Print("acc", {int64_t{1}, int64_t{0}})}),
      Arch{10, 0});
  add("unions_of_smem",
      WithScratch(
          {{"u", Union({Smem(DType::kFloat32, {100}),
                        Tuple({Smem(DType::kInt8, {10}),
                               RefTree{RefDict{
                                   {{"b", Smem(DType::kInt8, {2000})},
                                    {"a", Smem(DType::kInt8, {4})}}}}})})}},
          {Print("u", {int64_t{1}, int64_t{1}, "b"})}));
}

}  // namespace

KernelConfig PlainKernel() {
  KernelConfig config;
  config.inputs = {{"x", {DType::kFloat32, {128, 128}}}};
  config.outputs = {{"o", {DType::kFloat32, {128, 128}}}};
  return config;
}

RefTree Smem(DType dtype, Shape shape) {
  return {RefSpec{.dtype = dtype, .shape = std::move(shape)}};
}

RefTree Tmem(Shape shape, bool collective) {
  RefSpec ref = {.space = MemorySpace::kTmem, .shape = std::move(shape)};
  if (collective) ref.collective = true;
  return {ref};
}

RefTree List(std::vector<RefTree> items) {
  return {RefSequence{SequenceKind::kList, std::move(items)}};
}

RefTree Tuple(std::vector<RefTree> items) {
  return {RefSequence{SequenceKind::kTuple, std::move(items)}};
}

RefTree Union(std::vector<RefTree> groups) {
  return {RefUnionSpec{std::move(groups)}};
}

std::vector<Sample> SampleConfigs() {
  std::vector<Sample> samples;
  AddConstruction(samples);
  AddTracing(samples);
  AddLowering(samples);
  AddAcceptance(samples);
  return samples;
}

}  // namespace pallasite

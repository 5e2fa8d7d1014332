#include "gtest/gtest.h"
#include "tests/lower/prefetch_rows.h"

namespace pallasite {
namespace {

// What JAX 0.11.2 was seen to do, row by row.
constexpr PrefetchRow kLaneRows[] = {
    {.rule = "trace.indexing.unchecked-slice",
     .broken = {.ref = R"({"x": [{"at": [{"ds": [0, -8]}]}]})"},
     .twin = {.ref = R"({"x": [{"at": [{"ds": [0, 8]}]}]})"}},
    {.rule = "lower.gather.lane-tile",
     .broken = {.ref = R"({"x": [{"at": [{"gather": "u32[6]"}]}]})"},
     .twin = {},
     .raises = PyExc::kValueError,
     .message = "Tiling ((4,),) does not apply to shape (6,)"},
    {.rule = "lower.device-id.outside-mesh",
     .broken = {.ref = R"({"x": [{"peer": 4}]})",
                .around = R"("mesh": {"d": 4})"},
     .twin = {.ref = R"({"x": [{"peer": 3}]})",
              .around = R"("mesh": {"d": 4})"}},
    {.rule = "lower.device-id.outside-mesh",
     .broken = {.ref = R"({"x": [{"peer": {"by_axis": {"d,e": 4}}}]})",
                .around = R"("mesh": {"d": 2, "e": 2})"},
     .twin = {.ref = R"({"x": [{"peer": {"by_axis": {"d,e": 3}}}]})",
              .around = R"("mesh": {"d": 2, "e": 2})"}},
    {.rule = "lower.device-id.replay",
     .broken = {.ref =
                    R"({"x": [{"peer": {"axis": "i"}, "id_type": "logical"}]})",
                .kernel = R"("grid": {"i": 8})",
                .around = R"("mesh": {"d": 4})"},
     .twin = {.ref =
                  R"({"x": [{"peer": {"axis": "d"}, "id_type": "logical"}]})",
              .kernel = R"("grid": {"i": 8})",
              .around = R"("mesh": {"d": 4})"},
     .raises = PyExc::kValueError,
     .message = "Failed to recompute the async_copy peer id on the host"},
    {.rule = "lower.device-id.replay",
     .broken =
         {.ref =
              R"({"x": [{"peer": [{"axis": "m0", "scale": 2, "offset": 1}, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]}]})",
          .around =
              R"("mesh": {"m0": 1, "m1": 1, "m2": 1, "m3": 1, "m4": 1, "m5": 1, "m6": 1, "m7": 1, "m8": 1, "m9": 1, "m10": 1})"},
     .twin =
         {.ref =
              R"({"x": [{"peer": [{"axis": "m0", "scale": 2}, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]}]})",
          .around =
              R"("mesh": {"m0": 1, "m1": 1, "m2": 1, "m3": 1, "m4": 1, "m5": 1, "m6": 1, "m7": 1, "m8": 1, "m9": 1, "m10": 1})"},
     .raises = PyExc::kValueError,
     .message = "Failed to recompute the async_copy peer id on the host"},
    {.rule = "lower.tma.gather-float",
     .broken = {.ref = R"({"x": [{"at": [{"gather": "f32[16]"}]}]})"},
     .twin = {},
     .raises = PyExc::kValueError,
     .message = "Gather/scatter indices must be integers that are at most "
                "32-bit wide"},
    {.rule = "lower.tma.gather-signed",
     .broken = {.ref = R"({"x": [{"at": [{"gather": "i32[16]"}]}]})"},
     .twin = {},
     .raises = PyExc::kValueError,
     .message = "Gather/scatter indices must be unsigned"},
    {.rule = "lower.prefetch.lane-gather-predicate",
     .broken = {.ref = R"({"x": [{"at": [{"gather": "u32[16]"}]}]})",
                .op = R"("predicate": true)"},
     .twin = {.op = R"("predicate": true)"},
     .raises = PyExc::kNotImplementedError,
     .message = "Gather/scatter TMA does not support predicates yet."},
    {.rule = "lower.prefetch.lane-stride",
     .broken = {.ref = R"({"x": [{"at": [[0, 64, 2]]}]})"},
     .twin = {.ref = R"({"x": [{"at": [[0, 64]]}]})"},
     .raises = PyExc::kNotImplementedError,
     .message = "Strided slices not implemented"},
    {.rule = "lower.prefetch.lane-empty-slice",
     .broken = {.ref = R"({"x": [{"at": [[0, 0]]}]})"},
     .twin = {.ref = R"({"x": [{"at": [[0, 8]]}]})"}},
    {.rule = "lower.prefetch.lane-collective-gather",
     .broken = {.ref = R"({"x": [{"at": [{"gather": "u32[16]"}]}]})",
                .op = R"("collective_axes": ["c"])",
                .kernel = R"("cluster": {"c": 2})"},
     .twin = {.op = R"("collective_axes": ["c"])",
              .kernel = R"("cluster": {"c": 2})"},
     .raises = PyExc::kNotImplementedError,
     .message = "Collective copies with gather/scatter unsupported"},
    {.rule = "lower.prefetch.lane-partition-scalar",
     .broken =
         {.x = "f32[]",
          .op =
              R"("collective_axes": ["c"], "leader_tracked": {"partitioned": 0})",
          .kernel = R"("cluster": {"c": 2})"},
     .twin =
         {.x = "f32[8]",
          .op =
              R"("collective_axes": ["c"], "leader_tracked": {"partitioned": 0})",
          .kernel = R"("cluster": {"c": 2})"},
     .raises = PyExc::kTypeError,
     .message = "ufunc 'invert' not supported for the input types, and the "
                "inputs could not be safely coerced to any supported types "
                "according to the casting rule ''safe''"},
    {.rule = "lower.prefetch.lane-partition-axis",
     .broken =
         {.op =
              R"("collective_axes": ["c"], "leader_tracked": {"partitioned": 2})",
          .kernel = R"("cluster": {"c": 2})"},
     .twin =
         {.op =
              R"("collective_axes": ["c"], "leader_tracked": {"partitioned": 1})",
          .kernel = R"("cluster": {"c": 2})"},
     .raises = PyExc::kIndexError,
     .message = "index 0 is out of bounds for axis 0 with size 0"},
    {.rule = "lower.prefetch.lane-partition-axis",
     .broken =
         {.ref = R"({"x": [{"at": [0]}]})",
          .op =
              R"("collective_axes": ["c"], "leader_tracked": {"partitioned": 1})",
          .kernel = R"("cluster": {"c": 2})"},
     .twin =
         {.ref = R"({"x": [{"at": [0]}]})",
          .op =
              R"("collective_axes": ["c"], "leader_tracked": {"partitioned": 0})",
          .kernel = R"("cluster": {"c": 2})"},
     .raises = PyExc::kIndexError,
     .message = "index 0 is out of bounds for axis 0 with size 0"},
    {.rule = "lower.prefetch.lane-partition-axis",
     .broken =
         {.op =
              R"("collective_axes": ["c"], "leader_tracked": {"partitioned": -1})",
          .kernel = R"("cluster": {"c": 2})"},
     .twin =
         {.op =
              R"("collective_axes": ["c"], "leader_tracked": {"partitioned": 0})",
          .kernel = R"("cluster": {"c": 2})"},
     .raises = PyExc::kIndexError,
     .message = "index 0 is out of bounds for axis 0 with size 0"},
    {.rule = "lower.prefetch.lane-partition-alone",
     .broken = {.op = R"("leader_tracked": {"partitioned": 0})",
                .kernel = R"("cluster": {"c": 2})"},
     .twin = {.op = R"("leader_tracked": "replicated")",
              .kernel = R"("cluster": {"c": 2})"},
     .raises = PyExc::kValueError,
     .message = "Only collective loads can be partitioned"},
    {.rule = "lower.prefetch.lane-partition-cluster",
     .broken =
         {.op =
              R"("collective_axes": ["c"], "leader_tracked": {"partitioned": 0})",
          .kernel = R"("cluster": {"c": 2, "e": 2})"},
     .twin =
         {.op =
              R"("collective_axes": ["c"], "leader_tracked": {"partitioned": 0})",
          .kernel = R"("cluster": {"c": 2, "e": 1})"},
     .raises = PyExc::kNotImplementedError,
     .message = "Partitioned loads only supported for clusters of size 2"},
    {.rule = "lower.prefetch.lane-partition-divisible",
     .broken =
         {.x = "f32[127,128]",
          .op =
              R"("collective_axes": ["c"], "leader_tracked": {"partitioned": 0})",
          .kernel = R"("cluster": {"c": 2})"},
     .twin =
         {.x = "f32[126,128]",
          .op =
              R"("collective_axes": ["c"], "leader_tracked": {"partitioned": 0})",
          .kernel = R"("cluster": {"c": 2})"},
     .raises = PyExc::kValueError,
     .message = "The collective size (2) must divide the slice shape along "
                "the partitioned dimension, but it has size 127"},
    {.rule = "lower.prefetch.lane-partition-divisible",
     .broken =
         {.ref = R"({"x": [{"at": [0]}]})",
          .op =
              R"("collective_axes": ["c"], "leader_tracked": {"partitioned": -1})",
          .kernel = R"("cluster": {"c": 2})"},
     .twin =
         {.ref = R"({"x": [{"at": [0]}]})",
          .op =
              R"("collective_axes": ["c"], "leader_tracked": {"partitioned": 0})",
          .kernel = R"("cluster": {"c": 2})"},
     .raises = PyExc::kValueError,
     .message = "The collective size (2) must divide the slice shape along "
                "the partitioned dimension, but it has size 1"},
    {.rule = "lower.tma.collective-size",
     .broken = {.x = "f32[3,128]",
                .op = R"("collective_axes": ["c"])",
                .kernel = R"("cluster": {"c": 2})"},
     .twin = {.x = "f32[4,128]",
              .op = R"("collective_axes": ["c"])",
              .kernel = R"("cluster": {"c": 2})"},
     .raises = PyExc::kValueError,
     .message = "None of the leading dimensions in the transformed slice "
                "shape [3, 128] is divisible by the collective size 2"},
    {.rule = "lower.tma.collective-size",
     .broken = {.x = "f32[2,3,128]",
                .op = R"("collective_axes": ["c"])",
                .kernel = R"("cluster": {"c": 4})"},
     .twin = {.x = "f32[2,2,128]",
              .op = R"("collective_axes": ["c"])",
              .kernel = R"("cluster": {"c": 4})"},
     .raises = PyExc::kValueError,
     .message = "None of the leading dimensions in the transformed slice "
                "shape [1, 3, 128] is divisible by the collective size 4"},
};

TEST(PrefetchLowering, LaneRefusesAsJaxDoes) {
  CheckPrefetchRows(kLaneRows, Phase::kLower, Lowering::kLane);
}

constexpr PrefetchRow kWarpgroupRows[] = {
    {.rule = "lower.gather.warpgroup-tile",
     .broken = {.ref = R"({"x": [{"at": [{"gather": "u32[6]"}]}]})"},
     .twin = {},
     .raises = PyExc::kValueError,
     .message = "Cannot cast to layout "
                "TiledLayout(tiling=Tiling(tiles=((4,),)), "
                "warp_dims=(Replicated(times=4),), "
                "lane_dims=(Replicated(times=32),), vector_dim=-1): the "
                "layout is notcompatible with the operand shape (6,) in %31 "
                "= mosaic_gpu.layout_cast x(%30 : vector<6xi32>) {new_layout "
                "= #mosaic_gpu.TiledLayout<[[4]], warp_dims = "
                "[#mosaic_gpu.Replicated<times = 4>], lane_dims = "
                "[#mosaic_gpu.Replicated<times = 32>], vector_dim = -1>}."},
    {.rule = "lower.prefetch.warpgroup-peer",
     .broken = {.ref = R"({"x": [{"peer": 1}]})",
                .around = R"("mesh": {"d": 4})"},
     .twin = {.around = R"("mesh": {"d": 4})"},
     .raises = PyExc::kNotImplementedError,
     .message = "GMEM refs with peer ids are not supported in warpgroup "
                "lowering."},
    {.rule = "lower.prefetch.warpgroup-collective",
     .broken = {.op = R"("collective_axes": ["c"])",
                .kernel = R"("cluster": {"c": 2})"},
     .twin = {.op = R"("collective_axes": [])",
              .kernel = R"("cluster": {"c": 2})"}},
    {.rule = "lower.prefetch.warpgroup-leader-tracked",
     .broken = {.op = R"("leader_tracked": {"partitioned": 5})",
                .kernel = R"("cluster": {"c": 2})"},
     .twin = {.kernel = R"("cluster": {"c": 2})"}},
    {.rule = "lower.prefetch.warpgroup-stride",
     .broken = {.ref = R"({"x": [{"at": [[0, 64, 2]]}]})"},
     .twin = {.ref = R"({"x": [{"at": [[0, 64]]}]})"}},
    {.rule = "lower.prefetch.warpgroup-row-type",
     .broken = {.ref = R"({"x": [{"at": [{"gather": "f32[16]"}]}]})"},
     .twin = {},
     .raises = PyExc::kVerificationError,
     .message = "Pallas encountered an internal verification error. Please "
                "file a bug at "
                "https://github.com/jax-ml/jax/issues/new/choose. Error "
                "details: 'mosaic_gpu.async_prefetch' op operand #1 must be "
                "variadic of 32-bit signless integer or vector of 32-bit "
                "signless integer or 16-bit signless integer or 8-bit "
                "signless integer values of ranks 1, but got "
                "'vector<16xf32>'\n see current operation: "
                "\"mosaic_gpu.async_prefetch\"(%16, %80, %81) <{collective = "
                "[], operandSegmentSizes = array<i32: 1, 2, 0>, "
                "slice_lengths = array<i64: 16, 128>}> : "
                "(memref<128x128xf32>, vector<16xf32>, i32) -> ()"},
    {.rule = "lower.prefetch.warpgroup-negative-length",
     .broken = {.ref = R"({"x": [{"at": [{"ds": [0, -2]}, [0, 8]]}]})",
                .op = R"("predicate": true)"},
     .twin = {.ref = R"({"x": [{"at": [{"ds": [0, 2]}, [0, 8]]}]})",
              .op = R"("predicate": true)"},
     .raises = PyExc::kVerificationError,
     .message = "Pallas encountered an internal verification error. Please "
                "file a bug at "
                "https://github.com/jax-ml/jax/issues/new/choose. Error "
                "details: 'mosaic_gpu.async_prefetch' op The `slice_lengths` "
                "attribute must not contain values less than -1.\n see "
                "current operation: \"mosaic_gpu.async_prefetch\"(%16, %80, "
                "%81, %79) <{collective = [], operandSegmentSizes = "
                "array<i32: 1, 2, 1>, slice_lengths = array<i64: -2, 8>}> : "
                "(memref<128x128xf32>, i32, i32, i1) -> ()"},
};

TEST(PrefetchLowering, WarpgroupRefusesAsJaxDoes) {
  CheckPrefetchRows(kWarpgroupRows, Phase::kLower, Lowering::kWarpgroup);
}

}  // namespace
}  // namespace pallasite

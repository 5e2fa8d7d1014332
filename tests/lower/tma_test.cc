#include "gtest/gtest.h"
#include "tests/lower/prefetch_rows.h"

namespace pallasite {
namespace {

// What JAX 0.11.2 was seen to do, row by row.
constexpr PrefetchRow kRows[] = {
    {.rule = "lower.tma.empty-dimension",
     .broken = {.x = "f32[8,0]"},
     .twin = {.x = "f32[0,8]"},
     .raises = PyExc::kNotImplementedError,
     .message = "async_copy assumes the GMEM reference is contiguous"},
    {.rule = "lower.tma.gather-dimension",
     .broken = {.ref = R"({"x": [{"at": [[0, 8], {"gather": "u32[16]"}]}]})"},
     .twin = {},
     .raises = PyExc::kNotImplementedError,
     .message = "Gathers/scatters only supported along the first dimension "
                "of 2D arrays"},
    {.rule = "lower.tma.complex",
     .broken = {.x = "c64[128,128]"},
     .twin = {},
     .raises = PyExc::kNotImplementedError,
     .message = "complex<f32>"},
    {.rule = "lower.tma.stride-alignment",
     .broken = {.x = "f32[128,6]"},
     .twin = {.x = "f32[128,8]"},
     .raises = PyExc::kValueError,
     .message = "async_copy requires all GMEM strides except the last one to "
                "be a multiple of 16 bytes"},
    {.rule = "lower.tma.stride-alignment",
     .broken = {.x = "f32[1,1]"},
     .twin = {.x = "f32[1,4]"},
     .raises = PyExc::kValueError,
     .message = "async_copy requires all GMEM strides except the last one to "
                "be a multiple of 16 bytes"},
    {.rule = "lower.tma.rank",
     .broken = {.x = "f32[2,2,2,2,2,4]"},
     .twin = {.x = "f32[1,2,2,2,2,4]"},
     .raises = PyExc::kValueError,
     .message = "Async copies only support striding up to 5 dimensions"},
    {.rule = "lower.tma.rank",
     .broken = {.x = "f32[2,2,2,2,2,2,4]", .ref = R"({"x": [{"at": [0]}]})"},
     .twin = {.x = "f32[2,2,2,2,2,2,4]",
              .ref = R"({"x": [{"at": [0, 0, 0]}]})"},
     .raises = PyExc::kValueError,
     .message = "Async copies only support striding up to 5 dimensions"},
    {.rule = "lower.tma.scalar",
     .broken = {.x = "f32[]"},
     .twin = {.x = "f32[4]"},
     .raises = PyExc::kIndexError,
     .message = "list index out of range"},
    {.rule = "lower.tma.scalar",
     .broken = {.x = "f32[1]"},
     .twin = {.x = "f32[4]"},
     .raises = PyExc::kIndexError,
     .message = "list index out of range"},
    {.rule = "lower.tma.minor-bits",
     .broken = {.ref = R"({"x": [{"at": [[0, 8], [0, 6]]}]})"},
     .twin = {.ref = R"({"x": [{"at": [[0, 8], [0, 8]]}]})"},
     .raises = PyExc::kValueError,
     .message = "Async copies require the number of bits copied along the "
                "last dimension to be divisible by 128, but got 192"},
    {.rule = "lower.tma.minor-bits",
     .broken = {.ref = R"({"x": [{"at": [0, 0]}]})"},
     .twin = {.ref = R"({"x": [{"at": [0]}]})"},
     .raises = PyExc::kValueError,
     .message = "Async copies require the number of bits copied along the "
                "last dimension to be divisible by 128, but got 32"},
    {.rule = "lower.tma.gather-prefetch",
     .broken = {.ref = R"({"x": [{"at": [{"gather": "u32[16]"}]}]})"},
     .twin = {.ref = R"({"x": [{"at": [[0, 16]]}]})"},
     .raises = PyExc::kNotImplementedError,
     .message = "Gather/scatter prefetch not implemented yet"},
    {.rule = "lower.tma.bool",
     .broken = {.x = "bool[128,128]"},
     .twin = {.x = "u8[128,128]"},
     .raises = PyExc::kValueError,
     .message = "Unsupported integer bitwidth: 1"},
    {.rule = "lower.tma.dtype",
     .broken = {.x = "f8e4m3[128,128]"},
     .twin = {.x = "f8e4m3fn[128,128]"},
     .raises = PyExc::kValueError,
     .message = "unsupported TMA dtype f8E4M3"},
    {.rule = "lower.tma.dtype",
     .broken = {.ref = R"("o")",
                .around = R"("outputs": {"o": "f64[128,128]"})"},
     .twin = {.x = "f64[128,128]"},
     .raises = PyExc::kValueError,
     .message = "unsupported TMA dtype f64"},
    {.rule = "lower.tma.minor-stride",
     .broken = {.ref = R"({"x": [{"at": ["...", 0]}]})"},
     .twin = {.ref = R"({"x": [{"at": ["...", [0, 4]]}]})"},
     .raises = PyExc::kValueError,
     .message = "TMA requires the stride of the last dimension after "
                "transforming the GMEM reference to be 1, but it is 128."},
    {.rule = "lower.tma.minor-stride",
     .broken = {.x = "f32[8,1,4]",
                .ref = R"({"x": [{"at": [[0, 8], [0, 1], 0]}]})"},
     .twin = {.x = "f32[8,1,4]",
              .ref = R"({"x": [{"at": [[0, 8], [0, 1], [0, 4]]}]})"},
     .raises = PyExc::kValueError,
     .message = "TMA requires the stride of the last dimension after "
                "transforming the GMEM reference to be 1, but it is 4."},
    {.rule = "lower.tma.merged-empty",
     .broken =
         {.x = "f32[0,2,2,2,4,4]",
          .ref = R"({"x": [{"at": [0, [0, 2], [0, 2], [0, 2], [0, 4], 0]}]})"},
     .twin = {},
     .raises = PyExc::kMlirError,
     .message = "Invalid type:\nerror: \"mpmd_map:\"(\"mpmd_map\"): invalid "
                "memref size"},
    {.rule = "lower.warp-map.nested",
     .broken =
         {.body =
              R"([{"warp_map": [{"warp_map": [{"async_prefetch": {"ref": "x"}}]}]}])"},
     .twin = {.body = R"([{"warp_map": [{"async_prefetch": {"ref": "x"}}]}])"},
     .raises = PyExc::kNotImplementedError,
     .message = "Unimplemented primitive in Pallas Mosaic GPU lowering: "
                "mpmd_map for lowering semantics LoweringSemantics.Lane and "
                "user thread semantics PrimitiveSemantics.Warp. Please file "
                "an issue at https://github.com/jax-ml/jax/issues/new/choose.",
     .warpgroup_message =
         "Unimplemented primitive in Pallas Mosaic GPU lowering: "
         "mpmd_map for lowering semantics LoweringSemantics.Warpgroup "
         "and user thread semantics PrimitiveSemantics.Warp. Please "
         "file an issue at "
         "https://github.com/jax-ml/jax/issues/new/choose."},
};

TEST(Tma, LaneRefusesAsJaxDoes) {
  CheckPrefetchRows(kRows, Phase::kLower, Lowering::kLane);
}

TEST(Tma, WarpgroupRefusesAsJaxDoes) {
  CheckPrefetchRows(kRows, Phase::kLower, Lowering::kWarpgroup);
}

}  // namespace
}  // namespace pallasite

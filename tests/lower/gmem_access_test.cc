#include "gtest/gtest.h"
#include "tests/lower/prefetch_rows.h"

namespace pallasite {
namespace {

// What JAX 0.11.2 was seen to do, row by row.
constexpr PrefetchRow kRows[] = {
    {.rule = "lower.gather.complex",
     .broken = {.ref = R"({"x": [{"at": [{"gather": "c64[16]"}]}]})"},
     .twin = {},
     .raises = PyExc::kMlirError,
     .message = "Invalid type:\nerror: \"iota:\"(\"iota\"(\"<kernel>\":3:11)): "
                "failed to verify 'elementType': VectorElementTypeInterface "
                "instance"},
    {.rule = "lower.gather.warp-context",
     .broken = {.ref = R"({"x": [{"at": [{"gather": "u32[16]"}]}]})",
                .warp = true},
     .twin = {},
     .raises = PyExc::kNotImplementedError,
     .message = "Unimplemented primitive in Pallas Mosaic GPU lowering: iota "
                "for lowering semantics LoweringSemantics.Lane and user "
                "thread semantics PrimitiveSemantics.Warp. Please file an "
                "issue at https://github.com/jax-ml/jax/issues/new/choose.",
     .warpgroup_message =
         "Unimplemented primitive in Pallas Mosaic GPU lowering: iota "
         "for lowering semantics LoweringSemantics.Warpgroup and user "
         "thread semantics PrimitiveSemantics.Warp. Please file an "
         "issue at https://github.com/jax-ml/jax/issues/new/choose."},
    {.rule = "lower.gather.broadcast",
     .broken = {.ref = R"({"x": [{"at": [{"gather": "u32[16]"}, 0]}]})"},
     .twin = {},
     .raises = PyExc::kNotImplementedError,
     .message = "Unimplemented primitive in Pallas Mosaic GPU lowering: "
                "broadcast_to for lowering semantics LoweringSemantics.Lane "
                "and user thread semantics PrimitiveSemantics.Warpgroup. "
                "Please file an issue at "
                "https://github.com/jax-ml/jax/issues/new/choose.",
     .warpgroup_message =
         "Unimplemented primitive in Pallas Mosaic GPU lowering: "
         "broadcast_to for lowering semantics "
         "LoweringSemantics.Warpgroup and user thread semantics "
         "PrimitiveSemantics.Warpgroup. Please file an issue at "
         "https://github.com/jax-ml/jax/issues/new/choose."},
    {.rule = "lower.gmem.multicast",
     .broken = {.ref = R"({"x": [{"multicast": ["d"]}]})",
                .around = R"("mesh": {"d": 4})"},
     .twin = {.around = R"("mesh": {"d": 4})"},
     .raises = PyExc::kValueError,
     .message = "Multicast refs are not supported by this primitive."},
    {.rule = "lower.gmem.view",
     .broken = {.ref = R"({"x": [{"transpose": [1, 0]}]})"},
     .twin = {},
     .raises = PyExc::kNotImplementedError,
     .message = "Non-indexing transforms on GMEM refs are not implemented."},
    {.rule = "lower.gmem.view",
     .broken = {.ref = R"({"x": [{"reshape": [64, 256]}]})"},
     .twin = {},
     .raises = PyExc::kNotImplementedError,
     .message = "Non-indexing transforms on GMEM refs are not implemented."},
    {.rule = "lower.gmem.view",
     .broken = {.ref = R"({"x": [{"cluster_ref": {"c": 0}}]})",
                .kernel = R"("cluster": {"c": 2})"},
     .twin = {.kernel = R"("cluster": {"c": 2})"},
     .raises = PyExc::kNotImplementedError,
     .message = "Non-indexing transforms on GMEM refs are not implemented."},
    {.rule = "lower.indexing.chained-gather",
     .broken =
         {.ref =
              R"({"x": [{"at": [{"gather": "u32[16]"}]}, {"at": [[0, 4]]}]})"},
     .twin = {},
     .raises = PyExc::kNotImplementedError,
     .message = ""},
    {.rule = "lower.indexing.chained-stride",
     .broken = {.ref = R"({"x": [{"at": [[0, 64]]}, {"at": [[0, 64, 2]]}]})"},
     .twin = {.ref = R"({"x": [{"at": [[0, 64]]}, {"at": [[0, 32]]}]})"},
     .raises = PyExc::kNotImplementedError,
     .message = "Non-unit strides not implemented."},
    {.rule = "lower.indexing.negative-length",
     .broken = {.ref = R"({"x": [{"at": [{"ds": [{"axis": "i"}, -1]}]}]})",
                .kernel = R"("grid": {"i": 8})"},
     .twin = {.ref = R"({"x": [{"at": [{"ds": [{"axis": "i"}, 0]}]}]})",
              .kernel = R"("grid": {"i": 8})"},
     .raises = PyExc::kValueError,
     .message = "length must be non-negative, got -1"},
    {.rule = "lower.indexing.dynamic-stride",
     .broken = {.ref = R"({"x": [{"at": [{"ds": [{"axis": "i"}, 8, 2]}]}]})",
                .kernel = R"("grid": {"i": 8})"},
     .twin = {.ref = R"({"x": [{"at": [{"ds": [{"axis": "i"}, 8]}]}]})",
              .kernel = R"("grid": {"i": 8})"},
     .raises = PyExc::kNotImplementedError,
     .message = "Unsupported slice: "
                "Slice(start=<jaxlib.mlir._mlir_libs._mlir.ir.OpResult "
                "object at 0x7f92b0554df0>, size=8, stride=2)",
     .warpgroup_message =
         "Unsupported slice: "
         "Slice(start=<jaxlib.mlir._mlir_libs._mlir.ir.OpResult "
         "object at 0x7f92b05564f0>, size=8, stride=2)"},
    {.rule = "lower.cluster.unknown-axis",
     .broken = {.op = R"("collective_axes": ["q"])",
                .kernel = R"("cluster": {"c": 2, "e": 1})"},
     .twin = {.kernel = R"("cluster": {"c": 2, "e": 1})"},
     .raises = PyExc::kLookupError,
     .message = "Unknown cluster axis q, available axes: ['e', 'c']"},
    {.rule = "lower.device-id.dict-not-mesh",
     .broken =
         {.ref =
              R"({"x": [{"peer": {"by_axis": {"d": 1}}, "id_type": "logical"}]})",
          .around = R"("mesh": {"d": 4})"},
     .twin = {.around = R"("mesh": {"d": 4})"},
     .raises = PyExc::kValueError,
     .message = "`device_id_type` must be MESH if `device_id` is a dict, "
                "got: device_id_type = <DeviceIdType.LOGICAL: 'logical'>."},
    {.rule = "lower.device-id.mixed-joint-axes",
     .broken = {.ref = R"({"x": [{"peer": {"by_axis": {"d,i": 1}}}]})",
                .kernel = R"("grid": {"i": 8})",
                .around = R"("mesh": {"d": 4})"},
     .twin = {.kernel = R"("grid": {"i": 8})", .around = R"("mesh": {"d": 4})"},
     .raises = PyExc::kNotImplementedError,
     .message = "('d', 'i') mixes JAX mesh and Pallas mesh grid axes"},
    {.rule = "lower.device-id.rank",
     .broken = {.ref = R"({"x": [{"peer": [1, 0]}]})",
                .around = R"("mesh": {"d": 4})"},
     .twin = {.around = R"("mesh": {"d": 4})"},
     .raises = PyExc::kValueError,
     .message = "Number of device ids must match the number of mesh axes, "
                "but got 2 ids for a 1D mesh."},
    {.rule = "lower.device-id.rank",
     .broken = {.ref = R"({"x": [{"peer": 1}]})"},
     .twin = {},
     .raises = PyExc::kValueError,
     .message = "Number of device ids must match the number of mesh axes, "
                "but got 1 ids for a 0D mesh."},
    {.rule = "lower.device-id.unknown-axes",
     .broken =
         {.ref =
              R"({"x": [{"peer": {"by_axis": {"z": 1, "i": {"axis": "i"}}}}]})",
          .kernel = R"("grid": {"i": 8})",
          .around = R"("mesh": {"d": 4})"},
     .twin = {.kernel = R"("grid": {"i": 8})", .around = R"("mesh": {"d": 4})"},
     .raises = PyExc::kValueError,
     .message = "Unrecognized axes in device_id: {'i': JitTracer(int32[]), "
                "'z': JitTracer(~int32[])}"},
    {.rule = "lower.device-id.unknown-axes",
     .broken = {.ref = R"({"x": [{"peer": {"by_axis": {"y,z": 1}}}]})",
                .around = R"("mesh": {"d": 4})"},
     .twin = {.around = R"("mesh": {"d": 4})"},
     .raises = PyExc::kValueError,
     .message = "Unrecognized axes in device_id: {('y', 'z'): "
                "JitTracer(~int32[])}"},
    {.rule = "lower.device-id.empty",
     .broken = {.ref = R"({"x": [{"peer": []}]})"},
     .twin = {},
     .raises = PyExc::kNotImplementedError,
     .message = "Unsupported constant: None"},
    {.rule = "lower.device-id.logical-tuple",
     .broken =
         {.ref =
              R"({"x": [{"peer": [1, {"axis": "d", "scale": 2}], "id_type": "logical"}]})",
          .around = R"("mesh": {"d": 4})"},
     .twin = {.around = R"("mesh": {"d": 4})"},
     .raises = PyExc::kNotImplementedError,
     .message = "Unsupported constant: (TypedInt(1, dtype=int32), "
                "FragmentedArray(layout=WGSplatFragLayout(shape=()), "
                "is_signed=True))",
     .warpgroup_message = "Unsupported constant: (TypedInt(1, dtype=int32), "
                          "<jaxlib.mlir._mlir_libs._mlir.ir.OpResult object at "
                          "0x7f92b03900f0>)"},
};

TEST(GmemAccess, LaneRefusesAsJaxDoes) {
  CheckPrefetchRows(kRows, Phase::kLower, Lowering::kLane);
}

TEST(GmemAccess, WarpgroupRefusesAsJaxDoes) {
  CheckPrefetchRows(kRows, Phase::kLower, Lowering::kWarpgroup);
}

}  // namespace
}  // namespace pallasite

#include "gtest/gtest.h"
#include "tests/lower/prefetch_rows.h"

namespace pallasite {
namespace {

// What JAX 0.11.2 was seen to do, row by row.
constexpr PrefetchRow kRows[] = {
    {.rule = "trace.axis.unbound",
     .broken = {.ref = R"({"x": [{"at": [{"axis": "q"}]}]})",
                .kernel = R"("grid": {"i": 8})"},
     .twin = {.ref = R"({"x": [{"at": [{"axis": "i"}]}]})",
              .kernel = R"("grid": {"i": 8})"},
     .raises = PyExc::kNameError,
     .message = "Found an unbound axis name: q. To fix this, please call "
                "axis_index under `jax.shard_map`."},
    {.rule = "trace.axis.unbound",
     .broken = {.op = R"("predicate": {"axis": "q", "equals": 0})",
                .kernel = R"("grid": {"i": 8})"},
     .twin = {.op = R"("predicate": {"axis": "i", "equals": 0})",
              .kernel = R"("grid": {"i": 8})"},
     .raises = PyExc::kNameError,
     .message = "Found an unbound axis name: q. To fix this, please call "
                "axis_index under `jax.shard_map`."},
    {.rule = "trace.axis.operand-overflow",
     .broken = {.ref =
                    R"({"x": [{"at": [{"axis": "i", "scale": 2147483648}]}]})",
                .kernel = R"("grid": {"i": 8})"},
     .twin = {.ref = R"({"x": [{"at": [{"axis": "i", "scale": 2147483647}]}]})",
              .kernel = R"("grid": {"i": 8})"},
     .raises = PyExc::kOverflowError,
     .message = "An overflow was encountered while parsing an argument to a "
                "jitted computation, whose argument path is y. Got <class "
                "'int'> with value 2147483648"},
    {.rule = "trace.axis.operand-overflow",
     .broken =
         {.ref = R"({"x": [{"at": [{"axis": "i", "offset": -2147483648}]}]})",
          .kernel = R"("grid": {"i": 8})"},
     .twin = {.ref =
                  R"({"x": [{"at": [{"axis": "i", "offset": -2147483647}]}]})",
              .kernel = R"("grid": {"i": 8})"},
     .raises = PyExc::kOverflowError,
     .message = "An overflow was encountered while parsing an argument to a "
                "jitted computation, whose argument path is y. Got <class "
                "'int'> with value 2147483648"},
    {.rule = "trace.axis.operand-overflow",
     .broken = {.op = R"("predicate": {"axis": "i", "equals": 2147483648})",
                .kernel = R"("grid": {"i": 8})"},
     .twin = {.op = R"("predicate": {"axis": "i", "equals": 2147483647})",
              .kernel = R"("grid": {"i": 8})"},
     .raises = PyExc::kOverflowError,
     .message = "An overflow was encountered while parsing an argument to a "
                "jitted computation, whose argument path is y. Got <class "
                "'int'> with value 2147483648"},
    {.rule = "trace.indexing.negative-stride",
     .broken = {.ref = R"({"x": [{"at": [{"ds": [0, 64, -1]}]}]})"},
     .twin = {.ref = R"({"x": [{"at": [{"ds": [0, 64, 1]}]}]})"},
     .raises = PyExc::kValueError,
     .message = "`stride` must be >= 0."},
    {.rule = "trace.gather.bool",
     .broken = {.ref = R"({"x": [{"at": [{"gather": "bool[16]"}]}]})"},
     .twin = {},
     .raises = PyExc::kTypeError,
     .message = "iota does not accept dtype bool. Accepted dtypes are "
                "subtypes of integer, floating, complexfloating."},
    {.rule = "trace.indexing.several-ellipses",
     .broken = {.ref = R"({"x": [{"at": ["...", "..."]}]})"},
     .twin = {.ref = R"({"x": [{"at": ["..."]}]})"},
     .raises = PyExc::kValueError,
     .message = "Only one ellipsis is supported."},
    {.rule = "trace.indexing.too-many-indices",
     .broken =
         {.ref =
              R"({"x": [{"at": [{"axis": "i"}, [1, 2], 0, "...", {"ds": [0, 4]}, {"gather": "u32[16]"}]}]})",
          .kernel = R"("grid": {"i": 8})"},
     .twin = {.ref = R"({"x": [{"at": [{"axis": "i"}, [0, 4]]}]})",
              .kernel = R"("grid": {"i": 8})"},
     .raises = PyExc::kValueError,
     .message = "`indices` must not be longer than `shape`: "
                "indices=(JitTracer(int32[]), slice(1, 2, None), 0, "
                "Slice(start=0, size=4, stride=1), JitTracer(uint32[16])), "
                "shape=(128, 128)"},
    {.rule = "trace.indexing.too-many-indices",
     .broken = {.x = "f32[]", .ref = R"({"x": [{"at": [0]}]})"},
     .twin = {.x = "f32[4,4]", .ref = R"({"x": [{"at": [0]}]})"},
     .raises = PyExc::kValueError,
     .message = "`indices` must not be longer than `shape`: indices=(0,), "
                "shape=()"},
    {.rule = "trace.indexing.zero-step",
     .broken = {.ref = R"({"x": [{"at": [[0, 8, 0]]}]})"},
     .twin = {.ref = R"({"x": [{"at": [[0, 8, 1]]}]})"},
     .raises = PyExc::kValueError,
     .message = "slice step cannot be zero"},
    {.rule = "trace.indexing.negative-step",
     .broken = {.ref = R"({"x": [{"at": [[8, 0, -1]]}]})"},
     .twin = {.ref = R"({"x": [{"at": [[0, 8]]}]})"},
     .raises = PyExc::kValueError,
     .message = "slice must have a step >= 1 (found: -1)"},
    {.rule = "trace.indexing.integer-overflow",
     .broken = {.x = "f32[4294967296,128]",
                .ref = R"({"x": [{"at": [2147483648]}]})"},
     .twin = {.x = "f32[4294967296,128]",
              .ref = R"({"x": [{"at": [2147483647]}]})"},
     .raises = PyExc::kOverflowError,
     .message = "Python int 2147483648 too large to convert to int32"},
    {.rule = "trace.gather.mismatched-lengths",
     .broken =
         {.ref =
              R"({"x": [{"at": [{"gather": "u32[16]"}, {"gather": "u32[8]"}]}]})"},
     .twin = {},
     .raises = PyExc::kValueError,
     .message = "Cannot broadcast shapes for indexing: {indexer_shapes}"},
    {.rule = "trace.indexing.slice-start",
     .broken = {.ref = R"({"x": [{"at": [[200, 300]]}]})"},
     .twin = {.ref = R"({"x": [{"at": [[127, 300]]}]})"},
     .raises = PyExc::kValueError,
     .message = "Out of bound slice: start=128, dim=128."},
    {.rule = "trace.indexing.slice-start",
     .broken = {.ref = R"({"x": [{"at": [{"ds": [128, 0]}]}]})"},
     .twin = {.ref = R"({"x": [{"at": [{"ds": [127, 0]}]}]})"},
     .raises = PyExc::kValueError,
     .message = "Out of bound slice: start=128, dim=128."},
    {.rule = "trace.indexing.slice-end",
     .broken = {.ref = R"({"x": [{"at": [{"ds": [100, 29]}]}]})"},
     .twin = {.ref = R"({"x": [{"at": [{"ds": [100, 28]}]}]})"},
     .raises = PyExc::kValueError,
     .message = "Out of bound slice: start=100, size=29, stride=1, dim=128."},
    {.rule = "trace.indexing.unchecked-end",
     .broken = {.ref = R"({"x": [{"at": [{"ds": [0, 129]}]}]})"},
     .twin = {.ref = R"({"x": [{"at": [{"ds": [0, 128]}]}]})"}},
    {.rule = "trace.indexing.unchecked-slice",
     .broken = {.ref = R"({"x": [{"at": [{"ds": [-8, 8]}]}]})"},
     .twin = {.ref = R"({"x": [{"at": [{"ds": [0, 8]}]}]})"}},
    {.rule = "trace.indexing.unchecked-integer",
     .broken = {.ref = R"({"x": [{"at": [128]}]})"},
     .twin = {.ref = R"({"x": [{"at": [127]}]})"}},
    {.rule = "trace.indexing.unchecked-integer",
     .broken = {.ref = R"({"x": [{"at": [-1]}]})"},
     .twin = {.ref = R"({"x": [{"at": [0]}]})"}},
};

TEST(IndexingTrace, LaneRefusesAsJaxDoes) {
  CheckPrefetchRows(kRows, Phase::kTrace, Lowering::kLane);
}

TEST(IndexingTrace, WarpgroupRefusesAsJaxDoes) {
  CheckPrefetchRows(kRows, Phase::kTrace, Lowering::kWarpgroup);
}

}  // namespace
}  // namespace pallasite

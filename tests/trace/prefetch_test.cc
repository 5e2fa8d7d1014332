#include "gtest/gtest.h"
#include "tests/lower/prefetch_rows.h"

namespace pallasite {
namespace {

// What JAX 0.11.2 was seen to do, row by row.
constexpr PrefetchRow kRows[] = {
    {.rule = "trace.transpose.rank",
     .broken = {.ref = R"({"x": [{"transpose": [0]}, {"at": [0]}]})"},
     .twin = {},
     .raises = PyExc::kValueError,
     .message = "Permutation (0,) does not match the rank of the type (2)"},
    {.rule = "trace.transpose.range",
     .broken = {.ref = R"({"x": [{"transpose": [2, 0]}, {"at": [0]}]})"},
     .twin = {},
     .raises = PyExc::kIndexError,
     .message = "tuple index out of range"},
    {.rule = "trace.reshape.size",
     .broken = {.ref = R"({"x": [{"reshape": [64, 255]}]})"},
     .twin = {},
     .raises = PyExc::kValueError,
     .message = "cannot reshape shape (128, 128) into shape (64, 255)"},
    {.rule = "trace.reshape.several-inferred",
     .broken = {.ref = R"({"x": [{"reshape": [-1, -1]}]})"},
     .twin = {},
     .raises = PyExc::kValueError,
     .message = "At most one dimension can be -1, but got (-1, -1)"},
    {.rule = "trace.reshape.inferred-from-zero",
     .broken = {.ref = R"({"x": [{"reshape": [0, -1]}]})"},
     .twin = {},
     .raises = PyExc::kZeroDivisionError,
     .message = "integer modulo by zero"},
    {.rule = "trace.reshape.indivisible",
     .broken = {.ref = R"({"x": [{"reshape": [3, -1]}]})"},
     .twin = {},
     .raises = PyExc::kValueError,
     .message = "Specified dims (3, -1) do not evenly divide the size of the "
                "ref (16384)."},
    {.rule = "trace.remote.peer-of-multicast",
     .broken = {.ref = R"({"x": [{"multicast": ["d"]}, {"peer": 1}]})",
                .around = R"("mesh": {"d": 4})"},
     .twin = {.ref = R"({"x": [{"at": [0]}]})",
              .around = R"("mesh": {"d": 4})"},
     .raises = PyExc::kValueError,
     .message = "Can't make a multicast reference into a peer reference."},
    {.rule = "trace.remote.multicast-of-peer",
     .broken = {.ref = R"({"x": [{"peer": 1}, {"multicast": ["d"]}]})",
                .around = R"("mesh": {"d": 4})"},
     .twin = {.around = R"("mesh": {"d": 4})"},
     .raises = PyExc::kValueError,
     .message = "Can't make a peer reference into a multicast reference."},
    {.rule = "trace.remote.mixed-device-id-keys",
     .broken = {.ref = R"({"x": [{"peer": {"by_axis": {"d,e": 1, "f": 0}}}]})",
                .around = R"("mesh": {"d": 2, "e": 2, "f": 2})"},
     .twin = {.around = R"("mesh": {"d": 2, "e": 2, "f": 2})"},
     .raises = PyExc::kValueError,
     .message = "Comparator raised exception while sorting pytree dictionary "
                "keys."},
    {.rule = "trace.remote.integer-overflow",
     .broken = {.ref =
                    R"({"x": [{"peer": -2147483649, "id_type": "logical"}]})",
                .around = R"("mesh": {"d": 4})"},
     .twin = {.around = R"("mesh": {"d": 4})"},
     .raises = PyExc::kOverflowError,
     .message = "Python int -2147483649 too large to convert to int32"},
    {.rule = "trace.remote.integer-overflow",
     .broken = {.ref = R"({"x": [{"cluster_ref": {"c": 2147483648}}]})",
                .kernel = R"("cluster": {"c": 2})"},
     .twin = {.kernel = R"("cluster": {"c": 2})"},
     .raises = PyExc::kOverflowError,
     .message = "Python int 2147483648 too large to convert to int32"},
    {.rule = "trace.prefetch.not-gmem",
     .broken = {.ref = R"("s")",
                .kernel = R"("cluster": {"c": 2})",
                .around = R"("scratch": {"s": {"smem": "f32[128]"}})"},
     .twin = {.kernel = R"("cluster": {"c": 2})",
              .around = R"("scratch": {"s": {"smem": "f32[128]"}})"},
     .raises = PyExc::kValueError,
     .message = "ref must be a GMEM reference, got Ref<smem>{float32[128]}"},
    {.rule = "trace.prefetch.not-gmem",
     .broken =
         {.ref = R"("s")",
          .kernel = R"("cluster": {"c": 2})",
          .around =
              R"("scratch": {"s": {"smem": "f32[128,64]", "transforms": [{"tile": [8, 32]}, {"swizzle": 128}]}})"},
     .twin =
         {.kernel = R"("cluster": {"c": 2})",
          .around =
              R"("scratch": {"s": {"smem": "f32[128,64]", "transforms": [{"tile": [8, 32]}, {"swizzle": 128}]}})"},
     .raises = PyExc::kValueError,
     .message = "ref must be a GMEM reference, got "
                "Ref<smem>{float32[16,2,8,32]}"},
    {.rule = "trace.prefetch.not-gmem",
     .broken = {.ref = R"("s")",
                .kernel = R"("cluster": {"c": 2})",
                .around = R"("scratch": {"s": {"tmem": "f32[2,128,64]"}})"},
     .twin = {.kernel = R"("cluster": {"c": 2})",
              .around = R"("scratch": {"s": {"tmem": "f32[2,128,64]"}})"},
     .raises = PyExc::kValueError,
     .message = "ref must be a GMEM reference, got "
                "Ref<tmem>{float32[128,128]}"},
    {.rule = "trace.prefetch.not-gmem",
     .broken = {.ref = R"("s")",
                .kernel = R"("cluster": {"c": 2})",
                .around = R"("scratch": {"s": {"regs": "f64[8]"}})"},
     .twin = {.kernel = R"("cluster": {"c": 2})"},
     .raises = PyExc::kValueError,
     .message = "ref must be a GMEM reference, got Ref<regs>{float64[8]}"},
    {.rule = "trace.prefetch.not-gmem",
     .broken = {.ref = R"("s")",
                .kernel = R"("cluster": {"c": 2})",
                .around =
                    R"("scratch": {"s": {"barrier": {"num_barriers": 4}}})"},
     .twin = {.kernel = R"("cluster": {"c": 2})",
              .around =
                  R"("scratch": {"s": {"barrier": {"num_barriers": 4}}})"},
     .raises = PyExc::kValueError,
     .message = "ref must be a GMEM reference, got Ref<smem>{barrier[4]}"},
    {.rule = "trace.prefetch.not-gmem",
     .broken =
         {.ref = R"("s")",
          .kernel = R"("cluster": {"c": 2})",
          .around =
              R"("scratch": {"s": {"cluster_barrier": {"collective_axes": ["c"]}}})"},
     .twin =
         {.kernel = R"("cluster": {"c": 2})",
          .around =
              R"("scratch": {"s": {"cluster_barrier": {"collective_axes": ["c"]}}})"},
     .raises = PyExc::kValueError,
     .message = "ref must be a GMEM reference, got "
                "Ref<smem>{cluster_barrier[]}"},
    {.rule = "trace.prefetch.not-gmem",
     .broken = {.ref = R"("s")",
                .kernel = R"("cluster": {"c": 2})",
                .around = R"("scratch": {"s": {"acc": "f32[64,64]"}})"},
     .twin = {.kernel = R"("cluster": {"c": 2})",
              .around = R"("scratch": {"s": {"acc": "f32[64,64]"}})"},
     .raises = PyExc::kValueError,
     .message = "ref must be a GMEM reference, got Ref<regs>{float32[64,64]}"},
    {.rule = "trace.prefetch.not-gmem",
     .broken =
         {.ref = R"("s[1][0]")",
          .kernel = R"("cluster": {"c": 2})",
          .around =
              R"("scratch": {"s": {"union": [{"smem": "f32[8]"}, [{"smem": "f16[16]"}]]}})"},
     .twin =
         {.kernel = R"("cluster": {"c": 2})",
          .around =
              R"("scratch": {"s": {"union": [{"smem": "f32[8]"}, [{"smem": "f16[16]"}]]}})"},
     .raises = PyExc::kValueError,
     .message = "ref must be a GMEM reference, got Ref<smem>{int8[32]}"},
    {.rule = "trace.prefetch.not-gmem",
     .broken =
         {.ref = R"("s[0]")",
          .kernel = R"("cluster": {"c": 2})",
          .around =
              R"("scratch": {"s": {"union": [{"tmem": "f32[128,64]"}]}})"},
     .twin = {.kernel = R"("cluster": {"c": 2})",
              .around =
                  R"("scratch": {"s": {"union": [{"tmem": "f32[128,64]"}]}})"},
     .raises = PyExc::kValueError,
     .message = "ref must be a GMEM reference, got Ref<tmem>{int32[128,64]}"},
};

TEST(PrefetchTrace, LaneRefusesAsJaxDoes) {
  CheckPrefetchRows(kRows, Phase::kTrace, Lowering::kLane);
}

TEST(PrefetchTrace, WarpgroupRefusesAsJaxDoes) {
  CheckPrefetchRows(kRows, Phase::kTrace, Lowering::kWarpgroup);
}

}  // namespace
}  // namespace pallasite

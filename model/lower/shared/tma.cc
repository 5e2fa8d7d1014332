#include "model/lower/shared/tma.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>

#include "model/element_width.h"
#include "model/lower/shared/tma_descriptor.h"
#include "model/lower/shared/tma_engine.h"
#include "model/python.h"

namespace pallasite {
namespace {

constexpr std::string_view kArea = "gmem-smem-copies";
constexpr std::string_view kPrepareSource =
    "launch_context.py LaunchContext._prepare_tma";
constexpr std::string_view kSetupSource =
    "launch_context.py LaunchContext._prepare_async_copy";

constexpr int64_t kTmaBits = 128;  // granularity of the engine

constexpr Rule<GmemArray> kArrayRules[] = {
    {.doc = {.id = "lower.tma.empty-dimension",
             .area = kArea,
             .phase = Phase::kLower,
             .wordings = {{.raises = PyExc::kNotImplementedError,
                           .pattern =
                               "async_copy assumes the GMEM reference is "
                               "contiguous"}},
             .why = "MLIR knows no strides for an array that has no elements "
                    "along one of its minor dimensions, and JAX takes that for "
                    "an array that is not contiguous.",
             .fix = "Do not transfer from empty arrays.",
             .source = kSetupSource,
             .defect = DefectKind::kWrongMessage,
             .spec_verdict = "Refuse, but say that the array is empty."},
     .violated =
         [](const GmemArray& array) {
           return BrokenIf(array.shape.size() > 1 &&
                           std::find(array.shape.begin() + 1, array.shape.end(),
                                     0) != array.shape.end());
         }},
};

// --- Gathers -----------------------------------------------------------------

struct GatherUse {
  const GmemAccess& access;
  bool lane = false;

  const GatherIndex* gather() const {
    for (const GmemSlice& slice : access.slices) {
      if (slice.gather != nullptr) return slice.gather;
    }
    return nullptr;
  }
  bool leading_of_two() const {
    return access.slices.size() == 2 && access.slices[0].gather != nullptr &&
           access.slices[1].gather == nullptr;
  }
  DTypeKind kind() const { return Info(gather()->dtype).kind; }
};

constexpr Rule<GatherUse> kGatherRules[] = {
    {.doc = {.id = "lower.tma.gather-dimension",
             .area = kArea,
             .phase = Phase::kLower,
             .wordings = {{.raises = PyExc::kNotImplementedError,
                           .pattern =
                               "Gathers/scatters only supported along the "
                               "first dimension of 2D arrays"}},
             .why = "The TMA engine gathers rows of a matrix.",
             .fix = "Gather along the first dimension of a 2D array.",
             .source = kSetupSource},
     .violated =
         [](const GatherUse& use) { return BrokenIf(!use.leading_of_two()); }},
    {.doc = {.id = "lower.tma.gather-float",
             .area = kArea,
             .phase = Phase::kLower,
             .wordings = {{.pattern = "Gather/scatter indices must be integers "
                                      "that are at most 32-bit wide"}},
             .why = "Row numbers are integers.",
             .fix = "Use a u32 vector.",
             .source = kSetupSource},
     .violated =
         [](const GatherUse& use) {
           return BrokenIf(use.kind() == DTypeKind::kFloat);
         }},
    {.doc = {.id = "lower.tma.gather-signed",
             .area = kArea,
             .phase = Phase::kLower,
             .wordings = {{.pattern =
                               "Gather/scatter indices must be unsigned"}},
             .why = "Row numbers count from the start of the array.",
             .fix = "Use a u32 vector.",
             .source = kSetupSource},
     .violated =
         [](const GatherUse& use) {
           return BrokenIf(use.lane && use.kind() == DTypeKind::kSigned);
         }},
};

// --- Elements and strides ----------------------------------------------------

constexpr Rule<GmemArray> kElementRules[] = {
    {.doc = {.id = "lower.tma.complex",
             .area = kArea,
             .phase = Phase::kLower,
             .wordings = {{.raises = PyExc::kNotImplementedError,
                           .pattern = kNoWidthPattern}},
             .why = "The TMA engine has no complex element types.",
             .fix = "View the array as real numbers with one more dimension.",
             .source = "mosaic/gpu/utils.py bitwidth_impl",
             .defect = DefectKind::kWrongMessage,
             .spec_verdict = "Refuse as for other element types: \"unsupported "
                             "TMA dtype ...\"."},
     .violated =
         [](const GmemArray& array) { return HasNoWidth(array.dtype); }},
    {.doc = {.id = "lower.tma.stride-alignment",
             .area = kArea,
             .phase = Phase::kLower,
             .wordings = {{.pattern = "async_copy requires all GMEM strides "
                                      "except the last one to be a multiple of "
                                      "16 bytes"}},
             .why = "The TMA engine keeps strides in units of 16 bytes. "
                    "Dimensions of one element count as well.",
             .fix = "Pad the minor dimension of the array to a multiple of 16 "
                    "bytes.",
             .source = kPrepareSource},
     .violated =
         [](const GmemArray& array) {
           const Shape strides = Strides(array.shape);
           const Wide bits = Info(array.dtype).ir_bits;
           return BrokenIf(!strides.empty() &&
                           std::any_of(strides.begin(), strides.end() - 1,
                                       [&](int64_t stride) {
                                         return stride * bits % kTmaBits != 0;
                                       }));
         }},
};

// --- The engine's own dimensions ---------------------------------------------

constexpr Rule<EngineBox> kRankRules[] = {
    {.doc = {.id = "lower.tma.rank",
             .area = kArea,
             .phase = Phase::kLower,
             .wordings = {{.pattern =
                               "Async copies only support striding up to "
                               "5 dimensions"}},
             .why = "The TMA engine has five dimensions. Dimensions with one "
                    "element are free, and all that integers index share one.",
             .fix = "Index more dimensions with integers, or merge dimensions "
                    "of the array.",
             .source = kPrepareSource},
     .violated =
         [](const EngineBox& box) {
           return BrokenIf(box.lengths.size() > kTmaMaxRank);
         }},
};

// What is left to share out after leading dimensions were divided among blocks.
struct Sharing {
  Wides lengths;
  Wide sharers = 1;
  Wide left = 1;
};

// A leading dimension that the blocks divide evenly settles it; one that is
// divided up entirely leaves fewer blocks for the next.
Sharing ShareOut(const EngineBox& box, Wide sharers) {
  Sharing sharing = {
      .lengths = box.lengths, .sharers = sharers, .left = sharers};
  for (Wide& length : sharing.lengths) {
    if (length % sharing.left == 0) {
      length /= sharing.left;
      sharing.left = 1;
      break;
    }
    // Not zero: zero is divided evenly.
    if (sharing.left % length != 0) break;
    if (length > 1) {
      sharing.left /= length;
      length = 1;
    }
  }
  return sharing;
}

constexpr Rule<Sharing> kSharingRules[] = {
    {.doc = {.id = "lower.tma.collective-size",
             .area = kArea,
             .phase = Phase::kLower,
             .wordings = {{.pattern = "None of the leading dimensions in the "
                                      "transformed slice shape {shape} is "
                                      "divisible by the collective size "
                                      "{sharers}"}},
             .why = "The blocks of a collective transfer take equal parts, cut "
                    "along the leading dimensions.",
             .fix = "Make the leading dimension of the slice a multiple of the "
                    "collective size.",
             .source = kPrepareSource},
     .violated = [](const Sharing& sharing) -> Finding {
       if (sharing.left <= 1) return Holds();
       return Broken({{"shape", PyList(sharing.lengths)},
                      {"sharers", PyInt(sharing.sharers)}});
     }},
};

struct MinorDim {
  const Wides& lengths;
  DType dtype = DType::kFloat32;
  Wide bits() const { return lengths.back() * Info(dtype).ir_bits; }
};

constexpr Rule<MinorDim> kMinorRules[] = {
    {.doc = {.id = "lower.tma.scalar",
             .area = kArea,
             .phase = Phase::kLower,
             .wordings = {{.raises = PyExc::kIndexError,
                           .pattern = "list index out of range"}},
             .why = "When every dimension has a single element nothing is left "
                    "to transfer along.",
             .fix =
                 "Transfer 16 bytes or more; load a single element directly.",
             .source = kPrepareSource,
             .defect = DefectKind::kUndocumented,
             .spec_verdict =
                 "Refuse as too small: \"Async copies require the "
                 "number of bits copied along the last dimension to "
                 "be divisible by 128\"."},
     .violated =
         [](const MinorDim& minor) { return BrokenIf(minor.lengths.empty()); }},
    {.doc = {.id = "lower.tma.minor-bits",
             .area = kArea,
             .phase = Phase::kLower,
             .wordings = {{.pattern = "Async copies require the number of bits "
                                      "copied along the last dimension to be "
                                      "divisible by 128, but got {bits}"}},
             .why = "The TMA engine transfers rows of whole 16-byte units.",
             .fix = "Widen the slice of the last dimension to a multiple of 16 "
                    "bytes.",
             .source = kPrepareSource},
     .violated = [](const MinorDim& minor) -> Finding {
       if (minor.bits() % kTmaBits == 0) return Holds();
       return Broken({{"bits", PyInt(minor.bits())}});
     }},
};

struct Engine {
  DType dtype = DType::kFloat32;
  bool gather = false;
};

// Element types the engine has, besides integers of 2 to 64 bits. Narrow floats
// pass as integers.
bool HasFloat(DType dtype) {
  constexpr DType kFloats[] = {DType::kFloat16,      DType::kFloat32,
                               DType::kBFloat16,     DType::kFloat8E5M2,
                               DType::kFloat8E4M3FN, DType::kFloat8E8M0FNU,
                               DType::kFloat4E2M1FN};
  return std::find(std::begin(kFloats), std::end(kFloats), dtype) !=
         std::end(kFloats);
}

constexpr Rule<Engine> kEngineRules[] = {
    {.doc = {.id = "lower.tma.gather-prefetch",
             .area = kArea,
             .phase = Phase::kLower,
             .wordings = {{.raises = PyExc::kNotImplementedError,
                           .pattern = "Gather/scatter prefetch not implemented "
                                      "yet"}},
             .why = "Mosaic GPU gathers into shared memory only.",
             .fix = "Prefetch the rows in slices, or the whole array.",
             .source = "launch_context.py LaunchContext.async_prefetch"},
     .violated = [](const Engine& engine) { return BrokenIf(engine.gather); }},
    {.doc = {.id = "lower.tma.bool",
             .area = kArea,
             .phase = Phase::kLower,
             .wordings = {{.pattern = "Unsupported integer bitwidth: 1"}},
             .why = "bool is a single bit in MLIR, and the TMA engine has no "
                    "elements of one bit.",
             .fix = "View the array as 8-bit integers.",
             .source = "launch_context.py _tma_dma_type"},
     .violated =
         [](const Engine& engine) {
           return BrokenIf(engine.dtype == DType::kBool);
         }},
    {.doc = {.id = "lower.tma.dtype",
             .area = kArea,
             .phase = Phase::kLower,
             .wordings = {{.pattern = "unsupported TMA dtype {element}"}},
             .why =
                 "The TMA engine has a fixed set of element types, and Mosaic "
                 "GPU passes only some of the 8-bit floats as integers.",
             .fix = "View the array as integers of the same width.",
             .source = "launch_context.py _tma_dma_type"},
     .violated = [](const Engine& engine) -> Finding {
       const DTypeInfo& info = Info(engine.dtype);
       if (info.kind != DTypeKind::kFloat || HasFloat(engine.dtype)) {
         return Holds();
       }
       return Broken({{"element", std::string(info.mlir_name)}});
     }},
};

}  // namespace

bool CheckTmaArray(const GmemArray& array, const Location& at,
                   Checker& checker) {
  return checker.Check(kArrayRules, array, at);
}

bool CheckTmaGather(const GmemAccess& access, bool lane, const Location& at,
                    Checker& checker) {
  const GatherUse use = {access, lane};
  return use.gather() == nullptr || checker.Check(kGatherRules, use, at);
}

bool CheckTmaTransfer(const GmemArray& array, const TmaTransfer& transfer,
                      const Location& at, Checker& checker) {
  if (!checker.Check(kElementRules, array, at)) return false;
  const bool gather = transfer.gather != nullptr;
  EngineBox box = ToEngine(array, transfer.box, gather);
  if (!checker.Check(kRankRules, box, at)) return false;
  if (transfer.sharers > 1) {
    Sharing sharing = ShareOut(box, transfer.sharers);
    if (!checker.Check(kSharingRules, sharing, at)) return false;
    box.lengths = sharing.lengths;
  }
  return checker.Check(kMinorRules, MinorDim{box.lengths, array.dtype}, at) &&
         checker.Check(kEngineRules, Engine{array.dtype, gather}, at);
}

void AppendTmaRules(RuleList& rules) {
  AppendDocs(kArrayRules, {Stage::kLowerBody, Stage::kLowerDialect}, rules);
  AppendDocs(kGatherRules, {Stage::kLowerBody, Stage::kLowerDialect}, rules);
  AppendDocs(kElementRules, {Stage::kLowerBody, Stage::kLowerDialect}, rules);
  AppendDocs(kRankRules, {Stage::kLowerBody, Stage::kLowerDialect}, rules);
  AppendDocs(kSharingRules, {Stage::kLowerBody, Stage::kLowerDialect}, rules);
  AppendDocs(kMinorRules, {Stage::kLowerBody, Stage::kLowerDialect}, rules);
  AppendDocs(kEngineRules, {Stage::kLowerBody, Stage::kLowerDialect}, rules);
}

}  // namespace pallasite

#include "model/lower/warpgroup/prefetch.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "model/lower/shared/gmem_access.h"
#include "model/lower/shared/index_values.h"
#include "model/lower/shared/prefetch.h"
#include "model/lower/shared/tma.h"
#include "model/lower/shared/tma_descriptor.h"
#include "model/python.h"

namespace pallasite {
namespace {

constexpr std::string_view kArea = "gmem-smem-copies";
constexpr std::string_view kSource = "primitives.py _async_prefetch_lowering";

// Stands for an integer index among the lengths of slices.
constexpr int64_t kSqueezed = -1;

struct Prefetch {
  const AsyncPrefetchOp& op;
  const GmemArray& array;
  const GmemAccess& access;

  // The length of each slice, as the dialect's op has it.
  Shape lengths() const {
    if (access.slices.empty()) return array.shape;
    Shape lengths;
    for (const GmemSlice& slice : access.slices) {
      lengths.push_back(slice.kind == GmemSlice::Kind::kIndex ? kSqueezed
                                                              : slice.size);
    }
    return lengths;
  }
};

constexpr Rule<Prefetch> kPrefetchRules[] = {
    {.doc = {.id = "lower.prefetch.warpgroup-peer",
             .area = "semaphores/multimem/remote",
             .phase = Phase::kLower,
             .wordings = {{.raises = PyExc::kNotImplementedError,
                           .pattern =
                               "GMEM refs with peer ids are not supported "
                               "in warpgroup lowering."}},
             .why = "The prefetch op of Warpgroup semantics has no operand for "
                    "another device.",
             .fix =
                 "Prefetch local arrays only, copy from the peer instead, or "
                 "lower with Lane semantics.",
             .source = kSource,
             .aliases = {"gmem-refs-with-peer-ids-are-not-supported-in-warpg",
                         "4ce4f746c150d04b"}},
     .violated =
         [](const Prefetch& prefetch) {
           return BrokenIf(prefetch.access.peer != nullptr);
         }},
    {.doc = {.id = "lower.prefetch.warpgroup-collective",
             .area = kArea,
             .phase = Phase::kLower,
             .wordings = {{.pattern = "-"}},
             .why =
                 "collective_axes are looked up and then dropped: every block "
                 "prefetches all of the slice.",
             .fix = "Drop collective_axes, or lower with Lane semantics.",
             .source = kSource,
             .defect = DefectKind::kAccepted,
             .spec_verdict =
                 "Share the prefetch out, or refuse collective_axes."},
     .violated =
         [](const Prefetch& prefetch) {
           return BrokenIf(prefetch.op.collective_axes &&
                           !prefetch.op.collective_axes->empty());
         }},
    {.doc = {.id = "lower.prefetch.warpgroup-leader-tracked",
             .area = kArea,
             .phase = Phase::kLower,
             .wordings = {{.pattern = "-"}},
             .why = "leader_tracked is dropped without a look at it.",
             .fix = "Drop leader_tracked, or lower with Lane semantics.",
             .source = kSource,
             .defect = DefectKind::kAccepted,
             .spec_verdict = "Partition the prefetch, or refuse "
                             "leader_tracked."},
     .violated =
         [](const Prefetch& prefetch) {
           return BrokenIf(prefetch.op.leader_tracked.has_value());
         }},
    {.doc = {.id = "lower.prefetch.warpgroup-stride",
             .area = "ref-transforms/indexing",
             .phase = Phase::kLower,
             .wordings = {{.pattern = "-"}},
             .why =
                 "Only the start and the number of elements of a slice reach "
                 "the prefetch: its step is dropped, and as many elements "
                 "are taken one after the other.",
             .fix = "Use slices without a step.",
             .source = "primitives.py _split_gmem_slice",
             .defect = DefectKind::kAccepted,
             .spec_verdict = "Refuse as Lane semantics does: \"Strided slices "
                             "not implemented\"."},
     .violated =
         [](const Prefetch& prefetch) {
           const auto& slices = prefetch.access.slices;
           return BrokenIf(std::any_of(
               slices.begin(), slices.end(),
               [](const GmemSlice& slice) { return slice.stride != 1; }));
         }},
};

// --- Verification ------------------------------------------------------------

// Row numbers the op can take: 32, 16 or 8 bits, and no floats.
bool IsRowType(DType dtype) {
  const DTypeInfo& info = Info(WithoutX64(dtype));
  return (info.kind == DTypeKind::kSigned ||
          info.kind == DTypeKind::kUnsigned) &&
         info.bits >= 8;
}

std::string MlirName(DType dtype) { return std::string(Info(dtype).mlir_name); }

std::string VectorType(const GatherIndex& gather) {
  return absl::StrCat("vector<", gather.length, "x",
                      MlirName(WithoutX64(gather.dtype)), ">");
}

// The op as MLIR prints it after an error.
std::string PrintOp(const Prefetch& prefetch) {
  std::string array;
  for (const int64_t extent : prefetch.array.shape) {
    absl::StrAppend(&array, extent, "x");
  }
  absl::StrAppend(&array, MlirName(prefetch.array.dtype));
  std::string types;
  for (size_t i = 0; i < prefetch.array.shape.size(); ++i) {
    const bool gather = !prefetch.access.slices.empty() &&
                        prefetch.access.slices[i].gather != nullptr;
    absl::StrAppend(
        &types, ", ",
        gather ? VectorType(*prefetch.access.slices[i].gather) : "i32");
  }
  const bool predicate = prefetch.op.predicate.has_value();
  return absl::StrCat(
      "\"mosaic_gpu.async_prefetch\"({*}) <{collective = [], "
      "operandSegmentSizes = array<i32: 1, ",
      prefetch.array.shape.size(), ", ", predicate ? 1 : 0,
      ">, slice_lengths = array<i64: ", absl::StrJoin(prefetch.lengths(), ", "),
      ">}> : (memref<", array, ">", types, predicate ? ", i1" : "", ") -> ()");
}

constexpr std::string_view kVerifySource =
    "mosaic/gpu/core.py _lower_as_gpu_kernel";

constexpr Rule<Prefetch> kVerifyRules[] = {
    {.doc =
         {.id = "lower.prefetch.warpgroup-row-type",
          .area = kArea,
          .phase = Phase::kLower,
          .wordings =
              {{.raises = PyExc::kVerificationError,
                .pattern =
                    "Pallas encountered an internal verification error. "
                    "Please file a bug at "
                    "https://github.com/jax-ml/jax/issues/new/choose. Error "
                    "details: 'mosaic_gpu.async_prefetch' op operand "
                    "#{operand} must be variadic of 32-bit signless integer "
                    "or vector of 32-bit signless integer or 16-bit signless "
                    "integer or 8-bit signless integer values of ranks 1, "
                    "but got '{type}'\n see current operation: {op}"}},
          .why = "Row numbers are integers of 8, 16 or 32 bits.",
          .fix = "Use a u32 vector.",
          .source = kVerifySource,
          .defect = DefectKind::kWrongMessage,
          .spec_verdict = "Refuse as Lane semantics does: \"Gather/scatter "
                          "indices must be integers ...\"."},
     .violated = [](const Prefetch& prefetch) -> Finding {
       for (size_t i = 0; i < prefetch.access.slices.size(); ++i) {
         const GatherIndex* gather = prefetch.access.slices[i].gather;
         if (gather == nullptr || IsRowType(gather->dtype)) continue;
         return Broken({{"operand", PyInt(static_cast<Wide>(i) + 1)},
                        {"type", VectorType(*gather)},
                        {"op", PrintOp(prefetch)}});
       }
       return Holds();
     }},
    {.doc = {.id = "lower.prefetch.warpgroup-negative-length",
             .area = "ref-transforms/indexing",
             .phase = Phase::kLower,
             .wordings =
                 {{.raises = PyExc::kVerificationError,
                   .pattern =
                       "Pallas encountered an internal verification error. "
                       "Please file a bug at "
                       "https://github.com/jax-ml/jax/issues/new/choose. Error "
                       "details: 'mosaic_gpu.async_prefetch' op The "
                       "`slice_lengths` attribute must not contain values less "
                       "than -1.\n see current operation: {op}"}},
             .why = "A slice cannot have fewer than no elements.",
             .fix = "Give pl.ds a size that is not negative.",
             .source = kVerifySource,
             .defect = DefectKind::kWrongMessage,
             .spec_verdict = "Refuse while tracing."},
     .violated = [](const Prefetch& prefetch) -> Finding {
       const auto& slices = prefetch.access.slices;
       if (std::none_of(slices.begin(), slices.end(),
                        [](const GmemSlice& slice) {
                          return slice.kind != GmemSlice::Kind::kIndex &&
                                 slice.size < kSqueezed;
                        })) {
         return Holds();
       }
       return Broken({{"op", PrintOp(prefetch)}});
     }},
};

// The box that the dialect's op describes. A slice of length -1 is an integer
// index to it.
TmaTransfer Transfer(const Prefetch& prefetch) {
  TmaTransfer transfer;
  for (const int64_t length : prefetch.lengths()) {
    const bool squeezed = length < 0;
    transfer.box.push_back(
        {.length = squeezed ? 1 : length, .squeezed = squeezed});
  }
  for (const GmemSlice& slice : prefetch.access.slices) {
    if (slice.gather != nullptr) transfer.gather = slice.gather;
  }
  return transfer;
}

// Row numbers or a negative length, all that verification can object to.
bool HasOddSlice(const RefExpr& ref) {
  return std::any_of(ref.views.begin(), ref.views.end(), [](const View& view) {
    const auto* at = std::get_if<AtView>(&view);
    return at != nullptr &&
           std::any_of(at->indices.begin(), at->indices.end(),
                       [](const Index& index) {
                         const auto* slice = std::get_if<DynamicSlice>(&index);
                         return std::holds_alternative<GatherIndex>(index) ||
                                (slice != nullptr && slice->size < 0);
                       });
  });
}

// The views of an op whose own rule was accepted.
bool ReadViews(const AsyncPrefetchOp& op, const GmemArray& array,
               const KernelConfig& config, const Location& at, Checker& checker,
               GmemAccess& access) {
  return LowerGmemViews(op.ref, array, config, false, Location(at, "ref"),
                        checker, access);
}

}  // namespace

bool LowerPrefetchWarpgroup(const AsyncPrefetchOp& op,
                            const KernelConfig& config, bool warp,
                            const Location& at, Checker& checker) {
  const GmemArray array = PrefetchedArray(op, config);
  GmemAccess access;
  return LowerIndexValues(op.ref, false, warp, Location(at, "ref"), checker) &&
         ReadViews(op, array, config, at, checker, access) &&
         CheckPrefetchAxes(op, config, at, checker) &&
         checker.Check(kPrefetchRules, Prefetch{op, array, access}, at);
}

bool VerifyPrefetchWarpgroup(const AsyncPrefetchOp& op,
                             const KernelConfig& config, const Location& at,
                             Checker& checker) {
  if (!HasOddSlice(op.ref)) return true;
  const GmemArray array = PrefetchedArray(op, config);
  GmemAccess access;
  return ReadViews(op, array, config, at, checker, access) &&
         checker.Check(kVerifyRules, Prefetch{op, array, access}, at);
}

bool InferPrefetchWarpgroup(const AsyncPrefetchOp& op, const Location& at,
                            Checker& checker) {
  return InferIndexValues(op.ref, Location(at, "ref"), checker);
}

bool LowerPrefetchDialect(const AsyncPrefetchOp& op, const KernelConfig& config,
                          const Location& at, Checker& checker) {
  const Location ref(at, "ref");
  const GmemArray array = PrefetchedArray(op, config);
  GmemAccess access;
  return ReadViews(op, array, config, at, checker, access) &&
         CheckTmaArray(array, ref, checker) &&
         CheckTmaGather(access, false, ref, checker) &&
         CheckTmaTransfer(array, Transfer({op, array, access}), ref, checker);
}

bool FinishPrefetchWarpgroup(const AsyncPrefetchOp& op,
                             const KernelConfig& config, const Location& at,
                             Checker& checker) {
  // A slice of length -1 is an integer index.
  if (HasPlainDescriptor(op.ref) && !HasOddSlice(op.ref)) return true;
  const GmemArray array = PrefetchedArray(op, config);
  GmemAccess access;
  return ReadViews(op, array, config, at, checker, access) &&
         CheckTmaDescriptor(array, Transfer({op, array, access}).box,
                            Location(at, "ref"), checker);
}

void AppendWarpgroupPrefetchRules(RuleList& rules) {
  AppendDocs(kPrefetchRules, Stage::kLowerBody, rules);
  AppendDocs(kVerifyRules, Stage::kVerifyBody, rules);
}

}  // namespace pallasite

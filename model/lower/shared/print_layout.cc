#include "model/lower/shared/print_layout.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/config/walk.h"
#include "model/evaluate.h"
#include "model/lower/lane/union_member.h"
#include "model/lower/warpgroup/smem_use.h"
#include "model/python.h"
#include "model/resolve.h"
#include "model/trace/print_layout.h"

namespace pallasite {
namespace {

constexpr std::string_view kArea = "profiler/debug";
constexpr std::string_view kSource = "primitives.py _print_layout_lowering";

struct Use {
  ResolvedRef target;
  bool lane = false;
  bool warp = false;
  bool transposed_scalar = false;

  const RefSpec* ref() const {
    return target.leaf == nullptr ? nullptr
                                  : std::get_if<RefSpec>(&target.leaf->node);
  }
  bool barrier() const {
    return target.leaf != nullptr &&
           (std::holds_alternative<BarrierSpec>(target.leaf->node) ||
            std::holds_alternative<ClusterBarrierSpec>(target.leaf->node));
  }
};

constexpr Rule<Use> kContextRules[] = {
    {.doc = {.id = "lower.print-layout.warp-context",
             .area = kArea,
             .phase = Phase::kLower,
             .wordings =
                 {{.raises = PyExc::kNotImplementedError,
                   .pattern =
                       "Unimplemented primitive in Pallas Mosaic GPU lowering: "
                       "print_layout for lowering semantics "
                       "LoweringSemantics.{lowering} and user thread semantics "
                       "PrimitiveSemantics.Warp. Please file an issue at "
                       "https://github.com/jax-ml/jax/issues/new/choose."}},
             .why = "Only a few primitives have a meaning for a single warp.",
             .fix = "Move print_layout out of warp_map.",
             .source = "lowering.py lower_jaxpr_to_mosaic_gpu"},
     .violated = [](const Use& use) -> Finding {
       if (!use.warp) return Holds();
       return Broken({{"lowering", use.lane ? "Lane" : "Warpgroup"}});
     }},
    {.doc =
         {.id = "lower.print-layout.barrier",
          .area = kArea,
          .phase = Phase::kLower,
          .wordings = {{.raises = PyExc::kAssertionError, .pattern = "{text}"}},
          .why = "A barrier has no layout.",
          .fix = "Print the layout of an array, or of a ref in SMEM or TMEM.",
          .source = kSource,
          .defect = DefectKind::kUndocumented,
          .spec_verdict = "Refuse when the kernel is traced, naming the kind "
                          "of ref."},
     .violated = [](const Use& use) -> Finding {
       if (!use.barrier()) return Holds();
       // Lane semantics prints the barrier's own repr, with addresses.
       return Broken({{"text", use.lane ? "{*}" : ""}});
     }},
    {.doc = {.id = "lower.print-layout.lane-gmem",
             .area = kArea,
             .phase = Phase::kLower,
             .wordings = {{.raises = PyExc::kAssertionError,
                           .pattern = "OpResult({*})"}},
             .why = "Arrays in global memory are always row-major; there is no "
                    "layout to print.",
             .fix =
                 "Print the layout of an array, or of a ref in SMEM or TMEM.",
             .source = kSource,
             .defect = DefectKind::kUndocumented,
             .spec_verdict = "Refuse when the kernel is traced, naming the "
                             "memory space."},
     .violated =
         [](const Use& use) {
           return BrokenIf(use.lane && use.target.array != nullptr);
         }},
};

constexpr Rule<Use> kTransposeRules[] = {
    {.doc = {.id = "lower.print-layout.scalar-transpose",
             .area = kArea,
             .phase = Phase::kLower,
             .wordings = {{.raises = PyExc::kSegmentationFault, .pattern = ""}},
             .why =
                 "The MLIR bindings follow a null pointer when they transpose "
                 "a scalar, and the Python process dies.",
             .fix = "Do not transpose refs of rank 0.",
             .source = "utils.py memref_transpose",
             .defect = DefectKind::kUndocumented,
             .spec_verdict =
                 "Accept: the transpose of a scalar is the scalar."},
     .violated =
         [](const Use& use) { return BrokenIf(use.transposed_scalar); }},
};

constexpr Rule<Use> kTmemRules[] = {
    {.doc = {.id = "lower.print-layout.batched-tmem",
             .area = kArea,
             .phase = Phase::kLower,
             .wordings = {{.raises = PyExc::kNotImplementedError,
                           .pattern = "Unsupported transforms "
                                      "[ExpandLeadingBatchDimensionsTransform("
                                      "batch_shape={batch})]."}},
             .why = "The batch dimensions of a TMEM ref are a view on its "
                    "columns, and print_layout takes no views.",
             .fix = "Index the batch dimensions first: ref.at[i].",
             .source = kSource},
     .violated = [](const Use& use) -> Finding {
       const RefSpec* ref = use.ref();
       if (ref == nullptr || ref->space != MemorySpace::kTmem ||
           ref->shape.size() <= 2) {
         return Holds();
       }
       const auto batch =
           absl::MakeConstSpan(ref->shape).first(ref->shape.size() - 2);
       return Broken({{"batch", PyTuple(batch)}});
     }},
};

constexpr Rule<Use> kVerifyRules[] = {
    {.doc = {.id = "lower.print-layout.warpgroup-gmem",
             .area = kArea,
             .phase = Phase::kLower,
             .wordings =
                 {{.raises = PyExc::kVerificationError,
                   .pattern = "Pallas encountered an internal verification "
                              "error. Please file a bug at "
                              "https://github.com/jax-ml/jax/issues/new/choose."
                              " Error details: 'mosaic_gpu.print_layout' "
                              "{*}"}},
             .why = "Arrays in global memory are always row-major; there is no "
                    "layout to print.",
             .fix =
                 "Print the layout of an array, or of a ref in SMEM or TMEM.",
             .source = "mosaic/gpu/core.py _lower_as_gpu_kernel",
             .defect = DefectKind::kUndocumented,
             .spec_verdict = "Refuse when the kernel is traced, naming the "
                             "memory space."},
     .violated =
         [](const Use& use) {
           return BrokenIf(!use.lane && use.target.array != nullptr);
         }},
};

Use UseOf(const PrintLayoutOp& op, const KernelConfig& config, bool warp,
          const Checker& checker) {
  const ResolvedRef target = Resolve(config, op.ref);
  return {.target = target,
          .lane = LoweringOf(config, checker.release()) == Lowering::kLane,
          .warp = warp,
          .transposed_scalar = IsScalarTranspose(op.ref, target)};
}

// Members of unions may have become narrower than they were declared.
DType DTypeOf(const Use& use) {
  return use.target.union_of != nullptr ? WithoutX64(use.ref()->dtype)
                                        : use.ref()->dtype;
}

// Whether a pass over the printed scratch could refuse the ref at all; spares
// the search through the body for all others.
bool MayBeRefused(const RefSpec& ref) {
  const DTypeKind kind = Info(ref.dtype).kind;
  return kind == DTypeKind::kBool || kind == DTypeKind::kComplex ||
         std::find(ref.shape.begin(), ref.shape.end(), 0) != ref.shape.end();
}

bool IsPrinted(const std::vector<Op>& body, const KernelConfig& config,
               const RefTree& leaf) {
  return std::any_of(body.begin(), body.end(), [&](const Op& op) {
    const auto* print = std::get_if<PrintLayoutOp>(&op.node);
    return print != nullptr && Resolve(config, print->ref).leaf == &leaf;
  });
}

}  // namespace

bool LowerPrintLayout(const PrintLayoutOp& op, const KernelConfig& config,
                      bool warp, const Location& at, Checker& checker) {
  const Use use = UseOf(op, config, warp, checker);
  const Location ref(at, "ref");
  if (!checker.Check(kContextRules, use, ref)) return false;
  if (use.target.union_of != nullptr &&
      !ExtractUnionMember(use.target, use.lane, ref, checker)) {
    return false;
  }
  if (!use.lane && use.ref() != nullptr &&
      !LowerSmemUse(*use.ref(), ref, checker)) {
    return false;
  }
  if (!checker.Check(kTransposeRules, use, ref)) return false;
  return checker.Check(kTmemRules, use, ref);
}

bool VerifyPrintLayout(const PrintLayoutOp& op, const KernelConfig& config,
                       const Location& at, Checker& checker) {
  const Use use = UseOf(op, config, false, checker);
  if (use.lane) return true;
  const Location ref(at, "ref");
  return checker.Check(kVerifyRules, use, ref) &&
         (use.ref() == nullptr || VerifySmemUse(*use.ref(), ref, checker));
}

bool InferPrintLayout(const PrintLayoutOp& op, const KernelConfig& config,
                      const Location& at, Checker& checker) {
  const Use use = UseOf(op, config, false, checker);
  const RefSpec* ref = use.ref();
  return ref == nullptr || ref->space != MemorySpace::kSmem ||
         ref->transforms.empty() ||
         InferSmemUse(*ref, DTypeOf(use), Location(at, "ref"), checker);
}

bool InferPrintedScratch(const KernelConfig& config, const Location& root,
                         Checker& checker) {
  return ForEachScratchLeaf(
      config, root, [&](const RefTree& leaf, const Location& at) {
        const auto* ref = std::get_if<RefSpec>(&leaf.node);
        return ref == nullptr || ref->space != MemorySpace::kSmem ||
               !ref->transforms.empty() || !MayBeRefused(*ref) ||
               !IsPrinted(config.body, config, leaf) ||
               InferSmemUse(*ref, ref->dtype, at, checker);
      });
}

bool LowerPrintedScratch(const KernelConfig& config, const Location& root,
                         Checker& checker) {
  return ForEachScratchLeaf(
      config, root, [&](const RefTree& leaf, const Location& at) {
        const auto* ref = std::get_if<RefSpec>(&leaf.node);
        return ref == nullptr || ref->space != MemorySpace::kTmem ||
               !MayBeRefused(*ref) || !IsPrinted(config.body, config, leaf) ||
               LowerTmemUse(*ref, ref->dtype, at, checker);
      });
}

bool LowerPrintDialect(const PrintLayoutOp& op, const KernelConfig& config,
                       const Location& at, Checker& checker) {
  const Use use = UseOf(op, config, false, checker);
  const RefSpec* ref = use.ref();
  return ref == nullptr || ref->space != MemorySpace::kTmem ||
         use.target.union_of == nullptr ||
         LowerTmemUse(*ref, DTypeOf(use), Location(at, "ref"), checker);
}

void AppendPrintLayoutRules(RuleList& rules) {
  AppendDocs(kContextRules, Stage::kLowerBody, rules);
  AppendDocs(kTransposeRules, Stage::kLowerBody, rules);
  AppendDocs(kTmemRules, Stage::kLowerBody, rules);
  AppendDocs(kVerifyRules, Stage::kVerifyBody, rules);
}

}  // namespace pallasite

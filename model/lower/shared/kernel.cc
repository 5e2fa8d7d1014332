#include "model/lower/shared/kernel.h"

#include <variant>
#include <vector>

#include "model/config/walk.h"
#include "model/evaluate.h"

namespace pallasite {
namespace {

constexpr Rule<CompilerParams> kParamsRules[] = {
    {.doc = {.id = "lower.compiler-params.dimension-semantics",
             .area = "mesh/grid/kernel-params",
             .phase = Phase::kLower,
             .wordings = {{.raises = PyExc::kNotImplementedError,
                           .pattern = "dimension_semantics= is not supported "
                                      "by the unpipelined lowering"}},
             .why = "All grid axes of plgpu.kernel are parallel; sequential "
                    "axes belong to pipelines.",
             .fix = "Drop dimension_semantics from CompilerParams.",
             .source = "lowering.py lower_unpipelined_jaxpr_to_module"},
     .violated =
         [](const CompilerParams& params) {
           return BrokenIf(params.dimension_semantics.has_value());
         }},
};

struct BarrierCount {
  Wide count = 1;
};

constexpr Rule<BarrierCount> kVerifyRules[] = {
    {.doc = {.id = "lower.barrier.warpgroup-zero",
             .area = "barriers",
             .phase = Phase::kLower,
             .wordings =
                 {{.raises = PyExc::kVerificationError,
                   .pattern =
                       "Pallas encountered an internal verification error. "
                       "Please file a bug at "
                       "https://github.com/jax-ml/jax/issues/new/choose. Error "
                       "details: 'mosaic_gpu.initialize_barrier' {*}"}},
             .why = "Under Warpgroup semantics an array of barriers must hold "
                    "at least one.",
             .fix = "Pass a positive num_barriers, or drop the Barrier.",
             .source = "mosaic/gpu/core.py _lower_as_gpu_kernel",
             .defect = DefectKind::kUndocumented,
             .spec_verdict = "Refuse num_barriers < 1 when the barrier is "
                             "built, alike for both semantics."},
     .violated = [](const BarrierCount& b) { return BrokenIf(b.count == 0); }},
};

}  // namespace

bool LowerKernelParams(const CompilerParams& params, const Location& at,
                       Checker& checker) {
  return checker.Check(kParamsRules, params, at);
}

bool VerifyKernel(const KernelConfig& config, const Location& root,
                  Checker& checker) {
  if (LoweringOf(config, checker.release()) == Lowering::kLane) return true;
  return ForEachScratchLeaf(
      config, root, [&](const RefTree& leaf, const Location& at) {
        const auto* barrier = std::get_if<BarrierSpec>(&leaf.node);
        return barrier == nullptr ||
               checker.Check(kVerifyRules,
                             BarrierCount{*ElementCount(barrier->num_barriers)},
                             at);
      });
}

void AppendKernelLoweringRules(RuleList& rules) {
  AppendDocs(kParamsRules, Stage::kLowerParams, rules);
  AppendDocs(kVerifyRules, Stage::kVerifyKernel, rules);
}

}  // namespace pallasite

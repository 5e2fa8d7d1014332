#include "generators/valid.h"
#include "generators/valid/context.h"

namespace pallasite {
namespace {

// 0.11.0 made Warpgroup the default.
constexpr Release kWarpgroupByDefault = {0, 11, 0};

Lowering GenLowering(Choices& choices, const GenPolicy& policy,
                     CompilerParams& params) {
  enum { kDefault, kLane, kWarpgroup };
  params.lowering = policy.lowering;
  if (!policy.lowering) {
    const auto kind = choices.Weighted({20, 40, 40});
    if (kind == kLane) params.lowering = Lowering::kLane;
    if (kind == kWarpgroup) params.lowering = Lowering::kWarpgroup;
  }
  const Lowering by_default = policy.release >= kWarpgroupByDefault
                                  ? Lowering::kWarpgroup
                                  : Lowering::kLane;
  return params.lowering.value_or(by_default);
}

}  // namespace

KernelConfig GenKernelConfig(Choices& choices, const GenPolicy& policy) {
  KernelConfig config;
  config.inputs.reserve(policy.max_inputs);
  config.outputs.reserve(policy.max_outputs);
  config.scratch.reserve(policy.max_scratch);
  config.body.reserve(policy.max_ops);
  const Arch arch = policy.arch
                        ? *policy.arch
                        : choices.Pick({Arch{9, 0}, Arch{10, 0}, Arch{8, 0}});
  config.target = Target{.jax = policy.release, .arch = arch};
  valid::Context context{
      .choices = choices, .policy = policy, .config = config};
  context.lowering = GenLowering(choices, policy, config.kernel.params);
  valid::GenKernel(context);
  valid::GenArrays(context);
  valid::GenScratch(context);
  valid::GenBody(context);
  return config;
}

}  // namespace pallasite

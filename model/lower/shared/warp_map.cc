#include "model/lower/shared/warp_map.h"

namespace pallasite {
namespace {

struct WarpMapUse {
  bool lane = false;
  bool warp = false;
};

constexpr Rule<WarpMapUse> kWarpMapRules[] = {
    {.doc = {.id = "lower.warp-map.nested",
             .area = "mesh/grid/kernel-params",
             .phase = Phase::kLower,
             .wordings =
                 {{.raises = PyExc::kNotImplementedError,
                   .pattern =
                       "Unimplemented primitive in Pallas Mosaic GPU lowering: "
                       "mpmd_map for lowering semantics "
                       "LoweringSemantics.{semantics} and user thread "
                       "semantics PrimitiveSemantics.Warp. Please file an "
                       "issue at "
                       "https://github.com/jax-ml/jax/issues/new/choose."}},
             .why = "A warp has no warps to map over.",
             .fix = "Call the inner function directly.",
             .source = "lowering.py lower_jaxpr_to_mosaic_gpu"},
     .violated = [](const WarpMapUse& use) -> Finding {
       if (!use.warp) return Holds();
       return Broken({{"semantics", use.lane ? "Lane" : "Warpgroup"}});
     }},
};

}  // namespace

bool LowerWarpMap(bool lane, bool warp, const Location& at, Checker& checker) {
  return checker.Check(kWarpMapRules, WarpMapUse{lane, warp}, at);
}

void AppendWarpMapRules(RuleList& rules) {
  AppendDocs(kWarpMapRules, Stage::kLowerBody, rules);
}

}  // namespace pallasite

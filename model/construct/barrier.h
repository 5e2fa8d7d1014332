#ifndef PALLASITE_MODEL_CONSTRUCT_BARRIER_H_
#define PALLASITE_MODEL_CONSTRUCT_BARRIER_H_

#include <vector>

#include "model/config/ref.h"
#include "model/errors/check.h"

namespace pallasite {

// `plgpu.Barrier(...)` and `plgpu.ClusterBarrier(...)`.
bool CheckBarrierConstruction(const BarrierSpec& barrier, const Location& at,
                              Checker& checker);
bool CheckBarrierConstruction(const ClusterBarrierSpec& barrier,
                              const Location& at, Checker& checker);

void AppendBarrierRules(RuleList& rules);

}  // namespace pallasite

#endif  // PALLASITE_MODEL_CONSTRUCT_BARRIER_H_

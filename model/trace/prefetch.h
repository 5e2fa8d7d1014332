#ifndef PALLASITE_MODEL_TRACE_PREFETCH_H_
#define PALLASITE_MODEL_TRACE_PREFETCH_H_

#include <vector>

#include "model/config/kernel_config.h"
#include "model/errors/check.h"

namespace pallasite {

// Python evaluates the call of `plgpu.async_prefetch`, and JAX its abstract
// result.
bool TracePrefetch(const AsyncPrefetchOp& op, const KernelConfig& config,
                   const Location& at, Checker& checker);

void AppendPrefetchTraceRules(RuleList& rules);

}  // namespace pallasite

#endif  // PALLASITE_MODEL_TRACE_PREFETCH_H_

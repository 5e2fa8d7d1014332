#ifndef PALLASITE_MODEL_TRACE_VIEWS_H_
#define PALLASITE_MODEL_TRACE_VIEWS_H_

#include <vector>

#include "model/config/kernel_config.h"
#include "model/errors/check.h"
#include "model/resolve.h"

namespace pallasite {

// Python evaluates a ref expression: each view is applied to the ref before it.
// Most views look at nothing; `.at` and `.reshape` need the shape, and only
// then are the transposes before them applied.
bool TraceViews(const RefExpr& expr, const ResolvedRef& resolved,
                const KernelConfig& config, const Location& at,
                Checker& checker);

// Handing the evaluated expression to a primitive, which takes the integers in
// its views as operands.
bool TraceViewOperands(const RefExpr& expr, const Location& at,
                       Checker& checker);

// As JAX prints the type of the ref in memory: "Ref<smem>{float32[128]}".
std::string RefType(const ResolvedRef& resolved);
// The memory space of the ref; barriers live in SMEM, accumulators in REGS.
MemorySpace SpaceOf(const ResolvedRef& resolved);

void AppendViewRules(RuleList& rules);

}  // namespace pallasite

#endif  // PALLASITE_MODEL_TRACE_VIEWS_H_

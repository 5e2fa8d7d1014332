#ifndef PALLASITE_MODEL_TRACE_PRINT_LAYOUT_H_
#define PALLASITE_MODEL_TRACE_PRINT_LAYOUT_H_

#include "model/config/kernel_config.h"
#include "model/errors/check.h"
#include "model/resolve.h"

namespace pallasite {

// `.transpose(())` of a scalar in SMEM, the one view that is modelled here.
bool IsScalarTranspose(const RefExpr& expr, const ResolvedRef& resolved);

bool TracePrintLayout(const PrintLayoutOp& op, const KernelConfig& config,
                      const Location& at, Checker& checker);

}  // namespace pallasite

#endif  // PALLASITE_MODEL_TRACE_PRINT_LAYOUT_H_

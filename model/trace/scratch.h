#ifndef PALLASITE_MODEL_TRACE_SCRATCH_H_
#define PALLASITE_MODEL_TRACE_SCRATCH_H_

#include <vector>

#include "model/config/ref.h"
#include "model/errors/check.h"

namespace pallasite {

// Turning a scratch declaration into abstract refs, when the kernel is traced:
// the transforms of every ref are applied to its shape.
bool TraceScratch(const RefTree& tree, const Location& at, Checker& checker);

void AppendScratchRules(RuleList& rules);

}  // namespace pallasite

#endif  // PALLASITE_MODEL_TRACE_SCRATCH_H_

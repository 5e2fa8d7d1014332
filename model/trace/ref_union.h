#ifndef PALLASITE_MODEL_TRACE_REF_UNION_H_
#define PALLASITE_MODEL_TRACE_REF_UNION_H_

#include <vector>

#include "model/errors/check.h"
#include "model/resolve.h"

namespace pallasite {

// Taking a union apart into its members, which any use of it or of a member
// does.
bool UnpackUnion(const ResolvedRef& resolved, const Location& at,
                 Checker& checker);

void AppendRefUnionTraceRules(RuleList& rules);

}  // namespace pallasite

#endif  // PALLASITE_MODEL_TRACE_REF_UNION_H_

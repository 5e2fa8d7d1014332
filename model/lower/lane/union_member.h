#ifndef PALLASITE_MODEL_LOWER_LANE_UNION_MEMBER_H_
#define PALLASITE_MODEL_LOWER_LANE_UNION_MEMBER_H_

#include <vector>

#include "model/errors/check.h"
#include "model/resolve.h"

namespace pallasite {

// Reaching a member of a union from the kernel body, the first thing that the
// lowering of any use of it does. Warpgroup semantics places the member anew
// and checks less.
bool ExtractUnionMember(const ResolvedRef& member, bool lane,
                        const Location& at, Checker& checker);

void AppendUnionMemberRules(RuleList& rules);

}  // namespace pallasite

#endif  // PALLASITE_MODEL_LOWER_LANE_UNION_MEMBER_H_

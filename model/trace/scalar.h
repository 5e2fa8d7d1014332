#ifndef PALLASITE_MODEL_TRACE_SCALAR_H_
#define PALLASITE_MODEL_TRACE_SCALAR_H_

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "model/config/kernel_config.h"
#include "model/config/shape.h"
#include "model/errors/check.h"

namespace pallasite {

// JAX holds a Python integer that enters a computation in 32 bits.
inline bool FitsInt32(Wide value) {
  return value >= std::numeric_limits<int32_t>::min() &&
         value <= std::numeric_limits<int32_t>::max();
}

// True for an axis of the JAX device mesh, whose index is known on the host.
// Such an axis hides a kernel axis of the same name.
bool IsMeshAxis(const KernelConfig& config, const std::string& axis);

// Python evaluates the expression in the kernel body.
bool TraceScalar(const Scalar& scalar, const KernelConfig& config,
                 const Location& at, Checker& checker);
bool TracePredicate(const Predicate& predicate, const KernelConfig& config,
                    const Location& at, Checker& checker);

void AppendScalarRules(RuleList& rules);

}  // namespace pallasite

#endif  // PALLASITE_MODEL_TRACE_SCALAR_H_

#ifndef PALLASITE_MODEL_LOWER_SHARED_PREFETCH_H_
#define PALLASITE_MODEL_LOWER_SHARED_PREFETCH_H_

#include "model/config/kernel_config.h"
#include "model/errors/check.h"
#include "model/lower/shared/gmem_access.h"

namespace pallasite {

// The input or output that is prefetched: tracing let nothing else pass.
GmemArray PrefetchedArray(const AsyncPrefetchOp& op,
                          const KernelConfig& config);

// Looks the collective axes up.
bool CheckPrefetchAxes(const AsyncPrefetchOp& op, const KernelConfig& config,
                       const Location& at, Checker& checker);

// True when nothing about the descriptor can fail: no integer indexes a
// dimension, and the memory is this device's.
bool HasPlainDescriptor(const RefExpr& ref);

}  // namespace pallasite

#endif  // PALLASITE_MODEL_LOWER_SHARED_PREFETCH_H_

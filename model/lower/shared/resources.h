#ifndef PALLASITE_MODEL_LOWER_SHARED_RESOURCES_H_
#define PALLASITE_MODEL_LOWER_SHARED_RESOURCES_H_

#include <cstdint>
#include <vector>

#include "model/config/kernel_config.h"
#include "model/errors/check.h"

namespace pallasite {

inline constexpr int64_t kMaxSmemBytes = 227 * 1024;  // a block may ask for

// What the scratch of a kernel adds up to.
struct Resources {
  int64_t smem_bytes = 0;               // each ref padded to kSmemAlignment
  int64_t tmem_columns = 0;             // padded to 8 after each ref
  int64_t tmem_collective_columns = 0;  // likewise
  Wide barriers = 0;
  int64_t barrier_allocations = 0;

  int64_t all_tmem_columns() const {
    return tmem_columns + tmem_collective_columns;
  }
};

// Adds up the scratch, refusing what cannot be allocated at all. The first
// thing that lowering does.
bool EstimateResources(const KernelConfig& config, const Location& root,
                       Checker& checker, Resources& resources);

// Checks the total against the limits and lays out shared memory, barriers and
// tensor memory, in that order.
bool Allocate(const KernelConfig& config, const Resources& resources,
              const Location& root, Checker& checker);

void AppendResourceRules(RuleList& rules);

}  // namespace pallasite

#endif  // PALLASITE_MODEL_LOWER_SHARED_RESOURCES_H_

#ifndef PALLASITE_MODEL_LOWER_SHARED_TMA_H_
#define PALLASITE_MODEL_LOWER_SHARED_TMA_H_

#include <vector>

#include "model/config/ops.h"
#include "model/config/shape.h"
#include "model/errors/check.h"
#include "model/lower/shared/gmem_access.h"
#include "model/lower/shared/tma_engine.h"

namespace pallasite {

struct TmaTransfer {
  TmaBox box;
  const GatherIndex* gather = nullptr;
  // Blocks that share the work, each of which takes a part that is still to be
  // chosen. 1: nothing to share out.
  Wide sharers = 1;
};

// The array as a whole, the first thing to be checked.
bool CheckTmaArray(const GmemArray& array, const Location& at,
                   Checker& checker);
// Row numbers, when the access has any. Layout inference makes them unsigned.
bool CheckTmaGather(const GmemAccess& access, bool lane, const Location& at,
                    Checker& checker);
// The transfer itself, in the order of the engine's own dimensions.
bool CheckTmaTransfer(const GmemArray& array, const TmaTransfer& transfer,
                      const Location& at, Checker& checker);
void AppendTmaRules(RuleList& rules);

}  // namespace pallasite

#endif  // PALLASITE_MODEL_LOWER_SHARED_TMA_H_

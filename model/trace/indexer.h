#ifndef PALLASITE_MODEL_TRACE_INDEXER_H_
#define PALLASITE_MODEL_TRACE_INDEXER_H_

#include <cstdint>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "model/config/kernel_config.h"
#include "model/errors/check.h"

namespace pallasite {

// What `.at[...]` does to one dimension, once slices were clamped to it and the
// ellipsis and missing indices were filled in.
struct DimIndex {
  enum class Kind : uint8_t { kSlice, kInteger, kGather };
  Kind kind = Kind::kSlice;
  int64_t start = 0;  // of a slice, or the integer; when known while tracing
  int64_t size = 0;   // of a slice
  int64_t stride = 1;
  const AxisIndex* axis = nullptr;      // the start, when it is not known
  const GatherIndex* gather = nullptr;  // of kGather
};
using Indexer = absl::InlinedVector<DimIndex, kMaxRank>;

// `view` applied to a ref of this shape, once TraceAt accepted it.
Indexer Promote(const AtView& view, const Shape& shape);

// Rows that all gathers and integers of an index expression are broadcast to; 0
// when there is no gather among them.
int64_t GatheredRows(const AtView& view);

// `ref.at[indices]`: Python evaluates the indices.
bool TraceIndices(const AtView& view, const KernelConfig& config,
                  const Location& at, Checker& checker);
// Then they meet the shape, which becomes that of the result.
bool TraceAt(const AtView& view, const Location& at, Checker& checker,
             Shape& shape);

void AppendIndexerRules(RuleList& rules);

}  // namespace pallasite

#endif  // PALLASITE_MODEL_TRACE_INDEXER_H_

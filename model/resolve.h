#ifndef PALLASITE_MODEL_RESOLVE_H_
#define PALLASITE_MODEL_RESOLVE_H_

#include "model/config/kernel_config.h"

namespace pallasite {

// What a ref expression names, before its views.
struct ResolvedRef {
  // An input or output; null for scratch.
  const ArraySpec* array = nullptr;
  bool is_input = false;
  // A leaf of the scratch; null for inputs and outputs. A union when the path
  // stops there.
  const RefTree* leaf = nullptr;
  // The union that `leaf` is a member of.
  const RefUnionSpec* union_of = nullptr;
  // The path goes through a union inside a union, or ends in a sequence or
  // dict: nothing that an op can take.
  bool unsupported = false;
};

// The reader guarantees that the path exists.
ResolvedRef Resolve(const KernelConfig& config, const RefExpr& expr);

// The union whose memory a ref is, as a member or as a whole; null for others.
const RefUnionSpec* UnionOf(const ResolvedRef& resolved);

}  // namespace pallasite

#endif  // PALLASITE_MODEL_RESOLVE_H_

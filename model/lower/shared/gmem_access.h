#ifndef PALLASITE_MODEL_LOWER_SHARED_GMEM_ACCESS_H_
#define PALLASITE_MODEL_LOWER_SHARED_GMEM_ACCESS_H_

#include <cstdint>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "model/config/kernel_config.h"
#include "model/errors/check.h"

namespace pallasite {

// An array in global memory as the kernel has it.
struct GmemArray {
  DType dtype = DType::kFloat32;
  const Shape& shape;
};

// What is taken of one dimension of an array.
struct GmemSlice {
  enum class Kind : uint8_t {
    kStatic,   // a slice that is known
    kDynamic,  // a slice that starts at a value of the kernel
    kIndex,    // one element, always at a value of the kernel
    kGather,   // rows by number
  };
  Kind kind = Kind::kStatic;
  int64_t start = 0;  // of kStatic
  int64_t size = 0;   // of slices, in elements; rows of kGather
  int64_t stride = 1;
  const GatherIndex* gather = nullptr;
};

struct GmemAccess {
  // One a dimension; none when the whole array is taken.
  absl::InlinedVector<GmemSlice, kMaxRank> slices;
  // The device whose memory it is; null for this one.
  const PeerView* peer = nullptr;
};

// The views of a ref in global memory, as copies and prefetches take them.
bool LowerGmemViews(const RefExpr& expr, const GmemArray& array,
                    const KernelConfig& config, bool lane, const Location& at,
                    Checker& checker, GmemAccess& access);

void AppendGmemAccessRules(RuleList& rules);

}  // namespace pallasite

#endif  // PALLASITE_MODEL_LOWER_SHARED_GMEM_ACCESS_H_

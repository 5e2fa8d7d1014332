#ifndef PALLASITE_GENERATORS_VALID_CONTEXT_H_
#define PALLASITE_GENERATORS_VALID_CONTEXT_H_

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

#include "absl/container/inlined_vector.h"
#include "generators/choices.h"
#include "generators/lattice.h"
#include "generators/policy.h"
#include "model/config/kernel_config.h"

namespace pallasite::valid {

// Shared memory of one block, spent as JAX counts it: every ref rounded up to
// 1024 bytes, then 8 bytes a barrier, 4 for the address of tensor memory, and
// the profiler's buffer.
class SmemBudget {
 public:
  static constexpr int64_t kLimit = 227 * 1024;
  static constexpr int64_t kAlignment = 1024;

  // The largest ref that still fits, in bytes.
  int64_t largest_ref() const {
    return std::max<int64_t>(0, left_ / kAlignment * kAlignment);
  }
  void SpendRef(int64_t bytes) {
    left_ -= (bytes + kAlignment - 1) / kAlignment * kAlignment;
  }
  int64_t left() const { return left_; }
  void Spend(int64_t bytes) { left_ -= bytes; }

 private:
  int64_t left_ = kLimit;
};

// Columns of tensor memory. A kernel allocates either collectively or not.
class TmemBudget {
 public:
  static constexpr int64_t kLimit = 512;

  int64_t left() const { return left_; }
  void Spend(int64_t columns) { left_ -= (columns + 7) / 8 * 8; }
  bool used() const { return left_ < kLimit; }

 private:
  int64_t left_ = kLimit;
};

// An axis that `lax.axis_index` knows, and how many indices it has.
struct Axis {
  std::string_view name;
  int64_t size = 1;
};

// What the generators of one configuration share.
struct Context {
  Choices& choices;
  const GenPolicy& policy;
  KernelConfig& config;
  Lowering lowering = Lowering::kWarpgroup;
  SmemBudget smem;
  TmemBudget tmem;
  // Whether this kernel's tensor memory is collective, and whether it has any.
  bool tmem_collective = false;
  bool tmem_open = false;

  bool Has(Area area) const { return policy.areas.Has(area); }
  bool lane() const { return lowering == Lowering::kLane; }

  int64_t Size(int64_t low, int64_t high, int64_t step = 1) {
    return PickSize(choices, {low, high, step, policy.lattice_only});
  }
  int64_t ClusterSize() const {
    int64_t blocks = 1;
    for (const int64_t size : config.kernel.cluster.sizes) blocks *= size;
    return blocks;
  }
};

// One of the dtypes that the policy allows too; nullopt when there is none. The
// simplest is f32, then the others in DType order.
inline std::optional<DType> PickDType(Context& context, DTypeSet fitting) {
  const DTypeSet candidates = fitting & context.policy.dtypes;
  if (candidates.empty()) return std::nullopt;
  const size_t index = context.choices.UpTo(candidates.size() - 1);
  if (!candidates.Has(DType::kFloat32)) return candidates[index];
  const DTypeSet others = candidates.Without(DType::kFloat32);
  return index == 0 ? DType::kFloat32 : others[index - 1];
}

// --- One subject each, in the order in which they run

void GenKernel(Context& context);   // kernel.cc: mesh, grid, cluster, ...
void GenArrays(Context& context);   // arrays.cc: inputs, outputs
void GenScratch(Context& context);  // scratch.cc: the trees
void GenBody(Context& context);     // body.cc

// --- Parts of a scratch tree

// What a ref is declared for.
enum class RefUse : uint8_t {
  kAlone,
  kUnionMember,      // not the last ref of its group
  kUnionMemberLast,  // its size is the group's
};

// The largest size a ref may take: bytes of SMEM, columns of TMEM.
std::optional<RefSpec> GenSmemRef(Context& context, int64_t bytes, RefUse use);
std::optional<RefSpec> GenTmemRef(Context& context, int64_t columns,
                                  RefUse use);
int64_t SmemBytes(const RefSpec& ref);
int64_t TmemColumns(const RefSpec& ref);
// Whether this kernel can allocate tensor memory at all.
bool OpenTmem(Context& context);

std::optional<RefTree> GenUnion(Context& context);
std::optional<RefTree> GenBarrier(Context& context);
RefTree GenAccumulator(Context& context);

// --- Parts of a body

// Axes in scope of the kernel body.
absl::InlinedVector<Axis, 8> AxesInScope(const KernelConfig& config);

// An op on something that can take it; nullopt when the kernel has no such
// thing.
std::optional<Op> GenPrefetch(Context& context);
std::optional<Op> GenPrintLayout(Context& context);

}  // namespace pallasite::valid

#endif  // PALLASITE_GENERATORS_VALID_CONTEXT_H_

#ifndef PALLASITE_GENERATORS_MUTATIONS_EDIT_H_
#define PALLASITE_GENERATORS_MUTATIONS_EDIT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "generators/choices.h"
#include "model/config/kernel_config.h"

// Changes to a valid configuration that leave it valid, except for what the
// caller puts in.

namespace pallasite::mutations {

// --- Kernel

bool IsLane(const KernelConfig& config);
// Makes the kernel use this lowering. What was valid for the other one goes.
void RequireLowering(KernelConfig& config, Lowering lowering);
// The names of at least `count` axes of the cluster (3 at most), adding some of
// one block where they are missing.
std::vector<std::string> RequireClusterAxes(KernelConfig& config, size_t count);
// A cluster of these sizes. Scratch and body go: they may depend on the old
// one.
void ReplaceCluster(KernelConfig& config, const Shape& sizes);
// An axis of the grid.
std::string RequireGridAxis(KernelConfig& config);
// An axis of the device mesh. When the mesh is new, or goes, the body goes: its
// device ids may depend on it.
std::string RequireMeshAxis(KernelConfig& config);
void RequireNoMesh(KernelConfig& config);
void RequireThreads(KernelConfig& config);
void RequireNoThreads(KernelConfig& config);

// --- Scratch

void ClearScratch(KernelConfig& config);
// Appends an entry, whatever room there is.
RefTree& AddScratch(KernelConfig& config, RefTree tree);
// Appends a ref, a barrier, a union, and makes room for it. Tensor memory takes
// the collective flag of what is there.
RefSpec& AddRef(KernelConfig& config, RefSpec ref);
RefTree& AddLeaf(KernelConfig& config, RefTree leaf);

using RefFilter = absl::FunctionRef<bool(const RefSpec&)>;
// A ref of the scratch, members of unions included, that passes. When there is
// none, `fallback` is added.
RefSpec& SomeRef(KernelConfig& config, Choices& choices, RefFilter passes,
                 RefSpec fallback);
// The same, members of unions excluded.
RefSpec& SomeLoneRef(KernelConfig& config, Choices& choices, RefFilter passes,
                     RefSpec fallback);
// A union in SMEM or TMEM, or a new one of a single ref.
RefUnionSpec& SomeUnion(KernelConfig& config, Choices& choices,
                        MemorySpace space);
std::vector<RefSpec*> Members(RefUnionSpec& spec);

RefSpec Smem(DType dtype, Shape shape,
             std::vector<RefTransform> transforms = {});
RefSpec Tmem(DType dtype, Shape shape, std::optional<bool> packed = {});

// --- Body

// Puts an op somewhere into the body, or into a warp_map if that is allowed.
Op& AddOp(KernelConfig& config, Choices& choices, Op op, bool in_warp = false);
// print_layout of the scratch entry added last.
void PrintLast(KernelConfig& config, Choices& choices,
               std::vector<PathStep> path = {});
// Some async_prefetch of the body, or a new one.
AsyncPrefetchOp& SomePrefetch(KernelConfig& config, Choices& choices);
// A new async_prefetch of a new input, which has 8 rows of 512 bytes unless
// something else is asked for.
ArraySpec Rows(Choices& choices);
AsyncPrefetchOp& AddPrefetch(KernelConfig& config, Choices& choices,
                             ArraySpec array, std::vector<View> views = {},
                             bool in_warp = true);
AsyncPrefetchOp& AddPrefetchOfRows(KernelConfig& config, Choices& choices,
                                   std::vector<View> views,
                                   bool in_warp = true);

}  // namespace pallasite::mutations

#endif  // PALLASITE_GENERATORS_MUTATIONS_EDIT_H_

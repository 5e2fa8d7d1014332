#include "model/lower/shared/resources.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/config/walk.h"
#include "model/lower/shared/barriers.h"
#include "model/lower/shared/cluster_axis.h"
#include "model/physical_shape.h"
#include "model/python.h"
#include "model/tmem_fit.h"
#include "model/tmem_layout.h"
#include "model/union_plan.h"

namespace pallasite {
namespace {

constexpr std::string_view kArea = "mesh/grid/kernel-params";
constexpr std::string_view kSource =
    "lowering.py _run_scoped_resource_estimator";
constexpr int64_t kTmemColumnBlock = 8;
constexpr int64_t kMaxGridExtent = (int64_t{1} << 31) - 1;
constexpr int64_t kMaxClusterExtent = int64_t{1} << 16;

// --- One leaf of the scratch

constexpr Rule<Shape> kTmemShapeRules[] = {
    {.doc = {.id = "lower.scratch.tmem-rank",
             .area = "ref-construction",
             .phase = Phase::kLower,
             .wordings = {{.pattern =
                               "TMEM allocations must be 2D. Got {shape}"}},
             .why = "An explicit layout lets a ref of lower rank be built, but "
                    "tensor memory is allocated as rows by columns.",
             .fix = "Give the ref at least two dimensions.",
             .source = kSource},
     .violated = [](const Shape& shape) -> Finding {
       if (shape.size() == 2) return Holds();
       return Broken({{"shape", PyTuple(shape)}});
     }},
};

constexpr std::string_view kFitSource = "tcgen05.py TMEMLayout.check_type";

constexpr Rule<TmemFit> kTmemFitRules[] = {
    {.doc = {.id = "lower.scratch.tmem-tiles",
             .area = "ref-construction",
             .phase = Phase::kLower,
             .wordings = {{.pattern = kTmemTilesPattern}},
             .why = "The layout repeats a fixed tile, which must cover the ref "
                    "exactly. An explicit layout is compared with the shape "
                    "only when the kernel is lowered.",
             .fix = "Make rows and columns multiples of the tile's, or choose "
                    "another layout.",
             .source = kFitSource},
     .violated = TmemTilesMismatch},
    {.doc = {.id = "lower.scratch.tmem-vector-length",
             .area = "ref-construction",
             .phase = Phase::kLower,
             .wordings = {{.pattern = kTmemVectorPattern}},
             .why = "A cell holds one element, or as many as fit in 32 bits; a "
                    "layout made for another element width does neither.",
             .fix = "Choose a layout made for this element width.",
             .source = kFitSource},
     .violated = TmemVectorMismatch},
};

constexpr Rule<RefSpec> kSpaceRules[] = {
    {.doc = {.id = "lower.scratch.gmem",
             .area = "ref-construction",
             .phase = Phase::kLower,
             .wordings = {{.raises = PyExc::kNotImplementedError,
                           .pattern = "Unsupported memory space: gmem"}},
             .why = "Global memory is owned by the caller; a kernel cannot "
                    "allocate it.",
             .fix = "Pass the buffer as an input or output of the kernel.",
             .source = kSource},
     .violated =
         [](const RefSpec& ref) {
           return BrokenIf(ref.space == MemorySpace::kGmem);
         }},
};

void AddTmem(int64_t columns, bool collective, Resources& resources) {
  int64_t& total =
      collective ? resources.tmem_collective_columns : resources.tmem_columns;
  total += AlignUp(columns, kTmemColumnBlock);
}

bool EstimateRef(const RefSpec& ref, const Location& at, Checker& checker,
                 Resources& resources) {
  if (ref.space == MemorySpace::kRegs) return true;
  if (ref.space == MemorySpace::kGmem) {
    return checker.Check(kSpaceRules, ref, at);
  }
  const Shape shape = PhysicalShape(ref);
  if (ref.space == MemorySpace::kSmem) {
    int64_t bits = Info(ref.dtype).bits;
    for (const int64_t extent : shape) bits *= extent;
    resources.smem_bytes += AlignUp(bits / 8, kSmemAlignment);
    return true;
  }
  if (!checker.Check(kTmemShapeRules, shape, at)) return false;
  const TmemFit fit = {
      .layout = LayoutOf(ref), .shape = shape, .bits = Info(ref.dtype).bits};
  if (ref.layout && !checker.Check(kTmemFitRules, fit, at)) return false;
  AddTmem(ColumnsInShape(fit.layout, shape), ref.collective.value_or(false),
          resources);
  return true;
}

void EstimateUnion(const RefUnionSpec& spec, Resources& resources) {
  const int64_t size = ReservedSize(spec);
  if (SpaceOf(spec) == MemorySpace::kTmem) {
    AddTmem(size, IsCollective(spec), resources);
  } else {
    resources.smem_bytes += AlignUp(size, kSmemAlignment);
  }
}

template <typename Spec>
bool CountBarriers(const Spec& barrier, const Location& at, Checker& checker,
                   Resources& resources) {
  const std::optional<Wide> count = ElementCount(barrier.num_barriers);
  if (!count || *count > kMaxElements || *count < -kMaxElements ||
      barrier.num_arrivals > kMaxElements) {
    return checker.Unmodelled("barriers or arrivals beyond 2^48", at);
  }
  resources.barriers += *count;
  ++resources.barrier_allocations;
  return true;
}

// --- Totals

struct Totals {
  const Resources& resources;
  const KernelConfig& config;

  // Scratch, one 8-byte mbarrier each, and the address of tensor memory.
  Wide user_bytes() const {
    return resources.smem_bytes + 8 * resources.barriers +
           (resources.all_tmem_columns() > 0 ? 4 : 0);
  }
  Wide smem_bytes() const { return user_bytes() + profiler_bytes(); }
  // Room for the events of every trace of a block; 8-byte aligned.
  Wide profiler_bytes() const {
    const CompilerParams& params = config.kernel.params;
    const int64_t space = params.profile_space.value_or(0);
    if (space == 0) return 0;
    const int64_t threads =
        std::max<int64_t>(config.kernel.threads.count.value_or(1), 1);
    const bool warps = params.profile_trace_scope == TraceScope::kWarp;
    const Wide user = user_bytes();
    return (AlignUp<Wide>(user, 8) - user) +
           Wide{4} * space * 4 * threads * (warps ? 4 : 1);
  }
  // Tensor memory is handed out in powers of two, 32 columns at least.
  Wide rounded_columns() const {
    Wide columns = 32;
    while (columns < resources.all_tmem_columns()) columns *= 2;
    return columns;
  }
  // Minor to major, as CUDA has it, padded with ones.
  Shape cuda_cluster() const {
    Shape cluster(config.kernel.cluster.sizes.rbegin(),
                  config.kernel.cluster.sizes.rend());
    cluster.resize(3, 1);
    return cluster;
  }
};

constexpr Rule<Totals> kMixRules[] = {
    {.doc = {.id = "lower.tmem.collective-mix",
             .area = "tcgen05/tmem",
             .phase = Phase::kLower,
             .wordings = {{.pattern =
                               "Can't mix collective and non-collective TMEM "
                               "allocations within the same kernel."}},
             .why = "A kernel allocates tensor memory once, either alone or "
                    "together with its partner CTA.",
             .fix = "Give all TMEM scratch of the kernel the same collective "
                    "flag.",
             .source = "lowering.py lower_jaxpr_to_module"},
     .violated =
         [](const Totals& t) {
           return BrokenIf(t.resources.tmem_columns > 0 &&
                           t.resources.tmem_collective_columns > 0);
         }},
};

constexpr Rule<Totals> kSmemRules[] = {
    {.doc = {.id = "lower.smem.exceeds-limit",
             .area = kArea,
             .phase = Phase::kLower,
             .wordings = {{.pattern =
                               "Mosaic GPU kernel exceeds available shared "
                               "memory: smem_bytes={bytes} > "
                               "max_smem_bytes=232448"}},
             .why = "A block may use 227 KiB of shared memory: its scratch, "
                    "every ref padded to 1 KiB, 8 bytes a barrier and 4 for "
                    "tensor memory.",
             .fix =
                 "Shrink the scratch, let refs with disjoint lifetimes share "
                 "memory in a RefUnion, or use fewer pipeline stages.",
             .source = "mosaic/gpu/core.py _launch"},
     .violated = [](const Totals& t) -> Finding {
       const Wide bytes = t.smem_bytes();
       if (bytes <= kMaxSmemBytes) return Holds();
       return Broken({{"bytes", PyInt(bytes)}});
     }},
    {.doc = {.id = "lower.cluster.zero-extent",
             .area = kArea,
             .phase = Phase::kLower,
             .wordings = {{.raises = PyExc::kZeroDivisionError,
                           .pattern = "integer modulo by zero"}},
             .why = "A cluster without blocks cannot be launched.",
             .fix = "Give every cluster axis a size of at least 1.",
             .source = "mosaic/gpu/core.py _launch",
             .defect = DefectKind::kUndocumented,
             .spec_verdict = "Refuse when the Mesh is built, naming the axis."},
     .violated =
         [](const Totals& t) {
           const Shape& sizes = t.config.kernel.cluster.sizes;
           return BrokenIf(std::find(sizes.begin(), sizes.end(), 0) !=
                           sizes.end());
         }},
};

constexpr Rule<Totals> kTmemTotalRules[] = {
    {.doc = {.id = "lower.tmem.too-many-columns",
             .area = "tcgen05/tmem",
             .phase = Phase::kLower,
             .wordings = {{.pattern =
                               "After rounding up, got {columns} columns, "
                               "exceeding the limit of 512"}},
             .why = "Tensor memory has 512 columns, and an allocation is "
                    "rounded up to a power of two.",
             .fix = "Use fewer columns: pack narrow types, or let refs share "
                    "columns in a RefUnion.",
             .source = "tcgen05.py tmem_alloc_exact_ncols"},
     .violated = [](const Totals& t) -> Finding {
       const Wide columns = t.rounded_columns();
       if (columns <= kTmemMaxColumns) return Holds();
       return Broken({{"columns", PyInt(columns)}});
     }},
    {.doc = {.id = "lower.tmem.collective-odd-cluster",
             .area = "tcgen05/tmem",
             .phase = Phase::kLower,
             .wordings = {{.pattern =
                               "Collective TMEM allocations are only supported "
                               "for clusters with an even number of blocks in "
                               "them. Got cluster: {cluster}"}},
             .why = "Collective tensor memory is allocated by pairs of CTAs of "
                    "one cluster.",
             .fix =
                 "Launch with a cluster of an even number of blocks, or drop "
                 "collective=True.",
             .source = "mosaic/gpu/core.py _launch"},
     .violated = [](const Totals& t) -> Finding {
       if (t.resources.tmem_collective_columns == 0) return Holds();
       const Shape cluster = t.cuda_cluster();
       for (const int64_t size : cluster) {
         if (size % 2 == 0) return Holds();
       }
       return Broken({{"cluster", PyTuple(cluster)}});
     }},
};

void RecordFacts(const Resources& resources, Facts* facts) {
  if (facts == nullptr) return;
  facts->smem_bytes = resources.smem_bytes;
  facts->tmem_columns = resources.tmem_columns;
  facts->tmem_collective_columns = resources.tmem_collective_columns;
  facts->barriers = static_cast<int64_t>(resources.barriers);
  facts->barrier_allocations = resources.barrier_allocations;
}

}  // namespace

bool EstimateResources(const KernelConfig& config, const Location& root,
                       Checker& checker, Resources& resources) {
  checker.Enter(Stage::kEstimate);
  const bool ok = ForEachScratchLeaf(
      config, root, [&](const RefTree& leaf, const Location& at) {
        return std::visit(
            Overloaded{[&](const RefSpec& ref) {
                         return EstimateRef(ref, at, checker, resources);
                       },
                       [&](const BarrierSpec& barrier) {
                         return CountBarriers(barrier, at, checker, resources);
                       },
                       [&](const ClusterBarrierSpec& barrier) {
                         const Location axes(at, "collective_axes");
                         for (const auto& group : barrier.collective_axes) {
                           for (const std::string& axis : group) {
                             if (!CheckClusterAxis(config.kernel, axis, axes,
                                                   checker)) {
                               return false;
                             }
                           }
                         }
                         return CountBarriers(barrier, at, checker, resources);
                       },
                       [&](const RefUnionSpec& spec) {
                         EstimateUnion(spec, resources);
                         return true;
                       },
                       // Accumulators take registers; sequences and dicts are
                       // no leaves.
                       [&](const auto&) { return true; }},
            leaf.node);
      });
  if (!ok) return false;
  RecordFacts(resources, checker.facts());
  checker.Enter(Stage::kEstimateTotals);
  return checker.Check(kMixRules, Totals{resources, config}, root);
}

bool Allocate(const KernelConfig& config, const Resources& resources,
              const Location& root, Checker& checker) {
  checker.Enter(Stage::kSharedMemory);
  const Totals totals{resources, config};
  const Location kernel(root, "kernel");
  const Shape& grid = config.kernel.grid.sizes;
  if (std::any_of(grid.begin(), grid.end(), [](int64_t size) {
        return size < -kMaxGridExtent || size > kMaxGridExtent;
      })) {
    return checker.Unmodelled("grid extents beyond 32 bits",
                              Location(kernel, "grid"));
  }
  if (config.kernel.threads.count.value_or(0) < -kMaxGridExtent) {
    return checker.Unmodelled("thread counts beyond 32 bits",
                              Location(kernel, "threads"));
  }
  const Shape& cluster = config.kernel.cluster.sizes;
  if (std::any_of(cluster.begin(), cluster.end(), [](int64_t size) {
        return size < 0 || size > kMaxClusterExtent;
      })) {
    return checker.Unmodelled("cluster extents that are negative or huge",
                              Location(kernel, "cluster"));
  }
  if (!checker.Check(kSmemRules, totals, Location(root, "scratch"))) {
    return false;
  }
  if (config.kernel.params.profile_space.value_or(0) != 0) {
    return checker.Unmodelled("profiling, which needs a GPU host to lower",
                              Location(kernel, "params"));
  }
  checker.Enter(Stage::kBarriers);
  if (!AllocateBarriers(config, root, checker)) return false;
  checker.Enter(Stage::kTensorMemory);
  return resources.all_tmem_columns() == 0 ||
         checker.Check(kTmemTotalRules, totals, Location(root, "scratch"));
}

void AppendResourceRules(RuleList& rules) {
  AppendDocs(kSpaceRules, Stage::kEstimate, rules);
  AppendDocs(kTmemShapeRules, Stage::kEstimate, rules);
  AppendDocs(kTmemFitRules, Stage::kEstimate, rules);
  AppendDocs(kMixRules, Stage::kEstimateTotals, rules);
  AppendDocs(kSmemRules, Stage::kSharedMemory, rules);
  AppendBarrierAllocationRules(rules);
  AppendDocs(kTmemTotalRules, Stage::kTensorMemory, rules);
}

}  // namespace pallasite

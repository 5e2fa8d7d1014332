#include "model/lower/shared/resources.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/config/walk.h"
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

// --- Barriers

// An array of barriers about to be initialised.
struct BarrierArray {
  Wide count = 0;
  const ClusterBarrierSpec* cluster = nullptr;  // null for a plain Barrier
  const AxisList* axes = nullptr;               // of the kernel's cluster
  bool leader_tracked() const {
    return cluster != nullptr && cluster->leader_tracked;
  }
};

// The mask of a collective barrier has a bit for every block of the cluster:
// the position of the highest one that a group of axes sets.
Wide HighestMaskBit(const AxisList& axes,
                    const std::vector<std::string>& group) {
  Wide bit = 0;
  for (const std::string& axis : group) {
    // Minor to major is the reverse of the declaration; the last one counts.
    Wide stride = 1;
    for (size_t i = axes.names.size(); i-- > 0;) {
      if (axes.names[i] == axis) {
        bit += (axes.sizes[i] - 1) * stride;
        break;
      }
      stride *= axes.sizes[i];
    }
  }
  return bit;
}

constexpr std::string_view kBarrierSource =
    "utils.py BarrierRef.initialize, DialectBarrierRef.initialize";
constexpr std::string_view kLeaderSource =
    "utils.py CollectiveBarrierRef.initialize";

constexpr Rule<BarrierArray> kBarrierRules[] = {
    {.doc = {.id = "lower.barrier.negative-count",
             .area = "barriers",
             .phase = Phase::kLower,
             .wordings = {{.raises = PyExc::kMlirError,
                           .pattern = "Invalid type:\nerror: {*}invalid memref "
                                      "size"}},
             .why = "An array cannot have a negative number of barriers.",
             .fix = "Pass a positive num_barriers.",
             .source = "mosaic/gpu/core.py _construct_smem_reftree",
             .defect = DefectKind::kUndocumented,
             .spec_verdict = "Refuse num_barriers < 1 when the barrier is "
                             "built."},
     .violated = [](const BarrierArray& b) { return BrokenIf(b.count < 0); }},
    {.doc = {.id = "lower.cluster-barrier.leader-single-dimension",
             .area = "barriers",
             .phase = Phase::kLower,
             .wordings = {{.raises = PyExc::kNotImplementedError,
                           .pattern = "Only leader tracking for a single "
                                      "collective dimension is supported."}},
             .why =
                 "With several collective dimensions it is not defined which "
                 "block leads.",
             .fix = "Name exactly one collective axis, or drop "
                    "leader_tracked=True.",
             .source = kLeaderSource},
     .violated =
         [](const BarrierArray& b) {
           return BrokenIf(b.leader_tracked() &&
                           b.cluster->collective_axes.size() != 1);
         }},
    {.doc = {.id = "lower.cluster-barrier.leader-ungrouped",
             .area = "barriers",
             .phase = Phase::kLower,
             .wordings = {{.raises = PyExc::kNotImplementedError,
                           .pattern = "Only leader tracking for ungrouped "
                                      "collective dimensions is supported."}},
             .why = "A group of axes has no single leader yet.",
             .fix = "Name the collective axis by itself, not inside a tuple.",
             .source = kLeaderSource},
     .violated =
         [](const BarrierArray& b) {
           return BrokenIf(b.leader_tracked() &&
                           b.cluster->collective_axes[0].size() != 1);
         }},
    {.doc = {.id = "lower.cluster-barrier.mask-overflow",
             .area = "barriers",
             .phase = Phase::kLower,
             .wordings = {{.raises = PyExc::kRuntimeError,
                           .pattern = "std::bad_cast"}},
             .why = "The blocks that a cluster barrier signals are the bits of "
                    "one mask, and this cluster has more blocks than the mask "
                    "has bits.",
             .fix =
                 "Use a cluster of at most 16 blocks, which is also what the "
                 "hardware allows.",
             .source = "utils.py cluster_collective_mask",
             .defect = DefectKind::kUndocumented,
             .spec_verdict = "Refuse clusters of more than 16 blocks when the "
                             "Mesh is built."},
     .violated = [](const BarrierArray& b) -> Finding {
       constexpr Wide kBits = 63;
       if (b.cluster == nullptr || b.leader_tracked()) return Holds();
       for (const auto& group : b.cluster->collective_axes) {
         if (HighestMaskBit(*b.axes, group) >= kBits) return Broken();
       }
       return Holds();
     }},
    {.doc = {.id = "lower.barrier.too-many",
             .area = "barriers",
             .phase = Phase::kLower,
             .wordings = {{.raises = PyExc::kNotImplementedError,
                           .pattern = "Only up to 32 barriers per group "
                                      "supported"}},
             .why =
                 "The phases of an array of barriers are kept in the bits of "
                 "one 32-bit register.",
             .fix =
                 "Split the array into several Barrier scratch entries of 32 "
                 "or fewer.",
             .source = kBarrierSource},
     .violated = [](const BarrierArray& b) { return BrokenIf(b.count > 32); }},
};

bool AllocateBarriers(const KernelConfig& config, const Location& root,
                      Checker& checker) {
  return ForEachScratchLeaf(
      config, root, [&](const RefTree& leaf, const Location& at) {
        BarrierArray array;
        if (const auto* barrier = std::get_if<BarrierSpec>(&leaf.node)) {
          array.count = *ElementCount(barrier->num_barriers);
        } else if (const auto* cluster =
                       std::get_if<ClusterBarrierSpec>(&leaf.node)) {
          array.count = *ElementCount(cluster->num_barriers);
          array.cluster = cluster;
          array.axes = &config.kernel.cluster;
        } else {
          return true;
        }
        return checker.Check(kBarrierRules, array, at);
      });
}

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
  return checker.Check(kMixRules, Totals{resources, config}, root);
}

bool Allocate(const KernelConfig& config, const Resources& resources,
              const Location& root, Checker& checker) {
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
  if (!AllocateBarriers(config, root, checker)) return false;
  return resources.all_tmem_columns() == 0 ||
         checker.Check(kTmemTotalRules, totals, Location(root, "scratch"));
}

void AppendResourceRules(std::vector<const RuleDoc*>& rules) {
  AppendDocs(kSpaceRules, rules);
  AppendDocs(kTmemShapeRules, rules);
  AppendDocs(kTmemFitRules, rules);
  AppendDocs(kMixRules, rules);
  AppendDocs(kSmemRules, rules);
  AppendDocs(kBarrierRules, rules);
  AppendDocs(kTmemTotalRules, rules);
}

}  // namespace pallasite

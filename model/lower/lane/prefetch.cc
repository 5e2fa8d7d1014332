#include "model/lower/lane/prefetch.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "model/lower/shared/device_id.h"
#include "model/lower/shared/gmem_access.h"
#include "model/lower/shared/index_values.h"
#include "model/lower/shared/prefetch.h"
#include "model/lower/shared/tma.h"
#include "model/lower/shared/tma_descriptor.h"
#include "model/python.h"

namespace pallasite {
namespace {

constexpr std::string_view kArea = "gmem-smem-copies";
constexpr std::string_view kSource =
    "launch_context.py LaunchContext._prepare_async_copy";

struct Prefetch {
  const AsyncPrefetchOp& op;
  const KernelConfig& config;
  const GmemAccess& access;

  const GatherIndex* leading_gather() const {
    return access.slices.empty() ? nullptr : access.slices[0].gather;
  }
  const Partitioned* partitioned() const {
    return op.leader_tracked ? std::get_if<Partitioned>(&*op.leader_tracked)
                             : nullptr;
  }
  bool collective() const {
    return op.collective_axes && !op.collective_axes->empty();
  }
};

constexpr Rule<Prefetch> kGatherRules[] = {
    {.doc = {.id = "lower.prefetch.lane-gather-predicate",
             .area = kArea,
             .phase = Phase::kLower,
             .wordings = {{.raises = PyExc::kNotImplementedError,
                           .pattern = "Gather/scatter TMA does not support "
                                      "predicates yet."}},
             .why = "All threads of a warpgroup take part in a gather.",
             .fix = "Drop the predicate.",
             .source = "primitives.py _async_prefetch_lowering"},
     .violated =
         [](const Prefetch& prefetch) {
           return BrokenIf(prefetch.op.predicate.has_value() &&
                           prefetch.leading_gather() != nullptr);
         }},
};

// One slice of the access against the extent of its dimension.
struct SliceUse {
  const GmemSlice& slice;
  int64_t extent = 0;
};

constexpr Rule<SliceUse> kSliceRules[] = {
    {.doc = {.id = "lower.prefetch.lane-stride",
             .area = "ref-transforms/indexing",
             .phase = Phase::kLower,
             .wordings = {{.raises = PyExc::kNotImplementedError,
                           .pattern = "Strided slices not implemented"}},
             .why =
                 "The TMA engine could skip elements, but Mosaic GPU does not "
                 "make it.",
             .fix = "Use slices without a step, one for each piece.",
             .source = "mosaic/gpu/utils.py parse_indices"},
     .violated =
         [](const SliceUse& use) {
           return BrokenIf(use.slice.kind == GmemSlice::Kind::kStatic &&
                           use.slice.stride != 1);
         }},
    {.doc = {.id = "lower.prefetch.lane-empty-slice",
             .area = "ref-transforms/indexing",
             .phase = Phase::kLower,
             .wordings = {{.pattern = "-"}},
             .why =
                 "The end of a slice at zero is taken for none at all, so an "
                 "empty slice turns into the whole dimension.",
             .fix = "Do not prefetch empty slices.",
             .source = "mosaic/gpu/utils.py parse_indices",
             .defect = DefectKind::kAccepted,
             .spec_verdict = "Prefetch nothing, or refuse an empty slice."},
     .violated =
         [](const SliceUse& use) {
           return BrokenIf(use.slice.kind == GmemSlice::Kind::kStatic &&
                           use.slice.start == 0 && use.slice.size == 0 &&
                           use.extent > 0);
         }},
};

// Length of a slice as JAX computes it: a negative start or end counts from the
// end of the dimension, and an end of zero means the end of the dimension.
Wide StaticLength(const GmemSlice& slice, int64_t extent) {
  Wide start = slice.start;
  Wide stop = start + slice.size;
  if (start < 0) start += extent;
  if (stop == 0) stop = extent;
  if (stop < 0) stop += extent;
  return stop - start;
}

bool FitsInt64(Wide value) {
  return value >= std::numeric_limits<int64_t>::min() &&
         value <= std::numeric_limits<int64_t>::max();
}

bool LowerSlices(const GmemArray& array, const GmemAccess& access,
                 const Location& at, Checker& checker, TmaTransfer& transfer) {
  for (size_t i = 0; i < array.shape.size(); ++i) {
    if (access.slices.empty()) {
      transfer.box.push_back({.length = array.shape[i]});
      continue;
    }
    const GmemSlice& slice = access.slices[i];
    if (!checker.Check(kSliceRules, SliceUse{slice, array.shape[i]}, at)) {
      return false;
    }
    TmaDim dim;
    switch (slice.kind) {
      case GmemSlice::Kind::kStatic:
        dim.length = StaticLength(slice, array.shape[i]);
        break;
      case GmemSlice::Kind::kDynamic:
        dim.length = slice.size;
        break;
      case GmemSlice::Kind::kIndex:
        dim.squeezed = true;
        break;
      case GmemSlice::Kind::kGather:
        dim.length = slice.size;
        transfer.gather = slice.gather;
        break;
    }
    if (!FitsInt64(dim.length)) {
      return checker.Unmodelled("a slice of more than 2^63 elements", at);
    }
    transfer.box.push_back(dim);
  }
  return true;
}

// --- Collective transfers ----------------------------------------------------

// Product of the sizes of the named cluster axes, with repetitions; nullopt
// beyond 128 bits. JAX finds the last of several axes of the same name.
std::optional<Wide> CollectiveSize(const AsyncPrefetchOp& op,
                                   const AxisList& cluster) {
  Wide size = 1;
  if (!op.collective_axes) return size;
  for (const std::string& axis : *op.collective_axes) {
    const auto found =
        std::find(cluster.names.rbegin(), cluster.names.rend(), axis);
    const auto position = cluster.names.rend() - found - 1;
    if (__builtin_mul_overflow(size, Wide{cluster.sizes[position]}, &size)) {
      return std::nullopt;
    }
  }
  return size;
}

constexpr Rule<Prefetch> kCollectiveRules[] = {
    {.doc = {.id = "lower.prefetch.lane-collective-gather",
             .area = kArea,
             .phase = Phase::kLower,
             .wordings = {{.raises = PyExc::kNotImplementedError,
                           .pattern = "Collective copies with gather/scatter "
                                      "unsupported"}},
             .why = "Gathered rows are not shared out among blocks.",
             .fix = "Drop collective_axes.",
             .source = kSource},
     .violated =
         [](const Prefetch& prefetch) {
           return BrokenIf(prefetch.collective() &&
                           prefetch.leading_gather() != nullptr);
         }},
};

// A transfer that is partitioned along one dimension of its box.
struct Partition {
  const Prefetch& prefetch;
  const TmaBox& box;
  Wide sharers = 1;

  // The dimension of the array that is meant: those that integers index do not
  // count. When the first one is indexed it answers to -1.
  std::optional<size_t> dimension() const {
    const int64_t axis = prefetch.partitioned()->axis;
    if (axis == -1 && !box.empty() && box[0].squeezed) return 0;
    int64_t position = -1;
    for (size_t i = 0; i < box.size(); ++i) {
      if (!box[i].squeezed && ++position == axis) return i;
    }
    return std::nullopt;
  }
  bool shared() const { return sharers > 1; }
  bool pair_of_blocks() const {
    Wide blocks = 1;
    for (const int64_t size : prefetch.config.kernel.cluster.sizes) {
      if (__builtin_mul_overflow(blocks, Wide{size}, &blocks)) return false;
    }
    return blocks == 2;
  }
};

constexpr Rule<Partition> kPartitionRules[] = {
    {.doc = {.id = "lower.prefetch.lane-partition-scalar",
             .area = kArea,
             .phase = Phase::kLower,
             .wordings =
                 {{.raises = PyExc::kTypeError,
                   .pattern = "ufunc 'invert' not supported for the input "
                              "types, and the inputs could not be safely "
                              "coerced to any supported types according to the "
                              "casting rule ''safe''"}},
             .why = "A scalar has no dimension to be partitioned along.",
             .fix = "Drop leader_tracked.",
             .source = kSource,
             .defect = DefectKind::kUndocumented,
             .spec_verdict = "Refuse while tracing: the axis is out of range."},
     .violated =
         [](const Partition& partition) {
           return BrokenIf(partition.box.empty());
         }},
    {.doc = {.id = "lower.prefetch.lane-partition-axis",
             .area = kArea,
             .phase = Phase::kLower,
             .wordings = {{.raises = PyExc::kIndexError,
                           .pattern =
                               "index 0 is out of bounds for axis 0 with "
                               "size 0"}},
             .why =
                 "The axis of CopyPartition.PARTITIONED is a dimension of the "
                 "slice, without those that integers index.",
             .fix = "Use an axis from 0 to the rank of the slice minus 1.",
             .source = kSource,
             .defect = DefectKind::kUndocumented,
             .spec_verdict = "Refuse while tracing: the axis is out of range."},
     .violated =
         [](const Partition& partition) {
           return BrokenIf(!partition.dimension());
         }},
    {.doc = {.id = "lower.prefetch.lane-partition-alone",
             .area = kArea,
             .phase = Phase::kLower,
             .wordings = {{.pattern =
                               "Only collective loads can be partitioned"}},
             .why = "Without collective_axes there is nobody to share with.",
             .fix = "Name the collective axes, or drop leader_tracked.",
             .source = kSource},
     .violated =
         [](const Partition& partition) {
           return BrokenIf(!partition.prefetch.collective());
         }},
    {.doc = {.id = "lower.prefetch.lane-partition-cluster",
             .area = kArea,
             .phase = Phase::kLower,
             .wordings = {{.raises = PyExc::kNotImplementedError,
                           .pattern = "Partitioned loads only supported for "
                                      "clusters of size 2"}},
             .why =
                 "Partitioned loads feed a pair of tensor cores, one in each "
                 "of two blocks.",
             .fix = "Use a cluster of two blocks.",
             .source = kSource},
     .violated =
         [](const Partition& partition) {
           return BrokenIf(partition.shared() && !partition.pair_of_blocks());
         }},
    {.doc = {.id = "lower.prefetch.lane-partition-divisible",
             .area = kArea,
             .phase = Phase::kLower,
             .wordings = {{.pattern = "The collective size ({sharers}) must "
                                      "divide the slice shape along the "
                                      "partitioned dimension, but it has size "
                                      "{size}"}},
             .why = "The blocks of a collective transfer take equal parts.",
             .fix =
                 "Make the slice a multiple of the collective size along the "
                 "partitioned dimension.",
             .source = kSource},
     .violated = [](const Partition& partition) -> Finding {
       const Wide size = partition.box[*partition.dimension()].length;
       if (!partition.shared() || size % partition.sharers == 0) {
         return Holds();
       }
       return Broken(
           {{"sharers", PyInt(partition.sharers)}, {"size", PyInt(size)}});
     }},
};

bool LowerCollective(const Prefetch& prefetch, const Location& at,
                     Checker& checker, TmaTransfer& transfer) {
  const Location axes(at, "collective_axes");
  if (!checker.Check(kCollectiveRules, prefetch, axes)) return false;
  const std::optional<Wide> sharers =
      CollectiveSize(prefetch.op, prefetch.config.kernel.cluster);
  if (!sharers) {
    return checker.Unmodelled("a collective of more than 2^127 blocks", axes);
  }
  if (prefetch.partitioned() == nullptr) {
    transfer.sharers = *sharers;
    return true;
  }
  const Partition partition = {prefetch, transfer.box, *sharers};
  if (!checker.Check(kPartitionRules, partition,
                     Location(at, "leader_tracked"))) {
    return false;
  }
  if (partition.shared()) {
    transfer.box[*partition.dimension()].length /= *sharers;
  }
  return true;
}

}  // namespace

bool LowerPrefetchLane(const AsyncPrefetchOp& op, const KernelConfig& config,
                       bool warp, const Location& at, Checker& checker) {
  const Location ref(at, "ref");
  const GmemArray array = PrefetchedArray(op, config);
  GmemAccess access;
  const Prefetch prefetch = {op, config, access};
  TmaTransfer transfer;
  return LowerIndexValues(op.ref, true, warp, ref, checker) &&
         LowerGmemViews(op.ref, array, config, true, ref, checker, access) &&
         CheckPrefetchAxes(op, config, at, checker) &&
         checker.Check(kGatherRules, prefetch, Location(at, "predicate")) &&
         CheckTmaArray(array, ref, checker) &&
         CheckTmaGather(access, true, ref, checker) &&
         LowerSlices(array, access, ref, checker, transfer) &&
         LowerCollective(prefetch, at, checker, transfer) &&
         CheckTmaTransfer(array, transfer, ref, checker);
}

bool FinishPrefetchLane(const AsyncPrefetchOp& op, const KernelConfig& config,
                        const Location& at, Checker& checker) {
  if (HasPlainDescriptor(op.ref)) return true;
  const Location ref(at, "ref");
  const GmemArray array = PrefetchedArray(op, config);
  GmemAccess access;
  TmaTransfer transfer;
  return LowerGmemViews(op.ref, array, config, true, ref, checker, access) &&
         LowerSlices(array, access, ref, checker, transfer) &&
         LowerCollective({op, config, access}, at, checker, transfer) &&
         CheckTmaDescriptor(array, transfer.box, ref, checker) &&
         (access.peer == nullptr ||
          ReplayDeviceId(*access.peer, config, ref, checker));
}

void AppendLanePrefetchRules(RuleList& rules) {
  AppendDocs(kGatherRules, Stage::kLowerBody, rules);
  AppendDocs(kSliceRules, Stage::kLowerBody, rules);
  AppendDocs(kCollectiveRules, Stage::kLowerBody, rules);
  AppendDocs(kPartitionRules, Stage::kLowerBody, rules);
}

}  // namespace pallasite

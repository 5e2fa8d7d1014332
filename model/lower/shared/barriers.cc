#include "model/lower/shared/barriers.h"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/config/walk.h"
#include "model/python.h"

namespace pallasite {
namespace {

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

}  // namespace

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

void AppendBarrierAllocationRules(RuleList& rules) {
  AppendDocs(kBarrierRules, Stage::kBarriers, rules);
}

}  // namespace pallasite

#include "model/trace/views.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "model/config/walk.h"
#include "model/physical_shape.h"
#include "model/python.h"
#include "model/trace/indexer.h"
#include "model/trace/scalar.h"
#include "model/trace/shape_views.h"
#include "model/union_plan.h"

namespace pallasite {
namespace {

constexpr std::string_view kRemoteArea = "semaphores/multimem/remote";

// --- Refs to other devices ---------------------------------------------------

// A peer or multicast view with the views it is applied to.
struct RemoteUse {
  absl::Span<const View> before;
  const View& view;

  template <typename Other>
  bool HasBefore() const {
    return std::any_of(before.begin(), before.end(), [](const View& view) {
      return std::holds_alternative<Other>(view);
    });
  }
};

constexpr Rule<RemoteUse> kRemoteRules[] = {
    {.doc = {.id = "trace.remote.peer-of-multicast",
             .area = kRemoteArea,
             .phase = Phase::kTrace,
             .wordings = {{.pattern = "Can't make a multicast reference into a "
                                      "peer reference."}},
             .why =
                 "A multicast ref stands for all devices, a peer ref for one "
                 "of them.",
             .fix = "Use remote_ref or multicast_ref, not both.",
             .source = "core.py remote_ref"},
     .violated =
         [](const RemoteUse& use) {
           return BrokenIf(std::holds_alternative<PeerView>(use.view) &&
                           use.HasBefore<MulticastView>());
         }},
    {.doc = {.id = "trace.remote.multicast-of-peer",
             .area = kRemoteArea,
             .phase = Phase::kTrace,
             .wordings = {{.pattern = "Can't make a peer reference into a "
                                      "multicast reference."}},
             .why = "A peer ref stands for one device, a multicast ref for all "
                    "of them.",
             .fix = "Use remote_ref or multicast_ref, not both.",
             .source = "core.py multicast_ref"},
     .violated =
         [](const RemoteUse& use) {
           return BrokenIf(std::holds_alternative<MulticastView>(use.view) &&
                           use.HasBefore<PeerView>());
         }},
};

// Calls visit(scalar, location) for the scalars of a device id in source order.
template <typename Visit>
bool ForEachCoordinate(const DeviceId& id, const Location& at, Visit&& visit) {
  return std::visit(
      Overloaded{
          [&](const Scalar& scalar) { return visit(scalar, at); },
          [&](const DeviceIdTuple& tuple) {
            for (size_t i = 0; i < tuple.coordinates.size(); ++i) {
              if (!visit(tuple.coordinates[i],
                         Location(at, static_cast<int64_t>(i)))) {
                return false;
              }
            }
            return true;
          },
          [&](const DeviceIdDict& dict) {
            for (const DeviceIdDict::Entry& entry : dict.entries) {
              if (!visit(entry.index, Location(at, entry.axes.front()))) {
                return false;
              }
            }
            return true;
          },
      },
      id);
}

// --- What a primitive takes --------------------------------------------------

constexpr Rule<DeviceIdDict> kKeyRules[] = {
    {.doc = {.id = "trace.remote.mixed-device-id-keys",
             .area = kRemoteArea,
             .phase = Phase::kTrace,
             .wordings = {{.pattern =
                               "Comparator raised exception while sorting "
                               "pytree dictionary keys."}},
             .why = "JAX sorts the keys of a dict, and cannot sort single axes "
                    "(strings) together with joined ones (tuples).",
             .fix = "Use single axes only, or tuples only: (\"d\",) is one.",
             .source = "tree_util.py tree_flatten",
             .defect = DefectKind::kUndocumented,
             .spec_verdict = "Accept: the device id is well defined."},
     .violated =
         [](const DeviceIdDict& dict) {
           const auto joined = [](const DeviceIdDict::Entry& entry) {
             return entry.axes.size() > 1;
           };
           return BrokenIf(
               std::any_of(dict.entries.begin(), dict.entries.end(), joined) &&
               !std::all_of(dict.entries.begin(), dict.entries.end(), joined));
         }},
};

constexpr Rule<int64_t> kOperandRules[] = {
    {.doc = {.id = "trace.remote.integer-overflow",
             .area = kRemoteArea,
             .phase = Phase::kTrace,
             .wordings = {{.raises = PyExc::kOverflowError,
                           .pattern = "Python int {value} too large to convert "
                                      "to int32"}},
             .why =
                 "The numbers in a device or block id become 32-bit operands "
                 "of the kernel's primitives.",
             .fix = "Keep them within 32 bits.",
             .source = "core.py Primitive.bind"},
     .violated = [](const int64_t& value) -> Finding {
       if (FitsInt32(value)) return Holds();
       return Broken({{"value", PyInt(value)}});
     }},
};

bool CheckOperand(const Scalar& scalar, const Location& at, Checker& checker) {
  const auto* value = std::get_if<int64_t>(&scalar);
  return value == nullptr || checker.Check(kOperandRules, *value, at);
}

// The entries of a dict are operands in the order of their keys.
bool CheckDictOperands(const DeviceIdDict& dict, const Location& at,
                       Checker& checker) {
  absl::InlinedVector<const DeviceIdDict::Entry*, 4> sorted;
  for (const DeviceIdDict::Entry& entry : dict.entries) {
    sorted.push_back(&entry);
  }
  std::sort(sorted.begin(), sorted.end(),
            [](const DeviceIdDict::Entry* a, const DeviceIdDict::Entry* b) {
              return a->axes < b->axes;
            });
  for (const DeviceIdDict::Entry* entry : sorted) {
    if (!CheckOperand(entry->index, Location(at, entry->axes.front()),
                      checker)) {
      return false;
    }
  }
  return true;
}

// What a union reserves, as the untyped memory that it is.
Shape WholeShape(const RefUnionSpec& whole) {
  if (SpaceOf(whole) == MemorySpace::kTmem) {
    return {kTmemLanes, ReservedSize(whole)};
  }
  return {ReservedSize(whole)};
}

// The shape that the kernel sees of a ref, before any view.
Shape VisibleShape(const ResolvedRef& resolved) {
  if (resolved.array != nullptr) return resolved.array->shape;
  return std::visit(
      Overloaded{
          [](const RefSpec& ref) { return ref.shape; },
          [](const BarrierSpec& barrier) { return barrier.num_barriers; },
          [](const ClusterBarrierSpec& barrier) {
            return barrier.num_barriers;
          },
          [](const AccumulatorSpec& acc) { return acc.shape; },
          [](const RefUnionSpec& whole) { return WholeShape(whole); },
          // Containers are no refs: Resolve calls them unsupported.
          [](const auto&) { return Shape(); },
      },
      resolved.leaf->node);
}

// The kernel sees another shape than was declared.
bool HasOddShape(const ResolvedRef& resolved) {
  if (resolved.leaf == nullptr) return false;
  const auto* ref = std::get_if<RefSpec>(&resolved.leaf->node);
  if (ref == nullptr) return false;
  const bool untiled = std::any_of(
      ref->transforms.begin(), ref->transforms.end(),
      [](const RefTransform& transform) {
        const auto* tiling = std::get_if<TilingTransform>(&transform);
        return tiling != nullptr && tiling->tiling.empty();
      });
  const bool empty_batch =
      ref->space == MemorySpace::kTmem && ref->shape.size() > 2 &&
      std::find(ref->shape.begin(), ref->shape.end() - 2, 0) !=
          ref->shape.end() - 2;
  return untiled || empty_batch;
}

std::string_view SpaceName(MemorySpace space) {
  switch (space) {
    case MemorySpace::kGmem:
      return "gmem";
    case MemorySpace::kSmem:
      return "smem";
    case MemorySpace::kTmem:
      return "tmem";
    case MemorySpace::kRegs:
      return "regs";
  }
  return "";
}

}  // namespace

bool TraceViews(const RefExpr& expr, const ResolvedRef& resolved,
                const KernelConfig& config, const Location& at,
                Checker& checker) {
  if (expr.views.empty()) return true;
  const Location views(at, "views");
  Shape shape = VisibleShape(resolved);
  const auto known_shape = [&](const Location& here) {
    return !HasOddShape(resolved) ||
           checker.Unmodelled("the shape of a ref that is declared empty",
                              here);
  };
  size_t untransposed = 0;  // first view whose transpose is not yet applied
  const auto apply_transposes = [&](size_t until) {
    for (; untransposed < until; ++untransposed) {
      const auto* view = std::get_if<TransposeView>(&expr.views[untransposed]);
      if (view == nullptr) continue;
      const Location here(views, static_cast<int64_t>(untransposed));
      if (!TraceTranspose(*view, Location(here, "transpose"), checker, shape)) {
        return false;
      }
    }
    return true;
  };
  for (size_t i = 0; i < expr.views.size(); ++i) {
    const View& view = expr.views[i];
    const Location here(views, static_cast<int64_t>(i));
    const RemoteUse remote = {absl::MakeConstSpan(expr.views).first(i), view};
    const auto trace_scalar = [&](const Scalar& scalar, const Location& place) {
      return TraceScalar(scalar, config, place, checker);
    };
    const bool ok = std::visit(
        Overloaded{
            [&](const AtView& indexed) {
              const Location place(here, "at");
              return TraceIndices(indexed, config, place, checker) &&
                     known_shape(here) && apply_transposes(i) &&
                     TraceAt(indexed, place, checker, shape);
            },
            [](const TransposeView&) { return true; },
            [&](const ReshapeView& reshape) {
              return known_shape(here) && apply_transposes(i) &&
                     TraceReshape(reshape, Location(here, "reshape"), checker,
                                  shape);
            },
            [&](const PeerView& peer) {
              const Location place(here, "peer");
              return ForEachCoordinate(peer.device_id, place, trace_scalar) &&
                     checker.Check(kRemoteRules, remote, here);
            },
            [&](const MulticastView&) {
              return checker.Check(kRemoteRules, remote, here);
            },
            [&](const ClusterView& cluster) {
              const Location place(here, "cluster_ref");
              for (const auto& [axis, block] : cluster.block_id) {
                if (!trace_scalar(block, Location(place, axis))) return false;
              }
              return true;
            },
        },
        view);
    if (!ok) return false;
  }
  return true;
}

bool TraceViewOperands(const RefExpr& expr, const Location& at,
                       Checker& checker) {
  const Location views(at, "views");
  for (size_t i = 0; i < expr.views.size(); ++i) {
    const auto* peer = std::get_if<PeerView>(&expr.views[i]);
    if (peer == nullptr) continue;
    const auto* dict = std::get_if<DeviceIdDict>(&peer->device_id);
    const Location here(views, static_cast<int64_t>(i));
    if (dict != nullptr &&
        !checker.Check(kKeyRules, *dict, Location(here, "peer"))) {
      return false;
    }
  }
  for (size_t i = 0; i < expr.views.size(); ++i) {
    const Location here(views, static_cast<int64_t>(i));
    const auto check = [&](const Scalar& scalar, const Location& place) {
      return CheckOperand(scalar, place, checker);
    };
    if (const auto* peer = std::get_if<PeerView>(&expr.views[i])) {
      const Location place(here, "peer");
      const auto* dict = std::get_if<DeviceIdDict>(&peer->device_id);
      const bool ok = dict != nullptr
                          ? CheckDictOperands(*dict, place, checker)
                          : ForEachCoordinate(peer->device_id, place, check);
      if (!ok) return false;
    }
    if (const auto* cluster = std::get_if<ClusterView>(&expr.views[i])) {
      const Location place(here, "cluster_ref");
      for (const auto& [axis, block] : cluster->block_id) {
        if (!check(block, Location(place, axis))) return false;
      }
    }
  }
  return true;
}

MemorySpace SpaceOf(const ResolvedRef& resolved) {
  if (resolved.array != nullptr) return MemorySpace::kGmem;
  if (const RefUnionSpec* whole = UnionOf(resolved)) return SpaceOf(*whole);
  const auto& node = resolved.leaf->node;
  if (const auto* ref = std::get_if<RefSpec>(&node)) return ref->space;
  return std::holds_alternative<AccumulatorSpec>(node) ? MemorySpace::kRegs
                                                       : MemorySpace::kSmem;
}

std::string RefType(const ResolvedRef& resolved) {
  const auto text = [&](std::string_view element, const Shape& shape) {
    const std::string_view space = SpaceName(SpaceOf(resolved));
    return absl::StrCat("Ref<", absl::string_view(space.data(), space.size()),
                        ">{", absl::string_view(element.data(), element.size()),
                        "[", absl::StrJoin(shape, ","), "]}");
  };
  if (resolved.array != nullptr) {
    const DType dtype = resolved.is_input ? WithoutX64(resolved.array->dtype)
                                          : resolved.array->dtype;
    return text(Info(dtype).jax_name, resolved.array->shape);
  }
  if (const RefUnionSpec* whole = UnionOf(resolved)) {
    const bool tmem = SpaceOf(*whole) == MemorySpace::kTmem;
    return text(tmem ? "int32" : "int8", WholeShape(*whole));
  }
  return std::visit(Overloaded{
                        [&](const RefSpec& ref) {
                          return text(Info(ref.dtype).jax_name,
                                      PhysicalShape(ref));
                        },
                        [&](const BarrierSpec& barrier) {
                          return text("barrier", barrier.num_barriers);
                        },
                        [&](const ClusterBarrierSpec& barrier) {
                          return text("cluster_barrier", barrier.num_barriers);
                        },
                        [&](const AccumulatorSpec& acc) {
                          return text(Info(acc.dtype).jax_name, acc.shape);
                        },
                        [](const auto&) { return std::string(); },
                    },
                    resolved.leaf->node);
}

void AppendViewRules(RuleList& rules) {
  AppendShapeViewRules(rules);
  AppendDocs(kRemoteRules, Stage::kTraceBody, rules);
  AppendDocs(kKeyRules, Stage::kTraceBody, rules);
  AppendDocs(kOperandRules, Stage::kTraceBody, rules);
}

}  // namespace pallasite

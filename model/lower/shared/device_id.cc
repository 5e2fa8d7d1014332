#include "model/lower/shared/device_id.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "model/config/walk.h"
#include "model/python.h"
#include "model/trace/scalar.h"

namespace pallasite {
namespace {

constexpr std::string_view kArea = "semaphores/multimem/remote";
constexpr std::string_view kSource = "primitives.py device_id_to_logical";

using Entry = DeviceIdDict::Entry;

struct DeviceIdUse {
  const PeerView& peer;
  const KernelConfig& config;
  bool lane = false;

  const DeviceIdDict* dict() const {
    return std::get_if<DeviceIdDict>(&peer.device_id);
  }
  const DeviceIdTuple* tuple() const {
    return std::get_if<DeviceIdTuple>(&peer.device_id);
  }
  bool logical() const { return peer.id_type == DeviceIdType::kLogical; }
  size_t mesh_rank() const { return config.mesh.size(); }
  // Mesh coordinates given; a dict leaves none out.
  size_t coordinates() const {
    if (dict() != nullptr) return mesh_rank();
    return tuple() != nullptr ? tuple()->coordinates.size() : 1;
  }
};

// The entries of a dict in the order in which JAX visits them.
absl::InlinedVector<const Entry*, 4> SortedByAxes(const DeviceIdDict& dict) {
  absl::InlinedVector<const Entry*, 4> sorted;
  for (const Entry& entry : dict.entries) sorted.push_back(&entry);
  std::sort(sorted.begin(), sorted.end(),
            [](const Entry* a, const Entry* b) { return a->axes < b->axes; });
  return sorted;
}

size_t CountMeshAxes(const Entry& entry, const KernelConfig& config) {
  return static_cast<size_t>(std::count_if(
      entry.axes.begin(), entry.axes.end(),
      [&](const std::string& axis) { return IsMeshAxis(config, axis); }));
}

// Several axes joined into one key, of which the mesh knows only some.
bool MixesMeshes(const Entry& entry, const KernelConfig& config) {
  const size_t known = CountMeshAxes(entry, config);
  return known != 0 && known != entry.axes.size();
}

std::string KeyRepr(const Entry& entry) {
  return entry.axes.size() == 1 ? PyStr(entry.axes[0]) : PyTuple(entry.axes);
}

// A value of the kernel while JAX traces what computes the device id.
std::string_view TracerRepr(const Scalar& scalar) {
  return std::holds_alternative<int64_t>(scalar) ? "JitTracer(~int32[])"
                                                 : "JitTracer(int32[])";
}

// A value of the kernel once it is lowered. Only Lane semantics has a repr for
// what it computes; a plain axis index is an MLIR value for both.
std::string LoweredRepr(const Scalar& scalar, bool lane) {
  if (const auto* value = std::get_if<int64_t>(&scalar)) {
    return absl::StrCat("TypedInt(", *value, ", dtype=int32)");
  }
  const auto& axis = std::get<AxisIndex>(scalar);
  if (lane && (axis.scale != 1 || axis.offset != 0)) {
    return "FragmentedArray(layout=WGSplatFragLayout(shape=()), "
           "is_signed=True)";
  }
  return "<jaxlib.mlir._mlir_libs._mlir.ir.OpResult object at {*}>";
}

// Devices that the axes of a mesh span together; of the whole mesh for none.
int64_t Devices(const KernelConfig& config,
                const std::vector<std::string>& axes) {
  int64_t devices = 1;
  for (const auto& [name, size] : config.mesh) {
    const bool counts =
        axes.empty() || std::find(axes.begin(), axes.end(), name) != axes.end();
    if (counts) devices *= size;
  }
  return devices;
}

bool IsOutside(const Scalar& scalar, int64_t devices) {
  const auto* value = std::get_if<int64_t>(&scalar);
  return value != nullptr && (*value < 0 || *value >= devices);
}

// A device id that is known, and that no device has.
bool IsOutsideMesh(const DeviceIdUse& use) {
  return std::visit(
      Overloaded{
          [&](const Scalar& scalar) {
            return IsOutside(scalar, Devices(use.config, {}));
          },
          [&](const DeviceIdTuple& tuple) {
            for (size_t i = 0; i < tuple.coordinates.size(); ++i) {
              if (IsOutside(tuple.coordinates[i], use.config.mesh[i].second)) {
                return true;
              }
            }
            return false;
          },
          [&](const DeviceIdDict& dict) {
            return std::any_of(dict.entries.begin(), dict.entries.end(),
                               [&](const Entry& entry) {
                                 return IsOutside(
                                     entry.index,
                                     Devices(use.config, entry.axes));
                               });
          },
      },
      use.peer.device_id);
}

constexpr Rule<DeviceIdUse> kDeviceIdRules[] = {
    {.doc = {.id = "lower.device-id.dict-not-mesh",
             .area = kArea,
             .phase = Phase::kLower,
             .wordings =
                 {{.pattern = "`device_id_type` must be MESH if `device_id` is "
                              "a dict, got: device_id_type = "
                              "<DeviceIdType.LOGICAL: 'logical'>."}},
             .why =
                 "A dict gives coordinates by mesh axis; a logical id is one "
                 "number.",
             .fix = "Use DeviceIdType.MESH, or pass the number of the device.",
             .source = kSource},
     .violated =
         [](const DeviceIdUse& use) {
           return BrokenIf(use.dict() != nullptr && use.logical());
         }},
    {.doc = {.id = "lower.device-id.mixed-joint-axes",
             .area = kArea,
             .phase = Phase::kLower,
             .wordings = {{.raises = PyExc::kNotImplementedError,
                           .pattern = "{axes} mixes JAX mesh and Pallas mesh "
                                      "grid axes"}},
             .why = "Axes that share one coordinate have to belong to the same "
                    "mesh, or there is nothing to take it apart with.",
             .fix = "Join axes of the device mesh only.",
             .source = "primitives.py _device_id_dict_to_mesh"},
     .violated = [](const DeviceIdUse& use) -> Finding {
       if (use.dict() == nullptr) return Holds();
       for (const Entry* entry : SortedByAxes(*use.dict())) {
         if (MixesMeshes(*entry, use.config)) {
           return Broken({{"axes", PyTuple(entry->axes)}});
         }
       }
       return Holds();
     }},
    {.doc = {.id = "lower.device-id.rank",
             .area = kArea,
             .phase = Phase::kLower,
             .wordings = {{.pattern = "Number of device ids must match the "
                                      "number of mesh axes, but got {ids} ids "
                                      "for a {rank}D mesh."}},
             .why = "Without names every axis of the device mesh needs its "
                    "coordinate; without a mesh there are none.",
             .fix = "Pass one coordinate a mesh axis, a dict, or a logical id.",
             .source = kSource},
     .violated = [](const DeviceIdUse& use) -> Finding {
       if (use.logical() || use.coordinates() == use.mesh_rank()) {
         return Holds();
       }
       return Broken({{"ids", PyInt(static_cast<Wide>(use.coordinates()))},
                      {"rank", PyInt(static_cast<Wide>(use.mesh_rank()))}});
     }},
    {.doc = {.id = "lower.device-id.unknown-axes",
             .area = kArea,
             .phase = Phase::kLower,
             .wordings = {{.pattern = "Unrecognized axes in device_id: "
                                      "{{{entries}}}"}},
             .why = "A device id names axes of the device mesh; axes of the "
                    "kernel tell blocks apart, not devices.",
             .fix = "Name axes of the mesh that the kernel is mapped over.",
             .source = "lowering.py _device_id_to_logical"},
     .violated = [](const DeviceIdUse& use) -> Finding {
       if (use.dict() == nullptr) return Holds();
       std::vector<std::string> unknown;
       for (const Entry* entry : SortedByAxes(*use.dict())) {
         if (CountMeshAxes(*entry, use.config) != 0) continue;
         const std::string_view value = TracerRepr(entry->index);
         unknown.push_back(
             absl::StrCat(KeyRepr(*entry), ": ",
                          absl::string_view(value.data(), value.size())));
       }
       if (unknown.empty()) return Holds();
       return Broken({{"entries", absl::StrJoin(unknown, ", ")}});
     }},
    {.doc = {.id = "lower.device-id.empty",
             .area = kArea,
             .phase = Phase::kLower,
             .wordings = {{.raises = PyExc::kNotImplementedError,
                           .pattern = "Unsupported constant: None"}},
             .why = "Without a device mesh an empty device id means the device "
                    "itself, which copies and prefetches do not expect.",
             .fix = "Use the ref itself.",
             .source = "lowering.py _ir_constant",
             .defect = DefectKind::kUndocumented,
             .spec_verdict = "Accept: the ref is a local one."},
     .violated =
         [](const DeviceIdUse& use) {
           return BrokenIf(!use.logical() && use.coordinates() == 0);
         }},
    {.doc = {.id = "lower.device-id.logical-tuple",
             .area = kArea,
             .phase = Phase::kLower,
             .wordings = {{.raises = PyExc::kNotImplementedError,
                           .pattern = "Unsupported constant: {tuple}"}},
             .why = "A logical id is one number.",
             .fix = "Pass the number, or mesh coordinates with "
                    "DeviceIdType.MESH.",
             .source = "lowering.py _ir_constant",
             .defect = DefectKind::kWrongMessage,
             .spec_verdict =
                 "Refuse, naming the device id type; JAX prints its "
                 "internals."},
     .violated = [](const DeviceIdUse& use) -> Finding {
       if (use.tuple() == nullptr || !use.logical()) return Holds();
       std::vector<std::string> items;
       for (const Scalar& scalar : use.tuple()->coordinates) {
         items.push_back(LoweredRepr(scalar, use.lane));
       }
       return Broken({{"tuple", absl::StrCat("(", absl::StrJoin(items, ", "),
                                             items.size() == 1 ? ",)" : ")")}});
     }},
    {.doc = {.id = "lower.device-id.outside-mesh",
             .area = kArea,
             .phase = Phase::kLower,
             .wordings = {{.pattern = "-"}},
             .why = "Nobody compares a device id with the devices there are.",
             .fix = "Use coordinates from 0 to the size of the axis minus 1.",
             .source = kSource,
             .defect = DefectKind::kAccepted,
             .spec_verdict = "Refuse: there is no such device."},
     .violated =
         [](const DeviceIdUse& use) { return BrokenIf(IsOutsideMesh(use)); }},
};

// --- Replay on the host ------------------------------------------------------

// How deep JAX follows the operations that computed a device id.
constexpr int kMaxDepth = 16;
// A value that depends on the block or thread: not known on the host.
constexpr int kNotOnHost = 1000;
// Operations on the longest path to a value.
constexpr int kConstantDepth = 1;
constexpr int kMeshIndexDepth = 3;  // device id, division, remainder
// A joint coordinate is taken apart by a shift when the axes after one span a
// power of two devices, and by a division that rounds down otherwise.
constexpr int kShiftDepth = 1;
constexpr int kFloorDivisionDepth = 6;

int Depth(const Scalar& scalar, const KernelConfig& config) {
  const auto* axis = std::get_if<AxisIndex>(&scalar);
  if (axis == nullptr) return kConstantDepth;
  if (!IsMeshAxis(config, axis->axis)) return kNotOnHost;
  return kMeshIndexDepth + (axis->scale != 1 ? 1 : 0) +
         (axis->offset != 0 ? 1 : 0);
}

bool IsPowerOfTwo(int64_t value) { return (value & (value - 1)) == 0; }

int64_t MeshAxisSize(const KernelConfig& config, const std::string& axis) {
  for (const auto& [name, size] : config.mesh) {
    if (name == axis) return size;
  }
  return 1;
}

// Depth of the coordinate that a dict gives for the mesh axis `axis`. The last
// entry that names it counts, and in that entry the last mention.
int CoordinateDepth(const DeviceIdDict& dict, const std::string& axis,
                    const KernelConfig& config) {
  int depth = kMeshIndexDepth;  // of an axis that is left out
  for (const Entry* entry : SortedByAxes(dict)) {
    const int whole = Depth(entry->index, config);
    int64_t inner = 1;  // devices that the axes after this one span
    bool found = false;
    for (size_t i = entry->axes.size(); i-- > 0 && !found;) {
      found = entry->axes[i] == axis;
      if (!found) inner *= MeshAxisSize(config, entry->axes[i]);
    }
    if (!found) continue;
    const int division =
        IsPowerOfTwo(inner) ? kShiftDepth : kFloorDivisionDepth;
    depth = entry->axes.size() == 1 ? whole : whole + division + 1;
  }
  return depth;
}

struct Replay {
  const PeerView& peer;
  const KernelConfig& config;

  int depth() const {
    const auto* scalar = std::get_if<Scalar>(&peer.device_id);
    if (peer.id_type == DeviceIdType::kLogical && scalar != nullptr) {
      return Depth(*scalar, config);
    }
    // Coordinates times strides, added to zero one after the other.
    int sum = kConstantDepth;
    for (size_t i = 0; i < config.mesh.size(); ++i) {
      sum = 1 + std::max(sum, 1 + Coordinate(i));
    }
    return sum;
  }

 private:
  int Coordinate(size_t axis) const {
    if (const auto* scalar = std::get_if<Scalar>(&peer.device_id)) {
      return Depth(*scalar, config);
    }
    if (const auto* tuple = std::get_if<DeviceIdTuple>(&peer.device_id)) {
      return Depth(tuple->coordinates[axis], config);
    }
    return CoordinateDepth(std::get<DeviceIdDict>(peer.device_id),
                           config.mesh[axis].first, config);
  }
};

constexpr Rule<Replay> kReplayRules[] = {
    {.doc = {.id = "lower.device-id.replay",
             .area = kArea,
             .phase = Phase::kLower,
             .wordings = {{.pattern = "Failed to recompute the async_copy peer "
                                      "id on the host"}},
             .why = "The TMA descriptor of a peer's memory is made before the "
                    "kernel starts, so its device id may depend on the device "
                    "and on constants only, by few operations.",
             .fix = "Compute the device id from indices of the device mesh.",
             .source = "launch_context.py LaunchContext._get_tma_desc"},
     .violated =
         [](const Replay& replay) {
           return BrokenIf(replay.depth() > kMaxDepth);
         }},
};

}  // namespace

bool LowerDeviceId(const PeerView& peer, const KernelConfig& config, bool lane,
                   const Location& at, Checker& checker) {
  return checker.Check(kDeviceIdRules, DeviceIdUse{peer, config, lane}, at);
}

bool ReplayDeviceId(const PeerView& peer, const KernelConfig& config,
                    const Location& at, Checker& checker) {
  return checker.Check(kReplayRules, Replay{peer, config}, at);
}

void AppendDeviceIdRules(RuleList& rules) {
  AppendDocs(kDeviceIdRules, Stage::kLowerBody, rules);
  AppendDocs(kReplayRules, Stage::kFinishBody, rules);
}

}  // namespace pallasite

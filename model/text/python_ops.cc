#include "model/text/python_ops.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "model/config/walk.h"
#include "model/text/python_refs.h"

namespace pallasite {
namespace {

// Names that the body itself reads; an argument of that name gets another.
constexpr std::string_view kNamesInUse[] = {"jax", "jnp", "pl", "plgpu",
                                            "warp_id"};

std::string AxisIndexCall(const std::string& axis) {
  return absl::StrCat("jax.lax.axis_index(", PyString(axis), ")");
}

std::string ScalarText(const Scalar& scalar) {
  if (const auto* value = std::get_if<int64_t>(&scalar)) {
    return absl::StrCat(*value);
  }
  const auto& axis = std::get<AxisIndex>(scalar);
  std::string text = AxisIndexCall(axis.axis);
  if (axis.scale != 1) absl::StrAppend(&text, " * ", axis.scale);
  if (axis.offset > 0) absl::StrAppend(&text, " + ", axis.offset);
  if (axis.offset < 0) {
    absl::StrAppend(&text, " - ",
                    uint64_t{0} - static_cast<uint64_t>(axis.offset));
  }
  return text;
}

std::string SliceText(const PySlice& slice) {
  const auto part = [](const std::optional<int64_t>& value) {
    return value ? absl::StrCat(*value) : std::string();
  };
  return absl::StrCat(part(slice.start), ":", part(slice.stop),
                      slice.step ? ":" : "", part(slice.step));
}

std::string GatherText(const GatherIndex& gather) {
  // The two layouts that row numbers of a gather may have; the wider one takes
  // sixteen at a time.
  const char* layout =
      gather.length % 16 == 0 ? "TMA_INDICES" : "TMA_INDICES_4";
  return absl::StrCat("plgpu.broadcasted_iota(", PyDType(gather.dtype), ", (",
                      gather.length, ",), 0, layout=plgpu.Layout.", layout,
                      ")");
}

std::string IndexText(const Index& index) {
  return std::visit(
      Overloaded{
          [](const Scalar& scalar) { return ScalarText(scalar); },
          [](const PySlice& slice) { return SliceText(slice); },
          [](const DynamicSlice& slice) {
            return absl::StrCat(
                "pl.ds(", ScalarText(slice.start), ", ", slice.size,
                slice.stride ? absl::StrCat(", ", *slice.stride) : "", ")");
          },
          [](const EllipsisIndex&) { return std::string("..."); },
          [](const GatherIndex& gather) { return GatherText(gather); },
      },
      index);
}

std::string IndicesText(const std::vector<Index>& indices) {
  if (indices.empty()) return "()";
  return absl::StrJoin(indices, ", ", [](std::string* out, const Index& index) {
    absl::StrAppend(out, IndexText(index));
  });
}

std::string DeviceIdText(const DeviceId& id) {
  return std::visit(
      Overloaded{
          [](const Scalar& scalar) { return ScalarText(scalar); },
          [](const DeviceIdTuple& tuple) {
            std::vector<PyExpr> items;
            for (const Scalar& coordinate : tuple.coordinates) {
              items.push_back(PyText(ScalarText(coordinate)));
            }
            return Flat(PyTuple(std::move(items)));
          },
          [](const DeviceIdDict& dict) {
            std::vector<std::pair<PyExpr, PyExpr>> entries;
            for (const DeviceIdDict::Entry& entry : dict.entries) {
              const std::string key = entry.axes.size() == 1
                                          ? PyString(entry.axes[0])
                                          : PyStrings(entry.axes);
              entries.emplace_back(PyText(key),
                                   PyText(ScalarText(entry.index)));
            }
            return Flat(PyDict(entries));
          },
      },
      id);
}

std::string Viewed(std::string ref, const View& view) {
  return std::visit(
      Overloaded{
          [&](const AtView& at) {
            return absl::StrCat(ref, ".at[", IndicesText(at.indices), "]");
          },
          [&](const TransposeView& transpose) {
            return absl::StrCat(ref, ".transpose(",
                                PyInts(transpose.permutation), ")");
          },
          [&](const ReshapeView& reshape) {
            return absl::StrCat(ref, ".reshape(", PyInts(reshape.shape), ")");
          },
          [&](const PeerView& peer) {
            // MESH is what JAX takes when nothing is said.
            return absl::StrCat("plgpu.remote_ref(", ref, ", ",
                                DeviceIdText(peer.device_id),
                                peer.id_type == DeviceIdType::kLogical
                                    ? ", pl.DeviceIdType.LOGICAL)"
                                    : ")");
          },
          [&](const MulticastView& multicast) {
            return absl::StrCat("plgpu.multicast_ref(", ref, ", ",
                                PyStrings(multicast.axes), ")");
          },
          [&](const ClusterView& cluster) {
            std::vector<std::pair<PyExpr, PyExpr>> entries;
            for (const auto& [axis, block] : cluster.block_id) {
              entries.emplace_back(PyText(PyString(axis)),
                                   PyText(ScalarText(block)));
            }
            return absl::StrCat("plgpu.cluster_ref(", ref, ", ",
                                Flat(PyDict(entries)), ")");
          },
      },
      view);
}

std::string RefText(const RefExpr& ref, const PyParameters& parameters) {
  std::string text = parameters.Of(ref.name);
  for (const PathStep& step : ref.path) {
    const auto* position = std::get_if<int64_t>(&step);
    absl::StrAppend(&text, "[",
                    position ? absl::StrCat(*position)
                             : PyString(std::get<std::string>(step)),
                    "]");
  }
  for (const View& view : ref.views) text = Viewed(std::move(text), view);
  return text;
}

PyExpr PrefetchCall(const AsyncPrefetchOp& op, const PyParameters& parameters) {
  std::vector<PyExpr> arguments = {PyText(RefText(op.ref, parameters))};
  if (op.collective_axes) {
    arguments.push_back(
        PyKeyword("collective_axes", PyText(PyStrings(*op.collective_axes))));
  }
  if (op.leader_tracked) {
    const auto* partitioned = std::get_if<Partitioned>(&*op.leader_tracked);
    arguments.push_back(PyKeyword(
        "leader_tracked",
        PyText(partitioned ? absl::StrCat("plgpu.CopyPartition.PARTITIONED(",
                                          partitioned->axis, ")")
                           : "plgpu.CopyPartition.REPLICATED")));
  }
  if (op.predicate) {
    const auto* axis = std::get_if<AxisEquals>(&*op.predicate);
    arguments.push_back(PyKeyword(
        "predicate", PyText(axis ? absl::StrCat(AxisIndexCall(axis->axis),
                                                " == ", axis->value)
                                 : PyBool(std::get<bool>(*op.predicate)))));
  }
  return PyCall("plgpu.async_prefetch", std::move(arguments));
}

}  // namespace

PyParameters::PyParameters(const KernelConfig& config) {
  for (const auto& [name, spec] : config.inputs) Add(name);
  for (const auto& [name, spec] : config.outputs) Add(name);
  for (const auto& [name, tree] : config.scratch) Add(name);
}

std::string PyParameters::Of(const std::string& name) const {
  for (const auto& [argument, parameter] : parameters_) {
    if (argument == name) return parameter;
  }
  return name;
}

std::string PyParameters::List() const {
  return absl::StrJoin(parameters_, ", ",
                       [](std::string* out, const auto& entry) {
                         absl::StrAppend(out, entry.second);
                       });
}

void PyParameters::Add(const std::string& name) {
  std::string parameter = name;
  while (InUse(parameter)) parameter += '_';
  parameters_.emplace_back(name, std::move(parameter));
}

bool PyParameters::InUse(const std::string& parameter) const {
  return std::find(std::begin(kNamesInUse), std::end(kNamesInUse), parameter) !=
             std::end(kNamesInUse) ||
         std::any_of(
             parameters_.begin(), parameters_.end(),
             [&](const auto& entry) { return entry.second == parameter; });
}

void WritePyOps(const std::vector<Op>& ops, const PyParameters& parameters,
                PyWriter& out) {
  if (ops.empty()) out.Line("pass");
  for (const Op& op : ops) {
    std::visit(Overloaded{
                   [&](const AsyncPrefetchOp& prefetch) {
                     out.Statement("", PrefetchCall(prefetch, parameters));
                   },
                   [&](const PrintLayoutOp& print) {
                     out.Statement(
                         "", PyCall("plgpu.print_layout",
                                    {PyText(PyString("{}")),
                                     PyText(RefText(print.ref, parameters))}));
                   },
                   [&](const WarpMapOp& warp_map) {
                     out.Line("@plgpu.warp_map");
                     out.Line("def _(warp_id):");
                     out.Indent();
                     WritePyOps(warp_map.body, parameters, out);
                     out.Dedent();
                   },
               },
               op.node);
  }
}

}  // namespace pallasite

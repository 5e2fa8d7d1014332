#include <optional>
#include <string>
#include <variant>

#include "absl/strings/str_join.h"
#include "model/text/json_config_writer.h"
#include "model/text/json_spelling.h"

namespace pallasite {

void ConfigWriter::Ops(absl::Span<const Op> ops) {
  out_.Open('[');
  for (const Op& op : ops) {
    out_.Open('{');
    Any(op.node);
    out_.Close();
  }
  out_.Close();
}

void ConfigWriter::Node(const AsyncPrefetchOp& op) {
  out_.Key("async_prefetch");
  out_.Open('{');
  Ref(op.ref);
  if (op.collective_axes) {
    out_.Key("collective_axes");
    Names(*op.collective_axes);
  }
  if (op.leader_tracked) {
    out_.Key("leader_tracked");
    if (const auto* part = std::get_if<Partitioned>(&*op.leader_tracked)) {
      out_.Open('{');
      out_.Member("partitioned", part->axis);
      out_.Close();
    } else {
      out_.Value(words::kReplicated);
    }
  }
  if (op.predicate) {
    out_.Key("predicate");
    if (const auto* equals = std::get_if<AxisEquals>(&*op.predicate)) {
      out_.Open('{');
      out_.Member("axis", equals->axis);
      out_.Member("equals", equals->value);
      out_.Close();
    } else {
      out_.Value(std::get<bool>(*op.predicate));
    }
  }
  out_.Close();
}

void ConfigWriter::Node(const PrintLayoutOp& op) {
  out_.Key("print_layout");
  out_.Open('{');
  Ref(op.ref);
  out_.Close();
}

void ConfigWriter::Node(const WarpMapOp& op) {
  out_.Key("warp_map");
  Ops(op.body);
}

void ConfigWriter::Ref(const RefExpr& ref) {
  out_.Key("ref");
  const std::string path = FormatRefPath(ref.name, ref.path);
  if (ref.views.empty()) {
    out_.Value(path);
    return;
  }
  out_.Open('{');
  out_.Key(path);
  out_.Open('[');
  for (const View& view : ref.views) {
    out_.Open('{');
    Any(view);
    out_.Close();
  }
  out_.Close();
  out_.Close();
}

void ConfigWriter::Node(const AtView& view) {
  out_.Key("at");
  out_.Open('[');
  for (const Index& index : view.indices) Any(index);
  out_.Close();
}

void ConfigWriter::Node(const TransposeView& view) {
  out_.Key("transpose");
  Ints(view.permutation);
}

void ConfigWriter::Node(const ReshapeView& view) {
  out_.Key("reshape");
  Ints(view.shape);
}

void ConfigWriter::Node(const PeerView& view) {
  out_.Key("peer");
  Any(view.device_id);
  if (view.id_type != DeviceIdType::kMesh) {
    out_.Member("id_type", WordFor(words::kDeviceIdType, view.id_type));
  }
}

void ConfigWriter::Node(const MulticastView& view) {
  out_.Key("multicast");
  Names(view.axes);
}

void ConfigWriter::Node(const ClusterView& view) {
  out_.Key("cluster_ref");
  out_.Open('{');
  for (const auto& [axis, block] : view.block_id) {
    out_.Key(axis);
    Node(block);
  }
  out_.Close();
}

void ConfigWriter::Node(const Scalar& scalar) {
  if (const auto* number = std::get_if<int64_t>(&scalar)) {
    out_.Value(*number);
    return;
  }
  const auto& index = std::get<AxisIndex>(scalar);
  out_.Open('{');
  out_.Member("axis", index.axis);
  if (index.scale != 1) out_.Member("scale", index.scale);
  if (index.offset != 0) out_.Member("offset", index.offset);
  out_.Close();
}

void ConfigWriter::Node(const PySlice& slice) {
  out_.Open('[');
  OptionalInt(slice.start);
  OptionalInt(slice.stop);
  if (slice.step) out_.Value(*slice.step);
  out_.Close();
}

void ConfigWriter::Node(const DynamicSlice& slice) {
  out_.Open('{');
  out_.Key("ds");
  out_.Open('[');
  Node(slice.start);
  out_.Value(slice.size);
  if (slice.stride) out_.Value(*slice.stride);
  out_.Close();
  out_.Close();
}

void ConfigWriter::Node(const GatherIndex& gather) {
  out_.Open('{');
  out_.Member("gather", FormatArray(gather.dtype, {gather.length}));
  out_.Close();
}

void ConfigWriter::Node(const DeviceIdTuple& id) {
  out_.Open('[');
  for (const Scalar& coordinate : id.coordinates) Node(coordinate);
  out_.Close();
}

void ConfigWriter::Node(const DeviceIdDict& id) {
  out_.Open('{');
  out_.Key("by_axis");
  out_.Open('{');
  for (const DeviceIdDict::Entry& entry : id.entries) {
    out_.Key(absl::StrJoin(entry.axes, ","));
    Node(entry.index);
  }
  out_.Close();
  out_.Close();
}

}  // namespace pallasite

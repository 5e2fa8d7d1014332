#include "model/text/json_writer.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_join.h"
#include "model/config/walk.h"
#include "model/text/json_config_reader.h"
#include "model/text/json_keys.h"
#include "model/text/json_spelling.h"
#include "model/text/release.h"

namespace pallasite {
namespace {

template <typename E, size_t n>
std::string_view WordFor(const Word<E> (&words)[n], E value) {
  for (const Word<E>& word : words) {
    if (word.value == value) return word.word;
  }
  return "";
}

// Writes the parts of a configuration, each as one value.
class ConfigWriter {
 public:
  explicit ConfigWriter(JsonEmitter& out) : out_(out) {}

  void Config(const KernelConfig& config, JsonEmitter::Layout layout);

 private:
  void Ints(absl::Span<const int64_t> values);
  void Names(absl::Span<const std::string> names);

  void Kernel(const KernelSpec& kernel);
  void Axes(std::string_view key, const AxisList& axes);
  void Threads(const ThreadAxis& threads);
  void Params(const CompilerParams& params);
  void Arrays(std::string_view key, const Named<ArraySpec>& arrays);

  void Tree(const RefTree& tree);
  void Trees(absl::Span<const RefTree> trees);
  void TaggedTrees(std::string_view tag, absl::Span<const RefTree> trees);
  void Node(const RefSpec& ref);
  void Node(const BarrierSpec& barrier);
  void Node(const ClusterBarrierSpec& barrier);
  void Node(const AccumulatorSpec& accumulator);
  void Node(const RefSequence& sequence);
  void Node(const RefDict& dict);
  void Node(const RefUnionSpec& refs);
  void Transform(const RefTransform& transform);
  void Layout(const TmemLayoutSpec& layout);
  // The fields that both kinds of barriers have.
  template <typename Spec>
  void BarrierFields(const Spec& barrier);

  void Ops(absl::Span<const Op> ops);
  void Node(const AsyncPrefetchOp& op);
  void Node(const PrintLayoutOp& op);
  void Node(const WarpMapOp& op);
  void Ref(const RefExpr& ref);
  void Node(const AtView& view);
  void Node(const TransposeView& view);
  void Node(const ReshapeView& view);
  void Node(const PeerView& view);
  void Node(const MulticastView& view);
  void Node(const ClusterView& view);
  void Node(const Scalar& scalar);
  void Node(const PySlice& slice);
  void Node(const DynamicSlice& slice);
  void Node(const EllipsisIndex&) { out_.Value(words::kEllipsis); }
  void Node(const GatherIndex& gather);
  void Node(const DeviceIdTuple& id);
  void Node(const DeviceIdDict& id);

  template <typename... Ts>
  void Any(const std::variant<Ts...>& value) {
    std::visit([this](const auto& node) { Node(node); }, value);
  }
  template <typename T>
  void Optional(std::string_view key, const std::optional<T>& value) {
    if (value) out_.Member(key, *value);
  }
  void OptionalInt(const std::optional<int64_t>& value) {
    out_.Value(value ? nlohmann::json(*value) : nlohmann::json());
  }

  JsonEmitter& out_;
};

void ConfigWriter::Config(const KernelConfig& config,
                          JsonEmitter::Layout layout) {
  out_.Open('{', layout);
  out_.Member("pallasite", kFormatVersion);
  if (config.target) {
    out_.Key("target");
    out_.Open('{');
    out_.Member("jax", FormatRelease(config.target->jax));
    out_.Member("arch", FormatArch(config.target->arch));
    out_.Close();
  }
  if (!config.mesh.empty()) {
    out_.Key("mesh");
    out_.Open('{');
    for (const auto& [name, size] : config.mesh) out_.Member(name, size);
    out_.Close();
  }
  if (config.kernel != KernelSpec()) Kernel(config.kernel);
  Arrays("inputs", config.inputs);
  Arrays("outputs", config.outputs);
  if (!config.scratch.empty()) {
    out_.Key("scratch");
    out_.Open('{');
    for (const auto& [name, tree] : config.scratch) {
      out_.Key(name);
      Tree(tree);
    }
    out_.Close();
  }
  if (!config.body.empty()) {
    out_.Key("body");
    Ops(config.body);
  }
  out_.Close();
}

void ConfigWriter::Ints(absl::Span<const int64_t> values) {
  out_.Open('[');
  for (const int64_t value : values) out_.Value(value);
  out_.Close();
}

void ConfigWriter::Names(absl::Span<const std::string> names) {
  out_.Open('[');
  for (const std::string& name : names) out_.Value(name);
  out_.Close();
}

void ConfigWriter::Kernel(const KernelSpec& kernel) {
  out_.Key("kernel");
  out_.Open('{');
  if (kernel.params.lowering) {
    out_.Member("lowering", WordFor(words::kLowering, *kernel.params.lowering));
  }
  Axes("grid", kernel.grid);
  Axes("cluster", kernel.cluster);
  Threads(kernel.threads);
  Params(kernel.params);
  out_.Close();
}

void ConfigWriter::Axes(std::string_view key, const AxisList& axes) {
  if (axes == AxisList()) return;
  out_.Key(key);
  const absl::flat_hash_set<std::string_view> distinct(axes.names.begin(),
                                                       axes.names.end());
  if (axes.sizes.size() != axes.names.size() ||
      distinct.size() != axes.names.size()) {
    out_.Open('[');
    Ints(axes.sizes);
    Names(axes.names);
    out_.Close();
    return;
  }
  out_.Open('{');
  for (size_t i = 0; i < axes.names.size(); ++i) {
    out_.Member(axes.names[i], axes.sizes[i]);
  }
  out_.Close();
}

void ConfigWriter::Threads(const ThreadAxis& threads) {
  if (threads == ThreadAxis()) return;
  out_.Key("threads");
  if (threads.count && threads.name) {
    out_.Open('{');
    out_.Member(*threads.name, *threads.count);
    out_.Close();
    return;
  }
  out_.Open('[');
  OptionalInt(threads.count);
  out_.Value(threads.name ? nlohmann::json(*threads.name) : nlohmann::json());
  out_.Close();
}

void ConfigWriter::Params(const CompilerParams& params) {
  CompilerParams without_lowering = params;
  without_lowering.lowering.reset();
  if (without_lowering == CompilerParams()) return;
  out_.Key("params");
  out_.Open('{');
  if (params.dimension_semantics) {
    out_.Key("dimension_semantics");
    out_.Open('[');
    for (const DimensionSemantics one : *params.dimension_semantics) {
      out_.Value(WordFor(words::kDimensionSemantics, one));
    }
    out_.Close();
  }
  Optional("approx_math", params.approx_math);
  Optional("max_concurrent_steps", params.max_concurrent_steps);
  Optional("unsafe_no_auto_barriers", params.unsafe_no_auto_barriers);
  Optional("reduction_scratch_bytes", params.reduction_scratch_bytes);
  Optional("profile_space", params.profile_space);
  Optional("profile_dir", params.profile_dir);
  if (params.profile_trace_scope) {
    out_.Member("profile_trace_scope",
                WordFor(words::kTraceScope, *params.profile_trace_scope));
  }
  Optional("profile_bounds_check", params.profile_bounds_check);
  Optional("skip_device_barrier", params.skip_device_barrier);
  out_.Close();
}

void ConfigWriter::Arrays(std::string_view key,
                          const Named<ArraySpec>& arrays) {
  if (arrays.empty()) return;
  out_.Key(key);
  out_.Open('{');
  for (const auto& [name, array] : arrays) {
    out_.Member(name, FormatArray(array.dtype, array.shape));
  }
  out_.Close();
}

// --- Ref trees
// -----------------------------------------------------------------

void ConfigWriter::Tree(const RefTree& tree) { Any(tree.node); }

void ConfigWriter::Trees(absl::Span<const RefTree> trees) {
  out_.Open('[');
  for (const RefTree& tree : trees) Tree(tree);
  out_.Close();
}

void ConfigWriter::TaggedTrees(std::string_view tag,
                               absl::Span<const RefTree> trees) {
  out_.Open('{');
  out_.Key(tag);
  Trees(trees);
  out_.Close();
}

void ConfigWriter::Node(const RefSpec& ref) {
  out_.Open('{');
  out_.Member(WordFor(words::kMemorySpace, ref.space),
              FormatArray(ref.dtype, ref.shape));
  if (!ref.transforms.empty()) {
    out_.Key("transforms");
    out_.Open('[');
    for (const RefTransform& transform : ref.transforms) Transform(transform);
    out_.Close();
  }
  Optional("packed", ref.packed);
  Optional("collective", ref.collective);
  if (ref.layout) Layout(*ref.layout);
  out_.Close();
}

void ConfigWriter::Transform(const RefTransform& transform) {
  out_.Open('{');
  std::visit(Overloaded{[this](const TilingTransform& t) {
                          out_.Key("tile");
                          Ints(t.tiling);
                        },
                        [this](const SwizzleTransform& t) {
                          out_.Member("swizzle", t.swizzle);
                        },
                        [this](const TransposeTransform& t) {
                          out_.Key("transpose");
                          Ints(t.permutation);
                        }},
             transform);
  out_.Close();
}

void ConfigWriter::Layout(const TmemLayoutSpec& layout) {
  out_.Key("layout");
  if (layout.kind != TmemLayoutKind::kM64Collective) {
    out_.Value(WordFor(words::kTmemLayout, layout.kind));
    return;
  }
  out_.Open('{');
  out_.Key("m64_collective");
  out_.Open('[');
  if (layout.columns) out_.Value(*layout.columns);
  if (layout.packing) out_.Value(*layout.packing);
  out_.Close();
  out_.Close();
}

template <typename Spec>
void ConfigWriter::BarrierFields(const Spec& barrier) {
  const Spec defaults;
  if (barrier.num_arrivals != defaults.num_arrivals) {
    out_.Member("num_arrivals", barrier.num_arrivals);
  }
  if (barrier.num_barriers.size() == 1) {
    out_.Member("num_barriers", barrier.num_barriers[0]);
  } else if (!barrier.num_barriers.empty()) {
    out_.Key("num_barriers");
    Ints(barrier.num_barriers);
  }
  if (barrier.orders_tensor_core != defaults.orders_tensor_core) {
    out_.Member("orders_tensor_core", barrier.orders_tensor_core);
  }
}

void ConfigWriter::Node(const BarrierSpec& barrier) {
  out_.Open('{');
  out_.Key("barrier");
  out_.Open('{');
  BarrierFields(barrier);
  out_.Close();
  out_.Close();
}

void ConfigWriter::Node(const ClusterBarrierSpec& barrier) {
  out_.Open('{');
  out_.Key("cluster_barrier");
  out_.Open('{');
  out_.Key("collective_axes");
  out_.Open('[');
  for (const std::vector<std::string>& group : barrier.collective_axes) {
    if (group.size() == 1) {
      out_.Value(group[0]);
    } else {
      Names(group);
    }
  }
  out_.Close();
  BarrierFields(barrier);
  if (barrier.leader_tracked) out_.Member("leader_tracked", true);
  out_.Close();
  out_.Close();
}

void ConfigWriter::Node(const AccumulatorSpec& accumulator) {
  out_.Open('{');
  out_.Member("acc", FormatArray(accumulator.dtype, accumulator.shape));
  out_.Close();
}

void ConfigWriter::Node(const RefSequence& sequence) {
  if (sequence.kind == SequenceKind::kTuple) {
    TaggedTrees("tuple", sequence.items);
  } else {
    Trees(sequence.items);
  }
}

void ConfigWriter::Node(const RefDict& dict) {
  out_.Open('{');
  out_.Key("dict");
  out_.Open('{');
  for (const auto& [key, tree] : dict.entries) {
    out_.Key(key);
    Tree(tree);
  }
  out_.Close();
  out_.Close();
}

void ConfigWriter::Node(const RefUnionSpec& refs) {
  TaggedTrees("union", refs.groups);
}

// --- The body
// --------------------------------------------------------------------

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

}  // namespace

std::string WriteConfig(const KernelConfig& config) {
  JsonEmitter out;
  EmitConfig(config, JsonEmitter::Layout::kAligned, out);
  return std::move(out).Take();
}

std::string WriteConfigLine(const KernelConfig& config) {
  JsonEmitter out;
  EmitConfig(config, JsonEmitter::Layout::kLine, out);
  return std::move(out).Take();
}

void EmitConfig(const KernelConfig& config, JsonEmitter::Layout layout,
                JsonEmitter& out) {
  ConfigWriter(out).Config(config, layout);
}

}  // namespace pallasite

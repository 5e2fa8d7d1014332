#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/config/walk.h"
#include "model/text/json_config_writer.h"
#include "model/text/json_spelling.h"

namespace pallasite {

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

}  // namespace pallasite

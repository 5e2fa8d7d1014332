#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/text/json_config_reader.h"
#include "model/text/json_spelling.h"

namespace pallasite {

using Kind = JsonValue::Kind;

// Positions in a tree are named as a kernel names them: what wraps the items of
// a tuple, dict or union adds no step to the path.
bool ConfigReader::Tree(const JsonValue& value, const Location& at,
                        RefTree& out) {
  if (value.kind == Kind::kArray) {
    return Trees(value, at, out.node.emplace<RefSequence>().items);
  }
  std::string_view tag;
  const ObjectKeys* kind = Tagged(value, at, keys::kTrees,
                                  "a ref, a barrier or a tree of them", tag);
  if (kind == nullptr) return false;
  const JsonValue& content = *value.Find(tag);
  if (kind == &keys::kRef) {
    return Ref(value, at, tag, out.node.emplace<RefSpec>());
  }
  if (kind == &keys::kBarrier) {
    return Barrier(content, at, out.node.emplace<BarrierSpec>());
  }
  if (kind == &keys::kClusterBarrier) {
    return ClusterBarrier(content, at, out.node.emplace<ClusterBarrierSpec>());
  }
  if (kind == &keys::kAccumulator) {
    ArraySpec array;
    if (!Array(content, Location(at, tag), array)) return false;
    out.node = AccumulatorSpec{.dtype = array.dtype, .shape = array.shape};
    return true;
  }
  if (kind == &keys::kTuple) {
    auto& sequence = out.node.emplace<RefSequence>();
    sequence.kind = SequenceKind::kTuple;
    return Trees(content, at, sequence.items);
  }
  if (kind == &keys::kDict) {
    return Entries(content, at, out.node.emplace<RefDict>().entries,
                   Via(&ConfigReader::Tree));
  }
  return Trees(content, at, out.node.emplace<RefUnionSpec>().groups);
}

bool ConfigReader::Trees(const JsonValue& value, const Location& at,
                         std::vector<RefTree>& out) {
  return List(value, at, "a list of refs or trees", out,
              Via(&ConfigReader::Tree));
}

bool ConfigReader::Ref(const JsonValue& value, const Location& at,
                       std::string_view space, RefSpec& out) {
  for (const auto& [memory_space, word] : words::kMemorySpace) {
    if (word == space) out.space = memory_space;
  }
  ArraySpec array;
  if (!Array(*value.Find(space), Location(at, space), array)) return false;
  out.dtype = array.dtype;
  out.shape = array.shape;
  const auto transforms = [this](const JsonValue& v, const Location& l,
                                 std::vector<RefTransform>& list) {
    return List(v, l, "a list of transforms", list,
                Via(&ConfigReader::Transform));
  };
  return Member(value, at, "transforms", out.transforms, transforms) &&
         Member(value, at, "packed", out.packed, Via(&Decoder::Bool)) &&
         Member(value, at, "collective", out.collective, Via(&Decoder::Bool)) &&
         Member(value, at, "layout", out.layout, Via(&ConfigReader::Layout));
}

bool ConfigReader::Transform(const JsonValue& value, const Location& at,
                             RefTransform& out) {
  std::string_view tag;
  const ObjectKeys* kind =
      Tagged(value, at, keys::kTransforms, "a transform", tag);
  if (kind == nullptr) return false;
  const JsonValue& content = *value.Find(tag);
  const Location inside(at, tag);
  if (kind == &keys::kTile) {
    return Ints(content, inside, out.emplace<TilingTransform>().tiling);
  }
  if (kind == &keys::kSwizzle) {
    return Int(content, inside, out.emplace<SwizzleTransform>().swizzle);
  }
  return Ints(content, inside, out.emplace<TransposeTransform>().permutation);
}

bool ConfigReader::Layout(const JsonValue& value, const Location& at,
                          TmemLayoutSpec& out) {
  if (value.kind == Kind::kString) {
    if (value.text == keys::kM64Collective.tags[0]) {
      return Refuse(at,
                    "this layout has arguments; write {\"m64_collective\": "
                    "[columns]} or {\"m64_collective\": [columns, "
                    "packing]}");
    }
    return OneOf(value, at, words::kTmemLayout, out.kind);
  }
  if (value.kind != Kind::kObject) {
    return Expected(at,
                    "the name of a layout or {\"m64_collective\": "
                    "[columns]}",
                    value);
  }
  if (!Object(value, at, keys::kM64Collective)) return false;
  Shape arguments;
  const auto integers = Via(&Decoder::Ints);
  if (!Required(value, at, "m64_collective", arguments, integers)) return false;
  if (arguments.empty() || arguments.size() > 2) {
    return Refuse(Location(at, "m64_collective"),
                  "expected [columns] or [columns, packing]");
  }
  out.kind = TmemLayoutKind::kM64Collective;
  out.columns = arguments[0];
  if (arguments.size() > 1) out.packing = arguments[1];
  return true;
}

bool ConfigReader::Barrier(const JsonValue& value, const Location& at,
                           BarrierSpec& out) {
  return Object(value, at, keys::kBarrierFields) &&
         Member(value, at, "num_arrivals", out.num_arrivals,
                Via(&Decoder::Int)) &&
         Member(value, at, "num_barriers", out.num_barriers,
                Via(&ConfigReader::NumBarriers)) &&
         Member(value, at, "orders_tensor_core", out.orders_tensor_core,
                Via(&Decoder::Bool));
}

bool ConfigReader::ClusterBarrier(const JsonValue& value, const Location& at,
                                  ClusterBarrierSpec& out) {
  const auto axes = [this](const JsonValue& v, const Location& l,
                           std::vector<std::vector<std::string>>& list) {
    return List(v, l, "a list of axis names or lists of them", list,
                Via(&ConfigReader::AxisGroup));
  };
  return Object(value, at, keys::kClusterBarrierFields) &&
         Required(value, at, "collective_axes", out.collective_axes, axes) &&
         Member(value, at, "num_arrivals", out.num_arrivals,
                Via(&Decoder::Int)) &&
         Member(value, at, "num_barriers", out.num_barriers,
                Via(&ConfigReader::NumBarriers)) &&
         Member(value, at, "orders_tensor_core", out.orders_tensor_core,
                Via(&Decoder::Bool)) &&
         Member(value, at, "leader_tracked", out.leader_tracked,
                Via(&Decoder::Bool));
}

bool ConfigReader::NumBarriers(const JsonValue& value, const Location& at,
                               Shape& out) {
  if (value.kind == Kind::kArray) return Ints(value, at, out);
  out.resize(1);
  return Int(value, at, out[0]);
}

bool ConfigReader::AxisGroup(const JsonValue& value, const Location& at,
                             std::vector<std::string>& out) {
  if (value.kind == Kind::kArray) return Names(value, at, out);
  return Name(value, at, out.emplace_back());
}

}  // namespace pallasite

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "model/config/walk.h"
#include "model/text/json_config_reader.h"
#include "model/text/json_spelling.h"

namespace pallasite {
namespace {

using Kind = JsonValue::Kind;

// The children of a container in a ref tree; null for a leaf and for a dict.
const std::vector<RefTree>* Positions(const RefTree& tree) {
  if (const auto* sequence = std::get_if<RefSequence>(&tree.node)) {
    return &sequence->items;
  }
  if (const auto* refs = std::get_if<RefUnionSpec>(&tree.node)) {
    return &refs->groups;
  }
  return nullptr;
}

bool IsContainer(const RefTree& tree) {
  return Positions(tree) != nullptr ||
         std::holds_alternative<RefDict>(tree.node);
}

// Where a step into a tree leads; null with the reason when nowhere.
const RefTree* Follow(const RefTree& tree, const PathStep& step,
                      std::string& why) {
  if (const auto* index = std::get_if<int64_t>(&step)) {
    const std::vector<RefTree>* positions = Positions(tree);
    if (positions == nullptr) {
      why = std::holds_alternative<RefDict>(tree.node)
                ? "a dict is entered with .key"
                : "there is a single ref, with nothing inside";
      return nullptr;
    }
    if (static_cast<size_t>(*index) < positions->size()) {
      return &(*positions)[*index];
    }
    why = positions->empty() ? "it is empty"
                             : absl::StrCat("its positions are [0] to [",
                                            positions->size() - 1, "]");
    return nullptr;
  }
  const auto& key = std::get<std::string>(step);
  const auto* dict = std::get_if<RefDict>(&tree.node);
  if (dict == nullptr) {
    why = IsContainer(tree) ? "its positions are entered with [index]"
                            : "there is a single ref, with nothing inside";
    return nullptr;
  }
  std::vector<std::string_view> known;
  for (const auto& [name, child] : dict->entries) {
    if (name == key) return &child;
    known.push_back(name);
  }
  why = absl::StrCat("no key is ", Quoted(key), "; ", Suggestion(key, known));
  return nullptr;
}

// Steps from a container down to its first leaf; fewer when it has none.
std::vector<PathStep> StepsToLeaf(const RefTree* tree) {
  std::vector<PathStep> steps;
  while (true) {
    const std::vector<RefTree>* positions = Positions(*tree);
    const auto* dict = std::get_if<RefDict>(&tree->node);
    if (positions != nullptr && !positions->empty()) {
      steps.emplace_back(int64_t{0});
      tree = &positions->front();
    } else if (dict != nullptr && !dict->entries.empty()) {
      steps.emplace_back(dict->entries.front().first);
      tree = &dict->entries.front().second;
    } else {
      return steps;
    }
  }
}

}  // namespace

bool ConfigReader::Ops(const JsonValue& value, const Location& at,
                       std::vector<Op>& out) {
  return List(value, at, "a list of ops", out, Via(&ConfigReader::ReadOp));
}

bool ConfigReader::ReadOp(const JsonValue& value, const Location& at, Op& out) {
  std::string_view tag;
  const ObjectKeys* kind = Tagged(value, at, keys::kOps, "an op", tag);
  if (kind == nullptr) return false;
  const JsonValue& content = *value.Find(tag);
  if (kind == &keys::kAsyncPrefetch) {
    return AsyncPrefetch(content, at, out.node.emplace<AsyncPrefetchOp>());
  }
  if (kind == &keys::kPrintLayout) {
    return PrintLayout(content, at, out.node.emplace<PrintLayoutOp>());
  }
  return Ops(content, Location(at, tag), out.node.emplace<WarpMapOp>().body);
}

bool ConfigReader::AsyncPrefetch(const JsonValue& value, const Location& at,
                                 AsyncPrefetchOp& out) {
  return Object(value, at, keys::kAsyncPrefetchFields) &&
         Required(value, at, "ref", out.ref, Via(&ConfigReader::ReadRefExpr)) &&
         Member(value, at, "collective_axes", out.collective_axes,
                Via(&Decoder::Names)) &&
         Member(value, at, "leader_tracked", out.leader_tracked,
                Via(&ConfigReader::Partition)) &&
         Member(value, at, "predicate", out.predicate,
                Via(&ConfigReader::ReadPredicate));
}

bool ConfigReader::PrintLayout(const JsonValue& value, const Location& at,
                               PrintLayoutOp& out) {
  return Object(value, at, keys::kPrintLayoutFields) &&
         Required(value, at, "ref", out.ref, Via(&ConfigReader::ReadRefExpr));
}

bool ConfigReader::Partition(const JsonValue& value, const Location& at,
                             CopyPartition& out) {
  if (value.kind == Kind::kString && value.text == words::kReplicated) {
    out = Replicated();
    return true;
  }
  if (value.kind != Kind::kObject) {
    return Expected(at, "\"replicated\" or {\"partitioned\": axis}", value);
  }
  return Object(value, at, keys::kPartitioned) &&
         Required(value, at, "partitioned", out.emplace<Partitioned>().axis,
                  Via(&Decoder::Int));
}

bool ConfigReader::ReadPredicate(const JsonValue& value, const Location& at,
                                 Predicate& out) {
  if (value.kind == Kind::kBool) {
    out = value.boolean;
    return true;
  }
  if (value.kind != Kind::kObject) {
    return Expected(at, "true, false or {\"axis\": name, \"equals\": integer}",
                    value);
  }
  auto& equals = out.emplace<AxisEquals>();
  return Object(value, at, keys::kAxisEquals) &&
         Required(value, at, "axis", equals.axis, Via(&Decoder::Name)) &&
         Required(value, at, "equals", equals.value, Via(&Decoder::Int));
}

bool ConfigReader::ReadRefExpr(const JsonValue& value, const Location& at,
                               RefExpr& out) {
  if (value.kind == Kind::kString) return Path(value.text, at, out);
  if (value.kind != Kind::kObject || value.items.size() != 1) {
    return Expected(at, "the path of a ref, or {path: [views]} with one path",
                    value);
  }
  return Path(value.keys[0], at, out) &&
         List(value.items[0], Location(at, "views"), "a list of views",
              out.views, Via(&ConfigReader::ReadView));
}

bool ConfigReader::Path(std::string_view text, const Location& at,
                        RefExpr& out) {
  absl::StatusOr<RefPath> path = ParseRefPath(text);
  if (!path.ok()) {
    const absl::string_view why = path.status().message();
    return Refuse(at, {why.data(), why.size()});
  }
  const auto argument = arguments_.find(path->name);
  if (argument == arguments_.end()) {
    return Refuse(at, absl::StrCat("no input, output or scratch has the name ",
                                   Quoted(path->name), "; ",
                                   Suggestion(path->name, names_)));
  }
  const RefTree* tree = argument->second;
  const absl::Span<const PathStep> steps = path->steps;
  if (tree == nullptr && !steps.empty()) {
    return Refuse(at,
                  absl::StrCat(Quoted(text), " leads nowhere: \"", path->name,
                               "\" is an array; write \"", path->name, "\""));
  }
  for (size_t i = 0; i < steps.size(); ++i) {
    std::string why;
    tree = Follow(*tree, steps[i], why);
    if (tree == nullptr) {
      return Refuse(at, absl::StrCat(Quoted(text), " leads nowhere: in \"",
                                     FormatRefPath(path->name, steps.first(i)),
                                     "\" ", why));
    }
  }
  if (tree != nullptr && IsContainer(*tree)) {
    std::vector<PathStep> leaf = path->steps;
    for (PathStep& step : StepsToLeaf(tree)) leaf.push_back(std::move(step));
    return Refuse(at, absl::StrCat(Quoted(text),
                                   " holds several refs; name one of them, "
                                   "such as \"",
                                   FormatRefPath(path->name, leaf), "\""));
  }
  out.name = std::move(path->name);
  out.path = std::move(path->steps);
  return true;
}

bool ConfigReader::ReadView(const JsonValue& value, const Location& at,
                            View& out) {
  std::string_view tag;
  const ObjectKeys* kind = Tagged(value, at, keys::kViews, "a view", tag);
  if (kind == nullptr) return false;
  const JsonValue& content = *value.Find(tag);
  const Location inside(at, tag);
  if (kind == &keys::kAt) {
    return List(content, inside, "a list of indices",
                out.emplace<AtView>().indices, Via(&ConfigReader::ReadIndex));
  }
  if (kind == &keys::kTranspose) {
    return Ints(content, inside, out.emplace<TransposeView>().permutation);
  }
  if (kind == &keys::kReshape) {
    return Ints(content, inside, out.emplace<ReshapeView>().shape);
  }
  if (kind == &keys::kMulticast) {
    return Names(content, inside, out.emplace<MulticastView>().axes);
  }
  if (kind == &keys::kClusterRef) {
    return Entries(content, inside, out.emplace<ClusterView>().block_id,
                   Via(&ConfigReader::ReadScalar));
  }
  auto& peer = out.emplace<PeerView>();
  const auto id_type = [this](const JsonValue& v, const Location& l,
                              DeviceIdType& type) {
    return OneOf(v, l, words::kDeviceIdType, type);
  };
  return ReadDeviceId(content, inside, peer.device_id) &&
         Member(value, at, "id_type", peer.id_type, id_type);
}

bool ConfigReader::ReadIndex(const JsonValue& value, const Location& at,
                             Index& out) {
  constexpr std::string_view kWhat =
      "an index: an integer, [start, stop], \"...\", or an object with one of "
      "the keys \"axis\", \"ds\", \"gather\"";
  if (value.kind == Kind::kArray) {
    return Slice(value, at, out.emplace<PySlice>());
  }
  if (value.kind == Kind::kString && value.text == words::kEllipsis) {
    out = EllipsisIndex();
    return true;
  }
  if (value.kind == Kind::kInteger || value.kind == Kind::kOtherNumber) {
    return ReadScalar(value, at, out.emplace<Scalar>());
  }
  std::string_view tag;
  const ObjectKeys* kind = Tagged(value, at, keys::kIndices, kWhat, tag);
  if (kind == nullptr) return false;
  const Location inside(at, tag);
  if (kind == &keys::kDynamicSlice) {
    return Ds(*value.Find(tag), inside, out.emplace<DynamicSlice>());
  }
  if (kind == &keys::kGather) {
    return Gather(*value.Find(tag), inside, out.emplace<GatherIndex>());
  }
  return ReadScalar(value, at, out.emplace<Scalar>());
}

bool ConfigReader::ReadScalar(const JsonValue& value, const Location& at,
                              Scalar& out) {
  if (value.kind == Kind::kObject) {
    return ReadAxisIndex(value, at, out.emplace<AxisIndex>());
  }
  if (value.kind != Kind::kInteger && value.kind != Kind::kOtherNumber) {
    return Expected(at,
                    "an integer or {\"axis\": name, \"scale\": integer, "
                    "\"offset\": integer}",
                    value);
  }
  return Int(value, at, out.emplace<int64_t>());
}

bool ConfigReader::ReadAxisIndex(const JsonValue& value, const Location& at,
                                 AxisIndex& out) {
  return Object(value, at, keys::kAxisIndex) &&
         Required(value, at, "axis", out.axis, Via(&Decoder::Name)) &&
         Member(value, at, "scale", out.scale, Via(&Decoder::Int)) &&
         Member(value, at, "offset", out.offset, Via(&Decoder::Int));
}

bool ConfigReader::Slice(const JsonValue& value, const Location& at,
                         PySlice& out) {
  const size_t parts = value.items.size();
  if (parts != 2 && parts != 3) {
    return Refuse(at, absl::StrCat("expected a slice, [start, stop] or [start, "
                                   "stop, step] with null for None, got a list "
                                   "of ",
                                   parts));
  }
  std::optional<int64_t>* const targets[] = {&out.start, &out.stop, &out.step};
  for (size_t i = 0; i < parts; ++i) {
    if (value.items[i].kind == Kind::kNull) continue;
    const Location part(at, static_cast<int64_t>(i));
    if (!Int(value.items[i], part, targets[i]->emplace())) return false;
  }
  return true;
}

bool ConfigReader::Ds(const JsonValue& value, const Location& at,
                      DynamicSlice& out) {
  const size_t parts = value.items.size();
  if (value.kind != Kind::kArray || (parts != 2 && parts != 3)) {
    return Expected(at, "[start, size] or [start, size, stride]", value);
  }
  return ReadScalar(value.items[0], Location(at, 0), out.start) &&
         Int(value.items[1], Location(at, 1), out.size) &&
         (parts == 2 ||
          Int(value.items[2], Location(at, 2), out.stride.emplace()));
}

bool ConfigReader::Gather(const JsonValue& value, const Location& at,
                          GatherIndex& out) {
  ArraySpec array;
  if (!Array(value, at, array)) return false;
  if (array.shape.size() != 1 || array.shape[0] < 1 ||
      array.shape[0] > kMaxGatherLength) {
    return Refuse(
        at, absl::StrCat("expected a vector of 1 to 2^20 (", kMaxGatherLength,
                         ") row numbers such as "
                         "\"u32[16]\", got ",
                         Quoted(value.text)));
  }
  out.dtype = array.dtype;
  out.length = array.shape[0];
  return true;
}

bool ConfigReader::ReadDeviceId(const JsonValue& value, const Location& at,
                                DeviceId& out) {
  if (value.kind == Kind::kArray) {
    return List(value, at, "mesh coordinates",
                out.emplace<DeviceIdTuple>().coordinates,
                Via(&ConfigReader::ReadScalar));
  }
  if (value.kind != Kind::kObject) {
    return ReadScalar(value, at, out.emplace<Scalar>());
  }
  std::string_view tag;
  const ObjectKeys* kind =
      Tagged(value, at, keys::kDeviceIds, "a device id", tag);
  if (kind == nullptr) return false;
  if (kind == &keys::kByAxis) {
    return ByAxis(*value.Find(tag), Location(at, tag),
                  out.emplace<DeviceIdDict>());
  }
  return ReadScalar(value, at, out.emplace<Scalar>());
}

bool ConfigReader::ByAxis(const JsonValue& value, const Location& at,
                          DeviceIdDict& out) {
  if (value.kind != Kind::kObject) {
    return Expected(at, "an object from mesh axes to integers", value);
  }
  absl::flat_hash_set<std::string_view> seen;
  for (size_t i = 0; i < value.items.size(); ++i) {
    const std::string& key = value.keys[i];
    if (!seen.insert(key).second) {
      return Refuse(at, absl::StrCat("the key ", Quoted(key),
                                     " is there twice; keep one of them"));
    }
    DeviceIdDict::Entry& entry = out.entries.emplace_back();
    entry.axes = absl::StrSplit(key, ',');
    for (const std::string& axis : entry.axes) {
      if (!IsName(axis)) {
        return Refuse(at, absl::StrCat("the key ", Quoted(key),
                                       " is no axis name, and no names joined "
                                       "by commas without spaces"));
      }
    }
    if (!ReadScalar(value.items[i], Location(at, key), entry.index)) {
      return false;
    }
  }
  return true;
}

}  // namespace pallasite

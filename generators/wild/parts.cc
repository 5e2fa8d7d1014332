#include "generators/wild/parts.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <variant>

#include "generators/lattice.h"
#include "model/config/walk.h"

namespace pallasite::wild {
namespace {

constexpr std::string_view kUnknownAxis = "q";

class RefFinder {
 public:
  explicit RefFinder(const KernelConfig& config) {
    for (const auto& [name, array] : config.inputs) Add(name);
    for (const auto& [name, array] : config.outputs) Add(name);
    for (const auto& [name, tree] : config.scratch) {
      name_ = name;
      Walk(tree);
    }
  }
  std::vector<RefExpr> Take() { return std::move(refs_); }

 private:
  void Add(const std::string& name) {
    refs_.push_back({.name = name, .path = path_});
  }
  void Walk(const RefTree& tree) {
    if (const auto* sequence = std::get_if<RefSequence>(&tree.node)) {
      Items(sequence->items);
    } else if (const auto* spec = std::get_if<RefUnionSpec>(&tree.node)) {
      Items(spec->groups);
    } else if (const auto* dict = std::get_if<RefDict>(&tree.node)) {
      for (const auto& [key, child] : dict->entries) {
        path_.emplace_back(key);
        Walk(child);
        path_.pop_back();
      }
    } else {
      Add(name_);
    }
  }
  void Items(const std::vector<RefTree>& items) {
    for (size_t i = 0; i < items.size(); ++i) {
      path_.emplace_back(static_cast<int64_t>(i));
      Walk(items[i]);
      path_.pop_back();
    }
  }

  std::string name_;
  std::vector<PathStep> path_;
  std::vector<RefExpr> refs_;
};

}  // namespace

std::vector<RefExpr> Refs(const KernelConfig& config) {
  return RefFinder(config).Take();
}

int64_t Parts::Near(int64_t present) {
  present = std::clamp(present, -kMaxExtent, kMaxExtent);
  switch (choices_.UpTo(6)) {
    case 0:
      return choices_.Pick(BoundaryLattice());
    case 1:
      return present - 1;
    case 2:
      return present + 1;
    case 3:
      return present / 2;
    case 4:
      return present * 2;
    case 5:
      return choices_.Between(0, 4);
    default:
      return 8 * choices_.Between(0, 64);
  }
}

int64_t Parts::Integer(int64_t present) {
  switch (choices_.Weighted({80, 15, 5})) {
    case 0:
      return Near(present);
    case 1:
      return -choices_.Between(1, 129);
    default:
      return choices_.Pick<int64_t>({2147483647, 2147483648, -2147483648,
                                     -2147483649, 4294967296, kMaxExtent,
                                     INT64_MAX, INT64_MIN});
  }
}

DType Parts::AnyDType() {
  const auto all = AllDTypes();
  return choices_.Pick(all).dtype;
}

std::string Parts::AnyAxis() {
  std::vector<std::string_view> names = {kUnknownAxis};
  for (const std::string& name : config_.kernel.cluster.names) {
    names.push_back(name);
  }
  for (const std::string& name : config_.kernel.grid.names) {
    names.push_back(name);
  }
  if (config_.kernel.threads.name) {
    names.push_back(*config_.kernel.threads.name);
  }
  for (const auto& [name, size] : config_.mesh) names.push_back(name);
  return std::string(choices_.Pick(names));
}

Scalar Parts::AnyScalar() {
  if (choices_.Bool()) {
    return AxisIndex{.axis = AnyAxis(),
                     .scale = Integer(1),
                     .offset = choices_.Bool() ? Integer(0) : 0};
  }
  return Integer(0);
}

Index Parts::AnyIndex() {
  switch (choices_.UpTo(5)) {
    case 0:
      return PySlice{};
    case 1:
      return AnyScalar();
    case 2: {
      PySlice slice;
      if (choices_.Bool()) slice.start = Integer(0);
      if (choices_.Bool()) slice.stop = Integer(8);
      if (choices_.Chance(25)) slice.step = Integer(1);
      return slice;
    }
    case 3: {
      DynamicSlice slice{.start = AnyScalar(), .size = Integer(8)};
      if (choices_.Chance(25)) slice.stride = Integer(1);
      return slice;
    }
    case 4:
      return EllipsisIndex{};
    default:
      return GatherIndex{
          .dtype = choices_.Pick(
              {DType::kUInt32, DType::kInt32, DType::kUInt8, DType::kFloat32}),
          .length = choices_.Pick<int64_t>({16, 4, 64, 3, 1})};
  }
}

PeerView Parts::AnyPeer() {
  PeerView peer;
  peer.id_type = choices_.Pick({DeviceIdType::kMesh, DeviceIdType::kLogical});
  switch (choices_.UpTo(2)) {
    case 0:
      peer.device_id = AnyScalar();
      return peer;
    case 1: {
      DeviceIdTuple tuple;
      choices_.List(0, 3,
                    [&](size_t) { tuple.coordinates.push_back(AnyScalar()); });
      peer.device_id = std::move(tuple);
      return peer;
    }
    default: {
      DeviceIdDict dict;
      choices_.List(0, 3, [&](size_t) {
        DeviceIdDict::Entry entry{.index = AnyScalar()};
        choices_.List(1, 3, [&](size_t) { entry.axes.push_back(AnyAxis()); });
        dict.entries.push_back(std::move(entry));
      });
      peer.device_id = std::move(dict);
      return peer;
    }
  }
}

View Parts::AnyView() {
  switch (choices_.Weighted({40, 20, 10, 10, 10, 10})) {
    case 0: {
      AtView at;
      choices_.List(1, 4, [&](size_t) { at.indices.push_back(AnyIndex()); });
      return at;
    }
    case 1:
      return AnyPeer();
    case 2: {
      TransposeView transpose;
      const int64_t rank = choices_.Between(0, 3);
      for (int64_t i = rank; i > 0; --i) transpose.permutation.push_back(i - 1);
      return transpose;
    }
    case 3: {
      ReshapeView reshape;
      choices_.List(0, 3, [&](size_t) { reshape.shape.push_back(Near(8)); });
      return reshape;
    }
    case 4: {
      MulticastView multicast;
      choices_.List(0, 2, [&](size_t) { multicast.axes.push_back(AnyAxis()); });
      return multicast;
    }
    default: {
      ClusterView cluster;
      choices_.List(0, 2, [&](size_t) {
        std::string axis = AnyAxis();
        cluster.block_id.emplace_back(std::move(axis), AnyScalar());
      });
      return cluster;
    }
  }
}

Predicate Parts::AnyPredicate() {
  if (choices_.Bool()) return choices_.Bool();
  return AxisEquals{.axis = AnyAxis(), .value = Integer(0)};
}

RefTransform Parts::AnyTransform(const RefSpec& ref) {
  const int64_t swizzle = choices_.Pick<int64_t>({32, 64, 128, 16, 0, 256});
  const int64_t minor = swizzle * 8 / Info(ref.dtype).bits;
  switch (choices_.UpTo(3)) {
    case 0:
      return SwizzleTransform{swizzle};
    case 1:
      return TilingTransform{{8, minor}};
    case 2: {
      TilingTransform tiling;
      choices_.List(0, 4, [&](size_t) {
        tiling.tiling.push_back(choices_.Pick(BoundaryLattice()));
      });
      return tiling;
    }
    default:
      return TransposeTransform{{1, 0}};
  }
}

TmemLayoutSpec Parts::AnyLayout(const RefSpec& ref) {
  TmemLayoutSpec layout{.kind =
                            choices_.Pick({TmemLayoutKind::kScales,
                                           TmemLayoutKind::kSparseMetadata,
                                           TmemLayoutKind::kScalesM64Collective,
                                           TmemLayoutKind::kM64Collective})};
  if (layout.kind == TmemLayoutKind::kM64Collective) {
    layout.columns = choices_.Bool() || ref.shape.empty()
                         ? 16 * choices_.Between(0, 8)
                         : ref.shape.back();
    if (choices_.Bool()) {
      layout.packing = choices_.Pick<int64_t>({1, 2, 4, 8, 16, 3, 0});
    }
  }
  return layout;
}

RefTree Parts::AnyLeaf() {
  switch (choices_.Weighted({50, 15, 15, 10, 10})) {
    case 0: {
      RefSpec ref{
          .space = choices_.Pick({MemorySpace::kSmem, MemorySpace::kTmem}),
          .dtype = AnyDType()};
      if (ref.space == MemorySpace::kTmem) {
        ref.shape = {choices_.Pick<int64_t>({128, 64, 32, 256}),
                     16 * choices_.Between(0, 8)};
        if (choices_.Bool()) ref.packed = choices_.Bool();
        if (choices_.Bool()) ref.collective = choices_.Bool();
      } else {
        choices_.List(0, 3, [&](size_t) {
          ref.shape.push_back(std::clamp<int64_t>(Near(16), 0, 512));
        });
      }
      return RefTree{std::move(ref)};
    }
    case 1: {
      BarrierSpec barrier{.num_arrivals = Integer(1)};
      if (choices_.Bool()) barrier.num_barriers = {Integer(2)};
      return RefTree{std::move(barrier)};
    }
    case 2: {
      ClusterBarrierSpec barrier;
      choices_.List(0, 2, [&](size_t) {
        auto& group = barrier.collective_axes.emplace_back();
        choices_.List(1, 2, [&](size_t) { group.push_back(AnyAxis()); });
      });
      barrier.leader_tracked = choices_.Bool();
      return RefTree{std::move(barrier)};
    }
    case 3:
      return RefTree{AccumulatorSpec{
          .dtype = AnyDType(),
          .shape = {64 * choices_.Between(0, 2), 8 * choices_.Between(0, 16)}}};
    default: {
      RefSpec ref{
          .space = choices_.Pick({MemorySpace::kGmem, MemorySpace::kRegs}),
          .dtype = AnyDType(),
          .shape = {8}};
      return RefTree{std::move(ref)};
    }
  }
}

RefExpr Parts::AnyRef() {
  const std::vector<RefExpr> refs = Refs(config_);
  // A kernel without any ref keeps its ops from naming one: see Repair.
  if (refs.empty()) return {};
  return choices_.Pick(refs);
}

Op Parts::AnyOp() {
  const bool prefetch = policy_.areas.Has(Area::kPrefetch);
  if (!prefetch || choices_.Bool()) return Op{PrintLayoutOp{AnyRef()}};
  AsyncPrefetchOp op{.ref = AnyRef()};
  choices_.List(0, 2, [&](size_t) { op.ref.views.push_back(AnyView()); });
  return Op{std::move(op)};
}

}  // namespace pallasite::wild

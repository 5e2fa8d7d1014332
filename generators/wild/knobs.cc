#include "generators/wild/knobs.h"

#include <utility>

#include "model/config/walk.h"

namespace pallasite::wild {
namespace {

class Collector {
 public:
  std::vector<Knob> Take() { return std::move(knobs_); }

  void Config(KernelConfig& config) {
    knobs_.emplace_back(MeshKnob{&config.mesh});
    knobs_.emplace_back(AxisListKnob{&config.kernel.grid});
    knobs_.emplace_back(AxisListKnob{&config.kernel.cluster});
    Integers(config.kernel.grid.sizes);
    Integers(config.kernel.cluster.sizes);
    knobs_.emplace_back(ThreadsKnob{&config.kernel.threads});
    knobs_.emplace_back(ParamsKnob{&config.kernel.params});
    for (auto& [name, array] : config.inputs) Array(array);
    for (auto& [name, array] : config.outputs) Array(array);
    knobs_.emplace_back(ScratchKnob{&config.scratch});
    for (auto& [name, tree] : config.scratch) Tree(tree);
    Body(config.body);
  }

 private:
  void Extents(Shape& shape) {
    knobs_.emplace_back(ShapeKnob{&shape});
    for (int64_t& extent : shape) {
      knobs_.emplace_back(ExtentKnob{&extent, &shape});
    }
  }
  void Integers(Shape& values) {
    for (int64_t& value : values) knobs_.emplace_back(IntegerKnob{&value});
  }
  void Array(ArraySpec& array) {
    knobs_.emplace_back(DTypeKnob{&array.dtype});
    Extents(array.shape);
  }

  void Trees(std::vector<RefTree>& trees) {
    knobs_.emplace_back(TreesKnob{&trees});
    for (RefTree& tree : trees) Tree(tree);
  }
  void Tree(RefTree& tree) {
    knobs_.emplace_back(TreeKnob{&tree});
    std::visit(
        Overloaded{[&](RefSpec& ref) { Ref(ref); },
                   [&](BarrierSpec& barrier) {
                     knobs_.emplace_back(IntegerKnob{&barrier.num_arrivals});
                     knobs_.emplace_back(ShapeKnob{&barrier.num_barriers});
                     Integers(barrier.num_barriers);
                     knobs_.emplace_back(BoolKnob{&barrier.orders_tensor_core});
                   },
                   [&](ClusterBarrierSpec& barrier) {
                     for (auto& group : barrier.collective_axes) {
                       knobs_.emplace_back(AxesKnob{&group});
                     }
                     knobs_.emplace_back(IntegerKnob{&barrier.num_arrivals});
                     knobs_.emplace_back(ShapeKnob{&barrier.num_barriers});
                     Integers(barrier.num_barriers);
                     knobs_.emplace_back(BoolKnob{&barrier.leader_tracked});
                   },
                   [&](AccumulatorSpec& accumulator) {
                     knobs_.emplace_back(DTypeKnob{&accumulator.dtype});
                     Extents(accumulator.shape);
                   },
                   [&](RefSequence& sequence) { Trees(sequence.items); },
                   [&](RefDict& dict) {
                     for (auto& [key, child] : dict.entries) Tree(child);
                   },
                   [&](RefUnionSpec& spec) { Trees(spec.groups); }},
        tree.node);
  }
  void Ref(RefSpec& ref) {
    knobs_.emplace_back(RefKnob{&ref});
    knobs_.emplace_back(DTypeKnob{&ref.dtype});
    Extents(ref.shape);
    knobs_.emplace_back(OptionalBoolKnob{&ref.packed});
    knobs_.emplace_back(OptionalBoolKnob{&ref.collective});
    for (RefTransform& transform : ref.transforms) {
      if (auto* tiling = std::get_if<TilingTransform>(&transform)) {
        Extents(tiling->tiling);
      } else if (auto* swizzle = std::get_if<SwizzleTransform>(&transform)) {
        knobs_.emplace_back(IntegerKnob{&swizzle->swizzle});
      }
    }
    if (ref.layout && ref.layout->kind == TmemLayoutKind::kM64Collective) {
      knobs_.emplace_back(IntegerKnob{&*ref.layout->columns});
      knobs_.emplace_back(OptionalIntegerKnob{&ref.layout->packing});
    }
  }

  void Body(std::vector<Op>& body) {
    knobs_.emplace_back(BodyKnob{&body});
    for (Op& op : body) {
      std::visit(Overloaded{[&](AsyncPrefetchOp& prefetch) {
                              knobs_.emplace_back(PrefetchKnob{&prefetch});
                              Expr(prefetch.ref);
                              Prefetch(prefetch);
                            },
                            [&](PrintLayoutOp& print) { Expr(print.ref); },
                            [&](WarpMapOp& warp_map) { Body(warp_map.body); }},
                 op.node);
    }
  }
  void Prefetch(AsyncPrefetchOp& op) {
    if (op.collective_axes) knobs_.emplace_back(AxesKnob{&*op.collective_axes});
    if (op.leader_tracked) {
      if (auto* part = std::get_if<Partitioned>(&*op.leader_tracked)) {
        knobs_.emplace_back(IntegerKnob{&part->axis});
      }
    }
    if (op.predicate) {
      if (auto* equals = std::get_if<AxisEquals>(&*op.predicate)) {
        knobs_.emplace_back(AxisKnob{&equals->axis});
        knobs_.emplace_back(IntegerKnob{&equals->value});
      }
    }
  }
  void Expr(RefExpr& expr) {
    knobs_.emplace_back(RefExprKnob{&expr});
    knobs_.emplace_back(ViewsKnob{&expr.views});
    for (View& view : expr.views) {
      std::visit(
          Overloaded{[&](AtView& at) { Indices(at.indices); },
                     [&](TransposeView& transpose) {
                       Integers(transpose.permutation);
                     },
                     [&](ReshapeView& reshape) { Integers(reshape.shape); },
                     [&](PeerView& peer) { Peer(peer); },
                     [&](MulticastView& multicast) {
                       knobs_.emplace_back(AxesKnob{&multicast.axes});
                     },
                     [&](ClusterView& cluster) {
                       for (auto& [axis, block] : cluster.block_id) {
                         Scalars(block);
                       }
                     }},
          view);
    }
  }
  void Indices(std::vector<Index>& indices) {
    knobs_.emplace_back(IndicesKnob{&indices});
    for (Index& index : indices) {
      std::visit(
          Overloaded{[&](Scalar& scalar) { Scalars(scalar); },
                     [&](PySlice& slice) {
                       knobs_.emplace_back(OptionalIntegerKnob{&slice.start});
                       knobs_.emplace_back(OptionalIntegerKnob{&slice.stop});
                       knobs_.emplace_back(OptionalIntegerKnob{&slice.step});
                     },
                     [&](DynamicSlice& slice) {
                       Scalars(slice.start);
                       knobs_.emplace_back(IntegerKnob{&slice.size});
                       knobs_.emplace_back(OptionalIntegerKnob{&slice.stride});
                     },
                     [](EllipsisIndex&) {},
                     [&](GatherIndex& gather) {
                       knobs_.emplace_back(DTypeKnob{&gather.dtype});
                     }},
          index);
    }
  }
  void Peer(PeerView& peer) {
    knobs_.emplace_back(PeerKnob{&peer});
    std::visit(Overloaded{[&](Scalar& scalar) { Scalars(scalar); },
                          [&](DeviceIdTuple& tuple) {
                            for (Scalar& s : tuple.coordinates) Scalars(s);
                          },
                          [&](DeviceIdDict& dict) {
                            for (auto& entry : dict.entries) {
                              knobs_.emplace_back(AxesKnob{&entry.axes});
                              Scalars(entry.index);
                            }
                          }},
               peer.device_id);
  }
  void Scalars(Scalar& scalar) {
    knobs_.emplace_back(ScalarKnob{&scalar});
    if (auto* index = std::get_if<AxisIndex>(&scalar)) {
      knobs_.emplace_back(AxisKnob{&index->axis});
      knobs_.emplace_back(IntegerKnob{&index->scale});
      knobs_.emplace_back(IntegerKnob{&index->offset});
    } else {
      knobs_.emplace_back(IntegerKnob{std::get_if<int64_t>(&scalar)});
    }
  }

  std::vector<Knob> knobs_;
};

}  // namespace

std::vector<Knob> KnobsOf(KernelConfig& config) {
  Collector collector;
  collector.Config(config);
  return collector.Take();
}

}  // namespace pallasite::wild

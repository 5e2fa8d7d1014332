#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "generators/lattice.h"
#include "generators/valid.h"
#include "generators/wild.h"
#include "generators/wild/knobs.h"
#include "generators/wild/parts.h"
#include "generators/wild/repair.h"
#include "model/config/walk.h"

namespace pallasite {
namespace wild {
namespace {

// Changes the list's length or order by one step. `fresh` makes an element.
template <typename List, typename Fresh>
void TweakList(Choices& choices, List& list, size_t most, Fresh&& fresh) {
  enum { kRemove, kInsert, kRepeat, kSwap };
  auto kind = choices.UpTo(3);
  if (list.empty()) kind = kInsert;
  if (list.size() >= most && (kind == kInsert || kind == kRepeat)) {
    kind = kRemove;
  }
  const size_t at = choices.UpTo(list.empty() ? 0 : list.size() - 1);
  const auto position = list.begin() + static_cast<std::ptrdiff_t>(at);
  switch (kind) {
    case kRemove:
      list.erase(position);
      return;
    case kInsert:
      list.insert(position, fresh());
      return;
    case kRepeat: {
      auto copy = *position;
      list.insert(position, std::move(copy));
      return;
    }
    default:
      std::swap(*position, list.back());
  }
}

class Tweaker {
 public:
  Tweaker(Choices& choices, const GenPolicy& policy, const KernelConfig& config)
      : choices_(choices), parts_(choices, policy, config) {}

  void Turn(const Knob& knob) {
    std::visit([&](const auto& k) { Apply(k); }, knob);
  }

 private:
  int64_t Extent(int64_t present) {
    return std::clamp<int64_t>(parts_.Near(present), 0, kMaxExtent);
  }

  void Apply(const ExtentKnob& k) {
    *k.extent = Extent(*k.extent);
    BoundElements(*k.shape);
  }
  void Apply(const ShapeKnob& k) {
    TweakList(choices_, *k.shape, kMaxRank, [&] { return Extent(8); });
    BoundElements(*k.shape);
  }
  void Apply(const IntegerKnob& k) { *k.value = parts_.Integer(*k.value); }
  void Apply(const OptionalIntegerKnob& k) {
    if (*k.value && choices_.Chance(25)) {
      k.value->reset();
    } else {
      *k.value = parts_.Integer(k.value->value_or(1));
    }
  }
  void Apply(const ScalarKnob& k) { *k.scalar = parts_.AnyScalar(); }
  void Apply(const DTypeKnob& k) { *k.dtype = parts_.AnyDType(); }
  void Apply(const BoolKnob& k) { *k.value = !*k.value; }
  void Apply(const OptionalBoolKnob& k) {
    switch (choices_.UpTo(2)) {
      case 0:
        k.value->reset();
        return;
      case 1:
        *k.value = true;
        return;
      default:
        *k.value = false;
    }
  }
  void Apply(const AxisKnob& k) { *k.name = parts_.AnyAxis(); }
  void Apply(const AxesKnob& k) {
    TweakList(choices_, *k.names, 4, [&] { return parts_.AnyAxis(); });
  }
  void Apply(const MeshKnob& k) {
    constexpr std::string_view kNames[] = {"d", "n", "r"};
    k.mesh->clear();
    int64_t left = kMaxMeshDevices;
    choices_.List(0, std::size(kNames), [&](size_t i) {
      const int64_t size = choices_.Between(1, left);
      left /= size;
      k.mesh->emplace_back(kNames[i], size);
    });
  }
  void Apply(const AxisListKnob& k) {
    switch (choices_.UpTo(3)) {
      case 0:
        TweakList(choices_, k.axes->sizes, 6, [&] { return parts_.Near(2); });
        return;
      case 1:
        TweakList(choices_, k.axes->names, 6, [&] { return parts_.AnyAxis(); });
        return;
      case 2:  // one more axis
        k.axes->sizes.push_back(parts_.Near(2));
        k.axes->names.push_back(parts_.AnyAxis());
        return;
      default:
        k.axes->sizes.clear();
        k.axes->names.clear();
    }
  }
  void Apply(const ThreadsKnob& k) {
    if (choices_.Bool()) {
      k.threads->count = parts_.Integer(k.threads->count.value_or(2));
    } else if (choices_.Bool()) {
      k.threads->name = parts_.AnyAxis();
    } else if (choices_.Bool()) {
      k.threads->name.reset();
    } else {
      k.threads->count.reset();
    }
  }
  void Apply(const ParamsKnob& k) {
    CompilerParams& params = *k.params;
    switch (choices_.UpTo(6)) {
      case 0:
        params.lowering = params.lowering == Lowering::kLane
                              ? Lowering::kWarpgroup
                              : Lowering::kLane;
        return;
      case 1:
        params.dimension_semantics.emplace();
        choices_.List(0, 3, [&](size_t) {
          params.dimension_semantics->push_back(
              choices_.Pick({DimensionSemantics::kParallel,
                             DimensionSemantics::kSequential}));
        });
        return;
      case 2:
        params.max_concurrent_steps = parts_.Integer(1);
        return;
      case 3:
        params.reduction_scratch_bytes = parts_.Integer(2048);
        return;
      case 4:
        params.profile_space = parts_.Integer(0);
        return;
      case 5:
        params.profile_dir = choices_.Bool() ? "/tmp/profile" : "";
        return;
      default:
        params.unsafe_no_auto_barriers = choices_.Bool();
    }
  }

  void Apply(const RefKnob& k) {
    RefSpec& ref = *k.ref;
    switch (choices_.UpTo(3)) {
      case 0:
        ref.space = choices_.Pick({MemorySpace::kSmem, MemorySpace::kTmem,
                                   MemorySpace::kGmem, MemorySpace::kRegs});
        return;
      case 1:
        TweakList(choices_, ref.transforms, 4,
                  [&] { return parts_.AnyTransform(ref); });
        return;
      case 2:
        ref.layout = parts_.AnyLayout(ref);
        return;
      default:
        ref.layout.reset();
    }
  }
  void Apply(const TreeKnob& k) {
    switch (choices_.UpTo(4)) {
      case 0:
        *k.tree = parts_.AnyLeaf();
        return;
      case 1:
        *k.tree = RefTree{RefUnionSpec{{std::move(*k.tree)}}};
        return;
      case 2: {
        std::vector<RefTree> groups;
        groups.push_back(std::move(*k.tree));
        groups.push_back(parts_.AnyLeaf());
        *k.tree = RefTree{RefUnionSpec{std::move(groups)}};
        return;
      }
      case 3: {
        RefDict dict;
        dict.entries.emplace_back("k", std::move(*k.tree));
        *k.tree = RefTree{std::move(dict)};
        return;
      }
      default: {
        RefSequence sequence{
            choices_.Pick({SequenceKind::kList, SequenceKind::kTuple}), {}};
        sequence.items.push_back(std::move(*k.tree));
        *k.tree = RefTree{std::move(sequence)};
      }
    }
  }
  void Apply(const TreesKnob& k) {
    TweakList(choices_, *k.trees, 5, [&] { return parts_.AnyLeaf(); });
  }
  void Apply(const ScratchKnob& k) {
    // Names are argument names: repair makes them differ.
    TweakList(choices_, *k.scratch, 8, [&] {
      return std::pair<std::string, RefTree>("s", parts_.AnyLeaf());
    });
  }

  void Apply(const BodyKnob& k) {
    if (!k.body->empty() && choices_.Chance(20)) {
      WarpMapOp warp_map;
      warp_map.body = std::move(*k.body);
      k.body->clear();
      k.body->push_back(Op{std::move(warp_map)});
      return;
    }
    TweakList(choices_, *k.body, 6, [&] { return parts_.AnyOp(); });
  }
  void Apply(const RefExprKnob& k) {
    RefExpr target = parts_.AnyRef();
    k.ref->name = std::move(target.name);
    k.ref->path = std::move(target.path);
  }
  void Apply(const ViewsKnob& k) {
    TweakList(choices_, *k.views, 5, [&] { return parts_.AnyView(); });
  }
  void Apply(const IndicesKnob& k) {
    TweakList(choices_, *k.indices, 8, [&] { return parts_.AnyIndex(); });
  }
  void Apply(const PeerKnob& k) { *k.peer = parts_.AnyPeer(); }
  void Apply(const PrefetchKnob& k) {
    AsyncPrefetchOp& op = *k.op;
    switch (choices_.UpTo(4)) {
      case 0:
        op.collective_axes.emplace();
        choices_.List(0, 3, [&](size_t) {
          op.collective_axes->push_back(parts_.AnyAxis());
        });
        return;
      case 1:
        op.collective_axes.reset();
        return;
      case 2:
        op.leader_tracked = Partitioned{parts_.Integer(0)};
        return;
      case 3:
        op.leader_tracked = Replicated{};
        return;
      default:
        op.predicate = parts_.AnyPredicate();
    }
  }

  Choices& choices_;
  Parts parts_;
};

}  // namespace
}  // namespace wild

void Tweak(Choices& choices, const GenPolicy& policy, KernelConfig& config) {
  if (!policy.arch && choices.Chance(5)) {
    config.target->arch = choices.Pick({Arch{9, 0}, Arch{10, 0}, Arch{8, 0}});
    return;
  }
  const std::vector<wild::Knob> knobs = wild::KnobsOf(config);
  wild::Tweaker(choices, policy, config).Turn(choices.Pick(knobs));
  wild::Repair(choices, policy, config);
}

KernelConfig GenWildConfig(Choices& choices, const GenPolicy& policy) {
  KernelConfig config = GenKernelConfig(choices, policy);
  choices.List(1, 4, [&](size_t) { Tweak(choices, policy, config); });
  return config;
}

}  // namespace pallasite

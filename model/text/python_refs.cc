#include "model/text/python_refs.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "model/config/walk.h"

namespace pallasite {
namespace {

std::string SpaceName(MemorySpace space) {
  switch (space) {
    case MemorySpace::kGmem:
      return "plgpu.GMEM";
    case MemorySpace::kSmem:
      return "plgpu.SMEM";
    case MemorySpace::kTmem:
      return "plgpu.TMEM";
    case MemorySpace::kRegs:
      return "plgpu.REGS";
  }
  return "";
}

PyExpr TransformExpr(const RefTransform& transform) {
  return std::visit(Overloaded{
                        [](const TilingTransform& t) {
                          return PyCall("plgpu.TilingTransform",
                                        {PyText(PyInts(t.tiling))});
                        },
                        [](const SwizzleTransform& t) {
                          return PyCall("plgpu.SwizzleTransform",
                                        {PyText(absl::StrCat(t.swizzle))});
                        },
                        [](const TransposeTransform& t) {
                          return PyCall("plgpu.TransposeTransform",
                                        {PyText(PyInts(t.permutation))});
                        },
                    },
                    transform);
}

PyExpr LayoutExpr(const TmemLayoutSpec& layout) {
  constexpr std::string_view kNames[] = {
      "plgpu.TMEMLayout.SCALES_LAYOUT",
      "plgpu.TMEMLayout.SPARSE_METADATA_LAYOUT",
      "plgpu.TMEMLayout.M64_COLLECTIVE_LAYOUT",
      "plgpu.TMEMLayout.SCALES_M64_COLLECTIVE_LAYOUT",
  };
  const std::string name(kNames[static_cast<size_t>(layout.kind)]);
  std::vector<PyExpr> arguments;
  if (layout.columns) {
    arguments.push_back(PyText(absl::StrCat(*layout.columns)));
  }
  if (layout.packing) {
    arguments.push_back(
        PyKeyword("packing", PyText(absl::StrCat(*layout.packing))));
  }
  return arguments.empty() ? PyText(name) : PyCall(name, std::move(arguments));
}

PyExpr RefCall(const RefSpec& ref) {
  std::vector<PyExpr> arguments = {PyText(PyInts(ref.shape)),
                                   PyText(PyDType(ref.dtype))};
  if (!ref.transforms.empty()) {
    std::vector<PyExpr> transforms;
    for (const RefTransform& t : ref.transforms) {
      transforms.push_back(TransformExpr(t));
    }
    arguments.push_back(
        PyKeyword("transforms", PyTuple(std::move(transforms))));
  }
  if (ref.packed) {
    arguments.push_back(PyKeyword("packed", PyText(PyBool(*ref.packed))));
  }
  if (ref.collective) {
    arguments.push_back(
        PyKeyword("collective", PyText(PyBool(*ref.collective))));
  }
  if (ref.layout) {
    arguments.push_back(PyKeyword("layout", LayoutExpr(*ref.layout)));
  }
  return PyCall(SpaceName(ref.space), std::move(arguments));
}

// The arguments that both kinds of barrier take; defaults stay unwritten, since
// they differ between releases.
template <typename Spec>
std::vector<PyExpr> BarrierArguments(const Spec& barrier) {
  std::vector<PyExpr> arguments;
  if (barrier.num_arrivals != 1) {
    arguments.push_back(
        PyKeyword("num_arrivals", PyText(absl::StrCat(barrier.num_arrivals))));
  }
  if (!barrier.num_barriers.empty()) {
    const bool is_int = barrier.num_barriers.size() == 1;
    arguments.push_back(PyKeyword(
        "num_barriers", PyText(is_int ? absl::StrCat(barrier.num_barriers[0])
                                      : PyInts(barrier.num_barriers))));
  }
  if (barrier.orders_tensor_core) {
    arguments.push_back(PyKeyword("orders_tensor_core", PyText("True")));
  }
  return arguments;
}

PyExpr ClusterBarrierCall(const ClusterBarrierSpec& barrier) {
  std::vector<PyExpr> axes;
  for (const std::vector<std::string>& group : barrier.collective_axes) {
    axes.push_back(
        PyText(group.size() == 1 ? PyString(group[0]) : PyStrings(group)));
  }
  std::vector<PyExpr> arguments = BarrierArguments(barrier);
  arguments.insert(arguments.begin(),
                   PyKeyword("collective_axes", PyTuple(std::move(axes))));
  if (barrier.leader_tracked) {
    arguments.push_back(PyKeyword("leader_tracked", PyText("True")));
  }
  return PyCall("plgpu.ClusterBarrier", std::move(arguments));
}

std::vector<PyExpr> TreeExprs(const std::vector<RefTree>& trees) {
  std::vector<PyExpr> exprs;
  for (const RefTree& tree : trees) exprs.push_back(PyRefTree(tree));
  return exprs;
}

}  // namespace

std::string PyDType(DType dtype) {
  // `jnp.bool` is younger than the releases we speak to.
  if (dtype == DType::kBool) return "jnp.bool_";
  return "jnp." + std::string(Info(dtype).jax_name);
}

PyExpr PyRefTree(const RefTree& tree) {
  return std::visit(
      Overloaded{
          [](const RefSpec& ref) { return RefCall(ref); },
          [](const BarrierSpec& barrier) {
            return PyCall("plgpu.Barrier", BarrierArguments(barrier));
          },
          [](const ClusterBarrierSpec& barrier) {
            return ClusterBarrierCall(barrier);
          },
          [](const AccumulatorSpec& acc) {
            return PyCall("plgpu.ACC", {PyText(PyInts(acc.shape)),
                                        PyText(PyDType(acc.dtype))});
          },
          [](const RefSequence& sequence) {
            return sequence.kind == SequenceKind::kList
                       ? PyList(TreeExprs(sequence.items))
                       : PyTuple(TreeExprs(sequence.items));
          },
          [](const RefDict& dict) {
            std::vector<std::pair<PyExpr, PyExpr>> entries;
            for (const auto& [key, value] : dict.entries) {
              entries.emplace_back(PyText(PyString(key)), PyRefTree(value));
            }
            return PyDict(entries);
          },
          [](const RefUnionSpec& ref_union) {
            return PyCall("plgpu.RefUnion", TreeExprs(ref_union.groups));
          },
      },
      tree.node);
}

}  // namespace pallasite

#include "model/text/python_emitter.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "model/text/python_ops.h"
#include "model/text/python_refs.h"
#include "model/text/python_source.h"
#include "model/text/release.h"

namespace pallasite {
namespace {

// What `plgpu.kernel` calls its arguments.
struct KernelKeywords {
  Release first;
  std::string_view out_type;
  std::string_view scratch_types;
};
constexpr KernelKeywords kKernelKeywords[] = {
    {{0, 0, 0}, "out_shape", "scratch_shapes"},
    {{0, 10, 2}, "out_type", "scratch_types"},
};

const KernelKeywords& KeywordsOf(const Release& release) {
  const KernelKeywords* newest = &kKernelKeywords[0];
  for (const KernelKeywords& keywords : kKernelKeywords) {
    if (keywords.first <= release) newest = &keywords;
  }
  return *newest;
}

PyExpr ArrayExpr(const ArraySpec& array) {
  return PyCall("jax.ShapeDtypeStruct",
                {PyText(PyInts(array.shape)), PyText(PyDType(array.dtype))});
}

std::vector<PyExpr> ArrayExprs(const Named<ArraySpec>& arrays) {
  std::vector<PyExpr> exprs;
  for (const auto& [name, array] : arrays) exprs.push_back(ArrayExpr(array));
  return exprs;
}

std::string_view SemanticsName(DimensionSemantics semantics) {
  return semantics == DimensionSemantics::kParallel ? "parallel" : "sequential";
}

PyExpr ParamsCall(const CompilerParams& params) {
  std::vector<PyExpr> arguments;
  const auto add = [&](std::string_view name, std::string text) {
    arguments.push_back(PyKeyword(name, PyText(std::move(text))));
  };
  const auto add_bool = [&](std::string_view name,
                            const std::optional<bool>& value) {
    if (value) add(name, PyBool(*value));
  };
  const auto add_int = [&](std::string_view name,
                           const std::optional<int64_t>& value) {
    if (value) add(name, absl::StrCat(*value));
  };
  if (params.lowering) {
    add("lowering_semantics", *params.lowering == Lowering::kLane
                                  ? "plgpu.LoweringSemantics.Lane"
                                  : "plgpu.LoweringSemantics.Warpgroup");
  }
  if (params.dimension_semantics) {
    std::vector<PyExpr> items;
    for (const DimensionSemantics semantics : *params.dimension_semantics) {
      items.push_back(PyText(PyString(SemanticsName(semantics))));
    }
    arguments.push_back(
        PyKeyword("dimension_semantics", PyTuple(std::move(items))));
  }
  add_bool("approx_math", params.approx_math);
  add_int("max_concurrent_steps", params.max_concurrent_steps);
  add_bool("unsafe_no_auto_barriers", params.unsafe_no_auto_barriers);
  add_int("reduction_scratch_bytes", params.reduction_scratch_bytes);
  add_int("profile_space", params.profile_space);
  if (params.profile_dir) add("profile_dir", PyString(*params.profile_dir));
  if (params.profile_trace_scope) {
    add("profile_trace_scope", *params.profile_trace_scope == TraceScope::kWarp
                                   ? "plgpu.TraceScope.WARP"
                                   : "plgpu.TraceScope.WARPGROUP");
  }
  add_bool("profile_bounds_check", params.profile_bounds_check);
  add_bool("skip_device_barrier", params.skip_device_barrier);
  return PyCall("plgpu.CompilerParams", std::move(arguments));
}

PyExpr KernelCall(const KernelConfig& config, const Release& release) {
  const KernelKeywords& keywords = KeywordsOf(release);
  const KernelSpec& kernel = config.kernel;
  std::vector<PyExpr> arguments = {PyText("body")};
  // One output is given and returned bare, as kernels are mostly written.
  arguments.push_back(
      PyKeyword(keywords.out_type, config.outputs.size() == 1
                                       ? ArrayExpr(config.outputs[0].second)
                                       : PyTuple(ArrayExprs(config.outputs))));
  if (!config.scratch.empty()) {
    arguments.push_back(
        PyKeyword(keywords.scratch_types, PyText("scratch_types()")));
  }
  if (kernel.params != CompilerParams()) {
    arguments.push_back(
        PyKeyword("compiler_params", ParamsCall(kernel.params)));
  }
  const auto add_axes = [&](const std::string& name, const AxisList& axes) {
    if (axes == AxisList()) return;
    arguments.push_back(PyKeyword(name, PyText(PyInts(axes.sizes))));
    arguments.push_back(
        PyKeyword(name + "_names", PyText(PyStrings(axes.names))));
  };
  add_axes("grid", kernel.grid);
  add_axes("cluster", kernel.cluster);
  if (kernel.threads.count) {
    arguments.push_back(
        PyKeyword("num_threads", PyText(absl::StrCat(*kernel.threads.count))));
  }
  if (kernel.threads.name) {
    arguments.push_back(
        PyKeyword("thread_name", PyText(PyString(*kernel.threads.name))));
  }
  return PyCall("plgpu.kernel", std::move(arguments));
}

void WriteConstruct(const KernelConfig& config, const Release& release,
                    PyWriter& out) {
  out.Line("def construct():");
  out.Indent();
  out.Statement("kernel = ", KernelCall(config, release));
  if (!config.mesh.empty()) {
    Shape sizes;
    std::vector<std::string> names;
    for (const auto& [name, size] : config.mesh) {
      sizes.push_back(size);
      names.push_back(name);
    }
    out.Statement("mesh = ",
                  PyCall("jax.make_mesh",
                         {PyText(PyInts(sizes)), PyText(PyStrings(names))}));
    out.Statement("kernel = ",
                  PyCall("jax.shard_map",
                         {PyText("kernel"), PyKeyword("mesh", PyText("mesh")),
                          PyKeyword("in_specs", PyText("P()")),
                          PyKeyword("out_specs", PyText("P()")),
                          PyKeyword("check_vma", PyText("False"))}));
  }
  out.Statement("arguments = ", PyTuple(ArrayExprs(config.inputs)));
  out.Line("return kernel, arguments");
  out.Dedent();
}

void WriteBody(const KernelConfig& config, const Target& target,
               PyWriter& out) {
  const PyParameters parameters(config);
  out.Line(absl::StrCat("def body(", parameters.List(), "):"));
  out.Indent();
  WritePyOps(config.body, parameters, out);
  out.Dedent();
  if (!config.scratch.empty()) {
    out.Line("");
    out.Line("");
    out.Line("def scratch_types():");
    out.Indent();
    std::vector<PyExpr> items;
    for (const auto& [name, tree] : config.scratch) {
      items.push_back(PyRefTree(tree));
    }
    out.Statement("return ", PyList(std::move(items)));
    out.Dedent();
  }
  out.Line("");
  out.Line("");
  WriteConstruct(config, target.jax, out);
}

// The architecture that JAX assumes on a machine without a GPU.
constexpr Arch kDefaultArch = {9, 0};

constexpr std::string_view kScriptImports = R"(import contextlib
import json
import os
import sys
import traceback

# The kernel is lowered for CUDA on a CPU; a mesh needs some devices there.
os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ.setdefault(
    "XLA_FLAGS", "--xla_force_host_platform_device_count=8"
)

import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import mosaic_gpu as plgpu
from jax.sharding import PartitionSpec as P


)";

constexpr std::string_view kScriptMain = R"(

def raise_site(error):
  """The innermost frame inside JAX."""
  site = ""
  packages = os.path.dirname(os.path.dirname(jax.__file__)) + os.sep
  for frame, line in traceback.walk_tb(error.__traceback__):
    code = frame.f_code
    if code.co_filename.startswith(packages + "jax" + os.sep):
      file = code.co_filename.removeprefix(packages)
      site = f"{file}:{line} {code.co_qualname}"
  return site


def ask():
  phase = "construct"
  try:
    kernel, arguments = construct()
    phase = "trace"
    traced = jax.jit(kernel).trace(*arguments)
    phase = "lower"
    traced.lower(lowering_platforms=("cuda",))
  except BaseException as error:
    return {
        "outcome": "raised",
        "class": type(error).__name__,
        "message": str(error),
        "phase": phase,
        "raise_site": raise_site(error),
    }
  return {"outcome": "accepted"}


if __name__ == "__main__":
  jax.config.update("jax_traceback_filtering", "off")
  with contextlib.redirect_stdout(sys.stderr):  # print_layout prints
    answer = ask()
  print(json.dumps(answer))
)";

void WriteArchOverride(const Arch& arch, PyWriter& out) {
  out.Line("def assume_architecture(major, minor):");
  out.Line(
      "  # Without a GPU, JAX lowers for compute capability 9.0. No public");
  out.Line("  # setting changes that, so this replaces its own guess.");
  out.Line("  from jax.experimental.mosaic.gpu import utils");
  out.Line("  utils._infer_arch = lambda: (major, minor)");
  out.Line("");
  out.Line("");
  out.Line(
      absl::StrCat("assume_architecture(", arch.major, ", ", arch.minor, ")"));
  out.Line("");
  out.Line("");
}

}  // namespace

std::string EmitPythonBody(const KernelConfig& config, const Target& target) {
  PyWriter out;
  WriteBody(config, target, out);
  return out.Take();
}

std::string EmitReproScript(const KernelConfig& config, const Target& target) {
  PyWriter out;
  out.Line("\"\"\"What JAX says to one Pallas Mosaic GPU kernel.");
  out.Line("");
  out.Line(absl::StrCat("Written for JAX ", FormatRelease(target.jax),
                        ", compute capability ", target.arch.major, ".",
                        target.arch.minor, ". Needs no GPU."));
  out.Line("Prints one JSON line: the error, or that the kernel is accepted.");
  out.Line("\"\"\"");
  out.Text(kScriptImports);
  if (target.arch != kDefaultArch) WriteArchOverride(target.arch, out);
  WriteBody(config, target, out);
  out.Text(kScriptMain);
  return out.Take();
}

}  // namespace pallasite

#include "model/text/json_config_reader.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "model/text/json_spelling.h"

namespace pallasite {

using Kind = JsonValue::Kind;

bool ConfigReader::Config(const JsonValue& value, const Location& at,
                          KernelConfig& out) {
  int64_t version = 0;
  if (!Object(value, at, keys::kConfig) ||
      !Required(value, at, "pallasite", version, Via(&Decoder::Int))) {
    return false;
  }
  if (version != kFormatVersion) {
    return Refuse(Location(at, "pallasite"),
                  absl::StrCat("format version ", version,
                               " is unknown; expected ", kFormatVersion));
  }
  const auto arrays = [this](const JsonValue& v, const Location& l,
                             Named<ArraySpec>& named) {
    return Entries(v, l, named, Via(&ConfigReader::Array));
  };
  const auto trees = [this](const JsonValue& v, const Location& l,
                            Named<RefTree>& named) {
    return Entries(v, l, named, Via(&ConfigReader::Tree));
  };
  // The body comes last: its refs name arguments.
  return Member(value, at, "target", out.target,
                Via(&ConfigReader::ReadTarget)) &&
         Member(value, at, "mesh", out.mesh, Via(&ConfigReader::Mesh)) &&
         Member(value, at, "kernel", out.kernel, Via(&ConfigReader::Kernel)) &&
         Member(value, at, "inputs", out.inputs, arrays) &&
         Member(value, at, "outputs", out.outputs, arrays) &&
         Member(value, at, "scratch", out.scratch, trees) &&
         NoteArguments(out, at) &&
         Member(value, at, "body", out.body, Via(&ConfigReader::Ops));
}

bool ConfigReader::ReadTarget(const JsonValue& value, const Location& at,
                              Target& out) {
  const auto release = [this](const JsonValue& v, const Location& l,
                              Release& r) {
    return Spelled(v, l, "a JAX release such as \"0.11.2\"", ParseRelease, r);
  };
  const auto arch = [this](const JsonValue& v, const Location& l, Arch& a) {
    return Spelled(v, l, "\"8.0\", \"9.0\" or \"10.0\"", ParseArch, a);
  };
  return Object(value, at, keys::kTarget) &&
         Required(value, at, "jax", out.jax, release) &&
         Required(value, at, "arch", out.arch, arch);
}

bool ConfigReader::Mesh(const JsonValue& value, const Location& at,
                        Named<int64_t>& out) {
  int64_t devices = 1;
  const auto size = [&](const JsonValue& v, const Location& l, int64_t& n) {
    if (!Int(v, l, n)) return false;
    if (n < 1) {
      return Refuse(l,
                    absl::StrCat("a mesh axis has at least 1 device, got ", n));
    }
    if (n > kMaxMeshDevices / devices) {
      return Refuse(l, absl::StrCat("the mesh has more than ", kMaxMeshDevices,
                                    " devices in all; make its axes smaller"));
    }
    devices *= n;
    return true;
  };
  return Entries(value, at, out, size);
}

bool ConfigReader::Kernel(const JsonValue& value, const Location& at,
                          KernelSpec& out) {
  const auto lowering = [this](const JsonValue& v, const Location& l,
                               Lowering& lowering) {
    return OneOf(v, l, words::kLowering, lowering);
  };
  return Object(value, at, keys::kKernel) &&
         Member(value, at, "params", out.params, Via(&ConfigReader::Params)) &&
         Member(value, at, "lowering", out.params.lowering, lowering) &&
         Member(value, at, "grid", out.grid, Via(&ConfigReader::Axes)) &&
         Member(value, at, "cluster", out.cluster, Via(&ConfigReader::Axes)) &&
         Member(value, at, "threads", out.threads, Via(&ConfigReader::Threads));
}

bool ConfigReader::Axes(const JsonValue& value, const Location& at,
                        AxisList& out) {
  if (value.kind == Kind::kArray && value.items.size() == 2) {
    return Ints(value.items[0], Location(at, 0), out.sizes) &&
           Names(value.items[1], Location(at, 1), out.names);
  }
  if (value.kind != Kind::kObject) {
    return Expected(at,
                    "an object from axis names to sizes, or [[sizes], "
                    "[names]]",
                    value);
  }
  Named<int64_t> axes;
  if (!Entries(value, at, axes, Via(&Decoder::Int))) return false;
  for (const auto& [name, size] : axes) {
    out.sizes.push_back(size);
    out.names.push_back(name);
  }
  return true;
}

bool ConfigReader::Threads(const JsonValue& value, const Location& at,
                           ThreadAxis& out) {
  if (value.kind == Kind::kArray && value.items.size() == 2) {
    const JsonValue& count = value.items[0];
    const JsonValue& name = value.items[1];
    return (count.kind == Kind::kNull ||
            Int(count, Location(at, 0), out.count.emplace())) &&
           (name.kind == Kind::kNull ||
            Name(name, Location(at, 1), out.name.emplace()));
  }
  if (value.kind != Kind::kObject || value.items.size() != 1) {
    return Expected(at,
                    "{\"name\": count}, or [count, \"name\"] with null for "
                    "a part that is missing",
                    value);
  }
  Named<int64_t> axis;
  if (!Entries(value, at, axis, Via(&Decoder::Int))) return false;
  out.name = axis[0].first;
  out.count = axis[0].second;
  return true;
}

bool ConfigReader::Params(const JsonValue& value, const Location& at,
                          CompilerParams& out) {
  const auto semantics = [this](const JsonValue& v, const Location& l,
                                std::vector<DimensionSemantics>& list) {
    return List(
        v, l, "a list of \"parallel\" and \"sequential\"", list,
        [this](const JsonValue& v, const Location& l, DimensionSemantics& one) {
          return OneOf(v, l, words::kDimensionSemantics, one);
        });
  };
  const auto scope = [this](const JsonValue& v, const Location& l,
                            TraceScope& scope) {
    return OneOf(v, l, words::kTraceScope, scope);
  };
  const auto integer = Via(&Decoder::Int);
  const auto boolean = Via(&Decoder::Bool);
  return Object(value, at, keys::kParams) &&
         Member(value, at, "dimension_semantics", out.dimension_semantics,
                semantics) &&
         Member(value, at, "approx_math", out.approx_math, boolean) &&
         Member(value, at, "max_concurrent_steps", out.max_concurrent_steps,
                integer) &&
         Member(value, at, "unsafe_no_auto_barriers",
                out.unsafe_no_auto_barriers, boolean) &&
         Member(value, at, "reduction_scratch_bytes",
                out.reduction_scratch_bytes, integer) &&
         Member(value, at, "profile_space", out.profile_space, integer) &&
         Member(value, at, "profile_dir", out.profile_dir,
                Via(&Decoder::String)) &&
         Member(value, at, "profile_trace_scope", out.profile_trace_scope,
                scope) &&
         Member(value, at, "profile_bounds_check", out.profile_bounds_check,
                boolean) &&
         Member(value, at, "skip_device_barrier", out.skip_device_barrier,
                boolean);
}

bool ConfigReader::Array(const JsonValue& value, const Location& at,
                         ArraySpec& out) {
  return Spelled(value, at, "\"dtype[shape]\" such as \"f32[128,64]\"",
                 ParseArray, out);
}

bool ConfigReader::NoteArguments(const KernelConfig& config,
                                 const Location& at) {
  arguments_.clear();
  names_.clear();
  for (const auto& [name, array] : config.inputs) {
    if (!NoteArgument(name, nullptr, Location(at, "inputs"))) return false;
  }
  for (const auto& [name, array] : config.outputs) {
    if (!NoteArgument(name, nullptr, Location(at, "outputs"))) return false;
  }
  for (const auto& [name, tree] : config.scratch) {
    if (!NoteArgument(name, &tree, Location(at, "scratch"))) return false;
  }
  return true;
}

bool ConfigReader::NoteArgument(std::string_view name, const RefTree* tree,
                                const Location& at) {
  names_.push_back(name);
  if (arguments_.emplace(name, tree).second) return true;
  return Refuse(Location(at, name),
                "another argument of the kernel has this name; inputs, outputs "
                "and scratch share one set of names");
}

}  // namespace pallasite

#include "model/text/json_writer.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "model/text/json_config_reader.h"
#include "model/text/json_config_writer.h"
#include "model/text/json_spelling.h"
#include "model/text/release.h"

namespace pallasite {

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

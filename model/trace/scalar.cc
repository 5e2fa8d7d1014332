#include "model/trace/scalar.h"

#include <algorithm>
#include <string_view>
#include <variant>

#include "model/python.h"

namespace pallasite {
namespace {

bool HasAxis(const AxisList& axes, const std::string& axis) {
  return std::find(axes.names.begin(), axes.names.end(), axis) !=
         axes.names.end();
}

// `axis_index(axis)` in the body.
struct AxisUse {
  const KernelConfig& config;
  const std::string& axis;

  bool bound() const {
    const KernelSpec& kernel = config.kernel;
    return HasAxis(kernel.grid, axis) || HasAxis(kernel.cluster, axis) ||
           kernel.threads.name == axis || IsMeshAxis(config, axis);
  }
};

constexpr Rule<AxisUse> kAxisRules[] = {
    {.doc = {.id = "trace.axis.unbound",
             .area = "mesh/grid/kernel-params",
             .phase = Phase::kTrace,
             .wordings = {{.raises = PyExc::kNameError,
                           .pattern =
                               "Found an unbound axis name: {axis}. To fix "
                               "this, please call axis_index under "
                               "`jax.shard_map`."}},
             .why = "axis_index knows the axes of the kernel's grid, cluster "
                    "and threads, and of the device mesh around it.",
             .fix = "Name one of those axes, or declare the missing one.",
             .source = "parallel.py _check_axis_names"},
     .violated = [](const AxisUse& use) -> Finding {
       if (use.bound()) return Holds();
       return Broken({{"axis", use.axis}});
     }},
};

// A Python integer that meets a traced value in an expression.
constexpr Rule<Wide> kOperandRules[] = {
    {.doc = {.id = "trace.axis.operand-overflow",
             .area = "ref-transforms/indexing",
             .phase = Phase::kTrace,
             .wordings = {{.raises = PyExc::kOverflowError,
                           .pattern =
                               "An overflow was encountered while parsing an "
                               "argument to a jitted computation, whose "
                               "argument path is y. Got <class 'int'> with "
                               "value {value}"}},
             .why = "Axis indices are 32-bit, and what they are combined with "
                    "has to be as well.",
             .fix = "Keep scales, offsets and compared values within 32 bits.",
             .source = "pjit.py _infer_input_type"},
     .violated = [](const Wide& value) -> Finding {
       if (FitsInt32(value)) return Holds();
       return Broken({{"value", PyInt(value)}});
     }},
};

bool TraceAxis(const std::string& axis, const KernelConfig& config,
               const Location& at, Checker& checker) {
  return checker.Check(kAxisRules, AxisUse{config, axis}, at);
}

}  // namespace

bool IsMeshAxis(const KernelConfig& config, const std::string& axis) {
  return std::any_of(config.mesh.begin(), config.mesh.end(),
                     [&](const auto& entry) { return entry.first == axis; });
}

bool TraceScalar(const Scalar& scalar, const KernelConfig& config,
                 const Location& at, Checker& checker) {
  const auto* index = std::get_if<AxisIndex>(&scalar);
  if (index == nullptr) return true;
  // A negative offset is written as a subtraction.
  const Wide offset = index->offset;
  return TraceAxis(index->axis, config, at, checker) &&
         checker.Check(kOperandRules, Wide{index->scale}, at) &&
         checker.Check(kOperandRules, offset < 0 ? -offset : offset, at);
}

bool TracePredicate(const Predicate& predicate, const KernelConfig& config,
                    const Location& at, Checker& checker) {
  const auto* equals = std::get_if<AxisEquals>(&predicate);
  if (equals == nullptr) return true;
  return TraceAxis(equals->axis, config, at, checker) &&
         checker.Check(kOperandRules, Wide{equals->value}, at);
}

void AppendScalarRules(RuleList& rules) {
  AppendDocs(kAxisRules, Stage::kTraceBody, rules);
  AppendDocs(kOperandRules, Stage::kTraceBody, rules);
}

}  // namespace pallasite

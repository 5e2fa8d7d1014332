#include "model/trace/print_layout.h"

#include <variant>

#include "model/trace/ref_union.h"

namespace pallasite {

bool IsScalarTranspose(const RefExpr& expr, const ResolvedRef& resolved) {
  if (expr.views.size() != 1 || resolved.leaf == nullptr) return false;
  const auto* transpose = std::get_if<TransposeView>(&expr.views[0]);
  const auto* ref = std::get_if<RefSpec>(&resolved.leaf->node);
  return transpose != nullptr && transpose->permutation.empty() &&
         ref != nullptr && ref->space == MemorySpace::kSmem &&
         ref->shape.empty() && ref->transforms.empty();
}

bool TracePrintLayout(const PrintLayoutOp& op, const KernelConfig& config,
                      const Location& at, Checker& checker) {
  const ResolvedRef resolved = Resolve(config, op.ref);
  const Location ref(at, "ref");
  if (resolved.unsupported) {
    return checker.Unmodelled("a use of something that is no ref", ref);
  }
  if (!op.ref.views.empty() && !IsScalarTranspose(op.ref, resolved)) {
    return checker.Unmodelled("print_layout of a view", ref);
  }
  if (resolved.leaf != nullptr &&
      std::holds_alternative<AccumulatorSpec>(resolved.leaf->node)) {
    return checker.Unmodelled("print_layout of an accumulator", ref);
  }
  return UnpackUnion(resolved, ref, checker);
}

}  // namespace pallasite

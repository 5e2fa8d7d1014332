#ifndef PALLASITE_TESTS_LOWER_PREFETCH_ROWS_H_
#define PALLASITE_TESTS_LOWER_PREFETCH_ROWS_H_

#include <optional>
#include <string>
#include <string_view>

#include "absl/types/span.h"
#include "model/config/kernel_config.h"
#include "model/errors/rule.h"

namespace pallasite {

// A kernel that prefetches one ref. Parts are JSON, as in docs/config.md.
struct PrefetchKernel {
  std::string_view x = "f32[128,128]";  // the input
  std::string_view ref = R"("x")";
  std::string_view op;      // further fields of the op: `"predicate": true`
  std::string_view kernel;  // further fields of the kernel
  std::string_view around;  // further fields of the configuration
  std::string_view body;    // instead of the prefetch
  bool warp = false;        // inside warp_map
};

// A kernel that breaks a rule, and one that differs from it in what the rule is
// about and that JAX accepts.
struct PrefetchRow {
  std::string_view rule;
  PrefetchKernel broken;
  PrefetchKernel twin;
  // What JAX 0.11.2 was seen to raise; nothing for what it wrongly accepts.
  std::optional<PyExc> raises;
  std::string_view message;
  // Where Warpgroup semantics says it differently.
  std::string_view warpgroup_message;
};

KernelConfig PrefetchConfig(const PrefetchKernel& kernel, Lowering lowering);

// Checks every row of a table under the given semantics.
void CheckPrefetchRows(absl::Span<const PrefetchRow> rows, Phase phase,
                       Lowering lowering);

}  // namespace pallasite

#endif  // PALLASITE_TESTS_LOWER_PREFETCH_ROWS_H_

#ifndef PALLASITE_GENERATORS_SHRINK_H_
#define PALLASITE_GENERATORS_SHRINK_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/functional/function_ref.h"
#include "generators/choices.h"
#include "model/config/kernel_config.h"

namespace pallasite {

// Shorter first, then by the first value that differs. The simplest
// configurations have the smallest traces.
bool ShortlexLess(const Trace& a, const Trace& b);

// Every single step by which a trace can get simpler: all blocks deleted, the
// longest first; every value set to 0 without the few that follow it (a flag
// and what it asked for); every value lowered. Numbered, so that both a loop
// and a lazy sequence can go through them.
class ShrinkSteps {
 public:
  explicit ShrinkSteps(const Trace& trace);
  size_t size() const { return deletions_ + cuts_ + lowerings_; }
  // The values to replay for one step. Nullopt when it changes nothing.
  std::optional<std::vector<uint64_t>> operator[](size_t step) const;

 private:
  std::vector<uint64_t> values_;
  size_t deletions_ = 0;
  size_t cuts_ = 0;
  size_t lowerings_ = 0;
};

// What a trace leads to, and whether that is still the finding.
using Generate = absl::FunctionRef<KernelConfig(Choices&)>;
using StillFails = absl::FunctionRef<bool(const KernelConfig&)>;

// The simplest trace that could be reached from `trace`, which must fail.
// Asks `still_fails` at most `most_calls` times, never twice about one trace.
Trace Shrink(const Trace& trace, Generate generate, StillFails still_fails,
             size_t most_calls = 100000);

}  // namespace pallasite

#endif  // PALLASITE_GENERATORS_SHRINK_H_

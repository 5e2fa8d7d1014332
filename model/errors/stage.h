#ifndef PALLASITE_MODEL_ERRORS_STAGE_H_
#define PALLASITE_MODEL_ERRORS_STAGE_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace pallasite {

// The passes of Evaluate, in their order. Each goes through the whole scratch,
// the whole body or the kernel before the next begins, so of two broken rules
// that of the earlier stage is reported, wherever it is broken.
enum class Stage : uint8_t {
  kConstructScratch,
  kConstructKernel,
  kTraceScratch,
  kTraceBody,
  kLowerParams,
  kEstimate,        // resources, leaf by leaf of the scratch
  kEstimateTotals,  // and of all leaves together
  kSharedMemory,
  kBarriers,
  kTensorMemory,
  kLowerScratch,
  kRegisters,
  kLowerBody,
  kVerifyKernel,
  kVerifyBody,
  kInferBody,     // from here on Warpgroup semantics only, ...
  kInferScratch,  // the refs of the scratch that the body prints
  kLowerPrinted,
  kLowerDialect,
  kFinishBody,  // ... except for this one
};
inline constexpr size_t kStageCount =
    static_cast<size_t>(Stage::kFinishBody) + 1;

// "lower-body".
std::string_view Name(Stage stage);

// What a stage goes through in the order of the configuration: of two rules
// that it finds broken the one whose item comes first is reported.
enum class StageWalk : uint8_t { kScratch, kBody, kNothing };
StageWalk WalkOf(Stage stage);

// Where the rules of a table may be reported: first to last, both included.
// More than one when the lowerings ask at different times.
struct StageRange {
  constexpr StageRange() = default;
  constexpr StageRange(Stage only)  // NOLINT: one stage is a range
      : first(only), last(only) {}
  constexpr StageRange(Stage from, Stage to) : first(from), last(to) {}
  constexpr bool Contains(Stage stage) const {
    return first <= stage && stage <= last;
  }
  Stage first = Stage::kConstructScratch;
  Stage last = Stage::kConstructScratch;
};

}  // namespace pallasite

#endif  // PALLASITE_MODEL_ERRORS_STAGE_H_

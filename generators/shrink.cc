#include "generators/shrink.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/container/flat_hash_set.h"

namespace pallasite {
namespace {

constexpr size_t kLoweringsAValue = 4;
constexpr size_t kLongestCut = 24;

std::vector<uint64_t> ValuesOf(const Trace& trace) {
  std::vector<uint64_t> values;
  values.reserve(trace.size());
  for (const Choice& choice : trace) values.push_back(choice.value);
  return values;
}

// A smaller value to try; the same when there is none.
uint64_t Lowered(uint64_t value, size_t attempt) {
  switch (attempt) {
    case 0:
      return 0;
    case 1:
      return value / 2;
    case 2:
      return value - value / 4;
    default:
      return value == 0 ? 0 : value - 1;
  }
}

std::vector<uint64_t> Without(absl::Span<const uint64_t> values, size_t start,
                              size_t size) {
  std::vector<uint64_t> rest;
  rest.reserve(values.size() - size);
  rest.assign(values.begin(), values.begin() + start);
  rest.insert(rest.end(), values.begin() + start + size, values.end());
  return rest;
}

// Block sizes from all of the trace down to 1; of size s there are n - s + 1.
struct Block {
  size_t start = 0;
  size_t size = 0;
};

Block NthBlock(size_t index, size_t n) {
  // Sizes n, n - 1, ... have 1, 2, ... blocks: find the row of the triangle.
  auto row = static_cast<size_t>(
      (std::sqrt(8.0 * static_cast<double>(index) + 1.0) - 1.0) / 2.0);
  while (row * (row + 1) / 2 > index) --row;
  while ((row + 1) * (row + 2) / 2 <= index) ++row;
  return {.start = index - row * (row + 1) / 2, .size = n - row};
}

}  // namespace

bool ShortlexLess(const Trace& a, const Trace& b) {
  if (a.size() != b.size()) return a.size() < b.size();
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i].value != b[i].value) return a[i].value < b[i].value;
  }
  return false;
}

ShrinkSteps::ShrinkSteps(const Trace& trace)
    : values_(ValuesOf(trace)),
      deletions_(values_.size() * (values_.size() + 1) / 2),
      cuts_(values_.size() * kLongestCut),
      lowerings_(values_.size() * kLoweringsAValue) {}

std::optional<std::vector<uint64_t>> ShrinkSteps::operator[](
    size_t step) const {
  if (step < deletions_) {
    const Block block = NthBlock(step, values_.size());
    return Without(values_, block.start, block.size);
  }
  if (step < deletions_ + cuts_) {
    const size_t cut = step - deletions_;
    const size_t at = cut / kLongestCut;
    const size_t length = cut % kLongestCut + 1;
    if (values_[at] == 0 || at + length >= values_.size()) return std::nullopt;
    std::vector<uint64_t> values = Without(values_, at + 1, length);
    values[at] = 0;
    return values;
  }
  const size_t lowering = step - deletions_ - cuts_;
  const size_t at = lowering / kLoweringsAValue;
  const uint64_t lowered = Lowered(values_[at], lowering % kLoweringsAValue);
  if (lowered == values_[at]) return std::nullopt;
  std::vector<uint64_t> values = values_;
  values[at] = lowered;
  return values;
}

namespace {

class Shrinker {
 public:
  Shrinker(Trace trace, Generate generate, StillFails still_fails,
           size_t most_calls)
      : best_(std::move(trace)),
        generate_(generate),
        still_fails_(still_fails),
        calls_left_(most_calls) {}

  Trace Run() {
    HalvingDeletions();
    AllSteps();
    return std::move(best_);
  }

 private:
  // Whether these values lead to a simpler trace that still fails: the best
  // one then.
  bool Try(absl::Span<const uint64_t> values) {
    ReplaySource replay(values);
    Choices choices(replay);
    const KernelConfig config = generate_(choices);
    const Trace& trace = choices.trace();
    if (!ShortlexLess(trace, best_) || calls_left_ == 0) return false;
    if (!tried_.insert(ValuesOf(trace)).second) return false;
    --calls_left_;
    if (!still_fails_(config)) return false;
    best_ = trace;
    return true;
  }

  // Gets rid of most of a long trace with few calls.
  void HalvingDeletions() {
    for (size_t size = best_.size() / 2; size > 0; size /= 2) {
      for (size_t start = 0; start + size <= best_.size();) {
        if (!Try(Without(ValuesOf(best_), start, size))) start += size;
      }
    }
  }

  // Goes round all steps until a full round brought nothing. After a success
  // it goes on at the same place of the new trace.
  void AllSteps() {
    ShrinkSteps steps(best_);
    size_t step = 0;
    for (size_t failures = 0; failures < steps.size() && calls_left_ > 0;) {
      step %= steps.size();
      const auto values = steps[step];
      if (values && Try(*values)) {
        steps = ShrinkSteps(best_);
        failures = 0;
      } else {
        ++step;
        ++failures;
      }
    }
  }

  Trace best_;
  const Generate generate_;
  const StillFails still_fails_;
  size_t calls_left_;
  absl::flat_hash_set<std::vector<uint64_t>> tried_;
};

}  // namespace

Trace Shrink(const Trace& trace, Generate generate, StillFails still_fails,
             size_t most_calls) {
  return Shrinker(trace, generate, still_fails, most_calls).Run();
}

}  // namespace pallasite

#ifndef PALLASITE_GENERATORS_CHOICES_H_
#define PALLASITE_GENERATORS_CHOICES_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

#include "absl/types/span.h"

namespace pallasite {

// One decision of a generator: a value from 0 to `bound`, 0 being the simplest.
struct Choice {
  uint64_t bound = 0;
  uint64_t value = 0;
  bool operator==(const Choice&) const = default;
};
using Trace = std::vector<Choice>;

// Where decisions come from.
class ChoiceSource {
 public:
  virtual ~ChoiceSource() = default;
  // A value from 0 to `bound`, which is at least 1. `weights` is empty or has
  // one entry a value: how often a random source should give it. Sources that
  // do not draw at random ignore it.
  virtual uint64_t Next(uint64_t bound, absl::Span<const uint32_t> weights) = 0;
};

// The one door through which generators decide anything. It records what was
// decided, so that every configuration can be replayed and shrunk.
class Choices {
 public:
  explicit Choices(ChoiceSource& source) : source_(source) {
    trace_.reserve(64);  // what most configurations need
  }
  Choices(const Choices&) = delete;
  Choices& operator=(const Choices&) = delete;

  // From 0 to `bound`, both included.
  uint64_t UpTo(uint64_t bound) { return Decide(bound, {}); }

  // From `low` to `high`, both included; `low` is the simplest.
  int64_t Between(int64_t low, int64_t high) {
    const auto from = static_cast<uint64_t>(low);
    return static_cast<int64_t>(from +
                                UpTo(static_cast<uint64_t>(high) - from));
  }

  bool Bool() { return UpTo(1) == 1; }

  // True about `percent` times in a hundred; false is simpler.
  bool Chance(uint32_t percent) {
    const uint32_t weights[] = {100 - percent, percent};
    return Decide(1, weights) == 1;
  }

  // An index into `weights`, drawn in proportion to them. A weight of 0 is
  // never drawn at random, yet other sources may give it.
  size_t Weighted(absl::Span<const uint32_t> weights) {
    return static_cast<size_t>(Decide(weights.size() - 1, weights));
  }
  size_t Weighted(std::initializer_list<uint32_t> weights) {
    return Weighted(absl::MakeConstSpan(weights.begin(), weights.size()));
  }

  // An element of a non-empty container; the first is the simplest.
  template <typename Container>
  const auto& Pick(const Container& items) {
    return *(std::begin(items) +
             static_cast<std::ptrdiff_t>(UpTo(std::size(items) - 1)));
  }
  template <typename T>
  T Pick(std::initializer_list<T> items) {
    return items.begin()[UpTo(items.size() - 1)];
  }

  // Calls item(i) from `least` to `most` times. Whether another item follows is
  // decided before it, so deleting an item's decisions deletes the item. The
  // first of a list that may be empty comes with its own probability.
  template <typename Item>
  void List(size_t least, size_t most, Item&& item,
            uint32_t first_percent = 60) {
    for (size_t i = 0; i < most; ++i) {
      if (i >= least && !Chance(i == 0 ? first_percent : 60)) return;
      item(i);
    }
  }

  // Every decision so far; those with a single possible outcome are left out.
  const Trace& trace() const { return trace_; }
  // Forgets the trace, to generate the next configuration from the same source.
  void Restart() { trace_.clear(); }

 private:
  uint64_t Decide(uint64_t bound, absl::Span<const uint32_t> weights) {
    if (bound == 0) return 0;
    const uint64_t value = source_.Next(bound, weights);
    trace_.push_back({bound, value});
    return value;
  }

  ChoiceSource& source_;
  Trace trace_;
};

// Reproducible on every machine: a fixed algorithm (SplitMix64) rather than a
// library distribution.
class RandomSource final : public ChoiceSource {
 public:
  explicit RandomSource(uint64_t seed) : state_(seed) {}
  uint64_t Next(uint64_t bound, absl::Span<const uint32_t> weights) override;
  void Reseed(uint64_t seed) { state_ = seed; }

 private:
  uint64_t Bits();
  uint64_t Below(uint64_t limit);  // 0 stands for 2^64
  uint64_t state_;
};

// The seed of the `index`-th configuration of a run, so that each can be
// generated without those before it.
uint64_t SeedFor(uint64_t run_seed, uint64_t index);

// Bytes of a fuzzing engine. Past their end every decision is 0.
class ByteSource final : public ChoiceSource {
 public:
  explicit ByteSource(absl::Span<const uint8_t> bytes) : bytes_(bytes) {}
  uint64_t Next(uint64_t bound, absl::Span<const uint32_t> weights) override;

 private:
  absl::Span<const uint8_t> bytes_;
};

// Earlier values, lowered to the bound where the generator now asks for less.
// Past their end every decision is 0.
class ReplaySource final : public ChoiceSource {
 public:
  explicit ReplaySource(absl::Span<const uint64_t> values) : values_(values) {}
  uint64_t Next(uint64_t bound, absl::Span<const uint32_t> weights) override;

 private:
  absl::Span<const uint64_t> values_;
};

// Every sequence of decisions that a generator can make, one after the other:
//   Odometer odometer;
//   do { Choices choices(odometer); Generate(choices); } while
//   (odometer.Advance());
class Odometer final : public ChoiceSource {
 public:
  uint64_t Next(uint64_t bound, absl::Span<const uint32_t> weights) override;
  // Turns to the next sequence. False when all have been seen.
  bool Advance();

 private:
  Trace digits_;
  size_t used_ = 0;  // of digits_, in the present sequence
};

}  // namespace pallasite

#endif  // PALLASITE_GENERATORS_CHOICES_H_

#include "generators/choices.h"

#include <algorithm>
#include <cstdint>

namespace pallasite {
namespace {

constexpr uint64_t kGamma = 0x9e3779b97f4a7c15;

// The finalizer of SplitMix64 (Steele, Lea and Flood, 2014).
uint64_t Mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

}  // namespace

uint64_t RandomSource::Bits() { return Mix(state_ += kGamma); }

uint64_t RandomSource::Below(uint64_t limit) {
  if (limit == 0) return Bits();
  // The bias of a multiplication without a second draw is at most
  // limit / 2^64: far below what any run could see.
  const auto wide = static_cast<unsigned __int128>(Bits()) * limit;
  return static_cast<uint64_t>(wide >> 64);
}

uint64_t RandomSource::Next(uint64_t bound,
                            absl::Span<const uint32_t> weights) {
  if (weights.empty()) return Below(bound + 1);
  uint64_t total = 0;
  for (const uint32_t weight : weights) total += weight;
  uint64_t ticket = Below(total);
  for (size_t i = 0; i < weights.size(); ++i) {
    if (ticket < weights[i]) return i;
    ticket -= weights[i];
  }
  return bound;
}

uint64_t SeedFor(uint64_t run_seed, uint64_t index) {
  return Mix(Mix(run_seed + kGamma) + index);
}

uint64_t ByteSource::Next(uint64_t bound, absl::Span<const uint32_t>) {
  uint64_t value = 0;
  for (uint64_t reach = bound; reach > 0; reach >>= 8) {
    if (bytes_.empty()) return 0;
    value = (value << 8) | bytes_.front();
    bytes_.remove_prefix(1);
  }
  return bound == UINT64_MAX ? value : value % (bound + 1);
}

uint64_t ReplaySource::Next(uint64_t bound, absl::Span<const uint32_t>) {
  if (values_.empty()) return 0;
  const uint64_t value = std::min(values_.front(), bound);
  values_.remove_prefix(1);
  return value;
}

uint64_t Odometer::Next(uint64_t bound, absl::Span<const uint32_t>) {
  if (used_ == digits_.size()) digits_.push_back({bound, 0});
  return digits_[used_++].value;
}

bool Odometer::Advance() {
  digits_.resize(used_);
  used_ = 0;
  while (!digits_.empty() && digits_.back().value == digits_.back().bound) {
    digits_.pop_back();
  }
  if (digits_.empty()) return false;
  ++digits_.back().value;
  return true;
}

}  // namespace pallasite

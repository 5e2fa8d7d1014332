#include "properties/reproducible.h"

#include <string>
#include <vector>

#include "generators/case.h"
#include "generators/choices.h"
#include "model/text/json_writer.h"

namespace pallasite {

Failure Reproduces(uint64_t seed, const GenPolicy& policy) {
  RandomSource source(seed);
  Choices choices(source);
  const GeneratedCase generated = GenerateCase(choices, policy);

  RandomSource again(seed);
  Choices from_seed(again);
  if (GenerateCase(from_seed, policy).config != generated.config) {
    return "the same seed gave another configuration";
  }
  std::vector<uint64_t> values;
  for (const Choice& choice : choices.trace()) values.push_back(choice.value);
  ReplaySource replay(values);
  Choices from_trace(replay);
  if (GenerateCase(from_trace, policy).config != generated.config) {
    return "its trace gave another configuration";
  }
  if (from_trace.trace() != choices.trace()) {
    return "its trace was recorded differently when replayed";
  }
  return std::nullopt;
}

uint64_t Fingerprint(uint64_t seed, uint64_t count, const GenPolicy& policy) {
  // FNV-1a, 64 bits.
  uint64_t hash = 0xcbf29ce484222325;
  for (uint64_t i = 0; i < count; ++i) {
    const GeneratedCase generated = GenerateCase(seed, i, policy);
    for (const char c : WriteConfigLine(generated.config)) {
      hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    }
  }
  return hash;
}

}  // namespace pallasite

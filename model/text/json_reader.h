#ifndef PALLASITE_MODEL_TEXT_JSON_READER_H_
#define PALLASITE_MODEL_TEXT_JSON_READER_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "model/config/kernel_config.h"

// Reads the configuration format of docs/config.md, strictly. A refusal names
// the path to the culprit, as Location::Format does, and what was expected:
// "kernel.grid.i: expected an integer, got \"8\"".

namespace pallasite {

absl::StatusOr<KernelConfig> ReadConfig(std::string_view json);

// One of several JSON values in a text.
struct JsonChunk {
  int64_t line = 1;  // where it starts
  std::string_view json;
};
// Takes apart a text of one JSON value over any number of lines, or of several
// separated by white space, as in JSON Lines. What is no JSON stays in the
// chunks, for a reader to refuse.
std::vector<JsonChunk> SplitJson(std::string_view text);

// Every configuration of such a text. Among several, a refusal starts with
// "line N: ", where the configuration starts. A text without any is refused.
absl::StatusOr<std::vector<KernelConfig>> ReadConfigs(std::string_view text);

}  // namespace pallasite

#endif  // PALLASITE_MODEL_TEXT_JSON_READER_H_

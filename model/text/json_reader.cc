#include "model/text/json_reader.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "model/text/json_config_reader.h"
#include "model/text/json_dom.h"

namespace pallasite {
namespace {

constexpr std::string_view kSpace = " \t\r\n";

// Length of the value that a text starts with: up to the bracket that closes
// its first one. Without brackets, or when none closes it, up to the end of the
// line or of the text.
size_t ValueLength(std::string_view text) {
  if (text[0] != '{' && text[0] != '[') {
    return std::min(text.find('\n'), text.size());
  }
  int64_t depth = 0;
  bool in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      // A string never spans lines: a missing quote spoils its own line only.
      if (c == '"' || c == '\n') in_string = false;
      continue;
    }
    if (c == '"') in_string = true;
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    if (depth == 0) return i + 1;
  }
  return text.size();
}

}  // namespace

absl::StatusOr<KernelConfig> ReadConfig(std::string_view json) {
  const absl::StatusOr<JsonValue> value = ParseJson(json);
  if (!value.ok()) return value.status();
  ConfigReader reader;
  KernelConfig config;
  if (!reader.Config(*value, Location(), config)) return reader.status();
  return config;
}

std::vector<JsonChunk> SplitJson(std::string_view text) {
  std::vector<JsonChunk> chunks;
  int64_t line = 1;
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.substr(0, kByteOrderMark.size()) == kByteOrderMark) {
    text.remove_prefix(kByteOrderMark.size());
  }
  while (true) {
    const size_t start = std::min(text.find_first_not_of(kSpace), text.size());
    line += std::count(text.begin(), text.begin() + start, '\n');
    text.remove_prefix(start);
    if (text.empty()) return chunks;
    const std::string_view json = text.substr(0, ValueLength(text));
    chunks.push_back({.line = line, .json = json});
    line += std::count(json.begin(), json.end(), '\n');
    text.remove_prefix(json.size());
  }
}

absl::StatusOr<std::vector<KernelConfig>> ReadConfigs(std::string_view text) {
  std::vector<KernelConfig> configs;
  const std::vector<JsonChunk> chunks = SplitJson(text);
  for (const JsonChunk& chunk : chunks) {
    absl::StatusOr<KernelConfig> config = ReadConfig(chunk.json);
    if (!config.ok()) {
      if (chunks.size() == 1) return config.status();
      return absl::InvalidArgumentError(
          absl::StrCat("line ", chunk.line, ": ", config.status().message()));
    }
    configs.push_back(*std::move(config));
  }
  if (configs.empty()) return RefusalAt("", "there is no configuration here");
  return configs;
}

}  // namespace pallasite

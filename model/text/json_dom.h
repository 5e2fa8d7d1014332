#ifndef PALLASITE_MODEL_TEXT_JSON_DOM_H_
#define PALLASITE_MODEL_TEXT_JSON_DOM_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace pallasite {

// Limits on one document. They bound the memory and the stack that hostile text
// can make a reader use.
inline constexpr size_t kMaxJsonBytes = size_t{1} << 20;
inline constexpr size_t kMaxJsonValues = size_t{1} << 16;
inline constexpr size_t kMaxJsonDepth = 64;

// A JSON value as it was written. Key order, repeated keys and numbers that are
// no int64 survive, so that a reader can say what is wrong with them.
struct JsonValue {
  enum class Kind : uint8_t {
    kNull,
    kBool,
    kInteger,
    kOtherNumber,  // has a fraction or an exponent, or does not fit an int64
    kString,
    kArray,
    kObject,
  };
  Kind kind = Kind::kNull;
  bool boolean = false;
  int64_t integer = 0;
  std::string text;               // of a string; of an other number, as written
  std::vector<JsonValue> items;   // of an array or object
  std::vector<std::string> keys;  // of an object, one for each item

  // The value of a key; null when it is absent or this is no object.
  const JsonValue* Find(std::string_view key) const;
};

// Parses strict JSON. A refusal names the path to the place, its line and its
// column.
absl::StatusOr<JsonValue> ParseJson(std::string_view text);

// "path: text", the form of every refusal of the text layer.
absl::Status RefusalAt(std::string_view path, std::string_view text);

}  // namespace pallasite

#endif  // PALLASITE_MODEL_TEXT_JSON_DOM_H_

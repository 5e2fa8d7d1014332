#ifndef PALLASITE_MODEL_TEXT_JSON_DECODE_H_
#define PALLASITE_MODEL_TEXT_JSON_DECODE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "model/config/shape.h"
#include "model/errors/location.h"
#include "model/text/json_dom.h"
#include "model/text/json_keys.h"

namespace pallasite {

// One reading of a document. The first refusal ends it: every step returns
// false from then on, and its caller returns too.
class Decoder {
 public:
  const absl::Status& status() const { return status_; }

  // Always false.
  bool Refuse(const Location& at, std::string_view text);
  // Refuses because something else was expected: "expected ..., got ...".
  bool Expected(const Location& at, std::string_view what,
                const JsonValue& got);

  bool Int(const JsonValue& value, const Location& at, int64_t& out);
  bool Bool(const JsonValue& value, const Location& at, bool& out);
  bool String(const JsonValue& value, const Location& at, std::string& out);
  bool Name(const JsonValue& value, const Location& at, std::string& out);
  bool Ints(const JsonValue& value, const Location& at, Shape& out);
  bool Names(const JsonValue& value, const Location& at,
             std::vector<std::string>& out);

  // Whether a value is an object with known keys only, none of them twice.
  bool Object(const JsonValue& value, const Location& at,
              const ObjectKeys& known);
  // Whether a value is an object from names to things, none of them twice.
  bool NameMap(const JsonValue& value, const Location& at);
  // The kind of an object that has one tag of one of `kinds`, checked like
  // Object; null when it is refused. `tag` is the key that told.
  const ObjectKeys* Tagged(const JsonValue& value, const Location& at,
                           absl::Span<const ObjectKeys* const> kinds,
                           std::string_view what, std::string_view& tag);

  // A reading step of this class or of one derived from it, as what List,
  // Entries and Member take.
  template <typename Self, typename T>
  auto Via(bool (Self::*read)(const JsonValue&, const Location&, T&)) {
    return [self = static_cast<Self*>(this), read](const JsonValue& value,
                                                   const Location& at, T& out) {
      return (self->*read)(value, at, out);
    };
  }

  // Every element of a list.
  template <typename T, typename Read>
  bool List(const JsonValue& value, const Location& at, std::string_view what,
            std::vector<T>& out, Read&& read) {
    if (value.kind != JsonValue::Kind::kArray) return Expected(at, what, value);
    out.resize(value.items.size());
    for (size_t i = 0; i < out.size(); ++i) {
      const Location element(at, static_cast<int64_t>(i));
      if (!read(value.items[i], element, out[i])) return false;
    }
    return true;
  }

  // Every entry of an object whose keys are names: pairs of a name and a value.
  template <typename Entry, typename Read>
  bool Entries(const JsonValue& value, const Location& at,
               std::vector<Entry>& out, Read&& read) {
    if (!NameMap(value, at)) return false;
    out.resize(value.items.size());
    for (size_t i = 0; i < out.size(); ++i) {
      out[i].first = value.keys[i];
      const Location entry(at, out[i].first);
      if (!read(value.items[i], entry, out[i].second)) return false;
    }
    return true;
  }

  // A member of an object. When it is absent, `out` keeps what it holds.
  template <typename T, typename Read>
  bool Member(const JsonValue& object, const Location& at, std::string_view key,
              T& out, Read&& read) {
    const JsonValue* value = object.Find(key);
    return value == nullptr || read(*value, Location(at, key), out);
  }
  template <typename T, typename Read>
  bool Member(const JsonValue& object, const Location& at, std::string_view key,
              std::optional<T>& out, Read&& read) {
    const JsonValue* value = object.Find(key);
    return value == nullptr || read(*value, Location(at, key), out.emplace());
  }
  // A member that must be there.
  template <typename T, typename Read>
  bool Required(const JsonValue& object, const Location& at,
                std::string_view key, T& out, Read&& read) {
    if (object.Find(key) == nullptr) return Missing(at, key);
    return Member(object, at, key, out, std::forward<Read>(read));
  }

  // A fixed word.
  template <typename E, size_t n>
  bool OneOf(const JsonValue& value, const Location& at,
             const Word<E> (&known)[n], E& out) {
    std::string_view choices[n];
    for (size_t i = 0; i < n; ++i) {
      if (value.kind == JsonValue::Kind::kString &&
          value.text == known[i].word) {
        out = known[i].value;
        return true;
      }
      choices[i] = known[i].word;
    }
    return UnknownWord(at, value, choices);
  }

  // What a spelling inside a string stands for.
  template <typename T>
  bool Spelled(const JsonValue& value, const Location& at,
               std::string_view what,
               absl::StatusOr<T> (*parse)(std::string_view), T& out) {
    if (value.kind != JsonValue::Kind::kString) {
      return Expected(at, what, value);
    }
    absl::StatusOr<T> parsed = parse(value.text);
    if (!parsed.ok()) {
      const absl::string_view why = parsed.status().message();
      return Refuse(at, {why.data(), why.size()});
    }
    out = *std::move(parsed);
    return true;
  }

 private:
  bool Missing(const Location& at, std::string_view key);
  bool UnknownWord(const Location& at, const JsonValue& value,
                   absl::Span<const std::string_view> choices);
  bool KeysOnce(const JsonValue& object, const Location& at);

  absl::Status status_;
};

}  // namespace pallasite

#endif  // PALLASITE_MODEL_TEXT_JSON_DECODE_H_

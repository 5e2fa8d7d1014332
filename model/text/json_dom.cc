#include "model/text/json_dom.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "model/text/json_spelling.h"
#include "nlohmann/json.hpp"

namespace pallasite {
namespace {

using Kind = JsonValue::Kind;

// Receives the events of nlohmann's parser, which keeps its own stack.
// Returning false from any of them ends the parse.
class Builder : public nlohmann::json::json_sax_t {
 public:
  explicit Builder(std::string_view text) : text_(text) {}

  bool null() override { return Add({}) != nullptr; }
  bool boolean(bool value) override {
    return Add({.kind = Kind::kBool, .boolean = value}) != nullptr;
  }
  bool number_integer(int64_t value) override {
    return Add({.kind = Kind::kInteger, .integer = value}) != nullptr;
  }
  bool number_unsigned(uint64_t value) override {
    if (value > uint64_t{std::numeric_limits<int64_t>::max()}) {
      return number_float(0, std::to_string(value));
    }
    return number_integer(static_cast<int64_t>(value));
  }
  bool number_float(double, const std::string& written) override {
    return Add({.kind = Kind::kOtherNumber, .text = written}) != nullptr;
  }
  bool string(std::string& value) override {
    return Add({.kind = Kind::kString, .text = std::move(value)}) != nullptr;
  }
  bool binary(nlohmann::json::binary_t&) override { return false; }
  bool start_array(size_t) override { return Open(Kind::kArray); }
  bool start_object(size_t) override { return Open(Kind::kObject); }
  bool key(std::string& value) override {
    open_.back()->keys.push_back(std::move(value));
    return true;
  }
  bool end_array() override { return Close(); }
  bool end_object() override { return Close(); }

  bool parse_error(size_t position, const std::string&,
                   const nlohmann::json::exception& error) override {
    constexpr int kNumberOverflow = 406;
    if (error.id == kNumberOverflow) {
      return Refuse("the number does not fit in 64 bits");
    }
    // Only the reason is kept of nlohmann's text: the rest repeats the input,
    // whose bytes need not be printable.
    std::string_view what = error.what();
    if (const size_t dash = what.find(" - "); dash != what.npos) {
      what.remove_prefix(dash + 3);
    }
    what = what.substr(0, what.find("; last read"));
    const std::string_view before =
        text_.substr(0, std::min(position, text_.size()));
    const size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
    return Refuse(absl::StrCat(
        "not valid JSON at line ",
        1 + std::count(before.begin(), before.end(), '\n'), ", column ",
        std::max<size_t>(before.size() - line_start, 1), ": ", AsAbsl(what)));
  }

  absl::StatusOr<JsonValue> Take() && {
    if (!refusal_.ok()) return refusal_;
    return std::move(root_);
  }

 private:
  // The address of the new value, null when there are too many.
  JsonValue* Add(JsonValue value) {
    if (++values_ > kMaxJsonValues) {
      Refuse(absl::StrCat("more than ", kMaxJsonValues, " values"));
      return nullptr;
    }
    if (open_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    return &open_.back()->items.emplace_back(std::move(value));
  }

  bool Open(Kind kind) {
    if (open_.size() == kMaxJsonDepth) {
      return Refuse(absl::StrCat("nested more than ", kMaxJsonDepth, " deep"));
    }
    JsonValue* value = Add({.kind = kind});
    if (value == nullptr) return false;
    // Stays valid: a container grows only while it is the innermost one.
    open_.push_back(value);
    return true;
  }

  bool Close() {
    open_.pop_back();
    return true;
  }

  bool Refuse(std::string_view text) {
    refusal_ = RefusalAt(Path(), text);
    return false;
  }

  // Where the parser stands.
  std::string Path() const {
    std::string path;
    for (size_t i = 0; i < open_.size(); ++i) {
      const JsonValue& container = *open_[i];
      const bool innermost = i + 1 == open_.size();
      if (container.kind == Kind::kArray) {
        absl::StrAppend(&path, "[", container.items.size() - !innermost, "]");
      } else if (!innermost || container.keys.size() > container.items.size()) {
        const std::string& key = container.keys.back();
        absl::StrAppend(&path, path.empty() ? "" : ".",
                        IsName(key) ? key : Quoted(key));
      }
    }
    return path;
  }

  const std::string_view text_;
  JsonValue root_;
  std::vector<JsonValue*> open_;
  size_t values_ = 0;
  absl::Status refusal_;
};

}  // namespace

const JsonValue* JsonValue::Find(std::string_view key) const {
  const auto found = std::find(keys.begin(), keys.end(), key);
  return found == keys.end() ? nullptr : &items[found - keys.begin()];
}

absl::StatusOr<JsonValue> ParseJson(std::string_view text) {
  if (text.size() > kMaxJsonBytes) {
    return RefusalAt("", absl::StrCat(text.size(),
                                      " bytes are above the limit "
                                      "of ",
                                      kMaxJsonBytes, " for one value"));
  }
  Builder builder(text);
  nlohmann::json::sax_parse(text.begin(), text.end(), &builder);
  return std::move(builder).Take();
}

absl::Status RefusalAt(std::string_view path, std::string_view text) {
  if (path.empty()) path = "top level";
  return absl::InvalidArgumentError(
      absl::StrCat(AsAbsl(path), ": ", AsAbsl(text)));
}

}  // namespace pallasite

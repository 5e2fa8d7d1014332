#ifndef PALLASITE_MODEL_TEXT_JSON_EMIT_H_
#define PALLASITE_MODEL_TEXT_JSON_EMIT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "nlohmann/json.hpp"

namespace pallasite {

// Writes JSON in the one layout that all our files have. Numbers and strings
// are written by nlohmann's library.
class JsonEmitter {
 public:
  enum class Layout : uint8_t {
    kLine,     // {"a": 1, "b": 2}
    kAligned,  // an entry a line, each below the first
    kBlock,    // an entry a line between the brackets, indented by two
  };

  void Open(char bracket, Layout layout = Layout::kLine);
  void Close();
  // Starts an entry of an object.
  void Key(std::string_view key);
  // A number, boolean, string or null.
  void Value(const nlohmann::json& scalar);
  void Member(std::string_view key, const nlohmann::json& scalar) {
    Key(key);
    Value(scalar);
  }

  std::string Take() && { return std::move(text_); }

 private:
  struct Container {
    char closing;
    Layout layout;
    size_t indent;  // of its entries, when they stand on lines of their own
    bool empty = true;
  };

  // Separates what comes from the entry before.
  void Separate();
  void Break(size_t indent);
  size_t Column() const;

  std::string text_;
  std::vector<Container> open_;
  bool after_key_ = false;
};

}  // namespace pallasite

#endif  // PALLASITE_MODEL_TEXT_JSON_EMIT_H_

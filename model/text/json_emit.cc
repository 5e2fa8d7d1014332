#include "model/text/json_emit.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace pallasite {

void JsonEmitter::Open(char bracket, Layout layout) {
  Separate();
  size_t indent = 0;
  if (layout == Layout::kAligned) indent = Column() + 1;
  if (layout == Layout::kBlock) {
    indent = (open_.empty() ? 0 : open_.back().indent) + 2;
  }
  open_.push_back({.closing = bracket == '{' ? '}' : ']',
                   .layout = layout,
                   .indent = indent});
  text_ += bracket;
}

void JsonEmitter::Close() {
  const Container closed = open_.back();
  open_.pop_back();
  if (closed.layout == Layout::kBlock && !closed.empty) {
    Break(closed.indent - 2);
  }
  text_ += closed.closing;
}

void JsonEmitter::Key(std::string_view key) {
  Value(key);
  text_ += ": ";
  after_key_ = true;
}

void JsonEmitter::Value(const nlohmann::json& scalar) {
  Separate();
  text_ += scalar.dump(-1, ' ', /*ensure_ascii=*/false,
                       nlohmann::json::error_handler_t::replace);
}

void JsonEmitter::Separate() {
  if (after_key_ || open_.empty()) {
    after_key_ = false;
    return;
  }
  Container& container = open_.back();
  const bool first = container.empty;
  container.empty = false;
  if (!first) text_ += container.layout == Layout::kLine ? ", " : ",";
  if (container.layout == Layout::kBlock ||
      (container.layout == Layout::kAligned && !first)) {
    Break(container.indent);
  }
}

void JsonEmitter::Break(size_t indent) {
  text_ += '\n';
  text_.append(indent, ' ');
}

// Only the last line counts, which `rfind` reaches first.
size_t JsonEmitter::Column() const {
  return text_.size() - (text_.rfind('\n') + 1);
}

}  // namespace pallasite

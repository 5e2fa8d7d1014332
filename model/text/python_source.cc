#include "model/text/python_source.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"

namespace pallasite {
namespace {

constexpr size_t kLineWidth = 80;
constexpr size_t kContinuation = 4;

struct CodePoint {
  uint32_t value;
  size_t bytes;
};

// The first code point of a non-empty UTF-8 text. A byte that starts none is
// read as Python's "surrogateescape" reads it.
CodePoint Decode(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const CodePoint escaped = {0xdc00u + lead, 1};
  const size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  constexpr uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (lead < 0xc0 || lead >= 0xf8 || text.size() < length) return escaped;
  uint32_t value = lead & (0x7fu >> length);
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return escaped;
    value = value << 6 | (byte(i) & 0x3f);
  }
  const bool surrogate = value >= 0xd800 && value < 0xe000;
  if (value < kSmallest[length] || value > 0x10ffff || surrogate) {
    return escaped;
  }
  return {value, length};
}

}  // namespace

PyExpr PyText(std::string text) { return {.open = std::move(text)}; }

PyExpr PyCall(std::string function, std::vector<PyExpr> arguments) {
  return {.open = std::move(function) + "(",
          .items = std::move(arguments),
          .close = ")"};
}

PyExpr PyKeyword(std::string_view name, PyExpr value) {
  value.open = std::string(name) + "=" + value.open;
  return value;
}

PyExpr PyList(std::vector<PyExpr> items) {
  return {.open = "[", .items = std::move(items), .close = "]"};
}

PyExpr PyTuple(std::vector<PyExpr> items) {
  return {
      .open = "(", .items = std::move(items), .close = ")", .is_tuple = true};
}

PyExpr PyDict(const std::vector<std::pair<PyExpr, PyExpr>>& entries) {
  PyExpr dict = {.open = "{", .close = "}"};
  for (const auto& [key, value] : entries) {
    dict.items.push_back(value);
    dict.items.back().open = absl::StrCat(Flat(key), ": ", value.open);
  }
  return dict;
}

std::string PyString(std::string_view value) {
  std::string literal = "\"";
  while (!value.empty()) {
    const CodePoint next = Decode(value);
    value.remove_prefix(next.bytes);
    if (next.value == '"' || next.value == '\\') {
      literal += '\\';
      literal += static_cast<char>(next.value);
    } else if (next.value >= 0x20 && next.value < 0x7f) {
      literal += static_cast<char>(next.value);
    } else if (next.value < 0x100) {
      absl::StrAppend(&literal, absl::StrFormat("\\x%02x", next.value));
    } else if (next.value < 0x10000) {
      absl::StrAppend(&literal, absl::StrFormat("\\u%04x", next.value));
    } else {
      absl::StrAppend(&literal, absl::StrFormat("\\U%08x", next.value));
    }
  }
  return literal + "\"";
}

std::string PyBool(bool value) { return value ? "True" : "False"; }

std::string PyInts(absl::Span<const int64_t> values) {
  return absl::StrCat("(", absl::StrJoin(values, ", "),
                      values.size() == 1 ? ",)" : ")");
}

std::string PyStrings(absl::Span<const std::string> values) {
  return absl::StrCat(
      "(",
      absl::StrJoin(values, ", ",
                    [](std::string* out, const std::string& value) {
                      absl::StrAppend(out, PyString(value));
                    }),
      values.size() == 1 ? ",)" : ")");
}

std::string Flat(const PyExpr& expr) {
  return absl::StrCat(expr.open,
                      absl::StrJoin(expr.items, ", ",
                                    [](std::string* out, const PyExpr& item) {
                                      absl::StrAppend(out, Flat(item));
                                    }),
                      expr.is_tuple && expr.items.size() == 1 ? "," : "",
                      expr.close);
}

void PyWriter::Line(std::string_view text) {
  if (!text.empty()) source_.append(indent_, ' ');
  source_ += text;
  source_ += '\n';
}

void PyWriter::Statement(std::string_view prefix, const PyExpr& expr) {
  source_.append(indent_, ' ');
  source_ += prefix;
  Fold(expr, indent_ + prefix.size(), indent_, "");
  source_ += '\n';
}

// Writes at `column` of the current line; `indent` is the column where the
// line's text starts, `suffix` what must follow on the last line.
void PyWriter::Fold(const PyExpr& expr, size_t column, size_t indent,
                    std::string_view suffix) {
  const std::string flat = Flat(expr);
  if (expr.items.empty() ||
      column + flat.size() + suffix.size() <= kLineWidth) {
    source_ += flat;
    source_ += suffix;
    return;
  }
  source_ += expr.open;
  source_ += '\n';
  const size_t inner = indent + kContinuation;
  for (const PyExpr& item : expr.items) {
    source_.append(inner, ' ');
    Fold(item, inner, inner, ",");
    source_ += '\n';
  }
  source_.append(indent, ' ');
  source_ += expr.close;
  source_ += suffix;
}

}  // namespace pallasite

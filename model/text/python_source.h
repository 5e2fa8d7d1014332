#ifndef PALLASITE_MODEL_TEXT_PYTHON_SOURCE_H_
#define PALLASITE_MODEL_TEXT_PYTHON_SOURCE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/types/span.h"

namespace pallasite {

// A Python expression. It is written on one line where it fits, and otherwise
// with one item a line: a call, a display such as a list, or, without items,
// plain text in `open`.
struct PyExpr {
  std::string open;
  std::vector<PyExpr> items;
  std::string close;
  // A tuple of one item needs a comma to be a tuple.
  bool is_tuple = false;
};

PyExpr PyText(std::string text);
PyExpr PyCall(std::string function, std::vector<PyExpr> arguments);
PyExpr PyKeyword(std::string_view name, PyExpr value);
PyExpr PyList(std::vector<PyExpr> items);
PyExpr PyTuple(std::vector<PyExpr> items);
// A dict display of `key: value` pairs in order.
PyExpr PyDict(const std::vector<std::pair<PyExpr, PyExpr>>& entries);

// A Python string literal for a UTF-8 text, in ASCII. Bytes that are no UTF-8
// become what `os.fsdecode` makes of them.
std::string PyString(std::string_view value);
std::string PyBool(bool value);
// `(8, 64)`, `(8,)`, `()`.
std::string PyInts(absl::Span<const int64_t> values);
// A tuple of string literals.
std::string PyStrings(absl::Span<const std::string> values);

// The expression on one line.
std::string Flat(const PyExpr& expr);

// Lines of Python with the indentation of the block being written.
class PyWriter {
 public:
  void Line(std::string_view text);
  // Source that is written already, unindented.
  void Text(std::string_view source) { source_ += source; }
  // `prefix` + expression, folded to 80 columns where that is possible.
  void Statement(std::string_view prefix, const PyExpr& expr);
  void Indent() { indent_ += 2; }
  void Dedent() { indent_ -= 2; }
  std::string Take() { return std::move(source_); }

 private:
  void Fold(const PyExpr& expr, size_t column, size_t indent,
            std::string_view suffix);

  std::string source_;
  size_t indent_ = 0;
};

}  // namespace pallasite

#endif  // PALLASITE_MODEL_TEXT_PYTHON_SOURCE_H_

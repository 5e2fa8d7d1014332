#include "model/python.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace pallasite {
namespace {

void AppendQuoted(std::string* out, const std::string& text) {
  absl::StrAppend(out, PyStr(text));
}

}  // namespace

std::string PyTuple(absl::Span<const int64_t> values) {
  return absl::StrCat("(", absl::StrJoin(values, ", "),
                      values.size() == 1 ? "," : "", ")");
}

std::string PyTuple(absl::Span<const std::string> values) {
  return absl::StrCat("(", absl::StrJoin(values, ", ", AppendQuoted),
                      values.size() == 1 ? "," : "", ")");
}

std::string PyList(absl::Span<const std::string> values) {
  return absl::StrCat("[", absl::StrJoin(values, ", ", AppendQuoted), "]");
}

std::string PyList(absl::Span<const Wide> values) {
  return absl::StrCat("[",
                      absl::StrJoin(values, ", ",
                                    [](std::string* out, Wide value) {
                                      absl::StrAppend(out, PyInt(value));
                                    }),
                      "]");
}

std::string PyStr(std::string_view text) {
  const bool has_single = text.find('\'') != text.npos;
  const bool has_double = text.find('"') != text.npos;
  const char quote = has_single && !has_double ? '"' : '\'';
  std::string out(1, quote);
  for (const char c : text) {
    if (c == '\\' || c == quote) out += '\\';
    out += c;
  }
  return out + quote;
}

std::string PyInt(Wide value) {
  if (value == 0) return "0";
  const bool negative = value < 0;
  std::string digits;
  for (; value != 0; value /= 10) {
    const int digit = static_cast<int>(value % 10);
    digits += static_cast<char>('0' + (negative ? -digit : digit));
  }
  if (negative) digits += '-';
  std::reverse(digits.begin(), digits.end());
  return digits;
}

}  // namespace pallasite

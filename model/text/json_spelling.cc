#include "model/text/json_spelling.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "nlohmann/json.hpp"

namespace pallasite {
namespace {

constexpr std::array kKeywords = {
    std::string_view("False"),    std::string_view("None"),
    std::string_view("True"),     std::string_view("and"),
    std::string_view("as"),       std::string_view("assert"),
    std::string_view("async"),    std::string_view("await"),
    std::string_view("break"),    std::string_view("class"),
    std::string_view("continue"), std::string_view("def"),
    std::string_view("del"),      std::string_view("elif"),
    std::string_view("else"),     std::string_view("except"),
    std::string_view("finally"),  std::string_view("for"),
    std::string_view("from"),     std::string_view("global"),
    std::string_view("if"),       std::string_view("import"),
    std::string_view("in"),       std::string_view("is"),
    std::string_view("lambda"),   std::string_view("nonlocal"),
    std::string_view("not"),      std::string_view("or"),
    std::string_view("pass"),     std::string_view("raise"),
    std::string_view("return"),   std::string_view("try"),
    std::string_view("while"),    std::string_view("with"),
    std::string_view("yield"),
};

constexpr Arch kArchs[] = {{8, 0}, {9, 0}, {10, 0}};

template <typename... Parts>
absl::Status Refused(const Parts&... parts) {
  return absl::InvalidArgumentError(absl::StrCat(parts...));
}

// A number without sign and leading zeros; nullopt when it is none or exceeds
// an int64.
std::optional<int64_t> ParseDigits(std::string_view text) {
  int64_t value = 0;
  const bool digits = !text.empty() && std::all_of(text.begin(), text.end(),
                                                   absl::ascii_isdigit);
  if (!digits || (text.size() > 1 && text[0] == '0')) return std::nullopt;
  if (!absl::SimpleAtoi(AsAbsl(text), &value)) return std::nullopt;
  return value;
}

// Letters to insert, delete, replace or swap with a neighbour to turn one word
// into the other.
size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::vector<size_t>> cost(a.size() + 1,
                                        std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) {
    for (size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        cost[i][j] = i + j;
        continue;
      }
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1,
                             cost[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
      }
    }
  }
  return cost[a.size()][b.size()];
}

absl::StatusOr<DType> ParseDType(std::string_view name) {
  if (const std::optional<DType> dtype = DTypeFromName(name)) return *dtype;
  std::vector<std::string_view> names;
  for (const DTypeInfo& info : AllDTypes()) {
    if (name == info.jax_name || name == info.mlir_name) {
      return Refused("unknown dtype ", Quoted(name), "; write \"",
                     AsAbsl(info.name), "\"");
    }
    names.push_back(info.name);
  }
  return Refused("unknown dtype ", Quoted(name), "; ", Suggestion(name, names));
}

}  // namespace

std::string Quoted(std::string_view text) {
  constexpr size_t kMaxShown = 60;
  const bool cut = text.size() > kMaxShown;
  std::string quoted = nlohmann::json(text.substr(0, kMaxShown))
                           .dump(-1, ' ', /*ensure_ascii=*/true,
                                 nlohmann::json::error_handler_t::ignore);
  if (cut) quoted.insert(quoted.size() - 1, "...");
  return quoted;
}

bool IsName(std::string_view text) {
  if (text.empty() || text.size() > kMaxNameLength) return false;
  if (absl::ascii_isdigit(text[0])) return false;
  const auto allowed = [](char c) {
    return absl::ascii_isalnum(c) || c == '_';
  };
  return std::all_of(text.begin(), text.end(), allowed) &&
         std::find(kKeywords.begin(), kKeywords.end(), text) == kKeywords.end();
}

std::string_view ClosestWord(std::string_view text,
                             absl::Span<const std::string_view> known) {
  std::string_view closest;
  if (text.size() > kMaxNameLength) return closest;
  const std::string lower = absl::AsciiStrToLower(AsAbsl(text));
  size_t limit = std::max<size_t>(text.size() / 3, 1);
  for (std::string_view word : known) {
    const size_t distance = EditDistance(lower, word);
    if (distance <= limit && distance < word.size()) {
      closest = word;
      if (distance == 0) break;
      limit = distance - 1;
    }
  }
  return closest;
}

std::string QuotedList(absl::Span<const std::string_view> words) {
  constexpr size_t kMaxShown = 40;
  std::string text = absl::StrJoin(
      words.subspan(0, kMaxShown), ", ", [](std::string* out, auto word) {
        absl::StrAppend(out, "\"", AsAbsl(word), "\"");
      });
  if (words.size() > kMaxShown) absl::StrAppend(&text, ", ...");
  return text;
}

std::string Suggestion(std::string_view text,
                       absl::Span<const std::string_view> known) {
  const std::string_view closest = ClosestWord(text, known);
  if (!closest.empty()) {
    return absl::StrCat("did you mean \"", AsAbsl(closest), "\"?");
  }
  return known.empty() ? "there is none"
                       : absl::StrCat("known here: ", QuotedList(known));
}

absl::StatusOr<Release> ParseRelease(std::string_view text) {
  constexpr int64_t kMaxPart = 9999;
  const std::vector<absl::string_view> parts =
      absl::StrSplit(AsAbsl(text), '.');
  std::vector<int> numbers;
  for (absl::string_view part : parts) {
    const auto number = ParseDigits({part.data(), part.size()});
    if (number && *number <= kMaxPart) {
      numbers.push_back(static_cast<int>(*number));
    }
  }
  if (numbers.size() != parts.size() || numbers.size() < 3 ||
      numbers.size() > 4) {
    return Refused("expected a JAX release such as \"0.11.2\", got ",
                   Quoted(text));
  }
  return Release{numbers[0], numbers[1], numbers[2],
                 numbers.size() > 3 ? numbers[3] : 0};
}

absl::StatusOr<Arch> ParseArch(std::string_view text) {
  for (const Arch& arch : kArchs) {
    if (FormatArch(arch) == text) return arch;
  }
  return Refused("expected \"8.0\", \"9.0\" or \"10.0\", got ", Quoted(text));
}

std::string FormatArch(const Arch& arch) {
  return absl::StrCat(arch.major, ".", arch.minor);
}

absl::StatusOr<ArraySpec> ParseArray(std::string_view text) {
  const size_t open = text.find('[');
  if (open == text.npos || text.back() != ']') {
    return Refused("expected \"dtype[shape]\" such as \"f32[128,64]\", got ",
                   Quoted(text));
  }
  const absl::StatusOr<DType> dtype = ParseDType(text.substr(0, open));
  if (!dtype.ok()) return dtype.status();
  absl::StatusOr<ArraySpec> array(absl::in_place);
  array->dtype = *dtype;
  const std::string_view extents =
      text.substr(open + 1, text.size() - open - 2);
  if (extents.empty()) return array;
  for (absl::string_view part : absl::StrSplit(AsAbsl(extents), ',')) {
    const std::string_view digits(part.data(), part.size());
    const std::optional<int64_t> extent = ParseDigits(digits);
    if (!extent || *extent > kMaxExtent) {
      return Refused("expected extents from 0 to 2^40 (", kMaxExtent,
                     ") joined by commas without spaces, got ", Quoted(digits),
                     " in ", Quoted(text));
    }
    array->shape.push_back(*extent);
  }
  if (array->shape.size() > kMaxRank) {
    return Refused("rank ", array->shape.size(), " is above the limit of ",
                   kMaxRank, " in ", Quoted(text));
  }
  int64_t elements = 1;
  for (const int64_t extent : array->shape) {
    // Two factors below 2^48 and 2^41 cannot overflow 128 bits.
    const Wide product = Wide{elements} * std::max<int64_t>(extent, 1);
    if (product > kMaxElements) {
      return Refused("more than 2^48 elements in ", Quoted(text));
    }
    elements = static_cast<int64_t>(product);
  }
  return array;
}

std::string FormatArray(DType dtype, absl::Span<const int64_t> shape) {
  return absl::StrCat(AsAbsl(Info(dtype).name), "[", absl::StrJoin(shape, ","),
                      "]");
}

absl::StatusOr<RefPath> ParseRefPath(std::string_view text) {
  const auto refusal = [&] {
    return Refused(
        "expected the path of a ref, such as \"x\", \"acc[1][0]\" "
        "or \"tree.key[0]\", got ",
        Quoted(text));
  };
  const size_t name_end = std::min(text.find_first_of(".["), text.size());
  RefPath path{.name = std::string(text.substr(0, name_end))};
  if (!IsName(path.name)) return refusal();
  std::string_view rest = text.substr(name_end);
  while (!rest.empty()) {
    const char opening = rest[0];
    rest.remove_prefix(1);
    const size_t end =
        std::min(rest.find_first_of(opening == '[' ? "]" : ".["), rest.size());
    const std::string_view step = rest.substr(0, end);
    rest.remove_prefix(end);
    if (opening == '.') {
      if (!IsName(step)) return refusal();
      path.steps.emplace_back(std::string(step));
      continue;
    }
    const std::optional<int64_t> index = ParseDigits(step);
    // What follows the bracket has to start another step.
    if (opening != '[' || !index || rest.empty()) return refusal();
    path.steps.emplace_back(*index);
    rest.remove_prefix(1);
  }
  return path;
}

std::string FormatRefPath(std::string_view name,
                          absl::Span<const PathStep> steps) {
  std::string text(name);
  for (const PathStep& step : steps) {
    if (const auto* index = std::get_if<int64_t>(&step)) {
      absl::StrAppend(&text, "[", *index, "]");
    } else {
      absl::StrAppend(&text, ".", std::get<std::string>(step));
    }
  }
  return text;
}

}  // namespace pallasite

#ifndef PALLASITE_MODEL_TEXT_JSON_SPELLING_H_
#define PALLASITE_MODEL_TEXT_JSON_SPELLING_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "model/config/dtype.h"
#include "model/config/kernel_config.h"
#include "model/config/ops.h"
#include "model/config/shape.h"

// How the small things of a configuration are spelled inside JSON strings. A
// parser's refusal says what was expected, without a path.

namespace pallasite {

// Abseil's string_view is a type of its own in the releases we build against.
inline absl::string_view AsAbsl(std::string_view text) {
  return {text.data(), text.size()};
}

// Text of a user as a JSON string in ASCII, cut when it is long: safe to print.
std::string Quoted(std::string_view text);

inline constexpr size_t kMaxNameLength = 64;

// A Python identifier in ASCII, no keyword, of at most kMaxNameLength letters.
bool IsName(std::string_view text);

// Of `known`, the word that `text` was most likely meant to be; empty when none
// comes close.
std::string_view ClosestWord(std::string_view text,
                             absl::Span<const std::string_view> known);

// Words in quotes, joined by commas.
std::string QuotedList(absl::Span<const std::string_view> words);

// What to write instead of an unknown word: `did you mean "grid"?`, or the
// words there are.
std::string Suggestion(std::string_view text,
                       absl::Span<const std::string_view> known);

// "0.11.2" or "0.12.0.1".
absl::StatusOr<Release> ParseRelease(std::string_view text);

// "8.0", "9.0" or "10.0".
absl::StatusOr<Arch> ParseArch(std::string_view text);
std::string FormatArch(const Arch& arch);

// "f32[128,64]".
absl::StatusOr<ArraySpec> ParseArray(std::string_view text);
std::string FormatArray(DType dtype, absl::Span<const int64_t> shape);

// "acc[1].key": a kernel argument and the steps into its tree.
struct RefPath {
  std::string name;
  std::vector<PathStep> steps;
};
absl::StatusOr<RefPath> ParseRefPath(std::string_view text);
std::string FormatRefPath(std::string_view name,
                          absl::Span<const PathStep> steps);

}  // namespace pallasite

#endif  // PALLASITE_MODEL_TEXT_JSON_SPELLING_H_

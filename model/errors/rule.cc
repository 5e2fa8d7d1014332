#include "model/errors/rule.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace pallasite {

std::string_view Name(Phase phase) {
  switch (phase) {
    case Phase::kConstruct:
      return "construct";
    case Phase::kTrace:
      return "trace";
    case Phase::kLower:
      return "lower";
  }
  return "";
}

std::string_view Name(PyExc exception) {
  switch (exception) {
    case PyExc::kAssertionError:
      return "AssertionError";
    case PyExc::kAttributeError:
      return "AttributeError";
    case PyExc::kIndexError:
      return "IndexError";
    case PyExc::kKeyError:
      return "KeyError";
    case PyExc::kLookupError:
      return "LookupError";
    case PyExc::kMlirError:
      return "MLIRError";
    case PyExc::kNameError:
      return "NameError";
    case PyExc::kNotImplementedError:
      return "NotImplementedError";
    case PyExc::kOverflowError:
      return "OverflowError";
    case PyExc::kRuntimeError:
      return "RuntimeError";
    case PyExc::kSegmentationFault:
      return "SegmentationFault";
    case PyExc::kTypeError:
      return "TypeError";
    case PyExc::kValueError:
      return "ValueError";
    case PyExc::kVerificationError:
      return "VerificationError";
    case PyExc::kZeroDivisionError:
      return "ZeroDivisionError";
  }
  return "";
}

std::string_view Name(DefectKind kind) {
  switch (kind) {
    case DefectKind::kNone:
      return "none";
    case DefectKind::kUndocumented:
      return "undocumented";
    case DefectKind::kWrongMessage:
      return "wrong-message";
    case DefectKind::kAccepted:
      return "accepted";
  }
  return "";
}

const Wording* RuleDoc::WordingFor(const Release& release) const {
  for (const Wording& wording : wordings) {
    if (wording.pattern.data() != nullptr &&
        wording.releases.Contains(release)) {
      return &wording;
    }
  }
  return nullptr;
}

std::string HoleValues::Fill(std::string_view pattern) const {
  std::string text;
  for (size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    const bool doubled = i + 1 < pattern.size() && pattern[i + 1] == c;
    if ((c == '{' || c == '}') && doubled) {
      text += c;
      ++i;
      continue;
    }
    const size_t close = c == '{' ? pattern.find('}', i) : pattern.npos;
    if (close == pattern.npos) {
      text += c;
      continue;
    }
    const std::string_view hole = pattern.substr(i + 1, close - i - 1);
    bool filled = false;
    for (const auto& [name, value] : values_) {
      if (name == hole) {
        text += value;
        filled = true;
      }
    }
    if (!filled) text += pattern.substr(i, close - i + 1);
    i = close;
  }
  return text;
}

bool MessageMatches(std::string_view expected, std::string_view actual) {
  constexpr std::string_view kAnything = "{*}";
  size_t hole = expected.find(kAnything);
  if (hole == expected.npos) return expected == actual;
  if (actual.substr(0, hole) != expected.substr(0, hole)) return false;
  actual.remove_prefix(hole);
  expected.remove_prefix(hole + kAnything.size());
  // Each later piece is matched as early as possible, the last one at the end.
  while ((hole = expected.find(kAnything)) != expected.npos) {
    const std::string_view piece = expected.substr(0, hole);
    const size_t at = actual.find(piece);
    if (at == actual.npos) return false;
    actual.remove_prefix(at + piece.size());
    expected.remove_prefix(hole + kAnything.size());
  }
  return actual.size() >= expected.size() &&
         actual.substr(actual.size() - expected.size()) == expected;
}

}  // namespace pallasite

#ifndef PALLASITE_MODEL_ERRORS_RULE_H_
#define PALLASITE_MODEL_ERRORS_RULE_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "model/config/kernel_config.h"
#include "model/errors/location.h"
#include "model/errors/stage.h"

namespace pallasite {

enum class Phase : uint8_t { kConstruct, kTrace, kLower };
std::string_view Name(Phase phase);

// Python exception classes that JAX lets out.
enum class PyExc : uint8_t {
  kAssertionError,
  kAttributeError,
  kIndexError,
  kKeyError,
  kLookupError,
  kMlirError,
  kNameError,
  kNotImplementedError,
  kOverflowError,
  kRuntimeError,
  kSegmentationFault,  // no exception: the Python process dies
  kTypeError,
  kValueError,
  kVerificationError,
  kZeroDivisionError,
};
std::string_view Name(PyExc exception);

// Releases first..last, both included; an absent bound is open.
struct ReleaseRange {
  std::optional<Release> first;
  std::optional<Release> last;
  constexpr bool Contains(const Release& release) const {
    return (!first || *first <= release) && (!last || release <= *last);
  }
};

// What a rule raises in a range of releases. `pattern` holds named holes in
// braces, filled from the finding; `{*}` stands for text that JAX itself cannot
// make deterministic, such as an object's address, and matches anything.
// A literal brace is doubled, as in Python.
struct Wording {
  ReleaseRange releases;
  PyExc raises = PyExc::kValueError;
  std::string_view pattern;
};
inline constexpr int kMaxWordings = 3;

// Where JAX's behaviour is at odds with what it documents or should do.
enum class DefectKind : uint8_t {
  kNone,          // a documented error
  kUndocumented,  // an exception nobody documented reaches the user
  kWrongMessage,  // the right refusal with a wrong or broken text
  kAccepted,      // accepted although it cannot work as written
};
std::string_view Name(DefectKind kind);

// Everything about a rule that does not depend on the configuration.
struct RuleDoc {
  // "<phase>.<subject>.<rule>"; the subject is also the area of the rule.
  std::string_view id;
  std::string_view area;
  Phase phase = Phase::kConstruct;
  // Newest last. Unused ones have a null pattern; "" is an empty message.
  Wording wordings[kMaxWordings];
  std::string_view why;
  std::string_view fix;
  std::string_view source;  // "core.py RefUnion.__init__": where JAX checks it
  // Ids and slugs of public records of the same error.
  std::string_view aliases[2];
  // For defects: what is wrong, and what a correct release would do.
  DefectKind defect = DefectKind::kNone;
  std::string_view spec_verdict;

  // The wording in force, or null when this release does not have the rule. A
  // kAccepted defect raises nothing: its wordings carry release ranges only and
  // an empty text, so their pattern is "-".
  const Wording* WordingFor(const Release& release) const;
};

// Values for the holes of a message pattern.
class HoleValues {
 public:
  HoleValues(std::initializer_list<std::pair<std::string_view, std::string>> v)
      : values_(v) {}
  // The pattern with its holes filled and doubled braces undone. `{*}` stays.
  std::string Fill(std::string_view pattern) const;

 private:
  std::vector<std::pair<std::string_view, std::string>> values_;
};

// Null: the rule holds. Otherwise it is broken, and this fills its message.
// A pointer, so that a rule that holds costs nothing.
using Finding = std::unique_ptr<HoleValues>;
inline Finding Holds() { return nullptr; }
inline Finding Broken(
    std::initializer_list<std::pair<std::string_view, std::string>> values =
        {}) {
  return std::make_unique<HoleValues>(values);
}
inline Finding BrokenIf(bool broken) { return broken ? Broken() : Holds(); }

// One rule about a subject. A table of these is the specification of that
// subject: row order is the order in which JAX checks.
template <typename Subject>
struct Rule {
  RuleDoc doc;
  Finding (*violated)(const Subject&);
};

// Rules of many tables, with the stages that may report them.
struct ListedRule {
  const RuleDoc* doc = nullptr;
  StageRange stages;
};
using RuleList = std::vector<ListedRule>;

// The documents of a table, in its order.
template <typename Subject, size_t n>
void AppendDocs(const Rule<Subject> (&table)[n], StageRange stages,
                RuleList& rules) {
  for (const Rule<Subject>& rule : table) rules.push_back({&rule.doc, stages});
}

// True when `actual` is what `expected` stands for, `{*}` matching anything.
bool MessageMatches(std::string_view expected, std::string_view actual);

}  // namespace pallasite

#endif  // PALLASITE_MODEL_ERRORS_RULE_H_

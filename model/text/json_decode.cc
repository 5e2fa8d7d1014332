#include "model/text/json_decode.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "model/text/json_spelling.h"

namespace pallasite {
namespace {

using Kind = JsonValue::Kind;

// A value as a refusal names it.
std::string Describe(const JsonValue& value) {
  switch (value.kind) {
    case Kind::kNull:
      return "null";
    case Kind::kBool:
      return value.boolean ? "true" : "false";
    case Kind::kInteger:
      return absl::StrCat(value.integer);
    case Kind::kOtherNumber:
      return value.text.substr(0, 40);
    case Kind::kString:
      return absl::StrCat("the string ", Quoted(value.text));
    case Kind::kArray:
      return value.items.empty() ? "an empty list" : "a list";
    case Kind::kObject:
      return value.items.empty() ? "an empty object" : "an object";
  }
  return "";
}

void AppendUsed(absl::Span<const std::string_view> row,
                std::vector<std::string_view>& out) {
  for (std::string_view word : row) {
    if (!word.empty()) out.push_back(word);
  }
}

std::vector<std::string_view> AllKeys(const ObjectKeys& keys) {
  std::vector<std::string_view> all;
  AppendUsed(keys.tags, all);
  AppendUsed(keys.fields, all);
  return all;
}

std::string UnknownKey(std::string_view key,
                       absl::Span<const std::string_view> known) {
  return absl::StrCat("unknown key ", Quoted(key), "; ",
                      Suggestion(key, known));
}

}  // namespace

bool Decoder::Refuse(const Location& at, std::string_view text) {
  status_ = RefusalAt(at.Format(), text);
  return false;
}

bool Decoder::Expected(const Location& at, std::string_view what,
                       const JsonValue& got) {
  return Refuse(
      at, absl::StrCat("expected ", AsAbsl(what), ", got ", Describe(got)));
}

bool Decoder::Missing(const Location& at, std::string_view key) {
  return Refuse(at, absl::StrCat("the key ", Quoted(key), " is missing"));
}

bool Decoder::Int(const JsonValue& value, const Location& at, int64_t& out) {
  if (value.kind == Kind::kInteger) {
    out = value.integer;
    return true;
  }
  if (value.kind == Kind::kOtherNumber &&
      value.text.find_first_of(".eE") == std::string::npos) {
    return Refuse(at, absl::StrCat("the integer ", Describe(value),
                                   " does not fit in 64 bits"));
  }
  if (value.kind == Kind::kOtherNumber) {
    return Expected(at, "an integer, written without fraction and exponent",
                    value);
  }
  return Expected(at, "an integer", value);
}

bool Decoder::Bool(const JsonValue& value, const Location& at, bool& out) {
  if (value.kind != Kind::kBool) return Expected(at, "true or false", value);
  out = value.boolean;
  return true;
}

bool Decoder::String(const JsonValue& value, const Location& at,
                     std::string& out) {
  if (value.kind != Kind::kString) return Expected(at, "a string", value);
  out = value.text;
  return true;
}

bool Decoder::Name(const JsonValue& value, const Location& at,
                   std::string& out) {
  if (value.kind != Kind::kString || !IsName(value.text)) {
    return Expected(at,
                    "a name (a Python identifier in ASCII, no keyword, at "
                    "most 64 characters)",
                    value);
  }
  out = value.text;
  return true;
}

bool Decoder::Ints(const JsonValue& value, const Location& at, Shape& out) {
  if (value.kind != Kind::kArray) {
    return Expected(at, "a list of integers", value);
  }
  out.resize(value.items.size());
  for (size_t i = 0; i < out.size(); ++i) {
    const Location element(at, static_cast<int64_t>(i));
    if (!Int(value.items[i], element, out[i])) return false;
  }
  return true;
}

bool Decoder::Names(const JsonValue& value, const Location& at,
                    std::vector<std::string>& out) {
  return List(value, at, "a list of names", out, Via(&Decoder::Name));
}

bool Decoder::KeysOnce(const JsonValue& object, const Location& at) {
  absl::flat_hash_set<std::string_view> seen;
  for (const std::string& key : object.keys) {
    if (!seen.insert(key).second) {
      return Refuse(at, absl::StrCat("the key ", Quoted(key),
                                     " is there twice; keep one of them"));
    }
  }
  return true;
}

bool Decoder::Object(const JsonValue& value, const Location& at,
                     const ObjectKeys& known) {
  const std::vector<std::string_view> all = AllKeys(known);
  if (value.kind != Kind::kObject) {
    return Expected(at, absl::StrCat("an object with keys ", QuotedList(all)),
                    value);
  }
  for (const std::string& key : value.keys) {
    if (std::find(all.begin(), all.end(), key) == all.end()) {
      return Refuse(at, UnknownKey(key, all));
    }
  }
  return KeysOnce(value, at);
}

bool Decoder::NameMap(const JsonValue& value, const Location& at) {
  if (value.kind != Kind::kObject) {
    return Expected(at, "an object from names to values", value);
  }
  for (const std::string& key : value.keys) {
    if (!IsName(key)) {
      return Refuse(at, absl::StrCat("the key ", Quoted(key),
                                     " is no name (a Python identifier in "
                                     "ASCII, no keyword, at most 64 "
                                     "characters)"));
    }
  }
  return KeysOnce(value, at);
}

const ObjectKeys* Decoder::Tagged(const JsonValue& value, const Location& at,
                                  absl::Span<const ObjectKeys* const> kinds,
                                  std::string_view what,
                                  std::string_view& tag) {
  std::vector<std::string_view> tags;
  std::vector<std::string_view> all;
  for (const ObjectKeys* kind : kinds) {
    AppendUsed(kind->tags, tags);
    AppendUsed(kind->tags, all);
    AppendUsed(kind->fields, all);
  }
  if (value.kind != Kind::kObject) {
    Expected(at, what, value);
    return nullptr;
  }
  const ObjectKeys* found = nullptr;
  for (const ObjectKeys* kind : kinds) {
    for (std::string_view candidate : kind->tags) {
      if (candidate.empty() || value.Find(candidate) == nullptr) continue;
      if (found != nullptr) {
        Refuse(at, absl::StrCat("the keys ", Quoted(tag), " and ",
                                Quoted(candidate),
                                " exclude each other; keep one of them"));
        return nullptr;
      }
      found = kind;
      tag = candidate;
    }
  }
  if (found != nullptr) return Object(value, at, *found) ? found : nullptr;
  for (const std::string& key : value.keys) {
    if (std::find(all.begin(), all.end(), key) == all.end()) {
      Refuse(at, UnknownKey(key, all));
      return nullptr;
    }
  }
  Refuse(at, absl::StrCat("expected ", AsAbsl(what), ": one of the keys ",
                          QuotedList(tags), " is missing"));
  return nullptr;
}

bool Decoder::UnknownWord(const Location& at, const JsonValue& value,
                          absl::Span<const std::string_view> choices) {
  const std::string_view closest =
      value.kind == Kind::kString ? ClosestWord(value.text, choices) : "";
  const std::string hint =
      closest.empty()
          ? ""
          : absl::StrCat("; did you mean \"", AsAbsl(closest), "\"?");
  return Refuse(at, absl::StrCat("expected one of ", QuotedList(choices),
                                 ", got ", Describe(value), hint));
}

}  // namespace pallasite

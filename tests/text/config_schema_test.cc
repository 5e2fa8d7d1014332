#include <fstream>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "model/text/json_keys.h"
#include "nlohmann/json.hpp"
#include "tests/paths.h"

// docs/config.schema.json and the key tables of the reader say the same.

namespace pallasite {
namespace {

using nlohmann::json;
using KeySet = std::set<std::string>;

json ReadSchema() {
  std::ifstream file(SourcePath("docs/config.schema.json"));
  return json::parse(file, nullptr, /*allow_exceptions=*/false);
}

KeySet UsedWords(absl::Span<const std::string_view> words) {
  KeySet used;
  for (const std::string_view word : words) {
    if (!word.empty()) used.emplace(word);
  }
  return used;
}

// Every list under the key "enum" and every string under "const".
void CollectWords(const json& schema, std::set<KeySet>& out) {
  if (!schema.is_structured()) return;
  for (const auto& [key, value] : schema.items()) {
    if (key == "enum") out.insert(value.get<KeySet>());
    if (key == "const" && value.is_string()) {
      out.insert({value.get<std::string>()});
    }
    CollectWords(value, out);
  }
}

int CountKey(const json& schema, std::string_view wanted) {
  if (!schema.is_structured()) return 0;
  int count = 0;
  for (const auto& [key, value] : schema.items()) {
    count += (schema.is_object() && key == wanted) + CountKey(value, wanted);
  }
  return count;
}

TEST(ConfigSchema, HasTheKeysOfTheReader) {
  const json schema = ReadSchema();
  ASSERT_TRUE(schema.contains("$defs"));
  std::set<std::string_view> names;
  for (const ObjectKeys* keys : keys::kAll) {
    SCOPED_TRACE(keys->name);
    EXPECT_TRUE(names.insert(keys->name).second);
    const json definition =
        schema["$defs"].value(std::string(keys->name), json::object());
    const json members = definition.value("properties", json::object());
    KeySet properties;
    for (const auto& [key, value] : members.items()) properties.insert(key);
    const KeySet tags = UsedWords(keys->tags);
    KeySet known = UsedWords(keys->fields);
    known.insert(tags.begin(), tags.end());
    EXPECT_EQ(properties, known);
    EXPECT_FALSE(definition.value("additionalProperties", true));
    if (tags.size() == 1) {
      EXPECT_EQ(definition.value("required", json::array()), json(tags));
    }
  }
  // No object of the schema is left over: the tables account for all of them.
  EXPECT_EQ(CountKey(schema, "properties"), std::size(keys::kAll));
}

TEST(ConfigSchema, ChoosesAmongTheKindsThatTheReaderChoosesAmong) {
  const json defs = ReadSchema()["$defs"];
  const std::pair<json, absl::Span<const ObjectKeys* const>> rows[] = {
      {defs["tree"]["oneOf"], keys::kTrees},
      {defs["ref"]["properties"]["transforms"]["items"]["oneOf"],
       keys::kTransforms},
      {defs["ops"]["items"]["oneOf"], keys::kOps},
      {defs["ref_expression"]["oneOf"][1]["additionalProperties"]["items"]
           ["oneOf"],
       keys::kViews},
  };
  for (const auto& [choices, kinds] : rows) {
    KeySet references;
    for (const json& choice : choices) {
      references.insert(choice["$ref"].get<std::string>());
    }
    references.erase("#/$defs/trees");  // a plain list, which has no keys
    KeySet expected;
    for (const ObjectKeys* kind : kinds) {
      expected.insert("#/$defs/" + std::string(kind->name));
    }
    EXPECT_EQ(references, expected);
  }
}

template <typename E, size_t n>
KeySet Words(const Word<E> (&table)[n]) {
  KeySet words;
  for (const Word<E>& word : table) words.emplace(word.word);
  return words;
}

TEST(ConfigSchema, HasTheWordsOfTheReader) {
  std::set<KeySet> in_schema;
  CollectWords(ReadSchema(), in_schema);
  const std::set<KeySet> known = {
      Words(words::kLowering),         Words(words::kDimensionSemantics),
      Words(words::kTraceScope),       Words(words::kTmemLayout),
      Words(words::kDeviceIdType),     {std::string(words::kReplicated)},
      {std::string(words::kEllipsis)}, {"8.0", "9.0", "10.0"}};
  EXPECT_EQ(in_schema, known);
  EXPECT_EQ(Words(words::kMemorySpace), UsedWords(keys::kRef.tags));
}

TEST(ConfigSchema, HasTheDtypesOfTheReader) {
  std::string alternatives;
  for (const DTypeInfo& info : AllDTypes()) {
    alternatives +=
        (alternatives.empty() ? "^(" : "|") + std::string(info.name);
  }
  alternatives += ")\\[";
  const json defs = ReadSchema()["$defs"];
  for (const json& pattern :
       {defs["array"]["pattern"],
        defs["gather"]["properties"]["gather"]["pattern"]}) {
    EXPECT_EQ(pattern.get<std::string>().substr(0, alternatives.size()),
              alternatives);
  }
}

}  // namespace
}  // namespace pallasite

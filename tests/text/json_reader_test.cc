#include "model/text/json_reader.h"

#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "model/text/json_spelling.h"
#include "model/text/json_writer.h"

namespace pallasite {
namespace {

TEST(ReadConfigs, ReadsOneConfigurationOverManyLines) {
  const auto configs = ReadConfigs(
      "\n{\"pallasite\": 1,\n \"mesh\": {\"d\": 2},\n\n \"kernel\":\n{}}\n");
  ASSERT_TRUE(configs.ok()) << configs.status();
  ASSERT_EQ(configs->size(), 1u);
  EXPECT_EQ(configs->at(0).mesh, Named<int64_t>({{"d", 2}}));
}

TEST(ReadConfigs, ReadsJsonLines) {
  std::vector<KernelConfig> written(3);
  for (int64_t i = 0; i < 3; ++i) written[i].mesh = {{"d", i + 1}};
  std::string text;
  for (const KernelConfig& config : written) {
    text += WriteConfigLine(config) + "\r\n\n";
  }
  const auto lines = ReadConfigs(text);
  ASSERT_TRUE(lines.ok()) << lines.status();
  EXPECT_EQ(*lines, written);

  text.clear();
  for (const KernelConfig& config : written) text += WriteConfig(config) + "\n";
  const auto blocks = ReadConfigs(text);
  ASSERT_TRUE(blocks.ok()) << blocks.status();
  EXPECT_EQ(*blocks, written);
}

TEST(ReadConfigs, NamesTheLineAmongSeveral) {
  struct Row {
    const char* text;
    const char* refusal;
  };
  const Row rows[] = {
      {"{\"pallasite\": 1}\n\n{\"pallasite\": 1,\n \"mesh\": {\"d\": 9}}\n",
       "line 3: mesh.d: the mesh has more than 8 devices in all; make its axes "
       "smaller"},
      {"{\"pallasite\": 1}\n{\"pallasite\": 3}\n{\"pallasite\": 1}",
       "line 2: pallasite: format version 3 is unknown; expected 1"},
      {"{\"pallasite\": 3}\n",
       "pallasite: format version 3 is unknown; "
       "expected 1"},
      {"{\"pallasite\": 1}\n{}",
       "line 2: top level: the key \"pallasite\" is missing"},
      {" \n", "top level: there is no configuration here"},
      {"", "top level: there is no configuration here"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(ReadConfigs(row.text).status().message(), row.refusal);
  }
}

struct Split {
  const char* text;
  std::vector<std::string_view> chunks;
  std::vector<int64_t> lines;
};

TEST(SplitJson, EndsAValueWhereItsBracketsClose) {
  const Split rows[] = {
      {"", {}, {}},
      {"{}", {"{}"}, {1}},
      {" {}\n[]\t{} ", {"{}", "[]", "{}"}, {1, 2, 2}},
      {"{\"a\": [\n1]}\n{}", {"{\"a\": [\n1]}", "{}"}, {1, 3}},
      {"{\"}\": \"\\\"}\"}\n{}", {"{\"}\": \"\\\"}\"}", "{}"}, {1, 2}},
      {"{\"\\\\\": 1}{}", {"{\"\\\\\": 1}", "{}"}, {1, 1}},
      {"\xef\xbb\xbf{\n}", {"{\n}"}, {1}},
      // What is broken spoils as little as it can.
      {"nonsense\n{}", {"nonsense", "{}"}, {1, 2}},
      {"}\n{}", {"}", "{}"}, {1, 2}},
      {"{\"a}\n{}", {"{\"a}\n{}"}, {1}},
      {"{\"a: 1\n}\n{}", {"{\"a: 1\n}", "{}"}, {1, 3}},
      {"{\"a\": \"\\", {"{\"a\": \"\\"}, {1}},
  };
  for (const Split& row : rows) {
    SCOPED_TRACE(row.text);
    std::vector<std::string_view> chunks;
    std::vector<int64_t> lines;
    for (const JsonChunk& chunk : SplitJson(row.text)) {
      chunks.push_back(chunk.json);
      lines.push_back(chunk.line);
    }
    EXPECT_EQ(chunks, row.chunks);
    EXPECT_EQ(lines, row.lines);
  }
}

TEST(Names, ArePythonIdentifiersButNoKeywords) {
  for (const char* name : {"x", "_", "x1", "Xy_9", "match", "type", "true"}) {
    EXPECT_TRUE(IsName(name)) << name;
  }
  for (const char* name : {"", "1", "a-b", "a b", "a.b", "x\n", "if", "None",
                           "True", "yield", "\xc3\xa9"}) {
    EXPECT_FALSE(IsName(name)) << name;
  }
  EXPECT_TRUE(IsName(std::string(64, 'a')));
  EXPECT_FALSE(IsName(std::string(65, 'a')));
}

TEST(ClosestWord, ForgivesTyposOnly) {
  constexpr std::string_view kWords[] = {"grid", "cluster", "threads", "at"};
  EXPECT_EQ(ClosestWord("grids", kWords), "grid");
  EXPECT_EQ(ClosestWord("gird", kWords), "grid");
  EXPECT_EQ(ClosestWord("Cluster", kWords), "cluster");
  EXPECT_EQ(ClosestWord("thread", kWords), "threads");
  EXPECT_EQ(ClosestWord("params", kWords), "");
  EXPECT_EQ(ClosestWord("", kWords), "");
  EXPECT_EQ(ClosestWord("xy", kWords), "");
  EXPECT_EQ(ClosestWord(std::string(100000, 'a'), kWords), "");
}

}  // namespace
}  // namespace pallasite

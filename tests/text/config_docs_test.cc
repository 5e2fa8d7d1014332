#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "model/text/case.h"
#include "model/text/json_reader.h"
#include "model/text/json_writer.h"
#include "tests/paths.h"

// What docs/config.md shows is what the code reads and writes.

namespace pallasite {
namespace {

// The fenced blocks of a language.
std::vector<std::string> Blocks(const std::string& language) {
  std::ifstream file(SourcePath("docs/config.md"));
  std::vector<std::string> blocks;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line == "```" + language) {
      inside = true;
      blocks.emplace_back();
    } else if (line == "```") {
      inside = false;
    } else if (inside) {
      blocks.back() += line + "\n";
    }
  }
  return blocks;
}

TEST(ConfigDocs, ExamplesAreCanonical) {
  int configs = 0;
  int cases = 0;
  for (const std::string& block : Blocks("json")) {
    SCOPED_TRACE(block);
    if (block.find("\"case\"") != block.npos) {
      const auto corpus_case = ReadCase(block);
      ASSERT_TRUE(corpus_case.ok()) << corpus_case.status();
      EXPECT_EQ(WriteCase(*corpus_case), block);
      ++cases;
      continue;
    }
    const auto config = ReadConfig(block);
    ASSERT_TRUE(config.ok()) << config.status();
    EXPECT_EQ(WriteConfig(*config) + "\n", block);
    ++configs;
  }
  EXPECT_GE(configs, 6);
  EXPECT_EQ(cases, 1);
}

// A refusal is shown as the line that causes it and the text that it gets.
TEST(ConfigDocs, RefusalsAreTheReadersOwn) {
  const std::vector<std::string> blocks = Blocks("text");
  int refusals = 0;
  for (const std::string& block : blocks) {
    std::istringstream lines(block);
    for (std::string entry, refusal;
         std::getline(lines, entry) && std::getline(lines, refusal);) {
      const auto config = ReadConfig("{\"pallasite\": 1, " + entry + "}");
      ASSERT_FALSE(config.ok()) << entry;
      EXPECT_EQ("  " + std::string(config.status().message()), refusal);
      ++refusals;
    }
  }
  EXPECT_GE(refusals, 4);
}

}  // namespace
}  // namespace pallasite

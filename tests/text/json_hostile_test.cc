#include <algorithm>
#include <string>
#include <string_view>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "model/text/json_reader.h"
#include "model/text/json_writer.h"

namespace pallasite {
namespace {

std::string Repeat(std::string_view text, size_t times) {
  std::string repeated;
  repeated.reserve(text.size() * times);
  for (size_t i = 0; i < times; ++i) repeated += text;
  return repeated;
}

std::string Refusal(std::string_view text) {
  const auto config = ReadConfig(text);
  return config.ok() ? "read" : std::string(config.status().message());
}

// `pallasite` is already there, an entry follows, and the rest closes itself.
std::string Document(std::string_view entries) {
  return "{\"pallasite\": 1, " + std::string(entries) + "}";
}

struct Broken {
  const char* what;
  std::string text;
  const char* refusal;  // its start
};

TEST(HostileJson, IsRefusedWhereItBreaks) {
  const Broken rows[] = {
      {"nothing", "", "top level: not valid JSON at line 1, column 1"},
      {"white space", " \n\t", "top level: not valid JSON at line 2"},
      {"a number", "1", "top level: expected an object with keys"},
      {"null", "null", "top level: expected an object with keys"},
      {"a list", "[]", "top level: expected an object with keys"},
      {"no version", "{}", "top level: the key \"pallasite\" is missing"},
      {"a later version", R"({"pallasite": 2})",
       "pallasite: format version 2 is unknown; expected 1"},
      {"a version of another kind", R"({"pallasite": "1"})",
       "pallasite: expected an integer, got the string \"1\""},
      {"truncated object", R"({"pallasite": 1)",
       "top level: not valid JSON at line 1, column 15"},
      {"truncated string", R"({"pallasite": 1, "mesh)",
       "top level: not valid JSON at line 1, column 22: invalid string"},
      {"truncated inside", "{\"pallasite\": 1,\n \"mesh\": {\"d\": ",
       "mesh.d: not valid JSON at line 2, column 15: unexpected end of input"},
      {"trailing comma", R"({"pallasite": 1,})", "top level: not valid JSON"},
      {"trailing text", R"({"pallasite": 1} x)", "top level: not valid JSON"},
      {"two values", R"({"pallasite": 1} {"pallasite": 1})",
       "top level: not valid JSON at line 1, column 18"},
      {"comment", "{\"pallasite\": 1 // one\n}", "top level: not valid JSON"},
      {"single quotes", "{'pallasite': 1}", "top level: not valid JSON"},
      {"NaN", Document(R"("mesh": {"d": NaN})"), "mesh.d: not valid JSON"},
      {"leading plus", Document(R"("mesh": {"d": +1})"),
       "mesh.d: not valid JSON"},
      {"leading zero", Document(R"("mesh": {"d": 01})"),
       "mesh: not valid JSON"},
      {"hexadecimal", Document(R"("mesh": {"d": 0x1})"),
       "mesh: not valid JSON"},
      {"bare key", "{pallasite: 1}", "top level: not valid JSON"},
      {"lone high surrogate", Document(R"("mesh": {"\ud800": 1})"),
       "mesh: not valid JSON at line 1, column"},
      {"lone low surrogate",
       Document(R"("kernel": {"params": {"profile_dir": "\udc00"}})"),
       "kernel.params.profile_dir: not valid JSON"},
      {"high surrogate before a letter",
       Document(R"("kernel": {"params": {"profile_dir": "\ud83dA"}})"),
       "kernel.params.profile_dir: not valid JSON"},
      {"stray byte of UTF-8",
       Document("\"kernel\": {\"params\": {\"profile_dir\": \"\xff\"}}"),
       "kernel.params.profile_dir: not valid JSON"},
      {"overlong UTF-8",
       Document("\"kernel\": {\"params\": {\"profile_dir\": \"\xc0\x80\"}}"),
       "kernel.params.profile_dir: not valid JSON"},
      {"surrogate in UTF-8",
       Document(
           "\"kernel\": {\"params\": {\"profile_dir\": \"\xed\xa0\x80\"}}"),
       "kernel.params.profile_dir: not valid JSON"},
      {"raw newline in a string",
       Document("\"kernel\": {\"params\": {\"profile_dir\": \"a\nb\"}}"),
       "kernel.params.profile_dir: not valid JSON"},
      {"zero byte", std::string("{\"pallasite\": 1, \0}", 19),
       "top level: not valid JSON"},
      {"number beyond a double", Document(R"("mesh": {"d": 1e999})"),
       "mesh.d: the number does not fit in 64 bits"},
      {"long integer", Document("\"mesh\": {\"d\": " + Repeat("9", 300) + "}"),
       "mesh.d: the integer 999"},
      {"longer integer",
       Document("\"mesh\": {\"d\": " + Repeat("9", 100000) + "}"),
       "mesh.d: the number does not fit in 64 bits"},
      {"long fraction",
       Document("\"mesh\": {\"d\": 1." + Repeat("0", 100000) + "}"),
       "mesh.d: expected an integer, written without fraction"},
  };
  for (const Broken& row : rows) {
    SCOPED_TRACE(row.what);
    const std::string refusal = Refusal(row.text);
    EXPECT_TRUE(absl::StartsWith(refusal, row.refusal)) << refusal;
    EXPECT_LT(refusal.size(), 400u) << refusal;
  }
  EXPECT_EQ(Refusal(R"({"pallasite": 1})"), "read");
}

TEST(HostileJson, EveryPrefixOfAConfigurationIsRefused) {
  const std::string text =
      R"({"pallasite": 1, "target": {"jax": "0.11.2", "arch": "9.0"},
          "kernel": {"grid": {"i": 8}, "params": {"profile_dir": "\ud83d\ude00"}},
          "inputs": {"x": "f32[128,128]"}, "scratch": {"u": {"union": [{"smem":
          "f32[8]", "transforms": [{"tile": [8]}]}]}}, "body": [{"print_layout":
          {"ref": {"x": [{"at": [0, [null, -1]]}]}}}]})";
  ASSERT_EQ(Refusal(text), "read");
  for (size_t length = 0; length < text.size(); ++length) {
    EXPECT_FALSE(ReadConfig(text.substr(0, length)).ok()) << length;
  }
}

// Any answer will do, as long as there is one.
TEST(HostileJson, EveryChangedByteIsAnswered) {
  const std::string text =
      R"({"pallasite": 1, "scratch": {"b": {"barrier": {"num_barriers": [2]}}},
          "body": [{"print_layout": {"ref": "b"}}]})";
  for (size_t i = 0; i < text.size(); ++i) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string changed = text;
      changed[i] = static_cast<char>(byte);
      const auto config = ReadConfig(changed);
      if (!config.ok()) {
        EXPECT_TRUE(absl::StrContains(config.status().message(), ": "));
        continue;
      }
      EXPECT_EQ(*ReadConfig(WriteConfig(*config)), *config);
    }
  }
}

TEST(HostileJson, DeepNestingIsRefusedWithoutRecursion) {
  constexpr size_t kDeep = 100000;
  EXPECT_TRUE(absl::StrContains(Refusal(Repeat("[", kDeep)),
                                "[0][0]: nested more than 64 deep"));
  EXPECT_TRUE(absl::StrContains(Refusal(Repeat("{\"a\":", kDeep)),
                                "a.a: nested more than 64 deep"));
  const auto nested = [](size_t lists) {
    return Document("\"scratch\": {\"a\": " + Repeat("[", lists) +
                    Repeat("]", lists) + "}");
  };
  EXPECT_EQ(Refusal(nested(62)), "read");
  EXPECT_TRUE(absl::StrContains(Refusal(nested(63)), "nested more than 64"));
  EXPECT_TRUE(absl::StrContains(Refusal(nested(kDeep)), "nested more than 64"));
}

TEST(HostileJson, LargeInputIsRefusedUnread) {
  const std::string small = Document("\"mesh\": {}");
  EXPECT_EQ(Refusal(small + Repeat(" ", (1 << 20) - small.size())), "read");
  EXPECT_EQ(Refusal(small + Repeat(" ", (1 << 20) + 1 - small.size())),
            "top level: 1048577 bytes are above the limit of 1048576 for one "
            "value");
  EXPECT_TRUE(absl::StrContains(Refusal(Repeat("[1,", 10 << 18)),
                                "above the limit of 1048576"));
}

TEST(HostileJson, TooManyValuesAreRefused) {
  const auto with = [](size_t values) {
    return Document("\"scratch\": {\"a\": [[]" + Repeat(",[]", values - 1) +
                    "]}");
  };
  EXPECT_EQ(Refusal(with(65000)), "read");
  EXPECT_TRUE(
      absl::StrContains(Refusal(with(66000)), "]: more than 65536 values"));
}

TEST(HostileJson, RefusalsStayShortAndPrintable) {
  const std::string rows[] = {
      Document("\"" + Repeat("k", 100000) + "\": 1"),
      Document("\"mesh\": {\"" + Repeat("\\u0007", 1000) + "\": 1}"),
      Document("\"mesh\": {\"d\": \"" + Repeat("\xc3\xa9", 1000) + "\"}"),
      Document("\"mesh\": {\"d\": \"\xff" + Repeat("x", 1000) + "\"}"),
      Document("\"inputs\": {\"x\": \"" + Repeat("f32", 1000) + "[1]\"}"),
      Document("\"inputs\": {\"x\": \"f32[" + Repeat("9", 1000) + "]\"}"),
      Document("\"body\": [{\"print_layout\": {\"ref\": \"" +
               Repeat("x", 1000) + "\"}}]"),
      Document("\"target\": {\"arch\": \"9.0\", \"jax\": \"" +
               Repeat("1.", 1000) + "\"}"),
  };
  for (const std::string& row : rows) {
    const std::string refusal = Refusal(row);
    SCOPED_TRACE(refusal);
    EXPECT_NE(refusal, "read");
    EXPECT_LT(refusal.size(), 600u);
    EXPECT_TRUE(std::all_of(refusal.begin(), refusal.end(),
                            [](char c) { return c >= ' ' && c <= '~'; }));
  }
}

TEST(HostileJson, ManyArgumentsAndRefsAreReadQuickly) {
  std::string inputs;
  std::string body;
  for (int i = 0; i < 10000; ++i) {
    absl::StrAppend(&inputs, i == 0 ? "" : ",", "\"x", i, "\":\"f32[]\"");
    absl::StrAppend(&body, i == 0 ? "" : ",", "{\"print_layout\":{\"ref\":\"x",
                    i, "\"}}");
  }
  EXPECT_EQ(Refusal(Document("\"inputs\": {" + inputs + "}, \"body\": [" +
                             body + "]")),
            "read");
}

}  // namespace
}  // namespace pallasite

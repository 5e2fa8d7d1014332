#include "model/text/python_source.h"

#include <gtest/gtest.h>

#include <string>

namespace pallasite {
namespace {

TEST(PythonString, EscapesWhatWouldEndOrChangeTheLiteral) {
  const struct {
    std::string value;
    std::string literal;
  } kCases[] = {
      {"", R"("")"},
      {"plain /tmp/it's", R"("plain /tmp/it's")"},
      {"say \"x\"", R"("say \"x\"")"},
      {"back\\slash", R"("back\\slash")"},
      {"two\nlines\r\t", R"("two\x0alines\x0d\x09")"},
      {std::string("nul\0end", 7), R"("nul\x00end")"},
      {"\x7f", R"("\x7f")"},
      {"{braces} %s", R"("{braces} %s")"},
      {"caf\xc3\xa9", R"("caf\xe9")"},
      {"\xe2\x80\xae", R"("\u202e")"},
      {"\xf0\x9f\x98\x80", R"("\U0001f600")"},
  };
  for (const auto& c : kCases) EXPECT_EQ(PyString(c.value), c.literal);
}

TEST(PythonString, KeepsBytesThatAreNoUtf8) {
  const struct {
    std::string value;
    std::string literal;
  } kCases[] = {
      {"\xff", R"("\udcff")"},                      // no lead byte
      {"\xc3", R"("\udcc3")"},                      // cut short
      {"\xc3(", R"("\udcc3(")"},                    // no continuation
      {"\xc0\xaf", R"("\udcc0\udcaf")"},            // too long for its value
      {"\xed\xa0\x80", R"("\udced\udca0\udc80")"},  // a surrogate
      {"\xf4\x90\x80\x80", R"("\udcf4\udc90\udc80\udc80")"},  // too large
  };
  for (const auto& c : kCases) EXPECT_EQ(PyString(c.value), c.literal);
}

TEST(PythonTuple, OfOneItemHasItsComma) {
  EXPECT_EQ(PyInts({}), "()");
  EXPECT_EQ(PyInts({8}), "(8,)");
  EXPECT_EQ(PyInts({8, -64}), "(8, -64)");
  EXPECT_EQ(PyStrings({{"a"}}), R"(("a",))");
  EXPECT_EQ(Flat(PyTuple({PyText("x")})), "(x,)");
  EXPECT_EQ(Flat(PyList({PyText("x")})), "[x]");
  EXPECT_EQ(Flat(PyTuple({})), "()");
}

TEST(PythonWriter, FoldsOnlyWhatIsTooLong) {
  PyWriter out;
  out.Line("def f():");
  out.Indent();
  out.Statement("return ", PyCall("g", {PyText("1"), PyText("2")}));
  const std::string wide(40, 'w');
  out.Statement("return ",
                PyCall("g", {PyText(wide), PyTuple({PyText(wide)}),
                             PyKeyword("k", PyList({PyText("1")}))}));
  EXPECT_EQ(out.Take(),
            "def f():\n"
            "  return g(1, 2)\n"
            "  return g(\n"
            "      " +
                wide +
                ",\n"
                "      (" +
                wide +
                ",),\n"
                "      k=[1],\n"
                "  )\n");
}

TEST(PythonWriter, FillsALineToItsLastColumn) {
  const auto statement = [](size_t width) {
    PyWriter out;
    out.Statement("", PyCall("g", {PyText(std::string(width - 3, 'w'))}));
    return out.Take();
  };
  EXPECT_EQ(statement(80).size(), 81u);
  EXPECT_NE(statement(81).size(), 82u);
}

}  // namespace
}  // namespace pallasite

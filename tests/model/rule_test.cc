#include "model/errors/rule.h"

#include <set>
#include <string>

#include "gtest/gtest.h"
#include "model/catalogue.h"
#include "model/errors/location.h"

namespace pallasite {
namespace {

TEST(HoleValues, FillNamedHolesAndKeepTheRest) {
  const HoleValues values = {{"a", "1"}, {"b", "(2,)"}};
  EXPECT_EQ(values.Fill("x={a}, y={b}."), "x=1, y=(2,).");
  EXPECT_EQ(values.Fill("{{a}} {*} {unknown}"), "{a} {*} {unknown}");
  EXPECT_EQ(values.Fill("{a"), "{a");
}

TEST(MessageMatches, OnlyHolesMatchAnything) {
  EXPECT_TRUE(MessageMatches("", ""));
  EXPECT_TRUE(MessageMatches("at 0x{*}>.", "at 0x7f00>."));
  EXPECT_TRUE(MessageMatches("{*}", ""));
  EXPECT_TRUE(MessageMatches("a{*}b{*}c", "a--b--b--c"));
  EXPECT_FALSE(MessageMatches("at 0x{*}>.", "at 0x7f00>"));
  EXPECT_FALSE(MessageMatches("abc", "abcd"));
  EXPECT_FALSE(MessageMatches("ab{*}ba", "aba"));
}

TEST(ReleaseRange, BoundsAreIncluded) {
  const ReleaseRange range = {.first = Release{0, 11, 0},
                              .last = Release{0, 11, 2}};
  EXPECT_FALSE(range.Contains({0, 10, 2}));
  EXPECT_TRUE(range.Contains({0, 11, 0}));
  EXPECT_TRUE(range.Contains({0, 11, 2}));
  EXPECT_FALSE(range.Contains({0, 11, 2, 1}));
  EXPECT_TRUE(ReleaseRange{}.Contains({0, 1, 0}));
}

TEST(RuleDoc, AnEmptyMessageIsAWordingAndNoPatternIsNone) {
  constexpr RuleDoc kEmpty = {.wordings = {{.pattern = ""}}};
  constexpr RuleDoc kNone = {};
  EXPECT_NE(kEmpty.WordingFor(kDefaultRelease), nullptr);
  EXPECT_EQ(kNone.WordingFor(kDefaultRelease), nullptr);
}

TEST(Location, FormatsFieldsAndPositions) {
  const Location root;
  const Location scratch(root, "scratch");
  const Location name(scratch, "acc");
  EXPECT_EQ(root.Format(), "");
  EXPECT_EQ(Location(Location(name, 0), "transforms").Format(),
            "scratch.acc[0].transforms");
}

TEST(Catalogue, EveryRuleIsCompleteAndUnique) {
  std::set<std::string> ids;
  ASSERT_FALSE(Catalogue().empty());
  for (const RuleDoc* rule : Catalogue()) {
    const std::string id(rule->id);
    SCOPED_TRACE(id);
    EXPECT_TRUE(ids.insert(id).second) << "twice";
    EXPECT_EQ(id.rfind(std::string(Name(rule->phase)) + ".", 0), 0u)
        << "the id starts with the phase";
    EXPECT_FALSE(rule->area.empty());
    EXPECT_FALSE(rule->why.empty());
    EXPECT_FALSE(rule->fix.empty());
    EXPECT_FALSE(rule->source.empty());
    EXPECT_NE(rule->wordings[0].pattern.data(), nullptr);
    EXPECT_EQ(rule->defect != DefectKind::kNone, !rule->spec_verdict.empty())
        << "defects say what would be right, rules do not";
    EXPECT_EQ(FindRule(rule->id), rule);
    for (const std::string_view alias : rule->aliases) {
      if (!alias.empty()) {
        EXPECT_EQ(FindRule(alias), rule) << alias;
        EXPECT_TRUE(ids.insert(std::string(alias)).second) << alias;
      }
    }
  }
  EXPECT_EQ(FindRule("no.such.rule"), nullptr);
}

}  // namespace
}  // namespace pallasite

// SPDX-License-Identifier: Apache-2.0
#include "kakeya/core/json_value.h"

#include <gtest/gtest.h>

#include <string>

#include "kakeya/core/error.h"
#include "kakeya/core/json.h"

namespace kakeya {
namespace {

using Kind = JsonValue::Kind;

std::string refusal(const std::string& text) {
  try {
    read_json(text, "f.json");
  } catch (const SpecError& error) {
    return error.what();
  }
  return "(none)";
}

TEST(JsonValue, ReadsWhatJsonHas) {
  const JsonValue value = read_json(
      R"( {"a": [1, -2.5e3, true, false, null], "b": {"c": "d"}, "e": "", "f": []} )", "f.json");
  ASSERT_EQ(value.kind, Kind::object);
  const JsonValue& a = *value.find("a");
  ASSERT_EQ(a.items.size(), 5u);
  EXPECT_EQ(a.items[0].number, 1);
  EXPECT_EQ(a.items[1].number, -2500);
  EXPECT_TRUE(a.items[2].kind == Kind::boolean && a.items[2].boolean);
  EXPECT_TRUE(a.items[3].kind == Kind::boolean && !a.items[3].boolean);
  EXPECT_EQ(a.items[4].kind, Kind::null);
  EXPECT_EQ(value.find("b")->find("c")->text, "d");
  EXPECT_EQ(value.find("e")->text, "");
  EXPECT_TRUE(value.find("f")->items.empty());
  EXPECT_EQ(value.find("g"), nullptr);
  EXPECT_EQ(value.members[1].name, "b");
}

TEST(JsonValue, ReadsBackWhatIsWritten) {
  for (const std::string text : {"", "a \"b\" \\ /", "\n\t\x1f", "na\xc3\xafve \xf0\x9f\x98\x80"}) {
    EXPECT_EQ(read_json(json_string(text), "f").text, text);
  }
  EXPECT_EQ(read_json(R"("\ud83d\ude00\u00e9\u20ac\/\b")", "f").text,
            "\xf0\x9f\x98\x80\xc3\xa9\xe2\x82\xac/\b");
  for (const double number : {0.1, 1e300, -3.5}) {
    EXPECT_EQ(read_json(json_number(number), "f").number, number);
  }
}

TEST(JsonValue, SaysWhereItIsWrong) {
  EXPECT_EQ(refusal("[1 2]"), "f.json: not JSON at byte 4: expected ']' or ','");
  EXPECT_EQ(refusal(R"({"a": 1, "a": 2})"),
            "f.json: not JSON at byte 13: key \"a\" is given twice");
  for (const char* text : {"",        "{",         "[",           "[1,]",
                           "{\"a\"}", "{a: 1}",    "{\"a\": 1,}", "tru",
                           "nul",     "1 2",       "+1",          "\"",
                           "\"\\x\"", "\"\\u12\"", "\"\\ud800\"", "\"\\ud800\\u0041\"",
                           "\"\n\"",  "1e999",     "'a'",         ".5",
                           "NaN"}) {
    EXPECT_NE(refusal(text), "(none)") << text;
  }
}

TEST(JsonValue, DoesNotEndTheProgramOfDeepText) {
  EXPECT_EQ(refusal(std::string(16, '[') + std::string(16, ']')), "(none)");
  EXPECT_NE(refusal(std::string(17, '[') + std::string(17, ']')).find("16 levels"),
            std::string::npos);
  EXPECT_NE(refusal(std::string(100000, '[')), "(none)");
}

}  // namespace
}  // namespace kakeya

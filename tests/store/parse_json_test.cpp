// SPDX-License-Identifier: Apache-2.0
#include "kakeya/store/parse_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "kakeya/core/error.h"
#include "support/scratch_folder.h"

namespace kakeya {
namespace {

using testing::message_of;

std::string refusal(const std::string& text) {
  return message_of<CorruptStream>([&] { parse_json(text, "a.json"); });
}

std::string nested(std::size_t levels, const std::string& open, const std::string& close) {
  std::string text;
  for (std::size_t i = 0; i < levels; ++i) text += open;
  text += "0";
  for (std::size_t i = 0; i < levels; ++i) text += close;
  return text;
}

TEST(ParseJson, ReturnsTheValue) {
  const auto value = parse_json(R"({"b": [1, 2.5, "x\"[\\"], "a": null})", "a.json");
  EXPECT_EQ(value["b"][2], "x\"[\\");
  EXPECT_EQ(value.dump(), R"({"a":null,"b":[1,2.5,"x\"[\\"]})");
  EXPECT_EQ(parse_ordered_json(R"({"b": 1, "a": 2})", "a.json").dump(), R"({"b":1,"a":2})");
}

TEST(ParseJson, RefusesTheLevelThatIsTooDeep) {
  EXPECT_EQ(refusal(nested(kMaxJsonDepth, "[", "]")), "");
  EXPECT_EQ(refusal(nested(kMaxJsonDepth, "{\"a\":", "}")), "");
  EXPECT_EQ(refusal(nested(kMaxJsonDepth + 1, "[", "]")),
            "a.json: not JSON at byte 65: expected at most 64 levels of nesting");
  EXPECT_NE(refusal(nested(kMaxJsonDepth + 1, "{\"a\":", "}")).find("byte 321: "),
            std::string::npos);
  EXPECT_NE(refusal(std::string(100'000, '[')).find("byte 65: "), std::string::npos);
  EXPECT_NE(refusal(nested(100'000, "[", "]")).find("byte 65: "), std::string::npos);
  EXPECT_NE(message_of<CorruptStream>([] {
              parse_ordered_json(std::string(100'000, '['), "a.json");
            }).find("byte 65: "),
            std::string::npos);
}

TEST(ParseJson, BracketsInStringsAndBesideEachOtherAreNotLevels) {
  EXPECT_EQ(refusal("[\"" + std::string(1000, '[') + "\\\"" + std::string(1000, '{') + "\"]"), "");
  std::string wide = "[";
  for (int i = 0; i < 1000; ++i) wide += "[],{},";
  EXPECT_EQ(refusal(wide + "0]"), "");
  // A closing bracket that closes nothing does not make room below.
  EXPECT_NE(refusal("]]]" + std::string(100'000, '[')), "");
}

TEST(ParseJson, SaysWhatWasExpectedAndWhereInOneShortLine) {
  const std::pair<std::string, std::string> cases[] = {
      {"[1", "a.json: not JSON at byte 3: expected ']'"},
      {"{\"a\" 1}", "a.json: not JSON at byte 6: expected ':'"},
      {"[1] 2", "a.json: not JSON at byte 5: expected end of input"},
      {"", "a.json: not JSON at byte 1: expected "},
      {"[nul]", "a.json: not JSON at byte 5: expected a JSON token: invalid literal"},
      {"\"\xff\"", "a.json: not JSON at byte 2: expected a JSON token: invalid string"},
      {"[1e999]", "a.json: not JSON that can be read: expected numbers within float64"},
      {"[\"\x1b[31mRED\n\"]", "a.json: not JSON at byte "},
  };
  for (const auto& [text, beginning] : cases) {
    const std::string message = refusal(text);
    EXPECT_EQ(message.substr(0, beginning.size()), beginning) << text;
    EXPECT_LT(message.size(), 160u) << message;
    EXPECT_EQ(message.find_first_of("\n\x1b\xff"), std::string::npos) << message;
    EXPECT_EQ(message.find("RED"), std::string::npos) << message;
  }
  const std::string tail = refusal("[\"" + std::string(100'000, 'x') + "; expected \x01");
  EXPECT_LT(tail.size(), 160u);
}

}  // namespace
}  // namespace kakeya

// SPDX-License-Identifier: Apache-2.0
#include "kakeya/core/json.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>
#include <string>

namespace kakeya {
namespace {

using namespace std::string_literals;

TEST(Json, StringsAreEscaped) {
  EXPECT_EQ(json_string(""), R"("")");
  EXPECT_EQ(json_string("a \"b\" \\ /"), R"("a \"b\" \\ /")");
  EXPECT_EQ(json_string("\n\t\x1f\0"s), R"("\u000a\u0009\u001f\u0000")");
}

TEST(Json, CharactersOfAnyLengthStay) {
  for (const std::string text :
       {"\x7f", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xee\x80\x80",
        "\xef\xbf\xbf", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf", "na\xc3\xafve \xf0\x9f\x98\x80"}) {
    EXPECT_EQ(json_string(text), '"' + text + '"');
  }
}

TEST(Json, BytesThatAreNoCharacterAreReplaced) {
  const std::string mark = "\xef\xbf\xbd";
  EXPECT_EQ(json_string("a\x80z"), "\"a" + mark + "z\"");       // a byte of no character
  EXPECT_EQ(json_string("\xc3"), '"' + mark + '"');             // cut
  EXPECT_EQ(json_string("\xe2\x82"), '"' + mark + mark + '"');  // cut
  EXPECT_EQ(json_string("\xe2\x82z"),
            '"' + mark + mark + "z\"");  // the last byte is another character
  EXPECT_EQ(json_string("\xc1\xbf"), '"' + mark + mark + '"');  // longer than needed
  EXPECT_EQ(json_string("\xe0\x9f\xbf"), '"' + mark + mark + mark + '"');
  EXPECT_EQ(json_string("\xed\xa0\x80"), '"' + mark + mark + mark + '"');  // a surrogate
  EXPECT_EQ(json_string("\xf4\x90\x80\x80"), '"' + mark + mark + mark + mark + '"');
  EXPECT_EQ(json_string("\xff"), '"' + mark + '"');
}

TEST(Json, NumbersReadBack) {
  EXPECT_EQ(json_number(2), "2");
  EXPECT_EQ(json_number(0.1), "0.1");
  EXPECT_EQ(json_number(-1e300), "-1e+300");
  for (const double value : {1.0 / 3, 5e-324, 1.7976931348623157e308}) {
    EXPECT_EQ(std::strtod(json_number(value).c_str(), nullptr), value);
  }
  EXPECT_EQ(json_number(std::numeric_limits<double>::infinity()), "null");
  EXPECT_EQ(json_number(std::numeric_limits<double>::quiet_NaN()), "null");
}

}  // namespace
}  // namespace kakeya

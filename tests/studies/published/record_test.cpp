// SPDX-License-Identifier: Apache-2.0
#include "kakeya/studies/published/record.h"

#include <gtest/gtest.h>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

TEST(Record, RefusesWhatIsNoRow) {
  for (const char* wrong : {"[1]", R"json({"a":1})json", R"json({"kind":"x","a":{}})json",
                            R"json({"kind":"x","a":["b"]})json", "{"}) {
    PublishedRecord record;
    EXPECT_THROW(record.add(wrong, "lines"), CorruptStream) << wrong;
  }
}

TEST(Record, OneNumberIsMeant) {
  PublishedRecord record;
  record.add(R"({"kind":"x","source":"file","run":"r","one":1,"two":[1,2],"none":[]})", "lines");
  const PublishedRow& row = *record.find({"x", {}});
  EXPECT_EQ(number_of(row, "one"), 1);
  EXPECT_EQ(name_of(row, "run"), "r");
  EXPECT_EQ(to_text(row), "x run=r");
  for (const char* wrong : {"two", "none", "absent"}) {
    EXPECT_THROW(number_of(row, wrong), InputError) << wrong;
  }
  EXPECT_THROW(name_of(row, "codec"), InputError);
}

}  // namespace
}  // namespace kakeya

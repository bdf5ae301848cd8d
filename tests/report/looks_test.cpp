// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/looks.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>

namespace kakeya {
namespace {

TEST(Looks, CodecsHaveColoursAndVariantsHaveMarkers) {
  Looks looks;
  std::set<std::pair<std::string, int>> all;
  const char* families[] = {"e8",   "d4",    "tq",  "fp8",  "e8:pack=joint", "e8:rule=published",
                            "ece8", "ecd4",  "ecz", "kivi", "K e8, V tq",    "ece8:per=head-page",
                            "hqq",  "quanto"};
  for (const char* family : families) {
    const Look look = looks.of(family);
    EXPECT_TRUE(all.emplace(look.colour, look.marker).second) << family;
  }
  for (const char* family : families) {
    const Look again = looks.of(family);
    EXPECT_TRUE(all.contains({again.colour, again.marker})) << family;
  }
  EXPECT_EQ(looks.of("e8").colour, looks.of("e8:pack=joint").colour);
  EXPECT_NE(looks.of("e8").marker, looks.of("e8:pack=joint").marker);
  EXPECT_NE(looks.of("kivi").colour, looks.of("hqq").colour);
  const Look six = looks.of("klt:profile=a", "klt, six layers");
  EXPECT_EQ(six.marker, looks.of("klt:profile=b", "klt, six layers").marker);  // another model's
  EXPECT_NE(six.marker, looks.of("klt:profile=c", "klt, one layer").marker);
  Looks reversed;
  EXPECT_EQ(reversed.of("tq").colour, looks.of("tq").colour);  // the known ones, whatever the order
}

}  // namespace
}  // namespace kakeya

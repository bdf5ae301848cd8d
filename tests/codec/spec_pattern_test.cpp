// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codec/spec_pattern.h"

#include <gtest/gtest.h>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

using Specs = std::vector<std::string>;

TEST(SpecPattern, MeansSpecs) {
  EXPECT_EQ(expand_spec("identity"), (Specs{"identity"}));
  EXPECT_EQ(expand_spec("e8:q=10,rule=published"), (Specs{"e8:q=10,rule=published"}));
  EXPECT_EQ(expand_spec("tq:b=2..4"), (Specs{"tq:b=2", "tq:b=3", "tq:b=4"}));
  EXPECT_EQ(expand_spec("e8:q=4..12..4"), (Specs{"e8:q=4", "e8:q=8", "e8:q=12"}));
  EXPECT_EQ(expand_spec("e8:q=4..11..4"), (Specs{"e8:q=4", "e8:q=8"}));
  EXPECT_EQ(expand_spec("e8:q={4,10}"), (Specs{"e8:q=4", "e8:q=10"}));
  EXPECT_EQ(expand_spec("e8:q={4..6,10}"), (Specs{"e8:q=4", "e8:q=5", "e8:q=6", "e8:q=10"}));
  EXPECT_EQ(expand_spec("e8:q={4,10},rule={bounded,published}"),
            (Specs{"e8:q=4,rule=bounded", "e8:q=4,rule=published", "e8:q=10,rule=bounded",
                   "e8:q=10,rule=published"}));
  EXPECT_EQ(expand_spec("e8:q=4..152").size(), 149u);
  EXPECT_EQ(expand_spec("e8:q=7..7"), (Specs{"e8:q=7"}));
}

TEST(SpecPattern, BadOnesAreRefusedByName) {
  for (const char* wrong :
       {"e8:q=9..4", "e8:q=4..", "e8:q=..9", "e8:q=a..b", "e8:q=4..9..0", "e8:q=4..9..-1",
        "e8:q={4,", "e8:q=4}", "e8:q={}", "e8:q={4,,5}", "e8:q={4,{5}}", "e8:q=1{2,3}",
        "e8:q={2,3}4", "e8:q=0..10000", "e8:q=0..999,b=0..99", "e8:q=4..9..1..1",
        "e8:q=1..99999999999999999999"}) {
    try {
      expand_spec(wrong);
      ADD_FAILURE() << wrong << " was taken";
    } catch (const SpecError& error) {
      EXPECT_EQ(std::string(error.what()).find(wrong), 0u) << error.what();
    }
  }
}

TEST(SpecPattern, SeveralAreOneListOfSpecsThatCodecsTake) {
  const auto expand = [](const Specs& patterns) { return expand_specs(patterns); };
  EXPECT_EQ(expand({}), Specs{});
  EXPECT_EQ(expand({"fp8:block=128", "e8:q={10,4}", "fp8"}),
            (Specs{"fp8:block=128", "e8:q=10", "e8:q=4", "fp8"}));
  const auto refusal = [&](const std::string& pattern) -> std::string {
    try {
      expand({"fp8", pattern});
    } catch (const SpecError& error) {
      return error.what();
    }
    return "taken";
  };
  EXPECT_EQ(refusal("e8:q={10,0}"), "e8:q={10,0}: e8:q=0: " + refusal("e8:q=0"));
  EXPECT_EQ(refusal("e8:q=0"), "e8: q=0: expected a whole number in [1, 1023]");
}

}  // namespace
}  // namespace kakeya

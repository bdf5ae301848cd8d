// SPDX-License-Identifier: Apache-2.0
#include "kakeya/calibrate/plan_slots.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "kakeya/codec/descriptor.h"
#include "kakeya/core/error.h"

namespace kakeya {
namespace {

TEST(PlanSlots, ALadderIsOneCodecAtSeveralRates) {
  const RateLadder whole = ladder_of("e8:q={38,4,10}");
  EXPECT_EQ(whole.specs, (std::vector<std::string>{"e8:q=4", "e8:q=10", "e8:q=38"}));
  EXPECT_EQ(whole.rates, (std::vector<double>{4, 10, 38}));
  EXPECT_FALSE(whole.continuous);
  EXPECT_EQ(whole.at(10), "e8:q=10");
  const RateLadder real = ladder_of("ece8:bits={2,3.5},center=mean");
  EXPECT_TRUE(real.continuous);
  EXPECT_EQ(real.at(2.75), "ece8:bits=2.75,center=mean");
  EXPECT_TRUE(ladder_of("klt:bits={2,3},scope=layer,restart=1").tokens);
  EXPECT_EQ(ladder_of("kivi").rates, (std::vector<double>{2, 3, 4, 5, 6}));
  EXPECT_EQ(ladder_of("ece8:center=mean").specs.front(), "ece8:bits=1.5,center=mean");
  for (const char* cache : {"kvtc", "klt:profile=none"}) {
    try {
      ladder_of(cache);
      ADD_FAILURE() << cache;
    } catch (const SpecError& error) {
      EXPECT_NE(std::string(error.what()).find("codes a cache as a whole"), std::string::npos);
    }
  }
  for (const char* pattern :
       {"e8:q=10", "kvtc", "fp8", "e8:q={4,10},pack={joint,rans}", "nosuch:q={1,2}"}) {
    EXPECT_THROW(ladder_of(pattern), SpecError) << pattern;
  }
}

// A plan of a family alone needs rates, and the codec must take each of them.
TEST(PlanSlots, EveryCodecOfARateHasALadder) {
  for (const CodecDescriptor* codec : builtin_codecs()) {
    const bool rate = std::any_of(codec->keys.begin(), codec->keys.end(),
                                  [](const CodecKey& key) { return key.rate; });
    const std::string selected =
        codec->selector.key.empty()
            ? ""
            : ":" + std::string(codec->selector.key) + "=" + std::string(codec->selector.value);
    const std::string family = std::string(codec->name) + selected;
    if (!rate || codec->whole_cache()) {  // which has no slots
      EXPECT_TRUE(codec->plan_rates.empty()) << family;
    } else {
      EXPECT_GE(ladder_of(family).rates.size(), 3u) << family;
    }
  }
}

TEST(PlanSlots, GroupsAreOfCodedLayersInARow) {
  CachePolicy policy{.layers = 9};
  policy.skip(IndexSet::parse("0,4,8", "layers"));
  const std::vector<PlanSlot> slots = slots_of(policy, 4, false);
  ASSERT_EQ(slots.size(), 4u);
  EXPECT_EQ(slots[0].layers.text(), "1-3,5");
  EXPECT_EQ(slots[0].part, Part::key);
  EXPECT_EQ(slots[1].part, Part::value);
  EXPECT_EQ(slots[3].layers.text(), "6,7");
  const std::vector<PlanSlot> whole = slots_of(policy, 1, true);
  ASSERT_EQ(whole.size(), 6u);
  EXPECT_EQ(whole[3].layers.text(), "5");
  EXPECT_FALSE(whole[3].part.has_value());
}

TEST(PlanSlots, ASlotAloneLeavesTheRestBf16) {
  const CodecPlan keys =
      plan_of_slot({IndexSet::parse("2,3", "layers"), Part::key, {}, {}, {}}, "e8:q=4", 6);
  EXPECT_EQ(keys.skip.text(), "0,1,4,5");
  EXPECT_EQ(keys.keys, "e8:q=4");
  EXPECT_EQ(keys.values, "identity");
  const CodecPlan both =
      plan_of_slot({IndexSet::parse("2", "layers"), std::nullopt, {}, {}, {}}, "fp8", 6);
  EXPECT_EQ(both.keys, "fp8");
  EXPECT_EQ(both.values, "fp8");
}

TEST(PlanSlots, CurvesAreOfMeansOverPassages) {
  std::vector<PlanSlot> slots = {{IndexSet::parse("1,2", "layers"), Part::value, {}, {}, {}}};
  std::vector<Sample> samples;
  const auto add = [&](const std::string& label, int passage, double kld, std::uint64_t bits) {
    Sample sample;
    sample.key = {label, label, passage, "inforward"};
    sample.kld_mean = kld;
    sample.ledger_k.emplace().values = 100;
    sample.ledger_k->payload_bits = 1600;  // the keys, which are not coded
    sample.ledger_v.emplace().values = 100;
    sample.ledger_v->payload_bits = bits;
    samples.push_back(sample);
  };
  add("a", 0, 0.3, 200), add("a", 1, 0.5, 220), add("b", 0, 0.04, 400), add("b", 1, 0.04, 400);
  add("other", 0, 9, 900);
  fit_slots(slots, {{"a", "b"}}, ladder_of("e8:q={4,10}"), samples);
  ASSERT_EQ(slots[0].points.size(), 2u);
  EXPECT_NEAR(slots[0].points[0].loss, 0.4, 1e-12);
  EXPECT_NEAR(slots[0].points[0].bits, 2.1, 1e-12);
  EXPECT_NEAR(slots[0].points[1].bits, 4, 1e-12);
  EXPECT_EQ(slots[0].rates, (std::vector<double>{4, 10}));
  EXPECT_EQ(slots[0].curve.share, 2);
  EXPECT_NEAR(slots[0].curve.loss(4), 0.04, 1e-12);
  EXPECT_THROW(fit_slots(slots, {{"a", "gone"}}, ladder_of("e8:q={4,10}"), samples), InputError);
}

}  // namespace
}  // namespace kakeya

// SPDX-License-Identifier: Apache-2.0
#include "kakeya/generate/sampler.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

const std::vector<float> kLogits{0.0f, 2.0f, 1.0f, 2.0f, -1.0f};

std::map<std::int32_t, int> drawn(const Sampling& sampling, int times) {
  Sampler sampler(sampling);
  std::map<std::int32_t, int> counts;
  for (int i = 0; i < times; ++i) ++counts[sampler.pick(kLogits, static_cast<std::size_t>(i))];
  return counts;
}

TEST(Sampler, WithoutATemperatureTakesTheLikeliestAndTheLowestOfEquals) {
  Sampler sampler({});
  EXPECT_EQ(sampler.pick(kLogits, 0), 1);
  EXPECT_EQ(sampler.pick(kLogits, 7), 1);
  EXPECT_EQ(likeliest(kLogits), 1);
}

TEST(Sampler, DrawsAsTheSoftmaxSays) {
  constexpr int kTimes = 40000;
  const auto counts = drawn({.temperature = 0.5, .seed = 3}, kTimes);
  double all = 0;
  for (const float logit : kLogits) all += std::exp(2 * logit);
  for (std::int32_t id = 0; id < 5; ++id) {
    const double p = std::exp(2 * kLogits[static_cast<std::size_t>(id)]) / all;
    const double deviation = std::sqrt(p * (1 - p) / kTimes);
    const auto found = counts.find(id);
    const double share = found == counts.end() ? 0 : found->second / double(kTimes);
    EXPECT_NEAR(share, p, 5 * deviation) << id;
  }
}

TEST(Sampler, TopKAndTopPLeaveTheFewestLikeliest) {
  for (const auto& [id, count] : drawn({.temperature = 5, .top_k = 3, .seed = 1}, 2000))
    EXPECT_TRUE(id == 1 || id == 2 || id == 3) << id;
  EXPECT_EQ(drawn({.temperature = 5, .top_k = 3, .seed = 1}, 2000).size(), 3u);
  // At temperature 1 tokens 1 and 3 have 0.39 each: 0.5 takes both, 0.3 the first alone.
  EXPECT_EQ(drawn({.temperature = 1, .top_p = 0.5, .seed = 1}, 2000).size(), 2u);
  EXPECT_EQ(drawn({.temperature = 1, .top_p = 0.3, .seed = 1}, 2000).size(), 1u);
  EXPECT_EQ(drawn({.temperature = 1, .top_k = 1, .seed = 1}, 100).size(), 1u);
}

TEST(Sampler, AChoiceDependsOnSeedAndPositionAlone) {
  Sampler a({.temperature = 1, .seed = 11}), b({.temperature = 1, .seed = 11}),
      other({.temperature = 1, .seed = 12});
  int same = 0;
  std::vector<std::int32_t> first;
  for (std::size_t i = 0; i < 200; ++i) first.push_back(a.pick(kLogits, i));
  for (std::size_t i = 200; i-- > 0;) EXPECT_EQ(b.pick(kLogits, i), first[i]);
  for (std::size_t i = 0; i < 200; ++i) same += other.pick(kLogits, i) == first[i];
  EXPECT_LT(same, 200);
}

TEST(Sampler, RefusesWhatMakesNoSense) {
  EXPECT_THROW(Sampler({.temperature = -1}), SpecError);
  EXPECT_THROW(Sampler({.temperature = std::nan("")}), SpecError);
  EXPECT_THROW(Sampler({.top_p = 0}), SpecError);
  EXPECT_THROW(Sampler({.top_p = 1.5}), SpecError);
  EXPECT_THROW(likeliest({}), InputError);
  const float none = -std::numeric_limits<float>::infinity();
  EXPECT_THROW(likeliest(std::vector<float>{none, none}), InputError);
  EXPECT_THROW(likeliest(std::vector<float>{0, std::nanf("")}), InputError);
  EXPECT_THROW(likeliest(std::vector<float>{1, -none}), InputError);
  EXPECT_EQ(likeliest(std::vector<float>{none, -5}), 1);
  Sampler sampler({.temperature = 1});
  EXPECT_THROW(sampler.pick(std::vector<float>{1, -none}, 0), InputError);
  for (std::size_t i = 0; i < 100; ++i)
    EXPECT_EQ(sampler.pick(std::vector<float>{none, -5, none}, i), 1);
}

}  // namespace
}  // namespace kakeya

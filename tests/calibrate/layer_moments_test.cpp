// SPDX-License-Identifier: Apache-2.0
#include "kakeya/calibrate/layer_moments.h"

#include <gtest/gtest.h>

#include <cmath>

#include "kakeya/core/half.h"
#include "support/made_profile.h"

namespace kakeya {
namespace {

constexpr std::size_t kLayers = 4, kHeads = 2, kHeadDim = 8, kWidth = 2 * kHeads * kHeadDim;

float bf16(float value) { return bfloat16_to_float(float_to_bfloat16(value)); }

// Shows `x` ([tokens, layers * width], as tokens_of() makes it) to a tap as a model would.
void prefill(KvTap& tap, std::vector<float> x) {
  const std::size_t tokens = x.size() / (kLayers * kWidth), part = kWidth / 2;
  for (std::size_t layer = 0; layer < kLayers; ++layer) {
    for (const Part which : {Part::key, Part::value}) {
      std::vector<float> view;
      for (std::size_t token = 0; token < tokens; ++token) {
        const std::size_t at = (token * kLayers + layer) * kWidth + (which == Part::key ? 0 : part);
        view.insert(view.end(), x.begin() + static_cast<std::ptrdiff_t>(at),
                    x.begin() + static_cast<std::ptrdiff_t>(at + part));
      }
      tap.visit({static_cast<int>(layer), which}, {view.data(), tokens, kHeads, kHeadDim, 0});
    }
  }
}

// u of one token in one layer, from the definition.
std::vector<double> coordinates_of(const Profile& profile, const std::vector<float>& x,
                                   std::size_t token, std::size_t layer) {
  std::vector<double> u(kWidth, 0.0);
  for (std::size_t j = 0; j < kWidth; ++j) {
    const std::size_t head = j / kHeadDim;
    const bool key = head < kHeads;
    const SiteTransform& site = profile.transform(
        {static_cast<int>(layer), key ? Part::key : Part::value, static_cast<int>(head % kHeads)},
        TransformVariant{});
    for (std::size_t i = 0; i < kHeadDim; ++i) {
      const float value = x[(token * kLayers + layer) * kWidth + head * kHeadDim + i];
      u[j] +=
          (double{bf16(value)} - site.mean[i]) * double{site.forward[i * kHeadDim + j % kHeadDim]};
    }
    u[j] *= std::exp2(profile.layer_octaves[2 * layer + (key ? 0 : 1)]);
  }
  return u;
}

TEST(LayerMoments, AreThoseOfTheCoordinatesOfBf16TokensBehindTheSinks) {
  Profile profile = test::made_profile(kHeadDim, kLayers);
  profile.sinks = 3;
  std::vector<std::vector<float>> passages = {test::tokens_of(profile, 20, 1),
                                              test::tokens_of(profile, 21, 2)};
  for (auto& x : passages) std::fill_n(x.begin(), 3 * kLayers * kWidth, 1e6f);
  LayerMoments moments(kLayers, kWidth);
  WorkerPool pool(2);
  LayerMomentsTap tap(profile, moments, TapPoint::post_rope, 35, 9, pool);
  EXPECT_EQ(tap.tap_point(), TapPoint::post_rope);
  EXPECT_FALSE(tap.wants({0, Part::query}));
  for (const auto& x : passages) prefill(tap, x);

  std::vector<std::vector<std::vector<double>>> u(kLayers);  // [layer][token]
  for (std::size_t layer = 0; layer < kLayers; ++layer) {
    for (const auto& x : passages) {
      for (std::size_t token = 3; token < x.size() / (kLayers * kWidth); ++token) {
        u[layer].push_back(coordinates_of(profile, x, token, layer));
      }
    }
  }
  ASSERT_EQ(u[0].size(), 35u);
  for (std::size_t layer = 0; layer < kLayers; ++layer) {
    for (std::size_t back = 0; back <= std::min<std::size_t>(layer, kMostOrder); ++back) {
      const std::vector<double> product = moments.product(layer, back);
      ASSERT_EQ(product.size(), kWidth * kWidth);
      for (std::size_t i = 0; i < kWidth; ++i) {
        for (std::size_t j = 0; j < kWidth; ++j) {
          double sum = 0;
          for (std::size_t token = 0; token < 35; ++token) {
            sum += u[layer][token][i] * u[layer - back][token][j];
          }
          ASSERT_NEAR(product[i * kWidth + j], sum / 35, 2e-5) << layer << " " << back;
        }
      }
    }
    // Of 35 tokens about 9 are asked for: every fourth, through both passages.
    const LayerMoments::Tokens& samples = moments.samples(layer);
    ASSERT_EQ(samples.size(), 9 * kWidth);
    for (std::size_t i = 0; i < samples.size(); ++i) {
      ASSERT_NEAR(samples[i], u[layer][i / kWidth * 4][i % kWidth], 2e-5) << layer << " " << i;
    }
  }
}

// Of groups, u of their layers one after another.
TEST(LayerMoments, OfGroupsOfLayers) {
  Profile profile = test::made_profile(kHeadDim, kLayers);
  profile.layer_group = 2;
  const auto x = test::tokens_of(profile, 40, 4);
  LayerMoments moments(2, 2 * kWidth, 1);
  EXPECT_EQ(moments.most_order(), 1u);
  WorkerPool pool(2);
  LayerMomentsTap tap(profile, moments, TapPoint::pre_rope, 40, 40, pool);
  prefill(tap, x);
  const auto first = static_cast<std::size_t>(profile.sinks), tokens = 40 - first;
  std::vector<std::vector<double>> u(tokens);  // [token][layer, coordinate]
  for (std::size_t token = 0; token < tokens; ++token) {
    for (std::size_t layer = 0; layer < kLayers; ++layer) {
      const auto one = coordinates_of(profile, x, first + token, layer);
      u[token].insert(u[token].end(), one.begin(), one.end());
    }
  }
  for (std::size_t group = 0; group < 2; ++group) {
    ASSERT_EQ(moments.samples(group).size(), tokens * 2 * kWidth);
    EXPECT_NEAR(moments.samples(group)[2 * kWidth + kWidth + 3],
                u[1][group * 2 * kWidth + kWidth + 3], 2e-5);
    for (std::size_t back = 0; back <= group; ++back) {
      const std::vector<double> product = moments.product(group, back);
      for (std::size_t i = 0; i < 2 * kWidth; ++i) {
        for (std::size_t j = 0; j < 2 * kWidth; ++j) {
          double sum = 0;
          for (const auto& row : u) {
            sum += row[group * 2 * kWidth + i] * row[(group - back) * 2 * kWidth + j];
          }
          ASSERT_NEAR(product[i * 2 * kWidth + j], sum / static_cast<double>(tokens), 3e-5)
              << group << " " << back;
        }
      }
    }
  }
}

// The sums do not depend on how many threads made them.
TEST(LayerMoments, AreTheSameFromAnyNumberOfThreads) {
  const Profile profile = test::made_profile(kHeadDim, kLayers);
  const auto x = test::tokens_of(profile, 50, 3);
  std::vector<std::vector<double>> products;
  for (const int threads : {1, 2, 5}) {
    LayerMoments moments(kLayers, kWidth);
    WorkerPool pool(threads);
    LayerMomentsTap tap(profile, moments, TapPoint::pre_rope, 50, 50, pool);
    prefill(tap, x);
    products.push_back(moments.product(3, 2));
    EXPECT_EQ(moments.samples(3).size(), (50 - profile.sinks) * kWidth);
  }
  EXPECT_EQ(products[0], products[1]);
  EXPECT_EQ(products[0], products[2]);
}

}  // namespace
}  // namespace kakeya

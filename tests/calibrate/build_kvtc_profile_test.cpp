// SPDX-License-Identifier: Apache-2.0
#include "kakeya/calibrate/build_kvtc_profile.h"

#include <gtest/gtest.h>

#include <cmath>

#include "kakeya/core/half.h"
#include "kakeya/core/random.h"
#include "support/made_kvtc.h"

namespace kakeya {
namespace {

constexpr int kLayers = 4;
constexpr std::size_t kHeads = 2, kHeadDim = 8, kPart = kHeads * kHeadDim, kWidth = kLayers * kPart;

ModelFacts facts() {
  ModelFacts facts;
  facts.shape.layers = kLayers;
  facts.shape.kv_heads = kHeads;
  facts.shape.head_dim = kHeadDim;
  return facts;
}

// Whole tokens (layer by layer, keys and values), shown to a tap as a model would.
void prefill(KvTap& tap, const std::vector<float>& x) {
  const std::size_t tokens = x.size() / (2 * kWidth);
  for (int layer = 0; layer < kLayers; ++layer) {
    for (const Part part : {Part::key, Part::value}) {
      std::vector<float> view;
      for (std::size_t token = 0; token < tokens; ++token) {
        const auto from =
            x.begin() +
            static_cast<std::ptrdiff_t>(
                token * 2 * kWidth +
                (2 * static_cast<std::size_t>(layer) + (part == Part::key ? 0 : 1)) * kPart);
        view.insert(view.end(), from, from + kPart);
      }
      tap.visit({layer, part}, {view.data(), tokens, kHeads, kHeadDim, 0});
    }
  }
}

// Scalar i of the keys or values of a token, as a bf16 cache holds it.
double scalar(const std::vector<float>& x, std::size_t token, std::size_t part, std::size_t i) {
  const float value = x[token * 2 * kWidth + (2 * (i / kPart) + part) * kPart + i % kPart];
  return bfloat16_to_float(float_to_bfloat16(value));
}

std::vector<std::vector<float>> passages() {
  const KvtcProfile truth = test::made_kvtc_profile(kHeadDim, kLayers, kHeads);
  std::vector<std::vector<float>> all;
  for (const std::size_t tokens : {400u, 351u, 300u}) {
    all.push_back(test::made_kvtc_tokens(truth, tokens, tokens));
    std::fill_n(all.back().begin(), 2 * 2 * kWidth, 1e4f);  // two sinks
  }
  return all;
}

TEST(WholeTokenTap, GathersWhatIsBehindTheSinks) {
  WorkerPool pool(2);
  WholeTokenTap tap(facts(), TapPoint::post_rope, 2, 1045, 100, pool);
  EXPECT_EQ(tap.tap_point(), TapPoint::post_rope);
  EXPECT_FALSE(tap.wants({0, Part::query}));
  const auto all = passages();
  for (const auto& x : all) prefill(tap, x);
  for (std::size_t part = 0; part < 2; ++part) {
    EXPECT_EQ(tap.moments(part).tokens(), 1045);
    std::vector<std::vector<double>> rows;
    for (const auto& x : all) {
      for (std::size_t token = 2; token < x.size() / (2 * kWidth); ++token) {
        rows.emplace_back();
        for (std::size_t i = 0; i < kWidth; ++i) rows.back().push_back(scalar(x, token, part, i));
      }
    }
    const std::vector<double> mean = tap.moments(part).mean();
    std::vector<double> expected(kWidth, 0.0);
    for (const auto& row : rows) {
      for (std::size_t i = 0; i < kWidth; ++i) expected[i] += row[i] / 1045;
    }
    for (std::size_t i = 0; i < kWidth; ++i) EXPECT_NEAR(mean[i], expected[i], 1e-5);
    // Every eleventh token, through all passages.
    ASSERT_EQ(tap.samples(part).size(), 95 * kWidth);
    for (std::size_t at = 0; at < tap.samples(part).size(); ++at) {
      EXPECT_EQ(tap.samples(part)[at], rows[at / kWidth * 11][at % kWidth]);
    }
    const std::vector<float> covariance = tap.moments(part).take_covariance();
    for (std::size_t i = 0; i < kWidth; ++i) {
      for (std::size_t j = 0; j < kWidth; ++j) {
        double sum = 0;
        for (const auto& row : rows) sum += (row[i] - expected[i]) * (row[j] - expected[j]) / 1045;
        ASSERT_NEAR(covariance[i * kWidth + j], sum, 2e-4) << i << " " << j;
      }
    }
  }
}

TEST(BuildKvtcProfile, RecoversThePrincipalSubspace) {
  const KvtcProfile truth = test::made_kvtc_profile(kHeadDim, kLayers, kHeads);
  WorkerPool pool(2);
  WholeTokenTap tap(facts(), TapPoint::pre_rope, 2, 1045, 512, pool);
  for (const auto& x : passages()) prefill(tap, x);
  KvtcProfile made = truth;
  for (KvtcPart& part : made.parts) part = {};
  std::vector<std::size_t> heard;
  const std::size_t rank = 24;
  build_kvtc_profile(tap.take(), rank, made, pool, [&](std::size_t done, std::size_t of) {
    EXPECT_EQ(of, 3u);
    heard.push_back(done);
  });
  EXPECT_EQ(heard, (std::vector<std::size_t>{0, 1, 2, 3}));
  check_kvtc_profile(made, "made");
  EXPECT_EQ(made.rank, rank);
  for (std::size_t p = 0; p < 2; ++p) {
    const KvtcPart &found = made.parts[p], &from = truth.parts[p];
    for (std::size_t i = 0; i < kWidth; ++i) EXPECT_NEAR(found.mean[i], from.mean[i], 0.25);
    // Deviations halve every four components: the first 4, 8, ... span the same space.
    for (std::size_t size = 4; size <= rank; size += 4) {
      double shared = 0;
      for (std::size_t a = 0; a < size; ++a) {
        for (std::size_t b = 0; b < size; ++b) {
          double dot = 0;
          for (std::size_t i = 0; i < kWidth; ++i) {
            dot += double{half_to_float(found.basis[a * kWidth + i])} *
                   half_to_float(from.basis[b * kWidth + i]);
          }
          shared += dot * dot;
        }
      }
      EXPECT_NEAR(shared / static_cast<double>(size), 1, 0.02) << p << " " << size;
    }
    // What is not stored is the variance: that of u |u|, u uniform, is 1/5. Values are half as
    // large as keys.
    for (std::size_t k = 0; k < rank; ++k) {
      const double deviation = (p == 0 ? 2 : 1) * test::made_kvtc_deviation(k, kWidth);
      EXPECT_NEAR(found.single_errors[k * kKvtcTypes] / (deviation * deviation / 5), 1, 0.3) << k;
    }
    for (std::size_t type = 1; type < kKvtcTypes; ++type) {
      EXPECT_LT(found.group_errors[type - 1],
                0.3 * (type == 1 ? 16 * found.single_errors[0] : found.group_errors[type - 2]));
    }
  }
}

}  // namespace
}  // namespace kakeya

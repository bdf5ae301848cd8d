// SPDX-License-Identifier: Apache-2.0
// Sums of vectors as they are packed, against those of decoded ones.
#include "kakeya/codec/packed_sums.h"

#include <gtest/gtest.h>

#include <cmath>

#include "cache/packed_model.h"
#include "kakeya/cache/packed_cache.h"
#include "kakeya/codec/vectors.h"
#include "kakeya/core/error.h"

namespace kakeya {
namespace {

using namespace packed_test;

constexpr std::size_t kTokens = 470, kQueries = 5, kRoom = 480;

// Decoded as it is, not rounded to bf16: the whole pages of a head, behind the sinks.
std::vector<double> decoded(const Codec& codec, const Held& held, std::size_t sinks,
                            std::size_t sealed, std::size_t head) {
  const std::vector<float> x = flat(held);
  std::vector<double> all;
  const std::size_t page = codec.page_vectors() == 0 ? 128 : sealed;
  for (std::size_t first = 0; first < sealed; first += page) {
    std::vector<std::byte> frame(codec.encoded_bound(page));
    frame.resize(
        codec.encode({&x[(sinks + first) * kWidth + head * kDim], page, kDim, kWidth}, frame));
    std::vector<float> y(page * kDim);
    codec.decode(frame, dense_rows(y.data(), page, kDim));
    all.insert(all.end(), y.begin(), y.end());
  }
  return all;
}

// Tokens that the profile does not expect are kept beside the code.
Held drawn_with_far_ones(std::uint64_t& seed) {
  Held rows = drawn(seed, kTokens);
  for (const std::size_t token : {70u, 71u, 200u}) {
    for (float& value : rows[token]) value *= 1e7f;
  }
  return rows;
}

class PackedSumsOf : public ::testing::TestWithParam<const char*> {
 protected:
  PackedSumsOf()
      : source_(test::made_profile(kDim, kLayers)),
        codecs_(
            make_cache_codecs({GetParam(), GetParam()}, {source_.profile().shape, 0, &source_})),
        cache_(source_.profile().shape, kUsual, codecs_),
        sequence_(cache_.add_sequence()) {
    std::uint64_t seed = 11;
    const bool far = std::string(GetParam()).starts_with("klt");
    for (int layer = 0; layer < kLayers; ++layer) {
      append(cache_, sequence_, layer, model_,
             far ? drawn_with_far_ones(seed) : drawn(seed, kTokens),
             far ? drawn_with_far_ones(seed) : drawn(seed, kTokens));
    }
  }

  // Of `count` from -0.5 to 0.5.
  static std::vector<float> numbers(std::size_t count, std::uint64_t seed) {
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i)
      values[i] = static_cast<float>(Random(seed).uniform(i) - 0.5);
    return values;
  }

  test::OneProfile source_;
  CacheCodecs codecs_;
  PackedCache cache_;
  int sequence_;
  Model model_;
};

TEST_P(PackedSumsOf, AreThoseOfDecodedVectors) {
  const KvSite site{1, Part::value, 1};
  ASSERT_TRUE(cache_.sums_packed(site));
  const std::size_t sinks = 4, sealed = cache_.sealed_tokens(sequence_, site);
  const std::vector<float> weights = numbers(kQueries * kRoom, 3);
  std::vector<float> sums(kQueries * kDim, 1.0f);  // what is there stays
  const TokenRange tokens{sinks, kTokens - sinks};
  ASSERT_EQ(
      cache_.add_packed(sequence_, site, tokens, {weights.data(), kQueries, tokens.count, kRoom},
                        dense_rows(sums.data(), kQueries, kDim)),
      sealed);
  const std::vector<double> x =
      decoded(codecs_.values->at(1, 1), model_.parts.at({1, Part::value}), sinks, sealed, 1);
  for (std::size_t q = 0; q < kQueries; ++q) {
    for (std::size_t i = 0; i < kDim; ++i) {
      double sum = 1, magnitudes = 1;
      for (std::size_t t = 0; t < sealed; ++t) {
        const double product = weights[q * kRoom + t] * x[t * kDim + i];
        sum += product, magnitudes += std::fabs(product);
      }
      ASSERT_NEAR(sums[q * kDim + i], sum, 2e-6 * magnitudes)
          << "query " << q << ", coordinate " << i;
    }
  }
}

TEST_P(PackedSumsOf, ProductsAreThoseOfDecodedVectors) {
  const KvSite site{2, Part::key, 0};
  const std::size_t sinks = 4, sealed = cache_.sealed_tokens(sequence_, site);
  const std::vector<float> queries = numbers(kQueries * kDim, 5);
  std::vector<float> scores(kQueries * kRoom, 7.0f);
  const TokenRange tokens{sinks, kTokens - sinks};
  ASSERT_EQ(cache_.score_packed(sequence_, site, tokens, dense_rows(queries.data(), kQueries, kDim),
                                {scores.data(), kQueries, tokens.count, kRoom}),
            sealed);
  const std::vector<double> x =
      decoded(codecs_.keys->at(2, 0), model_.parts.at({2, Part::key}), sinks, sealed, 0);
  for (std::size_t q = 0; q < kQueries; ++q) {
    for (std::size_t t = 0; t < sealed; ++t) {
      double sum = 0, magnitudes = 1;
      for (std::size_t i = 0; i < kDim; ++i) {
        const double product = queries[q * kDim + i] * x[t * kDim + i];
        sum += product, magnitudes += std::fabs(product);
      }
      ASSERT_NEAR(scores[q * kRoom + t], sum, 2e-6 * magnitudes)
          << "query " << q << ", token " << t;
    }
    EXPECT_EQ(scores[q * kRoom + sealed], 7.0f);
  }
}

// From the second page on, one page; none from within one, and none of sinks and what is open.
TEST_P(PackedSumsOf, TakeWholePages) {
  const KvSite site{0, Part::value, 0};
  const std::size_t page = cache_.page_tokens(site), sealed = cache_.sealed_tokens(sequence_, site);
  const std::vector<float> weights(kRoom, 1.0f);
  std::vector<float> sums(kDim);
  const auto added = [&](std::size_t first, std::size_t count) {
    return cache_.add_packed(sequence_, site, {first, count}, {weights.data(), 1, count, kRoom},
                             dense_rows(sums.data(), 1, kDim));
  };
  EXPECT_EQ(added(4 + page, 2 * page - 1), page);
  EXPECT_EQ(added(4, page - 1), 0u);
  EXPECT_EQ(added(5, 2 * page), 0u);
  EXPECT_EQ(added(0, 2 * page), 0u);
  EXPECT_EQ(added(4 + sealed, 3), 0u);
  EXPECT_THROW(added(4, kTokens), InputError);
}

// More weights, or room for more products, than a page or frame has vectors: nothing behind it is read.
TEST_P(PackedSumsOf, TakeAsManyWeightsAsVectors) {
  const Codec& codec = codecs_.values->at(0, 0);
  const auto& summing = dynamic_cast<const SummingCodec&>(codec);
  const std::size_t count = 32;
  std::uint64_t seed = 3;
  const std::vector<float> x = flat(drawn(seed, count));
  std::vector<std::byte> frame(codec.encoded_bound(count));
  frame.resize(codec.encode({x.data(), count, kDim, kWidth}, frame));
  std::vector<float> numbers(kRoom, 1.0f);
  PackedSums sums(1, kDim);
  PackedScores scores = summing.packed_scores({numbers.data(), 1, kDim, kDim});
  const auto read = [&](std::size_t given) {
    const Rows<float> of{numbers.data(), 1, given, kRoom};
    const Rows<const float> weights{numbers.data(), 1, given, kRoom};
    if (codec.page_vectors() == 0) {
      summing.add_frame(frame, weights, sums);
      summing.score_frame(frame, scores, of);
    } else {
      const FrameView view = open_frame(codec, frame);
      summing.add_page(view, 0, weights, sums);
      summing.score_page(view, 0, scores, of);
    }
  };
  read(count);
  EXPECT_THROW(read(count + 1), InputError);
  EXPECT_THROW(read(400), InputError);
  EXPECT_THROW(read(count - 1), InputError);
}

INSTANTIATE_TEST_SUITE_P(Specs, PackedSumsOf,
                         ::testing::Values("e8:q=10", "tq:b=4,rotate=none",
                                           "d4:q=20,rotate=signed,scales=log8",
                                           "klt:bits=3,page=64", "klt:bits=3,page=96,lattice=tcq",
                                           "klt:bits=3,page=64,pages=fixed",
                                           "klt:bits=3,page=64,pages=fixed,product=exact",
                                           "klt:bits=3,page=128,pages=tiles,lattice=z",
                                           "klt:bits=3,page=64,pages=prefix,lattice=z"));

TEST(PackedSums, AreNotOfEveryCodec) {
  const test::OneProfile source(test::made_profile(kDim, kLayers));
  for (const char* const spec :
       {"identity", "q8_0", "ece8:bits=3,page=64", "e8:q=10,pack=rans", "e8:q=10,outliers=1",
        "e8:q=10,rule=published", "e8:q=10,center=mean", "klt:bits=3,scope=layer,restart=1",
        "klt:bits=3,page=64,budget=3000"}) {
    const PackedCache cache(source.profile().shape, kUsual,
                            make_cache_codecs({spec, spec}, {source.profile().shape, 0, &source}));
    EXPECT_FALSE(cache.sums_packed({0, Part::value})) << spec;
    EXPECT_FALSE(cache.sums_packed({0, Part::key})) << spec;
  }
}

}  // namespace
}  // namespace kakeya

// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/token_coder.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "kakeya/core/error.h"
#include "kakeya/measure/replay_tap.h"
#include "support/made_cache.h"
#include "support/scratch_folder.h"

namespace kakeya {
namespace {

using testing::input_of;
using testing::made_cache;
using testing::part_of_cache;

constexpr int kLayers = 6, kSkippedLayers = 1, kSinks = 3, kResidualWindow = 5;
constexpr std::size_t kTokens = 100, kHeads = 2, kDim = 8, kPart = kHeads * kDim;
constexpr char kSpec[] = "klt:bits=3,scope=layer,predict=2,restart=3,page=32";

const test::OneProfile& source() {
  static const test::OneProfile made(test::made_profile(kDim, kLayers));
  return made;
}

TokenCodecs codecs_of(const std::string& spec = kSpec) {
  return TokenCodecs(spec, input_of(source(), kSkippedLayers),
                     {kSkippedLayers, kLayers - 2 * kSkippedLayers});
}

const KvCache& clean() {
  static const KvCache cache = made_cache(source().profile(), kTokens, 1);
  return cache;
}

// What a frame of `count` tokens from `first` on holds: the keys and values of the run.
std::vector<float> vectors_of(LayerRange layers, std::size_t first, std::size_t count,
                              const KvCache& cache = clean()) {
  std::vector<float> x;
  for (std::size_t token = first; token < first + count; ++token) {
    for (int i = 0; i < layers.count; ++i) {
      for (const Part part : {Part::key, Part::value}) {
        const auto values = part_of_cache(cache, {layers.first + i, part});
        const auto from = values.begin() + static_cast<std::ptrdiff_t>(token * kPart);
        x.insert(x.end(), from, from + static_cast<std::ptrdiff_t>(kPart));
      }
    }
  }
  return x;
}

TEST(TokenCoder, WritesAFrameForEachPageOfEachRunAndDecodesIt) {
  WorkerPool pool(2);
  const TokenCodecs codecs = codecs_of();
  ASSERT_EQ(codecs.runs().size(), 2u);
  KvCache decoded(kLayers, kTokens, kHeads, kDim);
  TokenCoder coder(codecs, {kLayers, kSkippedLayers, kSinks, kResidualWindow}, pool);
  const std::size_t tokens = 80 + kResidualWindow;
  coder.code(clean(), tokens, decoded);

  std::uint64_t bytes = 0, open_bytes = 0;
  KvCache expected = clean();
  std::vector<Distortion> distortions(2 * kLayers);
  double entropy = 0;
  for (const TokenCodecs::Run& run : codecs.runs()) {
    for (const auto& [first, count] :
         {std::pair(3u, 32u), std::pair(35u, 32u), std::pair(67u, 13u)}) {
      auto x = vectors_of(run.layers, first, count);
      const std::size_t dim = run.codec->dim();
      const auto rows = dense_rows(x.data(), count, dim);
      std::vector<std::byte> frame(run.codec->encoded_bound(count));
      frame.resize(run.codec->encode(rows, frame));
      bytes += frame.size();
      if (count < 32) open_bytes += frame.size();
      entropy +=
          *run.codec->account().index_entropy_bits_per_value(rows) * static_cast<double>(x.size());
      std::vector<float> y(x.size());
      run.codec->decode(frame, dense_rows(y.data(), count, dim));
      for (int part = 0; part < 2 * run.layers.count; ++part) {
        const KvSite site{run.layers.first + part / 2, part % 2 == 0 ? Part::key : Part::value};
        const std::size_t at = static_cast<std::size_t>(part) * kPart;
        expected.store_rows(site, first, 0, {y.data() + at, count, kPart, dim});
        for (std::size_t row = 0; row < count; ++row) {
          for (std::size_t head = at + row * dim; head < at + row * dim + kPart; head += kDim) {
            distortions[static_cast<std::size_t>(2 * run.layers.first + part)].add(
                std::span<const float>(x).subspan(head, kDim),
                std::span<const float>(y).subspan(head, kDim));
          }
        }
      }
    }
  }
  for (int layer = 0; layer < kLayers; ++layer) {
    for (const Part part : {Part::key, Part::value}) {
      EXPECT_EQ(part_of_cache(decoded, {layer, part}), part_of_cache(expected, {layer, part}))
          << layer;
      // Skipped layers, sinks, residual window and the tokens that were not asked for.
      const auto was = part_of_cache(clean(), {layer, part}),
                 is = part_of_cache(decoded, {layer, part});
      std::size_t changed = 0;
      for (std::size_t i = 0; i < is.size(); ++i) {
        const std::size_t token = i / kPart;
        const bool coded =
            layer >= 1 && layer <= 4 && token >= kSinks && token < tokens - kResidualWindow;
        if (!coded) {
          ASSERT_EQ(is[i], was[i]) << layer << " " << token;
        }
        changed += is[i] != was[i];
      }
      EXPECT_EQ(changed > 0, layer >= 1 && layer <= 4);
    }
  }

  const CodingRecord& record = coder.record();
  EXPECT_EQ(record.visits, 8u);
  const std::uint64_t exact_values = 8 * (kSinks + kResidualWindow) * kPart,
                      values = 8 * tokens * kPart;
  EXPECT_EQ(record.ledger_k.values, values);
  EXPECT_EQ(record.ledger_k.vectors, values / kDim);
  EXPECT_EQ(record.ledger_k.exact_token_bits, 16 * exact_values);
  EXPECT_EQ(record.ledger_k.written_bits(), 8 * bytes + 16 * exact_values);
  EXPECT_NEAR(*record.ledger_k.entropy_bits, entropy + 16.0 * static_cast<double>(exact_values),
              1e-6 * entropy);
  EXPECT_FALSE(record.ledger_k.nominal_bits.has_value());
  EXPECT_EQ(record.open_pages, (OpenPages{13 * 8 * kPart, open_bytes, 32 * 8 * kPart}));
  EXPECT_EQ(record.ledger_v.values, 0u);
  EXPECT_EQ(record.ledger_v.written_bits(), 0u);
  ASSERT_EQ(record.layers.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(record.layers[i].layer, static_cast<int>(i) + 1);
    EXPECT_EQ(record.layers[i].keys.vectors(), (tokens - kSinks - kResidualWindow) * kHeads);
    EXPECT_NEAR(record.layers[i].keys.rel_mse() / distortions[2 * i + 2].rel_mse(), 1, 1e-12);
    EXPECT_NEAR(record.layers[i].values.rel_mse() / distortions[2 * i + 3].rel_mse(), 1, 1e-12);
    EXPECT_NE(record.layers[i].keys.rel_mse(), record.layers[i].values.rel_mse());
  }
}

// What learns is not asked to learn once more for its entropy, which is the same all the same.
TEST(TokenCoder, CountsWhatLearnsAsItDecodes) {
  constexpr std::size_t kMany = 600;
  const KvCache cache = made_cache(source().profile(), kMany, 2);
  const TokenCodecs codecs = codecs_of("klt:bits=3,scope=layer,predict=1,adapt=100");
  double entropy = 0;
  for (const TokenCodecs::Run& run : codecs.runs()) {
    const auto x = vectors_of(run.layers, 0, kMany, cache);
    entropy += static_cast<double>(x.size()) *
               *run.codec->account().index_entropy_bits_per_value(
                   dense_rows<const float>(x.data(), kMany, run.codec->dim()));
  }
  KvCache decoded(kLayers, kMany, kHeads, kDim);
  WorkerPool pool(3);
  TokenCoder coder(codecs, {kLayers, kSkippedLayers, 0, 0}, pool);
  coder.code(cache, kMany, decoded);
  EXPECT_EQ(*coder.record().ledger_k.entropy_bits, entropy);
  EXPECT_GT(coder.record().decode_seconds, 0);
}

TEST(TokenCoder, AnyNumberOfThreadsGivesTheSame) {
  std::vector<std::vector<float>> parts;
  std::vector<std::uint64_t> bits;
  for (const int threads : {1, 2, 7}) {
    WorkerPool pool(threads);
    KvCache decoded(kLayers, kTokens, kHeads, kDim);
    TokenCoder coder(codecs_of(), {kLayers, kSkippedLayers, 0, 0}, pool);
    coder.code(clean(), kTokens, decoded);
    parts.push_back(part_of_cache(decoded, {4, Part::value}));
    bits.push_back(coder.record().ledger_k.written_bits());
  }
  EXPECT_EQ(parts[0], parts[1]);
  EXPECT_EQ(parts[0], parts[2]);
  EXPECT_EQ(bits[0], bits[2]);
}

TEST(TokenCoder, WhatCannotBeCodedIsNamedWithItsLayersAndTokens) {
  WorkerPool pool(2);
  KvCache holed = clean(), decoded = clean();
  auto part = part_of_cache(holed, {4, Part::key});
  part[40 * kPart + 9] = std::numeric_limits<float>::infinity();
  holed.store({4, Part::key}, part);
  TokenCoder coder(codecs_of(), {kLayers, kSkippedLayers, kSinks, 0}, pool);
  try {
    coder.code(holed, kTokens, decoded);
    ADD_FAILURE() << "the infinity was taken";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "layers 4 to 4, tokens from 35: vector 5, coordinate 9: infinity, expected a "
                 "finite number");
  }
  EXPECT_THROW(coder.code(clean(), kTokens + 1, decoded), InputError);
  EXPECT_THROW(coder.code(clean(), kSinks, decoded), InputError);
  const KvCache empty(kLayers, kTokens, kHeads, kDim);
  EXPECT_THROW(coder.code(empty, kTokens, decoded), InputError);
}

TEST(ReplayTap, PutsTheFirstTokensOfTheCacheInPlace) {
  ReplayTap tap(TapPoint::post_rope, clean(), 60, clean(), 0);
  EXPECT_EQ(tap.tap_point(), TapPoint::post_rope);
  const KvSite site{3, Part::value};
  const auto kept = part_of_cache(clean(), site);
  std::vector<float> shown(kTokens * kPart), rounded;
  for (std::size_t i = 0; i < shown.size(); ++i) shown[i] = 0.1f * static_cast<float>(i);
  rounded = shown;
  round_to_bf16(rounded);
  tap.visit(site, {shown.data(), kTokens, kHeads, kDim, 0});
  for (std::size_t i = 0; i < shown.size(); ++i) {
    ASSERT_EQ(shown[i], i < 60 * kPart ? kept[i] : rounded[i]) << i;
  }
  EXPECT_THROW(tap.visit(site, {shown.data(), kTokens - 1, kHeads, kDim, 0}), InputError);
  EXPECT_THROW(tap.visit({kLayers, Part::key}, {shown.data(), kTokens, kHeads, kDim, 0}),
               InputError);
  ReplayTap none(TapPoint::pre_rope, clean(), 0, clean(), 0);
  shown = rounded;
  none.visit(site, {shown.data(), kTokens, kHeads, kDim, 0});
  EXPECT_EQ(shown, rounded);
}

TEST(ReplayTap, AnExactWindowSeesTheOtherCache) {
  const KvCache coded = made_cache(source().profile(), kTokens, 2);
  ReplayTap tap(TapPoint::pre_rope, coded, 60, clean(), 7);
  EXPECT_EQ(tap.exact_window(), 7u);
  const KvSite site{3, Part::key};
  const auto seen = part_of_cache(coded, site), residual_window = part_of_cache(clean(), site);
  std::vector<float> shown(kTokens * kPart, 0.3f), exact(kTokens * kPart, -9.0f);
  tap.visit(site, {shown.data(), kTokens, kHeads, kDim, 0, exact.data()});
  for (std::size_t i = 0; i < shown.size(); ++i) {
    ASSERT_EQ(shown[i], i < 60 * kPart ? seen[i] : 0.30078125f);
    ASSERT_EQ(exact[i], i < 60 * kPart ? residual_window[i] : 0.30078125f);
  }
  // A model that keeps one version of K and V has no window.
  EXPECT_THROW(tap.visit(site, {shown.data(), kTokens, kHeads, kDim, 0}), InputError);
}

TEST(TokenCoder, AsksForTheTokensThatAPolicyKeeps) {
  WorkerPool pool(1);
  EXPECT_EQ(testing::message_of<InputError>([&] {
              TokenCoder(codecs_of(), {kLayers, kSkippedLayers, 0, -1}, pool);
            }),
            "a sweep on the host: sinks 0, residual window -1: expected 0 or more tokens");
}

}  // namespace
}  // namespace kakeya

// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/layer_tap.h"

#include <gtest/gtest.h>

#include "kakeya/core/error.h"
#include "support/made_cache.h"

namespace kakeya {
namespace {

using testing::input_of;
using testing::made_cache;
using testing::part_of_cache;

constexpr int kLayers = 4, kSkippedLayers = 1, kSinks = 3;
constexpr std::size_t kTokens = 70, kHeads = 2, kDim = 8;

const test::OneProfile& source() {
  static const test::OneProfile made(test::made_profile(kDim, kLayers));
  return made;
}

TokenCodecs codecs_of(const std::string& spec) {
  return TokenCodecs(spec, input_of(source(), kSkippedLayers),
                     {kSkippedLayers, kLayers - 2 * kSkippedLayers});
}

struct Parts {
  std::vector<float> keys, values, exact_keys, exact_values;
};

// What the tap makes of one layer of the cache.
Parts visit(LayerTap& tap, const KvCache& cache, int layer) {
  Parts parts{
      part_of_cache(cache, {layer, Part::key}), part_of_cache(cache, {layer, Part::value}), {}, {}};
  parts.exact_keys.resize(parts.keys.size());
  parts.exact_values.resize(parts.keys.size());
  tap.visit_pair(layer, {parts.keys.data(), kTokens, kHeads, kDim, 0, parts.exact_keys.data()},
                 {parts.values.data(), kTokens, kHeads, kDim, 0, parts.exact_values.data()});
  return parts;
}

// Layer by layer what coding a cache whose layers are all there makes of it.
TEST(LayerTap, CodesLayersAsAWholeCacheOfThemIsCoded) {
  const KvCache clean = made_cache(source().profile(), kTokens, 1);
  WorkerPool pool(2);
  for (const auto& [lattice, residual_window] :
       {std::pair("e8", 0), std::pair("e8", 5), std::pair("tcq", 5)}) {
    const TokenCodecs codecs =
        codecs_of("klt:bits=3,scope=layer,restart=1,page=32,lattice=" + std::string(lattice));
    const CachePolicy policy{kLayers, kSkippedLayers, kSinks, residual_window};
    TokenCoder whole(codecs, policy, pool), each(codecs, policy, pool);
    KvCache decoded(kLayers, kTokens, kHeads, kDim);
    whole.code(clean, kTokens, decoded);
    LayerTap tap(TapPoint::post_rope, policy, each, kTokens, kHeads, kDim);
    EXPECT_EQ(tap.tap_point(), TapPoint::post_rope);
    EXPECT_EQ(tap.exact_window(), static_cast<std::size_t>(residual_window));
    for (int layer = 0; layer < kLayers; ++layer) {
      const Parts parts = visit(tap, clean, layer);
      EXPECT_EQ(parts.keys, part_of_cache(decoded, {layer, Part::key}));
      EXPECT_EQ(parts.values, part_of_cache(decoded, {layer, Part::value}));
      EXPECT_EQ(parts.keys == part_of_cache(clean, {layer, Part::key}), !policy.codes(layer));
      if (residual_window == 0) continue;
      EXPECT_EQ(parts.exact_keys, part_of_cache(clean, {layer, Part::key}));
      EXPECT_EQ(parts.exact_values, part_of_cache(clean, {layer, Part::value}));
    }
    EXPECT_EQ(each.record().visits, whole.record().visits);
    EXPECT_EQ(each.record().ledger_k.written_bits(), whole.record().ledger_k.written_bits());
    EXPECT_EQ(each.record().ledger_k.values, whole.record().ledger_k.values);
    EXPECT_EQ(each.record().ledger_k.exact_token_bits, whole.record().ledger_k.exact_token_bits);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_EQ(each.record().layers[i].keys.rel_mse(), whole.record().layers[i].keys.rel_mse());
      EXPECT_EQ(each.record().layers[i].values.rel_mse(),
                whole.record().layers[i].values.rel_mse());
    }
    EXPECT_GT(tap.tap_seconds(), 0);
  }
}

TEST(LayerTap, RefusesPartsThatComeAlone) {
  WorkerPool pool(1);
  const CachePolicy policy{kLayers, kSkippedLayers, kSinks, 0};
  TokenCoder coder(codecs_of("klt:bits=3,scope=layer,restart=1"), policy, pool);
  LayerTap tap(TapPoint::pre_rope, policy, coder, kTokens, kHeads, kDim);
  EXPECT_TRUE(tap.wants_pairs());
  std::vector<float> part(kTokens * kHeads * kDim);
  const KvView view{part.data(), kTokens, kHeads, kDim};
  EXPECT_THROW(tap.visit({1, Part::key}, view), InputError);
  EXPECT_THROW(tap.visit_pair(1, view, {part.data(), kTokens - 1, kHeads, kDim}), InputError);
}

TEST(LayerTap, LayersThatNeedOthersAreNotAlone) {
  EXPECT_TRUE(codecs_of("klt:bits=3,scope=layer,restart=1").each_layer_alone());
  EXPECT_FALSE(codecs_of("klt:bits=3,scope=layer").each_layer_alone());
  const TokenCodecs pairs = codecs_of("klt:bits=3,scope=layer,predict=1,restart=2");
  EXPECT_FALSE(pairs.each_layer_alone());
  const KvCache clean = made_cache(source().profile(), kTokens, 1);
  KvCache decoded = clean;
  WorkerPool pool(1);
  TokenCoder coder(pairs, {kLayers, kSkippedLayers, kSinks, 0}, pool);
  EXPECT_THROW(coder.code_layer(1, clean, kTokens, decoded), InputError);
}

}  // namespace
}  // namespace kakeya

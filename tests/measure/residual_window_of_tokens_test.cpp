// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "fake_model.h"
#include "kakeya/core/error.h"
#include "kakeya/core/half.h"
#include "kakeya/measure/model_sweep.h"
#include "kakeya/measure/replay_tap.h"
#include "kakeya/measure/token_coder.h"
#include "support/made_profile.h"

namespace kakeya {
namespace {

using testing::fake_passages;
using testing::FakeModel;
using testing::hashed;
using testing::ScratchFolder;

constexpr int kLayers = 2, kSinks = 2, kResidualWindow = 4;
constexpr std::size_t kTokens = 12, kHeads = 2, kDim = 8, kStride = kHeads * kDim;

/// A profile with coordinates of whole layers that are those of the heads.
test::OneProfile profile_of_layers() {
  Profile profile = test::made_profile(kDim);
  const std::size_t width = profile.layer_width();
  LayerTransform layer;
  layer.rotation.assign(width * width, 0);
  for (std::size_t i = 0; i < width; ++i) layer.rotation[i * width + i] = float_to_half(1.0f);
  layer.deviations.assign(width, 0);
  layer.classes.assign(std::size(kLayerRates) * width, 32);
  profile.layer_octaves.assign(2 * kLayers, 0.0);
  profile.layer_transforms = {{layer, layer}};
  return test::OneProfile(test::flattened(std::move(profile)));
}

TokenCodecs codec_of(const test::OneProfile& profile) {
  const CacheInput input{{.layers = kLayers, .kv_heads = kHeads, .head_dim = kDim}, 0, &profile};
  return TokenCodecs("klt:bits=2,scope=layer", input, {0, kLayers});
}

std::vector<float> shown(KvSite site, int pass) {
  std::vector<float> part(kTokens * kStride);
  for (std::size_t i = 0; i < part.size(); ++i) {
    part[i] = hashed(static_cast<std::uint64_t>(10 * pass + site.layer), i,
                     site.part == Part::key ? 1 : 2);
  }
  round_to_bf16(part);
  return part;
}

constexpr KvSite kSites[] = {{0, Part::key}, {0, Part::value}, {1, Part::key}, {1, Part::value}};

KvCache cache_of_pass(int pass) {
  KvCache cache(kLayers, kTokens, kHeads, kDim);
  for (const KvSite site : kSites) cache.store(site, shown(site, pass));
  return cache;
}

TEST(ResidualWindowOfWholeTokens, AreLeftAsTheyAre) {
  const test::OneProfile profile = profile_of_layers();
  const CachePolicy policy{
      .layers = kLayers, .skipped_layers = 0, .sinks = kSinks, .residual_window = kResidualWindow};
  WorkerPool pool(2);
  const KvCache clean = cache_of_pass(0);
  for (const std::size_t tokens : {kTokens, kTokens - 3}) {
    TokenCoder coder(codec_of(profile), policy, pool);
    KvCache decoded(kLayers, kTokens, kHeads, kDim);
    coder.code(clean, tokens, decoded);
    const std::size_t coded = tokens - kSinks - kResidualWindow;
    for (const KvSite site : kSites) {
      std::vector<float> got(kTokens * kStride);
      decoded.load(site, kTokens, got);
      const std::vector<float> original = shown(site, 0);
      for (std::size_t token = 0; token < kTokens; ++token) {
        const auto at = static_cast<std::ptrdiff_t>(token * kStride);
        const bool same =
            std::equal(got.begin() + at, got.begin() + at + kStride, original.begin() + at);
        EXPECT_EQ(same, token < kSinks || token >= kSinks + coded) << token;
      }
    }
    const RateLedger& ledger = coder.record().ledger_k;
    EXPECT_EQ(ledger.values, 4 * tokens * kStride);
    EXPECT_EQ(ledger.exact_token_bits, 16 * 4 * (kSinks + kResidualWindow) * kStride);
    for (const CodingRecord::Layer& layer : coder.record().layers) {
      EXPECT_EQ(layer.keys.vectors(), coded * kHeads);
    }
  }
  TokenCoder coder(codec_of(profile), policy, pool);
  KvCache decoded(kLayers, kTokens, kHeads, kDim);
  EXPECT_THROW(coder.code(clean, kSinks + kResidualWindow, decoded), InputError);
}

TEST(ResidualWindowOfWholeTokens, AreReplayedInBothVersions) {
  const KvCache coded = cache_of_pass(1), exact = cache_of_pass(2);
  ReplayTap tap(TapPoint::post_rope, coded, kTokens - 3, exact, kResidualWindow);
  EXPECT_EQ(tap.exact_window(), std::size_t{kResidualWindow});
  EXPECT_EQ(tap.tap_point(), TapPoint::post_rope);
  for (const KvSite site : kSites) {
    std::vector<float> own = shown(site, 3), data = own, late(own.size(), -99.0f);
    tap.visit(site, {data.data(), kTokens, kHeads, kDim, 0, late.data()});
    for (std::size_t i = 0; i < own.size(); ++i) {
      const bool replaced = i / kStride < kTokens - 3;
      EXPECT_EQ(data[i], replaced ? shown(site, 1)[i] : own[i]);
      EXPECT_EQ(late[i], replaced ? shown(site, 2)[i] : own[i]);
    }
    EXPECT_THROW(tap.visit(site, {data.data(), kTokens, kHeads, kDim, 0}), InputError);
  }
}

TEST(ResidualWindowOfWholeTokens, KeepPredictionsInASweep) {
  constexpr std::size_t kContext = 24, kScored = 8;
  const test::OneProfile profile = profile_of_layers();
  FakeModel model(kLayers, kHeads, kDim);
  WorkerPool pool(2);
  const std::vector<Passage> passages = fake_passages(1, kContext + kScored);
  ScratchFolder folder;
  const auto divergence = [&](EvalMode mode, int residual_window) {
    ModelSubject subject(
        model, passages,
        {{mode},
         kContext,
         kScored,
         {.layers = 0, .skipped_layers = 0, .sinks = 0, .residual_window = residual_window},
         TapPoint::pre_rope},
        pool);
    const std::string out =
        folder / (std::string(mode_name(mode)) + std::to_string(residual_window));
    ResultStore store(out, {}, make_provenance({"test"}, 2));
    const SweepOutcome outcome = run_sweep(
        subject,
        build_grid(expand_grid({{"klt:bits=1,scope=layer"}, {}, {}}),
                   {{.layers = kLayers, .kv_heads = kHeads, .head_dim = kDim}, 0, &profile}),
        store, {});
    EXPECT_EQ(outcome.finished, 2u);
    return *read_results(out).samples.back().kld_mean;
  };
  for (const EvalMode mode : {EvalMode::snapshot, EvalMode::prefix}) {
    const double with = divergence(mode, 16), without = divergence(mode, 0);
    EXPECT_GT(with, 0);
    EXPECT_LT(with, 0.8 * without);
  }
  EXPECT_EQ(divergence(EvalMode::snapshot, kContext + kScored - 1), 0.0);
  EXPECT_GT(divergence(EvalMode::prefix, kContext - 1), 0);
}

}  // namespace
}  // namespace kakeya

// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "fake_codec.h"
#include "fake_model.h"
#include "kakeya/core/error.h"
#include "kakeya/core/half.h"
#include "kakeya/measure/model_sweep.h"
#include "kakeya/measure/reference_tap.h"

namespace kakeya {
namespace {

using testing::fake_passages;
using testing::FakeCodec;
using testing::FakeModel;
using testing::hashed;
using testing::ScratchFolder;

constexpr std::size_t kTokens = 12, kContext = 9, kHeads = 3, kDim = 8, kStride = kHeads * kDim;
constexpr int kLayers = 5, kSinks = 2, kResidualWindow = 4;
constexpr CachePolicy kPolicy{
    .layers = kLayers, .skipped_layers = 1, .sinks = kSinks, .residual_window = kResidualWindow};

float bf16(float value) { return bfloat16_to_float(float_to_bfloat16(value)); }

/// What the model would show at a site in a pass.
std::vector<float> shown(KvSite site, int pass) {
  std::vector<float> part(kTokens * kStride);
  for (std::size_t i = 0; i < part.size(); ++i) {
    part[i] = hashed(static_cast<std::uint64_t>(site.layer), i, site.part == Part::key ? 1 : 2) +
              static_cast<float>(pass) * hashed(3, i, 4);
  }
  return part;
}

/// Both versions of every site after the tap.
struct Versions {
  std::vector<float> coded, exact;
};
std::map<std::pair<int, Part>, Versions> pass_through(KvTap& tap, int pass) {
  std::map<std::pair<int, Part>, Versions> passed;
  for (int layer = 0; layer < kLayers; ++layer) {
    for (const KvSite site : {KvSite{layer, Part::key}, KvSite{layer, Part::value}}) {
      Versions both{shown(site, pass), std::vector<float>(kTokens * kStride, -99.0f)};
      tap.visit(site, {both.coded.data(), kTokens, kHeads, kDim, 0, both.exact.data()});
      passed[{site.layer, site.part}] = both;
    }
  }
  return passed;
}

class ResidualWindow : public ::testing::Test {
 protected:
  ResidualWindow() {
    ReferenceTap reference(TapPoint::pre_rope, kLayers, kTokens, kHeads, kDim, &clean_,
                           kResidualWindow);
    EXPECT_EQ(reference.exact_window(), std::size_t{kResidualWindow});
    for (const auto& [site, both] : pass_through(reference, 0)) EXPECT_EQ(both.exact, both.coded);
  }
  CodecTap tap(EvalMode mode) {
    return {mode, TapPoint::pre_rope, kPolicy, coder_, &clean_, kTokens, kContext, kHeads, kDim};
  }
  /// Runs pass 1 through a tap and compares both versions of every value with what
  /// coded(layer is coded, token, clean value, value of this pass) and exact() say.
  template <typename Coded, typename Exact>
  void expect_values(EvalMode mode, Coded coded, Exact exact) {
    CodecTap with = tap(mode);
    EXPECT_EQ(with.exact_window(), std::size_t{kResidualWindow});
    for (const auto& [at, both] : pass_through(with, 1)) {
      const KvSite site{at.first, at.second};
      const std::vector<float> clean = shown(site, 0), own = shown(site, 1);
      const float gain = !kPolicy.codes(site.layer) ? 1.0f : site.part == Part::key ? 2.0f : 4.0f;
      for (std::size_t i = 0; i < own.size(); ++i) {
        const std::size_t token = i / kStride;
        ASSERT_EQ(both.coded[i], coded(gain, token, bf16(clean[i]), bf16(own[i])))
            << site_name(site) << " token " << token << " of mode " << mode_name(mode);
        ASSERT_EQ(both.exact[i], exact(gain, token, bf16(clean[i]), bf16(own[i])))
            << site_name(site) << " token " << token << " of mode " << mode_name(mode);
      }
    }
  }
  /// Frames of `coded` tokens, the sinks and the residual window.
  void expect_bytes(std::size_t coded) {
    const CodingRecord& record = coder_.record();
    EXPECT_EQ(record.visits, 6u);
    for (const RateLedger& ledger : {record.ledger_k, record.ledger_v}) {
      EXPECT_EQ(ledger.values, 3 * (coded + kSinks + kResidualWindow) * kStride);
      EXPECT_EQ(ledger.payload_bits, 16 * 3 * coded * kStride);
      EXPECT_EQ(ledger.exact_token_bits, 16 * 3 * (kSinks + kResidualWindow) * kStride);
      EXPECT_EQ(ledger.written_bits(),
                ledger.header_bits + ledger.payload_bits + ledger.exact_token_bits);
    }
    for (const CodingRecord::Layer& layer : record.layers) {
      EXPECT_EQ(layer.keys.vectors(), coded * kHeads);
      EXPECT_EQ(layer.values.vectors(), coded * kHeads);
      EXPECT_NEAR(layer.keys.rel_mse(), 1, 1e-6);  // of the coded tokens only: all have gain 2
    }
  }

  WorkerPool pool_{2};
  FakeCodec keys_{"k", kDim, 2}, values_{"v", kDim, 4};
  PartCoder coder_{keys_, values_, kPolicy, pool_};
  KvCache clean_{kLayers, kTokens, kHeads, kDim};
};

TEST_F(ResidualWindow, InForwardCodesWhatSomebodySeesCodedAndKeepsAllExactBesides) {
  expect_values(
      EvalMode::in_forward,
      [](float gain, std::size_t token, float, float own) {
        return token >= kSinks && token < kTokens - kResidualWindow ? gain * own : own;
      },
      [](float, std::size_t, float, float own) { return own; });
  expect_bytes(kTokens - kSinks - kResidualWindow);
}

TEST_F(ResidualWindow, SnapshotTakesBothVersionsFromTheCleanPass) {
  expect_values(
      EvalMode::snapshot,
      [](float gain, std::size_t token, float clean, float) {
        return token >= kSinks && token < kTokens - kResidualWindow ? gain * clean : clean;
      },
      [](float, std::size_t, float clean, float) { return clean; });
  expect_bytes(kTokens - kSinks - kResidualWindow);
}

TEST_F(ResidualWindow, PrefixLeavesTheEndOfTheContextAndNothingLeavesTheWindow) {
  const auto cached = [](float gain, std::size_t token, float clean, float own) {
    if (token >= kContext) return own;
    return token >= kSinks && token < kContext - kResidualWindow ? gain * clean : clean;
  };
  expect_values(EvalMode::prefix, cached, cached);
  expect_bytes(kContext - kSinks - kResidualWindow);
}

TEST_F(ResidualWindow, AModelThatKeepsOneVersionIsRefused) {
  ReferenceTap reference(TapPoint::pre_rope, kLayers, kTokens, kHeads, kDim, nullptr,
                         kResidualWindow);
  CodecTap with = tap(EvalMode::in_forward);
  for (KvTap* const each : {static_cast<KvTap*>(&reference), static_cast<KvTap*>(&with)}) {
    std::vector<float> part = shown({1, Part::key}, 0);
    try {
      each->visit({1, Part::key}, {part.data(), kTokens, kHeads, kDim, 0});
      ADD_FAILURE() << "nothing was refused";
    } catch (const InputError& error) {
      EXPECT_STREQ(error.what(),
                   "layer 1 keys: the model keeps one version of it, expected two for a residual "
                   "window of 4");
    }
  }
}

TEST_F(ResidualWindow, MustLeaveATokenToCode) {
  std::vector<float> part = shown({1, Part::key}, 0);
  const KvView view{part.data(), kTokens, kHeads, kDim, 0};
  EXPECT_THROW(coder_.code({1, Part::key}, view, kSinks + kResidualWindow), InputError);
  EXPECT_NO_THROW(coder_.code({1, Part::key}, view, kSinks + kResidualWindow + 1));
}

/// Sweeps of the fake model, 24 + 8 tokens.
class ResidualWindowSweep : public ::testing::Test {
 protected:
  static constexpr std::size_t kLongContext = 24, kScored = 8, kAll = kLongContext + kScored;

  std::vector<Sample> samples(int sinks, int residual_window, const char* codec = "e8:q=2",
                              std::vector<EvalMode> modes = {
                                  EvalMode::in_forward, EvalMode::snapshot, EvalMode::prefix}) {
    FakeModel model;
    WorkerPool pool(2);
    const std::vector<Passage> passages = fake_passages(1, kAll);
    ModelSubject subject(
        model, passages,
        {std::move(modes),
         kLongContext,
         kScored,
         {.layers = 0, .skipped_layers = 1, .sinks = sinks, .residual_window = residual_window},
         TapPoint::pre_rope},
        pool);
    const std::string out = folder_ / std::to_string(folders_++);
    ResultStore store(out, {}, make_provenance({"test"}, 2));
    const SweepOutcome outcome = run_sweep(
        subject, build_grid(expand_grid({{codec}, {}, {}}), {{.head_dim = 16}}), store, {});
    EXPECT_TRUE(outcome.failed.empty());
    std::vector<Sample> read = read_results(out).samples;
    std::erase_if(read, [](const Sample& sample) { return sample.key.codec_k == "identity"; });
    return read;
  }

  ScratchFolder folder_;
  int folders_ = 0;
};

// That identity changes nothing is what each of these sweeps would stop at otherwise.
TEST_F(ResidualWindowSweep, AWindowKeepsPredictionsCloserAndCostsItsBits) {
  const std::vector<Sample> none = samples(1, 0), some = samples(1, 6);
  ASSERT_EQ(none.size(), 3u);
  ASSERT_EQ(some.size(), 3u);
  for (std::size_t mode = 0; mode < 3; ++mode) {
    SCOPED_TRACE(none[mode].key.mode);
    EXPECT_GT(*some[mode].kld_mean, 0);
    EXPECT_LT(*some[mode].kld_mean, *none[mode].kld_mean);
    EXPECT_EQ(some[mode].values, none[mode].values);
    EXPECT_GT(some[mode].bits_per_value, none[mode].bits_per_value);
    for (const auto part : {&Sample::ledger_k, &Sample::ledger_v}) {
      const RateLedger &short_one = *(none[mode].*part), &long_one = *(some[mode].*part);
      EXPECT_EQ(short_one.exact_token_bits, 16u * 4 * 32 * 1);
      EXPECT_EQ(long_one.exact_token_bits, 16u * 4 * 32 * 7);
      // Six tokens less at the codec's formula, in 4 layers and 2 heads; as many more in bf16.
      const double vector =
          *make_codec("e8:q=2", {.dim = 16})->account().rates().nominal_bits_per_vector;
      EXPECT_DOUBLE_EQ(*long_one.nominal_bits,
                       *short_one.nominal_bits + 6 * 4 * 2 * (16 * 16 - vector));
    }
    EXPECT_EQ(8 * some[mode].bytes_written,
              some[mode].ledger_k->written_bits() + some[mode].ledger_v->written_bits());
  }
}

// The last query that is scored sees the last token but one. With all before it in its window,
// nobody sees the one token that is coded; after a prefill everybody does.
TEST_F(ResidualWindowSweep, OverAllTokensChangesNothing) {
  for (const char* codec : {"e8:q=2", "tq:b=2", "ece8:bits=2"}) {
    const std::vector<Sample> all =
        samples(0, kAll - 1, codec, {EvalMode::in_forward, EvalMode::snapshot});
    ASSERT_EQ(all.size(), 2u);
    for (const Sample& sample : all) {
      EXPECT_EQ(sample.kld_max, 0.0) << codec << " " << sample.key.mode;
      EXPECT_EQ(sample.nll, sample.nll_reference);
      EXPECT_GT(sample.rel_mse_k, 0);
    }
    EXPECT_GT(*samples(0, kLongContext - 1, codec, {EvalMode::prefix}).at(0).kld_max, 0);
    EXPECT_GT(*samples(0, kAll - 2, codec, {EvalMode::in_forward}).at(0).kld_max, 0);
  }
}

TEST_F(ResidualWindowSweep, MustLeaveATokenToCodeInEveryMode) {
  EXPECT_NO_THROW(samples(2, kAll - 3, "fp8", {EvalMode::in_forward}));
  EXPECT_THROW(samples(2, kAll - 2, "fp8", {EvalMode::in_forward}), InputError);
  EXPECT_NO_THROW(samples(2, kLongContext - 3, "fp8", {EvalMode::prefix}));
  EXPECT_THROW(samples(2, kLongContext - 2, "fp8", {EvalMode::prefix}), InputError);
}

}  // namespace
}  // namespace kakeya

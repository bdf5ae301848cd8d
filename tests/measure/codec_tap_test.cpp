// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/codec_tap.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "fake_codec.h"
#include "fake_model.h"
#include "kakeya/codec/ledger.h"
#include "kakeya/core/error.h"
#include "kakeya/core/half.h"
#include "kakeya/measure/reference_tap.h"
#include "kakeya/measure/sweep.h"
#include "support/scratch_folder.h"

namespace kakeya {
namespace {

using testing::fake_cell;
using testing::FakeCodec;
using testing::hashed;

constexpr std::size_t kTokens = 12, kContext = 9, kHeads = 3, kDim = 8, kStride = kHeads * kDim;
constexpr int kLayers = 5;

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

const std::vector<KvSite>& all_sites() {
  static const std::vector<KvSite> sites = [] {
    std::vector<KvSite> list;
    for (int layer = 0; layer < kLayers; ++layer) {
      list.push_back({layer, Part::key});
      list.push_back({layer, Part::value});
    }
    return list;
  }();
  return sites;
}

/// What each site holds after the tap: [layer][K, V].
using Passed = std::map<std::pair<int, Part>, std::vector<float>>;
Passed pass_through(KvTap& tap, int pass) {
  Passed passed;
  for (const KvSite site : all_sites()) {
    std::vector<float> part = shown(site, pass);
    tap.visit(site, {part.data(), kTokens, kHeads, kDim, 0});
    passed[{site.layer, site.part}] = part;
  }
  return passed;
}

struct TapBench {
  explicit TapBench(CachePolicy policy, float gain_k = 2, float gain_v = 4)
      : policy_(policy),
        pool(2),
        keys("k", kDim, gain_k),
        values("v", kDim, gain_v),
        coder(keys, values, policy, pool),
        clean(kLayers, kTokens, kHeads, kDim) {
    ReferenceTap reference(TapPoint::pre_rope, kLayers, kTokens, kHeads, kDim, &clean);
    pass_through(reference, 0);
    reference.check_complete();
  }
  CodecTap tap(EvalMode mode) {
    return CodecTap(mode, TapPoint::pre_rope, policy_, coder, &clean, kTokens, kContext, kHeads,
                    kDim);
  }
  CachePolicy policy_;
  WorkerPool pool;
  FakeCodec keys, values;
  PartCoder coder;
  KvCache clean;
};

/// Runs pass 1 through a tap and compares every value with expected(site, token, clean value, value
/// of this pass).
template <typename Expected>
void expect_values(TapBench& setup, EvalMode mode, Expected expected) {
  CodecTap tap = setup.tap(mode);
  const Passed passed = pass_through(tap, 1);
  for (const KvSite site : all_sites()) {
    const std::vector<float> clean = shown(site, 0), own = shown(site, 1),
                             &got = passed.at({site.layer, site.part});
    for (std::size_t i = 0; i < got.size(); ++i) {
      ASSERT_EQ(got[i], expected(site, i / kStride, bf16(clean[i]), bf16(own[i])))
          << site_name(site) << " token " << i / kStride << " of mode " << mode_name(mode);
    }
  }
}

float gain_of(KvSite site) { return site.part == Part::key ? 2.0f : 4.0f; }
bool coded_layer(KvSite site) { return site.layer >= 1 && site.layer < kLayers - 1; }

TEST(CodecTap, InForwardCodesThisPassOutsideBoundaryAndSinks) {
  TapBench setup({kLayers, 1, 2});
  expect_values(setup, EvalMode::in_forward, [](KvSite site, std::size_t token, float, float own) {
    return coded_layer(site) && token >= 2 ? gain_of(site) * own : own;
  });
}

TEST(CodecTap, SnapshotReplacesEveryLayerByTheCleanPass) {
  TapBench setup({kLayers, 1, 2});
  expect_values(setup, EvalMode::snapshot, [](KvSite site, std::size_t token, float clean, float) {
    return coded_layer(site) && token >= 2 ? gain_of(site) * clean : clean;
  });
}

TEST(CodecTap, PrefixCodesTheContextAndLeavesTheScoredTokensTheirOwn) {
  TapBench setup({kLayers, 1, 2});
  expect_values(setup, EvalMode::prefix,
                [](KvSite site, std::size_t token, float clean, float own) {
                  if (token >= kContext) return own;
                  return coded_layer(site) && token >= 2 ? gain_of(site) * clean : clean;
                });
  EXPECT_EQ(setup.coder.record().ledger_k.values, 3 * kContext * kStride);
  EXPECT_EQ(setup.coder.record().ledger_v.values, 3 * kContext * kStride);
}

TEST(CodecTap, WhatIsDecodedIsRoundedToBf16) {
  TapBench setup({kLayers, 0, 0}, 1.0f / 3, 1.0f / 3);
  expect_values(setup, EvalMode::in_forward,
                [](KvSite, std::size_t, float, float own) { return bf16(own * (1.0f / 3)); });
  // The distortion is that of the decoded float32: a gain of 1/3 loses (2/3)^2 of the energy,
  // cosine 1.
  const CodingRecord::Layer& layer = setup.coder.record().layers.at(2);
  EXPECT_NEAR(layer.keys.rel_mse(), 4.0 / 9, 1e-6);
  EXPECT_NEAR(layer.keys.mean_cosine(), 1, 1e-6);
}

TEST(CodecTap, BytesOfFramesAndSinksAreExact) {
  for (const std::size_t sinks : {0u, 1u, 5u}) {
    TapBench setup({kLayers, 1, static_cast<int>(sinks)});
    CodecTap tap = setup.tap(EvalMode::in_forward);
    pass_through(tap, 0);
    const CodingRecord& record = setup.coder.record();
    const std::size_t parts = 3, coded = kTokens - sinks;
    EXPECT_EQ(record.visits, 2 * parts);
    for (const RateLedger& ledger : {record.ledger_k, record.ledger_v}) {
      EXPECT_EQ(ledger.vectors, parts * kTokens * kHeads);
      EXPECT_EQ(ledger.values, parts * kTokens * kStride);
      EXPECT_EQ(ledger.header_bits, 8 * parts * kHeads * setup.keys.header());
      EXPECT_EQ(ledger.payload_bits, 16 * parts * coded * kStride);
      EXPECT_EQ(ledger.exact_token_bits, 16 * parts * sinks * kStride);
      EXPECT_EQ(ledger.written_bits(),
                ledger.header_bits + ledger.payload_bits + ledger.exact_token_bits);
    }
    EXPECT_EQ(setup.keys.frames.load(), 3 * static_cast<int>(kHeads));
    EXPECT_EQ(setup.values.frames.load(), 3 * static_cast<int>(kHeads));
    EXPECT_EQ(record.layers.size(), 3u);
    EXPECT_EQ(record.layers[0].layer, 1);
    EXPECT_EQ(record.layers[0].keys.vectors(), (kTokens - sinks) * kHeads);
  }
}

TEST(CodecTap, SampleHoldsRatesOfTheWholeCache) {
  const CachePolicy policy{kLayers, 1, 3};
  WorkerPool pool(1);
  auto keys = std::make_unique<FakeCodec>("k", kDim, 2.0f),
       values = std::make_unique<FakeCodec>("v", kDim, 1.0f);
  keys->rate.nominal_bits_per_vector = 40;
  values->rate.nominal_bits_per_vector = 24;
  keys->rate.codebook_bits_per_vector = 33;
  keys->entropy = 2.5;
  values->entropy = 1.5;
  keys->side = 100;
  values->side = 10;
  const std::size_t header = keys->header();
  const GridCell cell = fake_cell(std::move(keys), std::move(values));
  PartCoder coder(*cell.keys, *cell.values, policy, pool);
  CodecTap tap(EvalMode::in_forward, TapPoint::pre_rope, policy, coder, nullptr, kTokens, kContext,
               kHeads, kDim);
  pass_through(tap, 0);
  Sample sample;
  fill_coding(sample, cell, coder.record(), policy, tap.coded_tokens(), kHeads, kDim);
  const std::uint64_t part = kTokens * kStride, sink = 3 * kStride, coded = part - sink;
  EXPECT_EQ(sample.values, 6 * part);
  EXPECT_EQ(sample.bytes_written, 6 * (kHeads * header + 2 * coded + 2 * sink) + 110);
  EXPECT_DOUBLE_EQ(sample.bits_per_value, 8.0 * static_cast<double>(sample.bytes_written) /
                                              static_cast<double>(sample.values));
  // 32 bits a vector on average, 8 values a vector; sinks at 16 bits.
  EXPECT_DOUBLE_EQ(*sample.nominal_bits_per_value,
                   static_cast<double>(4 * coded + 16 * sink) / static_cast<double>(part));
  EXPECT_FALSE(sample.codebook_bits_per_value.has_value());
  EXPECT_EQ(sample.cache_values, 10 * part);
  EXPECT_EQ(sample.cache_bytes, sample.bytes_written + 2 * 4 * part);
  EXPECT_EQ(sample.open_page, OpenPages{});  // vectors that stand alone
  EXPECT_NEAR(sample.rel_mse_k, 1, 1e-12);
  EXPECT_EQ(sample.rel_mse_v, 0);
  EXPECT_EQ(sample.layers.size(), 3u);

  const RateLedger &k = sample.ledger_k.value(), &v = sample.ledger_v.value();
  EXPECT_EQ(k.values, 3 * part);
  EXPECT_EQ(v.vectors, 3 * part / kDim);
  EXPECT_EQ(k.written_bits() + v.written_bits(), 8 * sample.bytes_written);
  EXPECT_EQ(k.table_bits, 800u);
  EXPECT_EQ(v.table_bits, 80u);
  EXPECT_EQ(k.exact_token_bits, 3 * 16 * sink);
  EXPECT_EQ(k.nominal_bits, static_cast<double>(3 * (5 * coded + 16 * sink)));
  EXPECT_EQ(v.nominal_bits, static_cast<double>(3 * (3 * coded + 16 * sink)));
  EXPECT_DOUBLE_EQ(*k.codebook_bits,
                   3 * (33.0 / 8 * static_cast<double>(coded) + 16.0 * static_cast<double>(sink)));
  EXPECT_FALSE(v.codebook_bits.has_value());
  EXPECT_DOUBLE_EQ(*k.entropy_bits,
                   3 * (2.5 * static_cast<double>(coded) + 16.0 * static_cast<double>(sink)));
  EXPECT_DOUBLE_EQ(*v.entropy_bits,
                   3 * (1.5 * static_cast<double>(coded) + 16.0 * static_cast<double>(sink)));
}

// The entropy needs the originals, which the decoded values replace: whoever comes last replaces
// them, on any number of threads.
TEST(CodecTap, TheLedgerIsThatOfTheOriginals) {
  const auto e8 = make_codec("e8:q=4", {.dim = kDim}), tq = make_codec("tq:b=3", {.dim = kDim});
  std::vector<float> original = shown({1, Part::key}, 0);
  round_to_bf16(original);
  RateLedger expected;
  std::vector<float> decoded = original;
  for (std::size_t head = 0; head < kHeads; ++head) {
    const Rows<float> rows{original.data() + head * kDim, kTokens, kDim, kStride};
    std::vector<std::byte> frame(e8->encoded_bound(kTokens));
    frame.resize(e8->encode(rows, frame));
    expected.merge(ledger_of(*e8, rows, frame));
    e8->decode(frame, {decoded.data() + head * kDim, kTokens, kDim, kStride});
  }
  round_to_bf16(decoded);
  for (const int threads : {1, 2, 4, 8}) {
    WorkerPool pool(threads);
    for (int repeat = 0; repeat < 20; ++repeat) {
      PartCoder coder(*e8, *tq, {kLayers, 1, 0}, pool);
      std::vector<float> part = original;
      coder.code({1, Part::key}, {part.data(), kTokens, kHeads, kDim, 0}, kTokens);
      EXPECT_EQ(part, decoded);
      const RateLedger& ledger = coder.record().ledger_k;
      EXPECT_EQ(ledger.entropy_bits, expected.entropy_bits);
      EXPECT_EQ(ledger.codebook_bits, expected.codebook_bits);
      EXPECT_EQ(ledger.written_bits(), expected.written_bits());
      EXPECT_EQ(ledger.scale_bits, expected.scale_bits);
      EXPECT_EQ(coder.record().ledger_v.written_bits(), 0u);
    }
  }
}

TEST(CodecTap, ThePartsThatDidNotFireAreMissed) {
  const CachePolicy policy{kLayers, 1, 0};
  WorkerPool pool(1);
  const GridCell cell = fake_cell(std::make_unique<FakeCodec>("k", kDim, 1.0f),
                                  std::make_unique<FakeCodec>("v", kDim, 1.0f));
  const auto fill_after = [&](int visits) {
    PartCoder coder(*cell.keys, *cell.values, policy, pool);
    const std::vector<KvSite> coded = {{1, Part::key},   {1, Part::value}, {2, Part::key},
                                       {2, Part::value}, {3, Part::key},   {3, Part::value},
                                       {3, Part::value}};
    for (int i = 0; i < visits; ++i) {
      std::vector<float> part = shown(coded[i], 0);
      coder.code(coded[i], {part.data(), kTokens, kHeads, kDim, 0}, kTokens);
    }
    Sample sample;
    fill_coding(sample, cell, coder.record(), policy, kTokens, kHeads, kDim);
  };
  EXPECT_NO_THROW(fill_after(6));
  for (const int visits : {0, 1, 5, 7}) EXPECT_THROW(fill_after(visits), InputError) << visits;
}

TEST(CodecTap, ErrorsOfACodecComeThroughAndNothingHangs) {
  for (const int threads : {1, 2, 4}) {
    WorkerPool pool(threads);
    const CachePolicy policy{kLayers, 0, 0};
    FakeCodec good("good", kDim, 1), refusing("refusing", kDim, 1),
        overrunning("overrunning", kDim, 1);
    refusing.refuse = true;
    overrunning.overrun = 1;
    std::vector<float> part = shown({0, Part::key}, 0);
    const KvView view{part.data(), kTokens, kHeads, kDim, 0};
    EXPECT_THROW(PartCoder(refusing, good, policy, pool).code({0, Part::key}, view, kTokens),
                 InputError);
    EXPECT_THROW(PartCoder(overrunning, good, policy, pool).code({0, Part::key}, view, kTokens),
                 InputError);
    PartCoder after(refusing, good, policy, pool);
    EXPECT_NO_THROW(after.code({0, Part::value}, view, kTokens));
    EXPECT_THROW(after.code({0, Part::query}, view, kTokens), InputError);
  }
}

TEST(CodecTap, AnInputErrorOfACodecNamesLayerPartAndHead) {
  for (const int threads : {1, 4}) {
    WorkerPool pool(threads);
    FakeCodec good("good", kDim, 1), refusing("refusing", kDim, 1);
    refusing.refuse = true;
    std::vector<float> part = shown({3, Part::value}, 0);
    PartCoder coder(good, refusing, {kLayers, 0, 0}, pool);
    try {
      coder.code({3, Part::value}, {part.data(), kTokens, kHeads, kDim, 0}, kTokens);
      ADD_FAILURE() << "nothing was refused";
    } catch (const InputError& error) {
      EXPECT_STREQ(error.what(), "layer 3 values, head 0: refused on purpose");
    }
  }
}

// It asks for first and last tokens; a policy of others is refused by the same question, and by name
// (tests/core/policy_test.cpp). There is no such number yet: a negative one stands for it.
TEST(CodecTap, AsksForTheTokensThatAPolicyKeeps) {
  EXPECT_EQ(testing::message_of<InputError>([] {
              TapBench({kLayers, 0, -1});
            }),
            "a sweep on the host: sinks -1, residual window 0: expected 0 or more tokens");
}

TEST(CodecTap, ViewsOfAnotherShapeAreRefused) {
  TapBench setup({kLayers, 1, 0});
  std::vector<float> part = shown({0, Part::key}, 0);
  for (const KvView view : {KvView{part.data(), kTokens - 1, kHeads, kDim, 0},
                            KvView{part.data(), kTokens, kHeads - 1, kDim, 0},
                            KvView{part.data(), kTokens, kHeads, kDim - 1, 0},
                            KvView{part.data(), kTokens, kHeads, kDim, 1}}) {
    CodecTap tap = setup.tap(EvalMode::in_forward);
    EXPECT_THROW(tap.visit({1, Part::key}, view), InputError);
  }
}

TEST(ReferenceTap, APassMustBeComplete) {
  KvCache clean(kLayers, kTokens, kHeads, kDim);
  ReferenceTap tap(TapPoint::post_rope, kLayers, kTokens, kHeads, kDim, &clean);
  EXPECT_EQ(tap.tap_point(), TapPoint::post_rope);
  std::vector<float> part = shown({0, Part::key}, 0);
  tap.visit({0, Part::key}, {part.data(), kTokens, kHeads, kDim, 0});
  EXPECT_THROW(tap.check_complete(), InputError);
  std::vector<float> out(kTokens * kStride);
  EXPECT_NO_THROW(clean.load({0, Part::key}, kTokens, out));
  EXPECT_EQ(out, part);  // the tap rounded it in place
  EXPECT_THROW(clean.load({0, Part::value}, kTokens, out), InputError);
  EXPECT_THROW(clean.load({kLayers, Part::key}, kTokens, out), InputError);
  EXPECT_THROW(clean.load({0, Part::key}, kTokens + 1, out), InputError);
  EXPECT_THROW(clean.store({0, Part::query}, part), InputError);
  FakeCodec codec("c", kDim, 1);
  WorkerPool pool(1);
  PartCoder coder(codec, codec, {kLayers, 0, 0}, pool);
  EXPECT_THROW(CodecTap(EvalMode::snapshot, TapPoint::pre_rope, {kLayers, 0, 0}, coder, nullptr,
                        kTokens, kContext, kHeads, kDim),
               InputError);
}

}  // namespace
}  // namespace kakeya

// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/dump_sweep.h"

#include <gtest/gtest.h>

#include <limits>

#include "fake_model.h"
#include "kakeya/codec/ledger.h"
#include "kakeya/core/error.h"
#include "kakeya/core/half.h"
#include "kakeya/measure/token_coder.h"
#include "support/made_cache.h"

namespace kakeya {
namespace {

using testing::hashed;
using testing::ScratchFolder;

constexpr int kLayers = 4, kHeads = 2, kDim = 16, kTokens = 20, kPassages = 2;

std::vector<float> part_of(int passage, int layer, Part part) {
  std::vector<float> values(kTokens * kHeads * kDim);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = hashed(static_cast<std::uint64_t>(100 * passage + layer), i,
                       static_cast<std::uint64_t>(part_letter(part)));
  }
  return values;
}

/// Writes a dump of hashed K and V, stored as fp32.
std::string write_dump(const ScratchFolder& folder, const char* name = "kv.h5",
                       bool too_large = false) {
  DumpHead facts;
  facts.origin.model.name = "hashed";
  facts.tap = TapPoint::pre_rope;
  facts.storage = "fp32";
  facts.shape.layers = kLayers;
  facts.shape.kv_heads = facts.shape.query_heads = kHeads;
  facts.shape.head_dim = kDim;
  facts.passages = kPassages;
  facts.tokens = kTokens;
  facts.provenance = make_provenance({"test"}, 1);
  const std::string path = folder / name;
  DumpWriter writer(path, facts);
  for (int passage = 0; passage < kPassages; ++passage) {
    writer.write_tokens(passage, std::vector<std::int32_t>(kTokens, 1), "hashed");
    for (int layer = 0; layer < kLayers; ++layer) {
      for (const Part part : {Part::key, Part::value}) {
        std::vector<float> values = part_of(passage, layer, part);
        if (too_large && layer == 2 && part == Part::value) {  // token 5, head 1: infinite as bf16
          values[(5 * kHeads + 1) * kDim + 3] = std::numeric_limits<float>::max();
        }
        writer.write_part(passage, {layer, part}, values.data(), kTokens, kHeads, kDim);
      }
    }
  }
  writer.commit();
  return path;
}

class DumpSweep : public ::testing::Test {
 protected:
  void SetUp() override {
    try {
      path_ = write_dump(folder_);
    } catch (const InputError& error) {
      GTEST_SKIP() << error.what();  // a build without HDF5 says so
    }
  }
  ScratchFolder folder_;
  std::string path_;
};

TEST_F(DumpSweep, MeasuresDistortionOfBf16ValuesAndNoLikelihoods) {
  const DumpReader dump(path_);
  WorkerPool pool(2);
  DumpSubject subject(dump, "kv.h5", 0,
                      {.layers = 0, .skipped_layers = 1, .sinks = 2, .residual_window = 3}, pool);
  {
    ResultStore store(folder_ / "out", {}, make_provenance({"test"}, 2));
    const SweepOutcome outcome = run_sweep(
        subject, build_grid(expand_grid({{"e8:q=10"}, {}, {}}), {{.head_dim = kDim}}), store, {});
    EXPECT_EQ(outcome.finished, 4u);
    EXPECT_TRUE(outcome.failed.empty());
  }
  const StoredResults results = read_results(folder_ / "out");
  ASSERT_EQ(results.samples.size(), 4u);
  EXPECT_EQ(results.samples[0].rel_mse_k, 0.0);  // identity of bf16 values

  const auto codec = make_codec("e8:q=10", {.dim = kDim});
  for (const Sample& sample : results.samples) {
    EXPECT_EQ(sample.key.mode, "distortion");
    EXPECT_FALSE(sample.nll.has_value());
    EXPECT_FALSE(sample.kld_mean.has_value());
    EXPECT_EQ(sample.values, 2u * 2 * kTokens * kHeads * kDim);
    if (sample.key.codec_k == "identity") continue;
    // The same from first principles: every head of the coded layers through the codec, sinks and
    // residual window left out.
    double layers_sum = 0;
    std::uint64_t bytes = 0;
    RateLedger keys, values;
    for (const int layer : {1, 2}) {
      double error = 0, energy = 0;
      for (const Part name : {Part::key, Part::value}) {
        std::vector<float> part = part_of(sample.key.passage, layer, name);
        for (float& value : part) value = bfloat16_to_float(float_to_bfloat16(value));
        for (std::size_t head = 0; head < kHeads; ++head) {
          const Rows<const float> rows{part.data() + (2 * kHeads + head) * kDim, kTokens - 5, kDim,
                                       kHeads * kDim};
          std::vector<std::byte> frame(codec->encoded_bound(rows.count));
          frame.resize(codec->encode(rows, frame));
          std::vector<float> decoded(rows.values());
          codec->decode(frame, dense_rows(decoded.data(), rows.count, rows.dim));
          bytes += frame.size();
          (name == Part::key ? keys : values).merge(ledger_of(*codec, rows, frame));
          for (std::size_t i = 0; name == Part::key && i < decoded.size(); ++i) {
            const double x = rows[i / kDim][i % kDim], difference = x - decoded[i];
            error += difference * difference;
            energy += x * x;
          }
        }
        bytes += 5 * 2 * kHeads * kDim;
      }
      layers_sum += error / energy;
    }
    EXPECT_NEAR(sample.rel_mse_k / (layers_sum / 2), 1, 1e-12);
    EXPECT_EQ(sample.bytes_written, bytes);
    const double token_bits = 2 * 16 * 5 * kHeads * kDim;
    EXPECT_EQ(sample.ledger_k->payload_bits, keys.payload_bits);
    EXPECT_EQ(sample.ledger_k->scale_bits, keys.scale_bits);
    EXPECT_EQ(sample.ledger_v->header_bits, values.header_bits);
    EXPECT_EQ(sample.ledger_v->exact_token_bits, token_bits);
    EXPECT_DOUBLE_EQ(*sample.ledger_k->entropy_bits, *keys.entropy_bits + token_bits);
    EXPECT_DOUBLE_EQ(*sample.ledger_v->codebook_bits, *values.codebook_bits + token_bits);
    EXPECT_DOUBLE_EQ(*sample.nominal_bits_per_value * static_cast<double>(sample.values),
                     *keys.nominal_bits + *values.nominal_bits + 2 * token_bits);
  }
}

TEST_F(DumpSweep, CodecsOfWholeTokensCodeWhatTheDumpHolds) {
  const DumpReader dump(path_);
  WorkerPool pool(2);
  const test::OneProfile source(test::made_profile(kDim, kLayers, kHeads));
  const CachePolicy policy{kLayers, 1, 2, 3};
  DumpSubject subject(dump, "kv.h5", 0, policy, pool);
  const auto grid =
      build_grid(expand_grid({{"klt:bits=4,scope=layer,predict=1,page=32", "identity"}, {}, {}}),
                 testing::input_of(source, 1));
  subject.start_passage(1, subject.modes());
  const Sample sample = subject.measure(grid[1], "distortion");
  KvCache clean(kLayers, kTokens, kHeads, kDim), decoded = clean;
  for (int layer = 0; layer < kLayers; ++layer) {
    clean.store({layer, Part::key}, part_of(1, layer, Part::key));
    clean.store({layer, Part::value}, part_of(1, layer, Part::value));
  }
  TokenCoder coder(*grid[1].tokens, policy, pool);
  coder.code(clean, kTokens, decoded);
  EXPECT_EQ(8 * sample.bytes_written, coder.record().ledger_k.written_bits());
  EXPECT_EQ(sample.values, 2u * 2 * kTokens * kHeads * kDim);
  EXPECT_EQ(sample.cache_bytes, sample.bytes_written + 2u * 4 * kTokens * kHeads * kDim);
  ASSERT_EQ(sample.layers.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(sample.layers[i].rel_mse_k, coder.record().layers[i].keys.rel_mse());
    EXPECT_EQ(sample.layers[i].rel_mse_v, coder.record().layers[i].values.rel_mse());
  }
  EXPECT_FALSE(sample.nominal_bits_per_value.has_value());

  const DumpReader holed(write_dump(folder_, "holed.h5", true));
  DumpSubject other(holed, "holed.h5", 0, policy, pool);
  other.start_passage(0, other.modes());
  try {
    other.measure(grid[1], "distortion");
    ADD_FAILURE() << "the infinity was taken";
  } catch (const InputError& error) {
    const std::string why = error.what();
    EXPECT_NE(why.find("holed.h5: layers 1 to 2, tokens from 2: vector 3, "), std::string::npos)
        << why;
  }
}

TEST_F(DumpSweep, AValueThatNoCodecTakesIsNamedWithItsFileLayerPartAndHead) {
  const DumpReader dump(write_dump(folder_, "holed.h5", true));
  WorkerPool pool(2);
  DumpSubject subject(dump, "holed.h5", 0, {.layers = 0, .skipped_layers = 0, .sinks = 0}, pool);
  ResultStore store(folder_ / "holed", {}, make_provenance({"test"}, 2));
  try {
    run_sweep(subject, build_grid(expand_grid({{"e8:q=10"}, {}, {}}), {{.head_dim = kDim}}), store,
              {});
    ADD_FAILURE() << "the infinity was taken";
  } catch (const Error& error) {
    const std::string why = error.what();
    EXPECT_NE(why.find("passage 0: holed.h5: layer 2 values, head 1: "), std::string::npos) << why;
    EXPECT_NE(why.find("vector 5, coordinate 3"), std::string::npos) << why;
  }
}

TEST_F(DumpSweep, TakesTheFirstPassagesAndNoMoreThanThereAre) {
  const DumpReader dump(path_);
  WorkerPool pool(1);
  const CachePolicy policy{.layers = 0, .skipped_layers = 0, .sinks = 0};
  EXPECT_EQ(DumpSubject(dump, "kv.h5", 0, policy, pool).passages(), kPassages);
  EXPECT_EQ(DumpSubject(dump, "kv.h5", 1, policy, pool).passages(), 1);
  EXPECT_THROW(DumpSubject(dump, "kv.h5", kPassages + 1, policy, pool), InputError);
  EXPECT_THROW(DumpSubject(dump, "kv.h5", 1, (CachePolicy{0, 2, 0}), pool), InputError);
}

}  // namespace
}  // namespace kakeya

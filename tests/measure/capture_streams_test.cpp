// SPDX-License-Identifier: Apache-2.0
// Streams of the oracle's tiny model through a dump and a sweep.
#include "kakeya/measure/capture_streams.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "kakeya/core/error.h"
#include "kakeya/core/half.h"
#include "kakeya/measure/captured.h"
#include "kakeya/measure/dump_sweep.h"
#include "kakeya/store/arrays.h"
#include "support/scratch_folder.h"

namespace kakeya {
namespace {

using testing::message_of;
using testing::ScratchFolder;

const std::string kTiny = KAKEYA_SOURCE_DIR "/tests/model/streams/tiny";

class CaptureStreams : public ::testing::Test {
 protected:
  std::vector<CapturedStream> capture(std::vector<int> layers = {0, 1, 2}, int passages = 1) {
    StreamCapture what{config_, *weights_, hidden_, std::move(layers), passages, {}};
    what.head.storage = "fp32";
    what.head.origin.model.name = "tiny (weights " + weights_->text() + ")";
    what.head.provenance = make_provenance({"test"}, 1);
    return capture_streams(what, folder_ / "v4", {});
  }

  V4Config config_ = read_v4_config(kTiny);
  std::unique_ptr<V4Weights> weights_ = open_v4_weights(kTiny, config_);
  HiddenStates hidden_{kTiny + "/hidden.npy"};
  ScratchFolder folder_;
};

TEST_F(CaptureStreams, DumpsHoldTheOraclesLatentsAndSayWhatTheyAre) {
  const std::vector<CapturedStream> written = capture();
  ASSERT_EQ(written.size(), 4u);
  const int vectors[] = {263, 65, 65, 2}, ratios[] = {1, 4, 4, 128}, dims[] = {16, 16, 8, 16};
  const char* const layers[] = {"0-2", "1", "1", "2"};
  double shares = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const DumpReader dump(written[i].path);
    const DumpHead& head = dump.head();
    ASSERT_TRUE(head.stream);
    EXPECT_EQ(*head.stream, *written[i].head.stream);
    EXPECT_EQ(head.stream->name, stream_name(written[i].kind));
    EXPECT_EQ(head.stream->layers, layers[i]);
    EXPECT_EQ(head.stream->ratio, ratios[i]);
    EXPECT_EQ(head.stream->source_tokens, 263);
    EXPECT_EQ(head.stream->window, i == 0 ? 32 : 0);
    EXPECT_EQ(head.stream->weights, "F32");
    shares += head.stream->byte_share;
    EXPECT_EQ(head.rope_base, i == 0 ? 0 : 160000);  // layer 0 has 10000, the others 160000
    EXPECT_EQ(head.tokens, vectors[i]);
    EXPECT_EQ(head.shape, (KvShape{i == 0 ? 3 : 1, 1, 2, dims[i]}));
    EXPECT_EQ(head.tap, TapPoint::post_rope);
    EXPECT_EQ(dump.tokens(0).back(), (vectors[i] - 1) * ratios[i]);
    const Array wanted = read_array(kTiny + "/" + head.stream->name + ".npy", 0);
    std::vector<float> read;
    for (int layer = 0; layer < head.shape.layers; ++layer) {
      const std::vector<float> part = dump.part(0, {layer, Part::key});
      EXPECT_EQ(part, dump.part(0, {layer, Part::value}));  // attention reads it as both
      read.insert(read.end(), part.begin(), part.end());
    }
    ASSERT_EQ(read.size(), wanted.values.size());
    for (std::size_t v = 0; v < read.size(); ++v) ASSERT_NEAR(read[v], wanted.values[v], 2e-5);
  }
  EXPECT_NEAR(shares, 1, 1e-12);
}

TEST_F(CaptureStreams, LayersOfOneBaseSayIt) {
  config_.main.base = config_.compress.base = 5000;
  for (const CapturedStream& each : capture())
    EXPECT_EQ(DumpReader(each.path).head().rope_base, 5000);
}

TEST_F(CaptureStreams, StreamsWithoutAWholeVectorAreNamed) {
  const auto kinds = [&](const std::vector<int>& layers, int tokens) {
    return too_short_streams(config_, layers, tokens);
  };
  EXPECT_EQ(kinds({0, 1, 2}, 128), std::vector<StreamKind>{});
  EXPECT_EQ(kinds({0, 1, 2}, 127), std::vector{StreamKind::hca});
  EXPECT_EQ(kinds({0, 1}, 127), std::vector<StreamKind>{});  // no layer has hca
  EXPECT_EQ(kinds({0, 1, 2}, 3),
            (std::vector{StreamKind::csa, StreamKind::indexer, StreamKind::hca}));
}

TEST_F(CaptureStreams, ASweepCountsALatentOnce) {
  const std::string path = capture()[1].path;  // csa
  const DumpReader dump(path);
  WorkerPool pool(1);
  DumpSubject subject(dump, "csa.h5", 0, {}, pool);
  SweepPlan plan;
  plan.stream = dump.head().stream;
  {
    ResultStore store(folder_ / "out", plan, make_provenance({"test"}, 1));
    const SweepOutcome outcome = run_sweep(
        subject, build_grid(expand_grid({{"e8:q=10"}, {}, {}}), {{.head_dim = 16}}), store, {});
    EXPECT_EQ(outcome.finished, 2u);
  }
  const StoredResults results = read_results(folder_ / "out");
  EXPECT_EQ(results.plan.stream, dump.head().stream);
  ASSERT_EQ(results.samples.size(), 2u);
  for (const Sample& sample : results.samples) {
    EXPECT_EQ(sample.values, 65u * 16);
    EXPECT_EQ(sample.cache_values, 65u * 16);
    EXPECT_EQ(sample.visits, 1u);
    EXPECT_EQ(sample.rel_mse_v, sample.rel_mse_k);
    EXPECT_EQ(sample.cosine_v, sample.cosine_k);
    ASSERT_EQ(sample.layers.size(), 1u);
    EXPECT_EQ(sample.layers[0].rel_mse_v, sample.layers[0].rel_mse_k);
  }
  EXPECT_GT(results.samples[1].rel_mse_k, 1e-4);
  // A folder is of one stream.
  plan.stream->name = "hca";
  EXPECT_NE(message_of<InputError>([&] {
              ResultStore(folder_ / "out", plan, make_provenance({"test"}, 1));
            }).find("stream"),
            std::string::npos);
}

TEST_F(CaptureStreams, AStreamTakesOneCodec) {
  const DumpReader dump(capture()[3].path);
  WorkerPool pool(1);
  DumpSubject subject(dump, "hca.h5", 0, {}, pool);
  const auto grid = build_grid(expand_grid({{}, {"e8:q=10"}, {"d4:q=10"}}), {{.head_dim = 16}});
  EXPECT_NE(message_of<SpecError>([&] {
              subject.check(grid.back());
            }).find("hca.h5: stream hca has one vector for key and value"),
            std::string::npos);
  EXPECT_NO_THROW(subject.check(grid.front()));
  GridCell plan = grid.front();
  plan.plan = CodecPlan{};
  EXPECT_NE(message_of<SpecError>([&] { subject.check(plan); }).find("is a plan"),
            std::string::npos);
  EXPECT_EQ(make_captured(dump, "hca", Part::key)->facts().name, "hca");
  EXPECT_EQ(make_captured(dump, "hca", Part::key)->slab(0).values.size(), 2u * 16);
  EXPECT_THROW(make_captured(dump, "hca", Part::value), InputError);
}

TEST_F(CaptureStreams, AWriterTakesNoValuesOfAStream) {
  DumpHead head = capture()[3].head;
  const std::vector<float> values(2 * 16, 1.0f);
  {
    DumpWriter writer(folder_ / "x.h5", head);
    EXPECT_NE(message_of<InputError>([&] {
                writer.write_part(0, {0, Part::value}, values.data(), 2, 1, 16);
              }).find("the parts k"),
              std::string::npos);
  }
  head.queries = true;
  EXPECT_THROW(DumpWriter(folder_ / "x.h5", head), InputError);
  head.queries = false;
  head.stream->byte_share = 1.5;
  EXPECT_THROW(DumpWriter(folder_ / "x.h5", head), InputError);
}

TEST_F(CaptureStreams, LayersAreThoseWithWeights) {
  EXPECT_EQ(layers_with_weights(config_, *weights_, {}), (std::vector{0, 1, 2}));
  EXPECT_EQ(layers_with_weights(config_, *weights_, {2, 0, 2}), (std::vector{0, 2}));
  EXPECT_THROW(layers_with_weights(config_, *weights_, {3}), InputError);
  V4Config other = config_;
  other.layers = {V4Attention::csa, V4Attention::csa, V4Attention::sliding};
  const auto fewer = open_v4_weights(kTiny, other);  // of layer 0 there is no compressor
  EXPECT_EQ(layers_with_weights(other, *fewer, {}), (std::vector{1, 2}));
  EXPECT_NE(message_of<InputError>([&] {
              layers_with_weights(other, *fewer, {0});
            }).find("layer 0: no tensor layers.0.self_attn.compressor.kv_proj.weight"),
            std::string::npos);
}

TEST_F(CaptureStreams, HiddenStatesMustFit) {
  EXPECT_NE(message_of<InputError>([&] {
              capture({0, 1});
            }).find("hidden states of 3 layers, expected 2"),
            std::string::npos);
  EXPECT_NE(message_of<InputError>([&] {
              capture({0, 1, 2}, 2);
            }).find("hidden states of 1 passages, expected 2"),
            std::string::npos);
  config_.hidden = 25;
  EXPECT_NE(message_of<InputError>([&] {
              capture();
            }).find("hidden states of 24 values a token, expected 25"),
            std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "v4"));
}

}  // namespace
}  // namespace kakeya

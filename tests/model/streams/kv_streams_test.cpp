// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/streams/kv_streams.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

#include "kakeya/core/error.h"
#include "oracle.h"
#include "support/scratch_folder.h"

namespace kakeya {
namespace {

using testing::largest_error;
using testing::message_of;
using testing::Oracle;
using testing::relative_error;

constexpr double kTolerance = 1e-5;  // of float32 sums in another order; 3e-7 is what they are

/// Everything that the streams of a layer follow from, to make one mistake in.
struct Made {
  V4Config config;
  V4LayerWeights weights;
  std::vector<float> hidden;
};

class KvStreams : public ::testing::Test {
 protected:
  Made made(int layer, const std::string& folder) const {
    Made out{read_v4_config(folder), {}, {}};
    out.weights = open_v4_weights(folder, out.config)->read(layer);
    const Rows<const float> input = oracle_.input(layer);
    out.hidden.assign(input.data, input.data + input.values());
    return out;
  }

  static LayerStreams run(const Made& from, int layer) {
    const auto width = static_cast<std::size_t>(from.config.hidden);
    return kv_streams(from.config, from.config.layers[static_cast<std::size_t>(layer)],
                      from.weights,
                      dense_rows(from.hidden.data(), from.hidden.size() / width, width));
  }

  /// What the oracle has of a stream in `layer`: the only layer of its kind, but for sliding.
  Array wanted(StreamKind kind, int layer, const std::string& folder) const {
    Array all = read_array(folder + "/" + std::string(stream_name(kind)) + ".npy", 0);
    if (kind != StreamKind::sliding) return all;
    const std::size_t vectors = all.count / 3;
    const float* first = all.values.data() + static_cast<std::size_t>(layer) * vectors * all.dim;
    return {{first, first + vectors * all.dim}, vectors, all.dim};
  }

  void expect_the_oracles(const std::string& folder) const {
    for (int layer = 0; layer < 3; ++layer) {
      const LayerStreams streams = run(made(layer, folder), layer);
      for (const StreamKind kind : kStreamKinds) {
        const KvStream* stream = streams.find(kind);
        const std::vector<int> layers = stream_layers(read_v4_config(folder), kind);
        ASSERT_EQ(stream != nullptr, std::count(layers.begin(), layers.end(), layer) == 1);
        if (stream == nullptr) continue;
        const Array oracles = wanted(kind, layer, folder);
        EXPECT_EQ(stream->dim, oracles.dim);
        EXPECT_GE(stream->vectors, oracles.count);
        EXPECT_LT(relative_error(*stream, oracles), kTolerance) << stream_name(kind) << layer;
        EXPECT_LT(largest_error(*stream, oracles), kTolerance) << stream_name(kind) << layer;
      }
    }
  }

  /// How far a stream of `layer` is off when one mistake is made.
  double error_after(StreamKind kind, int layer, const std::function<void(Made&)>& mistake) const {
    Made from = made(layer, oracle_.folder);
    mistake(from);
    const LayerStreams streams = run(from, layer);
    const KvStream* stream = streams.find(kind);
    const Array oracles = wanted(kind, layer, oracle_.folder);
    return stream != nullptr && stream->vectors == oracles.count && stream->dim == oracles.dim
               ? relative_error(*stream, oracles)
               : 1;
  }

  Oracle oracle_;
};

TEST_F(KvStreams, AreTransformersOnes) { expect_the_oracles(oracle_.folder); }

TEST_F(KvStreams, OfThePublishersFilesToo) { expect_the_oracles(oracle_.folder + "/fp8"); }

TEST_F(KvStreams, HaveAVectorOfEachRatioAndDropTheRest) {
  const Made csa = made(1, oracle_.folder), hca = made(2, oracle_.folder);
  EXPECT_EQ(run(csa, 1).sliding.vectors, 263u);
  EXPECT_EQ(run(csa, 1).compressed->vectors, 65u);
  EXPECT_EQ(run(csa, 1).indexer->vectors, 65u);
  EXPECT_EQ(run(hca, 2).compressed->vectors, 2u);
  Made few = hca;
  few.hidden.resize(127 * 24);
  EXPECT_EQ(run(few, 2).compressed->vectors, 0u);
}

// One mistake at a time, of which every one must show. `none` shows that the comparison is that of
// the tests above.
TEST_F(KvStreams, AMistakeShows) {
  const auto none = [](Made&) {};
  const std::map<std::string, std::function<void(Made&)>> mistakes = {
      {"the other base", [](Made& m) { std::swap(m.config.main, m.config.compress); }},
      {"a base of 10000 everywhere", [](Made& m) { m.config.compress.base = 10000; }},
      {"no YaRN", [](Made& m) { m.config.compress.factor = 0; }},
      {"half of the values turned", [](Made& m) { m.config.rope_dim /= 2; }},
      {"no norm's weight",
       [](Made& m) {
         std::fill(m.weights.norm.begin(), m.weights.norm.end(), 1.0f);
         if (m.weights.compressor) m.weights.compressor->norm.assign(16, 1.0f);
         if (m.weights.indexer) m.weights.indexer->norm.assign(8, 1.0f);
       }},
      {"an epsilon of 1e-2", [](Made& m) { m.config.norm_eps = 1e-2; }},
      {"a token of padding in front",
       [](Made& m) {
         std::rotate(m.hidden.begin(), m.hidden.end() - 24, m.hidden.end());
         std::fill(m.hidden.begin(), m.hidden.begin() + 24, 1.0f);
       }},
      {"half the ratio",
       [](Made& m) {
         if (m.weights.compressor) m.weights.compressor->ratio /= 2;
         if (m.weights.indexer) m.weights.indexer->ratio /= 2;
       }},
      {"no overlap",
       [](Made& m) {
         for (auto* part : {&m.weights.compressor, &m.weights.indexer}) {
           if (!*part || !(*part)->overlap) continue;
           for (auto* matrix : {&(*part)->kv, &(*part)->gate, &(*part)->position_bias}) {
             // the later columns of biases, the later rows of matrices
             const bool bias = matrix == &(*part)->position_bias;
             std::vector<float> kept;
             const std::size_t dim = (*part)->dim;
             if (bias) {
               for (std::size_t i = 0; i < (*part)->ratio; ++i)
                 kept.insert(kept.end(), matrix->begin() + static_cast<long>((2 * i + 1) * dim),
                             matrix->begin() + static_cast<long>((2 * i + 2) * dim));
             } else {
               kept.assign(matrix->begin() + static_cast<long>(matrix->size() / 2), matrix->end());
             }
             *matrix = kept;
           }
           (*part)->overlap = false;
         }
       }},
      {"no position bias", [](Made& m) {
         for (auto* part : {&m.weights.compressor, &m.weights.indexer}) {
           if (*part) std::fill((*part)->position_bias.begin(), (*part)->position_bias.end(), 0.0f);
         }
       }}};
  const auto applies = [](StreamKind kind, int layer, const std::string& mistake) {
    const bool compressed = kind != StreamKind::sliding;
    if (mistake == "no overlap") return kind == StreamKind::csa || kind == StreamKind::indexer;
    if (mistake == "half the ratio" || mistake == "no position bias") return compressed;
    if (mistake == "no YaRN" || mistake == "a base of 10000 everywhere") return layer > 0;
    return true;
  };
  const std::pair<StreamKind, int> streams[] = {{StreamKind::sliding, 0},
                                                {StreamKind::sliding, 1},
                                                {StreamKind::csa, 1},
                                                {StreamKind::indexer, 1},
                                                {StreamKind::hca, 2}};
  for (const auto& [kind, layer] : streams) {
    EXPECT_LT(error_after(kind, layer, none), kTolerance);
    for (const auto& [name, mistake] : mistakes) {
      const double error = error_after(kind, layer, mistake);
      if (applies(kind, layer, name)) {
        EXPECT_GT(error, 10 * kTolerance)
            << stream_name(kind) << " of layer " << layer << ": " << name;
      } else {
        EXPECT_LT(error, kTolerance) << stream_name(kind) << " of layer " << layer << ": " << name;
      }
    }
  }
}

TEST_F(KvStreams, RefusePaddingAndOtherWidths) {
  Made from = made(1, oracle_.folder);
  std::fill(from.hidden.begin() + 100 * 24, from.hidden.begin() + 107 * 24, 0.5f);
  EXPECT_NO_THROW(run(from, 1));  // seven alike
  std::fill(from.hidden.begin() + 100 * 24, from.hidden.end(), 0.5f);
  EXPECT_NE(
      message_of<InputError>([&] { run(from, 1); })
          .find(
              "tokens 100 to 262: 163 equal rows: padding, or a token that repeats; expected fewer than 8 "
              "in a row (cut them out of the file)"),
      std::string::npos);
  from.hidden.assign(23 * 5, 1);
  EXPECT_NE(message_of<InputError>([&] {
              kv_streams(from.config, V4Attention::csa, from.weights,
                         dense_rows(from.hidden.data(), 5, 23));
            }).find("hidden states [5, 23], expected tokens of 24 values"),
            std::string::npos);
  from.hidden.clear();
  EXPECT_THROW(run(from, 1), InputError);
}

TEST_F(KvStreams, SharesAreOfTheBytesOfAllLayers) {
  V4Config config = read_v4_config(oracle_.folder);
  config.head_dim = 512;
  config.index_dim = 128;
  config.window = 128;
  config.layers = {V4Attention::sliding, V4Attention::sliding};
  for (int i = 0; i < 21; ++i) config.layers.push_back(V4Attention::csa);
  for (int i = 0; i < 20; ++i) config.layers.push_back(V4Attention::hca);
  // 43 windows of 128, 21 x 512 of both csa kinds, 20 x 16 of hca
  const double all = 43 * 128 * 512. + 21 * 512 * 512. + 21 * 512 * 128. + 20 * 16 * 512.;
  EXPECT_DOUBLE_EQ(stream_share(config, StreamKind::sliding, 2048), 43 * 128 * 512 / all);
  EXPECT_DOUBLE_EQ(stream_share(config, StreamKind::csa, 2048), 21 * 512 * 512 / all);
  EXPECT_DOUBLE_EQ(stream_share(config, StreamKind::indexer, 2048), 21 * 512 * 128 / all);
  EXPECT_DOUBLE_EQ(stream_share(config, StreamKind::hca, 2048), 20 * 16 * 512 / all);
  EXPECT_EQ(cached_vectors(config, StreamKind::sliding, 100), 100u);
  EXPECT_DOUBLE_EQ(stream_share(config, StreamKind::hca, 100), 0);
  EXPECT_THROW(stream_share(config, StreamKind::hca, 0), InputError);
}

}  // namespace
}  // namespace kakeya

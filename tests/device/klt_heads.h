// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device/both_sides.h"
#include "device/device_case.h"
#include "support/made_profile.h"

// klt of the three heads of a layer, and of whole tokens, for tests.

namespace kakeya::test {

inline constexpr int kHeads = 3;

// I - 2 v v' over v' v: dense, symmetric, its own inverse.
inline std::vector<double> reflection(std::size_t dim, std::uint64_t seed) {
  const Random random(seed);
  std::vector<double> v(dim), matrix(dim * dim);
  double norm = 0;
  for (std::size_t i = 0; i < dim; ++i) v[i] = random.normal(i), norm += v[i] * v[i];
  for (std::size_t i = 0; i < dim; ++i) {
    for (std::size_t j = 0; j < dim; ++j) {
      matrix[i * dim + j] = (i == j ? 1.0 : 0.0) - 2 * v[i] * v[j] / norm;
    }
  }
  return matrix;
}

// Every head has another dense transform and other classes. `size`: how long vectors are.
inline Profile dense_profile(std::size_t dim, int layers = 1, int heads = kHeads, int group = 1,
                             double size = 0.5) {
  Profile profile = made_profile(dim, layers, heads);
  for (std::size_t part = 0; part < profile.parts.size(); ++part) {
    for (std::size_t head = 0; head < static_cast<std::size_t>(heads); ++head) {
      SiteTransform& site = profile.parts[part].heads[0][head];
      const std::vector<double> matrix = reflection(dim, 100 * part + head);
      for (std::size_t i = 0; i < dim; ++i) {
        site.mean[i] += static_cast<float>(0.01 * static_cast<double>(i % 7));
        for (std::size_t j = 0; j < dim; ++j) {
          site.forward[i * dim + j] = static_cast<float>(matrix[i * dim + j] / size);
          site.backward[i * dim + j] = static_cast<float>(matrix[i * dim + j] * size);
        }
      }
      for (std::uint8_t& which : site.classes) {
        which =
            static_cast<std::uint8_t>(which + kDeviations * static_cast<int>(head + part) % 256);
      }
    }
  }
  if (group > 1) add_made_groups(profile);
  std::uint64_t seed = 0;
  for (std::vector<LayerTransform>& groups : profile.layer_transforms) {
    for (LayerTransform& made : groups) {
      if (made.rotation.empty()) continue;
      const std::size_t width = made.deviations.size();
      const auto halves = [&](double factor, std::uint16_t* to) {
        const std::vector<double> matrix = reflection(width, 7000 + seed++);
        std::transform(matrix.begin(), matrix.end(), to, [&](double value) {
          return float_to_half(static_cast<float>(factor * value));
        });
      };
      halves(1, made.rotation.data());
      for (std::size_t at = 0; at < made.predictor.size(); at += width * width) {
        halves(0.4, &made.predictor[at]);
      }
    }
  }
  return profile;
}

// Whole tokens: some layers of a profile.
struct TokenShape {
  std::size_t head_dim;
  int kv_heads, layers, group;
  LayerRange range;
  double size = 0.5;

  std::size_t dim() const {
    return 2 * head_dim * static_cast<std::size_t>(kv_heads * range.count);
  }
};

class DeviceKlt : public DeviceCase<> {
 protected:
  void make(const std::string& spec, std::size_t dim, Part part = Part::key) {
    source_ = std::make_unique<OneProfile>(dense_profile(dim));
    shape_.reset();
    part_ = part;
    std::vector<CodecInput> inputs;
    for (int head = 0; head < kHeads; ++head) {
      inputs.push_back({dim, source_.get(), KvSite{0, part, head}});
    }
    codec_ = make_device_codec(spec, inputs);
  }
  void make(const std::string& spec, const TokenShape& shape) {
    source_ = std::make_unique<OneProfile>(
        dense_profile(shape.head_dim, shape.layers, shape.kv_heads, shape.group, shape.size));
    CodecInput input{shape.dim(), source_.get()};
    input.layers = shape.range;
    codec_ = make_device_codec(spec, input);
    shape_ = shape;
  }

  // Vectors of the profile; of every eleven one far from it, all of tokens [32, 64) among them.
  void draw_near(Vectors& x, std::uint64_t seed) const {
    const std::size_t tokens = x.view().tokens, dim = x.view().dim;
    std::vector<std::vector<float>> near;
    for (int head = 0; head < static_cast<int>(x.view().heads); ++head) {
      near.push_back(shape_ ? tokens_near(tokens, seed)
                            : vectors_of(source_->profile().transform({0, part_, head}, {}), tokens,
                                         seed * 10 + static_cast<std::uint64_t>(head)));
    }
    x.set_all([&](std::size_t head, std::size_t t, std::span<float> v) {
      std::copy_n(&near[head][t * dim], dim, v.begin());
      const std::size_t kind = (t + head) % 11;
      if (kind == 3 || (t >= 32 && t < 64)) {
        for (float& value : v) value *= 300;
      } else if (kind == 7) {
        draw(t % 2 == 0 ? Data::ties : Data::extreme, seed, t, v);
      } else if (kind == 8) {  // near the limit of what a page may take
        for (float& value : v) value *= static_cast<float>(4 + t % 60);
      }
    });
  }

  // A graph of encoding and decoding, replayed over vectors drawn anew, gives what a round trip gives.
  void expect_replays(std::size_t tokens, std::size_t heads, std::size_t dim) {
    if (emulated()) GTEST_SKIP() << "no graphs in the emulation";
    Vectors x(DeviceScalar::bf16, tokens, heads, dim), y(DeviceScalar::bf16, tokens, heads, dim),
        z(DeviceScalar::bf16, tokens, heads, dim);
    Store store(codec_->layout(tokens, heads));
    y.poison();
    z.poison();
    const OwnStream stream;
    DeviceGraph graph(stream.get());
    codec_->encode(x.view(), store.sections.data(), store.flag_data(), stream.get(),
                   store.workspace.data());
    codec_->decode(store.sections.data(), y.view(), store.flag_data(), stream.get(),
                   store.workspace.data());
    graph.finish();
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      draw_near(x, seed);
      device_wait(nullptr);
      graph.run(stream.get());
      device_wait(stream.get());
      codec_->round_trip(x.view(), z.view(), store.flag_data(), nullptr, store.workspace.data());
      EXPECT_EQ(store.any_flag(), 0u);
      y.download();
      z.download();
      std::size_t wrong = 0;
      for (std::size_t t = 0; t < tokens; ++t) {
        for (std::size_t h = 0; h < heads; ++h) {
          for (std::size_t i = 0; i < dim; ++i) wrong += y.pattern(t, h, i) != z.pattern(t, h, i);
        }
      }
      EXPECT_EQ(wrong, 0u);
    }
  }

  // How many of the vectors are kept beside the code.
  std::size_t kept_of(Vectors& x) const {
    std::size_t kept = 0;
    for (std::size_t head = 0; head < x.view().heads; ++head) {
      const Codec& host = codec_->host(head);
      std::vector<std::byte> frame(host.encoded_bound(x.view().tokens));
      frame.resize(host.encode(x.rows(head), frame));
      kept += host.account().beyond_profile(frame_info(frame, source_.get()));
    }
    return kept;
  }

  // Of tokens of all layers those of shape_.range.
  std::vector<float> tokens_near(std::size_t count, std::uint64_t seed) const {
    const std::vector<float> all = tokens_of(source_->profile(), count, seed);
    const std::size_t dim = shape_->dim(), each = count == 0 ? 0 : all.size() / count,
                      width = dim / static_cast<std::size_t>(shape_->range.count);
    std::vector<float> near;
    for (std::size_t t = 0; t < count; ++t) {
      const auto from =
          all.begin() + static_cast<std::ptrdiff_t>(
                            t * each + static_cast<std::size_t>(shape_->range.first) * width);
      near.insert(near.end(), from, from + static_cast<std::ptrdiff_t>(dim));
    }
    return near;
  }

  std::unique_ptr<OneProfile> source_;
  std::optional<TokenShape> shape_;  // of whole tokens
  Part part_ = Part::key;
  std::unique_ptr<DeviceCodec> codec_;
};

}  // namespace kakeya::test

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "device/both_sides.h"
#include "support/made_profile.h"

// klt of the three heads of a layer, for tests.

namespace kakeya::test {

inline constexpr int kHeads = 3;

// Every head has another dense transform, I - 2 v v', and other classes.
inline Profile dense_profile(std::size_t dim) {
  Profile profile = made_profile(dim, 1, kHeads);
  for (std::size_t part = 0; part < profile.parts.size(); ++part) {
    for (std::size_t head = 0; head < kHeads; ++head) {
      SiteTransform& site = profile.parts[part].heads[0][head];
      const Random random(100 * part + head);
      std::vector<double> v(dim);
      double norm = 0;
      for (std::size_t i = 0; i < dim; ++i) v[i] = random.normal(i), norm += v[i] * v[i];
      for (std::size_t i = 0; i < dim; ++i) {
        site.mean[i] += static_cast<float>(0.01 * static_cast<double>(i % 7));
        for (std::size_t j = 0; j < dim; ++j) {
          const double value = (i == j ? 1.0 : 0.0) - 2 * v[i] * v[j] / norm;
          site.forward[i * dim + j] = static_cast<float>(value / 0.5);
          site.backward[i * dim + j] = static_cast<float>(value * 0.5);
        }
      }
      for (std::uint8_t& which : site.classes) {
        which =
            static_cast<std::uint8_t>(which + kDeviations * static_cast<int>(head + part) % 256);
      }
    }
  }
  return profile;
}

class DeviceKlt : public testing::Test {
 protected:
  void SetUp() override {
    if (device_count() == 0) GTEST_SKIP() << "no GPU here, or a build without CUDA";
  }
  static bool emulated() { return device_info().name == "emulated"; }

  void make(const std::string& spec, std::size_t dim, Part part = Part::key) {
    source_ = std::make_unique<OneProfile>(dense_profile(dim));
    part_ = part;
    std::vector<CodecInput> inputs;
    for (int head = 0; head < kHeads; ++head) {
      inputs.push_back({dim, source_.get(), KvSite{0, part, head}});
    }
    codec_ = make_device_codec(spec, inputs);
  }

  // Vectors of the profile; of every eleven one far from it, all of tokens [32, 64) among them.
  void draw_near(Vectors& x, std::uint64_t seed) const {
    const std::size_t tokens = x.view().tokens, dim = x.view().dim;
    std::vector<std::vector<float>> near;
    for (int head = 0; head < kHeads; ++head) {
      near.push_back(vectors_of(source_->profile().transform({0, part_, head}, {}), tokens,
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

  // How many of the vectors are kept beside the code.
  std::size_t kept_of(Vectors& x) const {
    std::size_t kept = 0;
    for (std::size_t head = 0; head < kHeads; ++head) {
      const Codec& host = codec_->host(head);
      std::vector<std::byte> frame(host.encoded_bound(x.view().tokens));
      frame.resize(host.encode(x.rows(head), frame));
      kept += host.account().beyond_profile(frame_info(frame, source_.get()));
    }
    return kept;
  }

  std::unique_ptr<OneProfile> source_;
  Part part_ = Part::key;
  std::unique_ptr<DeviceCodec> codec_;
};

}  // namespace kakeya::test

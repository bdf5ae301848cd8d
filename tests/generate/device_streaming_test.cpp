// SPDX-License-Identifier: Apache-2.0
// How tokens arrive at a cache on a GPU: alone, in chunks, all at once. Without a GPU these tests run over the
// kernels' text on the host.
// Compiled alone: two programs have it.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "device/device_case.h"
#include "device/klt_heads.h"
#include "kakeya/cache/packed_cache.h"
#include "kakeya/core/half.h"
#include "kakeya/core/random.h"
#include "kakeya/generate/device_cache.h"
#include "support/scratch_folder.h"
#include "support/tiny_model.h"

namespace kakeya {
namespace {

constexpr std::size_t kTokens = 450;
using Patterns = std::array<std::vector<std::uint16_t>, 2>;  // of keys and values, bf16

class DeviceStreaming : public test::DeviceCase<::testing::Test> {
 protected:
  void SetUp() override {
    test::DeviceCase<::testing::Test>::SetUp();
    if (IsSkipped()) return;
    testing::TinyModel tiny;
    tiny.context = 512;
    tiny.layers = 1;
    tiny.head_dim = 64;
    tiny.fill().write_hf(scratch_ / "hf");
    facts_ = load_model(scratch_ / "hf", {emulated() ? "cpu" : "cuda", "fp32", 1})->facts();
    width_ = facts_.shape.part_width();
    for (std::size_t part = 0; part < 2; ++part) {
      const Random random(part);
      for (std::size_t i = 0; i < kTokens * width_; ++i) {
        given_[part].push_back(static_cast<float>(random.normal(i)));
      }
    }
  }

  Patterns on_device(const DeviceCacheCodec& codec, std::size_t chunk) {
    DeviceCache cache(facts_, policy_, codec);
    const int sequence = cache.add_sequence();
    std::array<DeviceBuffer, 2> memory{DeviceBuffer(4 * chunk * width_),
                                       DeviceBuffer(4 * chunk * width_)};
    for (std::size_t at = 0; at < kTokens; at += chunk) {
      const StepPart part{sequence, 0, std::min(chunk, kTokens - at), at};
      std::array<DeviceVectors, 2> rows;
      for (std::size_t i = 0; i < 2; ++i) {
        memory[i].copy_in(&given_[i][at * width_], 4 * part.rows * width_);
        rows[i] = dense_device_vectors(memory[i].data(), DeviceScalar::fp32, part.rows,
                                       facts_.shape.heads(), facts_.shape.dim());
      }
      cache.begin_step({&part, 1});
      cache.append_rows(0, rows[0], rows[1], nullptr);
      cache.end_step(nullptr);
    }
    const std::array<DeviceVectors, 2> held = cache.rows(sequence, 0, {0, kTokens}, nullptr);
    device_wait(nullptr);
    Patterns patterns;
    for (std::size_t i = 0; i < 2; ++i) {
      patterns[i].resize(kTokens * width_);
      device_copy_out(patterns[i].data(), held[i].data, 2 * patterns[i].size());
    }
    return patterns;
  }

  // The same tokens in a live cache on the host; `sealed`: how many of them are in its pages.
  Patterns on_host(const DeviceCacheCodec& codec, std::size_t& sealed) {
    const CacheInput input{facts_.shape, 0, codec.profiles};
    PackedCache cache(facts_.shape, policy_, make_cache_codecs({codec.spec, codec.spec}, input));
    const int sequence = cache.add_sequence();
    const auto rows = [&](std::size_t part) {
      return dense_rows<const float>(given_[part].data(), kTokens, width_);
    };
    cache.append(sequence, 0, rows(0), rows(1));
    Patterns patterns;
    for (const Part part : {Part::key, Part::value}) {
      std::vector<float> values(kTokens * width_);
      cache.read(sequence, {0, part}, {0, kTokens}, dense_rows(values.data(), kTokens, width_));
      for (const float value : values) {
        patterns[part == Part::key ? 0 : 1].push_back(float_to_bfloat16(value));
      }
    }
    sealed = cache.sealed_tokens(sequence, {0, Part::key});
    return patterns;
  }

  testing::ScratchFolder scratch_;
  ModelFacts facts_;
  CachePolicy policy_{1, 0, 4, 20, {}};
  std::size_t width_ = 0;
  std::array<std::vector<float>, 2> given_;
};

// However tokens come the cache holds the same, and of what both have sealed what a cache on the host holds. Lattice
// codecs have pages of 64 tokens there and of 128 here.
TEST_F(DeviceStreaming, HoldsTheSameHoweverTokensComeAndWhatTheHostHolds) {
  const test::OneProfile profile(
      test::dense_profile(facts_.shape.dim(), 1, facts_.shape.kv_heads, 1, 4));
  for (const char* spec :
       {"tq:b=4", "d4:q=7", "e8:q=7", "fp8", "klt:bits=4,lattice=z,pages=tiles,page=128"}) {
    DeviceCacheCodec codec{spec};
    if (std::string_view(spec).substr(0, 3) == "klt") codec.profiles = &profile;
    const Patterns whole = on_device(codec, kTokens);
    for (const std::size_t chunk : {1u, 3u, 7u, 64u}) {
      EXPECT_TRUE(on_device(codec, chunk) == whole) << spec << ", " << chunk << " at a time";
    }
    std::size_t sealed = 0;
    const Patterns host = on_host(codec, sealed);
    EXPECT_EQ(sealed, 3u * 128);
    std::size_t coded = 0;
    for (std::size_t i = 0; i < host[0].size(); ++i) {
      coded += host[0][i] != float_to_bfloat16(given_[0][i]) ? 1 : 0;
    }
    EXPECT_GT(coded, sealed * width_ / 2) << spec;
    const auto end = static_cast<std::ptrdiff_t>((4 + sealed) * width_);
    for (std::size_t part = 0; part < 2; ++part) {
      EXPECT_TRUE(std::equal(whole[part].begin(), whole[part].begin() + end, host[part].begin()))
          << spec << ", part " << part;
    }
  }
}

}  // namespace
}  // namespace kakeya

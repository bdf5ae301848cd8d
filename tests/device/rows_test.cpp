// SPDX-License-Identifier: Apache-2.0
// bf16 vectors that have a lane each, of 256 two (kernels/fixed_rate_rows.cu). A warp takes 32 of them, or
// 16: partial warps, rows that begin within a word of bits, and damage of one vector among others are
// tested here. Without a GPU these tests are skipped; device_emulated_test runs them on the host.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "device/both_sides.h"
#include "device/compare.h"
#include "device/device_case.h"
#include "kakeya/core/random.h"

namespace kakeya {
namespace {

using namespace test;

constexpr std::size_t kRowDims[] = {64, 128, 256};

class DeviceRows : public DeviceCase<testing::TestWithParam<std::string>> {};

std::unique_ptr<DeviceCodec> codec_of_rows(const std::string& spec, std::size_t dim) {
  return make_device_codec(spec, {dim, nullptr, KvSite{0, Part::value, 0}});
}

TEST_P(DeviceRows, BytesAndValuesOfPartialWarpsAreTheCpus) {
  for (const std::size_t dim : kRowDims) {
    const auto codec = codec_of_rows(GetParam(), dim);
    for (const std::size_t tokens : {1, 3, 31, 32, 33, 77}) {
      for (const Data data : kAllData) {
        Vectors x(DeviceScalar::bf16, tokens, 2, dim), y(DeviceScalar::bf16, tokens, 2, dim);
        x.draw_all(data, dim + tokens);
        compare(*codec, x, y,
                GetParam() + " dim " + std::to_string(dim) + ", " + std::to_string(tokens) +
                    " tokens, data " + std::to_string(static_cast<int>(data)));
      }
    }
  }
}

// Coordinates at and beside the ends of the box, and halfway between points, of many steps: what is
// nearest then is decided by the last bit, and often a point outside is.
TEST_P(DeviceRows, NearestPointsAtTheBoxAreTheCpus) {
  for (const std::size_t dim : kRowDims) {
    const auto codec = codec_of_rows(GetParam(), dim);
    Vectors x(DeviceScalar::bf16, 96, 2, dim), y(DeviceScalar::bf16, 96, 2, dim);
    for (const std::uint64_t seed : {1, 2, 3}) {
      x.set_all([&](std::size_t head, std::size_t t, std::span<float> v) {
        const Random random(seed, 2 * t + head);
        // A sum of few rows of the Hadamard matrix has few coordinates after it: large ones and zeros.
        const std::size_t rows = 1 + t % 5;
        std::fill(v.begin(), v.end(), 0.0f);
        for (std::size_t k = 0; k < rows; ++k) {
          const std::uint64_t row = random.bits(k) >> 9;
          const float size = static_cast<float>(1 + (random.bits(40 + k) >> 9) % 16) / 8;
          for (std::size_t i = 0; i < v.size(); ++i) {
            v[i] += std::popcount(row & i) % 2 == 0 ? size : -size;
          }
        }
        if (t % 7 == 0) v[random.bits(90) % v.size()] += 1.0f / 16;
        for (float& value : v) value = std::ldexp(value, static_cast<int>(t % 40) - 20);
      });
      compare(*codec, x, y,
              GetParam() + " dim " + std::to_string(dim) + ", seed " + std::to_string(seed));
    }
  }
}

// Sizes beside those from which on a vector has a window, the same in all vectors of a warp: one that has
// a window would have all of them looked at. A vector of equal magnitudes is the largest for its largest
// magnitude, one of a single coordinate the smallest.
TEST_P(DeviceRows, WindowsOfWholeWarpsAreTheCpus) {
  constexpr int kExponents[] = {-17, -16, -15, -14, -13, -12, 7, 8, 9, 10, 11};
  const std::size_t heads = std::size(kExponents);
  for (const std::size_t dim : kRowDims) {
    const auto codec = codec_of_rows(GetParam(), dim);
    Vectors x(DeviceScalar::bf16, 32, heads, dim), y(DeviceScalar::bf16, 32, heads, dim);
    for (const bool single : {false, true}) {
      for (const float size : {1.0f, 1.75f}) {
        x.set_all([&](std::size_t head, std::size_t t, std::span<float> v) {
          const Random random(dim, t);
          const float most = std::ldexp(size, kExponents[head]);
          for (std::size_t i = 0; i < v.size(); ++i) {
            const bool there = !single || i == 5 * t % v.size();
            v[i] = !there ? 0.0f : random.bits(i) >> 63 != 0 ? most : -most;
          }
        });
        compare(*codec, x, y,
                GetParam() + " dim " + std::to_string(dim) + (single ? ", single" : ", equal") +
                    ", size " + std::to_string(size));
      }
    }
  }
}

// Codes that no point has, scales and windows that nothing writes: a flag of the head where the host
// refuses its frame, and the host's values where it does not.
TEST_P(DeviceRows, DamagedSectionsAreWhatTheHostSays) {
  for (const std::size_t dim : kRowDims) {
    const std::size_t tokens = 45, heads = 3;
    const auto codec = codec_of_rows(GetParam(), dim);
    const DeviceLayout layout = codec->layout(tokens, heads);
    Vectors x(DeviceScalar::bf16, tokens, heads, dim);
    x.draw_all(Data::extreme, dim);
    Store store(layout);
    codec->encode(x.view(), store.sections.data(), store.flag_data(), nullptr,
                  store.workspace.data());
    ASSERT_EQ(store.any_flag(), 0u);
    const std::vector<std::byte> whole = store.image;
    const Random random(17, dim);
    for (const DeviceLayout::Section& section : layout.sections) {
      SCOPED_TRACE(section.name);
      std::size_t refused = 0, taken = 0;
      for (std::size_t round = 0; round < 60; ++round) {
        std::vector<std::byte> image = whole;
        const std::uint64_t bits = random.bits(round) >> 5;
        // A run of ones is no code of any setting here where it is long enough.
        const std::size_t length = round % 3 == 0 ? 1 : 1 + bits % 12;
        const std::size_t at = (bits >> 8) % (section.bytes - std::min(section.bytes, length) + 1);
        for (std::size_t i = 0; i < std::min(length, section.bytes); ++i) {
          image[section.offset + section.stride + at + i] =
              round % 3 == 1 ? std::byte{0xff}
                             : static_cast<std::byte>(random.bits(99 + bits + i) >> 7);
        }
        const bool was_refused =
            expect_what_the_host_says(*codec, layout, image, dim, DeviceScalar::bf16);
        ++(was_refused ? refused : taken);
      }
      EXPECT_GT(refused, 0u);
      EXPECT_GT(taken, 0u);
    }
  }
}

// One vector that is not finite, in every place of a warp in turn: its head has the flag, and the codes
// of all others are as they were.
TEST_P(DeviceRows, WhatIsNotFiniteTouchesNoOther) {
  for (const std::size_t dim : kRowDims) {
    const std::size_t tokens = 35, heads = 2;
    const auto codec = codec_of_rows(GetParam(), dim);
    const DeviceLayout layout = codec->layout(tokens, heads);
    Vectors x(DeviceScalar::bf16, tokens, heads, dim);
    x.draw_all(Data::heavy, dim);
    const auto encoded = [&](std::uint32_t flag_of_head_1) {
      Store store(layout);
      codec->encode(x.view(), store.sections.data(), store.flag_data(), nullptr,
                    store.workspace.data());
      store.download();
      EXPECT_EQ(store.words[0], 0u);
      EXPECT_EQ(store.words[1] != 0, flag_of_head_1 != 0);
      return store.image;
    };
    const std::vector<std::byte> whole = encoded(0);
    for (std::size_t token = 0; token < tokens; ++token) {
      const std::uint16_t bad = token % 3 == 0 ? 0x7fc0 : token % 3 == 1 ? 0x7f80 : 0xff80;
      std::uint8_t* const place = x.at(token, 1, 13 * token % dim);
      std::uint16_t before = 0;
      std::memcpy(&before, place, 2);
      std::memcpy(place, &bad, 2);
      x.upload();
      const std::vector<std::byte> image = encoded(1);
      std::memcpy(place, &before, 2);
      for (const DeviceLayout::Section& section : layout.sections) {
        const std::size_t of_token = section.bytes / tokens;
        ASSERT_EQ(of_token * tokens, section.bytes);
        std::size_t wrong = 0;
        for (std::size_t head = 0; head < heads; ++head) {
          for (std::size_t i = 0; i < section.bytes; ++i) {
            const std::size_t at = section.offset + head * section.stride + i;
            wrong += (head == 0 || i / of_token != token) && image[at] != whole[at];
          }
        }
        EXPECT_EQ(wrong, 0u) << section.name << " of " << GetParam() << " dim " << dim << ", token "
                             << token;
      }
    }
    x.upload();
  }
}

INSTANTIATE_TEST_SUITE_P(Codecs, DeviceRows,
                         testing::Values("tq:b=4", "d4:q=38", "d4:q=7", "e8:q=10", "e8:q=7"),
                         [](const auto& spec) {
                           std::string name;
                           for (const char c : spec.param) {
                             name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
                           }
                           return name;
                         });

}  // namespace
}  // namespace kakeya

// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "codecs/vectors_for_test.h"
#include "kakeya/bitstream/frame.h"
#include "kakeya/core/error.h"
#include "kakeya/core/half.h"

namespace kakeya {
namespace {

using namespace test;

std::unique_ptr<Codec> keys(const std::string& spec, std::size_t dim) {
  return make(spec + std::string(kKeys), dim);
}

// What an independent script's plain loop gives for normal values in groups of 32.
TEST(Kivi, ErrsOnNormalValuesAsItsDefinition) {
  const std::size_t dim = 128;
  const auto x = normals(dim * 4096, 91);
  for (const auto& [spec, expected] :
       {std::pair("kivi:b=2", 0.1553), std::pair("kivi:b=3", 2.823e-2),
        std::pair("kivi:b=4", 6.14e-3), std::pair("kivi:b=8", 2.125e-5)}) {
    EXPECT_NEAR(rel_mse(x, roundtrip(*make(spec, dim), x)) / expected, 1.0, 0.01) << spec;
    EXPECT_NEAR(rel_mse(x, roundtrip(*keys(spec, dim), x)) / expected, 1.0, 0.01) << spec;
  }
}

// Three bits: a channel from 8 to 15 has zero 8 and scale 1, one from -21 to 21 zero -21 and scale
// 6. As values both share zero -21 and scale 36 / 7, 5.142578125 in binary16.
TEST(Kivi, AGroupByHand) {
  std::vector<float> x;
  for (int token = 0; token < 8; ++token) {
    x.push_back(static_cast<float>(8 + token));
    x.push_back(static_cast<float>(6 * token - 21));
  }
  EXPECT_EQ(roundtrip(*keys("kivi:b=3,group=8", 2), x), x);
  const auto y = roundtrip(*make("kivi:b=3,group=8", 2), {15.0f, -21.0f, 3.0f, 3.0f, 1.0f, 4.5f});
  const float scale = half_to_float(float_to_half(36.0f / 7.0f));
  EXPECT_EQ(scale, 5.14453125f);
  EXPECT_EQ(y, (std::vector<float>{-21 + 7 * scale, -21.0f, 3.0f, 3.0f, 1.0f, 4.5f}));
}

TEST(Kivi, TheOpenGroupOfKeysIsBfloat16) {
  const std::size_t dim = 16, count = 21;
  auto x = normals(dim * count, 92);
  x[20 * dim] = std::numeric_limits<float>::max();  // which has no finite bfloat16
  const auto codec = keys("kivi:b=1,group=8", dim);
  const auto y = roundtrip(*codec, x);
  EXPECT_EQ(y[20 * dim], bfloat16_to_float(0x7f7f));
  for (std::size_t i = 16 * dim; i < 20 * dim; ++i) {
    EXPECT_EQ(y[i], bfloat16_to_float(float_to_bfloat16(x[i]))) << i;
  }
  EXPECT_GT(rel_mse(std::span(x).first(16 * dim), std::span(y).first(16 * dim)), 0.1);
}

TEST(Kivi, TheLastGroupOfValuesIsShorter) {
  const std::size_t dim = 80;
  auto x = normals(dim * 50, 93, 0.01);
  for (std::size_t row = 0; row < 50; ++row) x[row * dim + 63] = 100.0f;
  const auto codec = make("kivi:b=4", dim);
  const auto y = roundtrip(*codec, x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const bool beside = i % dim >= 32 && i % dim < 64;
    EXPECT_NEAR(x[i], y[i], beside ? 3.5 : 0.003) << i;
  }
  const auto frame = encode(*codec, dense_rows<const float>(x.data(), 50, dim));
  const FrameInfo info = frame_info(frame);
  EXPECT_EQ(info.sections[2], std::pair(std::string("scales"), std::size_t{50 * 3 * 4}));
  EXPECT_EQ(*codec->account().rates().nominal_bits_per_vector, 80 * 5.0);
  EXPECT_EQ(*codec->account().rates().codebook_bits_per_vector, 80 * 4.0 + 3 * 32);
}

TEST(Kivi, WritesWhatItCharges) {
  const std::size_t dim = 64, count = 256;
  const auto x = normals(dim * count, 94);
  for (const bool key : {false, true}) {
    const auto codec = make(key ? "kivi:b=3@keys" : "kivi:b=3", dim);
    EXPECT_EQ(codec->spec(), "kivi:b=3");
    EXPECT_EQ(*codec->account().rates().nominal_bits_per_vector, 64 * 4.0);
    EXPECT_EQ(*codec->account().rates().codebook_bits_per_vector, 64 * 4.0);
    const auto frame = encode(*codec, dense_rows(x.data(), count, dim));
    std::size_t sections = 0;
    for (const auto& [name, bytes] : frame_info(frame).sections) {
      if (name != "header" && name != "checksum") sections += bytes;
    }
    EXPECT_EQ(sections, 1 + count * dim * 4 / 8);
  }
}

// A large mean beside a small range: codes begin at the zero that is stored.
TEST(Kivi, ZerosMayBeFarFromTheRange) {
  std::vector<float> x(64 * 32);
  const Random random(95);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = 200.0f + static_cast<float>(random.bits(i) % 16);
  }
  for (std::size_t i = 0; i < 64; ++i) {  // the whole range in every group, or one value
    x[i] = x[32 * i] = 200.0f;
    x[64 + i] = x[32 * i + 1] = 215.0f;
  }
  for (const auto& codec : {make("kivi:b=4", 64), keys("kivi:b=4", 64)}) {
    EXPECT_EQ(roundtrip(*codec, x), x);
  }
  for (float& value : x) value = 1000.0f + value / 1024;  // not of bf16: the zero is off by 1/4
  for (const auto& codec : {make("kivi:b=8", 64), keys("kivi:b=8", 64)}) {
    const auto y = roundtrip(*codec, x);
    for (std::size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(y[i], x[i], 0.26);
  }
}

TEST(Kivi, ConstantsAndMagnitudesBeyondBinary16) {
  const std::size_t dim = 64, count = 32;
  const Random random(96);
  for (const int exponent : {-149, -140, -120, -60, -30, -24, -18, -12, 0, 13, 14, 16, 60, 127}) {
    const float scale = std::ldexp(1.0f, exponent);
    std::vector<float> x(dim * count, -scale), steps(dim * count);
    for (std::size_t i = 0; i < x.size(); ++i) {
      steps[i] = static_cast<float>(static_cast<int>(random.bits(i) % 256) - 128) *
                 std::ldexp(1.0f, std::max(exponent - 7, -149));
    }
    for (std::size_t i = 0; i < dim; ++i) {  // the whole range in every group
      steps[32 * i] = steps[i] = -128 * std::ldexp(1.0f, std::max(exponent - 7, -149));
      steps[32 * i + 1] = steps[dim + i] = 127 * std::ldexp(1.0f, std::max(exponent - 7, -149));
    }
    for (const auto& codec : {make("kivi:b=8", dim), keys("kivi:b=8", dim)}) {
      EXPECT_EQ(roundtrip(*codec, x), x) << "constant, 2^" << exponent;
      EXPECT_EQ(roundtrip(*codec, steps), steps) << "2^" << exponent;
    }
  }
}

// A window costs a byte for every group of a frame: groups of a real cache have none.
TEST(Kivi, WindowsAreRare) {
  for (const auto& [sigma, bits] : {std::pair(3000.0, 4), std::pair(0.01, 8), std::pair(1e-4, 4)}) {
    const auto x = normals(64 * 64, 97, sigma);
    const auto codec = make("kivi:b=" + std::to_string(bits), 64);
    const auto frame = encode(*codec, dense_rows(x.data(), 64, 64));
    EXPECT_EQ(frame_info(frame).sections[5], std::pair(std::string("windows"), std::size_t{0}));
  }
}

TEST(Kivi, PagesDecodeAlone) {
  const std::size_t dim = 24, count = 45;
  const auto x = normals(dim * count, 98);
  for (const auto& codec : {make("kivi:b=3,group=16", dim), keys("kivi:b=3,group=16", dim)}) {
    ASSERT_EQ(codec->page_vectors(), 16u);
    const auto frame = encode(*codec, dense_rows(x.data(), count, dim));
    const auto whole = decode(*codec, frame, count);
    for (std::size_t page = 0; page < 3; ++page) {
      const std::size_t rows = page == 2 ? 13 : 16;
      std::vector<float> y(rows * dim);
      codec->decode_page(frame, page, dense_rows(y.data(), rows, dim));
      EXPECT_TRUE(std::equal(y.begin(), y.end(),
                             whole.begin() + static_cast<std::ptrdiff_t>(page * 16 * dim)))
          << page;
    }
    std::vector<float> y(16 * dim);
    EXPECT_THROW(codec->decode_page(frame, 2, dense_rows(y.data(), 16, dim)), InputError);
    EXPECT_THROW(codec->decode_page(frame, 3, dense_rows(y.data(), 16, dim)), InputError);
  }
}

TEST(Kivi, FramesSayWhichPartTheyAreOf) {
  const std::size_t dim = 8, count = 8;
  const auto x = normals(dim * count, 99);
  const auto rows = dense_rows(x.data(), count, dim);
  const auto by_channel = keys("kivi:b=2,group=8", dim), by_token = make("kivi:b=2,group=8", dim);
  auto frame = encode(*by_channel, rows);
  const auto y = decode(*by_channel, frame, count);
  EXPECT_EQ(decode(*codec_of_frame(frame), frame, count), y);
  EXPECT_NE(roundtrip(*by_token, x), y);
  std::vector<float> out(dim * count);
  const auto room = dense_rows(out.data(), count, dim);
  EXPECT_THROW(by_token->decode(frame, room), CorruptStream);
  EXPECT_THROW(by_token->decode_page(frame, 0, room), CorruptStream);
  frame[frame_info(frame).sections[0].second] = std::byte{2};
  seal(frame);
  EXPECT_THROW(frame_info(frame), CorruptStream);
  EXPECT_THROW(codec_of_frame(frame), CorruptStream);
}

// One forged number a frame: the zero, the scale, a window, a key of the open group.
TEST(Kivi, NumbersThatAreNotFiniteAreRefused) {
  const std::size_t dim = 8, count = 9;
  const auto x = normals(dim * count, 100, 1e-30);
  const auto codec = keys("kivi:b=2,group=8", dim);
  const auto frame = encode(*codec, dense_rows(x.data(), count, dim));
  const FrameInfo info = frame_info(frame);
  const std::size_t scales = info.sections[0].second + 1;
  const std::size_t open = scales + info.sections[2].second + info.sections[3].second;
  const std::size_t windows = open + info.sections[4].second;
  ASSERT_EQ(info.sections[5].second, dim);
  const auto refused = [&](std::size_t at, std::uint16_t pattern, std::size_t bytes) {
    auto forged = frame;
    std::memcpy(forged.data() + at, &pattern, bytes);
    seal(forged);
    std::vector<float> out(dim * count);
    EXPECT_THROW(codec->decode(forged, dense_rows(out.data(), count, dim)), CorruptStream) << at;
  };
  refused(scales, 0x7c00, 2);
  refused(scales, 0xfe00, 2);
  refused(scales + 2, 0x7c00, 2);
  refused(scales + 2, 0x8001, 2);  // a scale below 0
  refused(open, 0x7f80, 2);
  refused(open + 2 * dim - 2, 0xffc0, 2);
  refused(windows, 9, 1);
}

TEST(Kivi, WhatItRefuses) {
  const KvSite site{0, Part::key, 0};
  for (const char* spec : {"kivi", "kivi:b=0", "kivi:b=9", "kivi:b=4,group=12", "kivi:b=4,group=0",
                           "kivi:b=4,group=1032", "kivi:b=4,axis=channel"}) {
    EXPECT_THROW(make_codec(spec, {64, nullptr, site}), SpecError) << spec;
  }
  EXPECT_THROW(make_codec("kivi:b=4", {0, nullptr, site}), InputError);
  EXPECT_THROW(make_codec("kivi:b=4", {65537, nullptr, site}), InputError);
  EXPECT_THROW(make_codec("kivi:b=4", {64}), InputError);
}

}  // namespace
}  // namespace kakeya

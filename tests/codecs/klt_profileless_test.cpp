// SPDX-License-Identifier: Apache-2.0
// klt without a profile: what a frame says of its first tokens, and what is learnt after them.
#include <gtest/gtest.h>

#include <cmath>

#include "codecs/vectors_for_test.h"
#include "codecs/written_alike.h"
#include "kakeya/codecs/klt/first_look.h"
#include "kakeya/core/error.h"

namespace kakeya {
namespace {

using namespace test;

constexpr std::size_t kWidth = 64, kLayers = 3, kDim = kWidth * kLayers;

// Tokens whose coordinates follow a few hidden ones, the same in every layer; values a thousandth of keys.
std::vector<float> tokens(std::size_t count, std::uint64_t seed) {
  const auto hidden = normals(count * 6, seed), mixing = normals(6 * kDim, 1),
             noise = normals(count * kDim, seed + 1, 0.2), mean = normals(kDim, 2, 3.0);
  std::vector<float> x(count * kDim);
  for (std::size_t t = 0; t < count; ++t) {
    for (std::size_t i = 0; i < kDim; ++i) {
      float value = mean[i] + noise[t * kDim + i];
      for (std::size_t k = 0; k < 6; ++k) value += hidden[t * 6 + k] * mixing[k * kDim + i];
      x[t * kDim + i] = value * (i / (kWidth / 2) % 2 == 0 ? 1.0f : 1e-3f);
    }
  }
  return x;
}

std::unique_ptr<Codec> codec_of(const std::string& spec) {
  CodecInput input{kDim, nullptr};
  input.layers = LayerRange{2, static_cast<int>(kLayers)};
  return make_codec(spec, input);
}

double bits_of(const std::string& spec, const std::vector<float>& x) {
  const auto codec = codec_of(spec);
  return 8.0 *
         static_cast<double>(encode(*codec, dense_rows(x.data(), x.size() / kDim, kDim)).size()) /
         static_cast<double>(x.size());
}

TEST(KltProfileless, LearnsWhatNobodyTold) {
  const auto shorter = tokens(256, 3), longer = tokens(4096, 3);
  EXPECT_LT(bits_of("klt:bits=4,profile=none", longer),
            0.8 * bits_of("klt:bits=4,profile=none", shorter));
  EXPECT_LT(bits_of("klt:bits=4,profile=none", longer), 3.2);
  const auto codec = codec_of("klt:bits=4,profile=none");
  const auto y = roundtrip(*codec, longer);
  double keys[2] = {}, values[2] = {};
  for (std::size_t i = 0; i < y.size(); ++i) {
    double* const sums = i / (kWidth / 2) % 2 == 0 ? keys : values;
    sums[0] += (y[i] - longer[i]) * (y[i] - longer[i]);
    sums[1] += longer[i] * longer[i];
  }
  EXPECT_LT(keys[0] / keys[1], 0.002);
  EXPECT_NEAR(std::log2(keys[0] / keys[1] / (values[0] / values[1])), 0, 0.5);
}

// Of more tokens than are said first.
TEST(KltProfileless, WritesTheSameBytesOnEveryInstructionSetWithAnyNumberOfThreads) {
  const auto x = tokens(1100, 9);
  const auto rows = dense_rows<const float>(x.data(), x.size() / kDim, kDim);
  for (const std::string keys : {"", ",lattice=z", ",group=3", ",send=8", ",predict=0,grow=4"}) {
    const std::string spec = "klt:bits=3,profile=none" + keys;
    const auto make = [](const std::string& given) {
      CodecInput input{kDim, nullptr};
      input.layers = LayerRange{static_cast<int>(kLayers), static_cast<int>(kLayers)};
      return make_codec(given, input);
    };
    expect_alike_on_every_instruction_set(make, spec, rows);
    expect_alike_with_any_threads(make, spec, rows);
  }
}

// Layers that follow the same hidden coordinates, put together.
TEST(KltProfileless, LearnsGroupsOfLayers) {
  const auto x = tokens(4096, 4);
  const std::string alone = "klt:bits=4,profile=none,predict=0";
  CodecInput input{2 * kWidth, nullptr};
  input.layers = LayerRange{2, 2};
  EXPECT_THROW(codec_of(alone + ",group=2"), InputError);  // three layers
  const auto bytes = [&](const std::string& spec) {
    const auto codec = make_codec(spec, input);
    const Rows<const float> rows{x.data(), 4096, 2 * kWidth, kDim};
    const auto frame = encode(*codec, rows);
    EXPECT_EQ(decode(*codec_of_frame(frame), frame, 4096), *reconstruct(*codec, rows));
    return static_cast<double>(frame.size());
  };
  EXPECT_LT(bytes(alone + ",group=2"), 0.95 * bytes(alone));
}

TEST(KltProfileless, AFrameSaysAllThatAReaderNeeds) {
  const auto x = tokens(700, 5);
  const auto codec = codec_of("klt:bits=3,profile=none,lattice=tcq,page=32");
  const auto frame = encode(*codec, dense_rows(x.data(), 700, kDim));
  EXPECT_EQ(decode(*codec_of_frame(frame), frame, 700), decode(*codec, frame, 700));
  EXPECT_EQ(codec->spec(), "klt:bits=3,lattice=tcq,page=32,profile=none");
  EXPECT_EQ(codec->account().profile_bytes(), 0u);
  const FrameInfo info = frame_info(frame);
  EXPECT_EQ(info.sections[2].first, "look");
  EXPECT_EQ(info.sections[2].second, look_bytes(kDim, kLayers));
}

TEST(KltProfileless, WhatIsSaidOfTheFirstTokens) {
  const auto x = tokens(256, 7);
  const FirstLook look = look_at(dense_rows(x.data(), 256, kDim), kLayers);
  EXPECT_EQ(to_bytes(look).size(), look_bytes(kDim, kLayers));
  const FirstLook read = look_from(to_bytes(look), kDim, kLayers, "x");
  EXPECT_EQ(to_bytes(read), to_bytes(look));
  EXPECT_NEAR(look.sizes[0] - look.sizes[1], 4 * std::log2(1000.0), 3);
  auto bytes = to_bytes(look);
  bytes[1] = std::byte{0x7f};
  EXPECT_THROW(look_from(bytes, kDim, kLayers, "x"), CorruptStream);
  bytes = to_bytes(look);
  bytes[4 * kLayers + 1] = std::byte{0x7f};
  bytes[4 * kLayers] = std::byte{0x80};
  EXPECT_THROW(look_from(bytes, kDim, kLayers, "x"), CorruptStream);
  bytes = to_bytes(look);
  bytes.back() = std::byte{32};
  EXPECT_THROW(look_from(bytes, kDim, kLayers, "x"), CorruptStream);
  bytes.pop_back();
  EXPECT_THROW(look_from(bytes, kDim, kLayers, "x"), CorruptStream);
  EXPECT_EQ(look_at({nullptr, 0, kDim, kDim}, kLayers).sizes, std::vector<std::int16_t>(6, 0));
}

TEST(KltProfileless, ASinkDoesNotMakeTheOthersSmall) {
  auto x = tokens(600, 9);
  const auto codec = codec_of("klt:bits=5,profile=none");
  const auto without = roundtrip(*codec, x);
  for (std::size_t i = 0; i < kDim; ++i) x[i] *= 1e5f;
  const auto with = roundtrip(*codec, x);
  double errors[2] = {};
  for (std::size_t i = kDim; i < x.size(); ++i) {
    errors[0] += (without[i] - x[i]) * (without[i] - x[i]);
    errors[1] += (with[i] - x[i]) * (with[i] - x[i]);
  }
  EXPECT_NEAR(errors[1] / errors[0], 1, 0.1);
}

TEST(KltProfileless, SpecsAndShapesThatDoNotFit) {
  for (const char* spec :
       {"klt:profile=none", "klt:bits=4,profile=none,predict=2", "klt:bits=4,profile=none,page=40",
        "klt:bits=4,profile=none,adapt=0", "klt:bits=4,profile=none,scope=layer",
        "klt:bits=4,profile=none,group=0"}) {
    EXPECT_THROW(codec_of(spec), SpecError) << spec;
  }
  CodecInput input{72, nullptr};
  EXPECT_THROW(make_codec("klt:bits=4,profile=none", input), InputError);
  input.dim = 80;
  EXPECT_EQ(make_codec("klt:bits=4,profile=none", input)->dim(), 80u);
  input.layers = LayerRange{0, 2};
  EXPECT_THROW(make_codec("klt:bits=4,profile=none", input), InputError);
}

TEST(KltProfileless, BytesOfThisFormatVersion) {
  const auto x = tokens(600, 13);
  const auto frame = encode(*codec_of("klt:bits=3,profile=none"), dense_rows(x.data(), 600, kDim));
  EXPECT_EQ(crc32c(std::span(frame).first(frame.size() - 4)), 76458617u);
}

}  // namespace
}  // namespace kakeya

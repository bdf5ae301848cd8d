// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codec/segment_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "codecs/vectors_for_test.h"
#include "kakeya/core/error.h"
#include "kakeya/core/worker_pool.h"
#include "support/made_profile.h"

namespace kakeya {
namespace {

using namespace test;

constexpr std::size_t kDim = 128, kVectors = 1300;

const std::string kLayers = "klt:bits=3,scope=layer,predict=1,adapt=100";

const std::vector<std::string>& learning() {
  static const std::vector<std::string> specs = {
      kLayers,
      kLayers + ",page=96",
      kLayers + ",grow=3",
      kLayers + ",learn=scales",
      kLayers + ",prior=heads,group=2,send=8",
      kLayers + ",send=auto",
      "klt:bits=3,profile=none",
      "klt:bits=3,profile=none,group=2,send=8",
      "klt:bits=3,adapt=100,page=256",
      "klt:bits=3,adapt=100,page=256,learn=scales,product=exact",
      "klt:bits=3,lattice=z,adapt=100,page=128,pages=tiles"};
  return specs;
}

std::vector<float> input_of(const std::string& spec, std::size_t count) {
  auto x = coded_by_klt(spec, kDim, count, 5);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += i % 3 == 0 ? 0.2f : -0.1f;
  if (count > 300) {  // beside the code
    for (std::size_t i = 0; i < kDim; ++i) x[300 * kDim + i] *= 1e6f;
  }
  return x;
}

std::vector<std::byte> frame_of(const Codec& codec, const std::vector<float>& x) {
  return encode(codec, dense_rows<const float>(x.data(), x.size() / kDim, kDim));
}

// Adds what is left to `values`.
void read_on(SegmentReader& reader, std::vector<float>& values) {
  while (reader.vectors() != 0) {
    EXPECT_EQ(reader.first() * kDim, values.size());
    const std::size_t count = reader.vectors();
    values.resize(values.size() + count * kDim);
    reader.next(dense_rows(values.data() + values.size() - count * kDim, count, kDim));
  }
}

TEST(SegmentReader, ReadsWhatDecodesFromEveryCheckpoint) {
  for (const std::string& spec : learning()) {
    const auto codec = make(spec, kDim);
    const auto frame = frame_of(*codec, input_of(spec, kVectors));
    const auto expected = decode(*codec, frame, kVectors);
    const auto reader = segments_of_frame(*codec, frame);
    std::vector<float> values;
    std::size_t segments = 0;
    for (; reader->vectors() != 0; ++segments) {
      // A copy reads all that is left, and leaves its original where it is.
      std::vector<float> left = values;
      const auto checkpoint = reader->copy();
      EXPECT_EQ(checkpoint->state_bytes(), reader->state_bytes());
      read_on(*checkpoint, left);
      EXPECT_EQ(left, expected) << spec << " from " << reader->first();
      EXPECT_EQ(checkpoint->first(), kVectors);
      const std::size_t count = reader->vectors();
      values.resize((reader->first() + count) * kDim);
      reader->next(dense_rows(values.data() + reader->first() * kDim, count, kDim));
    }
    EXPECT_EQ(values, expected) << spec;
    EXPECT_GE(segments, 3u) << spec;
  }
}

TEST(SegmentReader, ACheckpointIsReadInAnyThread) {
  for (const std::string& spec : {kLayers, learning()[8]}) {
    const auto codec = make(spec, kDim);
    const auto frame = frame_of(*codec, input_of(spec, kVectors));
    const auto expected = decode(*codec, frame, kVectors);
    std::unique_ptr<SegmentReader> kept;
    WorkerPool pool(4);  // groups at once
    pool.run(1, [&](std::size_t) {
      const auto reader = segments_of_frame(*codec, frame);
      std::vector<float> first(reader->vectors() * kDim);
      reader->next(dense_rows(first.data(), reader->vectors(), kDim));
      kept = reader->copy();
    });
    std::vector<std::vector<float>> read(3, std::vector<float>(kept->first() * kDim));
    std::vector<std::thread> threads;
    for (auto& values : read) {
      threads.emplace_back(
          [&values, copy = std::shared_ptr(kept->copy())] { read_on(*copy, values); });
    }
    for (std::thread& thread : threads) thread.join();
    for (auto& values : read) {
      std::copy_n(expected.begin(), kept->first() * kDim, values.begin());
      EXPECT_EQ(values, expected) << spec;
    }
  }
}

std::size_t checkpoint_of(const std::string& spec, const CodecInput& input,
                          const std::vector<float>& x) {
  const auto codec = make_codec(spec, input);
  const std::size_t count = x.size() / input.dim;
  const auto frame = encode(*codec, dense_rows<const float>(x.data(), count, input.dim));
  const auto reader = segments_of_frame(*codec, frame);
  std::vector<float> values(reader->vectors() * input.dim);
  reader->next(dense_rows(values.data(), reader->vectors(), input.dim));
  return reader->state_bytes();
}

// What klt/adapt.md says of SmolLM2: a layer predicted from the one before takes 36 n^2 and some vectors of n.
TEST(SegmentReader, SaysWhatACheckpointTakes) {
  constexpr std::size_t n = 384;
  const auto of = [](int layers, const std::string& keys) {
    const OneProfile made(made_profile(64, layers, 3));
    CodecInput input{n * static_cast<std::size_t>(layers), &made};
    input.layers = LayerRange{0, layers};
    return checkpoint_of("klt:bits=3,scope=layer,predict=1,adapt=100" + keys, input,
                         vectors_near(made.profile(), std::nullopt, 300, 5));
  };
  const std::size_t first = of(1, ""), more = of(2, "") - first;
  EXPECT_EQ(first + 29 * more, 170051328u);  // of 30 layers
  EXPECT_GT(more, 36 * n * n);
  EXPECT_LT(more, 39 * n * n);
  const std::size_t scales = of(1, ",learn=scales");
  EXPECT_EQ(scales + 29 * (of(2, ",learn=scales") - scales), 59118336u);
  const OneProfile heads(made_profile(64));
  CodecInput input{64, &heads};
  input.site = KvSite{1, Part::value, 1};
  const auto x = vectors_near(heads.profile(), input.site, 300, 5);
  EXPECT_EQ(checkpoint_of("klt:bits=3,adapt=100,page=256", input, x), 150976u);
  EXPECT_EQ(checkpoint_of("klt:bits=3,adapt=100,page=256,learn=scales", input, x), 37312u);
}

TEST(SegmentReader, FramesOfFewVectors) {
  for (const std::string& spec : learning()) {
    const auto codec = make(spec, kDim);
    for (const std::size_t count : {0u, 1u, 255u}) {
      const auto frame = frame_of(*codec, input_of(spec, count));
      const auto reader = segments_of_frame(*codec, frame);
      EXPECT_EQ(reader->vectors(), count);
      std::vector<float> values;
      read_on(*reader, values);
      EXPECT_EQ(values, decode(*codec, frame, count)) << spec;
      EXPECT_EQ(reader->first(), count);
    }
  }
}

void expect_error(const std::function<void()>& work, const std::string& said) {
  try {
    work();
    ADD_FAILURE() << "nothing thrown, expected " << said;
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(said), std::string::npos) << error.what();
  }
}

TEST(SegmentReader, WhatDoesNotFitIsNamed) {
  const auto codec = make(kLayers, kDim);
  const auto frame = frame_of(*codec, input_of(kLayers, kVectors));
  const auto reader = segments_of_frame(*codec, frame);
  std::vector<float> values(kVectors * kDim);
  expect_error([&] { reader->next(dense_rows(values.data(), 5, kDim)); },
               "segment at vector 0: 5 vectors of 128 given, expected 256 of 128");
  expect_error([&] { reader->next(dense_rows(values.data(), 256, kDim / 2)); },
               "256 vectors of 64 given");
  values.clear();
  read_on(*reader, values);  // nothing was read before
  EXPECT_EQ(values, decode(*codec, frame, kVectors));
  expect_error([&] { reader->next(dense_rows(values.data(), 1, kDim)); }, "expected 0 of 128");
  const auto alone = make("klt:bits=3", kDim);
  expect_error([&] { segments_of_frame(*alone, frame); }, "klt:bits=3");
  expect_error([&] { segments_of_frame(*alone, frame); }, "its frames have no segments");
  EXPECT_THROW(segments_of_frame(*codec, std::span(frame).first(40)), CorruptStream);
  EXPECT_THROW(segments_of_frame(*make(kLayers + ",grow=3", kDim), frame), CorruptStream);
}

// Where decode() throws a reader does, at the damage or before, and then reads no more.
TEST(SegmentReader, DamageEndsIt) {
  for (const std::string& spec : {kLayers, learning()[4], learning()[6], learning()[8]}) {
    const auto codec = make(spec, kDim);
    const auto frame = frame_of(*codec, input_of(spec, kVectors));
    std::size_t thrown = 0;
    for (std::size_t at = 100; at < frame.size() - 4; at += frame.size() / 61) {
      auto damaged = frame;
      damaged[at] ^= std::byte{0x5a};
      seal(damaged);
      std::vector<float> expected(kVectors * kDim), values;
      bool decodes = true;
      try {
        codec->decode(damaged, dense_rows(expected.data(), kVectors, kDim));
      } catch (const CorruptStream&) {
        decodes = false;
      }
      std::unique_ptr<SegmentReader> reader;
      try {
        reader = segments_of_frame(*codec, damaged);
        read_on(*reader, values);
        EXPECT_TRUE(decodes) << spec << " at " << at;
        EXPECT_EQ(std::memcmp(values.data(), expected.data(), values.size() * sizeof(float)), 0);
      } catch (const CorruptStream&) {
        EXPECT_FALSE(decodes) << spec << " at " << at;
        ++thrown;
        if (!reader) continue;
        EXPECT_EQ(reader->vectors(), 0u);
        EXPECT_EQ(reader->copy()->vectors(), 0u);
        EXPECT_THROW(reader->next(dense_rows(expected.data(), 1, kDim)), InputError);
      }
    }
    EXPECT_GT(thrown, 5u) << spec;
  }
}

}  // namespace
}  // namespace kakeya

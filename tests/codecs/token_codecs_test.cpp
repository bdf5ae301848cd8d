// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codec/token_codecs.h"

#include <gtest/gtest.h>

#include "codecs/vectors_for_test.h"
#include "kakeya/core/error.h"

namespace kakeya {
namespace {

using namespace test;

constexpr int kLayers = 12;
constexpr int kHeadDim = 8;
constexpr std::size_t kWidth = 4 * kHeadDim;

CacheInput shape() {
  static const OneProfile source(made_profile(kHeadDim, kLayers));
  return {source.profile().shape, 1, &source};
}

std::vector<LayerRange> layers_of(const TokenCodecs& codecs) {
  std::vector<LayerRange> layers;
  for (const TokenCodecs::Run& run : codecs.runs()) layers.push_back(run.layers);
  return layers;
}

TEST(TokenCodecs, RestartSplitsRuns) {
  const LayerRange coded{1, 10};
  EXPECT_EQ(layers_of(TokenCodecs("klt:bits=3,scope=layer,predict=2", shape(), coded)),
            (std::vector<LayerRange>{{1, 10}}));
  EXPECT_EQ(layers_of(TokenCodecs("klt:bits=3,scope=layer,restart=4", shape(), coded)),
            (std::vector<LayerRange>{{1, 4}, {5, 4}, {9, 2}}));
  EXPECT_EQ(layers_of(TokenCodecs("klt:bits=3,scope=layer,restart=1", shape(), coded)).size(), 10u);
  EXPECT_EQ(layers_of(TokenCodecs("klt:bits=3,scope=layer,restart=1000", shape(), coded)),
            (std::vector<LayerRange>{{1, 10}}));
  const TokenCodecs some("klt:bits=3,restart=5,scope=layer,page=96", shape(), coded);
  EXPECT_EQ(some.spec(), "klt:bits=3,scope=layer,restart=5,page=96,profile=cccccccccccccccc");
  EXPECT_EQ(some.page_vectors(), 96u);
}

TEST(TokenCodecs, EachRunDecodesAlone) {
  const TokenCodecs codecs("klt:bits=3,scope=layer,predict=2,restart=4", shape(), {1, 10});
  const std::size_t count = 30;
  for (const TokenCodecs::Run& run : codecs.runs()) {
    ASSERT_EQ(run.codec->dim(), static_cast<std::size_t>(run.layers.count) * kWidth);
    const auto x = normals(count * run.codec->dim(), 3);
    const auto frame = encode(*run.codec, dense_rows(x.data(), count, run.codec->dim()));
    const auto alone = codec_of_frame(frame, shape().profiles);
    EXPECT_EQ(decode(*alone, frame, count), roundtrip(*run.codec, x));
    for (const TokenCodecs::Run& other : codecs.runs()) {
      if (&other == &run) continue;
      EXPECT_THROW(decode(*other.codec, frame, count), CorruptStream);
    }
  }
}

TEST(TokenCodecs, WhatMakesNoSenseIsRefused) {
  EXPECT_THROW(TokenCodecs("klt:bits=3,scope=layer", shape(), {6, 0}), InputError);
  EXPECT_THROW(TokenCodecs("klt:bits=3,scope=layer", shape(), {6, 7}), InputError);
  EXPECT_THROW(TokenCodecs("klt:bits=3,scope=layer,restart=-1", shape(), {0, 12}), SpecError);
  CacheInput other = shape();
  other.shape.kv_heads = 3;
  EXPECT_THROW(TokenCodecs("klt:bits=3,scope=layer", other, {0, 12}), InputError);
  other = shape();
  other.profiles = nullptr;
  EXPECT_THROW(TokenCodecs("klt:bits=3,scope=layer", other, {0, 12}), InputError);
}

}  // namespace
}  // namespace kakeya

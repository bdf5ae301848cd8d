// SPDX-License-Identifier: Apache-2.0
// klt of whole layers on the device: frames and values are the CPU's, whatever lattice, group, order of
// prediction and width.
#include <gtest/gtest.h>

#include <cstring>

#include "device/compare.h"
#include "device/klt_heads.h"
#include "kakeya/codec/transform_codec.h"
#include "kakeya/core/error.h"
#include "kakeya/device/klt_plans.h"

namespace kakeya {
namespace {

using namespace test;

class DeviceKltLayers : public DeviceKlt {
 protected:
  void compare_tokens(const std::string& spec, const TokenShape& shape, std::size_t tokens,
                      DeviceScalar type, DeviceScalar out, std::uint64_t seed) {
    make(spec, shape);
    Vectors x(type, tokens, 1, shape.dim()), y(out, tokens, 1, shape.dim());
    draw_near(x, seed);
    compare(*codec_, x, y,
            spec + ", " + std::to_string(shape.kv_heads) + " heads of " +
                std::to_string(shape.head_dim) + ", layers " + std::to_string(shape.range.first) +
                " to " + std::to_string(shape.range.first + shape.range.count - 1) + " by " +
                std::to_string(shape.group) + ", " + std::to_string(tokens) + " " + name_of(type) +
                " to " + name_of(out));
    kept_ += kept_of(x);
    all_ += tokens;
  }

  std::size_t kept_ = 0, all_ = 0;
};

TEST_F(DeviceKltLayers, BytesAndValuesAreTheCpus) {
  const TokenShape shapes[] = {
      {64, 3, 1, 1, {0, 1}},  // a layer alone, as in the forward
      {8, 2, 5, 1, {0, 5}},   // predicted from one and from two before
      {16, 3, 6, 2, {0, 6}},  // pairs of layers
      {80, 1, 4, 1, {1, 3}},  // from the second layer on
      {8, 1, 2, 1, {0, 2}},
  };
  std::size_t round = 0;
  for (const char* lattice : {"e8", "z", "tcq"}) {
    for (const TokenShape& shape : shapes) {
      for (const char* keys : {"", ",page=32,predict=1", ",page=96,restart=2,shaping=0.5"}) {
        const std::size_t tokens = std::size_t{1} + 69 * (round % 3);
        if (emulated() && round % 3 == 2) {
          ++round;
          continue;
        }
        const std::string spec = std::string("klt:bits=") + (round % 2 == 0 ? "3" : "1.5") +
                                 ",scope=layer,lattice=" + lattice + keys;
        compare_tokens(spec, shape, tokens, kTypes[round % 3], kTypes[(round / 3) % 3], round);
        if (HasFailure()) return;
        ++round;
      }
    }
  }
  EXPECT_GT(kept_, all_ / 20);  // both ways have been gone
  EXPECT_LT(kept_, all_ * 3 / 4);
}

TEST_F(DeviceKltLayers, WideLayers) {
  // 2 x 3 x 64 = 384, 2 x 8 x 128 = 2048 and, two of these together, 4096.
  const TokenShape shapes[] = {
      {64, 3, 1, 1, {0, 1}}, {128, 8, 1, 1, {0, 1}}, {128, 8, 2, 2, {0, 2}}};
  std::uint64_t seed = 0;
  for (const TokenShape& shape : shapes) {
    if (emulated() && shape.dim() > 2048) continue;
    for (const char* lattice : {"tcq", "e8", "z"}) {
      if (emulated() && seed == 5) continue;
      const std::size_t tokens = emulated() ? 33 : 300;
      compare_tokens(std::string("klt:bits=2,scope=layer,restart=2,page=32,lattice=") + lattice,
                     shape, tokens, DeviceScalar::bf16, DeviceScalar::bf16, ++seed);
      if (HasFailure()) return;
    }
  }
}

TEST_F(DeviceKltLayers, ManyTokens) {
  if (emulated()) GTEST_SKIP() << "too many for the emulation";
  for (const char* lattice : {"e8", "z", "tcq"}) {
    compare_tokens(std::string("klt:bits=2.5,scope=layer,lattice=") + lattice,
                   {64, 3, 3, 1, {0, 3}}, 5000, DeviceScalar::bf16, DeviceScalar::bf16, 3);
  }
}

TEST_F(DeviceKltLayers, NoTokens) {
  compare_tokens("klt:bits=2,scope=layer", {8, 2, 3, 1, {0, 3}}, 0, DeviceScalar::bf16,
                 DeviceScalar::bf16, 1);
}

TEST_F(DeviceKltLayers, WhatIsNotFiniteIsFlaggedAndZero) {
  const TokenShape shape{16, 2, 3, 1, {0, 3}};
  EXPECT_THROW(make("klt:bits=2,scope=layer,adapt=100", shape), NoKernelError);
  make("klt:bits=2,scope=layer,page=32", shape);
  const std::size_t tokens = 70, dim = shape.dim();
  Vectors x(DeviceScalar::fp32, tokens, 1, dim);
  for (const float bad : {float_of(0x7fc00000u), float_of(0x7f800000u)}) {
    draw_near(x, 1);
    std::memcpy(x.at(37, 0, dim - 1), &bad, 4);
    x.upload();
    const DeviceLayout layout = codec_->layout(tokens, 1);
    Store store(layout);
    codec_->encode(x.view(), store.sections.data(), store.flag_data(), nullptr,
                   store.workspace.data());
    store.download();
    EXPECT_THROW(require_no_flags(*codec_, store.words), InputError);
    std::vector<float> decoded(tokens * dim);
    codec_->host().decode(codec_->frame(layout, store.image, 0),
                          dense_rows(decoded.data(), tokens, dim));
    for (std::size_t i = 0; i < dim; ++i) EXPECT_EQ(decoded[37 * dim + i], 0.0f);
  }
}

TEST_F(DeviceKltLayers, GraphsReplay) {
  for (const char* lattice : {"e8", "tcq"}) {
    const TokenShape shape{64, 2, 3, 1, {0, 3}};
    make(std::string("klt:bits=3,scope=layer,page=64,lattice=") + lattice, shape);
    expect_replays(300, 1, shape.dim());
  }
}

TEST_F(DeviceKltLayers, RoundTripInPlace) {
  const TokenShape shape{16, 2, 3, 1, {0, 3}};
  make("klt:bits=3,scope=layer,page=64", shape);
  Vectors x(DeviceScalar::bf16, 130, 1, shape.dim()), y(DeviceScalar::bf16, 130, 1, shape.dim());
  draw_near(x, 4);
  y.poison();
  Store store(codec_->layout(130, 1));
  codec_->round_trip(x.view(), y.view(), store.flag_data(), nullptr, store.workspace.data());
  codec_->round_trip(x.view(), x.view(), store.flag_data(), nullptr, store.workspace.data());
  EXPECT_EQ(store.any_flag(), 0u);
  x.download();
  y.download();
  for (std::size_t t = 0; t < 130; ++t) {
    for (std::size_t i = 0; i < shape.dim(); ++i) {
      ASSERT_EQ(x.pattern(t, 0, i), y.pattern(t, 0, i));
    }
  }
}

TEST_F(DeviceKltLayers, PlansOfTheSameLayersAreShared) {
  const auto plans = [&](const std::string& spec) {
    make(spec, TokenShape{8, 2, 3, 1, {0, 3}});
    return shared_layers_plans(dynamic_cast<const LayersCodec&>(codec_->host()).layers_plan());
  };
  const auto one = plans("klt:bits=3,scope=layer");
  EXPECT_EQ(one, plans("klt:bits=3,scope=layer"));
  EXPECT_NE(one, plans("klt:bits=3.5,scope=layer"));
  EXPECT_NE(one, plans("klt:bits=3,scope=layer,predict=1"));
}

TEST_F(DeviceKltLayers, RefusesWhatItCannotTake) {
  const auto refusal = [&](const TokenShape& shape) -> std::string {
    try {
      make("klt:bits=2,scope=layer", shape);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal({8, 2, 1, 1, {0, 1}}), "");
  Vectors x(DeviceScalar::bf16, 40, 2, 16);
  EXPECT_THROW(codec_->encode(x.view(), nullptr, nullptr, nullptr, nullptr), InputError);
  const std::string wide = refusal({264, 8, 1, 1, {0, 1}});
  EXPECT_NE(wide.find("4224"), std::string::npos) << wide;
  EXPECT_NE(wide.find("up to 4096"), std::string::npos) << wide;
  EXPECT_NE(wide.find("--codec-device cpu"), std::string::npos) << wide;
  EXPECT_NE(refusal({520, 1, 1, 1, {0, 1}}).find("dim 520"), std::string::npos);
  std::vector<CodecInput> two(2, CodecInput{32, source_.get()});
  for (CodecInput& input : two) input.layers = LayerRange{0, 1};
  make("klt:bits=2,scope=layer", TokenShape{8, 2, 1, 1, {0, 1}});
  two[0].profiles = two[1].profiles = source_.get();
  EXPECT_THROW(make_device_codec("klt:bits=2,scope=layer", two), InputError);
}

}  // namespace
}  // namespace kakeya

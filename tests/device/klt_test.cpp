// SPDX-License-Identifier: Apache-2.0
// klt on the device: frames and values are the CPU's, whatever lattice, page and profile; vectors far
// from the profile; what is wrong is flagged as the CPU refuses it.
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

TEST_F(DeviceKlt, BytesAndValuesAreTheCpus) {
  std::size_t round = 0, kept = 0, all = 0;
  for (const char* lattice : {"e8", "z", "tcq"}) {
    for (const std::size_t dim : {64, 128, 8, 80, 256, 512}) {
      for (const std::size_t page : {1024, 32, 96}) {
        for (const std::size_t tokens : {1, 70, 333}) {
          if (emulated() && (round % 5 != 0 || dim * tokens > 40000)) {
            ++round;
            continue;
          }
          const std::string spec = std::string("klt:bits=") + (round % 2 == 0 ? "3" : "1.5") +
                                   ",lattice=" + lattice + ",page=" + std::to_string(page);
          make(spec, dim, round % 3 == 0 ? Part::key : Part::value);
          const DeviceScalar type = kTypes[round % 3], out = kTypes[(round / 3) % 3];
          Vectors x(type, tokens, kHeads, dim), y(out, tokens, kHeads, dim);
          draw_near(x, round);
          compare(*codec_, x, y,
                  spec + " dim " + std::to_string(dim) + ", " + std::to_string(tokens) + " " +
                      name_of(type) + " to " + name_of(out));
          if (HasFailure()) return;
          kept += kept_of(x);
          all += tokens * kHeads;
          ++round;
        }
      }
    }
  }
  EXPECT_GT(kept, all / 20);  // both ways have been gone
  EXPECT_LT(kept, all / 2);
}

TEST_F(DeviceKlt, OrdinaryVectorsOfEveryKind) {
  for (const char* lattice : {"e8", "z", "tcq", "e8,product=exact"}) {
    make(std::string("klt:bits=2.5,lattice=") + lattice, 128);
    for (const Data data : kAllData) {
      Vectors x(DeviceScalar::bf16, emulated() ? 40 : 3000, kHeads, 128),
          y(DeviceScalar::bf16, x.view().tokens, kHeads, 128);
      x.draw_all(data, 5);
      compare(*codec_, x, y, lattice + std::to_string(static_cast<int>(data)));
    }
  }
}

// At 8 bits points have two digits.
TEST_F(DeviceKlt, ExactProductsAreTheCpus) {
  std::size_t round = 0;
  for (const char* lattice : {"e8", "z", "tcq"}) {
    for (const std::size_t dim : {64, 128, 8, 80, 256}) {
      for (const char* bits : {"3", "8"}) {
        const std::size_t tokens = emulated() ? 37 : 333 + round;
        if (emulated() && dim > 128) continue;
        const std::string spec =
            std::string("klt:bits=") + bits + ",product=exact,lattice=" + lattice;
        make(spec, dim, round % 2 == 0 ? Part::key : Part::value);
        const DeviceScalar type = kTypes[round % 3], out = kTypes[(round / 3) % 3];
        Vectors x(type, tokens, kHeads, dim), y(out, tokens, kHeads, dim);
        draw_near(x, round++);
        compare(*codec_, x, y, spec + " dim " + std::to_string(dim) + " " + name_of(type));
        if (HasFailure()) return;
      }
    }
  }
  EXPECT_THROW(make("klt:bits=3,product=exact", 512), NoKernelError);
}

// As a cold tier has them: the pages of one layer are too few for a GPU.
TEST_F(DeviceKlt, HeadsOfSeveralLayersTogether) {
  constexpr std::size_t kDim = 64, kTokens = 70;
  source_ = std::make_unique<OneProfile>(dense_profile(kDim, 3));
  std::vector<CodecInput> inputs;
  std::vector<std::vector<float>> near;
  for (int layer = 0; layer < 3; ++layer) {
    for (int head = 0; head < kHeads; ++head) {
      const KvSite site{layer, Part::value, head};
      inputs.push_back({kDim, source_.get(), site});
      near.push_back(vectors_of(source_->profile().transform(site, {}), kTokens, near.size()));
    }
  }
  Vectors x(DeviceScalar::bf16, kTokens, inputs.size(), kDim),
      y(DeviceScalar::bf16, kTokens, inputs.size(), kDim);
  x.set_all([&](std::size_t head, std::size_t t, std::span<float> v) {
    std::copy_n(&near[head][t * kDim], kDim, v.begin());
  });
  for (const char* keys : {"page=32", "product=exact,pages=prefix", "pages=fixed"}) {
    codec_ = make_device_codec(std::string("klt:bits=3,lattice=z,") + keys, inputs);
    compare(*codec_, x, y, keys);
  }
}

TEST_F(DeviceKlt, ManyVectors) {
  if (emulated()) GTEST_SKIP() << "too many for the emulation";
  for (const char* lattice : {"e8", "z", "tcq", "e8,product=exact", "tcq,product=exact"}) {
    for (const std::size_t dim : {128, 64}) {
      make(std::string("klt:bits=3,lattice=") + lattice, dim);
      Vectors x(DeviceScalar::bf16, 20001, kHeads, dim), y(DeviceScalar::bf16, 20001, kHeads, dim);
      draw_near(x, dim);
      compare(*codec_, x, y, lattice);
    }
  }
}

// The second device of the emulation has 99 KB of shared memory a block, which a matrix of 256 columns does not fit.
TEST_F(DeviceKlt, MatricesBeyondSharedMemory) {
  if (device_count() < 2) GTEST_SKIP() << "one device";
  const OnDevice second(1);
  for (const char* spec :
       {"klt:bits=3,lattice=z,product=exact,page=32", "klt:bits=8,product=exact,page=32",
        "klt:bits=3,lattice=z,product=exact,pages=tiles,page=128"}) {
    make(spec, 256);
    Vectors x(DeviceScalar::bf16, 40, kHeads, 256), y(DeviceScalar::bf16, 40, kHeads, 256);
    draw_near(x, 3);
    compare(*codec_, x, y, spec);
  }
  codec_.reset();
}

TEST_F(DeviceKlt, NoVectors) {
  make("klt:bits=3", 64);
  Vectors x(DeviceScalar::bf16, 0, kHeads, 64), y(DeviceScalar::bf16, 0, kHeads, 64);
  compare(*codec_, x, y, "no tokens");
}

TEST_F(DeviceKlt, WhatIsNotFiniteIsFlaggedAndZero) {
  make("klt:bits=3,page=32", 64);
  const std::size_t tokens = 70;
  Vectors x(DeviceScalar::fp32, tokens, kHeads, 64);
  for (const float bad : {float_of(0x7fc00000u), float_of(0x7f800000u), float_of(0xff800000u)}) {
    draw_near(x, 1);
    std::memcpy(x.at(37, 1, 63), &bad, 4);
    x.upload();
    Store store(codec_->layout(tokens, kHeads));
    codec_->encode(x.view(), store.sections.data(), store.flag_data(), nullptr,
                   store.workspace.data());
    store.download();
    EXPECT_EQ(store.words[0] | store.words[2], 0u);
    EXPECT_THROW(require_no_flags(*codec_, store.words), InputError);
    std::vector<float> decoded(tokens * 64);
    const auto frame = codec_->frame(codec_->layout(tokens, kHeads), store.image, 1);
    codec_->host(1).decode(frame, dense_rows(decoded.data(), tokens, 64));
    for (std::size_t i = 0; i < 64; ++i) EXPECT_EQ(decoded[37 * 64 + i], 0.0f);
  }
}

TEST_F(DeviceKlt, GraphsReplay) {
  for (const char* lattice : {"e8", "tcq"}) {
    make(std::string("klt:bits=3,page=64,lattice=") + lattice, 128);
    expect_replays(500, kHeads, 128);
  }
}

TEST_F(DeviceKlt, RoundTripInPlace) {
  make("klt:bits=3,page=64", 128);
  Vectors x(DeviceScalar::bf16, 130, kHeads, 128), y(DeviceScalar::bf16, 130, kHeads, 128);
  draw_near(x, 4);
  y.poison();
  Store store(codec_->layout(130, kHeads));
  codec_->round_trip(x.view(), y.view(), store.flag_data(), nullptr, store.workspace.data());
  codec_->round_trip(x.view(), x.view(), store.flag_data(), nullptr, store.workspace.data());
  EXPECT_EQ(store.any_flag(), 0u);
  x.download();
  y.download();
  for (std::size_t t = 0; t < 130; ++t) {
    for (std::size_t h = 0; h < kHeads; ++h) {
      for (std::size_t i = 0; i < 128; ++i) ASSERT_EQ(x.pattern(t, h, i), y.pattern(t, h, i));
    }
  }
}

TEST_F(DeviceKlt, PlansOfTheSameHeadsAreShared) {
  make("klt:bits=3", 64);
  std::vector<TransformPlan> plans;
  for (std::size_t head = 0; head < kHeads; ++head) {
    plans.push_back(dynamic_cast<const TransformCodec&>(codec_->host(head)).transform_plan());
  }
  const auto one = shared_klt_plans(plans);
  EXPECT_EQ(one, shared_klt_plans(plans));
  std::swap(plans[0], plans[1]);
  EXPECT_NE(one, shared_klt_plans(plans));
  make("klt:bits=3.5", 64);  // other steps
  for (std::size_t head = 0; head < kHeads; ++head) {
    plans[head] = dynamic_cast<const TransformCodec&>(codec_->host(head)).transform_plan();
  }
  EXPECT_NE(one, shared_klt_plans(plans));
}

TEST_F(DeviceKlt, RefusesWhatItCannotTake) {
  make("klt:bits=3", 64);
  Vectors x(DeviceScalar::bf16, 40, kHeads, 64), two(DeviceScalar::bf16, 40, 2, 64);
  Store store(codec_->layout(40, kHeads));
  EXPECT_EQ(codec_->heads(), std::size_t{kHeads});
  EXPECT_THROW(codec_->encode(x.view(), store.sections.data(), store.flag_data(), nullptr),
               InputError);
  EXPECT_THROW(codec_->encode(two.view(), store.sections.data(), store.flag_data(), nullptr,
                              store.workspace.data()),
               InputError);
  const auto refusal = [&](std::size_t dim) -> std::string {
    const OneProfile source(dense_profile(dim));
    try {
      make_device_codec("klt:bits=3", {dim, &source, KvSite{0, Part::key, 0}});
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal(72), "");
  EXPECT_NE(refusal(520).find("dim 520"), std::string::npos);
  EXPECT_NE(refusal(520).find("--codec-device cpu"), std::string::npos);
}

}  // namespace
}  // namespace kakeya

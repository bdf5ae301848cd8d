// SPDX-License-Identifier: Apache-2.0
// Pages of a budget on the device: the steps, the bytes and the values of the CPU, and pages that no encoder wrote.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "device/compare.h"
#include "device/device_case.h"
#include "kakeya/codec/budget_pages.h"
#include "kakeya/core/error.h"
#include "support/made_profile.h"

namespace kakeya {
namespace {

using namespace test;

constexpr std::size_t kHeads = 2, kDim = 64;

class DeviceBudget : public DeviceCase<> {
 protected:
  static std::size_t budget_of(const DeviceCodec& codec) {
    return dynamic_cast<const BudgetPages&>(codec.host()).budget();
  }
};

struct Pages {
  const char* spec;
  Data data;
  std::size_t tokens;
};

// Budgets that some pages need a coarse step for, and some none.
TEST_F(DeviceBudget, BytesAndValues) {
  const Pages all[] = {
      {"ece8:bits=5,page=32,budget=768", Data::normal, 70},
      {"ece8:bits=5,page=64,budget=1400", Data::heavy, 64},
      {"ecd4:bits=4,page=32,budget=700", Data::mixed, 40},
      {"ecz:bits=6.5,page=96,budget=1801", Data::extreme, 100},
      {"ecz:bits=4,page=32,budget=4096", Data::normal, 70},
      {"ece8:bits=5,center=mean,page=32,budget=800", Data::normal, 65},
      {"ecd4:bits=5,classes=channel,rotate=none,page=32,budget=900", Data::heavy, 33},
      {"ecz:bits=5,scales=one,outliers=3,page=32,budget=1100", Data::heavy, 45},
      {"ece8:bits=4,reconstruct=wiener,page=64,budget=1100", Data::normal, 1},
      {"ecz:bits=5,per=head-page,page=32,budget=780", Data::normal, 66},
      {"ece8:bits=5,per=head-page,center=mean,outliers=1,page=32,budget=1100", Data::normal, 40},
      {"ecz:step=0.05,page=64,budget=1600", Data::normal, 70},
  };
  std::size_t round = 0;
  for (const Pages& pages : all) {
    const auto codec = make_device_codec(pages.spec, CodecInput{kDim});
    const std::size_t heads = emulated() ? (round % 5 == 0 ? 2 : 1) : 3;
    Vectors x(kTypes[round % 3], pages.tokens, heads, kDim),
        y(kTypes[(round / 3) % 3], pages.tokens, heads, kDim);
    x.draw_all(pages.data, round++);
    compare(*codec, x, y, pages.spec);
    if (HasFailure()) return;
  }
}

// Every head has a bias of its own, of keys or of values.
TEST_F(DeviceBudget, KnownCentres) {
  const OneProfile profiles(made_profile(kDim, 2, kHeads));
  std::size_t round = 0;
  for (const std::string spec : {"ece8:bits=5,center=bias,page=32,budget=800",
                                 "ecd4:bits=4,per=head-page,center=bias,page=32,budget=720",
                                 "ecz:bits=5,outliers=2,center=bias,page=32,budget=1000"}) {
    for (const Part part : {Part::key, Part::value}) {
      std::vector<CodecInput> inputs;
      for (int head = 0; head < static_cast<int>(kHeads); ++head) {
        inputs.push_back({kDim, &profiles, KvSite{1, part, head}});
      }
      const auto codec = make_device_codec(spec, inputs);
      const std::size_t tokens = emulated() ? 33 : 70;
      Vectors x(kTypes[round % 3], tokens, kHeads, kDim),
          y(kTypes[round % 2], tokens, kHeads, kDim);
      x.draw_all(round % 2 == 0 ? Data::normal : Data::heavy, round);
      ++round;
      compare(*codec, x, y, spec);
      if (HasFailure()) return;
    }
  }
}

TEST_F(DeviceBudget, WiderVectors) {
  for (const std::size_t dim : {128, 256}) {
    const auto codec = make_device_codec("ece8:bits=5,page=32,budget=" + std::to_string(12 * dim),
                                         CodecInput{dim});
    const std::size_t tokens = emulated() ? 40 : 2100;
    Vectors x(DeviceScalar::bf16, tokens, 1, dim), y(DeviceScalar::bf16, tokens, 1, dim);
    x.draw_all(Data::heavy, dim);
    compare(*codec, x, y, std::to_string(dim));
  }
}

// The first page is quiet: it takes the step asked for. Others have vectors that are far larger than what
// came before, which are kept beside the code, whatever the step.
TEST_F(DeviceBudget, StepsFollowWhatPagesHold) {
  const auto codec =
      make_device_codec("ecz:bits=5,per=head-page,page=32,budget=1400", CodecInput{kDim});
  constexpr std::size_t kTokens = 128;
  Vectors x(DeviceScalar::fp32, kTokens, kHeads, kDim),
      y(DeviceScalar::fp32, kTokens, kHeads, kDim);
  x.set_all([](std::size_t head, std::size_t t, std::span<float> v) {
    draw(Data::normal, head, t, v);
    for (float& value : v) {
      if (t < 32) value = t % 2 == 0 ? 0.0f : 1.0f;
      if (t == 70) value *= 3e9f;
    }
  });
  compare(*codec, x, y, "some vectors beside the code");
  Store store(codec->layout(kTokens, kHeads));
  codec->encode(x.view(), store.sections.data(), store.flag_data(), nullptr,
                store.workspace.data());
  ASSERT_EQ(store.any_flag(), 0u);
  const auto* pool = reinterpret_cast<const std::uint8_t*>(store.image.data());
  EXPECT_EQ(pool[1399], 0);
  EXPECT_GT(pool[2 * 1400 - 1], 0);
}

// Pages of zeros and of one large vector each, for which the first steps that are tried say little.
TEST_F(DeviceBudget, StepsOfUnlikePages) {
  const auto codec = make_device_codec("ece8:bits=7.5,page=32,budget=160", CodecInput{kDim});
  Vectors x(DeviceScalar::fp32, 96, kHeads, kDim), y(DeviceScalar::fp32, 96, kHeads, kDim);
  x.set_all([](std::size_t head, std::size_t t, std::span<float> v) {
    draw(t < 32 ? Data::ties : Data::mixed, head, t, v);
    if (t % 32 != 7 && t >= 64) std::ranges::fill(v, 0.0f);
  });
  compare(*codec, x, y, "few bits");
}

TEST_F(DeviceBudget, NoVectors) {
  for (const std::string spec : {"ece8:bits=4,budget=4096", "ecz:bits=4,center=mean,budget=4096",
                                 "ecd4:bits=2,per=head-page,budget=4096"}) {
    const auto codec = make_device_codec(spec, CodecInput{kDim});
    Vectors x(DeviceScalar::bf16, 0, kHeads, kDim), y(DeviceScalar::bf16, 0, kHeads, kDim);
    compare(*codec, x, y, spec);
  }
}

TEST_F(DeviceBudget, RoundTripInPlace) {
  for (const std::string keys : {"center=mean", "per=head-page,outliers=2"}) {
    const auto codec =
        make_device_codec("ece8:bits=5,page=32,budget=1600," + keys, CodecInput{128});
    constexpr std::size_t kTokens = 40;
    Vectors x(DeviceScalar::bf16, kTokens, kHeads, 128),
        y(DeviceScalar::bf16, kTokens, kHeads, 128);
    x.draw_all(Data::normal, 2);
    y.poison();
    Store store(codec->layout(kTokens, kHeads));
    codec->round_trip(x.view(), y.view(), store.flag_data(), nullptr, store.workspace.data());
    codec->round_trip(x.view(), x.view(), store.flag_data(), nullptr, store.workspace.data());
    EXPECT_EQ(store.any_flag(), 0u);
    x.download();
    y.download();
    for (std::size_t t = 0; t < kTokens; ++t) {
      for (std::size_t i = 0; i < 128; ++i) ASSERT_EQ(x.pattern(t, 1, i), y.pattern(t, 1, i));
    }
  }
}

TEST_F(DeviceBudget, GraphsReplay) {
  if (emulated()) GTEST_SKIP() << "no graphs in the emulation";
  const auto codec = make_device_codec("ece8:bits=5,page=64,budget=3072", CodecInput{128});
  Vectors x(DeviceScalar::bf16, 500, kHeads, 128), y(DeviceScalar::bf16, 500, kHeads, 128),
      z(DeviceScalar::bf16, 500, kHeads, 128);
  Store store(codec->layout(500, kHeads));
  const OwnStream stream;
  DeviceGraph graph(stream.get());
  codec->encode(x.view(), store.sections.data(), store.flag_data(), stream.get(),
                store.workspace.data());
  codec->decode(store.sections.data(), y.view(), store.flag_data(), stream.get(),
                store.workspace.data());
  graph.finish();
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    x.draw_all(Data::heavy, seed);
    y.poison();
    z.poison();
    device_wait(nullptr);
    graph.run(stream.get());
    device_wait(stream.get());
    codec->round_trip(x.view(), z.view(), store.flag_data(), nullptr, store.workspace.data());
    EXPECT_EQ(store.any_flag(), 0u);
    y.download();
    z.download();
    std::size_t wrong = 0;
    for (std::size_t t = 0; t < 500; ++t) {
      for (std::size_t i = 0; i < 128; ++i) wrong += y.pattern(t, 1, i) != z.pattern(t, 1, i);
    }
    EXPECT_EQ(wrong, 0u);
  }
}

// The second page of head 1 fits with no step: a vector beside the code takes more than the budget.
TEST_F(DeviceBudget, WhatFitsWithNoStepIsFlagged) {
  const auto codec =
      make_device_codec("ecz:bits=5,per=head-page,page=32,budget=900", CodecInput{kDim});
  Vectors x(DeviceScalar::fp32, 64, kHeads, kDim);
  x.set_all([](std::size_t head, std::size_t t, std::span<float> v) {
    draw(Data::normal, head, t, v);
    if (head == 1 && t > 32 && t < 40) std::ranges::fill(v, 1e30f);
  });
  const DeviceLayout layout = codec->layout(64, kHeads);
  Store store(layout);
  codec->encode(x.view(), store.sections.data(), store.flag_data(), nullptr,
                store.workspace.data());
  store.download();
  EXPECT_EQ(store.words[0], 0u);
  EXPECT_THROW(require_no_flags(*codec, store.words), InputError);
  std::vector<std::byte> frame(codec->host().encoded_bound(64));
  EXPECT_THROW(codec->host().encode(x.rows(1), frame), InputError);
  frame.resize(codec->host().encode(x.rows(0), frame));
  EXPECT_EQ(codec->frame(layout, store.image, 0), frame);
  // Its other page is as it would be.
  std::vector<std::byte> first(codec->host().encoded_bound(32));
  first.resize(codec->host().encode(x.rows(1).slice(0, 32), first));
  const std::size_t second = layout.sections[0].stride + 900;
  const auto page = store.image.begin() + static_cast<std::ptrdiff_t>(second - 900);
  EXPECT_NE(std::search(first.begin(), first.end(), page, page + 900), first.end());
  for (std::size_t i = 0; i < 900; ++i) ASSERT_EQ(store.image[second + i], std::byte{0});
  Vectors y(DeviceScalar::fp32, 64, kHeads, kDim);
  Store again(layout);
  codec->round_trip(x.view(), y.view(), again.flag_data(), nullptr, again.workspace.data());
  again.download();
  EXPECT_EQ(again.words, store.words);
}

TEST_F(DeviceBudget, WhatIsNotFiniteIsFlagged) {
  const auto codec = make_device_codec("ece8:bits=4,page=32,budget=1024", CodecInput{kDim});
  for (const float bad : {float_of(0x7fc00000u), float_of(0xff800000u)}) {
    Vectors x(DeviceScalar::fp32, 70, kHeads, kDim);
    x.draw_all(Data::normal, 1);
    std::memcpy(x.at(37, 1, 63), &bad, 4);
    x.upload();
    Store store(codec->layout(70, kHeads));
    codec->encode(x.view(), store.sections.data(), store.flag_data(), nullptr,
                  store.workspace.data());
    store.download();
    EXPECT_EQ(store.words[0], 0u);
    EXPECT_THROW(require_no_flags(*codec, store.words), InputError);
  }
}

// Whatever is in the pool: a flag where the CPU refuses the page, else the CPU's values.
class DamagedBudget : public DeviceBudget {
 protected:
  static constexpr std::size_t kTokens = 80;

  void encode_one(const std::string& spec) {
    codec_ = make_device_codec(spec, CodecInput{kDim});
    budget_ = budget_of(*codec_);
    layout_ = codec_->layout(kTokens, kHeads);
    Vectors x(DeviceScalar::bf16, kTokens, kHeads, kDim);
    x.set_all([](std::size_t head, std::size_t t, std::span<float> v) {
      draw(Data::normal, head, t, v);
      if (t == 40) std::ranges::transform(v, v.begin(), [](float value) { return 1e9f * value; });
    });
    store_ = std::make_unique<Store>(layout_);
    codec_->encode(x.view(), store_->sections.data(), store_->flag_data(), nullptr,
                   store_->workspace.data());
    ASSERT_EQ(store_->any_flag(), 0u);
  }

  // The pages of head 1, the only one that is damaged.
  std::span<std::byte> pool(std::vector<std::byte>& image) const {
    return std::span(image).subspan(layout_.sections[0].stride, layout_.sections[0].bytes);
  }

  void check(std::vector<std::byte> image, const std::string& what) {
    SCOPED_TRACE(what);
    refusals_ += expect_what_the_host_says(*codec_, layout_, image, kDim) ? 1 : 0;
  }

  std::unique_ptr<DeviceCodec> codec_;
  std::size_t budget_ = 0;
  DeviceLayout layout_;
  std::unique_ptr<Store> store_;
  std::size_t refusals_ = 0;
};

TEST_F(DamagedBudget, IsFlaggedWhereTheCpuRefusesIt) {
  for (const std::string spec : {"ece8:bits=4,center=mean,page=32,budget=1000",
                                 "ecd4:bits=4,classes=channel,page=32,budget=1000",
                                 "ecz:bits=4,scales=one,outliers=2,page=32,budget=1300",
                                 "ecz:bits=4,per=head-page,page=32,budget=1300"}) {
    encode_one(spec);
    check(store_->image, "whole");
    EXPECT_EQ(refusals_, 0u);
    const Random random(5);
    for (std::uint64_t round = 0; round < 120 && !HasFailure(); ++round) {
      std::vector<std::byte> image = store_->image;
      const std::size_t page = random.bits(4 * round) % 3;
      // Of three the first anywhere in a page, the others among its lengths and its last parts.
      const std::size_t back =
          1 + random.bits(4 * round + 1) % (round % 3 == 0 ? budget_ : (round % 3 == 1 ? 16 : 200));
      pool(image)[(page + 1) * budget_ - back] ^=
          static_cast<std::byte>(1u << (random.bits(4 * round + 2) % 8));
      check(std::move(image), spec + " round " + std::to_string(round));
    }
    EXPECT_GT(refusals_, 20u);
    refusals_ = 0;
  }
}

TEST_F(DamagedBudget, StepsAndLengthsBeyondTheirRoomAreFlagged) {
  encode_one("ece8:bits=4,page=32,budget=900");
  const auto last = [&](std::vector<int> reversed) {
    std::vector<std::byte> image = store_->image;
    std::size_t at = budget_;
    for (const int byte : reversed) pool(image)[--at] = static_cast<std::byte>(byte);
    const std::size_t before = refusals_;
    std::string what;
    for (const int byte : reversed) what += std::to_string(byte) + " ";
    check(std::move(image), what);
    return refusals_ - before;
  };
  EXPECT_EQ(last({128}), 1u);
  EXPECT_EQ(last({255}), 1u);
  EXPECT_EQ(last({3, 0}), 1u);                          // no stream
  EXPECT_EQ(last({3, 255, 255, 255, 255, 255}), 1u);    // a length that does not end
  EXPECT_EQ(last({3, 255, 255, 255, 127}), 1u);         // of 2^28 - 1
  EXPECT_EQ(last({3, 0x84, 7, 0x84, 7, 0x84, 7}), 1u);  // 900 each
  std::vector<std::byte> image = store_->image;
  std::ranges::fill(pool(image), std::byte{0});
  check(image, "zeros");
  std::ranges::fill(pool(image), std::byte{255});
  check(image, "ones");
  EXPECT_EQ(refusals_, 8u);
}

// Random pages with lengths that fit.
TEST_F(DamagedBudget, WhateverTheBytesAre) {
  for (const std::string spec :
       {"ecz:bits=4,page=32,budget=400", "ece8:bits=4,page=32,budget=400"}) {
    encode_one(spec);
    const Random random(77);
    for (std::uint64_t round = 0; round < 30 && !HasFailure(); ++round) {
      std::vector<std::byte> image = store_->image;
      const auto bytes = pool(image);
      for (std::size_t i = 0; i < bytes.size(); ++i) {
        if (i % budget_ < budget_ - 8) {
          bytes[i] = static_cast<std::byte>(random.bits(4096 * round + i) & 255);
        }
      }
      check(std::move(image), spec + " round " + std::to_string(round));
    }
    EXPECT_GT(refusals_, 20u);
    refusals_ = 0;
  }
}

}  // namespace
}  // namespace kakeya

// SPDX-License-Identifier: Apache-2.0
// ece8, ecd4 and ecz on the device beyond parity_test.cpp: frames of several pages, classes of every
// width, frames that no encoder wrote.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "device/compare.h"
#include "device/device_case.h"
#include "kakeya/bitstream/frame.h"
#include "kakeya/core/error.h"
#include "kakeya/device/device_classes.h"
#include "kakeya/entropy/point_coder.h"
#include "kakeya/entropy/shared_model.h"

namespace kakeya {
namespace {

using namespace test;

constexpr std::size_t kHeads = 3, kDim = 64;

class DeviceEntropyCoded : public DeviceCase<> {};

TEST_F(DeviceEntropyCoded, FramesOfSomePages) {
  std::size_t round = 0;
  for (const std::string keys : {"", ",center=mean", ",classes=channel,rotate=none", ",scales=one",
                                 ",per=head-page", ",per=head-page,center=mean,scales=one",
                                 ",outliers=3", ",per=head-page,center=mean,outliers=1"}) {
    for (const std::string name : {"ece8", "ecd4", "ecz"}) {
      for (const std::size_t tokens : {1, 31, 70, 333}) {
        for (const int page : {32, 96}) {
          ++round;
          if (emulated() && round % 3 != 0) continue;
          const std::string spec = name + ":bits=" + std::to_string(1 + round % 9) + keys +
                                   ",page=" + std::to_string(page);
          const auto codec = make_device_codec(spec, CodecInput{kDim});
          Vectors x(kTypes[round % 3], tokens, kHeads, kDim),
              y(kTypes[(round / 3) % 3], tokens, kHeads, kDim);
          x.draw_all(kAllData[round % 5], round);
          compare(*codec, x, y, spec + ", " + std::to_string(tokens) + " tokens");
          if (HasFailure()) return;
        }
      }
    }
  }
}

// Vectors of which some coordinates are far wider than others, and rates at which values are beyond
// the counts near 0: the classes are others from coordinate to coordinate.
TEST_F(DeviceEntropyCoded, ClassesOfEveryWidth) {
  for (const std::string spec :
       {"ece8:bits=12,rotate=none,page=96", "ecz:bits=11.5,classes=channel,rotate=none,page=96",
        "ece8:bits=9,classes=channel,rotate=none,page=96",
        "ecd4:bits=0.5,classes=channel,rotate=none,page=96",
        "ece8:bits=3,classes=channel,rotate=none,page=96",
        "ece8:bits=7,per=head-page,rotate=none,page=96", "ecz:step=0.003,page=96"}) {
    const auto codec = make_device_codec(spec, CodecInput{kDim});
    Vectors x(DeviceScalar::fp32, 200, 2, kDim), y(DeviceScalar::fp32, 200, 2, kDim);
    x.set_all([](std::size_t head, std::size_t t, std::span<float> v) {
      draw(Data::heavy, 11 + head, t, v);
      for (std::size_t i = 0; i < v.size(); ++i) {
        v[i] *= std::ldexp(1.0f, static_cast<int>(7 * i % 16) - 8);
      }
    });
    compare(*codec, x, y, spec);
  }
}

TEST_F(DeviceEntropyCoded, FirstPagesAreWholeOrShort) {
  for (const std::size_t tokens : {1000, 1024, 1100}) {
    const auto codec = make_device_codec("ecz:bits=2,center=mean", CodecInput{kDim});
    Vectors x(DeviceScalar::bf16, tokens, 1, kDim), y(DeviceScalar::bf16, tokens, 1, kDim);
    x.draw_all(Data::heavy, tokens);
    compare(*codec, x, y, std::to_string(tokens));
  }
}

TEST_F(DeviceEntropyCoded, NoVectors) {
  for (const std::string spec :
       {"ece8:bits=4", "ecz:bits=4,center=mean", "ecz:step=1", "ecd4:bits=2,per=head-page",
        "ecz:bits=2,center=mean,outliers=3"}) {
    const auto codec = make_device_codec(spec, CodecInput{kDim});
    Vectors x(DeviceScalar::bf16, 0, kHeads, kDim), y(DeviceScalar::bf16, 0, kHeads, kDim);
    compare(*codec, x, y, spec);
  }
}

TEST_F(DeviceEntropyCoded, WhatIsNotFiniteIsCodedAsZeros) {
  for (const std::string keys : {"", ",rotate=none", ",per=head-page", ",outliers=2"}) {
    const auto codec = make_device_codec("ece8:bits=4,page=32" + keys, CodecInput{kDim});
    const DeviceLayout layout = codec->layout(70, kHeads);
    for (const float bad : {float_of(0x7fc00000u), float_of(0x7f800000u), float_of(0xff800000u)}) {
      Vectors x(DeviceScalar::fp32, 70, kHeads, kDim);
      x.draw_all(Data::normal, 1);
      std::memcpy(x.at(37, 1, 63), &bad, 4);
      x.upload();
      Store store(layout);
      codec->encode(x.view(), store.sections.data(), store.flag_data(), nullptr,
                    store.workspace.data());
      store.download();
      EXPECT_EQ(store.words[0] | store.words[2], 0u);
      EXPECT_THROW(require_no_flags(*codec, store.words), InputError);
      std::vector<float> decoded(70 * kDim);
      codec->host().decode(codec->frame(layout, store.image, 1),
                           dense_rows(decoded.data(), 70, kDim));
      for (std::size_t i = 0; i < kDim; ++i) EXPECT_EQ(decoded[37 * kDim + i], 0.0f);
    }
  }
}

TEST_F(DeviceEntropyCoded, RoundTripInPlace) {
  for (const std::string keys :
       {"center=mean", "per=head-page", "center=mean,outliers=2", "per=head-page,outliers=3"}) {
    const auto codec = make_device_codec("ece8:bits=3,page=32," + keys, CodecInput{128});
    Vectors x(DeviceScalar::bf16, 130, 2, 128), y(DeviceScalar::bf16, 130, 2, 128);
    x.draw_all(Data::extreme, 2);
    y.poison();
    Store store(codec->layout(130, 2));
    codec->round_trip(x.view(), y.view(), store.flag_data(), nullptr, store.workspace.data());
    codec->round_trip(x.view(), x.view(), store.flag_data(), nullptr, store.workspace.data());
    EXPECT_EQ(store.any_flag(), 0u);
    x.download();
    y.download();
    for (std::size_t t = 0; t < 130; ++t) {
      for (std::size_t i = 0; i < 128; ++i) ASSERT_EQ(x.pattern(t, 1, i), y.pattern(t, 1, i));
    }
  }
}

TEST_F(DeviceEntropyCoded, ClassesOfTheSameModelAreShared) {
  const auto model = shared_point_model(Lattice::e8, 3.0);
  const auto classes = shared_device_classes(model);
  EXPECT_EQ(classes, shared_device_classes(model));
  EXPECT_NE(classes, shared_device_classes(shared_point_model(Lattice::e8, 3.5)));
  // No class, and no mixture of classes, has a larger page.
  const PointCoder widest(model, classes->widest(16));
  for (std::size_t index = 0; index < model->class_count(); ++index) {
    const PointCoder other(model, std::vector<std::uint8_t>(16, static_cast<std::uint8_t>(index)));
    EXPECT_GE(widest.page_bound(1024), other.page_bound(1024)) << index;
  }
}

// Whatever is in the sections: a flag where the CPU refuses the frame, else the CPU's values.
class DamagedEntropyCoded : public DeviceEntropyCoded {
 protected:
  static constexpr std::size_t kTokens = 150;

  void encode_one(const std::string& spec, Data data = Data::heavy) {
    codec_ = make_device_codec(spec, CodecInput{kDim});
    layout_ = codec_->layout(kTokens, kHeads);
    Vectors x(DeviceScalar::bf16, kTokens, kHeads, kDim);
    x.draw_all(data, 3);
    store_ = std::make_unique<Store>(layout_);
    codec_->encode(x.view(), store_->sections.data(), store_->flag_data(), nullptr,
                   store_->workspace.data());
    ASSERT_EQ(store_->any_flag(), 0u);
  }

  // Decodes `image`, in which only head 1 is damaged.
  void check(std::vector<std::byte> image, const std::string& what) {
    SCOPED_TRACE(what);
    refusals_ += expect_what_the_host_says(*codec_, layout_, image, kDim) ? 1 : 0;
  }

  std::span<std::byte> part(std::vector<std::byte>& image, std::size_t section) const {
    const DeviceLayout::Section& of = layout_.sections[section];
    std::uint64_t bytes = of.bytes;
    if (of.sizes != DeviceLayout::kAllBytes) std::memcpy(&bytes, &image[of.sizes + 8], 8);
    return std::span(image).subspan(of.offset + of.stride, bytes);
  }

  std::unique_ptr<DeviceCodec> codec_;
  DeviceLayout layout_;
  std::unique_ptr<Store> store_;
  std::size_t refusals_ = 0;
};

TEST_F(DamagedEntropyCoded, IsFlaggedWhereTheCpuRefusesIt) {
  for (const std::string spec :
       {"ece8:bits=2,center=mean,page=64", "ecd4:bits=3,classes=channel,page=64",
        "ecz:bits=4,scales=one,page=64", "ece8:bits=3,center=mean,outliers=3,page=64"}) {
    encode_one(spec);
    check(store_->image, "whole");
    EXPECT_EQ(refusals_, 0u);
    const Random random(9);
    for (std::uint64_t round = 0; round < 90 && !HasFailure(); ++round) {
      std::vector<std::byte> image = store_->image;
      const std::span<std::byte> bytes = part(image, round % layout_.sections.size());
      bytes[random.bits(3 * round + 1) % bytes.size()] ^=
          static_cast<std::byte>(1u << (random.bits(3 * round + 2) % 8));
      check(std::move(image), spec + " bit " + std::to_string(round));
    }
    EXPECT_GT(refusals_, 10u);
    refusals_ = 0;
  }
}

// Vectors that are kept beside the code, some of each page.
TEST_F(DamagedEntropyCoded, SoAreRecordsOfExactVectors) {
  for (const std::string spec : {"ece8:bits=2,per=head-page,page=64", "ecz:step=0.001,page=64"}) {
    encode_one(spec, Data::extreme);
    std::vector<std::byte> whole = store_->image;
    const std::size_t exact = part(whole, 5).size(), record = 4 + 4 * kDim;
    EXPECT_GT(exact, 5 * record);
    EXPECT_LT(exact, kTokens * record);
    check(whole, "whole");
    EXPECT_EQ(refusals_, 0u);
    for (const std::size_t at : {std::size_t{0}, record, exact - record}) {
      for (const std::size_t byte : {0, 2, 3, 7}) {  // of the number, of a coordinate's exponent
        std::vector<std::byte> image = store_->image;
        part(image, 5)[at + byte] = std::byte{0xff};
        check(std::move(image), spec + " byte " + std::to_string(at + byte));
      }
    }
    const std::size_t place = layout_.sections[5].sizes + 8;
    for (const std::uint64_t length :
         {std::uint64_t{0}, std::uint64_t{exact - 1}, UINT64_MAX, UINT64_MAX / record * record}) {
      std::vector<std::byte> image = store_->image;
      std::memcpy(&image[place], &length, 8);
      check(std::move(image), spec + ": " + std::to_string(length) + " bytes");
    }
    EXPECT_GT(refusals_, 8u);
    refusals_ = 0;
  }
}

// Three of each vector in 22 bits: six of a place, sixteen of a number. Vectors are beside their pages too.
TEST_F(DamagedEntropyCoded, SoAreOutliers) {
  encode_one("ecz:bits=3,per=head-page,outliers=3,page=64", Data::extreme);
  constexpr std::size_t kOutliers = 6, kWindows = 7, kEntry = 22, kOf = 3 * kEntry;
  std::vector<std::byte> whole = store_->image;
  ASSERT_EQ(layout_.sections[kOutliers].name, "outliers");
  ASSERT_EQ(layout_.sections[kWindows].name, "owindows");
  EXPECT_FALSE(part(whole, 5).empty());
  check(whole, "whole");
  EXPECT_EQ(refusals_, 0u);
  const auto damage = [&](std::size_t section, const std::string& what, const auto& change) {
    const std::size_t before = refusals_;
    std::vector<std::byte> image = store_->image;
    change(part(image, section));
    check(std::move(image), what);
    return refusals_ - before;
  };
  const auto field = [](std::span<std::byte> bytes, std::size_t at, std::size_t width,
                        std::uint64_t value) {
    for (std::size_t i = 0; i < width; ++i, ++at, value /= 2) {
      const auto bit = static_cast<std::byte>(1u << (at % 8));
      bytes[at / 8] = value % 2 != 0 ? bytes[at / 8] | bit : bytes[at / 8] & ~bit;
    }
  };
  for (const std::size_t vector : {std::size_t{0}, std::size_t{77}, kTokens - 1}) {
    for (const std::size_t k : {0, 1, 2}) {
      const std::size_t at = vector * kOf + k * kEntry;
      const std::string where = std::to_string(vector) + ", entry " + std::to_string(k);
      for (const std::uint64_t half : {0x7c00, 0xfc00, 0x7fff}) {
        EXPECT_EQ(damage(kOutliers, "not finite, " + where,
                         [&](auto bytes) { field(bytes, at + 6, 16, half); }),
                  1u);
      }
      EXPECT_EQ(damage(kOutliers, "largest, " + where,
                       [&](auto bytes) { field(bytes, at + 6, 16, 0x7bff); }),
                0u);
      // The first and the last of all places: behind others, or before them.
      EXPECT_EQ(damage(kOutliers, "place 0, " + where, [&](auto bytes) { field(bytes, at, 6, 0); }),
                k == 0 ? 0u : 1u);
      EXPECT_EQ(
          damage(kOutliers, "place 63, " + where, [&](auto bytes) { field(bytes, at, 6, 63); }),
          k == 2 ? 0u : 1u);
    }
    for (const int window : {-128, -10, -9, 8, 9, 127}) {
      EXPECT_EQ(damage(kWindows, "window " + std::to_string(window),
                       [&](auto bytes) { bytes[vector] = static_cast<std::byte>(window); }),
                window < -9 || window > 8 ? 1u : 0u);
    }
  }
  static_assert(kTokens * kOf % 8 == 4);
  for (const std::size_t bit : {4, 7}) {
    EXPECT_EQ(damage(kOutliers, "behind the last",
                     [&](auto bytes) { bytes.back() |= static_cast<std::byte>(1u << bit); }),
              1u);
  }
}

TEST_F(DamagedEntropyCoded, ClassesThatTheModelLacksAreFlagged) {
  for (const std::string spec : {"ece8:bits=2,page=64", "ece8:bits=2,classes=channel,page=64"}) {
    encode_one(spec);
    for (const int number : {191, 192, 255}) {
      std::vector<std::byte> image = store_->image;
      part(image, 1).back() = static_cast<std::byte>(number);
      const std::size_t before = refusals_;
      check(std::move(image), spec + " class " + std::to_string(number));
      if (number > 191) {
        EXPECT_EQ(refusals_, before + 1);
      }
    }
  }
}

TEST_F(DamagedEntropyCoded, LengthsBeyondTheirRoomAreFlagged) {
  encode_one("ece8:bits=2,page=64");
  const std::size_t at = layout_.sections[3].sizes + 8;
  std::uint64_t bytes;
  std::memcpy(&bytes, &store_->image[at], 8);
  for (const std::uint64_t length :
       {std::uint64_t{0}, bytes - 1, bytes + 1, bytes + 64, UINT64_MAX}) {
    std::vector<std::byte> image = store_->image;
    std::memcpy(&image[at], &length, 8);
    check(std::move(image), "streams of " + std::to_string(length));
  }
}

TEST_F(DamagedEntropyCoded, FramesWithExactVectorsAreRefused) {
  encode_one("ece8:bits=2,page=64");
  const auto frame = codec_->frame(layout_, store_->image, 1);
  std::vector<std::byte> image(layout_.bytes);
  EXPECT_NO_THROW(codec_->take_frame(frame, layout_, 1, image));
  EXPECT_THROW(codec_->take_frame(frame, codec_->layout(kTokens + 1, kHeads), 1, image),
               CorruptStream);
  const FrameView view = parse_frame(frame);
  std::vector<std::string_view> names;
  for (const FrameSection& section : view.sections) names.push_back(section.name);
  std::vector<std::byte> forged(frame.size() + 4 + 4 * kDim);
  FrameWriter writer(forged, view.spec, kDim, kTokens, names);
  for (const FrameSection& section : view.sections) {
    const bool exact = section.name == "exact";
    const auto to = writer.section(exact ? 4 + 4 * kDim : section.bytes.size());
    std::copy(section.bytes.begin(), section.bytes.end(), to.begin());
  }
  forged.resize(writer.finish());
  std::vector<float> values(kTokens * kDim);
  EXPECT_NO_THROW(codec_->host().decode(forged, dense_rows(values.data(), kTokens, kDim)));
  EXPECT_THROW(codec_->take_frame(forged, layout_, 1, image), CorruptStream);
}

}  // namespace
}  // namespace kakeya

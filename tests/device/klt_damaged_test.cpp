// SPDX-License-Identifier: Apache-2.0
// Sections of klt that no encoder wrote: the device flags what the CPU refuses, and decodes the rest to
// the CPU's values.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "device/klt_heads.h"
#include "kakeya/codec/transform_codec.h"
#include "kakeya/core/error.h"
#include "kernels/klt.h"

namespace kakeya {
namespace {

using namespace test;

// Whatever is in the sections: a flag where the CPU refuses the frame, else the CPU's values.
class DamagedKlt : public DeviceKlt {
 protected:
  static constexpr std::size_t kTokens = 150;

  // Of single heads, or of whole layers.
  void encode_one(const std::string& spec) {
    if (spec.find("scope=layer") == std::string::npos) {
      make(spec, 64);
    } else {
      make(spec, TokenShape{16, 2, 3, 1, {0, 3}});
    }
    const std::size_t heads = codec_->heads();
    which_ = heads / 2;
    layout_ = codec_->layout(kTokens, heads);
    x_ = std::make_unique<Vectors>(DeviceScalar::bf16, kTokens, heads, codec_->dim());
    y_ = std::make_unique<Vectors>(DeviceScalar::fp32, kTokens, heads, codec_->dim());
    draw_near(*x_, 3);
    store_ = std::make_unique<Store>(layout_);
    codec_->encode(x_->view(), store_->sections.data(), store_->flag_data(), nullptr,
                   store_->workspace.data());
    ASSERT_EQ(store_->any_flag(), 0u);
  }

  // Decodes `image`, in which only head which_ is damaged.
  void check(std::vector<std::byte> image, const std::string& what) {
    SCOPED_TRACE(what);
    Store store(layout_);
    store.sections.copy_in(image.data(), image.size());
    y_->poison();
    codec_->decode(store.sections.data(), y_->view(), store.flag_data(), nullptr,
                   store.workspace.data());
    store.download();
    last_flags_ = store.words[which_];
    y_->download();
    for (std::size_t head = 0; head < store.words.size(); ++head) {
      if (head != which_) {
        EXPECT_EQ(store.words[head], 0u);
      }
    }
    EXPECT_TRUE(y_->gaps_are_whole());
    bool refused = false;
    const std::size_t dim = codec_->dim();
    std::vector<float> values(kTokens * dim);
    try {
      const auto frame = codec_->frame(layout_, image, which_);
      codec_->host(which_).decode(frame, dense_rows(values.data(), kTokens, dim));
    } catch (const CorruptStream&) {
      refused = true;
    }
    EXPECT_EQ(store.words[which_] != 0, refused) << store.words[which_];
    if (refused) {
      EXPECT_THROW(require_no_flags(*codec_, store.words), CorruptStream);
    }
    std::size_t wrong = 0;
    for (std::size_t t = 0; t < kTokens; ++t) {
      for (std::size_t i = 0; i < dim; ++i) {
        const float got = float_of(y_->pattern(t, which_, i));
        ASSERT_TRUE(std::isfinite(got)) << t << " " << i;
        wrong += !refused && got != values[t * dim + i];
      }
    }
    EXPECT_EQ(wrong, 0u);
  }

  std::span<std::byte> part(std::vector<std::byte>& image, std::size_t section) const {
    const DeviceLayout::Section& of = layout_.sections[section];
    std::uint64_t bytes = of.bytes;
    if (of.sizes != DeviceLayout::kAllBytes) std::memcpy(&bytes, &image[of.sizes + 8 * which_], 8);
    return std::span(image).subspan(of.offset + which_ * of.stride, bytes);
  }

  std::size_t which_ = 0;
  std::uint32_t last_flags_ = 0;
  DeviceLayout layout_;
  std::unique_ptr<Vectors> x_, y_;
  std::unique_ptr<Store> store_;
};

TEST_F(DamagedKlt, IsFlaggedWhereTheCpuRefusesIt) {
  for (const std::string lattice :
       {"e8", "z", "tcq", "e8,product=exact", "e8,scope=layer", "tcq,scope=layer", "z,pages=fixed",
        "e8,pages=fixed", "tcq,pages=fixed", "z,pages=prefix", "z,pages=tiles",
        "z,pages=tiles,product=exact"}) {
    const bool tiles = lattice.find("tiles") != std::string::npos;
    encode_one((tiles ? "klt:bits=2,page=128,lattice=" : "klt:bits=2,page=64,lattice=") + lattice);
    check(store_->image, "whole");
    for (std::size_t section = 0; section < layout_.sections.size(); ++section) {
      for (const int byte : {0xff, 0x7f, 0x00, 0x55}) {
        std::vector<std::byte> image = store_->image;
        for (std::byte& each : part(image, section)) each = static_cast<std::byte>(byte);
        check(std::move(image),
              lattice + " section " + std::to_string(section) + " full of " + std::to_string(byte));
      }
    }
    const Random random(9);
    for (std::uint64_t round = 0; round < 60 && !HasFailure(); ++round) {
      std::vector<std::byte> image = store_->image;
      const std::span<std::byte> bytes = part(image, random.bits(3 * round) % 3);
      bytes[random.bits(3 * round + 1) % bytes.size()] ^=
          static_cast<std::byte>(1u << (random.bits(3 * round + 2) % 8));
      check(std::move(image), lattice + " bit " + std::to_string(round));
    }
  }
}

TEST_F(DamagedKlt, LengthsBeyondTheirRoomAreFlagged) {
  for (const char* spec :
       {"klt:bits=2,page=64", "klt:bits=2,page=64,scope=layer", "klt:bits=2,page=64,pages=fixed",
        "klt:bits=2,page=64,lattice=z,pages=prefix", "klt:bits=2,page=128,lattice=z,pages=tiles"}) {
    encode_one(spec);
    const std::uint64_t record = 4 + 2 * codec_->dim();
    for (std::size_t section = 1; section < layout_.sections.size(); ++section) {
      const std::size_t at = layout_.sections[section].sizes + 8 * which_;
      std::uint64_t bytes;
      std::memcpy(&bytes, &store_->image[at], 8);
      for (const std::uint64_t length : {std::uint64_t{0}, bytes - 1, bytes + 1, bytes + record,
                                         UINT64_MAX, UINT64_MAX / record * record}) {
        std::vector<std::byte> image = store_->image;
        std::memcpy(&image[at], &length, 8);
        check(std::move(image), std::to_string(section) + " of " + std::to_string(length));
      }
    }
  }
}

// Most of what is in headers, counts and lists.
TEST_F(DamagedKlt, FieldsAreRefusedAsTheCpuRefusesThem) {
  for (const std::string page :
       {"fixed,page=32", "fixed,page=160", "tiles,page=128", "tiles,page=128,product=exact"}) {
    encode_one("klt:bits=3,lattice=z,pages=" + page);
    const Random random(10);
    for (std::uint64_t round = 0; round < 300 && !HasFailure(); ++round) {
      std::vector<std::byte> image = store_->image;
      const std::span<std::byte> bytes = part(image, 1);
      const std::size_t room = round % 2 == 0 ? 64 : bytes.size();
      for (std::uint64_t n = 0; n <= round % 3; ++n) {
        bytes[random.bits(9 * round + 2 * n) % room] =
            static_cast<std::byte>(random.bits(9 * round + 2 * n + 1));
      }
      check(std::move(image), page + " round " + std::to_string(round));
    }
  }
}

// Vectors of a profile read by one whose vectors are longer by so much that some are beyond the floats.
TEST_F(DamagedKlt, PointsBeyondTheFloatsAreFlagged) {
  for (const std::string lattice : {"e8", "z", "tcq"}) {
    const std::string spec = "klt:bits=2,page=64,scope=layer,lattice=" + lattice;
    encode_one(spec);
    const std::vector<std::byte> image = store_->image;
    make(spec, TokenShape{16, 2, 3, 1, {0, 3}, 0x1p127});
    check(image, lattice);
    EXPECT_NE(last_flags_ & kernels::kNotInRange, 0u);
  }
}

// Points of product=float, one of which has three digits in a coordinate.
TEST_F(DamagedKlt, PointsOfMoreThanTwoDigitsAreFlagged) {
  for (const std::string lattice : {"e8", "z", "tcq"}) {
    encode_one("klt:bits=3,page=64,lattice=" + lattice);
    Vectors x(DeviceScalar::fp32, kTokens, kHeads, 64);
    x.set_all([&](std::size_t head, std::size_t t, std::span<float> v) {
      const auto plan = dynamic_cast<const TransformCodec&>(codec_->host(head)).transform_plan();
      const float size = head == which_ && t == 70 ? 20000.0f : 1.0f;
      for (std::size_t i = 0; i < v.size(); ++i) v[i] = plan.mean[i] + size * plan.backward[i];
    });
    codec_->encode(x.view(), store_->sections.data(), store_->flag_data(), nullptr,
                   store_->workspace.data());
    store_->download();
    ASSERT_EQ(store_->any_flag(), 0u);
    make("klt:bits=3,page=64,product=exact,lattice=" + lattice, 64);
    check(store_->image, lattice);
    EXPECT_NE(last_flags_ & kernels::kBadPoint, 0u);
  }
}

TEST_F(DamagedKlt, FramesOfOtherSitesAreRefused) {
  encode_one("klt:bits=2,page=64");
  const auto frame = codec_->frame(layout_, store_->image, 1);
  std::vector<std::byte> image(layout_.bytes);
  EXPECT_NO_THROW(codec_->take_frame(frame, layout_, 1, image));
  EXPECT_THROW(codec_->take_frame(frame, layout_, 0, image), CorruptStream);
  EXPECT_THROW(codec_->take_frame(frame, codec_->layout(kTokens + 1, kHeads), 1, image),
               CorruptStream);
}

}  // namespace
}  // namespace kakeya

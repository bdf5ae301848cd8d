// SPDX-License-Identifier: Apache-2.0
// Pages of fields that the device writes are the CPU's, byte by byte: of klt, and of points that no
// transform leads to.
#include "kernels/fields.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "device/device_case.h"
#include "device/klt_pages.h"
#include "kakeya/core/error.h"
#include "kakeya/entropy/field_coder.h"
#include "kakeya/entropy/lanes.h"
#include "kernels/klt.h"

namespace kakeya {
namespace {

using namespace test;

class DeviceKltFields : public DeviceKltPages {};

TEST_F(DeviceKltFields, BytesAndValuesAreTheCpus) {
  compare_near({"z", "e8", "tcq", "z,product=exact", "tcq,product=exact"}, "fixed", 256);
}

// At 8 bits numbers go beyond those that are counted one by one.
TEST_F(DeviceKltFields, OrdinaryVectorsOfEveryKind) {
  compare_every_kind({"klt:bits=2.5,lattice=z,pages=fixed,page=128",
                      "klt:bits=8,lattice=e8,pages=fixed,page=128",
                      "klt:bits=4,lattice=tcq,pages=fixed,page=128"});
}

TEST_F(DeviceKltFields, ManyVectors) {
  compare_many(
      {"klt:bits=3,pages=fixed,lattice=z,page=128", "klt:bits=3,pages=fixed,lattice=e8,page=4096",
       "klt:bits=3,pages=fixed,lattice=tcq,page=1024"},
      {128, 64});
}

TEST_F(DeviceKltFields, NoVectors) {
  make("klt:bits=3,pages=fixed", 64);
  Vectors x(DeviceScalar::bf16, 0, kHeads, 64), y(DeviceScalar::bf16, 0, kHeads, 64);
  compare(*codec_, x, y, "no tokens");
}

TEST_F(DeviceKltFields, GraphsReplay) {
  if (emulated()) GTEST_SKIP() << "no graphs in the emulation";
  make("klt:bits=3,pages=fixed,page=64", 128);
  const std::size_t tokens = 500;
  Vectors x(DeviceScalar::bf16, tokens, kHeads, 128);
  Store store(codec_->layout(tokens, kHeads)), once(codec_->layout(tokens, kHeads));
  draw_near(x, 0);
  codec_->encode(x.view(), store.sections.data(), store.flag_data(), nullptr,
                 store.workspace.data());
  const OwnStream stream;
  DeviceGraph graph(stream.get());
  codec_->encode(x.view(), store.sections.data(), store.flag_data(), stream.get(),
                 store.workspace.data());
  graph.finish();
  for (std::uint64_t seed = 1; seed < 4; ++seed) {
    draw_near(x, seed);
    device_wait(nullptr);
    graph.run(stream.get());
    device_wait(stream.get());
    codec_->encode(x.view(), once.sections.data(), once.flag_data(), nullptr,
                   once.workspace.data());
    EXPECT_EQ(store.any_flag() | once.any_flag(), 0u);
    for (std::size_t head = 0; head < kHeads; ++head) {
      EXPECT_EQ(codec_->frame(codec_->layout(tokens, kHeads), store.image, head),
                codec_->frame(codec_->layout(tokens, kHeads), once.image, head));
    }
  }
}

// One head's points, coded on both sides.
class DeviceFields : public DeviceCase<> {
 protected:
  // twice(vector, coordinate) of `tokens` vectors in pages of `page`.
  template <typename Twice>
  void compare(Lattice lattice, FieldOrder order, std::span<const double> deviations,
               std::size_t page, std::size_t tokens, const Twice& twice) {
    const FieldCoder coder(lattice, order, deviations);
    const std::size_t dim = coder.dim(), pages = (tokens + page - 1) / page, each = page * dim;
    std::vector<std::int32_t> points(pages * each, -1);
    std::vector<std::byte> streams;
    std::vector<std::uint32_t> sizes;
    for (std::size_t p = 0; p < pages; ++p) {
      const std::size_t vectors = std::min(page, tokens - p * page);
      std::vector<std::int32_t> lanes(lane_values(vectors, dim));
      for (std::size_t t = 0; t < vectors; ++t) {
        for (std::size_t i = 0; i < dim; ++i) {
          lanes[lane_value(t, i, dim)] = twice(p * page + t, i);
          points[p * each + lane_value(t, i, dim)] = lanes[lane_value(t, i, dim)];
        }
      }
      const std::vector<std::byte> bytes = coder.encode(lanes, vectors);
      sizes.push_back(static_cast<std::uint32_t>(bytes.size()));
      streams.insert(streams.end(), bytes.begin(), bytes.end());
    }
    last_page_.assign(streams.end() - sizes.back(), streams.end());

    const std::size_t room = (streams.size() + 15) / 16 * 16;
    const Coded coded = code(order, coder, lattice, page, tokens, points, room);
    EXPECT_EQ(coded.flag, 0u);
    EXPECT_EQ(coded.all, streams.size());
    EXPECT_EQ(coded.sizes, sizes);
    const auto differs = std::mismatch(streams.begin(), streams.end(), coded.streams.begin());
    EXPECT_EQ(differs.first - streams.begin(), static_cast<std::ptrdiff_t>(streams.size()));
    for (std::size_t i = streams.size(); i < coded.streams.size(); ++i) {
      ASSERT_EQ(coded.streams[i], std::byte{0x5a});
    }
  }

  struct Coded {
    std::uint32_t flag = 0;
    std::uint64_t all = 0;
    std::vector<std::uint32_t> sizes;
    std::vector<std::byte> streams;  // 16 bytes more than `room`
  };
  // What the device makes of pages of points.
  static Coded code(FieldOrder order, const FieldCoder& coder, Lattice lattice, std::size_t page,
                    std::size_t tokens, const std::vector<std::int32_t>& points, std::size_t room) {
    const std::size_t dim = coder.dim(), pages = (tokens + page - 1) / page;
    std::vector<float> bits;
    for (const std::uint8_t width : coder.widths()) bits.insert(bits.end(), 8, width);
    DeviceBuffer usual(4 * bits.size()), on_device(4 * points.size()), page_sizes(4 * pages),
        stream_bytes(8), flags(4), out(room + 16);
    usual.copy_in(bits.data(), usual.bytes());
    on_device.copy_in(points.data(), on_device.bytes());
    out.fill(0x5a, nullptr);
    flags.fill(0, nullptr);
    kernels::FieldPages codec;
    codec.lattice = static_cast<kernels::PageLattice>(lattice);
    codec.values = order == FieldOrder::values;
    codec.heads = 1, codec.dim = static_cast<std::int32_t>(dim);
    codec.usual_bits = static_cast<const float*>(usual.data());
    codec.usual_stride = static_cast<std::int64_t>(bits.size());
    const kernels::PagePoints from{
        static_cast<std::int32_t*>(on_device.data()), static_cast<std::int64_t>(points.size()),
        nullptr, static_cast<std::int64_t>(pages), static_cast<std::int32_t>(page)};
    DeviceBuffer workspace(kernels::field_encode_workspace(from, 1, static_cast<int>(dim)));
    workspace.fill(0xa5, nullptr);
    kernels::PageSections to;
    to.streams = static_cast<std::uint8_t*>(out.data());
    to.stream_stride = to.stream_room = static_cast<std::int64_t>(room);
    to.pages = static_cast<std::uint32_t*>(page_sizes.data());
    to.page_stride = static_cast<std::int64_t>(pages);
    to.stream_bytes = static_cast<std::uint64_t*>(stream_bytes.data());
    kernels::encode_fields(codec, from, static_cast<std::int64_t>(tokens), to, workspace.data(),
                           static_cast<std::uint32_t*>(flags.data()), nullptr);
    device_wait(nullptr);
    Coded coded;
    coded.sizes.resize(pages);
    coded.streams.resize(room + 16);
    flags.copy_out(&coded.flag, 4);
    stream_bytes.copy_out(&coded.all, 8);
    page_sizes.copy_out(coded.sizes.data(), page_sizes.bytes());
    out.copy_out(coded.streams.data(), coded.streams.size());
    return coded;
  }

  std::vector<std::byte> last_page_;  // of the CPU
};

std::int32_t draw_between(const Random& random, std::size_t t, std::size_t i, std::int32_t most) {
  const auto drawn = static_cast<std::int64_t>(random.bits(1000 * t + i) >> 11);
  return static_cast<std::int32_t>(drawn % (2 * std::int64_t{most} + 1) - most);
}

// Whole numbers that are points of Z, from few levels to all that there may be.
TEST_F(DeviceFields, PagesOfAnyNumberOfVectors) {
  const std::vector<double> deviations(24, 2.0);
  for (const FieldOrder order : {FieldOrder::keys, FieldOrder::values}) {
    for (const std::size_t tokens : {1, 2, 15, 16, 17, 31, 33, 127, 128, 129, 200, 288}) {
      SCOPED_TRACE(tokens);
      const Random random(tokens, 3);
      compare(Lattice::z, order, deviations, 160, tokens, [&](std::size_t t, std::size_t i) {
        const auto most = static_cast<std::int32_t>(i < 8 ? i : (i < 16 ? 5 * i : 1000 + i));
        return 2 * draw_between(random, t, i, most);
      });
    }
  }
}

// Medians far from 0, equal numbers, ties of two codes, coordinates that are 0 but for one.
TEST_F(DeviceFields, ShiftsAndTies) {
  const std::vector<double> deviations(40, 4.0);
  const Random random(5, 3);
  for (const std::size_t tokens : {64, 96, 300}) {
    compare(Lattice::z, FieldOrder::keys, deviations, 256, tokens,
            [&](std::size_t t, std::size_t i) {
              const std::int32_t drawn = draw_between(random, t, i, 3);
              if (i < 8) return 2 * (drawn + 40 * static_cast<std::int32_t>(i % 4) - 300);
              if (i < 16) return 2 * (static_cast<std::int32_t>(t % 2) * 4 - 2);
              if (i < 24) return 2 * 17;
              if (i < 32) return t == 50 ? 2 * drawn : 0;
              return 2 * (drawn / 2 - 9 * static_cast<std::int32_t>(t % 16 == 3));
            });
  }
}

// Entries that add more than once, far ones, and numbers that take several of them.
TEST_F(DeviceFields, ListsOfEveryKind) {
  const std::vector<double> deviations(24, 1.0);
  const Random random(6, 3);
  for (const std::int32_t most : {1 << 21, 1 << 20, 40000, 900}) {
    for (const std::size_t rare : {2, 7, 40, 1000}) {
      SCOPED_TRACE(std::to_string(most) + " of " + std::to_string(rare));
      compare(Lattice::z, FieldOrder::values, deviations, 128, 190,
              [&](std::size_t t, std::size_t i) {
                const bool large = (random.bits(7000 + 24 * t + i) >> 20) % 8 != 0;
                const bool chosen = (random.bits(90000 + 24 * t + i) >> 13) % rare == 0;
                const std::int32_t size = i < 8 ? most : (i < 16 ? 12 : 3);
                const std::int32_t drawn = draw_between(random, t, i, size);
                return chosen && large ? 2 * drawn : 2 * (drawn % 2);
              });
    }
  }
}

// A page whose lists the search would fill beyond their counts is written with the fields of its
// deviations; one that is longer than it should be, and shorter than so, is not.
TEST_F(DeviceFields, ListsThatAreFull) {
  const std::vector<double> deviations(256, 1.0);
  const Random random(7, 3);
  compare(Lattice::z, FieldOrder::keys, deviations, 2048, 2048, [&](std::size_t t, std::size_t i) {
    if (t / 128 != 3) return 0;
    return draw_between(random, t, i, 1) < 0 ? -4 : 4;
  });
  for (std::size_t g = 0; g < 32; ++g) {
    EXPECT_EQ(last_page_[4 + g], std::byte{field_code_of_bits(3) | kNoList << 6});
  }
  const std::vector<double> eight(8, 1.0);
  compare(Lattice::z, FieldOrder::keys, eight, 128, 100,
          [&](std::size_t t, std::size_t i) { return 2 * draw_between(random, t, i, 1 << 20); });
}

// Points that no codec has, and a section that is too short.
TEST_F(DeviceFields, WhatDoesNotFitIsFlagged) {
  const FieldCoder coder(Lattice::z, FieldOrder::keys, std::vector<double>(64, 1.0));
  const Random random(9, 3);
  std::vector<std::int32_t> points(2 * 128 * 64);
  const auto coded = [&](std::size_t room) {
    return code(FieldOrder::keys, coder, Lattice::z, 128, 256, points, room);
  };
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i] = static_cast<std::int32_t>(random.bits(i) >> 32);
  }
  EXPECT_EQ(coded(1 << 20).streams, coded(1 << 20).streams);
  for (std::size_t i = 0; i < points.size(); ++i) points[i] = i % 2 == 0 ? INT32_MIN : INT32_MAX;
  coded(1 << 20);
  for (std::size_t i = 0; i < points.size(); ++i) points[i] = 2 * static_cast<std::int32_t>(i % 7);
  const Coded whole = coded(1 << 20), cut = coded(1024);
  EXPECT_EQ(whole.flag, 0u);
  EXPECT_EQ(cut.flag, static_cast<std::uint32_t>(kernels::kStreamTooLong));
  EXPECT_EQ(cut.sizes, whole.sizes);
  for (const std::byte byte : cut.streams) ASSERT_EQ(byte, std::byte{0x5a});
}

TEST_F(DeviceFields, OtherLattices) {
  const std::vector<double> deviations(16, 1.5);
  const Random random(8, 3);
  // Blocks of E8 of integers and of half-integers, sums even.
  compare(Lattice::e8, FieldOrder::keys, deviations, 64, 150, [&](std::size_t t, std::size_t i) {
    const auto number = [&](std::size_t j) { return draw_between(random, t, j, 3 + 40 * (j > 9)); };
    const std::int32_t half = static_cast<std::int32_t>((t + i / 8) % 2);
    if (i % 8 != 7) return 2 * number(i) + half;
    std::int32_t sum = 0;
    for (std::size_t j = i - 7; j < i; ++j) sum += number(j);
    return 2 * (2 * number(i) + (sum & 1)) + half;
  });
}

}  // namespace
}  // namespace kakeya

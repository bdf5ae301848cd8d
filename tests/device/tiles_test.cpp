// SPDX-License-Identifier: Apache-2.0
// klt with pages=tiles on a GPU: bytes and values are the CPU's, and what is no page is refused as there.
#include "kernels/tiles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

#include "device/device_case.h"
#include "device/klt_pages.h"
#include "kakeya/codec/transform_codec.h"
#include "kakeya/core/random.h"
#include "kakeya/entropy/lanes.h"
#include "kakeya/entropy/tile_coder.h"

namespace kakeya {
namespace {

using namespace test;

class DeviceKltTiles : public DeviceKltPages {};

TEST_F(DeviceKltTiles, BytesAndValuesAreTheCpus) {
  compare_near({"z", "z,product=exact"}, "tiles", 256);
}

// At 8 bits numbers go beyond a byte.
TEST_F(DeviceKltTiles, OrdinaryVectorsOfEveryKind) {
  compare_every_kind(
      {"klt:bits=2.5,lattice=z,pages=tiles,page=128", "klt:bits=8,lattice=z,pages=tiles,page=256"});
}

TEST_F(DeviceKltTiles, ManyVectors) {
  compare_many(
      {"klt:bits=3,pages=tiles,lattice=z,page=128", "klt:bits=3,pages=tiles,lattice=z,page=4096"},
      {128, 64});
}

TEST_F(DeviceKltTiles, NoVectors) {
  make("klt:bits=3,lattice=z,pages=tiles", 64);
  Vectors x(DeviceScalar::bf16, 0, kHeads, 64), y(DeviceScalar::bf16, 0, kHeads, 64);
  compare(*codec_, x, y, "no tokens");
}

// Of product=exact, pages of 128 vectors become vectors with no points in between.
class DeviceTileVectors : public DeviceKltPages {
 protected:
  // Vectors as the profile expects them, some of them longer; of each head what was drawn for it.
  void draw(Vectors& x, std::uint64_t seed, float longer) const {
    const std::size_t tokens = x.view().tokens, dim = x.view().dim;
    x.set_all([&](std::size_t head, std::size_t t, std::span<float> v) {
      const std::vector<float> near =
          vectors_of(source_->profile().transform({0, part_, static_cast<int>(head)}, {}), tokens,
                     seed * 10 + head);
      std::copy_n(&near[t * dim], dim, v.begin());
      if (t % 16 == 5) {
        for (float& value : v) value *= longer;
      }
    });
  }
};

TEST_F(DeviceTileVectors, AreTheCpus) {
  std::uint64_t round = 0;
  for (const std::size_t dim : {64, 128, 256}) {
    for (const Part part : {Part::key, Part::value}) {
      for (const char* bits : {"1.5", "3", "5"}) {
        if (emulated() && (dim == 256) != (bits[0] == '3') && round++ % 2 != 0) continue;
        const std::string spec =
            std::string("klt:lattice=z,product=exact,pages=tiles,page=128,bits=") + bits;
        make(spec, dim, part);
        const DeviceScalar type = kTypes[round % 3];
        const std::size_t tokens = (emulated() ? 150 : 900) + 77 * (round % 2);
        Vectors x(type, tokens, kHeads, dim), y(type, tokens, kHeads, dim);
        ++round;
        draw(x, round, round % 2 == 0 ? 4.0f : 1.0f);
        compare(*codec_, x, y, spec + " dim " + std::to_string(dim));
        if (HasFailure()) return;
      }
    }
  }
}

// A page of one vector, which is kept beside it, is damaged: the vector is there all the same.
TEST_F(DeviceTileVectors, KeptBesideADamagedPage) {
  constexpr std::size_t kTokens = 129, kDim = 64;
  make("klt:bits=3,lattice=z,product=exact,pages=tiles,page=128", kDim);
  Vectors x(DeviceScalar::fp32, kTokens, kHeads, kDim);
  draw(x, 4, 1.0f);
  x.set_all([&](std::size_t head, std::size_t t, std::span<float> v) {
    const auto plan = dynamic_cast<const TransformCodec&>(codec_->host(head)).transform_plan();
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = plan.mean[i] + (t == 128 ? 1e6f : 0.01f);
  });
  const DeviceLayout layout = codec_->layout(kTokens, kHeads);
  Store store(layout);
  codec_->encode(x.view(), store.sections.data(), store.flag_data(), nullptr,
                 store.workspace.data());
  store.download();
  ASSERT_EQ(store.any_flag(), 0u);
  std::vector<std::byte> image = store.image;
  const auto section = [&](std::string_view name) -> const DeviceLayout::Section& {
    return *std::find_if(layout.sections.begin(), layout.sections.end(),
                         [&](const auto& each) { return each.name == name; });
  };
  const DeviceLayout::Section &streams = section("streams"), &pages = section("pages");
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, &image[streams.sizes + 8], 8);
  std::uint32_t last = 0;
  std::memcpy(&last, &image[pages.offset + pages.stride + 4], 4);
  image[streams.offset + streams.stride + bytes - last] = std::byte{7};  // vectors - 1
  EXPECT_TRUE(expect_what_the_host_says(*codec_, layout, image, kDim));
}

// Points come first in the workspace: nothing was written there.
TEST_F(DeviceTileVectors, NeedNoPoints) {
  constexpr std::size_t kTokens = 200, kDim = 128;
  make("klt:bits=3,lattice=z,product=exact,pages=tiles,page=128", kDim);
  Vectors x(DeviceScalar::bf16, kTokens, kHeads, kDim),
      y(DeviceScalar::bf16, kTokens, kHeads, kDim);
  draw(x, 3, 1.0f);
  Store store(codec_->layout(kTokens, kHeads));
  codec_->encode(x.view(), store.sections.data(), store.flag_data(), nullptr,
                 store.workspace.data());
  store.workspace.fill(0x5a, nullptr);
  codec_->decode(store.sections.data(), y.view(), store.flag_data(), nullptr,
                 store.workspace.data());
  device_wait(nullptr);
  std::vector<std::byte> workspace(store.workspace.bytes());
  store.workspace.copy_out(workspace.data(), workspace.size());
  const auto points = std::span(workspace).first(4 * kHeads * 256 * kDim);
  EXPECT_EQ(std::count(points.begin(), points.end(), std::byte{0x5a}),
            static_cast<std::ptrdiff_t>(points.size()));
}

// One head's points, coded and decoded on both sides.
class DeviceTiles : public DeviceCase<> {
 protected:
  struct Pages {
    std::vector<std::int32_t> points;
    std::vector<std::uint32_t> sizes;
    std::vector<std::byte> streams;
  };

  static kernels::FieldPages codec_of(const TileCoder& coder, const DeviceBuffer& usual) {
    kernels::FieldPages codec;
    codec.values = coder.order() == FieldOrder::values;
    codec.heads = 1, codec.dim = static_cast<std::int32_t>(coder.dim());
    codec.usual_bits = static_cast<const float*>(usual.data());
    codec.usual_stride = codec.dim;
    return codec;
  }
  static kernels::PageSections sections(DeviceBuffer& streams, DeviceBuffer& sizes,
                                        DeviceBuffer& bytes, std::size_t room) {
    kernels::PageSections to;
    to.streams = static_cast<std::uint8_t*>(streams.data());
    to.stream_stride = to.stream_room = static_cast<std::int64_t>(room);
    to.pages = static_cast<std::uint32_t*>(sizes.data());
    to.page_stride = static_cast<std::int64_t>(sizes.bytes() / 4);
    to.stream_bytes = static_cast<std::uint64_t*>(bytes.data());
    return to;
  }

  // v(vector, coordinate) of `tokens` vectors in pages of `page`.
  template <typename Value>
  void compare(FieldOrder order, std::span<const double> deviations, std::size_t page,
               std::size_t tokens, const Value& v) {
    const TileCoder coder(order, deviations);
    const std::size_t dim = coder.dim(), pages = (tokens + page - 1) / page, each = page * dim;
    Pages host;
    host.points.assign(pages * each, 0);
    for (std::size_t p = 0; p < pages; ++p) {
      const std::size_t vectors = std::min(page, tokens - p * page);
      std::vector<std::int32_t> lanes(lane_values(vectors, dim));
      for (std::size_t t = 0; t < vectors; ++t) {
        for (std::size_t i = 0; i < dim; ++i) {
          lanes[lane_value(t, i, dim)] = 2 * v(p * page + t, i);
          host.points[p * each + lane_value(t, i, dim)] = lanes[lane_value(t, i, dim)];
        }
      }
      last_page_ = coder.encode(lanes, vectors);
      host.sizes.push_back(static_cast<std::uint32_t>(last_page_.size()));
      host.streams.insert(host.streams.end(), last_page_.begin(), last_page_.end());
    }
    std::vector<float> bits;
    for (const std::uint8_t width : coder.widths()) bits.insert(bits.end(), 8, width);
    const std::size_t room = (host.streams.size() + 15) / 16 * 16;
    DeviceBuffer usual(4 * bits.size()), points(4 * host.points.size()), sizes(4 * pages), bytes(8),
        flags(4), streams(room + 16);
    usual.copy_in(bits.data(), usual.bytes());
    points.copy_in(host.points.data(), points.bytes());
    streams.fill(0x5a, nullptr);
    flags.fill(0, nullptr);
    const kernels::FieldPages codec = codec_of(coder, usual);
    kernels::PagePoints from{static_cast<std::int32_t*>(points.data()),
                             static_cast<std::int64_t>(host.points.size()), nullptr,
                             static_cast<std::int64_t>(pages), static_cast<std::int32_t>(page)};
    const kernels::PageSections to = sections(streams, sizes, bytes, room);
    auto* const flag = static_cast<std::uint32_t*>(flags.data());
    DeviceBuffer workspace(std::max(kernels::tile_encode_workspace(from, 1, static_cast<int>(dim)),
                                    kernels::tile_decode_workspace(from, 1)));
    workspace.fill(0xa5, nullptr);
    kernels::encode_tiles(codec, from, static_cast<std::int64_t>(tokens), to, workspace.data(),
                          flag, nullptr);
    device_wait(nullptr);
    Pages device;
    device.sizes.resize(pages);
    device.streams.resize(room + 16);
    sizes.copy_out(device.sizes.data(), sizes.bytes());
    streams.copy_out(device.streams.data(), device.streams.size());
    EXPECT_EQ(device.sizes, host.sizes);
    const auto differs =
        std::mismatch(host.streams.begin(), host.streams.end(), device.streams.begin());
    EXPECT_EQ(differs.first - host.streams.begin(),
              static_cast<std::ptrdiff_t>(host.streams.size()));
    for (std::size_t i = host.streams.size(); i < device.streams.size(); ++i) {
      ASSERT_EQ(device.streams[i], std::byte{0x5a});
    }
    // And back, over anything.
    points.fill(0x33, nullptr);
    kernels::decode_tiles(codec, to, from, static_cast<std::int64_t>(tokens), workspace.data(),
                          flag, nullptr);
    device_wait(nullptr);
    device.points.resize(host.points.size());
    points.copy_out(device.points.data(), points.bytes());
    EXPECT_EQ(device.points, host.points);
    std::uint32_t found = 1;
    flags.copy_out(&found, 4);
    EXPECT_EQ(found, 0u);
  }

  std::vector<std::byte> last_page_;  // of the CPU
};

std::int32_t between(const Random& random, std::size_t t, std::size_t i, std::int32_t most) {
  const auto drawn = static_cast<std::int64_t>(random.bits(1000 * t + i) >> 11);
  return static_cast<std::int32_t>(drawn % (2 * std::int64_t{most} + 1) - most);
}

TEST_F(DeviceTiles, PagesOfAnyNumberOfVectors) {
  const std::vector<double> deviations(40, 2.0);
  for (const FieldOrder order : {FieldOrder::keys, FieldOrder::values}) {
    for (const std::size_t tokens : {1, 31, 127, 128, 129, 200, 288, 520}) {
      SCOPED_TRACE(tokens);
      const Random random(tokens, 3);
      compare(order, deviations, 256, tokens, [&](std::size_t t, std::size_t i) {
        const auto most = static_cast<std::int32_t>(i < 24 ? i : (i < 32 ? 3 * i : 1000 + i));
        return between(random, t, i, most);
      });
    }
  }
}

// Medians far from 0, equal numbers, ties, coordinates that are 0 but for one.
TEST_F(DeviceTiles, ShiftsAndTies) {
  const std::vector<double> deviations(40, 4.0);
  const Random random(5, 3);
  for (const std::size_t tokens : {64, 128, 300}) {
    compare(FieldOrder::keys, deviations, 256, tokens, [&](std::size_t t, std::size_t i) {
      const std::int32_t drawn = between(random, t, i, 3);
      if (i < 8) return drawn + 40 * static_cast<std::int32_t>(i % 4) - 300;
      if (i < 16) return static_cast<std::int32_t>(t % 2) * 4 - 2;
      if (i < 24) return std::int32_t{17};
      if (i < 32) return t == 50 ? drawn : 0;
      return drawn / 2 - 9 * static_cast<std::int32_t>(t % 16 == 3);
    });
  }
}

// Entries that add more than once, far ones, and numbers that take several of them.
TEST_F(DeviceTiles, ListsOfEveryKind) {
  const std::vector<double> deviations(24, 1.0);
  const Random random(6, 3);
  for (const std::int32_t most : {1 << 21, 40000, 900, 7}) {
    for (const std::size_t rare : {2, 7, 40, 1000}) {
      SCOPED_TRACE(std::to_string(most) + " of " + std::to_string(rare));
      compare(FieldOrder::values, deviations, 256, 190, [&](std::size_t t, std::size_t i) {
        const bool large = (random.bits(7000 + 24 * t + i) >> 20) % 8 != 0;
        const bool chosen = (random.bits(90000 + 24 * t + i) >> 13) % rare == 0;
        const std::int32_t size = i < 8 ? most : (i < 16 ? 12 : 3);
        const std::int32_t drawn = between(random, t, i, size);
        return chosen && large ? drawn : drawn % 2;
      });
    }
  }
}

// A lone number in a group of zeros: of 16 bits, -32768 alone takes two far entries.
TEST_F(DeviceTiles, NumbersAtTheEndsOf16Bits) {
  for (const FieldOrder order : {FieldOrder::keys, FieldOrder::values}) {
    for (const std::int32_t lone : {-32768, -32767, 32767, 32768, -65534, -65535}) {
      SCOPED_TRACE(lone);
      compare(order, std::vector<double>(64, 1.0), 128, 128, [&](std::size_t t, std::size_t i) {
        return t == 77 && i % 8 == 3 ? lone : std::int32_t{0};
      });
    }
  }
}

// Gaps between entries decide how many bits an entry has: all that there are, and lists longer than a warp's
// room in shared memory.
TEST_F(DeviceTiles, EntriesOfEveryNumberOfBits) {
  std::size_t round = 0;
  for (const FieldOrder order : {FieldOrder::keys, FieldOrder::values}) {
    std::uint8_t bits = 3;
    for (const int gap : {2, 6, 14, 30, 62, 126, 254, 510, 1022, 1023}) {
      const std::size_t dim = std::size_t{64} << round % 3, page = std::size_t{128} << round % 2;
      ++round;
      SCOPED_TRACE(std::to_string(gap) + " of head_dim " + std::to_string(dim));
      compare(order, std::vector<double>(dim, 1.0), page, page, [&](std::size_t t, std::size_t i) {
        const int position =
                      tile_position(order, static_cast<int>(i % 32), static_cast<int>(t % 128)),
                  at = position % 1024;
        return at != 0 && at % gap == 0 && at / gap <= 100 ? std::int32_t{1} : std::int32_t{0};
      });
      TileHeader header(dim, page);
      header.read(last_page_);
      EXPECT_EQ(header.entry_bits, std::vector<std::uint8_t>(dim / 32, bits));
      ++bits;
    }
    compare(order, std::vector<double>(64, 1.0), 128, 128, [&](std::size_t t, std::size_t i) {
      const int position = tile_position(order, static_cast<int>(i % 32), static_cast<int>(t));
      return position % 1024 < 150 ? std::int32_t{3} : std::int32_t{0};
    });
    TileHeader header(64, 128);
    header.read(last_page_);
    EXPECT_EQ(header.widths, std::vector<std::uint8_t>(8, 0));
  }
}

// Groups of all deviations beside each other, medians that are 0 and others, some numbers far away.
TEST_F(DeviceTiles, GroupsOfAllDeviations) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(seed);
    const Random random(seed, 9);
    const std::size_t dim = seed % 3 == 0 ? 256 : (seed % 3 == 1 ? 64 : 104);
    const auto group = [&](std::size_t i, std::size_t what) {
      return static_cast<int>(random.bits(1000000 + 8 * (i / 8) + what) >> 20) & 255;
    };
    compare(seed % 2 == 0 ? FieldOrder::keys : FieldOrder::values, std::vector<double>(dim, 3.0),
            seed % 4 == 3 ? 256 : 128, 128 + 57 * (seed % 5), [&](std::size_t t, std::size_t i) {
              double x = random.normal(t * dim + i) * std::exp2(group(i, 0) % 11 - 4);
              if (group(i, 1) % 3 == 0) x += (static_cast<double>(i % 8) - 4) * (group(i, 2) % 40);
              if ((random.bits(5000000 + t * dim + i) >> 9) % 512 == 0) x *= 1 << group(i, 3) % 16;
              return static_cast<std::int32_t>(std::lrint(std::clamp(x, -2e6, 2e6)));
            });
  }
}

// A page that is longer than its vectors allow is written with the fields of its deviations, where that is
// shorter.
TEST_F(DeviceTiles, PagesLongerThanTheirBound) {
  const std::vector<double> deviations(64, 1.0);
  const Random random(7, 3);
  compare(FieldOrder::keys, deviations, 128, 3,
          [&](std::size_t t, std::size_t i) { return between(random, t, i, 1 << 20); });
  compare(FieldOrder::values, deviations, 128, 100,
          [&](std::size_t t, std::size_t i) { return between(random, t, i, 1 << 20); });
}

}  // namespace
}  // namespace kakeya

// SPDX-License-Identifier: Apache-2.0
// Pages of points that the device writes and reads are those of the CPU, byte by byte, and it
// refuses what the CPU refuses. As parity_test.cpp: without a GPU in device_emulated_test only.
//
// KAKEYA_GPU_VECTORS=N: also N vectors a lattice, in large launches.

#include <gtest/gtest.h>

#include <cstdlib>

#include "device/device_case.h"
#include "device/page_layers.h"
#include "kakeya/core/error.h"

namespace kakeya {
namespace {

using namespace test;

class DevicePages : public DeviceCase<testing::TestWithParam<Lattice>> {};

std::size_t sixteens(std::size_t bytes) { return (bytes + 15) / 16 * 16; }

std::size_t slot_of(HostLayer& host) {
  std::size_t most = 0;
  for (std::size_t h = 0; h < host.shape().heads; ++h) {
    for (std::size_t p = 0; p < host.shape().pages; ++p) {
      most = std::max(most, host.page(h, p).bytes.size());
    }
  }
  return sixteens(most);
}

void compare_encoding(HostLayer& host, DeviceLayer& device) {
  const LayerShape& shape = host.shape();
  const auto streams = device.streams().get();
  const auto sizes = device.sizes().get();
  const auto all = device.stream_bytes().get();
  const auto costs = device.costs().get();
  for (std::size_t h = 0; h < shape.heads; ++h) {
    EXPECT_EQ(all[h], host.stream_bytes(h)) << "head " << h;
    std::size_t at = h * device.room();
    for (std::size_t p = 0; p < shape.pages; ++p) {
      const HostPage& page = host.page(h, p);
      ASSERT_EQ(sizes[h * shape.pages + p], page.bytes.size()) << "head " << h << " page " << p;
      ASSERT_TRUE(std::memcmp(streams.data() + at, page.bytes.data(), page.bytes.size()) == 0)
          << "head " << h << " page " << p;
      at += page.bytes.size();
      for (std::size_t t = 0; t < shape.page; ++t) {
        const std::uint64_t cost =
            t < page.vectors ? host.coder(h).most_cost(page.twice, t) : std::uint64_t{0};
        ASSERT_EQ(costs[(h * shape.pages + p) * shape.page + t], cost) << "vector " << t;
      }
    }
    for (; at < (h + 1) * device.room(); ++at) ASSERT_EQ(streams[at], 0x5a) << "beyond head " << h;
  }
}

void compare_decoding(HostLayer& host, DeviceLayer& device) {
  const LayerShape& shape = host.shape();
  const auto values = device.values().get();
  const auto sums = device.sums().get();
  const std::size_t each = device.page_values();
  for (std::size_t h = 0; h < shape.heads; ++h) {
    for (std::size_t p = 0; p < shape.pages; ++p) {
      const HostPage& page = host.page(h, p);
      const std::size_t number = h * shape.pages + p;
      ASSERT_TRUE(std::equal(page.twice.begin(), page.twice.end(),
                             values.begin() + static_cast<std::ptrdiff_t>(number * each)))
          << "head " << h << " page " << p;
      for (std::size_t t = 0; t < shape.page; ++t) {
        std::int32_t sum = 0;
        for (std::size_t i = 0; i < shape.dim; ++i) sum += page.twice[lane_value(t, i, shape.dim)];
        ASSERT_EQ(sums[number * shape.page + t], sum) << "head " << h << " page " << p;
      }
    }
  }
}

void compare(HostLayer& host) {
  DeviceLayer device(host);
  device.encode(slot_of(host));
  EXPECT_EQ(device.any_flag(), 0u);
  compare_encoding(host, device);
  device.decode_as_it_is();
  EXPECT_EQ(device.any_flag(), 0u);
  compare_decoding(host, device);
}

// Wide and narrow classes; few enough for shared memory, and more.
TEST_P(DevicePages, BytesAndPointsAreTheCpus) {
  struct Case {
    std::size_t dim, page, path;
    int widest, narrowest;
  };
  const Case cases[] = {{128, 64, 0, 34, 10}, {64, 32, 0, 28, 26},  {72, 96, 24, 47, 18},
                        {8, 64, 0, 22, 18},   {136, 128, 0, 18, 0}, {24, 256, 8, 47, 40}};
  for (const Case& each : cases) {
    for (const Points kind : kAllPoints) {
      LayerShape shape{GetParam(), 2, emulated() ? 3u : 40u, each.page, each.dim};
      if (GetParam() == Lattice::trellis) shape.path = each.path;
      shape.seed = each.dim + static_cast<std::size_t>(kind);
      SCOPED_TRACE("dim " + std::to_string(each.dim) + ", points " +
                   std::to_string(static_cast<int>(kind)));
      HostLayer host(shape, each.widest, each.narrowest);
      const Random random(shape.seed, 9);
      for (std::size_t h = 0; h < shape.heads; ++h) {
        for (std::size_t p = 0; p < shape.pages; ++p) {
          const std::size_t drawn = random.bits(h * shape.pages + p) >> 9;
          host.draw(h, p, p % 3 == 0 ? shape.page : drawn % (shape.page + 1), kind);
        }
      }
      compare(host);
    }
  }
}

TEST_P(DevicePages, FewVectorsAndNone) {
  LayerShape shape{GetParam(), 2, 9, 64, 16};
  for (const Points kind : kAllPoints) {
    HostLayer host(shape, 44, 20);
    const std::size_t counts[] = {0, 1, 2, 3, 31, 32, 33, 0, 64};
    for (std::size_t h = 0; h < shape.heads; ++h) {
      for (std::size_t p = 0; p < shape.pages; ++p) host.draw(h, p, counts[p], kind);
    }
    compare(host);
  }
}

// Chunks of many words: places in the window are held back (the emulation ends where they are not).
TEST_P(DevicePages, ManyWordsAStep) {
  for (const int narrowest : {24, 36, 47}) {
    HostLayer host({GetParam(), 1, 2, 128, 64}, 47, narrowest);
    host.draw(0, 0, 128, Points::rare);
    host.draw(0, 1, 96, Points::rare);
    compare(host);
  }
  HostLayer host({GetParam(), 1, 1, 1024, 64}, 30, 18);  // few escapes: a warp stops looking
  host.draw(0, 0, 1024, Points::alike);
  compare(host);
}

// Dims of Z and the trellis need be no multiple of anything.
TEST_P(DevicePages, OddDims) {
  if (block_length(GetParam()) > 1) GTEST_SKIP() << "whole blocks only";
  for (const std::size_t dim : {1, 3, 7, 13, 67}) {
    for (const Points kind : kAllPoints) {
      HostLayer host({GetParam(), 1, 2, 64, dim}, 44, 20);
      host.draw(0, 0, 64, kind);
      host.draw(0, 1, 45, kind);
      compare(host);
    }
  }
}

TEST_P(DevicePages, WhatDoesNotFitIsFlagged) {
  LayerShape shape{GetParam(), 3, 2, 64, 32};
  HostLayer host(shape, 40, 30);
  for (std::size_t h = 0; h < shape.heads; ++h) {
    for (std::size_t p = 0; p < shape.pages; ++p) {
      host.draw(h, p, 64, h == 1 && p == 1 ? Points::extreme : Points::alike);
    }
  }
  DeviceLayer device(host);
  std::size_t most = host.page(1, 0).bytes.size();
  for (const std::size_t h : {0, 2}) {
    for (std::size_t p = 0; p < 2; ++p) most = std::max(most, host.page(h, p).bytes.size());
  }
  device.encode(sixteens(most));
  const auto flags = device.flags().get();
  EXPECT_EQ(flags[0], 0u);
  EXPECT_EQ(flags[1], std::uint32_t{kLongPage});
  EXPECT_EQ(flags[2], 0u);
  EXPECT_EQ(device.sizes().get()[3], 0u);

  DevicePageSections small = device.sections();
  small.stream_room = (host.stream_bytes(2) - 1) / 16 * 16;
  device.flags().fill(0);
  device.streams().fill(0x77);
  const std::size_t slot = slot_of(host);
  const DeviceArray<std::byte> work(device.plans().encode_workspace(device.points(), slot));
  device.plans().encode(device.points(), small, work.data(), slot, device.flags().data(), nullptr);
  EXPECT_EQ(device.flags().get()[2], std::uint32_t{kLongStreams});
  EXPECT_EQ(device.streams().get()[2 * device.room()], 0x77);
}

// A page is flagged if and only if it is longer than its slot.
TEST_P(DevicePages, SlotsAreAsLongAsTheySay) {
  LayerShape shape{GetParam(), 2, 4, 64, 32};
  HostLayer host(shape, 40, 20);
  const std::size_t counts[] = {64, 3, 45, 33};
  std::vector<std::size_t> slots;
  for (std::size_t h = 0; h < shape.heads; ++h) {
    for (std::size_t p = 0; p < shape.pages; ++p) {
      host.draw(h, p, counts[p], kAllPoints[(h + p) % 4]);
      const std::size_t bytes = host.page(h, p).bytes.size();
      slots.push_back(sixteens(bytes));
      if (bytes > 16) slots.push_back(sixteens(bytes) - 16);
    }
  }
  DeviceLayer device(host);
  for (const std::size_t slot : slots) {
    device.flags().fill(0);
    device.encode(slot);
    const auto flags = device.flags().get();
    const auto sizes = device.sizes().get();
    for (std::size_t h = 0; h < shape.heads; ++h) {
      std::uint32_t flag = 0;
      for (std::size_t p = 0; p < shape.pages; ++p) {
        const std::size_t bytes = host.page(h, p).bytes.size();
        if (bytes > slot) flag = kLongPage;
        EXPECT_EQ(sizes[h * shape.pages + p], bytes > slot ? 0 : bytes) << "slot " << slot;
      }
      EXPECT_EQ(flags[h], flag) << "slot " << slot << " head " << h;
    }
  }
}

// The first pages go by the places of warps, the others to whoever is next.
TEST_P(DevicePages, MorePagesThanWarps) {
  LayerShape shape{GetParam(), 1, emulated() ? 150u : 10000u, 32, 8};
  HostLayer host(shape, 40, 20);
  for (std::size_t p = 0; p < shape.pages; ++p) host.draw(0, p, p * 7 % 33, kAllPoints[p % 4]);
  compare(host);
}

// Makes one of many kinds of damage; keeps the length but for one kind.
void damage(std::vector<std::byte>& bytes, const Random& random) {
  const auto draw = [&](std::uint64_t k, std::size_t below) {
    return static_cast<std::size_t>(random.bits(k) >> 11) % below;
  };
  const std::size_t kind = draw(0, 7);
  if (bytes.empty()) return bytes.resize(draw(1, 5), std::byte{1});
  if (kind == 0) bytes[draw(1, bytes.size())] ^= static_cast<std::byte>(1 << draw(2, 8));
  if (kind == 1) bytes[draw(1, std::min<std::size_t>(bytes.size(), 150))] ^= std::byte{0x55};
  if (kind == 2) bytes.resize(bytes.size() - 1 - draw(1, bytes.size()));
  if (kind == 3) bytes.resize(bytes.size() + 1 + draw(1, 6), static_cast<std::byte>(draw(2, 256)));
  if (kind == 4 || kind == 5) {
    const std::size_t from = kind == 4 ? 0 : draw(1, bytes.size());
    for (std::size_t i = from; i < bytes.size(); ++i)
      bytes[i] = static_cast<std::byte>(draw(i + 9, 256));
    if (kind == 4) bytes[0] = static_cast<std::byte>(draw(3, 2));
  }
  if (kind == 6) std::swap(bytes[draw(1, bytes.size())], bytes[draw(2, bytes.size())]);
}

TEST_P(DevicePages, DamagedPagesAreFlaggedWhereTheCpuThrows) {
  std::size_t refused = 0, taken = 0;
  for (std::uint64_t round = 0; round < (emulated() ? 10u : 60u); ++round) {
    // A head a page, each with a flag of its own.
    LayerShape shape{GetParam(), 40, 1, 64, round % 2 == 0 ? 32u : 64u};
    shape.seed = round + 1;
    const bool wide = round % 3 == 0;
    HostLayer host(shape, wide ? 47 : 26, wide ? 36 : 8);
    std::vector<bool> throws(shape.heads);
    for (std::size_t h = 0; h < shape.heads; ++h) {
      const Random random(round * 1000 + h, 21);
      const std::size_t counts[] = {64, 64, 33, 32, 7, 1, 0, 50};
      host.draw(h, 0, counts[random.bits(99) % 8], kAllPoints[(random.bits(98) >> 5) % 4]);
      HostPage& page = host.page(h, 0);
      damage(page.bytes, random);
      std::vector<std::int32_t> twice(page.twice.size(), 0);
      try {
        if (page.vectors == 0 && !page.bytes.empty()) throw CorruptStream("bytes of nothing");
        if (page.vectors != 0) host.coder(h).decode(page.bytes, page.vectors, twice);
      } catch (const CorruptStream&) {
        throws[h] = true;
        std::fill(twice.begin(), twice.end(), 0);
      }
      page.twice = twice;
    }
    DeviceLayer device(host);
    device.decode();
    const auto flags = device.flags().get();
    for (std::size_t h = 0; h < shape.heads; ++h) {
      ASSERT_EQ(flags[h], throws[h] ? std::uint32_t{kDamagedPage} : 0u)
          << "round " << round << " head " << h << " of " << host.page(h, 0).vectors;
      (throws[h] ? refused : taken) += 1;
    }
    compare_decoding(host, device);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(refused, 100u);
  EXPECT_GT(taken, 10u);
}

TEST_P(DevicePages, SizesThatDoNotAddUpAreFlagged) {
  LayerShape shape{GetParam(), 3, 4, 32, 32};
  HostLayer host(shape, 40, 30);
  for (std::size_t h = 0; h < shape.heads; ++h) {
    for (std::size_t p = 0; p < shape.pages; ++p) host.draw(h, p, 32, Points::alike);
  }
  DeviceLayer device(host);
  device.decode();
  auto all = device.stream_bytes().get();
  all[0] += 1;
  device.stream_bytes().put(all);
  auto sizes = device.sizes().get();
  sizes[2 * shape.pages] = 0xffffffffu;
  device.sizes().put(sizes);
  device.decode_as_it_is();
  const auto flags = device.flags().get();
  EXPECT_EQ(flags[0], std::uint32_t{kWrongPageSizes});
  EXPECT_EQ(flags[1], 0u);
  EXPECT_EQ(flags[2], std::uint32_t{kWrongPageSizes});
  for (std::size_t h : {0, 2}) {
    for (std::size_t p = 0; p < shape.pages; ++p) {
      auto& twice = host.page(h, p).twice;
      std::fill(twice.begin(), twice.end(), 0);
    }
  }
  compare_decoding(host, device);
}

TEST_P(DevicePages, ManyVectors) {
  const char* asked = std::getenv("KAKEYA_GPU_VECTORS");
  const auto wanted = asked == nullptr ? 0 : std::strtoull(asked, nullptr, 10);
  if (wanted == 0) GTEST_SKIP() << "KAKEYA_GPU_VECTORS is not set";
  std::size_t done = 0;
  for (std::uint64_t round = 0; done < wanted && !HasFailure(); ++round) {
    constexpr std::size_t kDims[] = {128, 64, 128, 256};
    LayerShape shape{GetParam(), 4, emulated() ? 2u : 64u, round % 2 == 0 ? 64u : 128u,
                     kDims[round % 4]};
    shape.seed = 100 + round;
    HostLayer host(shape, 40 + static_cast<int>(round % 8), 18 + static_cast<int>(round % 10));
    const Random random(round, 33);
    for (std::size_t h = 0; h < shape.heads; ++h) {
      for (std::size_t p = 0; p < shape.pages; ++p) {
        const std::uint64_t bits = random.bits(h * shape.pages + p) >> 7;
        host.draw(h, p, bits % 4 == 0 ? bits / 4 % (shape.page + 1) : shape.page,
                  bits % 8 == 1 ? kAllPoints[bits / 8 % 4] : Points::alike);
        done += host.page(h, p).vectors;
      }
    }
    compare(host);
  }
  std::printf("lattice %d: %zu vectors\n", static_cast<int>(GetParam()), done);
}

TEST_P(DevicePages, GraphsReplay) {
  if (emulated()) GTEST_SKIP() << "no graphs in the emulation";
  LayerShape shape{GetParam(), 2, 16, 64, 64};
  HostLayer host(shape, 40, 24);
  for (std::size_t h = 0; h < shape.heads; ++h) {
    for (std::size_t p = 0; p < shape.pages; ++p) host.draw(h, p, 64 - p, Points::alike);
  }
  DeviceLayer device(host);
  const std::size_t slot = slot_of(host);
  device.encode(slot);
  const DeviceArray<std::byte> work(device.plans().encode_workspace(device.points(), slot)),
      reading(device.plans().decode_workspace(device.points()));
  const OwnStream stream;
  DeviceGraph graph(stream.get());
  device.plans().encode(device.points(), device.sections(), work.data(), slot,
                        device.flags().data(), stream.get());
  device.plans().sums(device.sections(), device.points(), device.sums().data(), reading.data(),
                      device.flags().data(), stream.get());
  graph.finish();
  for (int replay = 0; replay < 3; ++replay) {
    device.streams().fill(0x5a);
    device.sums().fill(0x5a);
    device_wait(nullptr);
    graph.run(stream.get());
    device_wait(stream.get());
    EXPECT_EQ(device.any_flag(), 0u);
    compare_encoding(host, device);
    compare_decoding(host, device);
  }
}

std::string name_of(const testing::TestParamInfo<Lattice>& info) {
  constexpr const char* kNames[] = {"z", "d4", "e8", "trellis"};
  return kNames[static_cast<int>(info.param)];
}
INSTANTIATE_TEST_SUITE_P(Lattices, DevicePages, testing::ValuesIn(kLattices), name_of);

class DeviceTablesTest : public DeviceCase<> {};

TEST_F(DeviceTablesTest, AreSharedAndRefuseWhatTheyLack) {
  const auto model = shared_point_model(Lattice::z, 1.5);
  const std::uint8_t few[] = {20, 30, 30, 20}, more[] = {20, 21};
  const auto tables = shared_device_tables(model, few);
  EXPECT_EQ(shared_device_tables(model, std::span(few).first(1)), tables);
  EXPECT_NE(shared_device_tables(model, more), tables);
  EXPECT_GT(tables->bytes(), 2 * 20000u);
  EXPECT_LT(tables->bytes(), 2 * 30000u);
  const std::vector<std::uint8_t> good{20, 30}, lacking{20, 21}, shorter{20};
  EXPECT_THROW(DevicePagePlans(tables, std::vector{good, lacking}), InputError);
  EXPECT_THROW(DevicePagePlans(tables, std::vector{good, shorter}), InputError);
  EXPECT_THROW(DevicePagePlans(tables, std::vector<std::vector<std::uint8_t>>()), InputError);
  const DevicePagePlans plans(tables, std::vector{good, good});
  EXPECT_GT(plans.bytes(), 0u);
  EXPECT_NO_THROW(require_good_pages(std::vector<std::uint32_t>{0, 0}));
  EXPECT_THROW(require_good_pages(std::vector<std::uint32_t>{0, kDamagedPage}), CorruptStream);
  EXPECT_THROW(require_good_pages(std::vector<std::uint32_t>{kLongPage}), InputError);
}

}  // namespace
}  // namespace kakeya

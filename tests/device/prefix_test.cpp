// SPDX-License-Identifier: Apache-2.0
// Pages of prefix codes that the device writes and reads are the CPU's, of points that no transform leads
// to: all kinds of tables, corrections, damage.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "device/device_case.h"
#include "kakeya/core/error.h"
#include "kakeya/core/random.h"
#include "kakeya/device/device_prefix.h"
#include "kakeya/entropy/lanes.h"
#include "kernels/pages.h"

namespace kakeya {
namespace {

// No point takes more than its bound says, and ordinary ones of ordinary steps not much less.
TEST(PrefixCosts, AreAnUpperBound) {
  for (const double deviation : {0.1, 0.4, 0.6, 1.5, 2.1, 5.0, 14.0, 60.0, 3000.0}) {
    const std::vector<CoordinateShape> shapes(8, {deviation, 0.5, 0});
    const PrefixCoder coder(shapes);
    const PrefixCosts costs(coder);
    const Random random(3, 3);
    double bounds = 0, all = 0;
    for (std::uint64_t n = 0; n < 20000; ++n) {
      const double size = n % 2 == 0 ? 1 : std::exp2(static_cast<double>(random.bits(9 * n) % 21));
      float z[8];
      double bound = costs.base;
      for (std::size_t i = 0; i < 8; ++i) {
        z[i] = static_cast<float>(std::clamp(
            std::nearbyint(size * deviation * random.normal(8 * n + i)), -2097152.0, 2097152.0));
        bound += costs.slopes[i] * std::fabs(z[i]);
      }
      const auto bits = static_cast<double>(coder.most_bits(z, 1, 0));
      ASSERT_LE(bits, 1.0001 * bound) << deviation << " vector " << n;
      if (n % 2 == 0) bounds += bound, all += bits;
    }
    if (deviation < 100) {
      EXPECT_LT(bounds, 4 * all) << deviation;
    }
  }
}

// One head's points, coded on both sides.
class DevicePrefix : public test::DeviceCase<> {
 protected:
  template <typename T>
  struct Array {
    explicit Array(std::size_t values, int byte = 0x5a)
        : buffer(values * sizeof(T)), count(values) {
      buffer.fill(byte, nullptr);
    }
    T* data() const { return static_cast<T*>(buffer.data()); }
    std::vector<T> get() const {
      std::vector<T> values(count);
      buffer.copy_out(values.data(), count * sizeof(T));
      return values;
    }
    void set(const std::vector<T>& values) {
      buffer.copy_in(values.data(), values.size() * sizeof(T));
    }
    DeviceBuffer buffer;
    std::size_t count;
  };

  // One head's pages of `page`, `tokens` vectors in all: its sections, and where they are decoded to.
  struct Pages {
    Pages(const PrefixCoder& coder, std::size_t of_page, std::size_t vectors, std::size_t bytes)
        : of(&coder),
          plans(std::span(&of, 1)),
          page(of_page),
          tokens(vectors),
          pages((tokens + page - 1) / page),
          room((bytes + 15) / 16 * 16),
          twice(pages * page * coder.dim()),
          sums(pages * page),
          sizes(pages),
          flags(1, 0),
          all(1),
          streams(room) {}

    DevicePoints points() const { return {twice.data(), twice.count, nullptr, pages, page}; }
    DevicePageSections sections() const {
      return {streams.data(), room, room, sizes.data(), pages, all.data()};
    }
    void put(const std::vector<std::vector<std::byte>>& coded) {
      std::vector<std::uint8_t> bytes(room, 0x5a);
      std::vector<std::uint32_t> each;
      std::uint64_t sum = 0;
      for (const auto& one : coded) {
        std::memcpy(bytes.data() + sum, one.data(), one.size());
        each.push_back(static_cast<std::uint32_t>(one.size()));
        sum += one.size();
      }
      streams.set(bytes);
      sizes.set(each);
      all.set({sum});
    }
    void decode() {
      const DeviceBuffer work(plans.decode_workspace(points()));
      flags.buffer.fill(0, nullptr);
      twice.buffer.fill(0x5a, nullptr);
      plans.decode(sections(), points(), tokens, work.data(), flags.data(), nullptr);
      device_wait(nullptr);
    }

    const PrefixCoder* of;
    DevicePrefixPlans plans;
    std::size_t page, tokens, pages, room;
    Array<std::int32_t> twice, sums;
    Array<std::uint32_t> sizes, flags;
    Array<std::uint64_t> all;
    Array<std::uint8_t> streams;
  };

  // twice(vector, coordinate) of `tokens` vectors in pages of `page`.
  template <typename Twice>
  void compare(const PrefixCoder& coder, std::size_t page, std::size_t tokens, const Twice& twice) {
    const std::size_t dim = coder.dim(), each = page * dim, count = (tokens + page - 1) / page;
    std::vector<std::int32_t> points(count * each);
    std::vector<std::int32_t> sums(count * page);
    std::vector<std::vector<std::byte>> coded;
    std::vector<std::uint32_t> sizes;
    std::vector<std::byte> streams;
    for (std::size_t t = 0; t < tokens; ++t) {
      for (std::size_t i = 0; i < dim; ++i) {
        std::int32_t& number = points[t / page * each + lane_value(t % page, i, dim)];
        number = twice(t, i);
        sums[t] += number;
      }
    }
    for (std::size_t p = 0; p < count; ++p) {
      const std::size_t vectors = std::min(page, tokens - p * page);
      coded.push_back(
          coder.encode(std::span(points).subspan(p * each, lane_values(vectors, dim)), vectors));
      sizes.push_back(static_cast<std::uint32_t>(coded.back().size()));
      streams.insert(streams.end(), coded.back().begin(), coded.back().end());
    }
    Pages pages(coder, page, tokens, streams.size());
    pages.twice.set(points);
    const DeviceBuffer work(pages.plans.encode_workspace(pages.points()));
    pages.plans.encode(pages.points(), tokens, pages.sections(), work.data(), pages.flags.data(),
                       nullptr);
    device_wait(nullptr);
    EXPECT_EQ(pages.flags.get()[0], 0u);
    EXPECT_EQ(pages.sizes.get(), sizes);
    ASSERT_EQ(pages.all.get()[0], streams.size());
    const auto written = pages.streams.get();
    for (std::size_t i = 0; i < streams.size(); ++i) {
      ASSERT_EQ(written[i], std::to_integer<int>(streams[i])) << "byte " << i;
    }
    pages.put(coded);
    pages.decode();
    EXPECT_EQ(pages.flags.get()[0], 0u);
    EXPECT_EQ(pages.twice.get(), points);
    const DeviceBuffer more(pages.plans.decode_workspace(pages.points()));
    pages.plans.sums(pages.sections(), pages.points(), tokens, pages.sums.data(), more.data(),
                     pages.flags.data(), nullptr);
    device_wait(nullptr);
    EXPECT_EQ(pages.flags.get()[0], 0u);
    EXPECT_EQ(pages.sums.get(), sums);
  }

  static std::vector<CoordinateShape> shapes_of(std::initializer_list<double> deviations) {
    std::vector<CoordinateShape> shapes;
    for (const double deviation : deviations) shapes.insert(shapes.end(), 8, {deviation, 0, 0});
    return shapes;
  }
};

std::int32_t normal_twice(const Random& random, std::size_t t, std::size_t i, double deviation) {
  return 2 * static_cast<std::int32_t>(std::lround(deviation * random.normal(4096 * t + i)));
}

// Every kind of table beside every other, one after another, and alone.
TEST_F(DevicePrefix, EveryKindOfTable) {
  const double kinds[] = {0.2, 1.0, 2.5, 6.0, 12.0, 20.0, 90.0, 700.0};
  for (const double first : kinds) {
    for (const double second : kinds) {
      SCOPED_TRACE(std::to_string(first) + " " + std::to_string(second));
      const PrefixCoder coder(shapes_of({first, second, first}));
      const Random random(7, 3);
      compare(coder, 96, 150, [&](std::size_t t, std::size_t i) {
        return normal_twice(random, t, i, i / 8 == 1 ? second : first);
      });
      if (HasFailure()) return;
    }
  }
}

TEST_F(DevicePrefix, PagesOfAnyNumberOfVectors) {
  const PrefixCoder coder(shapes_of({9.0, 4.0, 1.0, 0.6, 0.3}));
  for (const std::size_t tokens : {1, 2, 31, 32, 33, 63, 64, 65, 160, 161, 300, 320}) {
    SCOPED_TRACE(tokens);
    const Random random(tokens, 3);
    compare(coder, 160, tokens, [&](std::size_t t, std::size_t i) {
      return normal_twice(random, t, i, i < 8 ? 9.0 : (i < 16 ? 4.0 : 0.5));
    });
  }
}

// Coordinates beyond their tables, up to the largest, some of them again and again.
TEST_F(DevicePrefix, Corrections) {
  for (const double deviation : {0.1, 1.0, 3.0, 15.0, 100.0}) {
    SCOPED_TRACE(deviation);
    const PrefixCoder coder(shapes_of({deviation, deviation}));
    const Random random(11, 3);
    compare(coder, 64, 100, [&](std::size_t t, std::size_t i) {
      if (t % 29 == 0 && i == 3) return t % 2 == 0 ? 4194304 : -4194304;
      return normal_twice(random, t, i, t % 3 == 0 ? 9 * deviation : deviation);
    });
  }
}

TEST_F(DevicePrefix, HeadsOfEveryDim) {
  for (const std::size_t dim : {8, 64, 136, 256, 264, 512}) {
    std::vector<CoordinateShape> shapes;
    for (std::size_t i = 0; i < dim; ++i) {
      shapes.push_back(
          {16 * std::pow(0.02, static_cast<double>(i) / static_cast<double>(dim)), 0, 0});
    }
    const PrefixCoder coder(shapes);
    const Random random(dim, 3);
    compare(coder, 32, 70, [&](std::size_t t, std::size_t i) {
      return normal_twice(random, t, i, shapes[i].deviation);
    });
  }
}

// Whatever is in a page: the CPU's points, or a flag and zeros where it refuses the page.
TEST_F(DevicePrefix, DamagedPages) {
  for (const std::size_t vectors : {70, 32, 1}) {
    const PrefixCoder coder(shapes_of({20.0, 5.0, 1.0, 1.0, 0.3}));
    const std::size_t dim = coder.dim();
    const Random random(vectors, 5);
    std::vector<std::int32_t> points(lane_values(vectors, dim));
    for (std::size_t t = 0; t < vectors; ++t) {
      for (std::size_t i = 0; i < dim; ++i) {
        points[lane_value(t, i, dim)] = normal_twice(random, t, i, i < 8 ? 40 : 4);
      }
    }
    const std::vector<std::byte> page = coder.encode(points, vectors);
    std::size_t refused = 0;
    const auto check = [&](const std::vector<std::byte>& bytes, const std::string& what) {
      SCOPED_TRACE(what);
      Pages pages(coder, 96, vectors, bytes.size());
      pages.put({bytes});
      pages.decode();
      std::vector<std::int32_t> expected(pages.twice.count);
      const std::span whole(expected);
      bool good = true;
      try {
        coder.decode(bytes, vectors, whole.first(lane_values(vectors, dim)));
      } catch (const CorruptStream&) {
        good = false;
        std::fill(expected.begin(), expected.end(), 0);
      }
      refused += !good;
      EXPECT_EQ(pages.flags.get()[0], good ? 0u : std::uint32_t{kernels::kBadPage});
      EXPECT_EQ(pages.twice.get(), expected);
    };
    check(page, "whole");
    for (std::uint64_t round = 0; round < 400 && !HasFailure(); ++round) {
      std::vector<std::byte> bytes = page;
      const auto drawn = [&](std::uint64_t n) {
        return random.bits(1 << 20 | (16 * round + n)) >> 9;
      };
      const std::size_t room =
          round % 3 == 0 ? std::min<std::size_t>(64, page.size()) : page.size();
      for (std::uint64_t n = 0; n <= round % 4; ++n) {
        bytes[drawn(2 * n) % room] ^= static_cast<std::byte>(drawn(2 * n + 1));
      }
      if (round % 7 == 0) bytes.resize(drawn(10) % (page.size() + 1));
      if (round % 11 == 0) bytes.push_back(std::byte{0});
      check(bytes, "round " + std::to_string(round));
    }
    EXPECT_GT(refused, 50u);
    EXPECT_LT(refused, 400u);
    for (const int byte : {0, 0xff, 0x55}) {
      check(std::vector<std::byte>(page.size(), static_cast<std::byte>(byte)), "filled");
    }
  }
}

// One that adds up beyond 2^21 on its way, and one that comes back within it.
TEST_F(DevicePrefix, CorrectionsAreAddedInTheirOrder) {
  const PrefixCoder coder(shapes_of({1.0}));
  std::vector<std::int32_t> points(lane_values(1, 8));
  const std::vector<std::byte> page = coder.encode(points, 1);
  const auto with = [&](const std::vector<std::int32_t>& parts) {
    std::vector<std::byte> bytes = page;
    const auto count = static_cast<std::uint32_t>(parts.size());
    std::memcpy(bytes.data(), &count, 4);
    std::vector<std::uint32_t> words;
    for (const std::int32_t part : parts)
      words.push_back(3 | static_cast<std::uint32_t>(part) << 21);
    const auto* const more = reinterpret_cast<const std::byte*>(words.data());
    std::uint32_t bits;
    std::memcpy(&bits, &page[8], 4);
    bytes.insert(bytes.begin() + 12 + 4 * bits, more, more + 4 * words.size());
    return bytes;
  };
  std::vector<std::int32_t> parts(2050, 1023);
  for (const bool back : {false, true}) {
    for (const std::int32_t last : {2, 3}) {
      std::vector<std::int32_t> all = parts;  // 2097150, then 2^21 or one more
      all.push_back(last);
      if (back) all.push_back(-5);
      const auto bytes = with(all);
      Pages pages(coder, 32, 1, bytes.size());
      pages.put({bytes});
      pages.decode();
      const bool good = last == 2;
      EXPECT_EQ(pages.flags.get()[0], good ? 0u : std::uint32_t{kernels::kBadPage});
      EXPECT_EQ(pages.twice.get()[3 * 32], good ? (back ? 4194294 : 4194304) : 0);
      std::vector<std::int32_t> expected(lane_values(1, 8));
      if (good) {
        coder.decode(bytes, 1, expected);
      } else {
        EXPECT_THROW(coder.decode(bytes, 1, expected), CorruptStream);
      }
    }
  }
}

// Points that no codec has, and a section that is too short.
TEST_F(DevicePrefix, WhatDoesNotFitIsFlagged) {
  const PrefixCoder coder(shapes_of({1.0, 0.3}));
  const std::size_t page = 64, tokens = 128;
  const auto code = [&](std::size_t room, const auto& twice) {
    Pages pages(coder, page, tokens, room);
    std::vector<std::int32_t> points(tokens * coder.dim());
    for (std::size_t i = 0; i < points.size(); ++i) points[i] = twice(i);
    pages.twice.set(points);
    const DeviceBuffer work(pages.plans.encode_workspace(pages.points()));
    pages.plans.encode(pages.points(), tokens, pages.sections(), work.data(), pages.flags.data(),
                       nullptr);
    device_wait(nullptr);
    if (pages.flags.get()[0] == kernels::kStreamTooLong) {
      for (const std::uint8_t byte : pages.streams.get()) EXPECT_EQ(byte, 0x5a);
    }
    return pages.flags.get()[0];
  };
  const auto small = [](std::size_t i) { return 2 * static_cast<std::int32_t>(i % 3); };
  EXPECT_EQ(code(1 << 20, small), 0u);
  EXPECT_EQ(code(1024, small), std::uint32_t{kernels::kStreamTooLong});
  const auto large = [](std::size_t i) { return i % 2 == 0 ? INT32_MIN : INT32_MAX; };
  EXPECT_NE(code(1 << 20, large), 0u);
}

}  // namespace
}  // namespace kakeya

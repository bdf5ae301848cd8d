// SPDX-License-Identifier: Apache-2.0
// Numbers of the points of tiles, on every instruction set, against the books of lattice/.
#include "kakeya/simd/book.h"

#include <gtest/gtest.h>

#include <limits>

#include "simd/targets.h"

namespace kakeya {
namespace {

using testing::on_every_target;
using testing::patterns;

constexpr int kBounds[] = {1,  2,  3,   4,   7,   10,  22,  23,   37,   38,
                           40, 41, 127, 128, 152, 511, 512, 1000, 1022, 1023};
constexpr Lattice kLattices[] = {Lattice::z, Lattice::d4, Lattice::e8};

PointIndex reference_count(Lattice lattice, int bound) {
  if (lattice == Lattice::d4) return D4Book(bound).count();
  if (lattice == Lattice::e8) return E8Book(bound, bound).count();
  return static_cast<PointIndex>(2 * bound + 1);
}

void reference_point(Lattice lattice, int bound, PointIndex index, float* point) {
  if (lattice == Lattice::d4) return D4Book(bound).point(index, point);
  if (lattice == Lattice::e8) return E8Book(bound, bound).point(index, point);
  point[0] = static_cast<float>(static_cast<int>(index) - bound);
}

struct Words {
  explicit Words(std::size_t count) : low(count), high(count) {}
  void set(std::size_t place, PointIndex index) {
    low[place] = static_cast<std::uint64_t>(index);
    high[place] = static_cast<std::uint64_t>(index >> 64);
  }
  std::vector<std::uint64_t> low, high;
};

// Numbers chosen by next(place) give the reference's points, and these give the numbers back.
template <typename Next>
void expect_round_trip(Lattice lattice, int bound, std::size_t dim, const Next& next) {
  const TileBook book(lattice, bound);
  const auto block = static_cast<std::size_t>(block_length(lattice));
  const std::size_t places = dim / block * kTileRows;
  Words numbers(places), back(places);
  TileBuffer expected(dim), tile(dim);
  for (std::size_t place = 0; place < places; ++place) {
    numbers.set(place, next(place));
    float point[8];
    reference_point(lattice, bound, next(place), point);
    for (std::size_t i = 0; i < block; ++i) {
      const std::size_t coordinate = place / kTileRows * block + i;
      expected.data()[coordinate * kTileRows + place % kTileRows] = point[i];
    }
  }
  ASSERT_TRUE(book.points(numbers.low.data(), numbers.high.data(), dim, tile.data()));
  ASSERT_EQ(patterns(tile.data(), dim * kTileRows), patterns(expected.data(), dim * kTileRows));
  std::fill(back.high.begin(), back.high.end(), 7);
  book.number(tile.data(), dim, back.low.data(), back.high.data());
  ASSERT_EQ(back.low, numbers.low);
  ASSERT_EQ(back.high, numbers.high);
  if (book.has_high_words()) return;
  std::fill(back.low.begin(), back.low.end(), 7);
  book.number(tile.data(), dim, back.low.data(), nullptr);
  ASSERT_EQ(back.low, numbers.low);
  ASSERT_TRUE(book.points(numbers.low.data(), nullptr, dim, tile.data()));
  ASSERT_EQ(patterns(tile.data(), dim * kTileRows), patterns(expected.data(), dim * kTileRows));
}

TEST(TileBook, CountsAreThoseOfTheBooks) {
  for (const Lattice lattice : kLattices) {
    for (const int bound : kBounds) {
      const TileBook book(lattice, bound);
      EXPECT_TRUE(book.count() == reference_count(lattice, bound)) << bound;
      EXPECT_EQ(book.has_high_words(), index_bits(book.count()) > 64) << bound;
    }
  }
}

TEST(TileBook, RandomNumbersOfEveryBound) {
  on_every_target([](const std::string& name) {
    SCOPED_TRACE(name);
    for (const Lattice lattice : kLattices) {
      for (int bound = 1; bound <= 1023; bound += bound < 20 ? 1 : 29) {
        const PointIndex count = reference_count(lattice, bound);
        const Random random(7, static_cast<std::uint64_t>(bound));
        expect_round_trip(lattice, bound, 128, [&](std::size_t place) {
          return (static_cast<PointIndex>(random.bits(2 * place)) << 64 |
                  random.bits(2 * place + 1)) %
                 count;
        });
      }
    }
  });
}

TEST(TileBook, TheFirstTheLastAndThoseAroundTheHalfIntegers) {
  on_every_target([](const std::string& name) {
    SCOPED_TRACE(name);
    for (const Lattice lattice : kLattices) {
      for (const int bound : kBounds) {
        const PointIndex count = reference_count(lattice, bound);
        const PointIndex fourth =
            static_cast<PointIndex>(1) * static_cast<unsigned>(2 * bound + 1) *
            static_cast<unsigned>(2 * bound + 1) * static_cast<unsigned>(2 * bound + 1) *
            static_cast<unsigned>(2 * bound + 1);
        const PointIndex first_half = (fourth * fourth + 1) / 2;
        const PointIndex middles[] = {0, count, count / 2, first_half, fourth / 2, fourth * 3};
        expect_round_trip(lattice, bound, 96, [&](std::size_t place) {
          const PointIndex middle = middles[place % 6];
          const auto offset = static_cast<PointIndex>(place / 6 % 16);
          return (middle + count + offset - 8) % count;
        });
      }
    }
  });
}

// Octets are divided by the fourth power of their radix: numbers around its multiples, of both
// kinds of points.
TEST(TileBook, AroundMultiplesOfAFourthPower) {
  on_every_target([](const std::string& name) {
    SCOPED_TRACE(name);
    for (const int bound : kBounds) {
      const PointIndex count = reference_count(Lattice::e8, bound);
      const auto odd = static_cast<PointIndex>(2 * bound + 1), even = odd - 1;
      const PointIndex odd4 = odd * odd * odd * odd, even4 = even * even * even * even;
      const PointIndex first_half = (odd4 * odd4 + 1) / 2;
      const Random random(8, static_cast<std::uint64_t>(bound));
      for (std::uint64_t trial = 0; trial < 40; ++trial) {
        expect_round_trip(Lattice::e8, bound, 64, [&](std::size_t place) {
          const std::uint64_t bits = random.bits(trial * 128 + place);
          const PointIndex offset = (bits >> 60) % 4;
          if (place % 2 == 0) return (bits % odd4 * odd4 / 2 + count + offset - 2) % count;
          return (first_half + bits % (even4 / 2) * even4 + count + offset - 2) % count;
        });
      }
    }
  });
}

// All of them, in the largest radix whose fourth power float divides exactly.
TEST(TileBook, EveryPointOfD4AtTheLimitOfFloat) {
  on_every_target([](const std::string& name) {
    SCOPED_TRACE(name);
    const TileBook book(Lattice::d4, 22);
    const auto count = static_cast<std::uint64_t>(book.count());
    const std::size_t dim = 512, places = dim / 4 * kTileRows;
    std::vector<std::uint64_t> numbers(places), back(places);
    TileBuffer tile(dim);
    for (std::uint64_t first = 0; first < count; first += places) {
      for (std::size_t i = 0; i < places; ++i) numbers[i] = std::min(first + i, count - 1);
      ASSERT_TRUE(book.points(numbers.data(), nullptr, dim, tile.data()));
      for (std::size_t i = 0; i < dim * kTileRows; ++i) {
        ASSERT_LE(std::abs(tile.data()[i]), 22.0f);
      }
      book.number(tile.data(), dim, back.data(), nullptr);
      ASSERT_EQ(back, numbers);
    }
  });
}

// Every value that a pair of digits can have, below and above others, in the largest radix, where
// the reciprocals are the least precise, and in one close to half of it.
TEST(TileBook, EveryPairOfDigits) {
  on_every_target([](const std::string& name) {
    SCOPED_TRACE(name);
    for (const int bound : {1023, 724}) {
      const TileBook book(Lattice::d4, bound);
      const auto radix = static_cast<std::uint64_t>(2 * bound + 1), square = radix * radix;
      const std::size_t dim = 512, places = dim / 4 * kTileRows;
      std::vector<std::uint64_t> numbers(places), back(places);
      TileBuffer tile(dim);
      for (std::uint64_t pair = 0; pair < square; pair += places / 2) {
        for (std::size_t place = 0; place < places; ++place) {
          const std::uint64_t value = std::min(pair + place / 2, square - 1);
          const std::uint64_t other = (value * 2654435761u) % square;
          const std::uint64_t number =
              place % 2 == 0 ? value + square * other : value * square + other;
          numbers[place] = number / 2;
        }
        ASSERT_TRUE(book.points(numbers.data(), nullptr, dim, tile.data()));
        for (std::size_t i = 0; i < dim * kTileRows; ++i) {
          ASSERT_LE(std::abs(tile.data()[i]), static_cast<float>(bound));
        }
        book.number(tile.data(), dim, back.data(), nullptr);
        ASSERT_EQ(back, numbers);
      }
    }
  });
}

TEST(TileBook, RefusesNumbersThatNoPointHas) {
  on_every_target([](const std::string& name) {
    SCOPED_TRACE(name);
    for (const Lattice lattice : kLattices) {
      for (const int bound : {1, 10, 38, 152, 1023}) {
        const TileBook book(lattice, bound);
        const std::size_t dim = 64;
        const std::size_t places =
            dim / static_cast<std::size_t>(block_length(lattice)) * kTileRows;
        const PointIndex all = ~PointIndex{0};
        for (const PointIndex bad : {book.count(), book.count() + 1, all, all >> 1, all >> 64,
                                     PointIndex{1} << 64, PointIndex{1} << 127, all << 64}) {
          for (const std::size_t place : {std::size_t{0}, places / 2 + 3, places - 1}) {
            Words numbers(places);
            TileBuffer tile(dim);
            if (bad < book.count()) continue;
            numbers.set(place, bad);
            EXPECT_FALSE(book.points(numbers.low.data(), numbers.high.data(), dim, tile.data()));
            if (bad >> 64 == 0) {
              EXPECT_FALSE(book.points(numbers.low.data(), nullptr, dim, tile.data()));
            }
          }
        }
      }
    }
  });
}

}  // namespace
}  // namespace kakeya

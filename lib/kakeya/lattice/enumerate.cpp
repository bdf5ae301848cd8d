// SPDX-License-Identifier: Apache-2.0
#include "kakeya/lattice/enumerate.h"

namespace kakeya {
namespace {

template <int N>
bool within(const float* point, float bound) {
  bool inside = true;
  for (int i = 0; i < N; ++i) inside &= point[i] >= -bound && point[i] <= bound;
  return inside;
}

// Quotient and remainder of a number below 2^98 by a divisor below 2^49, the quotient below 2^53. A
// 128-bit division is a library call; most numbers fit one machine word, and for the rest a
// quotient estimated in double is off by one at most.
struct Halves {
  std::uint64_t high, low;
};
Halves divide(PointIndex number, std::uint64_t divisor) {
  if ((number >> 64) == 0) {
    const auto word = static_cast<std::uint64_t>(number);
    return {word / divisor, word % divisor};
  }
  auto high =
      static_cast<std::uint64_t>(static_cast<double>(number) / static_cast<double>(divisor));
  auto low = static_cast<std::int64_t>(
      static_cast<std::uint64_t>(number - static_cast<PointIndex>(high) * divisor));
  while (low < 0) {
    low += static_cast<std::int64_t>(divisor);
    --high;
  }
  while (low >= static_cast<std::int64_t>(divisor)) {
    low -= static_cast<std::int64_t>(divisor);
    ++high;
  }
  return {high, static_cast<std::uint64_t>(low)};
}

}  // namespace

int index_bits(PointIndex count) {
  int bits = 0;
  while (bits < 128 && (count - 1) >> bits != 0) ++bits;
  return bits;
}

D4Book::D4Book(int bound) : bound_(bound), digits_(static_cast<std::uint32_t>(2 * bound + 1)) {}

bool D4Book::contains(const float* point) const {
  return within<4>(point, static_cast<float>(bound_));
}

PointIndex D4Book::index(const float* point) const {
  std::uint32_t digit[4];
  for (int i = 0; i < 4; ++i) {
    digit[i] = static_cast<std::uint32_t>(static_cast<int>(point[i]) + bound_);
  }
  return digits_.join(digit) / 2;
}

void D4Book::point(PointIndex index, float* point) const {
  std::uint32_t digit[4];
  digits_.split(static_cast<std::uint64_t>(index) * 2, digit);
  for (int i = 0; i < 4; ++i) {
    point[i] = static_cast<float>(static_cast<int>(digit[i]) - bound_);
  }
}

Z4Book::Z4Book(int bound) : bound_(bound), digits_(static_cast<std::uint32_t>(2 * bound + 1)) {}

bool Z4Book::contains(const float* point) const {
  return within<4>(point, static_cast<float>(bound_));
}

PointIndex Z4Book::index(const float* point) const {
  std::uint32_t digit[4];
  for (int i = 0; i < 4; ++i) {
    digit[i] = static_cast<std::uint32_t>(static_cast<int>(point[i]) + bound_);
  }
  return digits_.join(digit);
}

void Z4Book::point(PointIndex index, float* point) const {
  std::uint32_t digit[4];
  digits_.split(static_cast<std::uint64_t>(index), digit);
  for (int i = 0; i < 4; ++i) {
    point[i] = static_cast<float>(static_cast<int>(digit[i]) - bound_);
  }
}

E8Book::E8Book(int integer_bound, int half_bound)
    : integer_bound_(integer_bound),
      half_bound_(half_bound),
      integers_(static_cast<std::uint32_t>(2 * integer_bound + 1)),
      halves_(static_cast<std::uint32_t>(2 * half_bound)),
      integer_count_(
          (static_cast<PointIndex>(integers_.fourth_power()) * integers_.fourth_power() + 1) / 2),
      half_count_(static_cast<PointIndex>(halves_.fourth_power()) * halves_.fourth_power() / 2) {}

bool E8Book::contains(const float* point) const {
  return within<8>(point, has_half_coordinates(point) ? static_cast<float>(half_bound_) - 0.5f
                                                      : static_cast<float>(integer_bound_));
}

PointIndex E8Book::index(const float* point) const {
  std::uint32_t digit[8];
  if (!has_half_coordinates(point)) {
    for (int i = 0; i < 8; ++i) {
      digit[i] = static_cast<std::uint32_t>(static_cast<int>(point[i]) + integer_bound_);
    }
    return (static_cast<PointIndex>(integers_.join(digit + 4)) * integers_.fourth_power() +
            integers_.join(digit)) /
           2;
  }
  for (int i = 0; i < 8; ++i) {
    digit[i] = static_cast<std::uint32_t>(static_cast<int>(point[i] - 0.5f) + half_bound_);
  }
  digit[7] /= 2;  // its lowest bit follows from the other seven
  return integer_count_ +
         static_cast<PointIndex>(halves_.join(digit + 4)) * halves_.fourth_power() +
         halves_.join(digit);
}

void E8Book::point(PointIndex index, float* point) const {
  std::uint32_t digit[8];
  if (index < integer_count_) {
    const Halves number = divide(index * 2, integers_.fourth_power());
    integers_.split(number.low, digit);
    integers_.split(number.high, digit + 4);
    for (int i = 0; i < 8; ++i) {
      point[i] = static_cast<float>(static_cast<int>(digit[i]) - integer_bound_);
    }
    return;
  }
  const Halves number = divide(index - integer_count_, halves_.fourth_power());
  halves_.split(number.low, digit);
  halves_.split(number.high, digit + 4);
  std::uint32_t sum = 0;
  for (int i = 0; i < 7; ++i) sum += digit[i];
  digit[7] = 2 * digit[7] +
             (sum & 1u);  // 8 half_bound is even: the digits' sum is even as the coordinates' is
  for (int i = 0; i < 8; ++i) {
    point[i] = static_cast<float>(static_cast<int>(digit[i]) - half_bound_) + 0.5f;
  }
}

}  // namespace kakeya

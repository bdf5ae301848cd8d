// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kakeya/lattice/enumerate.h"

namespace kakeya {
namespace {

// The parity that M has for a point with an odd sum whose coordinate i is at an end (a digit of 0
// or 2 bound, even both). M's digits are coordinates plus bound (plus bound - 1 for those before
// i), so their sum is the sum of all four coordinates, less that one, plus 3 bound - i.
std::uint64_t parity_at(int bound, int i, bool high) {
  const int end = high ? bound : -bound;
  return static_cast<std::uint64_t>(1 - end + 3 * bound - i) & 1u;
}

}  // namespace

ClampedD4Book::ClampedD4Book(int bound) : bound_(bound), even_(bound) {
  const auto radix = static_cast<std::uint64_t>(2 * bound + 1);
  first_[0] = static_cast<std::uint64_t>(even_.count());
  for (int i = 0; i < 4; ++i) {
    std::uint64_t numbers = 1;
    for (int k = 0; k < 3; ++k) numbers *= k < i ? radix - 2 : radix;
    for (int high = 0; high < 2; ++high) {  // of 0, 1, ..., numbers - 1, an odd count
      const std::uint64_t points = (numbers + 1 - parity_at(bound, i, high != 0)) / 2;
      first_[2 * i + high + 1] = first_[2 * i + high] + points;
    }
  }
}

PointIndex ClampedD4Book::index(const float* point) const {
  int z[4], sum = 0, i = 4;
  for (int k = 3; k >= 0; --k) {
    z[k] = std::clamp(static_cast<int>(point[k]), -bound_, bound_);
    sum += z[k];
    if (z[k] == bound_ || z[k] == -bound_) i = k;
  }
  if (sum % 2 == 0) {
    const float clamped[4] = {static_cast<float>(z[0]), static_cast<float>(z[1]),
                              static_cast<float>(z[2]), static_cast<float>(z[3])};
    return even_.index(clamped);
  }
  const auto radix = static_cast<std::uint64_t>(2 * bound_ + 1);
  std::uint64_t number = 0;
  for (int k = 3; k >= 0; --k) {
    if (k == i) continue;
    const bool inner = k < i;
    number = number * (inner ? radix - 2 : radix) +
             static_cast<std::uint64_t>(z[k] + bound_ - (inner ? 1 : 0));
  }
  return first_[2 * i + (z[i] == bound_ ? 1 : 0)] + number / 2;
}

void ClampedD4Book::point(PointIndex index, float* point) const {
  const auto number_of_all = static_cast<std::uint64_t>(index);
  if (number_of_all < first_[0]) return even_.point(index, point);
  int place = 0;
  while (number_of_all >= first_[place + 1]) ++place;
  const int i = place / 2;
  const bool high = place % 2 != 0;
  std::uint64_t number = 2 * (number_of_all - first_[place]) + parity_at(bound_, i, high);
  const auto radix = static_cast<std::uint64_t>(2 * bound_ + 1);
  for (int k = 0; k < 4; ++k) {
    if (k == i) {
      point[k] = static_cast<float>(high ? bound_ : -bound_);
      continue;
    }
    const bool inner = k < i;
    const std::uint64_t base = inner ? radix - 2 : radix;
    point[k] = static_cast<float>(static_cast<int>(number % base) - bound_ + (inner ? 1 : 0));
    number /= base;
  }
}

}  // namespace kakeya

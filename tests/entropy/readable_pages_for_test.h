// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "kakeya/core/random.h"
#include "kakeya/entropy/lanes.h"
#include "kakeya/entropy/readable_pages.h"

namespace kakeya::test {

/// Deviations that fall from `first` to `last`.
inline std::vector<double> falling(std::size_t dim, double first, double last) {
  std::vector<double> deviations;
  for (std::size_t i = 0; i < dim; ++i) {
    const double place = (static_cast<double>(i) + 0.5) / static_cast<double>(dim);
    deviations.push_back(first * std::pow(last / first, place));
  }
  return deviations;
}

/// What a page of so many vectors holds.
inline std::vector<std::int32_t> decoded(const ReadablePages& coder,
                                         std::span<const std::byte> page, std::size_t vectors) {
  std::vector<std::int32_t> twice(lane_values(vectors, coder.dim()), 12345);
  coder.decode(page, vectors, twice);
  return twice;
}

/// A page of vectors of Z that each take no more than most_bits() allows is within its bound.
inline void expect_kept_bound(const ReadablePages& coder,
                              std::initializer_list<std::size_t> lengths) {
  const std::size_t dim = coder.dim();
  const Random random(11);
  std::uint64_t draw = 0;
  for (const std::size_t vectors : lengths) {
    std::vector<std::int32_t> twice(lane_values(vectors, dim));
    std::vector<float> z(dim);
    for (std::size_t t = 0; t < vectors; ++t) {
      std::fill(z.begin(), z.end(), 0.0f);
      for (std::size_t i = 0; i < dim; ++i) {
        const auto size = static_cast<int>(random.bits(draw++) % 22);
        const auto number = static_cast<std::int32_t>(random.bits(draw++) % (1u << size));
        z[i] = static_cast<float>(i % 2 == 0 ? number : -number);
        if (coder.most_bits(z.data(), 1, 0) > coder.most_vector_bits()) z[i] = 0.0f;
        twice[lane_value(t, i, dim)] = static_cast<std::int32_t>(2 * z[i]);
      }
    }
    const auto page = coder.encode(twice, vectors);
    EXPECT_LE(page.size(), vectors * coder.most_vector_bytes() + coder.most_overhead(vectors));
    EXPECT_EQ(decoded(coder, page, vectors), twice);
  }
}

}  // namespace kakeya::test

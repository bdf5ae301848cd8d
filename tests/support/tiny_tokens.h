// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace kakeya::testing {

/// What logits in float32 may differ by, between orders of their sums.
constexpr double kNearLogits = 2e-5;
/// The same in bf16, which rounds such sums again: of models whose logits in bf16 lie up to 0.40 from those in float32.
constexpr double kNearBf16Logits = 0.5;

/// Tokens `from` .. `from + count` of a text without end, below `vocab` (TinyModel's).
inline std::vector<std::int32_t> some_tokens(std::size_t count, std::size_t from = 0,
                                             std::size_t vocab = 50) {
  std::vector<std::int32_t> tokens;
  for (std::size_t i = from; i < from + count; ++i)
    tokens.push_back(static_cast<std::int32_t>((i * i * 7 + 3 * i + 11) % vocab));
  return tokens;
}

/// NaN where one of the differences is.
inline double largest_difference(const std::vector<float>& a, const std::vector<float>& b) {
  EXPECT_EQ(a.size(), b.size());
  double most = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    const double difference = std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
    most = std::isnan(difference) ? difference : std::max(most, difference);
  }
  return most;
}

}  // namespace kakeya::testing

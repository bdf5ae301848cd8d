// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "kakeya/codecs/kvtc/kvtc_groups.h"
#include "kakeya/core/half.h"
#include "kakeya/core/random.h"
#include "kakeya/profile/kvtc_profile.h"
#include "support/made_origin.h"

namespace kakeya::test {

/// Deviation of coefficient k of n: 8 in the first sixteenth of them, half of it in the next.
inline float made_kvtc_deviation(std::size_t k, std::size_t n) {
  return std::ldexp(8.0f, -static_cast<int>(16 * k / n));
}

/// Coefficients [count, n] with these deviations, by arithmetic that is exact everywhere.
inline std::vector<float> made_coefficients(std::size_t count, std::size_t n, std::uint64_t seed) {
  const Random random(seed);
  std::vector<float> y(count * n);
  for (std::size_t i = 0; i < y.size(); ++i) {
    const auto draw = static_cast<std::int32_t>(random.bits(i) >> 32) >> 8;
    const float u = static_cast<float>(draw) * 0x1p-23f;
    y[i] = 2 * u * std::fabs(u) * made_kvtc_deviation(i % n, n);
  }
  return y;
}

/// A profile whose components are the rows of a Hadamard matrix: the width, layers * heads *
/// head_dim, is a power of two. `rank` 0: all of them.
inline KvtcProfile made_kvtc_profile(std::size_t head_dim, int layers, int heads,
                                     std::size_t rank = 0) {
  KvtcProfile profile;
  static_cast<ProfileHead&>(profile) = made_origin(head_dim, layers, heads);
  profile.digest = std::string(64, 'd');
  constexpr std::size_t kTokens = 256;
  const std::size_t n = profile.width();
  profile.rank = rank == 0 ? n : rank;
  const float size = 1.0f / std::sqrt(static_cast<float>(n));
  for (std::size_t p = 0; p < 2; ++p) {
    KvtcPart& part = profile.parts[p];
    for (std::size_t i = 0; i < n; ++i) part.mean.push_back(0.25f * static_cast<float>(i % 5 + p));
    for (std::size_t k = 0; k < profile.rank; ++k) {
      for (std::size_t i = 0; i < n; ++i) {
        // Rows of keys and of values differ by a sign in every third column.
        const bool negative = (std::popcount(k & i) % 2 != 0) != (p == 1 && i % 3 == 0);
        part.basis.push_back(float_to_half(negative ? -size : size));
      }
    }
    part.single_errors.resize(profile.rank * kKvtcTypes);
    part.group_errors.resize(profile.group_starts() * kKvtcLargerSizes * kKvtcStoredTypes);
    const std::vector<float> y = made_coefficients(kTokens, n, 70 + p);
    for (std::size_t k = 0; k < profile.rank; ++k) {
      measure_group_errors({y.data(), kTokens, profile.rank, n}, k, part);
    }
  }
  return profile;
}

/// Whole tokens with these coefficients, values half as large as keys.
inline std::vector<float> made_kvtc_tokens(const KvtcProfile& profile, std::size_t count,
                                           std::uint64_t seed) {
  const std::size_t n = profile.width(), width = profile.shape.part_width();
  std::vector<float> x(count * 2 * n);
  for (std::size_t p = 0; p < 2; ++p) {
    const KvtcPart& part = profile.parts[p];
    const std::vector<float> y = made_coefficients(count, n, seed + p);
    for (std::size_t row = 0; row < count; ++row) {
      for (std::size_t i = 0; i < n; ++i) {
        double sum = 0;
        for (std::size_t k = 0; k < profile.rank; ++k) {
          sum += double{y[row * n + k]} * half_to_float(part.basis[k * n + i]);
        }
        x[row * 2 * n + (2 * (i / width) + p) * width + i % width] =
            part.mean[i] + static_cast<float>(p == 0 ? sum : sum / 2);
      }
    }
  }
  return x;
}

}  // namespace kakeya::test

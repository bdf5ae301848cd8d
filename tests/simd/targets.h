// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "kakeya/core/random.h"
#include "kakeya/simd/tile.h"

namespace kakeya::testing {

inline constexpr std::size_t kDims[] = {8, 16, 24, 32, 64, 80, 96, 128, 256, 512, 1024};

/// Calls test(name) with every instruction set of this machine in turn; the best one is in use
/// afterwards.
template <typename Test>
void on_every_target(const Test& test) {
  for (const std::string& name : simd_targets()) {
    use_simd_target(name);
    test(name);
  }
  use_simd_target(simd_targets().front());
}

inline std::vector<float> normals(std::size_t count, std::uint64_t seed, float deviation = 1.0f) {
  const Random random(seed);
  std::vector<float> x(count);
  for (std::size_t i = 0; i < count; ++i) x[i] = deviation * static_cast<float>(random.normal(i));
  return x;
}

/// A tile with these vectors, coordinate by coordinate.
inline void fill_tile(const std::vector<float>& x, std::size_t dim, float* tile) {
  for (std::size_t r = 0; r < kTileRows; ++r) {
    for (std::size_t i = 0; i < dim; ++i) tile[i * kTileRows + r] = x[r * dim + i];
  }
}

/// Bit patterns, so that -0 is not +0 and a NaN is itself.
inline std::vector<std::uint32_t> patterns(const float* x, std::size_t count) {
  std::vector<std::uint32_t> bits(count);
  for (std::size_t i = 0; i < count; ++i) bits[i] = std::bit_cast<std::uint32_t>(x[i]);
  return bits;
}

}  // namespace kakeya::testing

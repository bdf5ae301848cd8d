// SPDX-License-Identifier: Apache-2.0
#include "kakeya/lattice/hadamard.h"

#include <array>
#include <cmath>
#include <cstdint>

namespace kakeya {
namespace {

// The first three stages (distances 1, 2 and 4) within eight neighbours: the same additions as the
// general loop, unrolled.
inline void first_stages(float* x) {
  const float a0 = x[0] + x[1], a1 = x[0] - x[1], a2 = x[2] + x[3], a3 = x[2] - x[3];
  const float a4 = x[4] + x[5], a5 = x[4] - x[5], a6 = x[6] + x[7], a7 = x[6] - x[7];
  const float b0 = a0 + a2, b1 = a1 + a3, b2 = a0 - a2, b3 = a1 - a3;
  const float b4 = a4 + a6, b5 = a5 + a7, b6 = a4 - a6, b7 = a5 - a7;
  x[0] = b0 + b4, x[1] = b1 + b5, x[2] = b2 + b6, x[3] = b3 + b7;
  x[4] = b0 - b4, x[5] = b1 - b5, x[6] = b2 - b6, x[7] = b3 - b7;
}

// Whether a and b have an odd number of ones in common: the sign of entry (a, b) of a Hadamard
// matrix.
constexpr std::size_t kMaxChunks = 128;
using Signs = std::array<std::array<std::uint8_t, kMaxChunks>, kMaxChunks>;
constexpr Signs make_signs() {
  Signs signs{};
  for (std::size_t a = 1; a < kMaxChunks; ++a) {
    for (std::size_t b = 1; b < kMaxChunks; ++b) {
      signs[a][b] = static_cast<std::uint8_t>(signs[a / 2][b / 2] ^ (a & b & 1u));
    }
  }
  return signs;
}
constexpr Signs kSigns = make_signs();

}  // namespace

void hadamard(float* x, std::size_t length) {
  std::size_t half = 1;
  if (length >= 8) {
    for (std::size_t i = 0; i < length; i += 8) first_stages(x + i);
    half = 8;
  }
  for (; half < length; half *= 2) {
    for (std::size_t start = 0; start < length; start += 2 * half) {
      float* low = x + start;
      float* high = low + half;
      for (std::size_t i = 0; i < half; ++i) {
        const float a = low[i], b = high[i];
        low[i] = a + b;
        high[i] = a - b;
      }
    }
  }
  const float scale = static_cast<float>(1.0 / std::sqrt(static_cast<double>(length)));
  for (std::size_t i = 0; i < length; ++i) x[i] *= scale;
}

void hadamard_as_product(const float* x, float* y, std::size_t length) {
  constexpr std::size_t kPanel = 256;
  const float entry = static_cast<float>(1.0 / std::sqrt(static_cast<double>(length)));
  for (std::size_t j = 0; j < length; ++j) y[j] = 0.0f;
  float products[kPanel][2][8];
  for (std::size_t first = 0; first < length; first += kPanel) {
    const std::size_t rows = length - first < kPanel ? length - first : kPanel;
    // Row k over columns 8c ... 8c+7: the signs of k % 8, negated where those of k / 8 and c say
    // so.
    for (std::size_t k = 0; k < rows; ++k) {
      for (std::size_t i = 0; i < 8; ++i) {
        products[k][0][i] = (kSigns[k % 8][i] != 0 ? -entry : entry) * x[first + k];
        products[k][1][i] = -products[k][0][i];
      }
    }
    for (std::size_t c = 0; c < length / 8; ++c) {
      float sums[8] = {};
      for (std::size_t k = 0; k < rows; ++k) {
        const float* row = products[k][kSigns[(first + k) / 8][c]];
        for (std::size_t i = 0; i < 8; ++i) sums[i] += row[i];
      }
      for (std::size_t i = 0; i < 8; ++i) y[8 * c + i] += sums[i];
    }
  }
}

}  // namespace kakeya

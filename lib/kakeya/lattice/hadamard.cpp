// SPDX-License-Identifier: Apache-2.0
#include "kakeya/lattice/hadamard.h"

#include <cmath>

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

}  // namespace kakeya

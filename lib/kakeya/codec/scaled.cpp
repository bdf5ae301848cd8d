// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codec/scaled.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "kakeya/codec/vectors.h"
#include "kakeya/core/error.h"
#include "kakeya/core/half.h"
#include "kakeya/lattice/hadamard.h"

namespace kakeya {
namespace {

constexpr std::size_t kLongestVector = 1024;
constexpr std::size_t kMostScales = 16;

// Sum of squares in double, in eight interleaved parts, then pairwise: a fixed order that vector
// units and warps can follow.
double sum_of_squares(std::span<const float> x) {
  double part[8] = {};
  for (std::size_t i = 0; i < x.size(); i += 8) {
    for (std::size_t k = 0; k < 8; ++k) {
      const double value = x[i + k];
      part[k] += value * value;
    }
  }
  return ((part[0] + part[4]) + (part[2] + part[6])) + ((part[1] + part[5]) + (part[3] + part[7]));
}

}  // namespace

void WindowList::set(std::size_t item, int window) {
  if (window == 0) return;
  if (windows_.empty()) windows_.resize(count_);
  windows_[item] = static_cast<std::int8_t>(window);
}

void WindowList::set(std::size_t first, std::span<const int> windows) {
  int any = 0;
  for (const int window : windows) any |= window;
  if (any == 0) return;
  for (std::size_t i = 0; i < windows.size(); ++i) set(first + i, windows[i]);
}

void WindowList::copy_to(std::span<std::byte> section) const {
  if (!windows_.empty()) std::memcpy(section.data(), windows_.data(), windows_.size());
}

int read_window(std::span<const std::byte> section, std::size_t item) {
  if (section.empty()) return 0;
  const auto window = static_cast<std::int8_t>(section[item]);
  if (window < kLowestWindow || window > kHighestWindow) {
    throw CorruptStream("window " + std::to_string(window) + " of item " + std::to_string(item) +
                        ": expected one in [" + std::to_string(kLowestWindow) + ", " +
                        std::to_string(kHighestWindow) + "]");
  }
  return window;
}

float scale_to_window(std::span<const float> x, int window, std::span<float> y) {
  std::copy(x.begin(), x.end(), y.begin());
  if (window != 0) {
    const float factor = root_of_window(-window);
    for (float& value : y) value = value * factor * factor;
  }
  return static_cast<float>(std::sqrt(sum_of_squares(y)));
}

VectorScale scale_to_unit(std::span<const float> x, float largest, std::span<float> y) {
  VectorScale scale;
  if (largest == 0.0f) {
    std::fill(y.begin(), y.end(), 0.0f);
    return scale;
  }
  scale.window = window_of(largest);
  const float norm = scale_to_window(x, scale.window, y);
  for (float& value : y) value /= norm;
  scale.norm = float_to_half(norm);
  return scale;
}

VectorScale rotate_to_unit(std::span<const float> x, float largest, std::span<float> y) {
  VectorScale scale = scale_to_unit(x, largest, y);
  if (largest == 0.0f) return scale;
  rotate_as_product(y);
  scale.maximum = float_to_half(std::bit_cast<float>(largest_magnitude(y)));
  return scale;
}

void rotate_as_product(std::span<float> y) {
  float before[kLongestVector];
  std::copy(y.begin(), y.end(), before);
  hadamard_as_product(before, y.data(), y.size());
}

void scale_back(const VectorScale& scale, std::span<float> y) {
  const float norm = half_to_float(scale.norm);
  for (float& value : y) value *= norm;
  if (scale.window != 0) {
    for (float& value : y) value = times_window(value, scale.window);
  }
}

void rotate_back(const VectorScale& scale, std::span<float> y) {
  hadamard(y.data(), y.size());
  scale_back(scale, y);
}

void write_scales(std::span<std::byte> scales, std::size_t first, const std::uint16_t* norm,
                  const std::uint16_t* maximum, std::size_t count) {
  std::uint16_t pair[2 * kMostScales];
  for (std::size_t i = 0; i < count; ++i) {
    pair[2 * i] = norm[i];
    pair[2 * i + 1] = maximum[i];
  }
  std::memcpy(scales.data() + first * kVectorScaleBytes, pair, count * kVectorScaleBytes);
}

void read_scales(std::span<const std::byte> scales, std::size_t first, std::uint16_t* norm,
                 std::uint16_t* maximum, std::size_t count) {
  std::uint16_t pair[2 * kMostScales];
  std::memcpy(pair, scales.data() + first * kVectorScaleBytes, count * kVectorScaleBytes);
  bool finite = true;
  for (std::size_t i = 0; i < count; ++i) {
    norm[i] = pair[2 * i];
    maximum[i] = pair[2 * i + 1];
    finite &= norm[i] < 0x7c00u && maximum[i] < 0x7c00u;
  }
  for (std::size_t i = 0; i < count && !finite; ++i)
    read_scale(scales, {}, first + i);  // says which
}

VectorScale read_scale(std::span<const std::byte> scales, std::span<const std::byte> windows,
                       std::size_t row) {
  std::uint16_t pair[2];
  std::memcpy(pair, scales.data() + row * kVectorScaleBytes, sizeof pair);
  if (pair[0] >= 0x7c00u || pair[1] >= 0x7c00u) {
    throw CorruptStream("scale of vector " + std::to_string(row) +
                        ": not a finite number from 0 on");
  }
  return {pair[0], pair[1], read_window(windows, row)};
}

}  // namespace kakeya

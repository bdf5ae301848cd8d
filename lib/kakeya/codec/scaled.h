// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kakeya/codec/window.h"

namespace kakeya {

/// Where the windows of a frame are collected; bytes() is empty while all are 0.
class WindowList {
 public:
  explicit WindowList(std::size_t count) : count_(count) {}
  void set(std::size_t item, int window);
  /// The windows of items first, first + 1, ...
  void set(std::size_t first, std::span<const int> windows);
  std::size_t byte_count() const { return windows_.size(); }
  void copy_to(std::span<std::byte> section) const;

 private:
  std::size_t count_;
  std::vector<std::int8_t> windows_;
};

/// The window of `item` in a section that WindowList wrote, which is empty or long enough. Throws
/// CorruptStream when it is out of range.
int read_window(std::span<const std::byte> section, std::size_t item);

/// What is stored of a vector besides its indices: binary16 patterns of its norm and of the largest
/// coordinate of the rotated unit vector. A zero vector has both 0.
struct VectorScale {
  std::uint16_t norm = 0, maximum = 0;
  int window = 0;
};
inline constexpr std::size_t kVectorScaleBytes = 4;

/// y = x times 2^(-16 window), and the norm of that. Lengths are the same, a multiple of 8.
float scale_to_window(std::span<const float> x, int window, std::span<float> y);

/// y = x / |x|, with the norm that is not rounded, and the scale to store, its maximum left 0.
/// `x` and `y` have the same length, a multiple of 8; the largest magnitude of `x` is `largest`,
/// finite. For a zero vector y is zero.
VectorScale scale_to_unit(std::span<const float> x, float largest, std::span<float> y);

/// y becomes H y, H as the published matrix product. `y` has a power-of-two length from 8 to 1024.
void rotate_as_product(std::span<float> y);

/// y becomes y times the stored norm, saturating at the largest float.
void scale_back(const VectorScale& scale, std::span<float> y);

/// The common beginning of the published codecs: y = H x / |x|, with the norm that is not rounded
/// and H as the published matrix product, and the scale to store. `x` and `y` have a power-of-two
/// length from 8 to 1024; the largest magnitude of `x` is `largest`, finite. For a zero vector y is
/// zero.
VectorScale rotate_to_unit(std::span<const float> x, float largest, std::span<float> y);

/// The common end: y becomes H y times the stored norm, saturating at the largest float.
void rotate_back(const VectorScale& scale, std::span<float> y);

/// Reads what write_scales() and WindowList wrote of vector `row`. Throws CorruptStream when a scale
/// is infinite, NaN or negative.
VectorScale read_scale(std::span<const std::byte> scales, std::span<const std::byte> windows,
                       std::size_t row);

/// Writes 4 bytes a vector into section "scales", norm and maximum, each little-endian, of `count`
/// vectors from `first` on, at most 16; and reads them, without their windows.
void write_scales(std::span<std::byte> scales, std::size_t first, const std::uint16_t* norm,
                  const std::uint16_t* maximum, std::size_t count);
void read_scales(std::span<const std::byte> scales, std::size_t first, std::uint16_t* norm,
                 std::uint16_t* maximum, std::size_t count);

}  // namespace kakeya

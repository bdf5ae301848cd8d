// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace kakeya {

/// What the ablation of the published D4 takes away or replaces, by the names of its table.
enum class Ablation {
  none,             ///< v14_full: nothing
  no_unit_norm,     ///< y = H x: no norm, its own maximum sets the step
  no_hadamard,      ///< y = x / |x|: no rotation
  no_per_vec_qmax,  ///< one maximum for all vectors, given once; larger coordinates are clamped
  per_block_qmax,   ///< a maximum for each block of 4
  scalar_quantise,  ///< each coordinate rounded by itself: Z^4 for D4
};
inline constexpr std::string_view kAblations[] = {
    "none", "no-unit-norm", "no-hadamard", "no-per-vec-qmax", "per-block-qmax", "scalar-quantise"};

/// All of the published round trip but the lattice: from a vector to coordinates t in steps, and
/// back from lattice points. Immutable.
///
///   x  ->  over |x|  ->  H  ->  over s = fp16(max |y|) / q  ->  t     section "scales", a vector
///
///   none, scalar-quantise   as drawn                          | norm | maximum |
///   no-hadamard             without H                         | norm | maximum |
///   no-unit-norm            without the first division        | maximum |
///   no-per-vec-qmax         s = maximum / q, the same for all | norm |
///   per-block-qmax          s for 4 coordinates at a time     | norm | maximum | maximum | ...
///
/// Each is a binary16. Of no-unit-norm the window (scaled.h) is that of the maximum, of the others
/// that of the vector.
class PublishedWrapper {
 public:
  /// `maximum`: that of no-per-vec-qmax, not used by others.
  PublishedWrapper(Ablation ablation, std::size_t dim, int q, double maximum);

  /// Bytes that a vector takes in "scales".
  std::size_t scale_bytes() const;

  /// Writes the coordinates of `x`, vector `row`, in steps to `t`, its entry to `scales`, and
  /// returns its window. For a zero vector all are zero. Throws InputError on NaN or infinity.
  int forward(std::span<const float> x, std::size_t row, std::span<float> t,
              std::span<std::byte> scales) const;

  /// The way back, in place, from points in steps to the vector. Throws CorruptStream on a scale
  /// that is infinite, NaN or negative, or a window out of range.
  void backward(std::span<const std::byte> scales, std::span<const std::byte> windows,
                std::size_t row, std::span<float> points) const;

 private:
  int forward_without_norm(std::span<const float> x, float largest, std::size_t item,
                           std::span<float> t, std::span<std::byte> scales) const;
  bool rotates() const { return ablation_ != Ablation::no_hadamard; }

  Ablation ablation_;
  float q_, fixed_step_;
  std::size_t norms_, maxima_;  // binary16s of a vector
};

}  // namespace kakeya

// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codecs/published/published_wrapper.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "kakeya/codec/scale_code.h"
#include "kakeya/codec/scaled.h"
#include "kakeya/codec/vectors.h"
#include "kakeya/core/half.h"
#include "kakeya/lattice/hadamard.h"

namespace kakeya {
namespace {

constexpr std::size_t kScaleBlock = 4;

float peak_of(std::span<const float> y) { return std::bit_cast<float>(largest_magnitude(y)); }

// The maximum of each block of 4, not below the published epsilon, divides the block.
void divide_blocks(std::span<float> y, float q, std::span<std::byte> scales, std::size_t item) {
  for (std::size_t i = 0; i < y.size(); i += kScaleBlock, ++item) {
    const auto block = y.subspan(i, kScaleBlock);
    const std::uint16_t maximum =
        float_to_half(std::max(peak_of(block), std::numeric_limits<float>::epsilon()));
    const float step = half_to_float(maximum) / q;
    for (float& value : block) value /= step;
    write_scale_code(scales, item, ScaleFormat::half, maximum);
  }
}

}  // namespace

PublishedWrapper::PublishedWrapper(Ablation ablation, std::size_t dim, int q, double maximum)
    : ablation_(ablation),
      q_(static_cast<float>(q)),
      fixed_step_(static_cast<float>(maximum) / static_cast<float>(q)),
      norms_(ablation == Ablation::no_unit_norm ? 0 : 1),
      maxima_(ablation == Ablation::no_per_vec_qmax
                  ? 0
                  : (ablation == Ablation::per_block_qmax ? dim / kScaleBlock : 1)) {}

std::size_t PublishedWrapper::scale_bytes() const {
  return (norms_ + maxima_) * kakeya::scale_bytes(ScaleFormat::half);
}

int PublishedWrapper::forward(std::span<const float> x, std::size_t row, std::span<float> t,
                              std::span<std::byte> scales) const {
  const float largest = finite_maximum(x, row);
  const std::size_t item = row * (norms_ + maxima_);
  if (largest == 0.0f) {  // its scales, zeros, are there
    std::fill(t.begin(), t.end(), 0.0f);
    return 0;
  }
  if (ablation_ == Ablation::no_unit_norm) return forward_without_norm(x, largest, item, t, scales);
  const VectorScale scale =
      rotates() ? rotate_to_unit(x, largest, t) : scale_to_unit(x, largest, t);
  write_scale_code(scales, item, ScaleFormat::half, scale.norm);
  if (ablation_ == Ablation::per_block_qmax) {
    divide_blocks(t, q_, scales, item + 1);
    return scale.window;
  }
  float step = fixed_step_;
  if (maxima_ != 0) {
    const std::uint16_t maximum = rotates() ? scale.maximum : float_to_half(peak_of(t));
    write_scale_code(scales, item + 1, ScaleFormat::half, maximum);
    step = half_to_float(maximum) / q_;
  }
  for (float& value : t) value /= step;
  return scale.window;
}

int PublishedWrapper::forward_without_norm(std::span<const float> x, float largest,
                                           std::size_t item, std::span<float> t,
                                           std::span<std::byte> scales) const {
  const int window = window_of(largest);
  scale_to_window(x, window, t);
  rotate_as_product(t);
  const ScaleCode maximum = encode_scale(ScaleFormat::half, peak_of(t), window, false);
  write_scale_code(scales, item, ScaleFormat::half, maximum.code);
  const float step = decode_scale(ScaleFormat::half, maximum.code) / q_;
  for (float& value : t) value = times_window(value, window - maximum.window) / step;
  return maximum.window;
}

void PublishedWrapper::backward(std::span<const std::byte> scales,
                                std::span<const std::byte> windows, std::size_t row,
                                std::span<float> points) const {
  const std::size_t item = row * (norms_ + maxima_);
  const auto scale_at = [&](std::size_t place) {
    return read_scale_code(scales, item + place, ScaleFormat::half);
  };
  VectorScale scale{norms_ != 0 ? scale_at(0) : float_to_half(1.0f), 0, read_window(windows, row)};
  const std::size_t length = points.size() / std::max<std::size_t>(maxima_, 1);
  for (std::size_t i = 0; i < points.size(); i += length) {
    const float step =
        maxima_ == 0 ? fixed_step_ : half_to_float(scale_at(norms_ + i / length)) / q_;
    for (float& value : points.subspan(i, length)) value *= step;
  }
  if (rotates()) {
    rotate_back(scale, points);
  } else {
    scale_back(scale, points);
  }
}

}  // namespace kakeya

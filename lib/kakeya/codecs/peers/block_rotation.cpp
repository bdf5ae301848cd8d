// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codecs/peers/block_rotation.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "kakeya/codec/error_bounds.h"
#include "kakeya/codec/vectors.h"
#include "kakeya/codec/window.h"
#include "kakeya/core/error.h"
#include "kakeya/lattice/hadamard.h"

namespace kakeya {

BlockRotation::BlockRotation(SpecArgs& args, std::size_t dim)
    : length_(static_cast<std::size_t>(args.whole("rotate"))) {
  if (length_ == 0) return;
  if (length_ < kLeastRotation || !is_power_of_two(length_)) {
    throw SpecError("rotate=" + std::to_string(length_) + ": expected 0 or a power of two in [" +
                    std::to_string(kLeastRotation) + ", " + std::to_string(kMostRotation) + "]");
  }
  if (dim % length_ != 0) {
    throw InputError(args.name() + ": rotate=" + std::to_string(length_) + " does not divide dim " +
                     std::to_string(dim));
  }
}

BlockRotation::BlockRotation(const Spec& spec)
    : length_(static_cast<std::size_t>(whole_of(spec.text(), kRotateKey.name))) {}

int BlockRotation::forward(std::span<const float> x, std::span<float> y) const {
  const int window = window_of(std::bit_cast<float>(largest_magnitude(x)));
  for (std::size_t i = 0; i < length_; ++i) y[i] = times_window(x[i], -window);
  hadamard(y.data(), length_);
  return window;
}

void BlockRotation::backward(std::span<float> y, int window) const {
  hadamard(y.data(), length_);
  for (float& value : y) value = times_window(value, window);
}

double rotated_blocks_bound(const Spec& spec, std::span<const float> x, std::size_t block,
                            double part) {
  const BlockRotation rotation(spec);
  if (rotation.length() == 0) return largest_of(x) * part;
  double most = 0;
  std::vector<float> y(rotation.length());
  for (std::size_t at = 0; at < x.size(); at += y.size()) {
    const auto mixed = x.subspan(at, y.size());
    const int window = rotation.forward(mixed, y);
    double squares = 0;
    for (std::size_t b = 0; b < y.size(); b += block) {
      const double off = largest_of(std::span(y).subspan(b, block)) * part;
      squares += static_cast<double>(block) * off * off;
    }
    // The sums of both ways round log2(length) + 1 times.
    const double rounding = norm_of(mixed) * 0x1p-18;
    most = std::max(most, std::ldexp(std::sqrt(squares), 16 * window) + rounding);
  }
  return most;
}

}  // namespace kakeya

// SPDX-License-Identifier: Apache-2.0
#include "kakeya/device/device_rope.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "kakeya/core/error.h"
#include "kakeya/core/half.h"
#include "kernels/rope_attention.h"

namespace kakeya {
namespace {

constexpr std::size_t kMostPositions = std::size_t{1} << 30;

// The largest byte of a tile less what it has more, and a shift: |z| but for far entries.
constexpr double kMostByte = 256 + 128 + 64;

std::size_t coordinate_of(const Rope& rope, std::size_t pair, std::size_t second) {
  return static_cast<std::size_t>(kernels::rope_coordinate(
      static_cast<int>(2 * rope.frequencies.size()), rope.pairing == RopePairing::interleaved,
      static_cast<int>(pair), static_cast<int>(second)));
}

Rope checked(const Rope& rope, std::size_t dim) {
  const std::size_t turned = 2 * rope.frequencies.size();
  if (dim != 64 && dim != 128 && dim != 256) {
    throw InputError("RoPE of attention over packed pages: head_dim " + std::to_string(dim) +
                     " given, expected 64, 128 or 256");
  }
  if (turned == 0 || turned > dim) {
    throw InputError("RoPE of attention over packed pages: " + std::to_string(turned) +
                     " coordinates are turned, expected 2 to " + std::to_string(dim));
  }
  for (const double frequency : rope.frequencies) {
    if (!std::isfinite(frequency)) {
      throw InputError("RoPE of attention over packed pages: frequency " +
                       std::to_string(frequency) + " given, expected a finite one");
    }
  }
  if (rope.positions == 0 || rope.positions > kMostPositions) {
    throw InputError("RoPE of attention over packed pages: " + std::to_string(rope.positions) +
                     " positions given, expected 1 to " + std::to_string(kMostPositions));
  }
  return rope;
}

// Cosine and sine of each pair, of positions 0, each, 2 each, ...: rows of `stride` floats.
std::unique_ptr<DeviceBuffer> angles(const Rope& rope, std::size_t dim, std::size_t rows,
                                     std::size_t each, std::size_t stride) {
  std::vector<float> all(rows * stride);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t pair = 0; pair < dim / 2; ++pair) {
      const double angle = pair < rope.frequencies.size()
                               ? static_cast<double>(row * each) * rope.frequencies[pair]
                               : 0.0;
      all[row * stride + 2 * pair] = static_cast<float>(std::cos(angle));
      all[row * stride + 2 * pair + 1] = static_cast<float>(std::sin(angle));
    }
  }
  auto made = std::make_unique<DeviceBuffer>(4 * all.size());
  made->copy_in(all.data(), 4 * all.size());
  return made;
}

}  // namespace

std::vector<double> rope_frequencies(double base, std::size_t turned) {
  std::vector<double> made;
  for (std::size_t i = 0; i < turned / 2; ++i) {
    made.push_back(std::pow(base, -2.0 * static_cast<double>(i) / static_cast<double>(turned)));
  }
  return made;
}

void turn_by_rope(const Rope& rope, std::size_t position, std::span<float> vector) {
  for (std::size_t pair = 0; pair < rope.frequencies.size(); ++pair) {
    const double angle = static_cast<double>(position) * rope.frequencies[pair],
                 c = std::cos(angle), s = std::sin(angle);
    float &first = vector[coordinate_of(rope, pair, 0)],
          &second = vector[coordinate_of(rope, pair, 1)];
    const double a = first, b = second;
    first = static_cast<float>(a * c - b * s);
    second = static_cast<float>(a * s + b * c);
  }
}

DeviceRope::DeviceRope(const Rope& rope, std::size_t head_dim)
    : rope_(checked(rope, head_dim)), dim_(head_dim) {
  const auto dim = static_cast<int>(head_dim);
  const auto rows = static_cast<std::size_t>(kernels::rope_rows(dim));
  coarse_rows_ = (rope.positions + rows - 1) / rows;
  fine_ = angles(rope_, dim_, rows, 1, static_cast<std::size_t>(kernels::rope_fine_stride(dim)));
  coarse_ = angles(rope_, dim_, coarse_rows_, rows, dim_);
}

RopeMatrix rope_matrix(const Rope& rope, std::span<const float> backward,
                       std::span<const float> mean) {
  const std::size_t dim = mean.size();
  // A power of two such that no coordinate is beyond kMostRopeKey.
  double most = 0;
  for (std::size_t i = 0; i < dim; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < dim; ++j) sum += std::abs(double{backward[j * dim + i]});
    most = std::max(most, kMostByte * sum + std::abs(double{mean[i]}));
    if (!std::isfinite(sum) || !std::isfinite(mean[i])) {
      throw InputError("attention: coordinate " + std::to_string(i) +
                       " of keys has a transform or a mean that is not finite");
    }
  }
  int exponent = 0;
  if (most > 0) exponent = static_cast<int>(std::floor(std::log2(kernels::kMostRopeKey / most)));
  const double factor = std::ldexp(1.0, exponent);
  RopeMatrix made;
  made.unit = static_cast<float>(1 / factor);
  made.halves.resize(static_cast<std::size_t>(kernels::rope_matrix_bytes(static_cast<int>(dim))) /
                     2);
  for (std::size_t pair = 0; pair < dim / 2; ++pair) {
    for (std::size_t second = 0; second < 2; ++second) {
      const std::size_t i = coordinate_of(rope, pair, second);
      const int column =
          kernels::rope_column(static_cast<int>(pair)) + (second != 0 ? kernels::kRopeApart : 0);
      const auto put = [&](int row, double value) {
        const auto at = static_cast<std::size_t>(
            kernels::rope_matrix_place(static_cast<int>(dim), row, column));
        made.halves[at] = float_to_half(static_cast<float>(value));
        return value - double{half_to_float(made.halves[at])};
      };
      for (std::size_t j = 0; j < dim; ++j) {
        put(kernels::rope_matrix_row(static_cast<int>(j)), factor * backward[j * dim + i]);
      }
      // The mean in two parts, twice: what multiplies it has two parts too.
      for (const int row : {0, 2}) {
        const double left = put(static_cast<int>(dim) + row, factor * mean[i]);
        put(static_cast<int>(dim) + row + 1, left);
      }
    }
  }
  return made;
}

}  // namespace kakeya

// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codecs/klt/exact_product.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kakeya/core/error.h"
#include "kakeya/profile/plain_inverse.h"

namespace kakeya {
namespace {

constexpr int kHeadroom = 5;            // octaves from a deviation to the largest whole number
constexpr double kLeastPart = 0x1p-10;  // of the largest deviation: what a constant coordinate gets

// Standard deviations of the coordinates of x, of those of y and the way back.
std::vector<double> deviations_of(const SiteTransform& transform) {
  const std::size_t dim = transform.mean.size();
  std::vector<double> squares(dim, 0.0);
  for (std::size_t j = 0; j < dim; ++j) {
    const double deviation = deviation_of_class(transform.classes[j] % kDeviations);
    for (std::size_t i = 0; i < dim; ++i) {
      const double part = transform.backward[j * dim + i] * deviation;
      squares[i] += part * part;
    }
  }
  const double most = *std::max_element(squares.begin(), squares.end());
  for (double& square : squares)
    square = std::sqrt(std::max(square, most * kLeastPart * kLeastPart));
  return squares;
}

// g_i: the power of two for which 2^kHeadroom deviations are at most 2^15, nearly kLargestWhole.
std::vector<float> grains_of(const SiteTransform& transform) {
  std::vector<float> grains;
  for (const double deviation : deviations_of(transform)) {
    int exponent;
    std::frexp(deviation, &exponent);
    grains.push_back(std::ldexp(1.0f, std::clamp(exponent + kHeadroom - 15, -120, 120)));
  }
  return grains;
}

// values[i * dim + j] is about whole times the scale of column j.
struct Rounded {
  std::vector<std::int16_t> whole;
  std::vector<float> scales;
};
Rounded round_columns(const std::vector<double>& values, std::size_t dim, int most) {
  Rounded out{std::vector<std::int16_t>(values.size()), {}};
  for (std::size_t j = 0; j < dim; ++j) {
    double largest = 0;
    for (std::size_t i = 0; i < dim; ++i)
      largest = std::max(largest, std::fabs(values[i * dim + j]));
    const auto scale = static_cast<float>(largest / most);
    out.scales.push_back(scale);
    for (std::size_t i = 0; i < dim && scale > 0; ++i) {
      const double whole = std::nearbyint(values[i * dim + j] / scale);
      out.whole[i * dim + j] = static_cast<std::int16_t>(
          std::clamp(whole, -static_cast<double>(most), static_cast<double>(most)));
    }
  }
  return out;
}

}  // namespace

ExactProduct exact_product(const SiteTransform& transform, float step) {
  const std::size_t dim = transform.mean.size();
  const std::vector<float> grains = grains_of(transform);
  std::vector<double> forward(dim * dim);
  for (std::size_t at = 0; at < forward.size(); ++at) {
    forward[at] = static_cast<double>(transform.forward[at]) * grains[at / dim];
  }
  const Rounded to = round_columns(forward, dim, 127);
  std::vector<float> rounded(dim * dim);
  for (std::size_t at = 0; at < rounded.size(); ++at) {
    rounded[at] = static_cast<float>(to.whole[at] * static_cast<double>(to.scales[at % dim]) /
                                     grains[at / dim]);
  }
  const std::vector<float> inverse = plain_inverse(rounded, dim);
  for (const float value : inverse) {
    if (std::isfinite(value)) continue;
    throw InputError(
        "klt: product=exact: the transform in 8 bits has no inverse: expected product=float");
  }
  const Rounded back = round_columns({inverse.begin(), inverse.end()}, dim, kLargestWhole);

  ExactProduct product{WholeMatrix(to.whole, dim), WholeMatrix(back.whole, dim), {}, {}, {}};
  for (const float grain : grains) product.to_whole.push_back(1.0f / grain);
  for (const float scale : to.scales) product.forward_scale.push_back(scale * (1.0f / step));
  for (const float scale : back.scales) product.backward_scale.push_back(scale * (0.5f * step));
  return product;
}

}  // namespace kakeya

// SPDX-License-Identifier: Apache-2.0
#include "kakeya/studies/published/gaussian_error.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "kakeya/codec/codec.h"
#include "kakeya/core/error.h"
#include "kakeya/core/half.h"
#include "kakeya/core/random.h"

namespace kakeya {
namespace {

constexpr std::uint64_t kStream = 20;  // of a seed, apart from those of other reports

double rel_mse(const std::vector<float>& values, const std::vector<float>& decoded) {
  double error = 0, power = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double x = values[i], off = double{decoded[i]} - x;
    error += off * off;
    power += x * x;
  }
  return error / power;
}

/// Calls `quantise(coordinate of the unit vector, its maximum as binary16)` for every coordinate.
template <typename Quantise>
double wrapped_rel_mse(const GaussianVectors& vectors, const Quantise& quantise) {
  std::vector<float> decoded(vectors.values.size());
  for (std::size_t row = 0; row < vectors.count; ++row) {
    const float* x = vectors.values.data() + row * vectors.dim;
    double square = 0, maximum = 0;
    for (std::size_t i = 0; i < vectors.dim; ++i) {
      square += double{x[i]} * x[i];
      maximum = std::max(maximum, std::abs(double{x[i]}));
    }
    const double norm = std::sqrt(square);
    const double stored_norm = half_to_float(float_to_half(static_cast<float>(norm)));
    const double stored_maximum = half_to_float(float_to_half(static_cast<float>(maximum / norm)));
    for (std::size_t i = 0; i < vectors.dim; ++i) {
      decoded[row * vectors.dim + i] =
          static_cast<float>(stored_norm * quantise(x[i] / norm, stored_maximum));
    }
  }
  return rel_mse(vectors.values, decoded);
}

double density(double x) { return std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi); }
double share_below(double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; }

}  // namespace

GaussianVectors gaussian_vectors(std::size_t count, std::size_t dim, std::uint64_t seed) {
  GaussianVectors vectors{std::vector<float>(count * dim), count, dim};
  const Random random(seed, kStream);
  for (std::size_t i = 0; i < vectors.values.size(); ++i) {
    vectors.values[i] = static_cast<float>(random.normal(i));
  }
  return vectors;
}

double codec_rel_mse(const std::string& spec, const GaussianVectors& vectors) {
  const auto codec = make_codec(spec, CodecInput{.dim = vectors.dim});
  std::vector<std::byte> frame(codec->encoded_bound(vectors.count));
  const Rows<const float> rows =
      dense_rows<const float>(vectors.values.data(), vectors.count, vectors.dim);
  frame.resize(codec->encode(rows, frame));
  std::vector<float> decoded(vectors.values.size());
  codec->decode(frame, dense_rows(decoded.data(), vectors.count, vectors.dim));
  return rel_mse(vectors.values, decoded);
}

double mid_tread_rel_mse(int levels, const GaussianVectors& vectors) {
  const int steps = (levels - 1) / 2;
  const double top = steps;
  return wrapped_rel_mse(vectors, [top](double y, double maximum) {
    const double step = maximum / top;
    return step * std::clamp(std::nearbyint(y / step), -top, top);
  });
}

double mid_rise_rel_mse(int levels, const GaussianVectors& vectors) {
  const int steps = levels / 2;
  const double half = steps;
  return wrapped_rel_mse(vectors, [half](double y, double maximum) {
    const double step = maximum / half;
    return step * (std::clamp(std::floor(y / step), -half, half - 1) + 0.5);
  });
}

double lloyd_max_rel_mse(int bits, const GaussianVectors& vectors) {
  const std::vector<double> codebook = lloyd_max_codebook(bits);
  const double scale = std::sqrt(static_cast<double>(vectors.dim));
  return wrapped_rel_mse(vectors, [&](double y, double) {
    const double wanted = y * scale;
    const auto above = std::lower_bound(codebook.begin(), codebook.end(), wanted);
    if (above == codebook.begin()) return *above / scale;
    if (above == codebook.end()) return codebook.back() / scale;
    const double below = *(above - 1);
    return (wanted - below < *above - wanted ? below : *above) / scale;
  });
}

std::vector<double> lloyd_max_codebook(int bits) {
  if (bits < 1 || bits > 8) {
    throw InputError(std::to_string(bits) + " bits: expected 1 to 8 for a Lloyd-Max codebook");
  }
  const std::size_t levels = std::size_t{1} << bits;
  std::vector<double> codebook(levels);
  for (std::size_t i = 0; i < levels; ++i) {
    codebook[i] = 8.0 * (static_cast<double>(i) + 0.5) / static_cast<double>(levels) - 4.0;
  }
  // Each round: cells end halfway between values, each value moves to the mean of its cell. 20000
  // rounds move the 256 values of 8 bits by less than 1e-6 a round.
  for (int round = 0; round < 20000; ++round) {
    double low = -INFINITY, moved = 0;
    for (std::size_t i = 0; i < levels; ++i) {
      const double high = i + 1 < levels ? (codebook[i] + codebook[i + 1]) / 2 : INFINITY;
      const double mean = (density(low) - density(high)) / (share_below(high) - share_below(low));
      moved = std::max(moved, std::abs(mean - codebook[i]));
      codebook[i] = mean;
      low = high;
    }
    if (moved < 1e-9) break;
  }
  return codebook;
}

}  // namespace kakeya

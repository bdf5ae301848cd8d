// SPDX-License-Identifier: Apache-2.0
#include "kakeya/studies/published/equal_nominal.h"

#include <cmath>

#include "kakeya/codec/codec.h"
#include "kakeya/core/error.h"

namespace kakeya {
namespace {

constexpr double kScaleBits = 32;  // norm and maximum

/// Bits of a vector of `levels` values a coordinate, four coordinates to a field.
double scalar_bits(int levels, std::size_t dim) {
  const std::size_t fields = dim / 4;
  return static_cast<double>(fields) * std::ceil(4 * std::log2(levels)) + kScaleBits;
}

/// The most levels, odd or even, within so many bits a vector.
int most_levels(double bits, std::size_t dim, bool odd) {
  int levels = odd ? 3 : 2;
  while (scalar_bits(levels + 2, dim) <= bits) levels += 2;
  return levels;
}

RatedError lattice_error(const std::string& family, int q, const GaussianVectors& vectors) {
  const std::string setting = family + ":q=" + std::to_string(q);
  return {setting, nominal_bits_of(setting, vectors.dim),
          codec_rel_mse(setting + ",rule=published", vectors)};
}

RatedError scalar_error(double bits, bool odd, const GaussianVectors& vectors) {
  const int levels = most_levels(bits, vectors.dim, odd);
  return {std::to_string(levels) + " levels", scalar_bits(levels, vectors.dim),
          odd ? mid_tread_rel_mse(levels, vectors) : mid_rise_rel_mse(levels, vectors)};
}

std::optional<RatedError> lloyd_max_error(double bits, const GaussianVectors& vectors) {
  const double dim = static_cast<double>(vectors.dim), norm_bits = kScaleBits / 2;
  const int whole = static_cast<int>((bits - norm_bits) / dim);
  // Only where it nearly fills the bits; above 6 bits its gain is not what is in question.
  if (whole > 6 || bits - (dim * whole + norm_bits) > kScaleBits) return std::nullopt;
  return RatedError{std::to_string(whole) + " bits", dim * whole + norm_bits,
                    lloyd_max_rel_mse(whole, vectors)};
}

}  // namespace

double nominal_bits_of(const std::string& spec, std::size_t dim) {
  const std::optional<double> bits =
      make_codec(spec, CodecInput{.dim = dim})->account().rates().nominal_bits_per_vector;
  if (!bits) throw InputError(spec + ": no formula of its bits was published");
  return *bits;
}

int largest_q(const std::string& family, double bits, std::size_t dim) {
  constexpr int kLargest = 1023;  // that the codecs take
  int q = 0;
  while (q < kLargest && nominal_bits_of(family + ":q=" + std::to_string(q + 1), dim) <= bits) {
    ++q;
  }
  return q;
}

std::vector<EqualNominal> at_equal_nominal_bits(const GaussianVectors& vectors) {
  struct Published {
    double bits;
    int d4_q;  ///< 0: bits of TQ alone
  };
  constexpr Published kSettings[] = {{416, 4},  {544, 0},  {576, 10},  {800, 0},
                                     {832, 38}, {1056, 0}, {1088, 152}};
  std::vector<EqualNominal> rows;
  for (const Published& setting : kSettings) {
    const double bits = setting.bits;
    EqualNominal row;
    row.bits = bits;
    if (setting.d4_q > 0) row.published = lattice_error("d4", setting.d4_q, vectors);
    row.d4 = lattice_error("d4", largest_q("d4", bits, vectors.dim), vectors);
    row.e8 = lattice_error("e8", largest_q("e8", bits, vectors.dim), vectors);
    row.mid_tread = scalar_error(bits, true, vectors);
    row.mid_rise = scalar_error(bits, false, vectors);
    row.lloyd_max = lloyd_max_error(bits, vectors);
    rows.push_back(row);
  }
  return rows;
}

}  // namespace kakeya

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace kakeya {

/// Vectors of independent normal values, row after row; the same for the same arguments.
struct GaussianVectors {
  std::vector<float> values;
  std::size_t count = 0, dim = 0;
};
GaussianVectors gaussian_vectors(std::size_t count, std::size_t dim, std::uint64_t seed);

/// Mean squared error over mean square of what a codec of ours writes and reads back.
double codec_rel_mse(const std::string& spec, const GaussianVectors& vectors);

/// Scalar quantisers in the published wrapper: the vector over its norm, and, for the two with a
/// grid, a step from its greatest magnitude; norm and maximum as binary16.
///
///   mid-tread   odd levels:  ... -s  0  s ...        s = maximum / ((levels - 1) / 2)
///   mid-rise    even levels: ... -s/2  s/2 ...       s = 2 maximum / levels
double mid_tread_rel_mse(int levels, const GaussianVectors& vectors);
double mid_rise_rel_mse(int levels, const GaussianVectors& vectors);

/// The least-error codebook of 2^bits values for a standard normal (Lloyd 1982, Max 1960), for the
/// vector over its norm times sqrt(dim). No maximum is stored.
double lloyd_max_rel_mse(int bits, const GaussianVectors& vectors);

/// That codebook, rising. Throws InputError unless bits is in [1, 8].
std::vector<double> lloyd_max_codebook(int bits);

}  // namespace kakeya

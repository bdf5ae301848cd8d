// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kakeya/studies/published/gaussian_error.h"

namespace kakeya {

/// A setting within a number of bits a vector: its own nominal bits, and its rel-MSE on the
/// vectors.
struct RatedError {
  std::string setting;  ///< "d4:q=44", "75 levels"
  double bits = 0, rel_mse = 0;
};

/// Everything at the nominal bits a vector of one published setting.
struct EqualNominal {
  double bits = 0;
  std::optional<RatedError> published;  ///< D4 as it was published; none at bits of TQ alone
  RatedError d4, e8;                    ///< the largest Q that costs no more
  RatedError mid_tread, mid_rise;       ///< most odd, even levels; four values a field of bits
  std::optional<RatedError> lloyd_max;  ///< a whole number of bits a value, no maximum; 8 at most
};

/// The largest q of "d4" or "e8" of at most `bits` nominal bits a vector; 0 where none is.
int largest_q(const std::string& family, double bits, std::size_t dim);

/// Nominal bits a vector of `spec`. Throws InputError where no formula was published.
double nominal_bits_of(const std::string& spec, std::size_t dim);

/// A row for the nominal bits of each published operating point.
std::vector<EqualNominal> at_equal_nominal_bits(const GaussianVectors& vectors);

}  // namespace kakeya

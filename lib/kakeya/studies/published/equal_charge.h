// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kakeya/studies/published/gaussian_error.h"

namespace kakeya {

/// A setting that fits a charge: what it is, what it is charged, and its rel-MSE on the vectors.
struct ChargedError {
  std::string setting;  ///< "d4:q=44", "75 levels"
  double bits = 0, rel_mse = 0;
};

/// Everything at one published charge, bits a vector.
struct EqualCharge {
  double bits = 0;
  std::optional<ChargedError> published;  ///< D4 as it was published; none at charges of TQ alone
  ChargedError d4, e8;                    ///< the largest Q that costs no more
  ChargedError mid_tread, mid_rise;       ///< most odd, even levels; four values a field of bits
  std::optional<ChargedError> lloyd_max;  ///< a whole number of bits a value, no maximum; 8 at most
};

/// The largest q of "d4" or "e8" for which the published formula charges at most `bits` a vector;
/// 0 where none does.
int largest_q(const std::string& family, double bits, std::size_t dim);

/// Bits that our codec charges for `spec`. Throws InputError where no formula was published.
double charged_bits_of(const std::string& spec, std::size_t dim);

/// The rows of the equal-charge table, for the charges of the published operating points.
std::vector<EqualCharge> equal_charges(const GaussianVectors& vectors);

}  // namespace kakeya

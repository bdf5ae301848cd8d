// SPDX-License-Identifier: Apache-2.0
#include "kakeya/stats/entropy_power.h"

#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/digamma.hpp>
#include <cmath>
#include <numbers>
#include <string>

#include "kakeya/core/error.h"

namespace kakeya {

double laplace_entropy_power() { return std::numbers::e / std::numbers::pi; }

double uniform_entropy_power() { return 6 / (std::numbers::pi * std::numbers::e); }

double student_t_entropy_power(double degrees) {
  if (!(degrees > 2) || !std::isfinite(degrees)) {
    throw InputError("entropy power: Student-t of " + std::to_string(degrees) +
                     " degrees of freedom: expected a finite number > 2");
  }
  using boost::math::digamma;
  const double entropy = (degrees + 1) / 2 * (digamma((degrees + 1) / 2) - digamma(degrees / 2)) +
                         std::log(std::sqrt(degrees) * boost::math::beta(degrees / 2, 0.5));
  return std::exp(2 * entropy) / (2 * std::numbers::pi * std::numbers::e * degrees / (degrees - 2));
}

}  // namespace kakeya

// SPDX-License-Identifier: Apache-2.0
#include "kakeya/stats/central_moments.h"

#include "kakeya/core/error.h"

namespace kakeya {

CentralMoments central_moments(std::span<const double> numbers) {
  if (numbers.empty()) throw InputError("central moments: no numbers, expected at least one");
  const auto count = static_cast<double>(numbers.size());
  CentralMoments moments;
  for (const double number : numbers) moments.mean += number;
  moments.mean /= count;
  for (const double number : numbers) {
    const double from_mean = number - moments.mean, square = from_mean * from_mean;
    moments.variance += square;
    moments.fourth += square * square;
  }
  moments.variance /= count;
  moments.fourth /= count;
  return moments;
}

}  // namespace kakeya

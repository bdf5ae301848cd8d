// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdlib>
#include <span>

#include "kakeya/codec/spec_args.h"

namespace kakeya {

// What bounds of decoding errors (ErrorBound) are made of.

/// The Euclidean norm of a vector.
inline double norm_of(std::span<const float> x) {
  double sum = 0.0;
  for (const float value : x) sum += double{value} * value;
  return std::sqrt(sum);
}

/// The largest |x[i]|.
inline double largest_of(std::span<const float> x) {
  double largest = 0.0;
  for (const float value : x) largest = std::fmax(largest, std::fabs(double{value}));
  return largest;
}

/// The rate that a spec gives; 0 where it gives none.
inline double rate_of(const Spec& spec) {
  const SpecItem* rate = spec.rate();
  return rate == nullptr ? 0.0 : std::strtod(rate->value.c_str(), nullptr);
}

}  // namespace kakeya

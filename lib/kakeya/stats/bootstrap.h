// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace kakeya {

/// Subjects 0 ... subjects-1 drawn with replacement, as many as there are. The same seed and number
/// give the same draw, so that two statistics of one draw are paired.
std::vector<std::size_t> resample(std::size_t subjects, std::uint64_t seed, std::uint64_t number);

/// An interval that need not be symmetric; an end may be infinite.
struct Range {
  double low = 0, high = 0;
};

/// The percentile interval (Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapter
/// 13): the statistic of every draw, cut by (1 - confidence) / 2 at either end, between neighbours
/// interpolated. Infinite statistics are allowed, an end between a finite and an infinite one is
/// infinite. Throws InputError when there is no statistic or one is NaN.
Range percentile_interval(std::vector<double> statistics, double confidence = 0.95);

}  // namespace kakeya

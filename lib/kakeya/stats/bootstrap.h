// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
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

/// The bias-corrected and accelerated interval (Efron, "Better bootstrap confidence intervals",
/// 1987; Efron and Tibshirani, equations 14.9 to 14.15). `replicates`: the statistic of every draw;
/// `estimate`: of the sample itself; `jackknife`: of the sample without its i-th subject. The
/// percentiles are cut where Phi(z0 + (z0 + z) / (1 - a (z0 + z))) says, z0 from the share of
/// replicates below the estimate (ties count half; none counts as half a replicate), a from the
/// third moment of the jackknife; between neighbours interpolated. Where everything equals the
/// estimate, the interval is that point. Throws InputError when there is no replicate or no
/// jackknife value, or one is not finite.
Range bca_interval(std::vector<double> replicates, double estimate,
                   std::span<const double> jackknife, double confidence = 0.95);

/// The same of the mean of `samples` over `resamples` draws of resample(), numbered from 0. Throws
/// InputError when there are fewer than 2 samples or no draw, and as bca_interval(). Cost:
/// resamples x samples random numbers.
Range bca_mean_interval(std::span<const double> samples, std::uint64_t resamples,
                        std::uint64_t seed, double confidence = 0.95);

}  // namespace kakeya

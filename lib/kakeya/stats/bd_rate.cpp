// SPDX-License-Identifier: Apache-2.0
#include "kakeya/stats/bd_rate.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kakeya/core/error.h"
#include "kakeya/stats/iso_quality.h"
#include "kakeya/stats/monotone_cubic.h"

namespace kakeya {
namespace {

/// The distinct losses of a family's fit, rising, as logarithms, and their rates: what the fit
/// pooled is one point at its mean rate.
struct RateCurve {
  std::vector<double> log_losses, rates;

  explicit RateCurve(std::span<const OperatingPoint> points) {
    const IsotonicCurve fit = isotonic_curve(points);
    for (std::size_t i = fit.rates.size(); i > 0;) {
      const double log_loss = fit.log_losses[i - 1];
      double sum = 0, weight = 0;
      for (; i > 0 && fit.log_losses[i - 1] == log_loss; --i) {
        sum += fit.weights[i - 1] * fit.rates[i - 1];
        weight += fit.weights[i - 1];
      }
      if (sum == 0) throw InputError("bd-rate: a rate of 0 bits: expected more");
      log_losses.push_back(log_loss);
      rates.push_back(sum / weight);
    }
  }
};

double mean_over(const MonotoneCubic& curve, double low, double high) {
  return curve.integral(low, high) / (high - low);
}

}  // namespace

std::optional<BdRate> bd_rate(std::span<const OperatingPoint> family,
                              std::span<const OperatingPoint> anchor) {
  const RateCurve own(family), other(anchor);
  if (own.rates.size() < 2 || other.rates.size() < 2) return std::nullopt;
  const double low = std::max(own.log_losses.front(), other.log_losses.front()),
               high = std::min(own.log_losses.back(), other.log_losses.back());
  if (!(low < high)) return std::nullopt;
  const auto mean_log = [&](const RateCurve& curve) {
    std::vector<double> logs;
    for (const double rate : curve.rates) logs.push_back(std::log(rate));
    return mean_over(MonotoneCubic(curve.log_losses, logs), low, high);
  };
  const auto mean_bits = [&](const RateCurve& curve) {
    return mean_over(MonotoneCubic(curve.log_losses, curve.rates), low, high);
  };
  BdRate result;
  result.ratio = std::exp(mean_log(own) - mean_log(other));
  result.bits = mean_bits(own) - mean_bits(other);
  result.low_loss = std::exp(low);
  result.high_loss = std::exp(high);
  return result;
}

}  // namespace kakeya

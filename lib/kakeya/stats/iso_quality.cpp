// SPDX-License-Identifier: Apache-2.0
#include "kakeya/stats/iso_quality.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "kakeya/core/error.h"

namespace kakeya {

std::vector<double> isotonic_decreasing(std::span<const double> values,
                                        std::span<const double> weights) {
  if (values.size() != weights.size()) {
    throw InputError("isotonic fit: " + std::to_string(weights.size()) + " weights for " +
                     std::to_string(values.size()) + " values");
  }
  struct Block {
    double sum, weight;
    std::size_t count;
    double mean() const { return sum / weight; }
  };
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) throw InputError("isotonic fit: a value is not finite");
    if (!(weights[i] > 0) || !std::isfinite(weights[i]))
      throw InputError("isotonic fit: a weight is not positive");
    blocks.push_back({values[i] * weights[i], weights[i], 1});
    while (blocks.size() > 1 && blocks[blocks.size() - 2].mean() < blocks.back().mean()) {
      const Block last = blocks.back();
      blocks.pop_back();
      blocks.back().sum += last.sum;
      blocks.back().weight += last.weight;
      blocks.back().count += last.count;
    }
  }
  std::vector<double> fit;
  for (const Block& block : blocks) fit.insert(fit.end(), block.count, block.mean());
  return fit;
}

IsotonicCurve isotonic_curve(std::span<const OperatingPoint> points) {
  std::vector<OperatingPoint> kept;
  for (const OperatingPoint& point : points) {
    if (!std::isfinite(point.rate) || !std::isfinite(point.loss) || point.rate < 0 ||
        point.loss < 0) {
      throw InputError("rate at loss: a point is negative or not finite");
    }
    if (point.loss > 0) kept.push_back({point.rate, std::log(point.loss)});
  }
  std::stable_sort(kept.begin(), kept.end(), [](const OperatingPoint& a, const OperatingPoint& b) {
    return a.rate < b.rate;
  });
  IsotonicCurve curve;
  std::vector<double> logs;
  for (const OperatingPoint& point : kept) {
    if (!curve.rates.empty() && curve.rates.back() == point.rate) {
      logs.back() += (point.loss - logs.back()) / (curve.weights.back() + 1);
      curve.weights.back() += 1;
    } else {
      curve.rates.push_back(point.rate);
      logs.push_back(point.loss);
      curve.weights.push_back(1);
    }
  }
  curve.log_losses = isotonic_decreasing(logs, curve.weights);
  return curve;
}

RateAtLoss rate_at_loss(std::span<const OperatingPoint> points, double loss) {
  if (!(loss > 0) || !std::isfinite(loss)) {
    throw InputError("rate at loss: loss " + std::to_string(loss) + ": expected a number > 0");
  }
  const IsotonicCurve curve = isotonic_curve(points);
  const std::vector<double>&rates = curve.rates, &fit = curve.log_losses;
  if (fit.empty()) return {};
  // A target that is one of the points must answer that point: logs of equal numbers are equal,
  // means of blocks are not.
  const double target = std::log(loss);
  std::size_t first = 0;
  while (first < fit.size() && fit[first] > target) ++first;
  if (first == fit.size()) return {RateAtLoss::Where::too_lossy, rates.back()};
  if (first == 0) {
    if (fit[0] == target) return {RateAtLoss::Where::inside, rates[0]};
    return {RateAtLoss::Where::too_fine, rates[0]};
  }
  const double share = (fit[first - 1] - target) / (fit[first - 1] - fit[first]);
  return {RateAtLoss::Where::inside, rates[first - 1] + share * (rates[first] - rates[first - 1])};
}

}  // namespace kakeya

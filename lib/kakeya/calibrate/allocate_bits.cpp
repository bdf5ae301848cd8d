// SPDX-License-Identifier: Apache-2.0
#include "kakeya/calibrate/allocate_bits.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <string>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

// How much of a budget rounding may take.
constexpr double kSlack = 1e-12;

/// The loss that a bit more saves, a share.
double saving(const LossCurve& curve, double bits) {
  return curve.slope * curve.loss(bits) / curve.share;
}

double mean_of(std::span<const LossCurve> curves, std::span<const double> bits) {
  double sum = 0, shares = 0;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    sum += curves[i].share * bits[i];
    shares += curves[i].share;
  }
  return sum / shares;
}

/// Where a slot saves as much as the level, held within its range.
std::vector<double> bits_at(std::span<const LossCurve> curves, double log_level) {
  std::vector<double> bits;
  for (const LossCurve& curve : curves) {
    const double free =
        (curve.level + std::log(curve.slope / curve.share) - log_level) / curve.slope;
    bits.push_back(std::clamp(free, curve.range.lowest, curve.range.highest));
  }
  return bits;
}

void require(std::span<const LossCurve> curves, double mean_bits) {
  if (curves.empty()) throw InputError("allocation: no slot, expected at least one");
  for (const LossCurve& curve : curves) {
    const bool has_range = curve.range.lowest <= curve.range.highest;
    if (std::isfinite(curve.level) && curve.slope > 0 && curve.share > 0 && has_range) continue;
    throw InputError("allocation: a curve of level " + std::to_string(curve.level) + ", slope " +
                     std::to_string(curve.slope) + ", share " + std::to_string(curve.share) +
                     ", from " + std::to_string(curve.range.lowest) + " to " +
                     std::to_string(curve.range.highest) +
                     " bits, expected a finite level, slope and share above 0, and a range");
  }
  // The mean of equal ends may be off by its rounding.
  BitRange range = mean_range(curves);
  range.lowest -= kSlack * std::fabs(range.lowest);
  range.highest += kSlack * std::fabs(range.highest);
  if (range.lowest <= mean_bits && mean_bits <= range.highest) return;
  throw InputError("allocation: " + std::to_string(mean_bits) + " bits a value, expected " +
                   std::to_string(range.lowest) + " to " + std::to_string(range.highest));
}

}  // namespace

double LossCurve::loss(double bits) const { return std::exp(level - slope * bits); }

LossCurve fit_loss_curve(std::span<const CurvePoint> points, double share, double floor) {
  if (points.empty()) throw InputError("loss curve: no point, expected at least one");
  double bits = 0, logs = 0, squares = 0, products = 0;
  const auto count = static_cast<double>(points.size());
  for (const CurvePoint& point : points) {
    bits += point.bits / count;
    logs += std::log(std::max(point.loss, floor)) / count;
  }
  for (const CurvePoint& point : points) {
    squares += (point.bits - bits) * (point.bits - bits);
    products += (point.bits - bits) * (std::log(std::max(point.loss, floor)) - logs);
  }
  constexpr double kTheory = 2 * std::numbers::ln2;
  const double slope =
      squares > 0 ? std::clamp(-products / squares, kFlattest, kSteepest) : kTheory;
  const auto [lowest, highest] =
      std::minmax_element(points.begin(), points.end(),
                          [](const CurvePoint& a, const CurvePoint& b) { return a.bits < b.bits; });
  return {logs + slope * bits, slope, share, {lowest->bits, highest->bits}};
}

double misfit(const LossCurve& curve, std::span<const CurvePoint> points, double floor) {
  double sum = 0;
  for (const CurvePoint& point : points) {
    const double apart =
        std::log(std::max(point.loss, floor)) - (curve.level - curve.slope * point.bits);
    sum += apart * apart / static_cast<double>(points.size());
  }
  return std::sqrt(sum);
}

BitRange mean_range(std::span<const LossCurve> curves) {
  std::vector<double> lowest, highest;
  for (const LossCurve& curve : curves) {
    lowest.push_back(curve.range.lowest);
    highest.push_back(curve.range.highest);
  }
  return {mean_of(curves, lowest), mean_of(curves, highest)};
}

WaterLevel fill_water(std::span<const LossCurve> curves, double mean_bits) {
  require(curves, mean_bits);
  // All at the highest bits below the lower level, at the lowest above the upper one.
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const LossCurve& curve : curves) {
    const double top = curve.level + std::log(curve.slope / curve.share);
    low = std::min(low, top - curve.slope * curve.range.highest);
    high = std::max(high, top - curve.slope * curve.range.lowest);
  }
  for (int step = 0; step < 200 && low < high; ++step) {
    const double middle = low + (high - low) / 2;
    if (middle == low || middle == high) break;
    const bool above = mean_of(curves, bits_at(curves, middle)) > mean_bits;
    (above ? low : high) = middle;
  }
  WaterLevel water;
  const double log_level = low + (high - low) / 2;
  water.bits = bits_at(curves, log_level);
  water.level = std::exp(log_level);
  for (std::size_t i = 0; i < curves.size(); ++i) water.loss += curves[i].loss(water.bits[i]);
  water.kkt_residual = kkt_residual(curves, water.bits, water.level, mean_bits);
  return water;
}

double kkt_residual(std::span<const LossCurve> curves, std::span<const double> bits, double level,
                    double mean_bits) {
  double residual = std::fabs(mean_of(curves, bits) - mean_bits) / std::max(mean_bits, kSlack);
  for (std::size_t i = 0; i < curves.size(); ++i) {
    const double apart = saving(curves[i], bits[i]) / level - 1;
    if (curves[i].range.lowest == curves[i].range.highest) continue;
    if (bits[i] <= curves[i].range.lowest) {
      residual = std::max(residual, apart);
    } else if (bits[i] >= curves[i].range.highest) {
      residual = std::max(residual, -apart);
    } else {
      residual = std::max(residual, std::fabs(apart));
    }
  }
  return residual;
}

namespace {

/// The state of a greedy exchange: bits are sums of share x bits, in the units of the budget.
class Exchange {
 public:
  Exchange(std::span<const std::vector<SlotOption>> slots, std::span<const double> shares,
           double mean_bits)
      : slots_(slots), shares_(shares) {
    if (slots.empty() || slots.size() != shares.size()) {
      throw InputError("allocation: " + std::to_string(slots.size()) + " slots and " +
                       std::to_string(shares.size()) + " shares, expected as many, at least one");
    }
    for (std::size_t i = 0; i < slots.size(); ++i) {
      if (slots[i].empty() || !(shares[i] > 0)) {
        throw InputError("allocation: slot " + std::to_string(i) +
                         ": expected an option, and a share above 0");
      }
      const auto cheapest = std::min_element(
          slots[i].begin(), slots[i].end(), [](const SlotOption& a, const SlotOption& b) {
            return a.bits != b.bits ? a.bits < b.bits : a.loss < b.loss;
          });
      chosen_.push_back(static_cast<std::size_t>(cheapest - slots[i].begin()));
      used_ += shares[i] * cheapest->bits;
    }
    shares_sum_ = std::accumulate(shares.begin(), shares.end(), 0.0);
    budget_ = mean_bits * shares_sum_ * (1 + kSlack);
    if (used_ > budget_) {
      throw InputError("allocation: " + std::to_string(mean_bits) +
                       " bits a value, but the cheapest options take " +
                       std::to_string(used_ / shares_sum_));
    }
  }

  Choice run() {
    while (upgrade()) {
    }
    Choice choice;
    while (exchange()) ++choice.exchanges;
    choice.options = chosen_;
    choice.bits = used_ / shares_sum_;
    for (std::size_t i = 0; i < slots_.size(); ++i) choice.loss += now(i).loss;
    return choice;
  }

 private:
  const SlotOption& now(std::size_t slot) const { return slots_[slot][chosen_[slot]]; }

  double more_bits(std::size_t slot, std::size_t option) const {
    return shares_[slot] * (slots_[slot][option].bits - now(slot).bits);
  }
  double saved(std::size_t slot, std::size_t option) const {
    return now(slot).loss - slots_[slot][option].loss;
  }

  void take(std::size_t slot, std::size_t option) {
    used_ += more_bits(slot, option);
    chosen_[slot] = option;
  }

  /// The affordable option that saves most a bit.
  bool upgrade() {
    double best = 0;
    std::size_t best_slot = 0, best_option = 0;
    for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
      for (std::size_t option = 0; option < slots_[slot].size(); ++option) {
        const double more = more_bits(slot, option), less_loss = saved(slot, option);
        if (less_loss <= 0 || used_ + more > budget_) continue;
        const double rate = less_loss / std::max(more, kSlack);
        if (rate <= best) continue;
        best = rate, best_slot = slot, best_option = option;
      }
    }
    if (best <= 0) return false;
    take(best_slot, best_option);
    return true;
  }

  /// The pair of changes that saves most.
  bool exchange() {
    double best = 0;
    std::size_t slots[2] = {}, options[2] = {};
    for (std::size_t a = 0; a < slots_.size(); ++a) {
      for (std::size_t b = a + 1; b < slots_.size(); ++b) {
        for (std::size_t of_a = 0; of_a < slots_[a].size(); ++of_a) {
          for (std::size_t of_b = 0; of_b < slots_[b].size(); ++of_b) {
            const double gain = saved(a, of_a) + saved(b, of_b);
            // Less than rounding of the sum would go round in circles.
            if (gain <= best || gain <= kSlack * (now(a).loss + now(b).loss)) continue;
            if (used_ + more_bits(a, of_a) + more_bits(b, of_b) > budget_) continue;
            best = gain;
            slots[0] = a, slots[1] = b, options[0] = of_a, options[1] = of_b;
          }
        }
      }
    }
    if (best <= 0) return false;
    for (const int side : {0, 1}) take(slots[side], options[side]);
    return true;
  }

  std::span<const std::vector<SlotOption>> slots_;
  std::span<const double> shares_;
  std::vector<std::size_t> chosen_;
  double used_ = 0, budget_ = 0, shares_sum_ = 0;
};

}  // namespace

Choice exchange_greedily(std::span<const std::vector<SlotOption>> slots,
                         std::span<const double> shares, double mean_bits) {
  return Exchange(slots, shares, mean_bits).run();
}

}  // namespace kakeya

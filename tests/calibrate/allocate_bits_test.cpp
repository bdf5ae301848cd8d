// SPDX-License-Identifier: Apache-2.0
#include "kakeya/calibrate/allocate_bits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "kakeya/core/error.h"
#include "kakeya/core/random.h"

namespace kakeya {
namespace {

double uniform(std::uint64_t index, double low, double high) {
  return low + (high - low) * Random(11).uniform(index);
}

std::vector<LossCurve> drawn_curves(std::size_t count, std::uint64_t seed) {
  std::vector<LossCurve> curves;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t at = 1000 * seed + 3 * i;
    curves.push_back({uniform(at, -4, 4), uniform(at + 1, 0.7, 1.8), uniform(at + 2, 0.5, 3), {}});
  }
  return curves;
}

/// The curves, all with one range.
std::vector<LossCurve> within(BitRange range, std::vector<LossCurve> curves) {
  for (LossCurve& curve : curves) curve.range = range;
  return curves;
}

double mean_bits(const std::vector<LossCurve>& curves, const std::vector<double>& bits) {
  double sum = 0, shares = 0;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    sum += curves[i].share * bits[i];
    shares += curves[i].share;
  }
  return sum / shares;
}

TEST(FillWater, EqualCurvesGetEqualBits) {
  const std::vector<LossCurve> curves(5, {1, 1.386, 1, {1, 8}});
  const WaterLevel water = fill_water(curves, 3);
  for (const double bits : water.bits) EXPECT_NEAR(bits, 3, 1e-9);
  EXPECT_LT(water.kkt_residual, 1e-9);
  EXPECT_NEAR(water.loss, 5 * curves[0].loss(3), 1e-12);
}

// Of slope 2 ln 2 the optimum is known: b_i = B + log2(w_i / geometric mean) / 2, and the loss of all
// slots is alike.
TEST(FillWater, IsTheFormulaOfHighRates) {
  const double slope = 2 * std::log(2.0);
  const std::vector<double> weights = {1, 4, 16, 0.25};
  std::vector<LossCurve> curves;
  double log_mean = 0;
  for (const double weight : weights) {
    curves.push_back({std::log(weight), slope, 1, {0, 20}});
    log_mean += std::log2(weight) / 4;
  }
  const WaterLevel water = fill_water(curves, 4);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    EXPECT_NEAR(water.bits[i], 4 + (std::log2(weights[i]) - log_mean) / 2, 1e-9);
    EXPECT_NEAR(curves[i].loss(water.bits[i]), std::exp2(log_mean - 8), 1e-12);
  }
}

TEST(FillWater, KeepsBudgetBoundsAndConditions) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    std::vector<LossCurve> curves = drawn_curves(2 + seed % 20, seed);
    for (std::size_t i = 0; i < curves.size(); ++i) {
      const double lowest = uniform(13 * seed + i, 1, 6);  // ranges need not meet
      curves[i].range = {lowest, lowest + uniform(17 * seed + i, 0, 4)};
    }
    const BitRange means = mean_range(curves);
    const double bits = uniform(7 * seed + 1, means.lowest, means.highest);
    const WaterLevel water = fill_water(curves, bits);
    EXPECT_NEAR(mean_bits(curves, water.bits), bits, 1e-9);
    EXPECT_LT(water.kkt_residual, 1e-8) << seed;
    for (std::size_t i = 0; i < curves.size(); ++i) {
      EXPECT_GE(water.bits[i], curves[i].range.lowest);
      EXPECT_LE(water.bits[i], curves[i].range.highest);
    }
  }
}

// No small step from one slot to another helps: the problem is convex, so that is the optimum.
TEST(FillWater, NoTransferBetweenTwoSlotsSaves) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const BitRange range{1, 5};
    const std::vector<LossCurve> curves = within(range, drawn_curves(6, seed));
    const WaterLevel water = fill_water(curves, 2.5);
    for (std::size_t from = 0; from < curves.size(); ++from) {
      for (std::size_t to = 0; to < curves.size(); ++to) {
        const double step = 0.01;
        const double less = water.bits[from] - step / curves[from].share,
                     more = water.bits[to] + step / curves[to].share;
        if (from == to || less < range.lowest || more > range.highest) continue;
        const double before = curves[from].loss(water.bits[from]) + curves[to].loss(water.bits[to]);
        EXPECT_GE(curves[from].loss(less) + curves[to].loss(more), before * (1 - 1e-9));
      }
    }
  }
}

TEST(FillWater, TheResidualTellsWhatIsNotOptimal) {
  const std::vector<LossCurve> curves = within({1, 6}, drawn_curves(4, 3));
  const WaterLevel water = fill_water(curves, 3);
  std::vector<double> bits = water.bits;
  bits[0] += 0.1 / curves[0].share;
  bits[1] -= 0.1 / curves[1].share;
  EXPECT_GT(kkt_residual(curves, bits, water.level, 3), 1e-3);
  EXPECT_GT(kkt_residual(curves, water.bits, 2 * water.level, 3), 0.4);
  EXPECT_NEAR(kkt_residual(curves, water.bits, water.level, 4), 0.25, 1e-6);
  // At the lowest bits a slot may save less than the level, not more.
  const std::vector<LossCurve> two = {{0, 1, 1, {1, 6}}, {-20, 1, 1, {1, 6}}};
  const WaterLevel ends = fill_water(two, 2);
  EXPECT_EQ(ends.bits[1], 1);
  EXPECT_NEAR(ends.bits[0], 3, 1e-9);
  EXPECT_LT(ends.kkt_residual, 1e-8);
}

TEST(FillWater, BothEndsOfTheRangeAreReached) {
  const std::vector<LossCurve> curves = within({1, 6}, drawn_curves(5, 9));
  for (const double bits : {1.0, 6.0}) {
    const WaterLevel water = fill_water(curves, bits);
    for (const double each : water.bits) EXPECT_NEAR(each, bits, 1e-9);
  }
  EXPECT_THROW(fill_water(curves, 0.9), InputError);
  EXPECT_THROW(fill_water(curves, 6.1), InputError);
  EXPECT_THROW(fill_water({}, 2), InputError);
  EXPECT_THROW(fill_water(std::vector<LossCurve>{{0, 0, 1, {1, 6}}}, 2), InputError);
  EXPECT_THROW(fill_water(std::vector<LossCurve>{{0, 1, 0, {1, 6}}}, 2), InputError);
}

// One setting of a calibrated codec takes other bits in each slot: slots that none of the others' bits
// reaches keep theirs.
TEST(FillWater, RangesOfSlotsNeedNotMeet) {
  const std::vector<LossCurve> curves = {{0, 1, 1, {4, 5}}, {0, 1, 1, {1, 2}}, {0, 1, 1, {1, 6}}};
  const WaterLevel water = fill_water(curves, 3);
  EXPECT_EQ(water.bits[0], 4);
  EXPECT_EQ(water.bits[1], 2);
  EXPECT_NEAR(water.bits[2], 3, 1e-9);
  EXPECT_LT(water.kkt_residual, 1e-9);
  EXPECT_THROW(fill_water(std::vector<LossCurve>{{0, 1, 1, {2, 1}}}, 1.5), InputError);
}

TEST(LossCurve, PassesThroughPointsOfAnExponential) {
  const LossCurve curve{0.5, 1.2, 2, {}};
  std::vector<CurvePoint> points;
  for (const double bits : {1.5, 2.0, 4.0}) points.push_back({bits, curve.loss(bits)});
  const LossCurve fitted = fit_loss_curve(points, 2);
  EXPECT_NEAR(fitted.level, 0.5, 1e-12);
  EXPECT_NEAR(fitted.slope, 1.2, 1e-12);
  EXPECT_EQ(fitted.range.lowest, 1.5);
  EXPECT_EQ(fitted.range.highest, 4.0);
  EXPECT_NEAR(misfit(fitted, points), 0, 1e-12);
  points[1].loss *= 2;
  EXPECT_GT(misfit(fit_loss_curve(points, 2), points), 0.1);
}

TEST(LossCurve, HoldsWhatNoiseDoesWithinReason) {
  const LossCurve rising = fit_loss_curve(std::vector<CurvePoint>{{2, 0.1}, {4, 0.2}}, 1);
  EXPECT_EQ(rising.slope, kFlattest);
  const LossCurve none = fit_loss_curve(std::vector<CurvePoint>{{2, 0.1}, {3, 0}}, 1);
  EXPECT_EQ(none.slope, kSteepest);
  EXPECT_TRUE(std::isfinite(none.level));
  const LossCurve one = fit_loss_curve(std::vector<CurvePoint>{{2, 0.1}}, 1);
  EXPECT_NEAR(one.slope, 2 * std::log(2.0), 1e-12);
  EXPECT_NEAR(one.loss(2), 0.1, 1e-12);
  EXPECT_THROW(fit_loss_curve({}, 1), InputError);
}

/// The least loss of every choice within the budget.
double best_loss(const std::vector<std::vector<SlotOption>>& slots,
                 const std::vector<double>& shares, double bits, std::size_t slot = 0,
                 double used = 0) {
  const double budget = bits * std::accumulate(shares.begin(), shares.end(), 0.0);
  if (used > budget * (1 + 1e-12)) return std::numeric_limits<double>::infinity();
  if (slot == slots.size()) return 0;
  double best = std::numeric_limits<double>::infinity();
  for (const SlotOption& option : slots[slot]) {
    best = std::min(best, option.loss + best_loss(slots, shares, bits, slot + 1,
                                                  used + shares[slot] * option.bits));
  }
  return best;
}

TEST(ExchangeGreedily, IsNearTheBestOfAllChoices) {
  int exact = 0;
  constexpr int kCases = 200;
  double worst = 1;
  for (std::uint64_t seed = 0; seed < kCases; ++seed) {
    const std::size_t count = 3 + seed % 4;
    const std::vector<LossCurve> curves = drawn_curves(count, 40 + seed);
    std::vector<std::vector<SlotOption>> slots;
    std::vector<double> shares;
    for (std::size_t i = 0; i < count; ++i) {
      slots.emplace_back();
      for (int bits = 2; bits <= 5; ++bits) {
        // A little noise: losses of one slot need not be convex, nor fall everywhere.
        const double noise =
            uniform(900 * seed + 10 * i + static_cast<std::size_t>(bits), 0.7, 1.3);
        slots.back().push_back({static_cast<double>(bits), noise * curves[i].loss(bits)});
      }
      shares.push_back(seed % 2 == 0 ? 1 : curves[i].share);
    }
    const double bits = uniform(31 * seed, 2, 5);
    const Choice choice = exchange_greedily(slots, shares, bits);
    EXPECT_LE(choice.bits, bits * (1 + 1e-9));
    double loss = 0;
    for (std::size_t i = 0; i < count; ++i) loss += slots[i][choice.options[i]].loss;
    EXPECT_NEAR(choice.loss, loss, 1e-12 * loss);
    const double best = best_loss(slots, shares, bits);
    EXPECT_GE(loss, best * (1 - 1e-12));
    exact += loss <= best * (1 + 1e-9) ? 1 : 0;
    worst = std::max(worst, loss / best);
  }
  EXPECT_GE(exact, kCases * 8 / 10);
  EXPECT_LT(worst, 1.6);
}

TEST(ExchangeGreedily, ExchangesWhatUpgradesAloneMiss) {
  // The best saving a bit takes all of the budget; two others together save more.
  const std::vector<std::vector<SlotOption>> slots = {
      {{2, 10}, {5, 4}}, {{2, 10}, {3.4, 7.5}}, {{2, 10}, {3.4, 7.5}}};
  const Choice one = exchange_greedily(slots, std::vector<double>(3, 1), 3);
  EXPECT_EQ(one.options, (std::vector<std::size_t>{1, 0, 0}));
  EXPECT_EQ(one.loss, 24);
  // A start that an exchange corrects: the first upgrade is worth most a bit, but too small.
  const std::vector<std::vector<SlotOption>> other = {{{2, 10}, {2.5, 7}}, {{2, 10}, {3, 5}}};
  const Choice two = exchange_greedily(other, std::vector<double>(2, 1), 2.5);
  EXPECT_EQ(two.options, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(two.exchanges, 1);
}

TEST(ExchangeGreedily, RefusesWhatHasNoAnswer) {
  const std::vector<std::vector<SlotOption>> slots = {{{2, 1}, {3, 0.5}}};
  EXPECT_THROW(exchange_greedily(slots, std::vector<double>{1}, 1.9), InputError);
  EXPECT_THROW(exchange_greedily(slots, std::vector<double>{1, 1}, 3), InputError);
  EXPECT_THROW(exchange_greedily(slots, std::vector<double>{0}, 3), InputError);
  EXPECT_THROW(exchange_greedily({}, {}, 3), InputError);
  EXPECT_THROW(
      exchange_greedily(std::vector<std::vector<SlotOption>>{{}}, std::vector<double>{1}, 3),
      InputError);
  EXPECT_EQ(exchange_greedily(slots, std::vector<double>{1}, 2).options[0], 0u);
}

}  // namespace
}  // namespace kakeya

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace kakeya {

// Bits shared out among slots (the keys or the values of some layers), so that the sum of what each
// loses alone is least. Nothing here knows of codecs.

struct BitRange {
  double lowest = 0, highest = 0;
};

/// What a slot loses at b bits a value: exp(level - slope * b). High-rate theory has slope 2 ln 2.
struct LossCurve {
  double level = 0, slope = 1;
  double share = 1;  ///< of all values, or any number in proportion to it
  BitRange range;    ///< what the slot may have

  double loss(double bits) const;
};

/// The curve through points (bits, loss) by least squares of log loss, at the given share, and with
/// the range of the points. Losses below `floor` count as it; the slope is held within [kFlattest,
/// kSteepest]. Throws InputError where there is no point. One point has the slope of high-rate
/// theory.
inline constexpr double kFlattest = 0.2, kSteepest = 4;
struct CurvePoint {
  double bits = 0, loss = 0;
};
LossCurve fit_loss_curve(std::span<const CurvePoint> points, double share, double floor = 1e-9);

/// The root mean square of log(loss) of the points less that of the curve.
double misfit(const LossCurve& curve, std::span<const CurvePoint> points, double floor = 1e-9);

/// The means, weighted with the shares, where all slots are at one end of their ranges.
BitRange mean_range(std::span<const LossCurve> curves);

/// Bits of each slot, any numbers within its range.
struct WaterLevel {
  std::vector<double> bits;
  double level =
      0;  ///< the loss that a bit more would save, a share: alike in all slots between the ends
  double loss = 0;          ///< the sum of the slots'
  double kkt_residual = 0;  ///< of kkt_residual()
};

/// The least sum of losses at a mean of `mean_bits`, weighted with the shares, by bisection of the
/// water level: a slot at the lowest bits would save less, one at the highest more than the others.
/// Throws InputError where no slot is given, a slope or share is not above 0, a range is empty or the
/// mean lies outside of mean_range().
WaterLevel fill_water(std::span<const LossCurve> curves, double mean_bits);

/// How far bits are from the optimum's conditions (Karush, Kuhn, Tucker), as a share of the level:
/// the largest of |saving - level| of a slot between the ends, what a slot at the lowest bits would
/// save beyond the level, what one at the highest saves below it; or how far the mean is from
/// `mean_bits`, where that is more.
double kkt_residual(std::span<const LossCurve> curves, std::span<const double> bits, double level,
                    double mean_bits);

/// A setting that a slot may have.
struct SlotOption {
  double bits = 0, loss = 0;
};

/// One option for each slot.
struct Choice {
  std::vector<std::size_t> options;  ///< the place of each slot's
  double bits = 0;                   ///< weighted mean
  double loss = 0;
  int exchanges = 0;  ///< pairs of slots that changed after the upgrades
};

/// Upgrades from the cheapest option of each slot, the one that saves most a bit first, as long as
/// the mean stays within `mean_bits`; then exchanges: of one slot another option and of a second
/// one too, as long as some pair saves. Not always the optimum (tests hold it against every choice
/// of small cases), never over the budget. Throws InputError where a slot has no option, shares are
/// not as many as slots or not above 0, or the cheapest options are over the budget.
Choice exchange_greedily(std::span<const std::vector<SlotOption>> slots,
                         std::span<const double> shares, double mean_bits);

}  // namespace kakeya

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "kakeya/calibrate/allocate_bits.h"
#include "kakeya/codec/codec_plan.h"
#include "kakeya/measure/config.h"
#include "kakeya/measure/sweep.h"

namespace kakeya {

/// A plan may miss the bits asked for by as much: a continuous one is made again at others.
inline constexpr double kPlanBitsOff = 0.005;

/// What is asked of a plan.
struct PlanRequest {
  SweepConfig sweep;  ///< model, texts, passages, policy, profiles, devices: all but codecs
  /// A pattern of one codec at several rates: "e8:q={4,10,22,38}", "ece8:bits={2,3,4,6}". Each is
  /// measured in each slot. A family alone, as "e8" or "ece8:center=mean", is measured at its
  /// descriptor's plan_rates. A rate key that takes any number is allocated as one, between the
  /// lowest and the highest of these; of whole numbers these alone are taken.
  std::string codec;
  double bits = 0;       ///< a coded value, measured
  int layer_group = 1;   ///< so many coded layers in a row share their codecs
  std::string name;      ///< of the plan; empty: that of the codec
  std::string out;       ///< plan.json
  std::string measured;  ///< folder of its cells; empty: `out` + ".measured"
};

/// What was measured of a slot: the keys or the values of a group of layers, or both where the codec
/// is of whole tokens, coded alone.
struct PlanSlot {
  IndexSet layers;
  std::optional<Part> part;        ///< nothing: both
  std::vector<CurvePoint> points;  ///< of each rate, in order: measured bits of it, KL divergence
  std::vector<double> rates;       ///< the rate key's values there
  LossCurve curve;
  double misfit = 0;  ///< of the curve, in log(KL)
};

struct PlanResult {
  CodecPlan plan;  ///< canonical, as it was written to `out`
  std::string digest;
  std::vector<PlanSlot> slots;
  std::vector<double> rates;  ///< what each slot got, in the codec's key
  bool continuous = false;
  double kkt_residual = 0;  ///< of a continuous one
  int exchanges = 0;        ///< of another
  /// Mean KL divergence, nats: the sum of the slots' curves, and what the plan does to the same
  /// texts, all slots together.
  double predicted_kld = 0, measured_kld = 0;
  /// A coded value, measured, on those texts. Further than kPlanBitsOff from those asked for where
  /// no try came nearer; of whole numbers as near below as they allow.
  double reached_bits = 0;
  double reached_bits_whole_cache = 0;
  double predicted_uniform_kld = 0;  ///< the sum of the curves where all slots have the same bits
  SweepOutcome outcome;              ///< of the cells that were measured
};

/// Makes a plan: measures each slot alone at each rate, fits a curve of loss over bits to it, shares
/// out the bits, writes plan.json, and measures the plan itself on the same texts. Cells are kept in
/// the folder `measured`, so that a stopped run goes on, and a plan of other bits that is given the
/// same folder measures little more than itself.
///
/// Throws SpecError where the pattern is not of one codec with several rates, the bits are outside
/// of what they reach, or what prepare_sweep() refuses; Error where a cell failed.
PlanResult calibrate_plan(const PlanRequest& request, const std::vector<std::string>& arguments,
                          const std::function<void(const SweepEvent&)>& notify);

}  // namespace kakeya

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kakeya/report/document.h"
#include "kakeya/report/loss_streams.h"
#include "kakeya/stats/thresholds.h"

namespace kakeya {

/// What is asked of every family.
struct ThresholdQuestion {
  std::string reference;        ///< canonical spec
  std::vector<double> factors;  ///< of the reference's loss, each above 0
  std::vector<int> strategies = {1, 2};
  ThresholdBits bits = ThresholdBits::measured;
};

/// The answer for one stream, or for all together.
struct ThresholdAnswer {
  std::string metric, family, stream;  ///< stream "all": joint, by `strategy`
  int strategy = 0;                    ///< 0: of one stream
  double factor = 0;
  WithinRule rule = WithinRule::point;
  std::optional<std::string> setting;    ///< joint: "K e8:q=38, V e8:q=44", or one for all
  double bits = 0, reference_bits = 0;   ///< a value
  std::optional<double> ratio;           ///< of the losses, reference 1; joint: by weight
  std::optional<Interval> paired;        ///< of the ratios passage by passage
  std::vector<std::string> fails_above;  ///< settings of more bits that are not within
};

/// Every family, stream, factor and rule; then the joint answers of families with several streams.
std::vector<ThresholdAnswer> answer_thresholds(std::span<const LossFamily> families,
                                               const ThresholdQuestion& question);

/// Every setting on every stream: bits, loss, ratio to the reference.
Table losses_table(std::span<const LossFamily> families, const ThresholdQuestion& question);

/// Answers of streams; and, if `joint`, those of strategies.
Table thresholds_table(std::span<const ThresholdAnswer> answers, const ThresholdQuestion& question,
                       bool joint);

/// The published thresholds, factors 1, 1.05 and 1.2 (A, B and C), of families on KV streams, by the
/// point and safely: a line each with the setting of every stream, and both joint answers.
Table stream_thresholds_table(std::span<const LossFamily> families, const std::string& reference);

}  // namespace kakeya

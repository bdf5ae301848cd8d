// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kakeya/stats/interval.h"

namespace kakeya {

/// A setting of a codec on one stream: what it costs, and what it loses on each passage.
struct LossSetting {
  std::string name;
  double bits = 0;             ///< a value
  std::vector<double> losses;  ///< by passage
};

/// Vectors that are judged by themselves, such as the keys, or one kind of layer.
struct LossStream {
  std::string name;
  double weight = 1;              ///< in joint answers: values, or layers; above 0
  std::vector<double> reference;  ///< losses of the reference codec, by passage
  double reference_bits = 0;      ///< a value
  std::vector<LossSetting> settings;
};

/// How sure it has to be that a setting loses no more than `factor` times the reference.
enum class WithinRule {
  point,  ///< the mean loss is within
  safe    ///< and with it the upper end of the interval, paired over passages
};

/// "point" or "safe".
const char* rule_name(WithinRule rule);

/// Loss minus factor times the reference's loss, passage by passage: its Student-t interval. Throws
/// InputError where the passages are not as many.
Interval excess_over(std::span<const double> losses, std::span<const double> reference,
                     double factor, double confidence = 0.95);

/// Whether a setting is within: mean (or upper end of the interval) of excess_over() at most 0. One
/// passage has no interval and is never safe.
bool is_within(std::span<const double> losses, std::span<const double> reference, double factor,
               WithinRule rule, double confidence = 0.95);

/// A loss over the reference's.
struct LossRatio {
  double of_means = 0;  ///< mean loss over mean loss
  Interval paired;      ///< of the ratios passage by passage
};

/// Throws InputError where the reference loses nothing on some passage.
LossRatio loss_ratio(std::span<const double> losses, std::span<const double> reference,
                     double confidence = 0.95);

/// The setting of fewest bits that is within, of those that were tried.
struct Threshold {
  std::optional<std::size_t> setting;    ///< a place in LossStream::settings; nothing: none is
  std::vector<std::size_t> fails_above;  ///< settings of more bits that are not within: noise
};

Threshold find_threshold(const LossStream& stream, double factor, WithinRule rule);

/// One answer for several streams together.
struct JointThreshold {
  bool found = false;
  std::vector<std::size_t> settings;  ///< of each stream, a place in its settings
  double bits = 0;                    ///< a value, by the weights of the streams
  double reference_bits = 0;
  Interval ratio;  ///< of losses, by the weights, passage by passage; nothing where passages differ
};

/// Strategy 1: the one setting, called the same in all streams, of fewest bits by weight that is
/// within in each of them.
JointThreshold one_setting_for_all(std::span<const LossStream> streams, double factor,
                                   WithinRule rule);

/// Strategy 2: in each stream its own threshold.
JointThreshold a_setting_a_stream(std::span<const LossStream> streams, double factor,
                                  WithinRule rule);

}  // namespace kakeya

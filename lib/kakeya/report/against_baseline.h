// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kakeya/report/result_group.h"
#include "kakeya/stats/bd_rate.h"
#include "kakeya/stats/bootstrap.h"
#include "kakeya/stats/equivalence.h"
#include "kakeya/stats/paired.h"

namespace kakeya {

/// What a report compares with, and how near counts as the same.
struct ComparisonOptions {
  std::string baseline;  ///< a family; empty: the first of d4, e8:rule=published, e8 that is
                         ///< there, else the family with most settings
  double margin_bits =
      0.1;  ///< of equivalence, in measured bits per value: losses within a factor of
            ///< 4^+-margin, as between equally good codecs loss falls as 4^-bits
};

constexpr std::uint64_t kComparisonResamples = 2000, kComparisonSeed = 1;
constexpr double kComparisonAlpha = 0.05, kComparisonPower = 0.8;

/// The baseline of a group; "" where nothing loses anything. Throws SpecError, naming the families,
/// when the one asked for is not among those that lose something.
std::string baseline_family(const ResultGroup& group, const Metric& metric,
                            const ComparisonOptions& options);

/// Differences over passages: of a setting from the baseline.
struct PassageDifferences {
  PairedDifference test;
  std::optional<Range> bca;    ///< 95 %, kComparisonResamples; nothing below kFewestPassages
  double holm = 1;             ///< test.p_value corrected for the settings compared
  double detectable = 0;       ///< the true mean that this test finds with kComparisonPower
  double detectable_holm = 0;  ///< the same at kComparisonAlpha / number of settings compared
};

/// One setting against the baseline at its own measured rate.
struct BaselineComparison {
  enum class Verdict {
    better,         ///< surely lower loss at equal measured bits, or even at fewer
    worse,          ///< surely higher loss at equal measured bits, or even at more
    better_within,  ///< surely lower at equal measured bits, and surely by less than the margin
    worse_within,   ///< surely higher at equal measured bits, and surely by less than the margin
    equivalent,     ///< surely within the margin; at fewer bits surely no more than the margin
                    ///< above, at more bits surely no more than the margin below
    trade_off,  ///< out of the baseline's range: fewer bits and surely more loss, or the reverse
    unresolved
  };
  const CodecResult* codec = nullptr;
  const CodecResult *below = nullptr, *above = nullptr;  ///< the baseline's settings next to its
                                                         ///< rate; the same one where it is out of
                                                         ///< the baseline's range, or meets it
  std::vector<int> passages;                             ///< that all three have
  PassageDifferences log2_loss;                          ///< log2 of its loss over the baseline's
  std::optional<Interval> log2_loss_at_codebook;         ///< the same with bits counted as log2 of
                                                         ///< the codebook; nothing where one has
                                                         ///< none or out of the baseline's range
  std::optional<PassageDifferences> delta_ppl;           ///< signed, fractions; with likelihoods
  std::optional<PassageDifferences> abs_delta_ppl;
  Equivalence equivalence;   ///< of log2_loss, at 2 x margin_bits
  double equivalence_p = 1;  ///< of both sides; out of range of the one that matters
  double equivalence_holm = 1;
  Verdict verdict = Verdict::unresolved;

  /// Its measured bits less the baseline's: 0 where the baseline is interpolated.
  double bits_apart() const;
};

struct BaselineComparisons {
  std::string baseline;                      ///< "": nothing to compare with
  BitsOf bits_of = BitsOf::coded_values;     ///< what the measured bits are of
  std::vector<BaselineComparison> settings;  ///< in the group's order
  std::vector<std::string> left_out;         ///< labels: without loss on some passage, or without
                                             ///< two passages in common
  /// The baseline's settings that are no part of its curve, by each counting: another one of it
  /// loses less at no more bits.
  std::vector<const CodecResult*> beaten, beaten_at_codebook;
};

/// Every setting of another family against the baseline at equal measured bits: passage by passage,
/// the baseline's loss there log-linear between its settings of next lower and next higher measured
/// rate, of those that no other of its settings beats; its delta-ppl between the same two, in
/// proportion to their mean loss. Beyond the baseline's ends against the setting at the end, where
/// only a lower loss at fewer bits, or a higher one at more, says something. Paired t-tests and two
/// one-sided tests, each kind Holm-corrected over the settings. Throws as baseline_family() and
/// series(), and SpecError unless the margin is > 0.
BaselineComparisons compare_with_baseline(const ResultGroup& group, const Metric& metric,
                                          const ComparisonOptions& options);

/// A family's BD-rate against the baseline.
struct FamilyBdRate {
  std::string family;
  std::size_t settings = 0;        ///< on its curve of measured bits: that no other one of it beats
  std::size_t beaten = 0;          ///< the others
  std::optional<BdRate> measured;  ///< nothing: fewer than two settings, or no loss in common
  std::optional<Range> range;      ///< 95 % of measured->ratio, paired resamples of the passages
  std::vector<std::optional<double>> ratios;  ///< by each of rate_kinds(), measured first
};

/// Of all other families, every curve without the settings that another one of the same family
/// beats by the rate in question (no more bits, a lower loss); lowest measured ratio first, those
/// without one last. Throws as baseline_family().
std::vector<FamilyBdRate> bd_rates(const ResultGroup& group, const Metric& metric,
                                   const ComparisonOptions& options);

}  // namespace kakeya

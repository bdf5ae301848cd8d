// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/against_baseline.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "kakeya/codec/descriptor.h"
#include "kakeya/core/error.h"
#include "kakeya/report/charts.h"
#include "kakeya/report/family_curves.h"
#include "kakeya/stats/holm.h"
#include "kakeya/stats/power.h"

namespace kakeya {
namespace {

using Verdict = BaselineComparison::Verdict;
using Series = std::vector<double>;

/// Where a rate lies among the baseline's settings.
struct Place {
  const CodecResult *below, *above;
  double share = 0;  ///< of the way from below to above, by bits
  bool inside = true;
};

/// `baseline` by rising bits of this kind, which all of its settings have.
Place place_of(double bits, const Curve& baseline, const RateKind& kind) {
  const auto bits_of = [&](const CodecResult* codec) { return *kind.of(codec->rates); };
  const auto above =
      std::lower_bound(baseline.begin(), baseline.end(), bits,
                       [&](const CodecResult* codec, double b) { return bits_of(codec) < b; });
  if (above == baseline.end()) return {baseline.back(), baseline.back(), 0, false};
  if (bits_of(*above) == bits) return {*above, *above};
  if (above == baseline.begin()) return {*above, *above, 0, false};
  const CodecResult* below = *(above - 1);
  return {below, *above, (bits - bits_of(below)) / (bits_of(*above) - bits_of(below))};
}

/// log2 of the loss over the baseline's, a passage; nothing where one of them has none.
std::optional<Series> log2_ratios(const CodecResult& codec, const Place& place,
                                  const Metric& metric, const std::vector<int>& passages) {
  const Series own = series(codec, metric, passages),
               below = series(*place.below, metric, passages),
               above = series(*place.above, metric, passages);
  Series logs;
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (!(own[i] > 0 && below[i] > 0 && above[i] > 0)) return std::nullopt;
    logs.push_back(std::log2(own[i]) - (1 - place.share) * std::log2(below[i]) -
                   place.share * std::log2(above[i]));
  }
  return logs;
}

/// Nothing where the setting or the baseline has no codebook rate, the setting's is out of the
/// baseline's range, or there are not two passages with a loss.
std::optional<Interval> log2_loss_at_codebook(const CodecResult& codec,
                                              const std::optional<Frontier>& baseline,
                                              const Metric& metric) {
  if (!baseline || !codec.rates.codebook) return std::nullopt;
  const Place place = place_of(*codec.rates.codebook, baseline->kept, rate_kind("codebook"));
  if (!place.inside) return std::nullopt;
  const std::vector<int> passages = shared_passages(Curve{&codec, place.below, place.above});
  if (passages.size() < 2) return std::nullopt;
  const std::optional<Series> logs = log2_ratios(codec, place, metric, passages);
  return logs ? std::optional(t_interval(*logs)) : std::nullopt;
}

/// The weight of the dearer setting when the baseline's loss is log-linear and something else
/// linear in the loss.
double share_by_loss(const Place& place, const Metric& metric, const std::vector<int>& passages) {
  const double below = t_interval(series(*place.below, metric, passages)).mean,
               above = t_interval(series(*place.above, metric, passages)).mean;
  if (!(below > above)) return place.share;  // out of order, or one setting
  const double between = below * std::pow(above / below, place.share);
  return (below - between) / (below - above);
}

Series differences(const CodecResult& codec, const Place& place, double share, const Metric& metric,
                   const std::vector<int>& passages) {
  Series result = series(codec, metric, passages);
  const Series below = series(*place.below, metric, passages),
               above = series(*place.above, metric, passages);
  for (std::size_t i = 0; i < result.size(); ++i)
    result[i] -= (1 - share) * below[i] + share * above[i];
  return result;
}

PassageDifferences tested(const Series& differences) {
  PassageDifferences result;
  result.test = paired_difference(differences, Series(differences.size()));
  if (differences.size() >= kFewestPassages)
    result.bca = bca_mean_interval(differences, kComparisonResamples, kComparisonSeed);
  result.detectable =
      minimum_detectable_effect(result.test.difference, kComparisonAlpha, kComparisonPower);
  return result;
}

Verdict verdict_of(const BaselineComparison& comparison) {
  const bool lower = comparison.log2_loss.test.difference.mean < 0,
             differs = comparison.log2_loss.holm < kComparisonAlpha,
             equal = comparison.equivalence_holm < kComparisonAlpha;
  const double apart = comparison.bits_apart();
  if (differs && apart != 0) {
    if (lower != (apart < 0)) return Verdict::trade_off;
    return lower ? Verdict::better : Verdict::worse;
  }
  if (differs && equal) return lower ? Verdict::better_within : Verdict::worse_within;
  if (differs) return lower ? Verdict::better : Verdict::worse;
  return equal ? Verdict::equivalent : Verdict::unresolved;
}

/// Corrects one kind of test over the settings.
template <typename Get>
void correct(std::vector<BaselineComparison>& settings, Get&& get) {
  const std::vector<double> adjusted =
      holm_adjusted(settings, [&](BaselineComparison& each) { return get(each)->test.p_value; });
  const double level = kComparisonAlpha / static_cast<double>(settings.size());
  for (std::size_t i = 0; i < settings.size(); ++i) {
    PassageDifferences& differences = *get(settings[i]);
    differences.holm = adjusted[i];
    differences.detectable_holm =
        minimum_detectable_effect(differences.test.difference, level, kComparisonPower);
  }
}

void correct_and_judge(std::vector<BaselineComparison>& settings, bool likelihoods) {
  if (settings.empty()) return;
  correct(settings, [](BaselineComparison& each) { return &each.log2_loss; });
  if (likelihoods) {
    correct(settings, [](BaselineComparison& each) { return &*each.delta_ppl; });
    correct(settings, [](BaselineComparison& each) { return &*each.abs_delta_ppl; });
  }
  const std::vector<double> adjusted =
      holm_adjusted(settings, [](const BaselineComparison& each) { return each.equivalence_p; });
  for (std::size_t i = 0; i < settings.size(); ++i) {
    settings[i].equivalence_holm = adjusted[i];
    settings[i].verdict = verdict_of(settings[i]);
  }
}

}  // namespace

std::string baseline_family(const ResultGroup& group, const Metric& metric,
                            const ComparisonOptions& options) {
  const Curves curves = curves_of(group, metric);
  if (options.baseline.empty()) return family_or_largest(group, curves, baseline_families());
  for (const auto& [family, curve] : curves) {
    if (family == options.baseline || without_profiles(family) == options.baseline) return family;
  }
  std::vector<std::string> families = group.families();
  std::erase_if(families, [&](const std::string& family) { return !curves.contains(family); });
  throw SpecError(fmt::format("baseline {}: {}, {}: expected one of its families: {}",
                              options.baseline, group.source, group.mode,
                              fmt::join(families, "; ")));
}

double BaselineComparison::bits_apart() const {
  return below == above ? codec->rates.measured - below->rates.measured : 0;
}

BaselineComparisons compare_with_baseline(const ResultGroup& group, const Metric& metric,
                                          const ComparisonOptions& options) {
  if (!(options.margin_bits > 0) || !std::isfinite(options.margin_bits)) {
    throw SpecError(
        fmt::format("margin {}: expected a number of measured bits above 0", options.margin_bits));
  }
  BaselineComparisons result;
  result.bits_of = group.bits_of;
  result.baseline = baseline_family(group, metric, options);
  if (result.baseline.empty()) return result;
  const Curve baseline = curves_of(group, metric).at(result.baseline);
  const RateKind& measured = rate_kind("measured");
  const Frontier by_measured = *frontier(baseline, measured, metric);
  const std::optional<Frontier> by_codebook = frontier(baseline, rate_kind("codebook"), metric);
  result.beaten = by_measured.beaten;
  if (by_codebook) result.beaten_at_codebook = by_codebook->beaten;
  for (const CodecResult& codec : group.codecs) {
    if (codec.identity() || codec.family == result.baseline) continue;
    const Place place = place_of(codec.rates.measured, by_measured.kept, measured);
    const Curve three = {&codec, place.below, place.above};
    BaselineComparison each;
    each.codec = &codec;
    each.below = place.below;
    each.above = place.above;
    each.passages = shared_passages(three);
    std::optional<Series> logs;
    if (each.passages.size() > 1) logs = log2_ratios(codec, place, metric, each.passages);
    if (!logs) {
      result.left_out.push_back(codec.label);
      continue;
    }
    each.log2_loss = tested(*logs);
    each.log2_loss_at_codebook = log2_loss_at_codebook(codec, by_codebook, metric);
    each.equivalence = equivalence_test(*logs, 2 * options.margin_bits);
    const double apart = each.bits_apart();
    each.equivalence_p = apart < 0   ? each.equivalence.p_upper
                         : apart > 0 ? each.equivalence.p_lower
                                     : each.equivalence.p_value();
    if (group.likelihoods()) {
      const double share = share_by_loss(place, metric, each.passages);
      const auto against = [&](const char* name) {
        return tested(differences(codec, place, share, kakeya::metric(name), each.passages));
      };
      each.delta_ppl = against("delta_ppl");
      each.abs_delta_ppl = against("abs_delta_ppl");
    }
    result.settings.push_back(std::move(each));
  }
  correct_and_judge(result.settings, group.likelihoods());
  return result;
}

}  // namespace kakeya

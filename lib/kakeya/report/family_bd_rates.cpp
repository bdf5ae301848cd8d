// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include "kakeya/report/against_baseline.h"
#include "kakeya/report/family_curves.h"

namespace kakeya {
namespace {

/// A family's frontier by each of rate_kinds().
std::vector<std::optional<Frontier>> frontiers(const Curve& curve, const Metric& metric) {
  std::vector<std::optional<Frontier>> result;
  for (const RateKind& kind : rate_kinds()) result.push_back(frontier(curve, kind, metric));
  return result;
}

std::vector<OperatingPoint> points_of(const Curve& curve, const RateKind& kind,
                                      const Metric& metric) {
  std::vector<OperatingPoint> points;
  for (const CodecResult* codec : curve)
    points.push_back({*kind.of(codec->rates), summary(*codec, metric).mean});
  return points;
}

/// Both curves weighed with the same draws. Nothing where a draw leaves no loss in common.
std::optional<Range> ratio_range(const Curve& curve, const Curve& baseline, const Metric& metric) {
  Curve all = curve;
  all.insert(all.end(), baseline.begin(), baseline.end());
  const std::vector<int> passages = shared_passages(all);
  if (passages.size() < kFewestPassages) return std::nullopt;
  const std::vector<Weighed> own = weigh(curve, metric, passages),
                             other = weigh(baseline, metric, passages);
  std::vector<double> ratios;
  for (std::uint64_t number = 0; number < kComparisonResamples; ++number) {
    const std::vector<std::size_t> drawn = resample(passages.size(), kComparisonSeed, number);
    const auto answer = bd_rate(points_over(own, drawn), points_over(other, drawn));
    if (!answer) return std::nullopt;
    ratios.push_back(answer->ratio);
  }
  return percentile_interval(std::move(ratios));
}

}  // namespace

std::vector<FamilyBdRate> bd_rates(const ResultGroup& group, const Metric& metric,
                                   const ComparisonOptions& options) {
  const std::string baseline = baseline_family(group, metric, options);
  const Curves curves = curves_of(group, metric);
  std::vector<FamilyBdRate> result;
  if (baseline.empty()) return result;
  const auto anchor = frontiers(curves.at(baseline), metric);
  for (const std::string& family : group.families()) {
    const auto at = curves.find(family);
    if (family == baseline || at == curves.end()) continue;
    FamilyBdRate each;
    each.family = family;
    const auto own = frontiers(at->second, metric);
    each.settings = own[0]->kept.size();
    each.beaten = own[0]->beaten.size();
    for (std::size_t k = 0; k < own.size(); ++k) {
      const RateKind& kind = rate_kinds()[k];
      std::optional<BdRate> answer;
      if (own[k] && anchor[k]) {
        answer = bd_rate(points_of(own[k]->kept, kind, metric),
                         points_of(anchor[k]->kept, kind, metric));
      }
      if (k == 0) each.measured = answer;
      each.ratios.push_back(answer ? std::optional(answer->ratio) : std::nullopt);
    }
    if (each.measured) each.range = ratio_range(own[0]->kept, anchor[0]->kept, metric);
    result.push_back(std::move(each));
  }
  const auto key = [](const FamilyBdRate& each) {
    return each.measured ? each.measured->ratio : std::numeric_limits<double>::infinity();
  };
  std::stable_sort(result.begin(), result.end(),
                   [&](const FamilyBdRate& a, const FamilyBdRate& b) { return key(a) < key(b); });
  return result;
}

}  // namespace kakeya

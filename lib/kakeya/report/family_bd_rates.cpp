// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include "kakeya/report/against_baseline.h"
#include "kakeya/report/family_curves.h"

namespace kakeya {
namespace {

/// By one kind of rate; nothing where a setting has none.
std::optional<BdRate> bd_rate_by(const RateKind& kind, const Curve& curve, const Curve& baseline,
                                 const Metric& metric) {
  std::vector<OperatingPoint> points[2];
  for (const bool own : {true, false}) {
    for (const CodecResult* codec : own ? curve : baseline) {
      const std::optional<double> rate = kind.of(codec->rates);
      if (!rate) return std::nullopt;
      points[own ? 0 : 1].push_back({*rate, summary(*codec, metric).mean});
    }
  }
  return bd_rate(points[0], points[1]);
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
  for (const std::string& family : group.families()) {
    const auto at = curves.find(family);
    if (family == baseline || at == curves.end()) continue;
    FamilyBdRate each;
    each.family = family;
    each.settings = at->second.size();
    for (const RateKind& kind : rate_kinds()) {
      const auto answer = bd_rate_by(kind, at->second, curves.at(baseline), metric);
      if (each.ratios.empty()) each.real = answer;
      each.ratios.push_back(answer ? std::optional(answer->ratio) : std::nullopt);
    }
    if (each.real) each.range = ratio_range(at->second, curves.at(baseline), metric);
    result.push_back(std::move(each));
  }
  const auto key = [](const FamilyBdRate& each) {
    return each.real ? each.real->ratio : std::numeric_limits<double>::infinity();
  };
  std::stable_sort(result.begin(), result.end(),
                   [&](const FamilyBdRate& a, const FamilyBdRate& b) { return key(a) < key(b); });
  return result;
}

}  // namespace kakeya

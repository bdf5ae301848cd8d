// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/rate_distortion/charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kakeya/codec/spec.h"
#include "kakeya/report/looks.h"
#include "kakeya/report/rate_distortion/families.h"
#include "kakeya/report/rate_distortion/ladder.h"
#include "kakeya/stats/rate_distortion.h"

namespace kakeya {
namespace {

// Beyond these, what would squeeze everything else: bf16, FP8, ternary digits.
constexpr double kMostBits = 10, kMostGap = 10;
constexpr std::size_t kMany = 12;  // families in a chart

void add_once(std::vector<std::string>& list, const std::string& text) {
  if (std::find(list.begin(), list.end(), text) == list.end()) list.push_back(text);
}

ChartSeries series_of(const Family& family, Looks& looks) {
  const Look look = looks.of(family.name);
  const std::string key = family.rate_key.empty() ? "" : fmt::format(" ({})", family.rate_key);
  return {family.name + key, look.colour, look.marker, {}};
}

/// A bound as a line from `low` to `high` bits: its rel-MSE, or how far it is from the white
/// Gaussian bound.
template <typename RelMse>
ChartLine bound_line(std::string name, int dash, double low, double high, bool gap,
                     const RelMse& rel_mse) {
  constexpr int kSteps = 20;
  ChartLine line{std::move(name), dash, {}};
  for (int i = 0; i <= kSteps; ++i) {
    const double bits = low + (high - low) * i / kSteps;
    const double bound = rel_mse(bits);
    if (bound > 0) line.points.emplace_back(bits, gap ? shannon_gap_db(bound, bits) : bound);
  }
  return line;
}

void add_bounds(ChartPanel& panel, const SourceResult& result, double low, double high, bool gap) {
  panel.references.push_back(
      bound_line("Shannon bound, white Gaussian", 2, low, high, gap, shannon_rel_mse));
  const auto add = [&](const char* name, int dash, const auto& bound) {
    if (!bound(low)) return;
    panel.references.push_back(
        bound_line(name, dash, low, high, gap, [&](double bits) { return *bound(bits); }));
  };
  if (result.facts.entropy_power != 1.0) {
    add("Shannon lower bound of the source", 3,
        [&](double bits) { return result.shannon_lower_rel_mse(bits); });
  }
  add("water-filling", 4, [&](double bits) { return result.water_filling_rel_mse(bits, false); });
  add("water-filling, centred", 5,
      [&](double bits) { return result.water_filling_rel_mse(bits, true); });
}

/// `hidden` are families in the tables only; `cut` gets the names of those with points above
/// kMostGap.
ChartPanel panel_of(const SourceResult& result, bool gap, Looks& looks,
                    std::span<const std::string> hidden, std::vector<std::string>& cut) {
  ChartPanel panel;
  panel.title = result.facts.title;
  double low = kMostBits, high = 0;
  for (const Family& family : families_of(result)) {
    if (std::find(hidden.begin(), hidden.end(), family.name) != hidden.end()) continue;
    ChartSeries series = series_of(family, looks);
    // Not what the axis says already, and not variants, which begin at the same settings.
    const bool labelled =
        gap && family.rate_key != "bits" && Spec::parse(family.name).items().empty();
    for (std::size_t i = 0; i < family.points.size(); ++i) {
      const RatePoint& point = *family.points[i];
      const double bits = point.measured_bits_per_value();
      if (bits > kMostBits) continue;
      if (gap && point.gap_db() > kMostGap) {
        add_once(cut, family.name);
        continue;
      }
      const double y = gap ? point.gap_db() : point.distortion.rel_mse();
      series.points.push_back({bits, y, y, y, labelled ? family.rates[i] : ""});
      low = std::min(low, bits);
      high = std::max(high, bits);
    }
    if (!series.points.empty()) panel.series.push_back(std::move(series));
  }
  if (!panel.series.empty()) add_bounds(panel, result, low, high, gap);
  return panel;
}

/// The families that a chart of all of them is better without.
std::vector<std::string> hidden_families(std::span<const SourceResult> results) {
  std::vector<std::string> all;
  for (const SourceResult& result : results) {
    for (const Family& family : families_of(result)) add_once(all, family.name);
  }
  if (all.size() <= kMany) return {};
  std::erase_if(all, [](const std::string& family) { return charted_among_many(family); });
  return all;
}

Chart chart_of(std::span<const SourceResult> results, bool gap, bool memoryless, bool captured) {
  Chart chart;
  chart.x_label = "measured bits per value";
  chart.logarithmic = !gap;
  Looks looks;
  const std::vector<std::string> hidden = hidden_families(results);
  std::vector<std::string> cut;
  for (const SourceResult& result : results) {
    const bool independent = result.facts.entropy_power.has_value();
    if (independent ? !memoryless : !captured) continue;
    ChartPanel panel = panel_of(result, gap, looks, hidden, cut);
    if (!panel.series.empty()) chart.panels.push_back(std::move(panel));
  }
  chart.subtitle = "headers, scales and tables included; in the tables only: bf16, exact copies";
  if (!hidden.empty()) chart.subtitle += fmt::format(", {} more variants", hidden.size());
  if (!cut.empty())
    chart.subtitle += fmt::format(", and above {:g} dB: {}", kMostGap, fmt::join(cut, ", "));
  return chart;
}

}  // namespace

std::vector<Chart> tradeoff_charts(std::span<const SourceResult> results) {
  std::vector<Chart> charts = {chart_of(results, false, true, true),
                               chart_of(results, true, true, false),
                               chart_of(results, true, false, true)};
  charts[0].name = "rate_distortion";
  charts[0].title = "Distortion against measured bits";
  charts[0].y_label = "rel-MSE";
  charts[1].name = "gap";
  charts[1].title = "Distance to the Shannon bound of white Gaussian data against measured bits";
  charts[2].name = "gap_captured";
  charts[2].title = "Distance to the Shannon bound of white Gaussian data, captured K and V";
  charts[1].y_label = charts[2].y_label = "gap, dB";
  std::erase_if(charts, [](const Chart& chart) { return chart.panels.empty(); });
  return charts;
}

}  // namespace kakeya

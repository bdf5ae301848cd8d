// SPDX-License-Identifier: Apache-2.0
#include "kakeya/studies/published/hero_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "kakeya/codec/spec.h"
#include "kakeya/core/error.h"
#include "kakeya/stats/interval.h"
#include "kakeya/studies/published/cache_shape.h"

namespace kakeya {
namespace {

constexpr std::array<std::pair<const char*, const char*>, 4> kModels = {{
    {"Qwen3-4B", "isoppl-qwen3"},
    {"GLM-4-9B", "isoppl-glm"},
    {"Gemma-4-E4B", "isoppl-gemma"},
    {"DeepSeek-1.5B", "isoppl-deepseek"},
}};

struct HeroFamily {
  const char *codec, *key, *name, *letter, *colour;
  int marker;
};
constexpr std::array<HeroFamily, 2> kHeroFamilies = {{
    {"d4", "q", "D4 (Q)", "Q", "#d62728", 7},
    {"tq", "b", "scalar TQ (b)", "b", "#1f77b4", 5},
}};

/// By ratio, from left to right. `divisor` is 1, or what the published script divides by again.
ChartSeries series_of(const PublishedRecord& record, const std::string& run,
                      const HeroFamily& family, bool printed, double divisor) {
  ChartSeries series{family.name, family.colour, family.marker, {}};
  const PublishedCacheShape shape(record.at({"run", {{"run", run}}}));
  for (const PublishedRow* row : record.all({"ppl", {{"run", run}, {"part", "kv"}}})) {
    const std::string& codec = name_of(*row, "codec");
    const std::optional<Spec> spec = Spec::try_parse(codec);
    const std::string* rate =
        spec && spec->name() == family.codec ? spec->find(family.key) : nullptr;
    if (rate == nullptr) continue;
    std::vector<double> change = numbers_of(*row, "delta_ppl");
    for (double& each : change) each = 100 * std::abs(each) / divisor;
    const Interval loss = t_interval(change);
    const double half = printed ? 0 : loss.half_width;
    series.points.push_back({shape.bytes("bf16", true, true) / shape.bytes(codec, true, true),
                             loss.mean, loss.mean - half, loss.mean + half, family.letter + *rate});
  }
  if (series.points.empty()) {
    throw InputError("run " + run + ": no codec " + family.codec + ":" + family.key +
                     "=, expected those of the chart");
  }
  std::sort(series.points.begin(), series.points.end(),
            [](const ChartPoint& a, const ChartPoint& b) { return a.x < b.x; });
  return series;
}

Chart hero_chart(const PublishedRecord& record, bool printed) {
  Chart chart;
  chart.name = printed ? "hero_printed" : "hero";
  chart.title = printed ? "The published hero chart as printed: its axis is too small"
                        : "The published hero chart, right";
  chart.subtitle =
      printed
          ? "|Δppl|, already relative, divided by the mean perplexity of bf16 again; 8 passages"
          : "8 passages of 2048 + 64 scored tokens, two skipped layers at either end; bars: 95 % "
            "t intervals";
  chart.x_label = "compression of a 128k cache, times (nominal bits)";
  chart.y_label = printed ? "mean |Δppl|, divided again, %" : "mean |Δppl|, %";
  for (const auto& [model, run] : kModels) {
    const auto perplexity =
        t_interval(numbers_of(record.at({"run", {{"run", run}}}), "ppl_reference"));
    ChartPanel panel;
    panel.crowded = true;
    panel.title =
        printed ? fmt::format("{}: {:.1f} times too small", model, perplexity.mean) : model;
    for (const HeroFamily& family : kHeroFamilies) {
      panel.series.push_back(
          series_of(record, run, family, printed, printed ? perplexity.mean : 1));
    }
    chart.panels.push_back(std::move(panel));
  }
  return chart;
}

}  // namespace

std::vector<Chart> published_hero_charts(const PublishedRecord& record) {
  return {hero_chart(record, true), hero_chart(record, false)};
}

}  // namespace kakeya

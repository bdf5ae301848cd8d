// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/layer_maps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <map>
#include <string_view>

#include "kakeya/report/chart_families.h"
#include "kakeya/report/charts.h"

namespace kakeya {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr double kRange = 60, kDecades = 6;  // what one colour scale can show, from its upper end

struct Row {
  std::string name;
  const CodecResult* codec = nullptr;
};

/// One of the two measures of a layer: what samples have of it, as a map shows it.
struct Shown {
  const char* name;
  const char* title;
  const char* colour_label;
  double LayerSample::*keys;
  double LayerSample::*values;
  double (*scale)(double mean);
  double step, range;  ///< ends of the colour scale are multiples of `step`
};

const Shown kShown[] = {
    {"rel_mse", "rel-MSE of each layer", "rel-MSE, dB", &LayerSample::rel_mse_k,
     &LayerSample::rel_mse_v, [](double mean) { return 10 * std::log10(mean); }, 5, kRange},
    {"cosine", "cosine of each layer", "log10(1 - cosine)", &LayerSample::cosine_k,
     &LayerSample::cosine_v, [](double mean) { return std::log10(1 - mean); }, 0.5, kDecades}};

/// Some of `settings`, as many as `most`, spread evenly with both ends.
std::vector<Row> spread(const std::vector<Row>& settings, std::size_t most) {
  if (settings.size() <= most) return settings;
  if (most < 2) return {settings[settings.size() / 2]};
  std::vector<Row> some;
  for (std::size_t i = 0; i < most; ++i)
    some.push_back(settings[i * (settings.size() - 1) / (most - 1)]);
  return some;
}

std::vector<Row> rows_of(const ResultGroup& group, std::span<const std::string> choices) {
  const ResultGroup* const one[] = {&group};
  const std::map<std::string, std::string> shown =
      chart_families(one, metric(group.likelihoods() ? "kld_mean" : "rel_mse_k"), choices);
  std::vector<Row> rows;
  if (shown.empty()) return rows;
  const std::size_t most = std::max<std::size_t>(1, kLayerMapRows / shown.size());
  for (const std::string& family : group.families()) {
    const std::string legend = legend_name(group, family);
    if (!shown.contains(legend)) continue;
    std::vector<Row> settings;
    for (const CodecResult& codec : group.codecs) {
      if (codec.family != family) continue;
      if (std::any_of(codec.samples.begin(), codec.samples.end(),
                      [](const Sample* sample) { return sample->layers.empty(); })) {
        continue;
      }
      settings.push_back({legend == family ? codec.label : without_profiles(codec.label), &codec});
    }
    for (Row& row : spread(settings, most)) rows.push_back(std::move(row));
    if (rows.size() >= kLayerMapRows) break;
  }
  return rows;
}

/// The mean over passages of every layer; NaN where one has none.
std::vector<double> layer_means(const CodecResult& codec, int layers,
                                double LayerSample::*measure) {
  std::vector<double> sums(static_cast<std::size_t>(layers), 0);
  std::vector<std::size_t> counts(sums.size(), 0);
  for (const Sample* sample : codec.samples) {
    for (const LayerSample& layer : sample->layers) {
      const auto at = static_cast<std::size_t>(layer.layer);
      if (layer.layer < 0 || at >= sums.size() || std::isnan(layer.*measure)) continue;
      sums[at] += layer.*measure;
      ++counts[at];
    }
  }
  for (std::size_t i = 0; i < sums.size(); ++i)
    sums[i] = counts[i] == 0 ? kUnknown : sums[i] / static_cast<double>(counts[i]);
  return sums;
}

std::string file_name(const ResultGroup& group, std::span<const ResultGroup> groups,
                      const Shown& shown) {
  std::string name = fmt::format("layers_{}_{}", shown.name, group.mode);
  const auto alike = std::count_if(groups.begin(), groups.end(), [&](const ResultGroup& other) {
    return other.mode == group.mode;
  });
  if (alike < 2) return name;
  name += "_";
  for (const char c : group.source)
    name += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' ? c : '_';
  return name;
}

HeatMap map_of(const ResultGroup& group, std::span<const ResultGroup> groups,
               const std::vector<Row>& rows, const Shown& shown) {
  const int layers = group.results->plan.shape.layers;
  HeatMap map;
  map.name = file_name(group, groups, shown);
  map.title =
      fmt::format("{}: {} ({})", group_title(group, groups), shown.title, mode_text(group.mode));
  map.subtitle = fmt::format("mean over {} passages; dark: more is lost; grey: not coded",
                             group.passages.size());
  map.x_label = "layer";
  map.colour_label = shown.colour_label;
  map.columns = static_cast<std::size_t>(layers);
  map.column_step = layers > 40 ? 4 : layers > 12 ? 2 : 1;
  for (const Row& row : rows) map.rows.push_back(row.name);
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const auto& [title, measure] : {std::pair{"keys", shown.keys}, {"values", shown.values}}) {
    HeatPanel panel{title, {}};
    for (const Row& row : rows) {
      for (const double mean : layer_means(*row.codec, layers, measure)) {
        const double value = std::isnan(mean) ? kUnknown : shown.scale(mean);
        panel.values.push_back(value);  // -infinity: nothing is lost; it gets the end's colour
        if (!std::isfinite(value)) continue;
        low = std::min(low, value);
        high = std::max(high, value);
      }
    }
    map.panels.push_back(std::move(panel));
  }
  if (!(low <= high)) low = high = 0;
  map.high = shown.step * std::ceil(high / shown.step);
  map.low = std::max(map.high - shown.range, shown.step * std::floor(low / shown.step));
  if (!(map.low < map.high)) map.low = map.high - shown.step;
  return map;
}

}  // namespace

std::vector<HeatMap> layer_maps(std::span<const ResultGroup> groups,
                                std::span<const std::string> choices) {
  std::vector<HeatMap> maps;
  for (const ResultGroup& group : groups) {
    const std::vector<Row> rows = rows_of(group, choices);
    if (rows.empty()) continue;
    for (const Shown& shown : kShown) maps.push_back(map_of(group, groups, rows, shown));
  }
  return maps;
}

}  // namespace kakeya

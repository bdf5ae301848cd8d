// SPDX-License-Identifier: Apache-2.0
#include "kakeya/studies/audit/audit_maps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "kakeya/studies/audit/audit_verdicts.h"

namespace kakeya {
namespace {

constexpr double kMostDecibel = 30;  // beyond, a colour is as strong as it gets

std::string subtitle(const DumpAudit& audit) {
  const DumpFacts& facts = audit.facts;
  return fmt::format("{}, {}, {} passages of {} tokens, {} KV heads of {}, K {}", facts.model_name,
                     facts.text_name, facts.passages, facts.tokens, facts.kv_heads, facts.head_dim,
                     facts.tap);
}

std::string part_title(char part) { return part == 'k' ? "K" : "V"; }

/// The departure of every measure over what noise gives. The number of outlier channels is left
/// out: noise has none.
HeatMap measure_map(const DumpAudit& audit) {
  HeatMap map;
  map.name = "measures";
  map.title = "How far K and V are from Gaussian noise, by layer";
  map.subtitle = subtitle(audit);
  map.x_label = "layer";
  map.colour_label = "log10 of value / 95 % point of noise";
  map.columns = static_cast<std::size_t>(audit.facts.layers);
  map.column_step = map.columns > 40 ? 4 : 2;
  double highest = 1;
  std::vector<const MeasureFacts*> shown;
  for (const MeasureFacts& facts : measures()) {
    if (facts.measure == Measure::outlier_channels) continue;
    shown.push_back(&facts);
    map.rows.push_back(facts.two_sided ? fmt::format("|{} - noise|", facts.heading)
                                       : facts.heading);
  }
  for (const char part : {'k', 'v'}) {
    HeatPanel panel{part_title(part) + ": white is no more than noise gives", {}};
    for (const MeasureFacts* facts : shown) {
      const double noise = noise_level(audit.null, *facts);
      for (const AuditedPart& each : audit.parts) {
        if (each.part != part) continue;
        if (!each.audit) {
          panel.values.push_back(std::numeric_limits<double>::quiet_NaN());
          continue;
        }
        const double value =
            audit.null.departure(*facts, value_of(each.audit->values, facts->measure));
        const double over = value > 0 ? std::log10(value / noise) : 0;
        if (std::isfinite(over)) highest = std::max(highest, over);
        panel.values.push_back(over);
      }
    }
    map.panels.push_back(std::move(panel));
  }
  map.high = std::ceil(2 * highest) / 2;
  return map;
}

HeatMap channel_map(const DumpAudit& audit, char part) {
  const DumpFacts& facts = audit.facts;
  HeatMap map;
  map.name = part == 'k' ? "channels_k" : "channels_v";
  map.title = fmt::format("Root mean square of every channel of {}, by layer", part_title(part));
  map.subtitle = subtitle(audit);
  map.x_label = fmt::format("channel: head x {} + coordinate", facts.head_dim);
  map.y_label = "layer";
  map.colour_label = "dB over the head's median";
  map.number_rows = static_cast<std::size_t>(facts.layers);
  map.columns = static_cast<std::size_t>(facts.kv_heads) * static_cast<std::size_t>(facts.head_dim);
  map.column_step = static_cast<std::size_t>(std::max(1, facts.head_dim / 2));
  map.diverging = true;
  double widest = 6;
  HeatPanel panel;
  for (const AuditedPart& each : audit.parts) {
    if (each.part != part) continue;
    if (!each.audit) {
      panel.values.resize(panel.values.size() + map.columns,
                          std::numeric_limits<double>::quiet_NaN());
      continue;
    }
    for (const double ratio : each.audit->channel_ratio) {
      const double decibel =
          ratio > 0 ? 20 * std::log10(ratio) : std::numeric_limits<double>::quiet_NaN();
      if (ratio > 0) widest = std::max(widest, std::fabs(decibel));
      panel.values.push_back(decibel);
    }
  }
  map.high = std::min(kMostDecibel, std::ceil(widest));
  map.low = -map.high;
  map.panels.push_back(std::move(panel));
  return map;
}

}  // namespace

std::vector<HeatMap> audit_maps(const DumpAudit& audit) {
  return {measure_map(audit), channel_map(audit, 'k'), channel_map(audit, 'v')};
}

}  // namespace kakeya

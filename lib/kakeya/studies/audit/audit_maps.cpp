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
  const DumpHead& head = audit.head;
  return fmt::format("{}, {}, {} passages of {} tokens, {} KV heads of {}, K {}",
                     head.origin.model.name, head.origin.text.name, head.passages, head.tokens,
                     head.shape.kv_heads, head.shape.head_dim, tap_name(head.tap));
}

std::string part_title(Part part) { return part == Part::key ? "K" : "V"; }

/// The departure of every measure over what noise gives. The number of outlier channels is left
/// out: noise has none.
HeatMap measure_map(const DumpAudit& audit) {
  HeatMap map;
  map.name = "measures";
  map.title = "How far K and V are from Gaussian noise, by layer";
  map.subtitle = subtitle(audit);
  map.x_label = "layer";
  map.colour_label = "log10 of value / 95 % point of noise";
  map.columns = static_cast<std::size_t>(audit.head.shape.layers);
  map.column_step = map.columns > 40 ? 4 : 2;
  double highest = 1;
  std::vector<const MeasureFacts*> shown;
  for (const MeasureFacts& facts : measures()) {
    if (facts.measure == Measure::outlier_channels) continue;
    shown.push_back(&facts);
    map.rows.push_back(facts.two_sided ? fmt::format("|{} - noise|", facts.heading)
                                       : facts.heading);
  }
  for (const Part part : {Part::key, Part::value}) {
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

HeatMap channel_map(const DumpAudit& audit, Part part) {
  const DumpHead& head = audit.head;
  HeatMap map;
  map.name = part == Part::key ? "channels_k" : "channels_v";
  map.title = fmt::format("Root mean square of every channel of {}, by layer", part_title(part));
  map.subtitle = subtitle(audit);
  map.x_label = fmt::format("channel: head x {} + coordinate", head.shape.head_dim);
  map.y_label = "layer";
  map.colour_label = "dB over the head's median";
  map.number_rows = static_cast<std::size_t>(head.shape.layers);
  map.columns = head.shape.part_width();
  map.column_step = static_cast<std::size_t>(std::max(1, head.shape.head_dim / 2));
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
  return {measure_map(audit), channel_map(audit, Part::key), channel_map(audit, Part::value)};
}

}  // namespace kakeya

// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/attention_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>

#include "kakeya/core/error.h"
#include "kakeya/report/dump_table.h"
#include "kakeya/report/noise_floor.h"
#include "kakeya/report/number.h"

namespace kakeya {
namespace {

struct Timed {
  std::size_t tokens = 0;
  std::map<std::size_t, std::map<std::string, const AttentionSpeed*>> by_batch;  // and setting
};

// Of the first shape, at the most tokens.
Timed longest(const AttentionSpeeds& speeds) {
  Timed found;
  for (const AttentionSpeed& row : speeds.rows) {
    if (row.shape != speeds.rows.front().shape || !row.ratio() || row.tokens < found.tokens)
      continue;
    if (row.tokens > found.tokens) found = {row.tokens, {}};
    found.by_batch[row.batch][without_profile(row.codec)] = &row;
  }
  return found;
}

ChartPanel batch_panel(const ResultGroup& group, const Metric& loss, std::size_t batch,
                       const std::map<std::string, const AttentionSpeed*>& timed) {
  constexpr const char* kColours[] = {"#0072B2", "#009E73", "#CC0000", "#E69F00",
                                      "#CC79A7", "#555555", "#7570B3", "#000000"};
  constexpr int kDisc = 7, kSquare = 5, kDiamond = 13;
  ChartPanel panel;
  panel.title = fmt::format("{} {}", batch, batch == 1 ? "sequence" : "sequences");
  double low = 0, high = 0;
  for (const CodecResult& codec : group.codecs) {
    const auto at = timed.find(without_profile(codec.codec_k));
    if (codec.codec_k != codec.codec_v || at == timed.end()) continue;
    const Interval kl = summary(codec, loss);
    const double x = *at->second->ratio(), half = std::isfinite(kl.half_width) ? kl.half_width : 0;
    const std::size_t n = panel.series.size();
    panel.series.push_back({at->first,
                            kColours[n % std::size(kColours)],
                            n < std::size(kColours) ? kDisc : kSquare,
                            {{x, kl.mean, kl.mean - half, kl.mean + half,
                              fmt::format("{:.2f} bits", codec.whole_cache_bits)}}});
    low = low == 0 ? kl.mean : std::min(low, kl.mean);
    high = std::max(high, kl.mean);
  }
  if (panel.series.empty()) return panel;
  for (const auto& [control, kl] : noise_floors(group)) {
    if (control != control_text("bf16")) continue;
    panel.series.push_back(
        {"bf16, nothing coded", "#000000", kDiamond, {{1.0, kl, kl, kl, "16 bits"}}});
    low = std::min(low, kl);
  }
  panel.references.push_back({"bf16's time", 2, {{1.0, low / 2}, {1.0, high * 2}}});
  return panel;
}

}  // namespace

void add_choice(Document& report, const AttentionSpeeds& speeds,
                std::span<const ResultGroup> losses) {
  const Metric& loss = metric("kld_mean");
  const Timed timed = longest(speeds);
  if (losses.size() != 1 || !losses.front().likelihoods()) {
    throw InputError(
        fmt::format("attention: {} sets of samples given, expected one, with KL "
                    "divergences",
                    losses.size()));
  }
  const ResultGroup& group = losses.front();
  Table table = named_table("choice", "What it loses, and how fast attention reads it");
  table.columns = {{"codec", "codec", false},
                   {"bits, whole cache", "whole-cache bits per value"},
                   {"KL divergence, nats", "mean KL divergence"},
                   {"bits of a page", "bits per value"}};
  for (const auto& [batch, of] : timed.by_batch) {
    const std::string sequences = fmt::format("{} sequence{}", batch, batch == 1 ? "" : "s");
    table.columns.push_back({"times as fast as bf16, " + sequences, "ratio, " + sequences});
  }
  bool any = false;
  for (const CodecResult& codec : group.codecs) {
    if (codec.identity() || codec.codec_k != codec.codec_v) continue;
    const std::string name = without_profile(codec.codec_k);
    const Interval kl = summary(codec, loss);
    std::vector<Cell> cells = {
        text_cell(fmt::format("`{}`", name)), fixed_cell(codec.whole_cache_bits, 2),
        number_cell(kl.mean, fmt::format("{:.4f} ± {:.4f}", kl.mean, kl.half_width))};
    Cell bits = text_cell("");
    std::vector<Cell> ratios;
    for (const auto& [batch, of] : timed.by_batch) {
      const auto at = of.find(name);
      any |= at != of.end();
      if (at != of.end()) bits = fixed_cell(at->second->bits_per_value, 2);
      ratios.push_back(at != of.end() ? fixed_cell(*at->second->ratio(), 2) : text_cell(""));
    }
    cells.push_back(std::move(bits));
    std::move(ratios.begin(), ratios.end(), std::back_inserter(cells));
    table.rows.push_back(std::move(cells));
  }
  if (!any) {
    throw InputError("attention: no codec of " + group.source +
                     " was timed beside bf16: expected settings that both have");
  }
  Chart chart;
  chart.name = "choice";
  chart.title = "KL divergence against the speed of attention";
  chart.subtitle =
      fmt::format("speed: {}, {} tokens, {}; KL divergence: {}", speeds.rows.front().shape,
                  grouped(timed.tokens), speeds.device, group.source);
  chart.x_label = "times as fast as attention over bf16";
  chart.y_label = "mean KL divergence, nats";
  for (const auto& [batch, of] : timed.by_batch) {
    ChartPanel panel = batch_panel(group, loss, batch, of);
    if (!panel.series.empty()) chart.panels.push_back(std::move(panel));
  }
  report.paragraph(fmt::format("![{}]({}.svg)", chart.title, chart.name));
  report.charts.push_back(std::move(chart));
  report.table(table, "##");
  report.table(noise_floor_table(group), "##");
}

}  // namespace kakeya

// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/attention_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "kakeya/core/error.h"
#include "kakeya/report/dump_table.h"
#include "kakeya/report/number.h"

namespace kakeya {
namespace {

// Each value once, in the order in which it is met.
template <typename Value>
std::vector<Value> distinct(const std::vector<AttentionSpeed>& rows, Value AttentionSpeed::*field) {
  std::vector<Value> found;
  for (const AttentionSpeed& row : rows) {
    if (std::find(found.begin(), found.end(), row.*field) == found.end()) {
      found.push_back(row.*field);
    }
  }
  return found;
}

Table shape_table(const AttentionSpeeds& speeds, const std::string& shape) {
  Table table;
  table.name = "attention_" + shape;
  table.title = shape;
  table.label_columns = 3;
  table.columns = {{"codec", "codec", false},
                   {"batch", "batch"},
                   {"tokens", "tokens"},
                   {"bits", "bits per value"},
                   {"us", "median (us)"},
                   {"", "p99 (us)"},
                   {"bf16, us", "bf16 median (us)"},
                   {"times as fast", "ratio"},
                   {"of copy", "of copy"},
                   {"10^12 values/s", "values per second"},
                   {"packing, us", "pack (us)"},
                   {"", "relative error"}};
  for (const AttentionSpeed& row : speeds.rows) {
    if (row.shape != shape) continue;
    const auto optional_cell = [](const std::optional<double>& number, const char* format) {
      return number ? number_cell(*number, fmt::format(fmt::runtime(format), *number))
                    : text_cell("");
    };
    table.rows.push_back(
        {text_cell(fmt::format("`{}`", row.codec)), text_cell(std::to_string(row.batch)),
         text_cell(grouped(row.tokens)), fixed_cell(row.bits_per_value, 2), fixed_cell(row.us, 1),
         number_cell(row.us_p99, ""), optional_cell(row.bf16_us, "{:.1f}"),
         optional_cell(row.ratio(), "{:.2f}"),
         number_cell(row.of_copy, fmt::format("{:.0f} %", 100 * row.of_copy)),
         number_cell(row.values_per_second, fmt::format("{:.2f}", row.values_per_second * 1e-12)),
         number_cell(row.pack_us, fmt::format("{:.0f}", row.pack_us)),
         number_cell(row.relative_error, "")});
  }
  return table;
}

ChartPanel batch_panel(const AttentionSpeeds& speeds, std::size_t batch, const std::string& codec) {
  constexpr const char* kColours[] = {"#1f4e9c", "#c8102e", "#2e8b57",
                                      "#8e44ad", "#d98200", "#555555"};
  ChartPanel panel;
  panel.title = fmt::format("{} {}", batch, batch == 1 ? "sequence" : "sequences");
  double least = 0, most = 0;
  const std::vector<std::string> shapes = distinct(speeds.rows, &AttentionSpeed::shape);
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    ChartSeries series{shapes[i], kColours[i % std::size(kColours)], 7, {}};
    for (const AttentionSpeed& row : speeds.rows) {
      if (row.shape != shapes[i] || row.batch != batch || row.codec != codec || !row.ratio()) {
        continue;
      }
      const double x = std::log2(static_cast<double>(row.tokens)), y = *row.ratio();
      series.points.push_back({x, y, y, y, ""});
      least = least == 0 ? x : std::min(least, x);
      most = std::max(most, x);
    }
    if (!series.points.empty()) panel.series.push_back(std::move(series));
  }
  panel.references.push_back({"bf16", 2, {{least, 1.0}, {most, 1.0}}});
  return panel;
}

// The codec that takes longest at the first row's shape, summed over batches and tokens.
std::string slowest(const AttentionSpeeds& speeds) {
  std::map<std::string, double> us;
  for (const AttentionSpeed& row : speeds.rows) {
    if (row.shape == speeds.rows.front().shape) us[row.codec] += row.us;
  }
  return std::max_element(us.begin(), us.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

}  // namespace

Document make_attention_report(const AttentionSpeeds& speeds, const Provenance& measured) {
  if (speeds.rows.empty()) throw InputError("attention report: expected at least one result");
  const std::string shown = slowest(speeds);
  Document out;
  out.paragraph("# Decode attention over packed pages: " + speeds.device);
  out.paragraph(fmt::format(
      "{}. Shapes are KV heads x query heads x head_dim. A launch is one query a head of every "
      "sequence. us: the median of CUDA graphs of ten "
      "launches. Of copy: bytes of keys and values a second, as a share of a copy's within device "
      "memory in the same run. Packing: from bf16 to pages, keys and values of a sequence. Full "
      "precision: [results.csv](results.csv).",
      speeds.cuda));
  if (!speeds.bf16_with.empty()) {
    out.paragraph(
        fmt::format("bf16: {}, the fastest of its backends in the same shape.", speeds.bf16_with));
    Chart chart;
    chart.name = "attention";
    chart.title = fmt::format("Attention over pages of {}, times as fast as over bf16", shown);
    chart.subtitle =
        fmt::format("{}; {}; KV heads x query heads x head_dim", speeds.device, speeds.bf16_with);
    chart.x_label = "tokens of a sequence, as a power of two (13: 8192, 17: 131072)";
    chart.y_label = "bf16's time / this time";
    chart.logarithmic = false;
    for (const std::size_t batch : distinct(speeds.rows, &AttentionSpeed::batch)) {
      ChartPanel panel = batch_panel(speeds, batch, shown);
      if (!panel.series.empty()) chart.panels.push_back(std::move(panel));
    }
    if (!chart.panels.empty()) {
      out.paragraph(fmt::format("![{}]({}.svg)", chart.title, chart.name));
      out.charts.push_back(std::move(chart));
    }
  }
  for (const std::string& shape : distinct(speeds.rows, &AttentionSpeed::shape)) {
    out.table(shape_table(speeds, shape), "##");
  }
  out.paragraph(made_by_line(measured));
  return out;
}

}  // namespace kakeya

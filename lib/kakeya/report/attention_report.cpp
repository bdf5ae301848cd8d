// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/attention_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <set>

#include "kakeya/codec/spec.h"
#include "kakeya/core/error.h"
#include "kakeya/report/attention_choice.h"
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

// What a run has measured, in the words of its report.
struct Words {
  std::string title, shapes, one, packing, pack_column;
};

Words words_of(const AttentionSpeeds& speeds) {
  if (speeds.rows.front().layers == 1) {
    return {
        "Decode attention over packed pages", "KV heads x query heads x head_dim",
        "A launch is one query a head of every sequence. us: the median of CUDA graphs of ten launches",
        "Packing: from bf16 to pages, keys and values of a sequence.", "packing, us"};
  }
  return {
      "A model's decoding step over packed pages", "layers x KV heads x query heads x head_dim",
      "A step is attention of all layers, one query a head of every sequence, and coding pages as they "
      "fill. us: the median of CUDA graphs of a launch a layer, and the pages",
      "Pages: what coding them adds to each step (klt: not in it).", "of them pages, us"};
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
                   {words_of(speeds).pack_column, "pack (us)"},
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
         optional_cell(row.pack_us, row.layers == 1 ? "{:.0f}" : "{:.1f}"),
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

// The codec that is asked for, or takes longest at the first row's shape, summed over batches and
// tokens, of those that every shape has.
std::string charted(const AttentionSpeeds& speeds) {
  std::map<std::string, std::set<std::string>> shapes;  // of a codec
  for (const AttentionSpeed& row : speeds.rows) shapes[row.codec].insert(row.shape);
  if (!speeds.charted.empty()) {
    if (shapes.contains(speeds.charted)) return speeds.charted;
    throw InputError(speeds.charted + ": not among the codecs that were timed");
  }
  std::size_t most = 0;
  for (const auto& [codec, of] : shapes) most = std::max(most, of.size());
  std::map<std::string, double> us;
  for (const AttentionSpeed& row : speeds.rows) {
    if (row.shape != speeds.rows.front().shape || shapes[row.codec].size() < most) continue;
    us[row.codec] += row.us;
  }
  return std::max_element(us.begin(), us.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

// A line a shape and codec at the most tokens that it was measured with: by batch the time, and
// how many times as fast as over bf16.
Table longest_table(const AttentionSpeeds& speeds) {
  Table table = named_table("longest", "At the most tokens");
  table.columns = {{"shape", "shape", false},
                   {"codec", "codec", false},
                   {"tokens", "tokens"},
                   {"bits", "bits per value"}};
  const std::vector<std::size_t> batches = distinct(speeds.rows, &AttentionSpeed::batch);
  for (const std::size_t batch : batches) {
    table.columns.push_back({fmt::format("us, {} sequence{}", batch, batch == 1 ? "" : "s"), "us"});
    if (!speeds.bf16_with.empty()) table.columns.push_back({"times as fast as bf16", "ratio"});
  }
  for (const std::string& shape : distinct(speeds.rows, &AttentionSpeed::shape)) {
    for (const std::string& codec : distinct(speeds.rows, &AttentionSpeed::codec)) {
      std::map<std::size_t, const AttentionSpeed*> longest;  // by batch
      std::size_t tokens = 0;
      for (const AttentionSpeed& row : speeds.rows) {
        if (row.shape != shape || row.codec != codec || row.tokens < tokens) continue;
        if (row.tokens > tokens) longest.clear();
        tokens = row.tokens;
        longest[row.batch] = &row;
      }
      if (longest.empty()) continue;
      std::vector<Cell> cells = {text_cell(shape), text_cell(fmt::format("`{}`", codec)),
                                 text_cell(grouped(tokens)),
                                 fixed_cell(longest.begin()->second->bits_per_value, 2)};
      for (const std::size_t batch : batches) {
        const auto at = longest.find(batch);
        const bool there = at != longest.end();
        cells.push_back(there ? fixed_cell(at->second->us, 1) : text_cell("-"));
        if (speeds.bf16_with.empty()) continue;
        const std::optional<double> ratio = there ? at->second->ratio() : std::nullopt;
        cells.push_back(ratio ? fixed_cell(*ratio, 2) : text_cell("-"));
      }
      table.rows.push_back(std::move(cells));
    }
  }
  return table;
}

}  // namespace

std::string without_profile(const std::string& codec) {
  const auto spec = Spec::try_parse(codec);
  return spec ? spec->without("profile").text() : codec;
}

Document make_attention_report(const AttentionSpeeds& speeds, const Provenance& measured,
                               std::span<const ResultGroup> losses) {
  if (speeds.rows.empty()) throw InputError("attention report: expected at least one result");
  const std::string shown = charted(speeds);
  Document out;
  const Words words = words_of(speeds);
  std::vector<std::string> head = {fmt::format("# {}: {}", words.title, speeds.device)};
  out.paragraph(head.front());
  out.paragraph(fmt::format(
      "{}. Shapes are {}. {}. Of copy: bytes of keys and values a second, as a share of a copy's within "
      "device memory in the same run. {} Full precision: [results.csv](results.csv).",
      speeds.cuda, words.shapes, words.one, words.packing));
  head.push_back(fmt::format("Shapes are {}. {}.", words.shapes, words.one));
  if (!speeds.bf16_with.empty()) {
    head.push_back(
        fmt::format("bf16: {}, the fastest of its backends in the same shape.", speeds.bf16_with));
    out.paragraph(head.back());
    Chart chart;
    chart.name = "attention";
    chart.title = fmt::format("{} over pages of {}, times as fast as over bf16",
                              speeds.rows.front().layers == 1 ? "Attention" : "A step", shown);
    chart.subtitle = fmt::format("{}; {}; {}", speeds.device, speeds.bf16_with, words.shapes);
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
  if (!losses.empty()) add_choice(out, speeds, losses);
  FrontPage front{head, "", {}, longest_table(speeds), made_by_line(measured)};
  if (!out.charts.empty()) front.chart = out.charts.front().name;
  out.put_behind(front);
  return out;
}

}  // namespace kakeya

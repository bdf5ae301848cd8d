// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/gpu_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

#include "kakeya/core/error.h"
#include "kakeya/report/dump_table.h"
#include "kakeya/report/looks.h"
#include "kakeya/report/number.h"

namespace kakeya {
namespace {

constexpr std::array<std::string_view, 3> kOperations = {"encode", "decode", "round trip"};

bool same_launch(const GpuSpeed& a, const GpuSpeed& b) {
  return a.dim == b.dim && a.vectors == b.vectors && a.type == b.type;
}

const GpuSpeed* find(std::span<const GpuSpeed> rows, const GpuSpeed& like,
                     std::string_view operation) {
  const auto at = std::find_if(rows.begin(), rows.end(), [&](const GpuSpeed& row) {
    return row.codec == like.codec && row.operation == operation && same_launch(row, like);
  });
  return at == rows.end() ? nullptr : &*at;
}

Cell us_cell(const GpuSpeed* row) {
  return row == nullptr ? text_cell("") : number_cell(row->us, significant(row->us));
}

Cell share_cell(const GpuSpeed* row) {
  if (row == nullptr) return text_cell("");
  return number_cell(row->of_copy(), fmt::format("{:.0f} %", 100 * row->of_copy()));
}

Cell published_cell(const GpuSpeeds& speeds, const GpuSpeed* row) {
  if (row == nullptr || row->dim != speeds.published_dim ||
      row->vectors != speeds.published_vectors) {
    return text_cell("");
  }
  const auto theirs = speeds.published_us.find(row->codec);
  if (theirs == speeds.published_us.end()) return text_cell("");
  const double ratio = theirs->second / row->us;
  return number_cell(ratio, fmt::format("{:.0f}x", ratio));
}

Table speeds_table(const GpuSpeeds& speeds) {
  Table table;
  table.name = "gpu";
  table.title = "Codecs where the vectors are";
  table.note =
      "us: the median of launches queued back to back. Of copy: the bandwidth over the bytes that "
      "must move (vectors, scales and codes, each once) as a share of that of a copy within device "
      "memory in the same run, bytes read and written. p99 is in the CSV.";
  if (!speeds.published_us.empty()) {
    table.note += fmt::format(
        " Published: how many times longer the published composition takes for the same vectors, "
        "as operations of {}.",
        speeds.published_with);
  }
  table.label_columns = 4;
  table.columns = {
      {"codec", "codec", false}, {"dim", "dim"}, {"type", "type", false}, {"vectors", "vectors"}};
  for (const std::string_view operation : kOperations) {
    table.columns.push_back({fmt::format("{}, us", operation), fmt::format("{} (us)", operation)});
    table.columns.push_back({"", fmt::format("{} p99 (us)", operation)});
    table.columns.push_back({"of copy", fmt::format("{} of copy", operation)});
  }
  if (!speeds.published_us.empty()) table.columns.push_back({"published", "published ratio"});
  for (const GpuSpeed& row : speeds.rows) {
    // A line where its codec is met first.
    const auto first = std::find_if(
        speeds.rows.begin(), speeds.rows.end(),
        [&](const GpuSpeed& each) { return each.codec == row.codec && same_launch(each, row); });
    if (&*first != &row) continue;
    std::vector<Cell> cells = {text_cell(fmt::format("`{}`", row.codec)),
                               text_cell(std::to_string(row.dim)), text_cell(row.type),
                               text_cell(grouped(row.vectors))};
    for (const std::string_view operation : kOperations) {
      const GpuSpeed* here = find(speeds.rows, row, operation);
      cells.push_back(us_cell(here));
      cells.push_back(here == nullptr ? text_cell("") : number_cell(here->us_p99, ""));
      cells.push_back(share_cell(here));
    }
    if (!speeds.published_us.empty()) {
      cells.push_back(published_cell(speeds, find(speeds.rows, row, "round trip")));
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

// One panel an operation. The bandwidth of the copy is a hyperbola over bytes a value.
ChartPanel roofline_panel(const GpuSpeeds& speeds, std::string_view operation, Looks& looks) {
  ChartPanel panel;
  panel.title = std::string(operation);
  double least = std::numeric_limits<double>::max(), most = 0, bandwidth = 0;
  for (const GpuSpeed& row : speeds.rows) {
    if (row.operation != operation || !same_launch(row, speeds.rows.front())) continue;
    const double x = row.bytes / row.values(), y = row.values() * 1e-3 / row.us;
    const Look look = looks.of(row.codec);
    panel.series.push_back({row.codec, look.colour, look.marker, {{x, y, y, y, ""}}});
    least = std::min(least, x);
    most = std::max(most, x);
    bandwidth = row.copy_gb_per_second;
  }
  if (panel.series.empty()) return panel;
  ChartLine roof{"bandwidth of a copy", 2, {}};
  constexpr int kSteps = 24;
  for (int step = 0; step <= kSteps; ++step) {
    const double x = 0.9 * least + (1.1 * most - 0.9 * least) * step / kSteps;
    roof.points.emplace_back(x, bandwidth / x);
  }
  panel.references.push_back(std::move(roof));
  return panel;
}

Chart roofline(const GpuSpeeds& speeds) {
  const GpuSpeed& first = speeds.rows.front();
  Chart chart;
  chart.name = "roofline";
  chart.title = "Values a second, and what the memory allows";
  chart.subtitle =
      fmt::format("{}, {} vectors of {} in {}; on the line a codec is as fast as a copy",
                  speeds.device, grouped(first.vectors), first.dim, first.type);
  chart.x_label = "bytes that must move for a value, read and written";
  chart.y_label = "10^9 values a second";
  chart.logarithmic = false;
  Looks looks;
  // Not the round trip, in which all codecs move as many bytes.
  for (const std::string_view operation : {"encode", "decode"}) {
    ChartPanel panel = roofline_panel(speeds, operation, looks);
    if (!panel.series.empty()) chart.panels.push_back(std::move(panel));
  }
  return chart;
}

}  // namespace

Document make_gpu_report(const GpuSpeeds& speeds, const Provenance& measured) {
  if (speeds.rows.empty()) throw InputError("GPU report: expected at least one result");
  Document out;
  out.charts.push_back(roofline(speeds));
  out.paragraph("# Codecs on a GPU: " + speeds.device);
  out.paragraph(speeds.cuda + ". Full precision: [results.csv](results.csv).");
  out.paragraph(fmt::format("![{}]({}.svg)", out.charts.front().title, out.charts.front().name));
  out.table(speeds_table(speeds), "##");
  out.paragraph(made_by_line(measured));
  return out;
}

}  // namespace kakeya

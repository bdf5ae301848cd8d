// SPDX-License-Identifier: Apache-2.0
#include "kakeya/studies/published/equal_nominal_report.h"

#include <fmt/format.h>

#include <cmath>

#include "kakeya/report/number.h"
#include "kakeya/stats/rate_distortion.h"

namespace kakeya {
namespace {

double decibels(double ratio) { return 10 * std::log10(ratio); }

std::string text_of(const RatedError& error, double bits) {
  const std::string own_bits = error.bits == bits ? "" : fmt::format(" ({:.0f} b)", error.bits);
  const std::string q = error.setting.find("q=") == std::string::npos
                            ? error.setting
                            : "Q=" + error.setting.substr(error.setting.find("q=") + 2);
  return fmt::format("{}{}: {:.3e}", q, own_bits, error.rel_mse);
}

Cell cell_of(const std::optional<RatedError>& error, double bits) {
  return error ? number_cell(error->rel_mse, text_of(*error, bits)) : text_cell("-");
}

Table errors_table(std::span<const EqualNominal> rows) {
  Table table =
      named_table("equal-charge", "Everything at equal nominal bits: rel-MSE of Gaussian vectors");
  table.columns = {{"nominal bits a vector", "charge"},
                   {"D4 as published", "rel-MSE of D4 as published"},
                   {"best D4", "rel-MSE of the best D4"},
                   {"best E8", "rel-MSE of the best E8"},
                   {"mid-tread scalar", "rel-MSE of the mid-tread scalar"},
                   {"mid-rise scalar", "rel-MSE of the mid-rise scalar"},
                   {"Lloyd-Max scalar", "rel-MSE of the Lloyd-Max scalar"}};
  for (const EqualNominal& row : rows) {
    table.rows.push_back({fixed_cell(row.bits, 0), cell_of(row.published, row.bits),
                          cell_of(row.d4, row.bits), cell_of(row.e8, row.bits),
                          cell_of(row.mid_tread, row.bits), cell_of(row.mid_rise, row.bits),
                          cell_of(row.lloyd_max, row.bits)});
  }
  table.note =
      "Best: the largest Q that these bits hold. Scalars are indexed four coordinates to a field, "
      "as D4 is: the most levels L with 32 ceil(4 log2 L) + 32 bits. Mid-tread has a level at zero "
      "(odd L), mid-rise none (even L), both in the published wrapper; Lloyd-Max stores no "
      "maximum, so 16 bits less. An independent program's table agrees within 1 % but for two "
      "entries: it has 6.62e-4 for Lloyd-Max with 6 bits, probably from a codebook that has not "
      "converged (300 rounds from equal steps over [-3, 3] still leave 6.6e-4; converged, a normal "
      "value has 2.6388/4^6 = 6.44e-4 and one of a vector of norm one 2 % less), and Q=152 as the "
      "best D4 at 1088 bits, which hold Q=180.";
  return table;
}

Table gains_table(std::span<const EqualNominal> rows) {
  Table table =
      named_table("equal-charge-gains", "The same as gains over the mid-tread scalar, dB");
  table.columns = {{"nominal bits a vector", "charge"},
                   {"D4 as published", "D4 as published (dB)"},
                   {"best D4", "best D4 (dB)"},
                   {"best E8", "best E8 (dB)"},
                   {"mid-rise scalar", "mid-rise scalar (dB)"},
                   {"Lloyd-Max scalar", "Lloyd-Max scalar (dB)"}};
  for (const EqualNominal& row : rows) {
    const auto gain = [&](const std::optional<RatedError>& error) {
      if (!error) return text_cell("-");
      const double value = decibels(row.mid_tread.rel_mse / error->rel_mse);
      return number_cell(value, fmt::format("{:+.2f}", value));
    };
    table.rows.push_back({fixed_cell(row.bits, 0), gain(row.published), gain(row.d4), gain(row.e8),
                          gain(row.mid_rise), gain(row.lloyd_max)});
  }
  table.note =
      "The published points lose to a plain scalar wherever their Q lies just above a step of the "
      "nominal bits. With the right Q, at 800 bits and more, the lattices gain over the mid-tread "
      "scalar about what theory gives their cells, 0.37 dB (D4) and 0.65 dB (E8), give or take "
      "what rounding to whole bits a block leaves.";
  return table;
}

Chart gap_chart(std::span<const EqualNominal> rows, std::size_t dim) {
  Chart chart;
  chart.name = "equal_nominal";
  chart.title = "Published codecs and plain scalars at their nominal bits";
  chart.subtitle = "Gaussian vectors of 128; lower is better";
  chart.x_label = "nominal bits per value";
  chart.y_label = "rel-MSE above the Shannon bound at that rate, dB";
  chart.logarithmic = false;
  ChartSeries published{"D4 as published", "#d62728", 7, {}}, d4{"D4, best Q", "#ff7f0e", 5, {}},
      e8{"E8, best Q", "#1f77b4", 9, {}}, tread{"mid-tread scalar", "#7f7f7f", 13, {}},
      rise{"mid-rise scalar", "#2ca02c", 11, {}}, lloyd{"Lloyd-Max scalar", "#9467bd", 15, {}};
  const auto add = [&](ChartSeries& series, const std::optional<RatedError>& error) {
    if (!error) return;
    const double bits = error->bits / static_cast<double>(dim);
    const double gap = shannon_gap_db(error->rel_mse, bits);
    const std::size_t q = error->setting.find("q=");
    series.points.push_back(
        {bits, gap, gap, gap, q == std::string::npos ? "" : error->setting.substr(q + 2)});
  };
  for (const EqualNominal& row : rows) {
    add(published, row.published);
    add(d4, row.d4);
    add(e8, row.e8);
    add(tread, row.mid_tread);
    add(rise, row.mid_rise);
    add(lloyd, row.lloyd_max);
  }
  chart.panels.push_back({"", {published, d4, e8, tread, rise, lloyd}, {}, {}});
  return chart;
}

}  // namespace

void add_equal_nominal_bits(Document& document, std::span<const EqualNominal> rows,
                            std::size_t dim) {
  document.table(errors_table(rows), "##");
  document.table(gains_table(rows), "##");
  document.charts.push_back(gap_chart(rows, dim));
  document.paragraph("![Gap to the Shannon bound at nominal bits](equal_nominal.svg)");
}

}  // namespace kakeya

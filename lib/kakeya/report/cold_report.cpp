// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/cold_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kakeya/core/error.h"
#include "kakeya/report/looks.h"

namespace kakeya {
namespace {

Cell speed_cell(double gb_per_second) {
  return number_cell(gb_per_second, fmt::format("{:.0f}", gb_per_second));
}

// The columns that name a row, and its cells there; of several launches together no number of layers.
enum class ColdLines { launches, codecs };

std::vector<Cell> named(const ColdRow& row, ColdLines lines) {
  std::vector<Cell> cells = {text_cell(row.library), text_cell(fmt::format("`{}`", row.codec))};
  if (lines == ColdLines::launches) {
    cells.push_back(text_cell(row.layers ? std::to_string(*row.layers) : "all"));
  }
  return cells;
}

Table named_rows(std::string name, std::string title, ColdLines lines) {
  Table table = named_table(std::move(name), std::move(title));
  table.columns = {{"library", "library", false}, {"codec", "codec", false}};
  if (lines == ColdLines::launches) table.columns.push_back({"layers a launch", "layers"});
  table.label_columns = table.columns.size();
  return table;
}

void add_columns(Table& table, std::vector<Column> columns) {
  table.columns.insert(table.columns.end(), columns.begin(), columns.end());
}

Table speeds_table(const ColdRun& run, const std::vector<ColdRow>& all, ColdLines lines,
                   std::string title) {
  Table table = named_rows("cold", std::move(title), lines);
  table.note = fmt::format(
      "GB/s are of bf16. Restore: from pinned host memory over the link to bf16 on the device, "
      "copies and decoding overlapped; of the link: packed bytes a second over the {:.1f} GB/s of "
      "a plain copy. Times bf16: how many times as long bf16 takes over the same link.",
      run.to_device);
  if (lines == ColdLines::codecs) table.note += " Each number is the best of the codec's launches.";
  add_columns(table, {{"bits a value", "bits per value"},
                      {"bf16 over packed", "ratio"},
                      {"rel-MSE", "rel-MSE"},
                      {"encode, GB/s", "encode (GB/s)"},
                      {"decode, GB/s", "decode (GB/s)"},
                      {"restore, GB/s", "restore (GB/s)"},
                      {"of the link", "of the link"},
                      {"times bf16", "over bf16"}});
  for (const ColdRow& row : all) {
    std::vector<Cell> cells = named(row, lines);
    cells.push_back(fixed_cell(row.bits_per_value, 2));
    cells.push_back(fixed_cell(row.ratio, 2));
    cells.push_back(row.rel_mse ? number_cell(*row.rel_mse, fmt::format("{:.4f}", *row.rel_mse))
                                : text_cell(""));
    for (const double speed : {row.encode, row.decode, row.restore}) {
      cells.push_back(speed_cell(speed));
    }
    cells.push_back(number_cell(row.of_link, fmt::format("{:.0f} %", 100 * row.of_link)));
    cells.push_back(fixed_cell(row.over_bf16, 2));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

Table links_table(const ColdRun& run) {
  Table table = named_rows("links", "For which links", ColdLines::launches);
  table.note =
      "GB/s of a link. Up to the first, restoring is sooner than bf16 is there; 0: on none, as nothing is saved. "
      "From the others on it is sooner than the model's prefill; -: on none, as decoding is slower than that.";
  add_columns(table, {{"sooner than bf16 up to", "break-even link (GB/s)"}});
  for (const ColdPrefill& prefill : run.prefills) {
    add_columns(table, {{"sooner than the prefill of " + prefill.name + " from",
                         "prefill link, " + prefill.name + " (GB/s)"}});
  }
  for (const ColdRow& row : run.rows) {
    std::vector<Cell> cells = named(row, ColdLines::launches);
    cells.push_back(speed_cell(row.break_even));
    for (const ColdPrefill& prefill : run.prefills) {
      const auto at = row.prefill_links.find(prefill.name);
      const bool there = at != row.prefill_links.end() && at->second;
      cells.push_back(there ? fixed_cell(*at->second, 2) : text_cell("-"));
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

Table prefills_table(const ColdRun& run) {
  Table table = named_table("prefill", "Prefills that make the same keys and values");
  table.note =
      "Weights at random, bf16, PyTorch. Shapes are layers x hidden x FFN x heads x KV heads x head_dim.";
  table.columns = {{"model", "model", false},
                   {"shape", "shape", false},
                   {"tokens", "tokens"},
                   {"ms", "time (ms)"},
                   {"keys and values, GB/s", "keys and values (GB/s)"}};
  table.label_columns = 2;
  for (const ColdPrefill& prefill : run.prefills) {
    table.rows.push_back(
        {text_cell(prefill.name), text_cell(prefill.shape),
         number_cell(static_cast<double>(prefill.tokens), std::to_string(prefill.tokens)),
         fixed_cell(prefill.ms, 0), fixed_cell(prefill.kv_gb_per_second, 2)});
  }
  return table;
}

// A row a codec, in the order of the run: the best of its launches in everything.
std::vector<ColdRow> best_launches(const ColdRun& run) {
  std::vector<ColdRow> found;
  for (const ColdRow& row : run.rows) {
    const auto same = std::find_if(found.begin(), found.end(), [&](const ColdRow& other) {
      return other.library == row.library && other.codec == row.codec;
    });
    if (same == found.end()) {
      found.push_back(row);
      continue;
    }
    for (double ColdRow::*const speed : {&ColdRow::encode, &ColdRow::decode, &ColdRow::restore,
                                         &ColdRow::of_link, &ColdRow::over_bf16}) {
      (*same).*speed = std::max((*same).*speed, row.*speed);
    }
  }
  return found;
}

Chart chart_of(const ColdRun& run, const std::vector<ColdRow>& rows) {
  Chart chart;
  chart.name = "cold";
  chart.title = "A cold tier: whole caches to bf16";
  chart.subtitle = fmt::format("{}; {}", run.device, run.cache);
  chart.x_label = "bytes of bf16 over bytes packed";
  chart.y_label = "10^9 bytes of bf16 a second";
  chart.floors = true;
  double most = 1;
  for (const ColdRow& row : rows) most = std::max(most, row.ratio);
  ChartLine link{"what the host link allows", 2, {}};
  constexpr int kSteps = 24;
  for (int step = 0; step <= kSteps; ++step) {
    const double x = 1 + (most + 0.2 - 1) * step / kSteps;
    link.points.emplace_back(x, run.to_device * x);
  }
  Looks looks;
  for (const bool restored : {false, true}) {
    ChartPanel panel;
    panel.title = restored ? "restored from host memory" : "decoded on the device";
    for (const ColdRow& row : rows) {
      const double y = restored ? row.restore : row.decode;
      const bool ours = row.library == "kakeya";
      const std::string name = ours ? row.codec : row.library + " " + row.codec;
      const Look look = ours ? looks.of(row.codec) : looks.of(row.library, name);
      panel.series.push_back({name, look.colour, look.marker, {{row.ratio, y, y, y, ""}}});
    }
    panel.references.push_back(link);
    chart.panels.push_back(std::move(panel));
  }
  return chart;
}

}  // namespace

Document make_cold_report(const ColdRun& run) {
  if (run.rows.empty()) throw InputError("cold tier report: expected at least one result");
  const std::vector<ColdRow> best = best_launches(run);
  const std::vector<std::string> head = {
      "# A cold tier on a GPU: " + run.device,
      fmt::format(
          "{}. {}. Plain copies: {:.1f} GB/s from the host, {:.1f} to it, {:.0f} within the device, read and "
          "written.",
          run.cache, run.made_with, run.to_device, run.to_host, run.within_device)};
  Document out;
  out.charts.push_back(chart_of(run, best));
  for (const std::string& text : head) out.paragraph(text);
  out.table(speeds_table(run, run.rows, ColdLines::launches, "Packed and back"), "##");
  out.table(links_table(run), "##");
  out.table(prefills_table(run), "##");
  out.put_behind({head,
                  out.charts.front().name,
                  {},
                  speeds_table(run, best, ColdLines::codecs, "Packed and back, codec by codec"),
                  ""});
  return out;
}

}  // namespace kakeya

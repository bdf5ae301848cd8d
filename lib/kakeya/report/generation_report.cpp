// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/generation_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "kakeya/core/error.h"
#include "kakeya/report/charts.h"
#include "kakeya/report/dump_table.h"
#include "kakeya/report/looks.h"
#include "kakeya/report/number.h"

namespace kakeya {
namespace {

constexpr double kMega = 1e6;
constexpr std::size_t kScreenRows = 30;  // of all tables of one screen

const GenerationSpeed* bf16_of(const GenerationSpeeds& speeds, const GenerationSpeed& like) {
  const auto at =
      std::find_if(speeds.rows.begin(), speeds.rows.end(), [&](const GenerationSpeed& row) {
        return row.codec == "identity" && row.context == like.context && row.batch == like.batch;
      });
  return at == speeds.rows.end() ? nullptr : &*at;
}

Cell share_cell(const GenerationSpeed* bf16, double ours, double GenerationSpeed::*of) {
  if (bf16 == nullptr || bf16->*of == 0) return text_cell("-");
  const double share = ours / bf16->*of;
  return number_cell(share, fmt::format("{:.2f}", share));
}

Cell number(double value) { return number_cell(value, significant(value)); }

// Of each codec a line over the contexts, a panel a batch that has several.
template <typename Value>
Chart over_contexts(const GenerationSpeeds& speeds, const Value& value) {
  Chart chart;
  chart.subtitle =
      fmt::format("{}, {}, {} thread{}{}", speeds.model, speeds.dtype, speeds.threads,
                  speeds.threads == 1 ? "" : "s", speeds.packed_sums ? ", packed sums" : "");
  chart.x_label = "context, log2 of tokens";
  chart.logarithmic = false;
  std::set<std::size_t> batches;
  for (const GenerationSpeed& row : speeds.rows) batches.insert(row.batch);
  Looks looks;
  for (const std::size_t batch : batches) {
    ChartPanel panel;
    panel.title = fmt::format("batch {}", batch);
    for (const GenerationSpeed& row : speeds.rows) {
      if (row.batch != batch) continue;
      const std::string name = without_profiles(row.codec);
      auto series = std::find_if(panel.series.begin(), panel.series.end(),
                                 [&](const ChartSeries& each) { return each.name == name; });
      if (series == panel.series.end()) {
        const Look look = looks.of(name);
        panel.series.push_back({name, look.colour, look.marker, {}});
        series = panel.series.end() - 1;
      }
      const double y = value(row);
      series->points.push_back({std::log2(static_cast<double>(row.context)), y, y, y, ""});
    }
    const bool line = panel.series.front().points.size() > 1;
    if (line || batch == *batches.begin()) chart.panels.push_back(std::move(panel));
  }
  return chart;
}

}  // namespace

Table generation_table(const GenerationSpeeds& speeds) {
  Table table = named_table("generation", "Decoding over caches that live packed");
  table.note =
      "tokens/s: of all sequences together, the median over turns that the codecs took one after "
      "another; per CPU second: the same over the time of all threads, which a busy machine does not "
      "disturb; of bf16: beside `identity` of the same context and batch. live: bytes that the cache has "
      "allocated at the end; peak: the most after any step. Process: resident memory at its peak, model "
      "and the caches of all codecs of the line's context and batch together.";
  table.label_columns = 3;
  table.columns = {{"codec", "codec", false},
                   {"context", "context"},
                   {"batch", "batch"},
                   {"first token, s", "first token (s)"},
                   {"tokens/s", "tokens (1/s)"},
                   {"of bf16", "tokens/s of bf16"},
                   {"per CPU second", "tokens (1/CPU s)"},
                   {"of bf16", "tokens per CPU second of bf16"},
                   {"live, MB", "live (MB)"},
                   {"of bf16", "live of bf16"},
                   {"peak, MB", "peak (MB)"},
                   {"process, MB", "process (MB)"}};
  for (const GenerationSpeed& row : speeds.rows) {
    const GenerationSpeed* const bf16 = bf16_of(speeds, row);
    const double live = row.live_bytes / row.bf16_bytes;
    table.rows.push_back(
        {text_cell(fmt::format("`{}`", without_profiles(row.codec))),
         text_cell(grouped(row.context)), text_cell(grouped(row.batch)),
         number(row.first_token_seconds), number(row.tokens_per_second),
         share_cell(bf16, row.tokens_per_second, &GenerationSpeed::tokens_per_second),
         number(row.tokens_per_cpu_second),
         share_cell(bf16, row.tokens_per_cpu_second, &GenerationSpeed::tokens_per_cpu_second),
         number(row.live_bytes / kMega), number_cell(live, fmt::format("{:.3f}", live)),
         number(row.peak_live_bytes / kMega), number(row.peak_process_bytes / kMega)});
  }
  return table;
}

namespace {

// Tokens a second: on a CPU of CPU time, which a busy machine does not disturb; with a GPU as a user sees it.
struct Speed {
  double GenerationSpeed::*of;
  const char *title, *chart, *unit;
};

Speed speed_of(const GenerationSpeeds& speeds) {
  if (speeds.device.starts_with("cpu")) {
    return {&GenerationSpeed::tokens_per_cpu_second, "Tokens a second of CPU time",
            "Tokens decoded a second of CPU time", "tokens / CPU second"};
  }
  return {&GenerationSpeed::tokens_per_second, "Tokens a second", "Tokens decoded a second",
          "tokens / second"};
}

const char* how_caches_are_read(const GenerationSpeeds& speeds) {
  if (speeds.packed_sums) return " Attention adds up what is packed, but of `identity`.";
  if (!speeds.device.starts_with("cuda")) return "";
  return speeds.caches_on_gpu
             ? " Caches are on the GPU, whose attention reads the pages as they are packed, keys after RoPE."
             : " Codecs and caches are on the host, whose threads decode the pages.";
}

// How fast the memory is in which caches live; of runs that did not measure it nothing.
std::string copies(const GenerationSpeeds& speeds) {
  double least = 0, most = 0;
  for (const GenerationSpeed& row : speeds.rows) {
    if (!row.copy_gb_per_second) return "";
    const double copy = *row.copy_gb_per_second;
    least = least == 0 ? copy : std::min(least, copy);
    most = std::max(most, copy);
  }
  return fmt::format(" A copy within the memory of the caches reads and writes {} to {} GB/s.",
                     significant(least), significant(most));
}

// Codec by codec, a column for each context and batch: what one screen has in place of both tables.
Table overview_table(const GenerationSpeeds& speeds) {
  const auto speed = speed_of(speeds).of;
  Table table = named_table("overview", speed_of(speeds).title);
  table.note =
      "Of all sequences together; columns are context x batch. Live: bytes of the cache beside bf16's at "
      "the longest context.";
  table.columns = {{"codec", "codec", false}};
  std::vector<std::pair<std::size_t, std::size_t>> cells;
  std::vector<std::string> codecs;
  std::size_t longest = 0;
  for (const GenerationSpeed& row : speeds.rows) {
    const std::pair cell{row.context, row.batch};
    if (std::find(cells.begin(), cells.end(), cell) == cells.end()) cells.push_back(cell);
    if (std::find(codecs.begin(), codecs.end(), row.codec) == codecs.end())
      codecs.push_back(row.codec);
    longest = std::max(longest, row.context);
  }
  std::sort(cells.begin(), cells.end());
  for (const auto& [context, batch] : cells) {
    const std::string name = fmt::format("{} x {}", grouped(context), batch);
    table.columns.push_back({name, name});
  }
  table.columns.push_back({"live", "live of bf16"});
  for (const std::string& codec : codecs) {
    std::vector<Cell> line = {text_cell(fmt::format("`{}`", without_profiles(codec)))};
    Cell live = text_cell("-");
    for (const auto& cell : cells) {
      const auto at = std::find_if(speeds.rows.begin(), speeds.rows.end(), [&](const auto& row) {
        return row.codec == codec && std::pair{row.context, row.batch} == cell;
      });
      line.push_back(at == speeds.rows.end() ? text_cell("-") : number((*at).*speed));
      if (at == speeds.rows.end() || at->context != longest) continue;
      const double share = at->live_bytes / at->bf16_bytes;
      live = number_cell(share, fmt::format("{:.3f}", share));
    }
    line.push_back(live);
    table.rows.push_back(std::move(line));
  }
  return table;
}

}  // namespace

Table fitting_table(const GenerationSpeeds& speeds) {
  Table table = named_table("fitting", "The most sequences that fit");
  table.note = "Prefilled and held, of different texts, until the cache had allocated more.";
  table.label_columns = 2;
  table.columns = {{"codec", "codec", false},
                   {"context", "context"},
                   {"memory, MB", "memory (MB)"},
                   {"sequences", "sequences"},
                   {"live, MB", "live (MB)"}};
  for (const GenerationFit& fit : speeds.fits) {
    table.rows.push_back({text_cell(fmt::format("`{}`", without_profiles(fit.codec))),
                          text_cell(grouped(fit.context)), number(fit.limit_bytes / kMega),
                          number_cell(static_cast<double>(fit.batch), grouped(fit.batch)),
                          number(fit.live_bytes / kMega)});
  }
  return table;
}

Document make_generation_report(const GenerationSpeeds& speeds, const Provenance& measured) {
  if (speeds.rows.empty()) throw InputError("generation report: expected at least one result");
  Document out;
  const Speed shown_speed = speed_of(speeds);
  Chart speed =
      over_contexts(speeds, [&](const GenerationSpeed& row) { return row.*shown_speed.of; });
  speed.name = "tokens_per_second";
  speed.title = shown_speed.chart;
  speed.y_label = shown_speed.unit;
  Chart bytes = over_contexts(speeds, [](const GenerationSpeed& row) {
    return row.live_bytes / static_cast<double>(row.batch) / static_cast<double>(row.context) / 1e3;
  });
  bytes.name = "live_bytes";
  bytes.title = "Live bytes of the cache";
  bytes.y_label = "kB / token";
  const std::string title = "# Decoding from packed pages: " + speeds.model,
                    how = fmt::format("{}, {}, {} thread{}.", speeds.device, speeds.dtype,
                                      speeds.threads, speeds.threads == 1 ? "" : "s") +
                          how_caches_are_read(speeds) + copies(speeds);
  out.paragraph(title);
  out.paragraph(how + " Full precision: [results.csv](results.csv).");
  for (Chart* const chart : {&speed, &bytes}) {
    out.paragraph(fmt::format("![{}]({}.svg)", chart->title, chart->name));
    out.charts.push_back(std::move(*chart));
  }
  out.table(generation_table(speeds), "##");
  out.table(fitting_table(speeds), "##");
  if (speeds.rows.size() + speeds.fits.size() > kScreenRows) {
    out.put_behind(
        {{title, how}, "tokens_per_second", {}, overview_table(speeds), made_by_line(measured)});
  } else {
    out.paragraph(made_by_line(measured));
  }
  return out;
}

}  // namespace kakeya

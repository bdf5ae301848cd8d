// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/position_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "kakeya/codec/cache_codecs.h"
#include "kakeya/core/error.h"
#include "kakeya/measure/by_position.h"
#include "kakeya/report/charts.h"
#include "kakeya/report/dump_table.h"
#include "kakeya/report/looks.h"
#include "kakeya/report/noise_floor.h"
#include "kakeya/report/number.h"
#include "kakeya/report/provenance_text.h"
#include "kakeya/stats/interval.h"

namespace kakeya {
namespace {

/// What a codec or a control does to one window.
struct WindowLosses {
  int window = 0;
  std::span<const PositionSample> positions;
};

/// Of one octave, an entry a window.
struct Windows {
  std::vector<int> numbers;
  std::vector<double> weights, kld, nll_change;
  double kept = 0;
  std::uint64_t tokens = 0, first = 0;

  void add(int window, const PositionSample& of) {
    first = numbers.empty() ? of.first : std::min(first, of.first);
    numbers.push_back(window);
    const auto count = static_cast<double>(of.tokens);
    weights.push_back(count);
    kld.push_back(of.kld);
    nll_change.push_back(of.nll - of.nll_reference);
    kept += count * of.top1;
    tokens += of.tokens;
  }
};

/// What the last octave loses over what this one does, in windows that have both.
Cell growth_of(const Windows& last, const Windows& here) {
  std::vector<double> far, near;
  for (std::size_t i = 0; i < here.numbers.size(); ++i) {
    const auto at = std::find(last.numbers.begin(), last.numbers.end(), here.numbers[i]);
    if (at == last.numbers.end()) continue;
    far.push_back(last.kld[static_cast<std::size_t>(at - last.numbers.begin())]);
    near.push_back(here.kld[i]);
  }
  return ratio_cell(far, near);
}

std::vector<OctaveLosses> octaves_of(std::span<const WindowLosses> all, const SweepPlan& plan) {
  const auto length = static_cast<std::uint64_t>(plan.context + plan.scored);
  std::map<std::uint64_t, Windows> octaves;  // by the position behind them
  for (const WindowLosses& each : all) {
    for (const PositionSample& of : each.positions)
      octaves[end_of_octave(of.first)].add(each.window, of);
  }
  std::vector<OctaveLosses> losses;
  for (const auto& [end, windows] : octaves) {
    const std::uint64_t first = windows.first;
    losses.push_back({first, (length > first ? std::min(end, length) : end) - 1, windows.tokens,
                      weighted_t_interval(windows.kld, windows.weights),
                      weighted_t_interval(windows.nll_change, windows.weights),
                      windows.kept / static_cast<double>(windows.tokens),
                      growth_of(octaves.rbegin()->second, windows)});
  }
  return losses;
}

void require_zero(const Sample& sample, const std::string& source) {
  for (const PositionSample& of : sample.positions) {
    if (of.kld == 0 && of.nll == of.nll_reference) continue;
    throw InputError(fmt::format(
        "{}: identity, window {}: a KL divergence of {} from position {} on: expected exactly 0",
        source, sample.key.passage, of.kld, of.first));
  }
}

/// Behind the codecs of a folder, whose last one is `all`'s: the controls of their windows.
void add_controls(const StoredResults& stored, std::span<const int> windows,
                  std::vector<PositionLosses>& all) {
  const PositionLosses codec = all.back();
  std::vector<std::string> order;
  std::map<std::string, std::vector<WindowLosses>> of_control;
  for (const ControlSample& sample : stored.controls) {
    if (sample.positions.empty() || !std::ranges::binary_search(windows, sample.passage)) continue;
    std::vector<WindowLosses>& of = of_control[sample.control];
    if (of.empty()) order.push_back(sample.control);
    of.push_back({sample.passage, sample.positions});
  }
  for (const std::string& control : order) {
    std::vector<WindowLosses>& of = of_control[control];
    std::ranges::sort(of, {}, &WindowLosses::window);
    all.push_back({codec.source, codec.mode, "nothing coded: " + control_text(control), control,
                   &stored, of.size(), codec.seen, octaves_of(of, stored.plan)});
  }
}

void add_codecs(const StoredResults& stored, const std::string& source,
                std::vector<PositionLosses>& all) {
  using Specs = std::pair<std::string, std::string>;
  const Sample* old = nullptr;  // of a version that kept no means by position
  std::vector<Specs> order;
  std::map<Specs, std::vector<const Sample*>> samples;
  std::set<int> all_windows;
  for (const Sample& sample : stored.samples) {
    if (sample.positions.empty()) {
      old = &sample;
      continue;
    }
    all_windows.insert(sample.key.passage);
    const Specs specs{sample.key.codec_k, sample.key.codec_v};
    if (specs == Specs{"identity", "identity"}) {
      require_zero(sample, source);
      continue;
    }
    if (samples[specs].empty()) order.push_back(specs);
    samples[specs].push_back(&sample);
  }
  if (order.empty()) {
    throw InputError(
        stored.folder +
        ": no codec with means by position: expected a folder of kakeya-perplexity --codec --out");
  }
  if (old != nullptr) {
    throw InputError(fmt::format(
        "{}: {}, window {}: without means by position, which other samples here have: expected "
        "samples of one version, so measure the text anew into another folder",
        stored.folder, CodecPair{old->key.codec_k, old->key.codec_v}.label(), old->key.passage));
  }
  std::map<int, std::size_t> have;
  for (const auto& [specs, of] : samples) {
    for (const Sample* sample : of) ++have[sample->key.passage];
  }
  std::vector<int> windows;  // the same of each
  for (const Specs& specs : order) {
    std::vector<const Sample*>& of = samples[specs];
    std::erase_if(of, [&](const Sample* s) { return have[s->key.passage] < order.size(); });
    if (of.empty())
      throw InputError(stored.folder + ": no window on which all codecs are finished");
    std::sort(of.begin(), of.end(),
              [](const Sample* a, const Sample* b) { return a->key.passage < b->key.passage; });
    std::vector<WindowLosses> losses;
    windows.clear();
    for (const Sample* sample : of) {
      losses.push_back({sample->key.passage, sample->positions});
      windows.push_back(sample->key.passage);
    }
    all.push_back({source,
                   of.front()->key.mode,
                   CodecPair{specs.first, specs.second}.label(),
                   {},
                   &stored,
                   of.size(),
                   all_windows.size(),
                   octaves_of(losses, stored.plan)});
  }
  add_controls(stored, windows, all);
}

Table table_of(const PositionLosses& codec) {
  Table table = named_table("positions", fmt::format("{}, {}", codec.source, codec.label));
  table.source = codec.source;
  table.mode = codec.mode;
  table.label_columns = 2;
  table.columns = {{"", "codec", false},
                   {"positions", "positions"},
                   {"windows", "windows"},
                   {"tokens", "scored tokens"},
                   {"KL, nats", "kld_mean (nats)"},
                   {"ΔNLL, nats", "nll - nll_reference (nats)"},
                   {"last octave's KL over this", "log2 (kld of last octave / kld)"},
                   {"top-1", "top1"}};
  for (const OctaveLosses& octave : codec.octaves) {
    table.rows.push_back(
        {text_cell(codec.label),
         text_cell(fmt::format("{}–{}", grouped(octave.first), grouped(octave.last))),
         number_cell(static_cast<double>(octave.kld.count), std::to_string(octave.kld.count)),
         number_cell(static_cast<double>(octave.tokens), grouped(octave.tokens)),
         interval_cell(octave.kld, with_interval(octave.kld)),
         interval_cell(octave.nll_change, with_interval(octave.nll_change, true)),
         &octave == &codec.octaves.back() ? text_cell("") : octave.growth,
         number_cell(octave.top1, fmt::format("{:.1f} %", 100 * octave.top1))});
  }
  return table;
}

std::string windows_text(const PositionLosses& codec) {
  const char* const windows = codec.windows == 1 ? "window" : "windows";
  if (codec.windows == codec.seen) return fmt::format("{} {}", codec.windows, windows);
  return fmt::format("{} of {} windows (not all codecs have finished the others)", codec.windows,
                     codec.seen);
}

constexpr std::size_t kBefore[] = {1, 3, 5};  // octaves before the last that the front compares

/// A line a codec: what its last octave loses, and over what octaves before it lose.
Table last_octaves_table(std::span<const PositionLosses> codecs) {
  Table table = named_table("last octaves", "The last octave of positions");
  table.label_columns = 2;
  table.columns = {{"of", "source", false},    {"codec", "codec", false},
                   {"positions", "positions"}, {"windows", "windows"},
                   {"KL, nats", "kld_mean"},   {"ΔNLL, nats", "nll_change"}};
  for (const std::size_t before : kBefore) {
    table.columns.push_back({fmt::format("KL over that {} before", before), ""});
  }
  table.note =
      "The last columns: the last octave's KL divergence over that of the octave so many before it, "
      "a geometric mean with its 95 % interval.";
  for (const PositionLosses& codec : codecs) {
    const OctaveLosses& last = codec.octaves.back();
    std::vector<Cell> row = {
        text_cell(codec.source),
        text_cell(codec.label),
        text_cell(fmt::format("{}–{}", grouped(last.first), grouped(last.last))),
        text_cell(std::to_string(last.kld.count)),
        interval_cell(last.kld, with_interval(last.kld)),
        interval_cell(last.nll_change, with_interval(last.nll_change, true))};
    for (const std::size_t before : kBefore) {
      row.push_back(before < codec.octaves.size()
                        ? codec.octaves[codec.octaves.size() - 1 - before].growth
                        : text_cell("-"));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// Which codecs surely lose more in the last octave than in the one five before.
std::string growth_text(std::span<const PositionLosses> codecs) {
  std::vector<std::string> grown;
  std::size_t compared = 0;
  for (const PositionLosses& codec : codecs) {
    if (!codec.control.empty() || codec.octaves.size() <= kBefore[2]) continue;
    const OctaveLosses& then = codec.octaves[codec.octaves.size() - 1 - kBefore[2]];
    if (!then.growth.value || !then.growth.half_width) continue;
    ++compared;
    if (*then.growth.value > *then.growth.half_width) {
      grown.push_back(fmt::format("`{}` {} since position {}", codec.label, then.growth.text,
                                  grouped(then.first)));
    }
  }
  if (compared == 0) return "";
  return fmt::format(
      "Of {} codecs {} surely lose more KL divergence in the last octave than five octaves before "
      "it{}.",
      compared, grown.empty() ? "none" : std::to_string(grown.size()),
      grown.empty() ? "" : fmt::format(": {}", fmt::join(grown, "; ")));
}

/// The middle of its positions on a logarithmic axis.
double place_of(const OctaveLosses& octave) {
  return (std::log2(static_cast<double>(octave.first)) +
          std::log2(static_cast<double>(octave.last + 1))) /
         2;
}

std::string title_of_panel(const PositionLosses& codec) {
  return fmt::format("{}, {}", codec.results->plan.origin.model.name, codec.source);
}

/// The controls of panels that have codecs, as broken lines; not those below kLowestFloor.
void add_control_lines(Chart& chart, std::span<const PositionLosses> codecs) {
  std::vector<std::string> names;  // a control has the same dashes in every panel
  for (const PositionLosses& codec : codecs) {
    if (codec.control.empty()) continue;
    const auto panel = std::ranges::find(chart.panels, title_of_panel(codec), &ChartPanel::title);
    if (panel == chart.panels.end()) continue;
    const auto known = std::ranges::find(names, codec.label);
    const auto dash = static_cast<int>(known - names.begin()) + 2;
    if (known == names.end()) names.push_back(codec.label);
    ChartLine line{codec.label, dash, {}};
    for (const OctaveLosses& octave : codec.octaves) {
      if (octave.kld.mean > 0) line.points.emplace_back(place_of(octave), octave.kld.mean);
    }
    double least = std::numeric_limits<double>::infinity(), most = 0;
    for (const ChartSeries& series : panel->series) {
      for (const ChartPoint& point : series.points) least = std::min(least, point.y);
    }
    for (const auto& [place, kld] : line.points) most = std::max(most, kld);
    if (line.points.empty() || most < kLowestFloor * least) continue;
    chart.floors = true;
    panel->references.push_back(std::move(line));
  }
}

Chart chart_of(std::span<const PositionLosses> codecs) {
  Chart chart;
  chart.name = "positions";
  chart.title = "KL divergence against the position in the window";
  chart.subtitle =
      "means of octaves (1 to 63, 64 to 127, 128 to 255, ...); 95 % intervals over windows";
  chart.x_label = "position";
  chart.y_label = "KL divergence, nats";
  chart.x_is_log2 = true;
  Looks looks;
  for (const PositionLosses& codec : codecs) {
    if (!codec.control.empty()) continue;
    const Look look = looks.of(codec.label);
    ChartSeries series{codec.label, look.colour, look.marker, {}};
    for (const OctaveLosses& octave : codec.octaves) {
      const Interval& kld = octave.kld;
      if (!(kld.mean > 0)) continue;  // no place on a logarithmic axis
      const double half = std::isfinite(kld.half_width) ? kld.half_width : 0;
      series.points.push_back({place_of(octave), kld.mean, kld.mean - half, kld.mean + half, ""});
    }
    if (series.points.empty()) continue;
    const std::string title = title_of_panel(codec);
    if (chart.panels.empty() || chart.panels.back().title != title)
      chart.panels.emplace_back().title = title;
    chart.panels.back().series.push_back(std::move(series));
  }
  add_control_lines(chart, codecs);
  return chart;
}

/// Of each folder: controls that an older version measured, without means by position.
std::vector<std::string> left_out(std::span<const PositionLosses> codecs) {
  std::vector<std::string> said;
  const StoredResults* last = nullptr;
  for (const PositionLosses& codec : codecs) {
    if (std::exchange(last, codec.results) == codec.results) continue;
    const auto old = std::ranges::count_if(codec.results->controls,
                                           [](const auto& of) { return of.positions.empty(); });
    if (old == 0) continue;
    said.push_back(fmt::format(
        "{}: {} controls have no means by position, as an older version measured them, and are left "
        "out: measure the noise floor anew into another folder.",
        codec.source, old));
  }
  return said;
}

}  // namespace

std::vector<PositionLosses> losses_by_position(std::span<const StoredResults> results) {
  std::vector<PositionLosses> all;
  for (const StoredResults& stored : results)
    add_codecs(stored, display_name(stored.folder, results), all);
  return all;
}

std::vector<Table> position_tables(std::span<const PositionLosses> codecs) {
  std::vector<Table> tables;
  for (const PositionLosses& codec : codecs) tables.push_back(table_of(codec));
  return tables;
}

Document make_position_report(std::span<const PositionLosses> codecs, const Provenance& self) {
  Document out;
  const std::vector<std::string> head = {
      "# What a coded cache does, by position in the window",
      "KL divergence of a model's predictions from those with a bf16 cache, and what the negative "
      "log-likelihood gains, by octaves of the predicted token's position. ΔNLL and the ratio of KL "
      "divergences, a geometric mean, are paired, window by window; intervals are 95 % Student-t "
      "over windows, those of means weighted with their tokens."};
  for (const std::string& text : head) out.paragraph(text);
  Chart chart = chart_of(codecs);
  if (!chart.panels.empty()) {
    out.paragraph(fmt::format("![{}]({}.svg)", chart.title, chart.name));
    out.charts.push_back(std::move(chart));
  }
  const std::vector<std::string> old = left_out(codecs);
  for (const std::string& text : old) out.paragraph(fmt::format("**{}**", text));
  const std::vector<Table> tables = position_tables(codecs);
  for (std::size_t i = 0; i < codecs.size(); ++i) {
    const StoredResults& stored = *codecs[i].results;
    out.table(
        tables[i], "##",
        fmt::format("{}; {}, {} of {} tokens, {}", stored.plan.origin.model.name,
                    stored.plan.origin.text.name, windows_text(codecs[i]),
                    grouped(static_cast<std::uint64_t>(stored.plan.context + stored.plan.scored)),
                    commits_text(stored)));
  }
  FrontPage front{head, "", old, last_octaves_table(codecs), made_by_line(self)};
  if (!out.charts.empty()) front.chart = out.charts.front().name;
  if (std::string text = growth_text(codecs); !text.empty()) front.says.push_back(std::move(text));
  out.put_behind(front);
  return out;
}

}  // namespace kakeya

// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/codec_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "kakeya/report/number.h"
#include "kakeya/stats/holm.h"
#include "kakeya/stats/paired.h"
#include "kakeya/stats/rate_distortion.h"

namespace kakeya {
namespace {

void add_codec_columns(Table& table, BitsOf bits_of) {
  table.columns = {{"codec", "codec", false}};
  add_rate_columns(table, "", bits_of);
  table.columns.push_back(bits_of == BitsOf::coded_values
                              ? whole_cache_column()
                              : Column{"coded values' bits", "real_bits_per_value (written)"});
  table.columns.push_back({"n", "passages"});
}

std::vector<Cell> codec_cells(const CodecResult& codec) {
  std::vector<Cell> row = {text_cell(codec.label)};
  add_rate_cells(row, codec.rates);
  row.push_back(codec.bits_of == BitsOf::coded_values ? whole_cache_cell(codec)
                                                      : rate_cell(codec.coded_bits));
  const auto passages = codec.samples.size();
  row.push_back(number_cell(static_cast<double>(passages), std::to_string(passages)));
  return row;
}

/// What the rates of a row are, the whole cache's beside the coded values' among them.
std::string codec_rates_note(const ResultGroup& group) {
  const std::string note = rates_note(group.bits_of);
  return group.bits_of == BitsOf::whole_cache ? note : fmt::format("{} {}", note, kWholeCacheNote);
}

const char* mark(Standing standing) {
  switch (standing) {
    case Standing::front:
      return "**front**";
    case Standing::unresolved:
      return "unresolved";
    case Standing::dominated:
      return "";
  }
  return "";
}

// Those that every sample of the group has: samples may be older than a metric.
std::vector<const Metric*> metrics_of(const ResultGroup& group) {
  std::vector<const Metric*> list;
  for (const Metric& each : metrics()) {
    const auto has = [&](const Sample* sample) { return each.value(*sample).has_value(); };
    const bool all = std::all_of(group.codecs.begin(), group.codecs.end(), [&](const auto& codec) {
      return std::all_of(codec.samples.begin(), codec.samples.end(), has);
    });
    if (all) list.push_back(&each);
  }
  return list;
}

std::string notes_of(const std::vector<const Metric*>& shown) {
  std::string notes;
  for (const Metric* each : shown) {
    if (!each->note.empty()) notes.append("; ").append(each->note);
  }
  return notes;
}

}  // namespace

std::vector<Standing> standings(const ResultGroup& group, const Metric& metric) {
  const std::vector<OperatingPoint> points = operating_points(group, metric);
  // Every pair in which one point costs no more and loses less by the means is tested, and all
  // tests are corrected together: with a correction for none, a point that many others seem to beat
  // is soon beaten by luck.
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> tests;
  std::vector<double> p_values;
  for (std::size_t a = 0; a < points.size(); ++a) {
    for (std::size_t b = 0; b < points.size(); ++b) {
      if (points[a].rate > points[b].rate || !(points[a].loss < points[b].loss)) continue;
      const std::vector<int> common = common_passages(group.codecs[a], group.codecs[b]);
      if (common.size() < 2) continue;
      const PairedDifference paired = paired_difference(series(group.codecs[a], metric, common),
                                                        series(group.codecs[b], metric, common));
      if (paired.difference.mean >= 0) continue;  // over fewer passages than the points are of
      tests[{a, b}] = p_values.size();
      p_values.push_back(paired.p_value);
    }
  }
  const std::vector<double> adjusted = holm_adjusted(p_values);
  return pareto_standing(points, [&](std::size_t a, std::size_t b) {
    const auto at = tests.find({a, b});
    return at != tests.end() && adjusted[at->second] < 0.05;
  });
}

Table codec_table(const ResultGroup& group) {
  Table table = group_table(group, "codecs", "Every codec");
  const std::vector<const Metric*> shown = metrics_of(group);
  table.note = fmt::format(
      "{} ± : half width of the 95 % Student-t interval of the mean over passages (n). KL p99: 99 "
      "% of the scored tokens of all passages lose no more; KL max: none does{}. Pareto, on "
      "(measured bits, KL divergence): *front*: nothing else costs less and loses less; "
      "*unresolved*: something is better by the means, but not surely (paired over passages, 5 %, "
      "corrected for the number of pairs compared by Holm's rule); empty: surely beaten.",
      codec_rates_note(group), notes_of(shown));
  add_codec_columns(table, group.bits_of);
  for (const Metric* each : shown) {
    table.columns.push_back(
        {std::string(each->heading), fmt::format("{} ({})", each->name, each->unit), true});
  }
  table.columns.push_back({"Pareto", "standing", false});
  const std::vector<Standing> standing = standings(group, metric("kld_mean"));
  for (std::size_t i = 0; i < group.codecs.size(); ++i) {
    const CodecResult& codec = group.codecs[i];
    std::vector<Cell> row = codec_cells(codec);
    for (const Metric* each : shown) {
      const Interval interval = summary(codec, *each);
      row.push_back(interval_cell(interval, metric_text(*each, interval)));
    }
    row.push_back(text_cell(mark(standing[i])));
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table distortion_table(const ResultGroup& group) {
  Table table = group_table(group, "distortion", "Every codec");
  table.note = fmt::format(
      "{} rel-MSE: sum of squared errors / sum of squares, mean over coded layers. Gap: distance "
      "above the Shannon bound 2^(-2R) of white Gaussian data at the measured bits R of the coded values, dB (0.1 bit "
      "is 0.6 dB); below 0 where the data are easier than white Gaussian. ± : half width of the 95 "
      "% Student-t interval of the mean over passages (n).",
      codec_rates_note(group));
  add_codec_columns(table, group.bits_of);
  for (const char* part : {"K", "V"}) {
    const std::string lower = part == std::string("K") ? "k" : "v";
    table.columns.push_back(
        {fmt::format("rel-MSE {}", part), fmt::format("rel_mse_{} (1)", lower)});
    table.columns.push_back(
        {fmt::format("gap {}, dB", part), fmt::format("shannon_gap_{} (dB)", lower)});
    table.columns.push_back({fmt::format("cosine {}", part), fmt::format("cosine_{} (1)", lower)});
  }
  for (const CodecResult& codec : group.codecs) {
    std::vector<Cell> row = codec_cells(codec);
    for (const char* part : {"k", "v"}) {
      const Interval rel_mse = summary(codec, metric(fmt::format("rel_mse_{}", part)));
      row.push_back(interval_cell(rel_mse, with_interval(rel_mse)));
      const double gap = shannon_gap_db(rel_mse.mean, codec.coded_bits);
      row.push_back(rel_mse.mean > 0 ? fixed_cell(gap, 2) : text_cell("exact"));
      const Metric& cosine = metric(fmt::format("cosine_{}", part));
      const Interval mean = summary(codec, cosine);
      row.push_back(interval_cell(mean, metric_text(cosine, mean)));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace kakeya

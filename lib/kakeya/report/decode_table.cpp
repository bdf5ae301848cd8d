// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/decode_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kakeya/report/number.h"
#include "kakeya/stats/interval.h"

namespace kakeya {
namespace {

/// Share of a setting's coded values in pages that were not full at the end of a passage.
double open_share(const CodecResult& codec) {
  double open = 0, values = 0;
  for (const Sample* sample : codec.samples) {
    values += static_cast<double>(sample->values);
    if (sample->open_page) open += static_cast<double>(sample->open_page->values);
  }
  return open / values;
}

}  // namespace

Table decode_table(const ResultGroup& group, std::span<const ResultGroup> groups) {
  Table table = group_table(group, "decode", "Decoding beside the forward at once");
  if (group.mode != "decode") return table;
  const auto at_once = std::find_if(groups.begin(), groups.end(), [&](const ResultGroup& other) {
    return other.results == group.results && other.mode == "inforward";
  });
  if (at_once == groups.end()) return table;
  table.note =
      "Over the passages that both modes have. Ratio: geometric mean over them, with the 95 % "
      "Student-t interval. Open at the end: the share of the coded layers' values in pages that were not full when "
      "a passage ended, bf16 here; before, when a page had just been begun, up to a page more.";
  table.columns = {{"codec", "codec", false},
                   {"n", "passages"},
                   {"KL divergence, decode", "kld_mean in mode decode (nats)"},
                   {"in-forward", "kld_mean in mode inforward (nats)"},
                   {"ratio", "log2(kld_mean in mode decode / in mode inforward), paired"},
                   {"whole-cache bits, decode", "whole_cache_bits_per_value in mode decode"},
                   {"in-forward", "whole_cache_bits_per_value in mode inforward"},
                   {"open at the end, %", "share of coded values in open pages in mode decode"}};
  const Metric& kld = metric("kld_mean");
  for (const CodecResult& codec : group.codecs) {
    const auto same = std::find_if(at_once->codecs.begin(), at_once->codecs.end(),
                                   [&](const CodecResult& c) { return c.label == codec.label; });
    if (same == at_once->codecs.end() || codec.identity()) continue;
    const std::vector<int> common = common_passages(codec, *same);
    if (common.empty()) continue;
    const std::vector<double> here = series(codec, kld, common), there = series(*same, kld, common);
    std::vector<Cell> row = {text_cell(codec.label), number_cell(static_cast<double>(common.size()),
                                                                 std::to_string(common.size()))};
    for (const auto* values : {&here, &there}) {
      const Interval of = t_interval(*values);
      row.push_back(interval_cell(of, metric_text(kld, of)));
    }
    row.push_back(ratio_cell(here, there));
    row.push_back(whole_cache_cell(codec));
    row.push_back(whole_cache_cell(*same));
    const double open = open_share(codec);
    row.push_back(number_cell(open, fmt::format("{:.1f}", 100 * open)));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace kakeya

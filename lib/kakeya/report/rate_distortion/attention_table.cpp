// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/rate_distortion/attention_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "kakeya/core/index_set.h"
#include "kakeya/report/number.h"
#include "kakeya/report/rates.h"

namespace kakeya {
namespace {

const RatePoint* point_of(std::span<const SourceResult> results, const std::string& source,
                          const std::string& spec) {
  for (const SourceResult& result : results) {
    if (result.facts.name != source) continue;
    const auto point = std::ranges::find(result.points, spec, &RatePoint::spec);
    if (point != result.points.end()) return &*point;
  }
  return nullptr;
}

std::string note_of(const AttentionResult& attention) {
  const std::size_t group =
      attention.shape.heads(Part::query) / std::max<std::size_t>(1, attention.shape.heads());
  std::string note = fmt::format(
      "softmax(s q K^T) V of the captured queries over decoded K and V against captured ones (bf16), "
      "s = {}{}, causal, {} query {} a KV head. Of a query head: sum of squared differences / sum of "
      "squares over {} tokens; then the mean over {} query heads, and over {} layers; ± over {} "
      "passages, 95 %. K and V are coded together, in all these layers, each layer with the queries "
      "of the model with nothing coded: errors do not pass from a layer to the next.",
      significant(attention.scale, 4),
      attention.scale_told ? "" : " (1 / sqrt(head_dim): the dump does not say)", group,
      group == 1 ? "head" : "heads", attention.tokens, attention.shape.heads(Part::query),
      attention.layers.size(), attention.passages);
  if (!attention.windows.empty()) {
    note += fmt::format(" Queries of layers {} see their last {} tokens.",
                        IndexSet::of(attention.windows.layers).text(), attention.windows.tokens);
  } else if (!attention.scale_told) {
    note += " Every query is taken to see all tokens up to its own.";
  }
  return note;
}

std::string place_text(const AttentionResult& attention) {
  return fmt::format("K and V of {} ({})", attention.title, attention.name);
}

}  // namespace

Table attention_table(const AttentionResult& attention, std::span<const SourceResult> results) {
  Table table = named_table("attention", "Attention outputs: " + place_text(attention));
  table.source = attention.name;
  table.columns = {{"codec", "codec", false},
                   {"measured bits K", "measured_bits_per_value_k (written)"},
                   {"measured bits V", "measured_bits_per_value_v (written)"},
                   {"rel-MSE K", "rel_mse_k (1)"},
                   {"rel-MSE V", "rel_mse_v (1)"},
                   {"attention rel-MSE", "attention_rel_mse (1)"},
                   {"worst layer", "attention_rel_mse_worst_layer (1)"}};
  for (const int layer : attention.layers)
    table.columns.push_back({"", fmt::format("attention_rel_mse_layer_{} (1)", layer)});
  if (!attention.points.empty()) table.note = note_of(attention);
  for (const AttentionPoint& point : attention.points) {
    std::vector<Cell> row = {text_cell(point.spec)};
    std::vector<Cell> errors;
    for (const char* part : {"/k", "/v"}) {
      const RatePoint* const alone = point_of(results, attention.name + part, point.spec);
      row.push_back(alone ? rate_cell(alone->measured_bits_per_value()) : text_cell("-"));
      const double error = alone ? alone->distortion.rel_mse() : 0;
      errors.push_back(alone ? number_cell(error, significant(error, 4)) : text_cell("-"));
    }
    row.insert(row.end(), errors.begin(), errors.end());
    row.push_back(interval_cell(point.rel_mse, with_interval(point.rel_mse)));
    const auto worst = std::ranges::max_element(point.layers);
    const auto place = static_cast<std::size_t>(worst - point.layers.begin());
    row.push_back(number_cell(*worst, *worst == 0 ? std::string("-")
                                                  : fmt::format("{}: {}", attention.layers[place],
                                                                significant(*worst, 4))));
    for (const double error : point.layers)
      row.push_back(number_cell(error, significant(error, 4)));
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string missing_attention_text(const AttentionResult& attention) {
  return fmt::format("No attention error of {}: {}.", place_text(attention), attention.missing);
}

}  // namespace kakeya

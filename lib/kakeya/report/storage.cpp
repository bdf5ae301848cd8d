// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/storage.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "kakeya/core/error.h"
#include "kakeya/report/number.h"

namespace kakeya {

Storage cache_storage(const SweepPlan& plan, const CodecResult& codec, double tokens) {
  const double layer_values = 2.0 * plan.shape.kv_heads * plan.shape.head_dim;
  const int coded_layers = plan.policy.coded_layers();
  if (layer_values <= 0 || coded_layers <= 0) {
    throw InputError(fmt::format(
        "storage: {} layers, {} skipped at either end, {} heads of {}: expected a coded layer",
        plan.shape.layers, plan.policy.skipped_layers, plan.shape.kv_heads, plan.shape.head_dim));
  }
  // As many tokens are exact whatever the length: take them out of the measured rate and count them
  // once.
  const auto exact_tokens = static_cast<double>(plan.policy.exact_tokens());
  const double exact_values =
      coded_layers * layer_values * exact_tokens * static_cast<double>(codec.samples.size());
  double values = 0;
  for (const Sample* sample : codec.samples) values += static_cast<double>(sample->values);
  if (values <= exact_values || tokens <= exact_tokens) {
    throw InputError(fmt::format("storage: {}: {} leave nothing to code", codec.label,
                                 exact_tokens_text(plan.policy)));
  }
  const double bits = (codec.rates.measured * values - 16 * exact_values) / (values - exact_values);
  const auto add = [&](Storage& storage, double kept, double sinks, int layers, int coded) {
    const double exact = std::min(kept, sinks + plan.policy.residual_window);
    storage.bf16_bytes += kept * layers * layer_values * 2;
    storage.bytes += (kept - exact) * coded * layer_values * bits / 8 +
                     exact * coded * layer_values * 2 + kept * (layers - coded) * layer_values * 2;
  };
  const auto windowed = static_cast<int>(plan.windows.layers.size());
  const auto windowed_coded =
      static_cast<int>(std::count_if(plan.windows.layers.begin(), plan.windows.layers.end(),
                                     [&](int layer) { return plan.policy.codes(layer); }));
  Storage storage;
  add(storage, tokens, plan.policy.sinks, plan.shape.layers - windowed,
      coded_layers - windowed_coded);
  const double window = std::min(tokens, static_cast<double>(plan.windows.tokens));
  add(storage, window, window < tokens ? 0 : plan.policy.sinks, windowed, windowed_coded);
  return storage;
}

Table storage_table(std::span<const ResultGroup* const> groups) {
  const ResultGroup& first = *groups.front();
  const SweepPlan& plan = first.results->plan;
  std::string kept = fmt::format("{} skipped layers", 2 * plan.policy.skipped_layers);
  const std::vector<std::string> words = exact_token_words(plan.policy);
  for (const std::string& each : words) kept += (&each == &words.back() ? " and " : ", ") + each;
  Table table = named_table("storage", "Storage at 131,072 tokens");
  table.source = first.source;
  table.note = fmt::format(
      "{} layers x 2 x {} heads x {} = {} values a token; {} stay bf16; the rest "
      "at the measured bits measured at {} tokens, so frame headers count for more here than they would at this "
      "length. The four rates are of the coded layers.",
      plan.shape.layers, plan.shape.kv_heads, plan.shape.head_dim,
      grouped(static_cast<unsigned long long>(plan.shape.layers) * 2 * plan.shape.kv_heads *
              plan.shape.head_dim),
      kept, plan.context + plan.scored);
  if (!plan.windows.layers.empty()) {
    table.note += fmt::format(" {} of the layers see the last {} tokens only and keep no others.",
                              plan.windows.layers.size(), plan.windows.tokens);
  }
  table.columns = {{"codec", "codec", false}};
  add_rate_columns(table);
  table.columns.insert(table.columns.end(),
                       {{"MiB", "bytes"}, {"bf16 MiB", "bf16_bytes"}, {"ratio", "ratio"}});
  std::set<std::string> seen;
  for (const ResultGroup* group : groups) {
    for (const CodecResult& codec : group->codecs) {
      if (!seen.insert(codec.label).second) continue;
      const Storage storage = cache_storage(plan, codec, kLongContextTokens);
      const double mib = 1024.0 * 1024.0;
      std::vector<Cell> row = {text_cell(codec.label)};
      add_rate_cells(row, codec.rates);
      row.push_back(number_cell(storage.bytes, fmt::format("{:.1f}", storage.bytes / mib)));
      row.push_back(
          number_cell(storage.bf16_bytes, fmt::format("{:.1f}", storage.bf16_bytes / mib)));
      row.push_back(fixed_cell(storage.ratio(), 3));
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

}  // namespace kakeya

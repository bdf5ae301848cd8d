// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/storage.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "kakeya/core/error.h"
#include "kakeya/report/number.h"
#include "kakeya/store/whole_cache.h"

namespace kakeya {

namespace {

/// What codes cost, in bits a value, and how many values of a cache are in open pages.
struct CodedRate {
  double bits = 0, open_values = 0;
};

double layer_values(const SweepPlan& plan) {
  return 2.0 * plan.shape.kv_heads * plan.shape.head_dim;
}

/// Of `tokens` tokens, those from `first` on that stay bf16.
double exact_tokens(const SweepPlan& plan, double tokens, double first) {
  return static_cast<double>(
      plan.policy.exact_tokens(static_cast<std::size_t>(tokens), static_cast<std::size_t>(first)));
}

CodedRate coded_rate(const SweepPlan& plan, const CodecResult& codec) {
  // How many tokens are exact depends on the length: take them out of the measured rate and count
  // those of this length.
  const double samples = static_cast<double>(codec.samples.size());
  const double token_values = plan.policy.coded_layers() * layer_values(plan);
  double values = 0, exact_values = 0, bits = 0, open = 0, open_bytes = 0, page_values = 0;
  for (const Sample* sample : codec.samples) {
    const auto of_sample = static_cast<double>(sample->values);
    values += of_sample;
    exact_values += exact_tokens(plan, of_sample / token_values, 0) * token_values;
    bits += 8 * static_cast<double>(sample->bytes_written);
    if (!sample->open_page || !cache_grows(sample->key.mode)) continue;
    open += static_cast<double>(sample->open_page->values);
    open_bytes += static_cast<double>(sample->open_page->bytes);
    page_values += static_cast<double>(sample->open_page->page_values);
  }
  if (values <= exact_values) {
    throw InputError(fmt::format("storage: {}: {} leave nothing to code", codec.label,
                                 exact_tokens_text(plan.policy)));
  }
  const double full = values - exact_values - open;
  if (full <= 0) {  // no full page: as it was written
    return {(bits - 16 * exact_values) / (values - exact_values), page_values / samples / 2};
  }
  return {(bits - 16 * exact_values - 8 * open_bytes) / full, page_values / samples / 2};
}

}  // namespace

Storage cache_storage(const SweepPlan& whole_plan, const CodecResult& codec, double tokens) {
  const SweepPlan plan = plan_for(whole_plan, codec);
  const int coded_layers = plan.policy.coded_layers();
  if (layer_values(plan) <= 0 || coded_layers <= 0) {
    throw InputError(fmt::format(
        "storage: {} layers, {} skipped at either end, {} heads of {}: expected a coded layer",
        plan.shape.layers, plan.policy.skipped_layers, plan.shape.kv_heads, plan.shape.head_dim));
  }
  const CodedRate rate = coded_rate(plan, codec);
  if (tokens < static_cast<double>(plan.policy.least_tokens())) {
    throw InputError(fmt::format("storage: {}: {} leave nothing to code", codec.label,
                                 exact_tokens_text(plan.policy)));
  }
  double coded_values = 0;
  const auto add = [&](Storage& storage, double kept, int layers, int coded) {
    const double exact = exact_tokens(plan, tokens, tokens - kept);
    const double of_layer = layer_values(plan);
    coded_values += (kept - exact) * coded * of_layer;
    storage.bf16_bytes += kept * layers * of_layer * 2;
    storage.bytes += (kept - exact) * coded * of_layer * rate.bits / 8 +
                     exact * coded * of_layer * 2 + kept * (layers - coded) * of_layer * 2;
  };
  const auto windowed = static_cast<int>(plan.windows.layers.size());
  const auto windowed_coded =
      static_cast<int>(std::count_if(plan.windows.layers.begin(), plan.windows.layers.end(),
                                     [&](int layer) { return plan.policy.codes(layer); }));
  Storage storage;
  add(storage, tokens, plan.shape.layers - windowed, coded_layers - windowed_coded);
  const double window = std::min(tokens, static_cast<double>(plan.windows.tokens));
  add(storage, window, windowed, windowed_coded);
  storage.bytes += std::min(rate.open_values, coded_values) * (2 - rate.bits / 8);
  return storage;
}

Table storage_table(std::span<const ResultGroup* const> groups) {
  const ResultGroup& first = *groups.front();
  const SweepPlan& plan = first.results->plan;
  std::string kept = fmt::format("{} skipped layers",
                                 2 * plan.policy.skipped_layers + plan.policy.skipped.count());
  const std::vector<std::string> words = exact_token_words(plan.policy);
  for (const std::string& each : words) kept += (&each == &words.back() ? " and " : ", ") + each;
  Table table = named_table("storage", "Storage at 131,072 tokens");
  table.source = first.source;
  table.note = fmt::format(
      "{} layers x 2 x {} heads x {} = {} values a token; {} stay bf16, where the cache grows half a page of "
      "every frame too; the rest at the bits measured at {} tokens, so frame headers count for more here than they would at this "
      "length. The four rates are of the {}.",
      plan.shape.layers, plan.shape.kv_heads, plan.shape.head_dim,
      grouped(static_cast<unsigned long long>(plan.shape.layers) * 2 * plan.shape.kv_heads *
              plan.shape.head_dim),
      kept, plan.context + plan.scored, bits_of_text(first.bits_of));
  if (!plan.windows.layers.empty()) {
    table.note += fmt::format(" {} of the layers see the last {} tokens only and keep no others.",
                              plan.windows.layers.size(), plan.windows.tokens);
  }
  table.columns = {{"codec", "codec", false}};
  add_rate_columns(table, "", first.bits_of);
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

// SPDX-License-Identifier: Apache-2.0
#include "sweep_summary.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "kakeya/codec/codec.h"
#include "kakeya/codec/spec.h"
#include "kakeya/report/metric.h"
#include "kakeya/report/result_group.h"
#include "kakeya/store/whole_cache.h"
#include "program.h"

namespace kakeya {
namespace {

using Json = nlohmann::ordered_json;

/// A mean that is there only when every passage has the number.
struct Mean {
  double sum = 0;
  std::size_t count = 0, missing = 0;
  void add(const std::optional<double>& value) { value ? (sum += *value, ++count) : ++missing; }
  std::optional<double> value() const {
    if (count == 0 || missing > 0) return std::nullopt;
    return sum / static_cast<double>(count);
  }
};

constexpr double kFarFromPromised = 1.5;

/// One line of the table: a codec in a mode, over the passages stored.
struct Line {
  std::string codec_k, codec_v, mode;
  std::size_t passages = 0;
  Mean measured_bits, nominal_bits, codebook_bits, entropy_bits;  // per coded value
  Mean whole_cache_bits;
  Mean kld, delta_ppl, top1, rel_mse_k, rel_mse_v;
  std::uint64_t values = 0, beyond_profile_values = 0;
  std::size_t without_full_page = 0;  // passages
  std::vector<const Sample*> samples = {};
  double beyond_profile_share() const {
    return values == 0 ? 0
                       : static_cast<double>(beyond_profile_values) / static_cast<double>(values);
  }
};

std::optional<double> entropy_bits_per_value(const Sample& sample) {
  if (!sample.ledger_k || !sample.ledger_v) return std::nullopt;
  const auto &keys = sample.ledger_k->entropy_bits, &values = sample.ledger_v->entropy_bits;
  if (!keys || !values) return std::nullopt;
  return (*keys + *values) / static_cast<double>(sample.values);
}

std::vector<Line> table_of(const std::vector<Sample>& samples) {
  std::vector<Line> lines;
  for (const Sample& sample : samples) {
    const CellKey& key = sample.key;
    auto line = std::find_if(lines.begin(), lines.end(), [&](const Line& other) {
      return other.codec_k == key.codec_k && other.codec_v == key.codec_v && other.mode == key.mode;
    });
    if (line == lines.end()) {
      lines.push_back({});
      line = lines.end() - 1;
      line->codec_k = key.codec_k;
      line->codec_v = key.codec_v;
      line->mode = key.mode;
    }
    ++line->passages;
    line->samples.push_back(&sample);
    line->measured_bits.add(sample.bits_per_value);
    line->whole_cache_bits.add(sample.whole_cache_bits_per_value);
    line->nominal_bits.add(sample.nominal_bits_per_value);
    line->codebook_bits.add(sample.codebook_bits_per_value);
    line->entropy_bits.add(entropy_bits_per_value(sample));
    line->kld.add(sample.kld_mean);
    line->delta_ppl.add(sample.delta_ppl);
    line->top1.add(sample.top1);
    line->rel_mse_k.add(sample.rel_mse_k);
    line->rel_mse_v.add(sample.rel_mse_v);
    line->values += sample.values;
    line->without_full_page += fills_no_page(sample);
    for (const auto* ledger : {&sample.ledger_k, &sample.ledger_v}) {
      if (*ledger) line->beyond_profile_values += (*ledger)->beyond_profile_values;
    }
  }
  std::stable_sort(lines.begin(), lines.end(),
                   [](const Line& a, const Line& b) { return a.mode < b.mode; });
  return lines;
}

std::string codec_name(const std::string& keys, const std::string& values) {
  return keys == values ? keys : "k " + keys + ", v " + values;
}

std::string cell_text(const Mean& mean, const char* format) {
  const std::optional<double> value = mean.value();
  return value ? fmt::format(fmt::runtime(format), *value) : "-";
}

Json mean_json(const Mean& mean) {
  const std::optional<double> value = mean.value();
  return value ? Json(*value) : Json(nullptr);
}

/// Adds each metric of reports that all of the line's samples have, and `to` has not.
void add_metrics(const Line& line, Json& to) {
  CodecResult codec;
  codec.samples = line.samples;
  for (const Metric& metric : metrics()) {
    const std::string name(metric.name);
    const auto has = [&](const Sample* sample) { return metric.value(*sample).has_value(); };
    if (!to.contains(name) && std::all_of(line.samples.begin(), line.samples.end(), has))
      to[name] = summary(codec, metric).mean;
  }
}

/// What part of the measured cells' time the forward did not take, percent.
std::optional<double> overhead_percent(const SweepOutcome& outcome) {
  if (outcome.finished == 0 || outcome.forward_seconds <= 0) return std::nullopt;
  return 100 * (1 - outcome.forward_seconds / outcome.cell_seconds);
}

/// What the controls did, over the passages stored.
struct ControlLine {
  std::string control;
  Mean kld, top1;
};

std::vector<ControlLine> lines_of(const std::vector<ControlSample>& controls) {
  std::vector<ControlLine> lines;
  for (const ControlSample& sample : controls) {
    auto line = std::find_if(lines.begin(), lines.end(), [&](const ControlLine& other) {
      return other.control == sample.control;
    });
    if (line == lines.end()) line = lines.insert(line, {sample.control, {}, {}});
    line->kld.add(sample.kld_mean);
    line->top1.add(sample.top1);
  }
  return lines;
}

void print_json(const std::string& folder, const SweepOutcome& outcome,
                const StoredResults& results, const Shard& shard, const std::vector<Shard>& written,
                const std::vector<Line>& lines) {
  Json table = Json::array(), failures = Json::array();
  for (const Line& line : lines) {
    table.push_back({{"codec_k", line.codec_k},
                     {"codec_v", line.codec_v},
                     {"mode", line.mode},
                     {"passages", line.passages},
                     {"bits_per_value", mean_json(line.measured_bits)},
                     {"measured_bits_per_value", mean_json(line.measured_bits)},
                     {"bits_per_value_of", "coded values"},
                     {"whole_cache_bits_per_value", mean_json(line.whole_cache_bits)},
                     {"charged_bits_per_value", mean_json(line.nominal_bits)},
                     {"nominal_bits_per_value", mean_json(line.nominal_bits)},
                     {"exact_bits_per_value", mean_json(line.codebook_bits)},
                     {"codebook_bits_per_value", mean_json(line.codebook_bits)},
                     {"entropy_bits_per_value", mean_json(line.entropy_bits)},
                     {"kld_mean", mean_json(line.kld)},
                     {"delta_ppl", mean_json(line.delta_ppl)},
                     {"top1", mean_json(line.top1)},
                     {"rel_mse_k", mean_json(line.rel_mse_k)},
                     {"rel_mse_v", mean_json(line.rel_mse_v)},
                     {"beyond_profile_share", line.beyond_profile_share()}});
    add_metrics(line, table.back());
  }
  for (const Failure& failed : outcome.failed) {
    failures.push_back({{"codec_k", failed.key.codec_k},
                        {"codec_v", failed.key.codec_v},
                        {"passage", failed.key.passage},
                        {"mode", failed.key.mode},
                        {"reason", failed.reason}});
  }
  Json document = {{"out", folder},
                   {"cells", outcome.total},
                   {"already_done", outcome.already},
                   {"finished", outcome.finished},
                   {"failed", outcome.failed.size()},
                   {"cell_seconds", outcome.cell_seconds},
                   {"forward_seconds", outcome.forward_seconds},
                   {"reference_seconds", outcome.reference_seconds},
                   {"table", table},
                   {"failures", failures}};
  if (const auto& stream = results.plan.stream) {
    document["model"] = results.plan.origin.model.name;
    document["stream"] = stream->name;
    document["model_weights"] = stream->weights;
  }
  if (!shard.whole()) document["shard"] = shard.text();
  if (!written.front().whole()) {
    document["references_computed"] = outcome.references_computed;
    document["references_read"] = outcome.references_read;
  }
  for (const ControlLine& line : lines_of(results.controls)) {
    document["controls"].push_back({{"control", line.control},
                                    {"passages", line.kld.count},
                                    {"kld_mean", mean_json(line.kld)},
                                    {"top1", mean_json(line.top1)}});
  }
  fmt::print("{}\n", document.dump(2));
}

}  // namespace

void print_plan(const SweepPlan& plan, const std::vector<GridCell>& grid,
                const std::vector<std::string>& modes, int first_passage, int passages, bool json) {
  const std::size_t cells = grid.size() * modes.size() * static_cast<std::size_t>(passages);
  if (json) {
    Json codecs = Json::array();
    for (const GridCell& cell : grid) {
      codecs.push_back({{"codec_k", cell.specs.keys},
                        {"codec_v", cell.specs.values},
                        {"plan", cell.plan ? Json::parse(cell.plan->text()) : Json(nullptr)},
                        {"failure", cell.failure.empty() ? Json(nullptr) : Json(cell.failure)}});
    }
    const Json document = {{"model", plan.origin.model.name},
                           {"text", plan.origin.text.name},
                           {"split", plan.split.empty() ? Json(nullptr) : Json(plan.split)},
                           {"first_passage", first_passage},
                           {"passages", passages},
                           {"modes", modes},
                           {"cells", cells},
                           {"codecs", codecs}};
    fmt::print("{}\n", document.dump(2));
    return;
  }
  std::string kept;
  for (const std::string& words : exact_token_words(plan.policy)) kept += ", " + words;
  fmt::print("model     {} ({}, {} layers, {} KV heads of {}), {} on {}\n", plan.origin.model.name,
             plan.origin.architecture, plan.shape.layers, plan.shape.kv_heads, plan.shape.head_dim,
             plan.dtype, plan.device);
  fmt::print("text      {}, {} passages of {} + {} tokens{}\n", plan.origin.text.name, passages,
             plan.context, plan.scored,
             plan.cut == "published" ? ", cut by the published rule" : "");
  if (!plan.split.empty() || first_passage != 0) {
    fmt::print("split     {}, passages {} to {}\n", plan.split.empty() ? "not said" : plan.split,
               first_passage, first_passage + passages - 1);
  }
  const std::string skipped =
      plan.policy.skipped.empty()
          ? fmt::format("{} layers left bf16 at either end", plan.policy.skipped_layers)
          : fmt::format("layers {} left bf16", plan.policy.all_skipped().text());
  fmt::print("policy    {}{}, tap {}\n", skipped, kept, tap_name(plan.tap));
  for (const std::string& mode : modes) fmt::print("mode      {}\n", mode);
  for (const GridCell& cell : grid) {
    fmt::print("codec     {}{}\n", codec_name(cell.specs.keys, cell.specs.values),
               cell.failure.empty() ? "" : "   will fail: " + cell.failure);
    if (cell.plan) fmt::print("          {}\n", cell.plan->coding());
  }
  fmt::print("cells     {} = {} codecs x {} modes x {} passages\n", cells, grid.size(),
             modes.size(), passages);
}

/// The bits a value that a calibrated codec, the same for keys and values, was asked for; 0: another.
double promised_bits(const Line& line) {
  if (line.codec_k != line.codec_v || !is_calibrated(line.codec_k)) return 0;
  const std::string* bits = Spec::parse(line.codec_k).find("bits");
  return bits == nullptr ? 0 : std::stod(*bits);
}

void print_summary(const std::string& folder, const SweepOutcome& outcome,
                   const StoredResults& results, const Shard& shard,
                   const std::vector<Shard>& written, bool json) {
  const std::vector<Line> lines = table_of(results.samples);
  if (json) return print_json(folder, outcome, results, shard, written, lines);
  std::size_t width = 5;
  for (const Line& line : lines)
    width = std::max(width, codec_name(line.codec_k, line.codec_v).size());
  const auto print_line = [&](const std::string& codec, const auto&... columns) {
    fmt::print(
        "{:<{}}  {:<10}  {:>8}  {:>13}  {:>11}  {:>7}  {:>8}  {:>7}  {:>8}  {:>10}  {:>6}  {:>9}  {:>9}\n",
        codec, width, columns...);
  };
  print_line("codec", "mode", "passages", "measured bits", "whole cache", "nominal", "codebook",
             "entropy", "KL nats", "delta-ppl", "top-1", "rel-MSE K", "rel-MSE V");
  for (const Line& line : lines) {
    Mean percent = line.delta_ppl, agreement = line.top1;
    percent.sum *= 100;
    agreement.sum *= 100;
    print_line(codec_name(line.codec_k, line.codec_v), line.mode, line.passages,
               cell_text(line.measured_bits, "{:.3f}"), cell_text(line.whole_cache_bits, "{:.3f}"),
               cell_text(line.nominal_bits, "{:.3f}"), cell_text(line.codebook_bits, "{:.3f}"),
               cell_text(line.entropy_bits, "{:.3f}"), cell_text(line.kld, "{:.3g}"),
               cell_text(percent, "{:+.3f} %"), cell_text(agreement, "{:.1f}%"),
               cell_text(line.rel_mse_k, "{:.2e}"), cell_text(line.rel_mse_v, "{:.2e}"));
  }
  fmt::print(
      "bits per coded value: measured: 8 x bytes written / values; nominal: the published formula; "
      "codebook: log2 of the codebook;\nentropy: order-0, of the indices alone. whole cache: "
      "measured bits per value of all of it, skipped layers and open pages in bf16\n");
  if (const auto& stream = results.plan.stream) {
    fmt::print("stream {} of {}, whose keys are its values\n", stream->name,
               results.plan.origin.model.name);
  }
  for (const Line& line : lines) {
    if (line.beyond_profile_share() <= kBeyondProfileTold) continue;
    fmt::print("warning: {}: {:.3g} % of the values are {}\n", line.mode,
               100 * line.beyond_profile_share(),
               beyond_profile_text(codec_name(line.codec_k, line.codec_v)));
  }
  for (const Line& line : lines) {
    const double promised = promised_bits(line), measured = line.measured_bits.value().value_or(0);
    if (promised == 0 || measured <= kFarFromPromised * promised) continue;
    fmt::print(
        "warning: {}: {} wrote {:.2f} bits: its profile is of text unlike this, or of too little\n",
        line.mode, codec_name(line.codec_k, line.codec_v), measured);
  }
  for (const Line& line : lines) {
    if (line.without_full_page < line.passages) continue;
    fmt::print(
        "warning: {}: {}: no page is full in {} tokens, so its whole cache is bf16: expected a smaller page=N or a longer --ctx\n",
        line.mode, codec_name(line.codec_k, line.codec_v),
        results.plan.context + results.plan.scored);
  }
  for (const ControlLine& line : lines_of(results.controls)) {
    Mean agreement = line.top1;
    agreement.sum *= 100;
    fmt::print("nothing coded, {:<6}  {} passages: KL {} nats, top-1 {}\n", line.control,
               line.kld.count, cell_text(line.kld, "{:.3g}"), cell_text(agreement, "{:.1f}%"));
  }
  fmt::print("\n{}{} cells: {} measured now, {} already there, {} failed\n",
             shard.whole() ? "" : "shard " + shard.text() + ": ", outcome.total, outcome.finished,
             outcome.already, outcome.failed.size());
  if (!written.front().whole()) {
    const std::vector<MissingCells> missing = missing_cells(results);
    fmt::print("reference passes: {} computed, {} of {}\n", outcome.references_computed,
               outcome.references_read, written.size() > 1 ? "one another" : "other shards");
    if (!missing.empty()) fmt::print("not finished by any shard: {}\n", missing_text(missing));
  }
  if (const auto overhead = overhead_percent(outcome)) {
    fmt::print("{:.2f} s a cell, {:.1f} % of it outside the forward\n",
               outcome.cell_seconds / static_cast<double>(outcome.finished), *overhead);
  }
  for (std::size_t i = 0; i < std::min<std::size_t>(outcome.failed.size(), 5); ++i) {
    const Failure& failed = outcome.failed[i];
    fmt::print("failed: {} {} passage {}: {}\n", codec_name(failed.key.codec_k, failed.key.codec_v),
               failed.key.mode, failed.key.passage, failed.reason);
  }
  for (const auto& [stem, ending] : {std::pair("samples", ".jsonl"), {"provenance", ".json"}}) {
    for (const Shard& part : written)
      fmt::print("{}\n", (std::filesystem::path(folder) / part.file_name(stem, ending)).string());
  }
}

}  // namespace kakeya

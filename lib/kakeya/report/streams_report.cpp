// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/streams_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "kakeya/core/error.h"
#include "kakeya/core/index_set.h"
#include "kakeya/report/dump_table.h"
#include "kakeya/report/looks.h"
#include "kakeya/report/loss_streams.h"
#include "kakeya/report/number.h"
#include "kakeya/report/result_group.h"
#include "kakeya/report/stored_streams.h"
#include "kakeya/report/threshold_tables.h"

namespace kakeya {
namespace {

constexpr const char* kIdentity = "identity";

/// The samples of one stream: by codec, then by passage.
using OfStream = std::map<std::string, std::map<int, const Sample*>>;

const StreamFacts& facts_of(const StoredResults& results) { return *results.plan.stream; }

OfStream samples_of(const StoredResults& results) {
  OfStream found;
  for (const Sample& sample : results.samples)
    found[sample.key.codec_k][sample.key.passage] = &sample;
  return found;
}

std::vector<int> passages_of(const std::map<int, const Sample*>& samples) {
  std::vector<int> passages;
  for (const auto& [passage, sample] : samples) passages.push_back(passage);
  return passages;
}

/// The layers of the model that the dump has.
std::vector<int> captured_layers(const StoredResults& results, const std::string& what) {
  try {
    return IndexSet::parse(facts_of(results).layers, what).numbers();
  } catch (const SpecError& error) {
    throw InputError(error.what());  // nobody typed it
  }
}

/// Of those the ones that its sweep codes.
std::string coded_layers_text(const StoredResults& results) {
  const SweepPlan& plan = results.plan;
  const std::string what = results.folder + ": stream_layers";
  const std::vector<int> captured = captured_layers(results, what);
  if (captured.size() != static_cast<std::size_t>(plan.shape.layers)) {
    throw InputError(fmt::format("{} {}: {} layers, expected the {} of its sweep", what,
                                 facts_of(results).layers, captured.size(), plan.shape.layers));
  }
  CachePolicy policy = plan.policy;
  policy.layers = plan.shape.layers;
  std::vector<int> coded;
  for (int layer = 0; layer < policy.layers; ++layer)
    if (policy.codes(layer)) coded.push_back(captured[static_cast<std::size_t>(layer)]);
  return IndexSet::of(coded).text();
}

/// The codec on every stream, beside the reference; nothing where a passage is missing.
std::optional<StreamsCodec> measured(const std::string& spec, const std::vector<OfStream>& streams,
                                     const std::string& reference,
                                     const std::vector<double>& shares) {
  StreamsCodec codec{
      .spec = spec, .bits = {}, .rel_mse = {}, .ratios = {}, .all_bits = 0, .all_ratio = {}};
  std::vector<double> joint(streams.front().at(reference).size(), 0);
  for (std::size_t s = 0; s < streams.size(); ++s) {
    const auto found = streams[s].find(spec);
    if (found == streams[s].end()) return std::nullopt;
    std::vector<double> ratios;
    double bits = 0, rel_mse = 0;
    for (const auto& [passage, base] : streams[s].at(reference)) {
      const auto sample = found->second.find(passage);
      if (sample == found->second.end()) return std::nullopt;
      ratios.push_back(sample->second->rel_mse_k / base->rel_mse_k);
      joint[ratios.size() - 1] += shares[s] * ratios.back();
      bits += sample->second->bits_per_value;
      rel_mse += sample->second->rel_mse_k;
    }
    const auto count = static_cast<double>(ratios.size());
    codec.bits.push_back(bits / count);
    codec.rel_mse.push_back(rel_mse / count);
    codec.ratios.push_back(t_interval(ratios));
    codec.all_bits += shares[s] * codec.bits.back();
  }
  codec.all_ratio = t_interval(joint);
  return codec;
}

Table streams_table(std::span<const StoredResults> all, const std::vector<double>& shares) {
  Table table = named_table("streams", "The streams");
  table.note = fmt::format(
      "Vectors: that come of a passage of {} tokens in a layer. Kept: those of them that a layer "
      "holds at its end. Coded: the layers of the model that the sweep codes, of those captured. Values: "
      "the stream's share of those that the caches of all layers hold, which is its share of bytes at "
      "equal bits. Of these: its share among the streams here, its weight in all averages.",
      grouped(static_cast<unsigned long long>(facts_of(all.front()).source_tokens)));
  table.columns = {{"stream", "stream", false},
                   {"tokens a vector", "tokens a vector"},
                   {"dim", "values of a vector"},
                   {"vectors", "vectors"},
                   {"kept", "vectors kept"},
                   {"layers of the model", "layers of the model"},
                   {"coded", "layers coded", false},
                   {"values", "share of values"},
                   {"of these", "weight"}};
  for (std::size_t s = 0; s < all.size(); ++s) {
    const StreamFacts& facts = facts_of(all[s]);
    const SweepPlan& plan = all[s].plan;
    const int kept = facts.window > 0 ? std::min(facts.window, plan.context) : plan.context;
    table.rows.push_back(
        {text_cell(facts.name), fixed_cell(facts.ratio, 0), fixed_cell(plan.shape.head_dim, 0),
         fixed_cell(plan.context, 0), fixed_cell(kept, 0), fixed_cell(facts.model_layers, 0),
         text_cell(coded_layers_text(all[s])),
         number_cell(facts.byte_share, fmt::format("{:.1f} %", 100 * facts.byte_share)),
         number_cell(shares[s], fmt::format("{:.1f} %", 100 * shares[s]))});
  }
  return table;
}

Table ratios_table(const StreamsReport& report, const std::string& reference) {
  Table table = named_table("ratios", "rel-MSE over that of " + reference);
  table.note =
      "Mean of the ratios passage by passage, ± 95 % Student-t over passages; \"all\" by the "
      "streams' weights. Bits a value as written, all included.";
  table.columns = {{"codec", "codec", false}, {"bits", "measured bits (all)"}};
  for (const std::string& name : report.streams)
    table.columns.push_back({name, "rel-MSE ratio (" + name + ")"});
  table.columns.push_back({"all", "rel-MSE ratio (all)"});
  for (const StreamsCodec& codec : report.codecs) {
    table.rows.push_back({text_cell("`" + codec.spec + "`"),
                          number_cell(codec.all_bits, fmt::format("{:.3f}", codec.all_bits))});
    for (const Interval& ratio : codec.ratios)
      table.rows.back().push_back(interval_cell(ratio, with_interval(ratio)));
    table.rows.back().push_back(interval_cell(codec.all_ratio, with_interval(codec.all_ratio)));
  }
  return table;
}

Table errors_table(const StreamsReport& report) {
  Table table = named_table("errors", "rel-MSE and bits of each stream");
  table.note = "Mean over passages, of the layers coded.";
  table.columns = {{"codec", "codec", false}};
  for (const std::string& name : report.streams) {
    table.columns.push_back({name, "rel-MSE (" + name + ")"});
    table.columns.push_back({"bits", "measured bits (" + name + ")"});
  }
  for (const StreamsCodec& codec : report.codecs) {
    table.rows.push_back({text_cell("`" + codec.spec + "`")});
    for (std::size_t s = 0; s < report.streams.size(); ++s) {
      table.rows.back().push_back(number_cell(codec.rel_mse[s], significant(codec.rel_mse[s])));
      table.rows.back().push_back(number_cell(codec.bits[s], fmt::format("{:.3f}", codec.bits[s])));
    }
  }
  return table;
}

/// Of the thresholds those that lose no more than the reference, factor 1.
Table front_table(Table thresholds) {
  const auto other = [](const std::vector<Cell>& row) { return row[1].text != "1"; };
  std::erase_if(thresholds.rows, other);
  return thresholds;
}

/// Families of several settings, without those settings that are left out.
std::vector<LossFamily> swept_families(std::span<const StoredResults> results,
                                       const std::vector<std::string>& left_out,
                                       const std::string& reference) {
  std::vector<ResultGroup> groups = group_results(results);
  std::map<std::string, std::set<std::string>> settings;
  const auto is_left_out = [&](const CodecResult& codec) {
    return std::ranges::count(left_out, codec.label) > 0;
  };
  for (ResultGroup& group : groups) {
    std::erase_if(group.codecs, is_left_out);
    for (const CodecResult& codec : group.codecs)
      if (!codec.identity() && codec.label != reference) settings[codec.family].insert(codec.label);
  }
  for (ResultGroup& group : groups) {
    std::erase_if(group.codecs, [&](const CodecResult& codec) {
      return codec.label != reference && settings[codec.family].size() < 2;
    });
  }
  if (std::ranges::all_of(settings, [](const auto& each) { return each.second.size() < 2; }))
    return {};
  return stream_loss_families(groups, reference, {}, ThresholdBits::measured);
}

Chart chart_of(const StreamsReport& report, const std::string& reference,
               const std::string& subtitle) {
  Chart chart;
  chart.name = "streams";
  chart.title = "Error of KV streams over that of " + reference;
  chart.subtitle = subtitle;
  chart.x_label = "measured bits a value";
  chart.y_label = "rel-MSE ratio";
  Looks looks;
  for (std::size_t s = 0; s < report.streams.size(); ++s) {
    ChartPanel panel;
    panel.title = report.streams[s];
    std::map<std::string, ChartSeries> families;
    for (const StreamsCodec& codec : report.codecs) {
      const Interval& ratio = codec.ratios[s];
      if (!(ratio.mean > 0)) continue;
      const std::string family = split_spec(codec.spec).family;
      ChartSeries& series = families[family];
      if (series.name.empty()) {
        const Look look = looks.of(family);
        series = {family, look.colour, look.marker, {}};
      }
      const double half = ratio.count > 1 ? ratio.half_width : 0;
      series.points.push_back(
          {codec.bits[s], ratio.mean, ratio.mean - half, ratio.mean + half, ""});
    }
    for (auto& [name, series] : families) {
      std::ranges::sort(series.points, {}, [](const ChartPoint& point) {
        return std::pair(point.x, -point.y);  // a line falls, at equal bits too
      });
      panel.series.push_back(std::move(series));
    }
    chart.panels.push_back(std::move(panel));
  }
  return chart;
}

}  // namespace

StreamsReport make_streams_report(std::span<const StoredResults> results,
                                  const std::string& reference) {
  const std::vector<StoredStream> stored = streams_of(results);
  require_one_model(stored);
  StreamsReport report;
  report.shares = stream_weights(stored);
  std::vector<OfStream> streams;
  for (const StoredResults& each : results) {
    streams.push_back(samples_of(each));
    report.streams.push_back(facts_of(each).name);
    if (!streams.back().contains(reference))
      throw InputError(each.folder + ": no samples of " + reference + ", the reference");
    require_same_passages(each.folder, report.streams.back(),
                          passages_of(streams.back().at(reference)), report.streams.front(),
                          passages_of(streams.front().at(reference)));
    for (const auto& [passage, sample] : streams.back().at(reference)) {
      if (!(sample->rel_mse_k > 0))
        throw InputError(each.folder + ": " + reference +
                         " loses nothing: expected a lossy reference");
    }
  }
  report.passages = streams.front().at(reference).size();
  std::map<std::string, bool> specs;  // whether it is in the report
  for (const OfStream& stream : streams) {
    for (const auto& [spec, samples] : stream) specs[spec] = false;
  }
  for (auto& [spec, there] : specs) {
    if (spec == kIdentity) continue;
    if (auto codec = measured(spec, streams, reference, report.shares)) {
      report.codecs.push_back(*std::move(codec));
      there = true;
    } else {
      report.left_out.push_back(spec);
    }
  }
  std::ranges::stable_sort(report.codecs, {}, &StreamsCodec::all_bits);
  const StoredResults& first = results.front();
  const std::string model = first.plan.origin.model.name;
  report.model = model;
  report.weights = facts_of(first).weights;
  const std::vector<std::string> head = {
      "# KV streams: " + model, made_of_text(stored.front()),
      fmt::format("{} passages of {} tokens, latents rounded to bf16, behind RMSNorm and RoPE.",
                  report.passages,
                  grouped(static_cast<unsigned long long>(facts_of(first).source_tokens)))};
  for (const std::string& text : head) report.paragraph(text);
  report.charts.push_back(chart_of(report, reference, model));
  report.paragraph(fmt::format("![{}](streams.svg)", report.charts.front().title));
  const Table thresholds =
      stream_thresholds_table(swept_families(results, report.left_out, reference), reference);
  for (Table table : {streams_table(results, report.shares), thresholds,
                      ratios_table(report, reference), errors_table(report)}) {
    table.source = model;  // which says where weights are random
    table.mode = first.samples.front().key.mode;
    report.table(table, "##");
  }
  if (!report.left_out.empty()) {
    report.paragraph(fmt::format("Left out, without samples on every passage of every stream: {}.",
                                 fmt::join(report.left_out, ", ")));
  }
  FrontPage front{head, "streams", {}, front_table(thresholds), ""};
  if (!first.runs.empty()) front.made_by = made_by_line(first.runs.back());
  report.put_behind(front);
  return report;
}

}  // namespace kakeya

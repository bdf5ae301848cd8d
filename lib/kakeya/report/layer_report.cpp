// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/layer_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "kakeya/report/charts.h"
#include "kakeya/report/dump_table.h"
#include "kakeya/report/looks.h"
#include "kakeya/report/noise_floor.h"
#include "kakeya/report/number.h"
#include "kakeya/report/provenance_text.h"
#include "kakeya/stats/interval.h"

namespace kakeya {
namespace {

using Coded = LayerStudy::Coded;

/// KL divergences of the passages.
std::vector<double> losses(const Coded& coded) {
  std::vector<double> values;
  for (const Sample* sample : coded.samples) values.push_back(*sample->kld_mean);
  return values;
}

/// The KL divergence of one passage; nothing where it was not measured.
std::optional<double> loss_on(const Coded& coded, int passage) {
  for (const Sample* sample : coded.samples) {
    if (sample->key.passage == passage) return *sample->kld_mean;
  }
  return std::nullopt;
}

/// The sums of what the layers of a set lose alone, of the set's passages; nothing where one of
/// them was not measured alone on all of these.
std::optional<std::vector<double>> singles_of(const LayerStudy& study, const Coded& set) {
  std::vector<double> sums(set.samples.size());
  for (const int layer : set.layers.numbers()) {
    const auto single =
        std::find_if(study.singles.begin(), study.singles.end(),
                     [&](const Coded& each) { return each.layers.contains(layer); });
    if (single == study.singles.end()) return std::nullopt;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const std::optional<double> loss = loss_on(*single, set.samples[i]->key.passage);
      if (!loss) return std::nullopt;
      sums[i] += *loss;
    }
  }
  return sums;
}

std::string title_of(const LayerStudy& study) {
  return fmt::format("{}, {}", study.source, study.label);
}

Cell loss_cell(const std::vector<double>& values) {
  const Interval interval = t_interval(values);
  return interval_cell(interval, with_interval(interval));
}

Table single_table(const LayerStudy& study) {
  Table table = named_table("single layers", title_of(study) + ": layers coded alone");
  table.source = study.source;
  table.mode = study.mode;
  table.note =
      "All other layers stay bf16. Share: of the sum of all of these layers. Rank 1 hurts most. "
      "rel-MSE is that of the layer's own keys and values.";
  table.label_columns = 2;
  table.columns = {
      {"", "codec", false},  // of the CSV's rows
      {"layer", "layer"},   {"KL, nats", "kld_mean (nats)"}, {"share", "share of the sum"},
      {"rank", "rank"},     {"rel-MSE K", "rel_mse_k"},      {"rel-MSE V", "rel_mse_v"}};
  std::vector<double> means;
  double sum = 0;
  for (const Coded& single : study.singles) {
    means.push_back(t_interval(losses(single)).mean);
    sum += means.back();
  }
  for (std::size_t i = 0; i < study.singles.size(); ++i) {
    const Coded& single = study.singles[i];
    double keys = 0, values = 0;
    for (const Sample* sample : single.samples) {
      keys += sample->rel_mse_k / static_cast<double>(single.samples.size());
      values += sample->rel_mse_v / static_cast<double>(single.samples.size());
    }
    const auto worse =
        std::count_if(means.begin(), means.end(), [&](double other) { return other > means[i]; });
    const double share = sum > 0 ? means[i] / sum : 0;
    table.rows.push_back(
        {text_cell(study.label), text_cell(single.layers.text()), loss_cell(losses(single)),
         number_cell(share, fmt::format("{:.1f} %", 100 * share)),
         number_cell(static_cast<double>(worse + 1), std::to_string(worse + 1)),
         number_cell(keys, significant(keys)), number_cell(values, significant(values))});
  }
  return table;
}

Table joint_table(const LayerStudy& study) {
  Table table = named_table("coded layers", title_of(study) + ": more and more layers coded");
  table.source = study.source;
  table.mode = study.mode;
  table.note = fmt::format(
      "Sum of singles: what these layers lose when each is coded alone. Joint less sum is paired, "
      "passage by passage; intervals are 95 % Student-t over {} passages. Of one layer, that of the "
      "smallest set.",
      study.singles.front().samples.size());
  table.label_columns = 3;
  table.columns = {{"", "codec", false},
                   {"coded", "coded layers"},
                   {"layers", "layers", false},
                   {"KL, nats", "kld_mean (nats)"},
                   {"sum of singles", "sum of singles (nats)"},
                   {"joint less sum", "joint less sum of singles (nats)"},
                   {"ratio", "joint over sum of singles"}};
  const auto row = [&](const Coded& set) {
    const std::vector<double> joint = losses(set);
    std::vector<Cell> cells = {text_cell(study.label),
                               text_cell(std::to_string(set.layers.count())),
                               text_cell(set.layers.text()), loss_cell(joint)};
    const auto sums = singles_of(study, set);
    if (!sums) {
      cells.insert(cells.end(), 3, text_cell("-"));
    } else {
      std::vector<double> apart(joint.size());
      for (std::size_t i = 0; i < joint.size(); ++i) apart[i] = joint[i] - (*sums)[i];
      const Interval difference = t_interval(apart);
      const double ratio = t_interval(joint).mean / t_interval(*sums).mean;
      cells.push_back(loss_cell(*sums));
      cells.push_back(interval_cell(difference, with_interval(difference, true)));
      cells.push_back(number_cell(ratio, fmt::format("{:.2f}", ratio)));
    }
    table.rows.push_back(std::move(cells));
  };
  // The layer of the smallest set that was measured alone, and the sets.
  for (const Coded& single : study.singles) {
    if (single.layers.first() != study.sets.front().layers.first()) continue;
    row(single);
    break;
  }
  for (const Coded& set : study.sets) row(set);
  return table;
}

/// Layers of the largest losses alone, worst first: "1 (31.2 %), 16 (12.0 %)", shares of the sum.
std::string worst_text(const LayerStudy& study, std::size_t most) {
  std::vector<std::pair<double, std::string>> means;
  double sum = 0;
  for (const Coded& single : study.singles) {
    means.emplace_back(t_interval(losses(single)).mean, single.layers.text());
    sum += means.back().first;
  }
  std::stable_sort(means.begin(), means.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  means.resize(std::min(means.size(), most));
  std::vector<std::string> words;
  for (const auto& [mean, layer] : means) {
    words.push_back(fmt::format("{} ({:.1f} %)", layer, sum > 0 ? 100 * mean / sum : 0));
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

/// The cells of the studies of one folder and mode as settings, beside the controls of the folder.
ResultGroup group_beside(const LayerStudy& first, std::span<const LayerStudy> studies) {
  ResultGroup group{first.source, first.mode, first.results, {}, {}, {}};
  std::set<int> passages;
  for (const LayerStudy& study : studies) {
    if (study.results != first.results || study.mode != first.mode) continue;
    for (const auto* cells : {&study.singles, &study.sets}) {
      for (const Coded& cell : *cells) {
        CodecResult& setting = group.codecs.emplace_back();
        setting.label = fmt::format("{} in layer{} {}", study.label,
                                    cell.layers.count() == 1 ? "" : "s", cell.layers.text());
        setting.samples = cell.samples;
        for (const Sample* sample : cell.samples) passages.insert(sample->key.passage);
      }
    }
  }
  group.passages.assign(passages.begin(), passages.end());
  return group;
}

/// What other forwards lose where nothing is coded, a folder and mode; without rows where none were measured.
std::vector<Table> floor_tables(std::span<const LayerStudy> studies) {
  std::vector<Table> tables;
  std::set<std::pair<const StoredResults*, std::string>> told;
  for (const LayerStudy& study : studies) {
    if (!told.emplace(study.results, study.mode).second) continue;
    Table table = noise_floor_table(group_beside(study, studies));
    table.title = study.source + ": other forwards, nothing coded";
    tables.push_back(std::move(table));
  }
  return tables;
}

/// A line a study: its largest set of joint_table(), and the layers that hurt most alone.
Table largest_sets_table(std::span<const LayerStudy> studies) {
  constexpr std::size_t kWorst = 5;
  Table table = named_table("largest sets", "All that was coded together, and what hurts");
  table.label_columns = 2;
  table.columns = {{"of", "source", false},
                   {"codec", "codec", false},
                   {"coded layers", "coded"},
                   {"KL, nats", "kld_mean"},
                   {"sum of singles", "sum"},
                   {"ratio", "ratio"},
                   {"layers that lose most alone, share of the sum", "worst", false}};
  table.note =
      "Sum of singles: what these layers lose when each is coded alone; ratio: joint over that.";
  for (const LayerStudy& study : studies) {
    const std::vector<Cell> last = joint_table(study).rows.back();
    table.rows.push_back({text_cell(study.source), text_cell(study.label), last[1], last[3],
                          last[4], last[6], text_cell(worst_text(study, kWorst))});
  }
  return table;
}

ChartPoint point_of(double x, const std::vector<double>& values) {
  const Interval interval = t_interval(values);
  if (!std::isfinite(interval.half_width)) {
    return {x, interval.mean, interval.mean, interval.mean, ""};
  }
  return {x, interval.mean, interval.low(), interval.high(), ""};
}

/// Studies of one folder and mode, a panel.
std::string panel_title(const LayerStudy& study) {
  return fmt::format("{}, {}, {}", study.results->plan.origin.model.name, study.source,
                     mode_text(study.mode));
}

ChartPanel& panel_of(Chart& chart, const LayerStudy& study) {
  const std::string title = panel_title(study);
  for (ChartPanel& panel : chart.panels) {
    if (panel.title == title) return panel;
  }
  chart.panels.emplace_back().title = title;
  return chart.panels.back();
}

void add_positive(ChartSeries& series, const ChartPoint& point) {
  if (point.y > 0) series.points.push_back(point);
}

Chart single_chart(std::span<const LayerStudy> studies) {
  Chart chart;
  chart.name = "single_layers";
  chart.title = "Which layers hurt: KL divergence with one layer coded";
  chart.subtitle = "all other layers bf16; 95 % intervals over passages";
  chart.x_label = "layer";
  chart.y_label = "KL divergence, nats";
  Looks looks;
  for (const LayerStudy& study : studies) {
    const Look look = looks.of(study.label);
    ChartSeries series{study.label, look.colour, look.marker, {}};
    for (const Coded& single : study.singles) {
      add_positive(series, point_of(single.layers.first(), losses(single)));
    }
    if (!series.points.empty()) panel_of(chart, study).series.push_back(std::move(series));
  }
  return chart;
}

Chart joint_chart(std::span<const LayerStudy> studies) {
  Chart chart;
  chart.name = "coded_layers";
  chart.title = "KL divergence against the number of coded layers";
  chart.subtitle = "broken: the sum of what these layers lose when each is coded alone";
  chart.x_label = "coded layers";
  chart.y_label = "KL divergence, nats";
  Looks looks;
  for (const LayerStudy& study : studies) {
    const Look look = looks.of(study.label);
    ChartSeries series{study.label, look.colour, look.marker, {}};
    ChartLine sums{"sum of single layers", 2, {}};
    for (const Coded& set : study.sets) {
      const auto count = static_cast<double>(set.layers.count());
      add_positive(series, point_of(count, losses(set)));
      const auto alone = singles_of(study, set);
      if (!alone) continue;
      const double sum = t_interval(*alone).mean;
      if (sum > 0) sums.points.emplace_back(count, sum);
    }
    ChartPanel& panel = panel_of(chart, study);
    if (!sums.points.empty()) panel.references.push_back(std::move(sums));
    if (!series.points.empty()) panel.series.push_back(std::move(series));
  }
  return chart;
}

void take_chart(Document& out, Chart chart, std::span<const LayerStudy> studies) {
  std::erase_if(chart.panels, [](const ChartPanel& panel) { return panel.series.empty(); });
  for (ChartPanel& panel : chart.panels) {
    const auto first = std::ranges::find(studies, panel.title, panel_title);
    add_floors(chart, panel, group_beside(*first, studies));
  }
  if (chart.panels.empty()) return;
  out.paragraph(fmt::format("![{}]({}.svg)", chart.title, chart.name));
  out.charts.push_back(std::move(chart));
}

}  // namespace

Document make_layer_report(std::span<const LayerStudy> studies, const Provenance& self) {
  Document out;
  const std::vector<std::string> head = {
      "# What coding single layers does, and coding more of them",
      "KL divergence of a model's predictions from those with a bf16 cache, with some layers coded."};
  for (const std::string& text : head) out.paragraph(text);
  take_chart(out, single_chart(studies), studies);
  take_chart(out, joint_chart(studies), studies);
  for (const LayerStudy& study : studies) {
    const SweepPlan& plan = study.results->plan;
    out.table(joint_table(study), "##",
              fmt::format("{}; {}, {} + {} tokens a passage, commit {}", plan.origin.model.name,
                          plan.origin.text.name, plan.context, plan.scored,
                          study.results->runs.front().commit));
    out.table(single_table(study), "##");
  }
  for (const Table& table : floor_tables(studies)) out.table(table, "##");
  FrontPage front{head, "", {}, largest_sets_table(studies), made_by_line(self)};
  if (!out.charts.empty()) front.chart = out.charts.front().name;
  out.put_behind(front);
  return out;
}

}  // namespace kakeya

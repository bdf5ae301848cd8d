// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/noise_floor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "kakeya/report/number.h"
#include "kakeya/stats/interval.h"
#include "kakeya/stats/paired.h"

namespace kakeya {
namespace {

/// One control on the passages of a group.
struct Control {
  std::string name;
  std::map<int, const ControlSample*> samples;  // by passage

  std::vector<double> values(double ControlSample::*value) const {
    std::vector<double> list;
    for (const auto& [passage, sample] : samples) list.push_back(sample->*value);
    return list;
  }
};

std::vector<Control> controls_in(const ResultGroup& group) {
  std::vector<Control> controls;
  const std::set<int> passages(group.passages.begin(), group.passages.end());
  for (const ControlSample& sample : group.results->controls) {
    if (!passages.contains(sample.passage)) continue;
    auto at = std::find_if(controls.begin(), controls.end(),
                           [&](const Control& c) { return c.name == sample.control; });
    if (at == controls.end()) at = controls.insert(at, {sample.control, {}});
    at->samples[sample.passage] = &sample;
  }
  return controls;
}

constexpr double kLeast = 1e-12;  // nats: where there is a logarithm of every KL divergence

double log_of(double kld) { return std::log(std::max(kld, kLeast)); }

/// A setting against a control: logarithms, as KL divergences of passages differ by factors.
struct Test {
  std::size_t control, codec;
  double difference, p_value;
};

std::vector<Test> tests_of(const ResultGroup& group, const std::vector<Control>& controls) {
  std::vector<Test> tests;
  for (std::size_t c = 0; c < controls.size(); ++c) {
    for (std::size_t i = 0; i < group.codecs.size(); ++i) {
      const CodecResult& codec = group.codecs[i];
      if (codec.identity()) continue;
      std::vector<double> of_codec, of_control;
      for (const Sample* sample : codec.samples) {
        const auto at = controls[c].samples.find(sample->key.passage);
        if (at == controls[c].samples.end() || !sample->kld_mean) continue;
        of_codec.push_back(log_of(*sample->kld_mean));
        of_control.push_back(log_of(at->second->kld_mean));
      }
      if (of_codec.size() < 2) continue;
      const PairedDifference paired = paired_difference(of_codec, of_control);
      tests.push_back({c, i, paired.difference.mean, paired.p_value});
    }
  }
  return tests;
}

std::string floor_text(const std::vector<std::string>& within, std::size_t tested) {
  if (tested == 0) return "not tested: fewer than two passages";
  if (within.empty()) return fmt::format("none of {}", tested);
  return fmt::format("{} of {}: {}", within.size(), tested, fmt::join(within, "; "));
}

// As ratio_cell(), in three digits: codecs lose up to ten thousand times what a control does.
Cell times_cell(const std::vector<double>& here, const std::vector<double>& there) {
  Cell cell = ratio_cell(here, there);
  if (!cell.value || !cell.half_width) return cell;
  const auto text = [](double log2) { return significant(std::exp2(log2)); };
  cell.text = fmt::format("{} ({} to {})", text(*cell.value), text(*cell.value - *cell.half_width),
                          text(*cell.value + *cell.half_width));
  return cell;
}

}  // namespace

std::string control_text(const std::string& control) {
  if (control == "fused") return "another attention (fused)";
  if (control == "decode") return "token by token (decode)";
  return control + " arithmetic";
}

Table noise_floor_table(const ResultGroup& group) {
  const std::vector<Control> controls = controls_in(group);
  Table table = group_table(group, "noise_floor", "Noise floor: other forwards, nothing coded");
  table.note =
      "The same weights and passages in another forward, the cache bf16 and uncoded, against the same "
      "reference pass: what an engine that computes in another way does by itself. ±: half width of "
      "the 95 % Student-t interval over passages (n). Not shown to be above it: settings whose KL "
      "divergence is not larger than the control's by a two-sided t-test at 5 % (logarithms, paired over "
      "passages; not corrected for many tests, which would only lengthen the list). With few passages "
      "that says little.";
  table.columns = {
      {"forward", "control", false},
      {"n", "passages"},
      {"KL divergence, nats", "kld_mean (nats)"},
      {"KL max", "kld_max (nats)"},
      {"Δppl, %", "delta_ppl (fraction)"},
      {"top-1, %", "top1 (fraction)"},
      {"settings not shown to be above it", "settings not shown to be above it", false}};
  const std::vector<Test> tests = tests_of(group, controls);
  for (std::size_t c = 0; c < controls.size(); ++c) {
    const Control& control = controls[c];
    std::vector<std::string> within;
    std::size_t tested = 0;
    for (std::size_t t = 0; t < tests.size(); ++t) {
      if (tests[t].control != c) continue;
      ++tested;
      if (tests[t].difference <= 0 || tests[t].p_value >= 0.05)
        within.push_back(group.codecs[tests[t].codec].label);
    }
    std::vector<Cell> row = {text_cell(control_text(control.name)),
                             number_cell(static_cast<double>(control.samples.size()),
                                         std::to_string(control.samples.size()))};
    const std::vector<double> largest = control.values(&ControlSample::kld_max);
    const auto interval = [&](const char* name, double ControlSample::*value) {
      const Interval of = t_interval(control.values(value));
      row.push_back(interval_cell(of, metric_text(metric(name), of)));
    };
    interval("kld_mean", &ControlSample::kld_mean);
    const double most = *std::max_element(largest.begin(), largest.end());
    row.push_back(number_cell(most, significant(most)));
    interval("delta_ppl", &ControlSample::delta_ppl);
    interval("top1", &ControlSample::top1);
    row.push_back(text_cell(floor_text(within, tested)));
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::vector<std::pair<std::string, double>> noise_floors(const ResultGroup& group) {
  std::vector<std::pair<std::string, double>> floors;
  for (const Control& control : controls_in(group)) {
    floors.emplace_back(control_text(control.name),
                        t_interval(control.values(&ControlSample::kld_mean)).mean);
  }
  return floors;
}

Table above_floor_table(const ResultGroup& group) {
  const std::vector<Control> controls = controls_in(group);
  Table table = group_table(group, "above_floor", "Noise floor: how far codecs lie above it");
  if (controls.empty()) return table;
  table.note =
      "Times a control: the KL divergence of a codec over that of a forward with nothing coded on the same "
      "passage, the geometric mean over passages with its 95 % interval (Student t of the logarithms). "
      "Below 1 in the interval: not told from what another engine does by itself.";
  table.columns = {{"codec", "codec", false},
                   {"bits", "bits of coded values"},
                   {"KL divergence, nats", "kld_mean (nats)"}};
  for (const Control& control : controls) {
    const std::string name = control_text(control.name);
    table.columns.push_back({"times " + name, "log2 of times " + name});
  }
  for (const CodecResult& codec : group.codecs) {
    if (codec.identity()) continue;
    const Interval kld = summary(codec, metric("kld_mean"));
    std::vector<Cell> row = {text_cell(codec.label), fixed_cell(codec.coded_bits, 3),
                             interval_cell(kld, metric_text(metric("kld_mean"), kld))};
    for (const Control& control : controls) {
      std::vector<double> here, there;
      for (const Sample* sample : codec.samples) {
        const auto at = control.samples.find(sample->key.passage);
        if (at == control.samples.end()) continue;
        here.push_back(*sample->kld_mean);
        there.push_back(at->second->kld_mean);
      }
      row.push_back(times_cell(here, there));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace kakeya

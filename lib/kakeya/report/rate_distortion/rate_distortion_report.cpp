// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/rate_distortion/rate_distortion_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kakeya/core/error.h"
#include "kakeya/report/dump_table.h"
#include "kakeya/report/rate_distortion/attention_table.h"
#include "kakeya/report/rate_distortion/charts.h"
#include "kakeya/report/rate_distortion/tables.h"
#include "kakeya/report/rates.h"
#include "kakeya/stats/rate_distortion.h"

namespace kakeya {
namespace {

void add_once(std::vector<std::string>& list, const std::string& text) {
  if (std::find(list.begin(), list.end(), text) == list.end()) list.push_back(text);
}

/// One line a reason.
std::vector<std::string> left_out_lines(const std::vector<LeftOut>& left_out) {
  struct Group {
    std::string reason;
    std::vector<std::string> sources, specs;
  };
  std::vector<Group> groups;
  for (const LeftOut& each : left_out) {
    auto at = std::find_if(groups.begin(), groups.end(),
                           [&](const Group& group) { return group.reason == each.reason; });
    if (at == groups.end()) at = groups.insert(at, {each.reason, {}, {}});
    add_once(at->sources, each.source);
    add_once(at->specs, each.spec);
  }
  std::vector<std::string> lines;
  for (const Group& group : groups) {
    lines.push_back(fmt::format("LEFT OUT on {}: {}: {}", fmt::join(group.sources, "; "),
                                group.reason, fmt::join(group.specs, ", ")));
  }
  return lines;
}

void add_warnings(TradeoffReport& report, std::span<const SourceResult> results,
                  const TradeoffContext& context) {
  report.warnings = left_out_lines(context.left_out);
  for (const SourceResult& result : results) {
    if (result.facts.entropy_power) continue;  // drawn in float32, which bf16 rounds
    for (const RatePoint& point : result.points) {
      if (point.spec != "identity" || point.distortion.rel_mse() == 0) continue;
      report.control_broken = true;
      report.warnings.push_back(
          fmt::format("BROKEN CONTROL: identity changes {}, rel-MSE {:.3g}: expected exactly 0",
                      result.facts.title, point.distortion.rel_mse()));
    }
  }
}

std::vector<std::string> head_of(const TradeoffReport& out) {
  std::vector<std::string> head = {
      "# Rate and distortion of the codecs",
      "Every number comes from frames that were written and decoded from their bytes. Where the bits "
      "of every frame are: [results.csv](results.csv)."};
  if (!out.warnings.empty()) {
    std::string lines = "> **ATTENTION: this report is not complete or not sound.**";
    for (const std::string& warning : out.warnings) lines += fmt::format("\n> - {}", warning);
    head.push_back(lines);
  }
  return head;
}

void write_head(TradeoffReport& out) {
  for (const std::string& text : head_of(out)) out.paragraph(text);
  for (const Chart& chart : out.charts)
    out.paragraph(fmt::format("![{}]({}.svg)", chart.title, chart.name));
}

/// The widest 95 % interval of a gap, over sources of independent values and the batches of each.
double widest_gap_interval_db(std::span<const SourceResult> results) {
  double widest = 0;
  for (const SourceResult& result : results) {
    if (!result.facts.entropy_power) continue;
    for (const RatePoint& point : result.points) {
      const double relative = point.rel_mse.half_width / point.rel_mse.mean;
      if (point.rel_mse.count > 1 && point.rel_mse.mean > 0)
        widest = std::max(widest, 10 * std::log10(1 + relative));
    }
  }
  return widest;
}

void write_reading(TradeoffReport& out, std::span<const SourceResult> results) {
  std::string text = fmt::format(
      "- {}\n"
      "- **rel-MSE**: sum of squared errors / sum of squares over all vectors, uncentred; large "
      "vectors weigh more. *Effective bits*, -log2(rel-MSE) / 2: what an ideal code of white "
      "Gaussian data would need for it. *SQNR*: -10 log10(rel-MSE).\n"
      "- **Gap**: 10 log10(rel-MSE x 2^(2R)) at the measured rate R, the distance above the "
      "Shannon bound of white Gaussian data of the same second moment (0.1 bit is 0.6 dB). At high "
      "rate with ideal entropy coding it is {:.3f} dB for E8, {:.3f} for D4, {:.3f} for the "
      "integers. The Gaussian is the hardest source of its variance, so that it can be below 0 on "
      "others.",
      kRatesNote, lattice_gap_db(kSecondMomentE8), lattice_gap_db(kSecondMomentD4),
      lattice_gap_db(kSecondMomentZ));
  const auto holds = [&](const auto& what) {
    return std::any_of(results.begin(), results.end(), what);
  };
  if (holds([](const SourceResult& r) { return r.facts.entropy_power.value_or(1) != 1; })) {
    text +=
        "\n- **Shannon lower bound**: entropy power x 2^(-2R), from the differential entropy in "
        "closed form. No code of independent values of this distribution is below it.";
  }
  if (holds([](const SourceResult& r) { return r.spectrum.has_value(); })) {
    text +=
        "\n- **Water-filling**: the rate-distortion function of Gaussian vectors with the second "
        "moments of the captured ones. The eigenvalues of all (layer, head) matrices, each over "
        "its vectors of all passages, are components under one water level and one mean rate; "
        "uncentred (E[x x^T]), and centred (the covariance: means known beforehand, at no cost). "
        "Neither is a bound for data that are not Gaussian, such as vectors whose norms differ; "
        "they say what is to be had from the spectrum. Matrices are those of the sample, which "
        "makes the bounds a little low where vectors are few.";
  }
  const double widest = widest_gap_interval_db(results);
  if (widest > 0) {
    text += fmt::format(
        "\n- **Noise**: over 16 batches of the drawn values, 95 % intervals of the gaps are at "
        "most ±{:.3f} dB wide.",
        widest);
  }
  out.paragraph(text);
}

}  // namespace

TradeoffReport make_tradeoff_report(std::span<const SourceResult> results,
                                    const TradeoffContext& context) {
  if (results.empty()) throw InputError("rate-distortion report: expected at least one source");
  TradeoffReport report;
  add_warnings(report, results, context);
  report.charts = tradeoff_charts(results);
  write_head(report);
  write_reading(report, results);
  report.table(sources_table(results), "##");
  if (!context.dumps.empty()) report.table(dump_table(context.dumps), "##");
  for (const AttentionResult& attention : context.attention) {
    if (!attention.missing.empty()) report.paragraph(missing_attention_text(attention));
    report.table(attention_table(attention, results), "##");
  }
  for (const SourceResult& result : results) report.table(equal_rate_table(result), "##");
  for (const SourceResult& result : results) report.table(points_table(result), "##");
  FrontPage front{head_of(report), "", {}, gaps_table(results), made_by_line(context.self)};
  if (!report.charts.empty()) front.chart = report.charts.front().name;
  report.put_behind(front);
  return report;
}

}  // namespace kakeya

// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "kakeya/codec/descriptor.h"
#include "kakeya/report/comparison.h"
#include "kakeya/report/family_curves.h"
#include "kakeya/report/number.h"
#include "kakeya/report/resampled_rates.h"
#include "kakeya/stats/iso_quality.h"

namespace kakeya {
namespace {

constexpr std::array<std::string_view, 4> kPublishedRates = {"10", "15", "22", "38"};

using Where = RateAtLoss::Where;
double mean_kld(const CodecResult& codec) { return summary(codec, metric("kld_mean")).mean; }

// Codecs each of whose settings is a point of comparison, whatever their keys.
bool always_compared(std::string_view family) {
  const CodecDescriptor* codec = find_descriptor(family);
  return codec != nullptr && codec->always_compared;
}

Curve reference_points(const ResultGroup& group, const Curves& curves, const std::string& family) {
  Curve all, published, others;
  for (const CodecResult& codec : group.codecs) {
    if (codec.identity() || mean_kld(codec) <= 0) continue;
    if (codec.family == family) {
      all.push_back(&codec);
      const bool known = std::find(kPublishedRates.begin(), kPublishedRates.end(), codec.rate) !=
                         kPublishedRates.end();
      if (known) published.push_back(&codec);
    } else if (curves.at(codec.family).size() == 1 || always_compared(codec.family)) {
      others.push_back(&codec);
    }
  }
  Curve points = published.empty() ? all : published;
  points.insert(points.end(), others.begin(), others.end());
  return points;
}

/// The rate of this kind at which a family reaches the loss; unmeasured where a setting has none.
RateAtLoss rate_at(const Curve& curve, const RateKind& kind, double loss) {
  std::vector<OperatingPoint> points;
  for (const CodecResult* codec : curve) {
    const std::optional<double> rate = kind.of(codec->rates);
    if (!rate) return {};
    points.push_back({*rate, mean_kld(*codec)});
  }
  return rate_at_loss(points, loss);
}

Cell rate_at_cell(const RateAtLoss& answer) {
  switch (answer.where) {
    case Where::inside:
      return fixed_cell(answer.rate, 3);
    case Where::too_lossy:
      return text_cell(fmt::format("> {:.3f}", answer.rate));
    case Where::too_fine:
      return text_cell(fmt::format("< {:.3f}", answer.rate));
    case Where::unmeasured:
      break;
  }
  return text_cell("-");
}

/// Of the family's measured bits at the reference's KL divergence over the reference's measured
/// bits: both weighed with the same draws of the passages that all of these settings have. Ends out
/// of the measured range are infinite. Nothing where there are too few passages.
std::optional<Range> ratio_range(const CodecResult& reference, const Curve& curve) {
  Curve all = curve;
  all.push_back(&reference);
  const std::vector<int> passages = shared_passages(all);
  if (passages.size() < kFewestPassages) return std::nullopt;
  const Weighed target = weigh(reference, metric("kld_mean"), passages);
  const std::vector<Weighed> settings = weigh(curve, metric("kld_mean"), passages);
  std::vector<double> ratios;
  for (std::uint64_t number = 0; number < kRateResamples; ++number) {
    const std::vector<std::size_t> drawn = resample(passages.size(), kRateSeed, number);
    const OperatingPoint at = target.over(drawn);
    if (at.loss <= 0) return std::nullopt;
    const RateAtLoss answer = rate_at_loss(points_over(settings, drawn), at.loss);
    const double beyond = std::numeric_limits<double>::infinity();
    if (answer.where == Where::unmeasured) return std::nullopt;
    ratios.push_back(answer.where == Where::too_lossy  ? beyond
                     : answer.where == Where::too_fine ? -beyond
                                                       : answer.rate / at.rate);
  }
  return percentile_interval(std::move(ratios));
}

std::string end_text(double ratio) {
  return std::isinf(ratio) ? "out of range" : fmt::format("{:.3f}", ratio);
}

void add_ratio_cells(std::vector<Cell>& row, const RateAtLoss& answer, double reference_bits,
                     const std::optional<Range>& range) {
  if (answer.where != Where::inside) {
    row.resize(row.size() + 3, text_cell("-"));
    return;
  }
  const double ratio = answer.rate / reference_bits;
  std::string text = fmt::format("{:.3f}x", ratio);
  if (range) text += fmt::format(" ({} to {})", end_text(range->low), end_text(range->high));
  row.push_back(number_cell(ratio, text));
  for (const bool low : {true, false}) {
    const double end = !range ? std::numeric_limits<double>::infinity()
                       : low  ? range->low
                              : range->high;
    row.push_back(std::isinf(end) ? text_cell("-") : number_cell(end, end_text(end)));
  }
}

std::vector<Cell> reference_row(const CodecResult& codec) {
  const Interval kld = summary(codec, metric("kld_mean"));
  std::vector<Cell> row = {text_cell(codec.label), text_cell("itself"),
                           interval_cell(kld, significant(kld.mean))};
  add_rate_cells(row, codec.rates);
  row.push_back(number_cell(1, "1"));
  row.resize(row.size() + 2, text_cell("-"));
  return row;
}

std::vector<Cell> family_row(const CodecResult& reference, const std::string& family,
                             const Curve& curve) {
  const double kld = mean_kld(reference);
  std::vector<Cell> row = {text_cell(reference.label), text_cell(family),
                           number_cell(kld, significant(kld))};
  for (const RateKind& kind : rate_kinds()) row.push_back(rate_at_cell(rate_at(curve, kind, kld)));
  add_ratio_cells(row, rate_at(curve, rate_kinds().front(), kld), reference.rates.measured,
                  ratio_range(reference, curve));
  return row;
}

}  // namespace

Table equal_kld_table(const ResultGroup& group) {
  const Curves curves = curves_of(group, metric("kld_mean"));
  const std::string reference = family_or_largest(group, curves, reference_families());
  Table table = group_table(
      group, "real_bits_at_equal_kld",
      fmt::format("Measured bits of the {} at equal KL divergence", bits_of_text(group.bits_of)));
  table.label_columns = 2;
  table.note = fmt::format(
      "Bits per value that each family needs for the KL divergence of the reference setting: "
      "log-linear between neighbouring measured points of its isotonic fit, for each of the four "
      "rates by itself. \"> x\", \"< x\": out of the measured range, whose end is x; nothing is "
      "extrapolated. Ratio: the family's measured bits over the reference's, with the 95 % "
      "percentile interval of {} paired resamples of the passages (from {} passages on). "
      "References: {}, settings that have no curve of their own, and all of kivi and kvtc.",
      kRateResamples, kFewestPassages, reference.empty() ? "none" : reference);
  table.columns = {{"at the KL divergence of", "reference", false},
                   {"family", "family", false},
                   {"KL divergence, nats", "kld_mean (nats)"}};
  add_rate_columns(table, "", group.bits_of);
  table.columns.insert(table.columns.end(),
                       {{"measured bits / the reference's", "ratio of real bits"},
                        {"", "ratio of real bits, low end"},
                        {"", "ratio of real bits, high end"}});
  const bool any = std::any_of(curves.begin(), curves.end(),
                               [](const auto& each) { return each.second.size() > 1; });
  if (!any) return table;
  for (const CodecResult* codec : reference_points(group, curves, reference)) {
    table.rows.push_back(reference_row(*codec));
    for (const std::string& family : group.families()) {
      const auto at = curves.find(family);
      if (at == curves.end() || at->second.size() < 2 || family == codec->family) continue;
      table.rows.push_back(family_row(*codec, family, at->second));
    }
  }
  return table;
}

}  // namespace kakeya

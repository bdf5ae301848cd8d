// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "kakeya/report/comparison.h"
#include "kakeya/report/number.h"
#include "kakeya/stats/iso_quality.h"

namespace kakeya {
namespace {

constexpr std::array<std::string_view, 4> kPublishedRates = {"10", "15", "22", "38"};

using Curves = std::map<std::string, std::vector<OperatingPoint>>;

Curves curves_of(const ResultGroup& group) {
  Curves curves;
  const std::vector<OperatingPoint> points = operating_points(group, metric("kld_mean"));
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points[i].loss > 0) curves[group.codecs[i].family].push_back(points[i]);
  }
  return curves;
}

std::string reference_family(const ResultGroup& group, const Curves& curves) {
  for (const char* preferred : {"e8:rule=published", "e8"}) {
    if (curves.contains(preferred)) return preferred;
  }
  std::string best;
  std::size_t most = 0;
  for (const std::string& family : group.families()) {
    const auto at = curves.find(family);
    if (at != curves.end() && at->second.size() > most) best = family, most = at->second.size();
  }
  return best;
}

std::vector<const CodecResult*> reference_points(const ResultGroup& group, const Curves& curves,
                                                 const std::string& family) {
  std::vector<const CodecResult*> all, published, singles;
  for (const CodecResult& codec : group.codecs) {
    if (codec.identity() || summary(codec, metric("kld_mean")).mean <= 0) continue;
    if (codec.family == family) {
      all.push_back(&codec);
      const bool known = std::find(kPublishedRates.begin(), kPublishedRates.end(), codec.rate) !=
                         kPublishedRates.end();
      if (known) published.push_back(&codec);
    } else if (curves.at(codec.family).size() == 1) {
      singles.push_back(&codec);
    }
  }
  std::vector<const CodecResult*> points = published.empty() ? all : published;
  points.insert(points.end(), singles.begin(), singles.end());
  return points;
}

Cell rate_cell(const RateAtLoss& answer, double reference) {
  switch (answer.where) {
    case RateAtLoss::Where::inside:
      return number_cell(answer.rate,
                         fmt::format("{:.2f} ({:.3f}x)", answer.rate, answer.rate / reference));
    case RateAtLoss::Where::too_lossy:
      return text_cell(fmt::format("> {:.2f}", answer.rate));
    case RateAtLoss::Where::too_fine:
      return text_cell(fmt::format("< {:.2f}", answer.rate));
    case RateAtLoss::Where::unmeasured:
      break;
  }
  return text_cell("-");
}

}  // namespace

Table equal_kld_table(const ResultGroup& group) {
  const Curves curves = curves_of(group);
  const std::string reference = reference_family(group, curves);
  Table table;
  table.name = "bits_at_equal_kld";
  table.title = "Bits at equal KL divergence";
  table.source = group.source;
  table.mode = group.mode;
  table.note = fmt::format(
      "Real bits per value that each family needs for the KL divergence of the reference setting "
      "(ratio to the reference's real "
      "bits): log-linear between neighbouring measured points of its isotonic fit. \"> x\", \"< "
      "x\": out of the measured range, "
      "whose end is x; nothing is extrapolated. Reference: {}, and settings that have no curve of "
      "their own.",
      reference.empty() ? "none" : reference);
  table.columns = {{"at the KL divergence of", "reference", false},
                   {"KL divergence, nats", "kld_mean (nats)", true},
                   {"its real bits", "bits_per_value (written)", true},
                   {"its charged bits", "charged_bits_per_value (published formula)", true}};
  std::vector<std::string> families;
  for (const std::string& family : group.families()) {
    const auto at = curves.find(family);
    if (at == curves.end() || at->second.size() < 2) continue;
    families.push_back(family);
    table.columns.push_back({family, fmt::format("bits of {}", family), true});
    table.columns.push_back({"", fmt::format("ratio of {}", family), true});
  }
  if (families.empty()) return table;
  for (const CodecResult* codec : reference_points(group, curves, reference)) {
    const Interval kld = summary(*codec, metric("kld_mean"));
    const double bits = codec->bits_per_value;
    std::vector<Cell> row = {text_cell(codec->label), interval_cell(kld, significant(kld.mean)),
                             number_cell(bits, fmt::format("{:.3f}", bits)), text_cell("-")};
    if (codec->charged_bits_per_value) {
      row[3] = number_cell(*codec->charged_bits_per_value,
                           fmt::format("{:.3f}", *codec->charged_bits_per_value));
    }
    for (const std::string& family : families) {
      const RateAtLoss answer = rate_at_loss(curves.at(family), kld.mean);
      row.push_back(rate_cell(answer, bits));
      row.push_back(answer.where == RateAtLoss::Where::inside ? number_cell(answer.rate / bits, "")
                                                              : text_cell("out of range"));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace kakeya

// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/rate_distortion/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "kakeya/report/number.h"
#include "kakeya/report/rate_distortion/families.h"
#include "kakeya/report/rates.h"
#include "kakeya/stats/rate_distortion.h"

namespace kakeya {
namespace {

/// A difference in decibels; an exact copy has none.
Cell decibel_cell(double decibels) {
  if (std::isinf(decibels)) return text_cell(decibels < 0 ? "exact" : "-");
  return fixed_cell(decibels, 2);
}

double decibels(double ratio) { return 10 * std::log10(ratio); }

/// A bound that belongs to some sources only, as a column of gaps.
struct BoundColumn {
  const char *heading, *quantity;
  std::optional<double> (*rel_mse)(const SourceResult&, double bits_per_value);
};

constexpr BoundColumn kBounds[] = {
    {"to Shannon lower bound, dB", "gap_to_shannon_lower_bound (dB)",
     [](const SourceResult& r, double bits) { return r.shannon_lower_rel_mse(bits); }},
    {"to water-filling, dB", "gap_to_water_filling_uncentred (dB)",
     [](const SourceResult& r, double bits) { return r.water_filling_rel_mse(bits, false); }},
    {"centred, dB", "gap_to_water_filling_centred (dB)",
     [](const SourceResult& r, double bits) { return r.water_filling_rel_mse(bits, true); }},
};

bool bound_applies(const BoundColumn& bound, const SourceResult& result) {
  // Of the Gaussian, Shannon's lower bound is the bound that every source is compared with.
  if (result.facts.entropy_power == 1.0) return false;
  return bound.rel_mse(result, 0).has_value();
}

/// What a codec measured at one setting has; null of families of more, and of the control.
const RatePoint* only_point(const Family& family) {
  const RatePoint* const first = family.points.front();
  return family.points.size() == 1 && first->spec != "identity" ? first : nullptr;
}

struct SplitColumn {
  const char* quantity;
  std::uint64_t RateLedger::*category;
};

constexpr SplitColumn kSplit[] = {
    {"payload_bits_per_value (written)", &RateLedger::payload_bits},
    {"scale_bits_per_value (written)", &RateLedger::scale_bits},
    {"header_bits_per_value (written)", &RateLedger::header_bits},
    {"table_bits_per_value (written)", &RateLedger::table_bits},
    {"padding_bits_per_value (written)", &RateLedger::padding_bits},
};

std::string bounds_text(const SourceResult& result) {
  if (result.facts.entropy_power) {
    const double power = *result.facts.entropy_power;
    return power == 1.0 ? "Shannon's, exactly"
                        : fmt::format("Shannon's lower bound {:.3f} dB below the Gaussian one",
                                      -decibels(power));
  }
  const auto depth = [&](bool centred) {
    return decibels(*result.water_filling_rel_mse(4, centred) / shannon_rel_mse(4));
  };
  return fmt::format(
      "water-filling at 4 bits {:.2f} dB below the white bound, {:.2f} dB if centred; means are "
      "{:.1f} % of the energy",
      -depth(false), -depth(true), 100 * result.spectrum->mean_share);
}

}  // namespace

Table sources_table(std::span<const SourceResult> results) {
  Table table = named_table("sources", "What was measured");
  table.columns = {{"source", "source", false},   {"what", "what", false},  {"dim", "dim"},
                   {"vectors", "vectors"},        {"values", "values"},     {"frames", "frames"},
                   {"E[x^2]", "mean_square (1)"}, {"bound", "bound", false}};
  const auto count = [](std::uint64_t n) {
    return number_cell(static_cast<double>(n), grouped(n));
  };
  for (const SourceResult& result : results) {
    table.rows.push_back({text_cell(result.facts.title), text_cell(result.facts.description),
                          count(result.facts.dim), count(result.vectors), count(result.values),
                          count(result.frames),
                          number_cell(result.mean_square, significant(result.mean_square, 4)),
                          text_cell(result.mean_square > 0 ? bounds_text(result) : "none")});
  }
  return table;
}

Table points_table(const SourceResult& result) {
  Table table = named_table("points", result.facts.title);
  table.source = result.facts.name;
  table.columns = {{"codec", "codec", false}};
  add_rate_columns(table);
  table.columns.push_back({"rel-MSE", "rel_mse (1)"});
  table.columns.push_back({"SQNR, dB", "sqnr (dB)"});
  table.columns.push_back({"effective bits", "effective_bits_per_value (-log2(rel_mse) / 2)"});
  table.columns.push_back({"gap, dB", "gap_to_white_gaussian (dB)"});
  for (const BoundColumn& bound : kBounds) {
    if (bound_applies(bound, result))
      table.columns.push_back({bound.heading, bound.quantity, true});
  }
  const bool attended = std::ranges::any_of(
      result.points, [](const RatePoint& point) { return point.attention_rel_mse.has_value(); });
  if (attended) table.columns.push_back({"attention rel-MSE", "attention_rel_mse (1)"});
  for (const SplitColumn& split : kSplit) table.columns.push_back({"", split.quantity, true});
  table.columns.push_back({"", "cosine (1)"});
  table.columns.push_back({"", "max_abs_error (1)"});

  for (const RatePoint& point : result.points) {
    const double bits = point.measured_bits_per_value(), rel_mse = point.distortion.rel_mse();
    Cell error = interval_cell(point.rel_mse, significant(rel_mse, 4));
    error.value = rel_mse;  // of all vectors together; the interval is of the mean over batches
    const double effective = effective_bits(rel_mse);
    std::vector<Cell> row = {text_cell(point.spec)};
    add_rate_cells(row, point.rates());
    row.push_back(std::move(error));
    row.push_back(std::isinf(effective) ? text_cell("exact") : fixed_cell(-decibels(rel_mse), 2));
    row.push_back(std::isinf(effective) ? text_cell("exact") : rate_cell(effective));
    row.push_back(decibel_cell(point.gap_db()));
    for (const BoundColumn& bound : kBounds) {
      if (bound_applies(bound, result))
        row.push_back(decibel_cell(decibels(rel_mse / *bound.rel_mse(result, bits))));
    }
    if (attended) {
      const std::optional<Interval>& outputs = point.attention_rel_mse;
      row.push_back(outputs ? interval_cell(*outputs, significant(outputs->mean, 4))
                            : text_cell("-"));
    }
    for (const SplitColumn& split : kSplit) {
      row.push_back(rate_cell(static_cast<double>(point.ledger.*split.category) /
                              static_cast<double>(point.ledger.values)));
    }
    const double cosine = point.distortion.mean_cosine(), worst = point.distortion.max_abs_error();
    row.push_back(fixed_cell(cosine, 6));
    row.push_back(number_cell(worst, significant(worst, 4)));
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table equal_rate_table(const SourceResult& result) {
  constexpr double kRates[] = {2, 3, 4, 5, 6, 8};
  Table table = named_table("equal_rate", result.facts.title + ": gap at equal measured rate");
  table.source = result.facts.name;
  table.columns = {{"family", "family", false}};
  for (const double rate : kRates) {
    table.columns.push_back({fmt::format("{:g} measured bits, dB", rate),
                             fmt::format("gap_to_white_gaussian at {:g} real bits (dB)", rate),
                             true});
  }
  for (const Family& family : families_of(result)) {
    std::vector<Cell> row = {text_cell(family.name)};
    bool any = false;
    for (const double rate : kRates) {
      const std::optional<double> gap = gap_at(family, rate);
      any |= gap.has_value();
      row.push_back(gap ? decibel_cell(*gap) : text_cell("-"));
    }
    if (any) table.rows.push_back(std::move(row));
  }
  return table;
}

Table gaps_table(std::span<const SourceResult> results) {
  constexpr double kRate = 4;
  Table table = named_table("gaps", fmt::format("Gap at {:g} measured bits, dB", kRate));
  table.columns = {{"family", "family", false}};
  table.note =
      "10 log10(rel-MSE x 2^(2R)): the distance above the Shannon bound of white Gaussian data of "
      "the same second moment, interpolated at that rate; 0.6 dB are 0.1 bit. It can be below 0 on "
      "values that are not white or not Gaussian. \"-\": the family does not reach that rate. A codec "
      "with one setting has the gap at its own bits, which stand beside it.";
  std::vector<std::string> names;
  for (const SourceResult& result : results) {
    for (const Family& family : families_of(result)) {
      const bool told = gap_at(family, kRate) || only_point(family) != nullptr;
      if (!told || std::ranges::count(names, family.name) > 0) continue;
      names.push_back(family.name);
      table.rows.push_back({text_cell(family.name)});
      table.rows.back().resize(1 + results.size(), text_cell("-"));
    }
  }
  for (std::size_t s = 0; s < results.size(); ++s) {
    table.columns.push_back({results[s].facts.title, results[s].facts.name});
    for (const Family& family : families_of(results[s])) {
      const auto row =
          static_cast<std::size_t>(std::ranges::find(names, family.name) - names.begin());
      if (const std::optional<double> gap = gap_at(family, kRate)) {
        table.rows[row][1 + s] = decibel_cell(*gap);
      } else if (const RatePoint* only = only_point(family)) {
        table.rows[row][1 + s] = text_cell(
            fmt::format("{:.2f} ({:.2f} bits)", only->gap_db(), only->measured_bits_per_value()));
      }
    }
  }
  return table;
}

}  // namespace kakeya

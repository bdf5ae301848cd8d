// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/rates.h"

#include <fmt/format.h>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

constexpr RateKind kKinds[] = {
    {"measured", "real_bits_per_value", "written",
     [](const CodedRates& rates) -> std::optional<double> { return rates.measured; }},
    {"nominal", "charged_bits_per_value", "published formula",
     [](const CodedRates& rates) { return rates.nominal; }},
    {"codebook", "exact_bits_per_value", "log2 of the codebook",
     [](const CodedRates& rates) { return rates.codebook; }},
    {"entropy", "entropy_bits_per_value", "order-0, of the indices alone",
     [](const CodedRates& rates) { return rates.entropy; }},
};

std::optional<double> sum(const std::optional<double>& a, const std::optional<double>& b) {
  return a && b ? std::optional(*a + *b) : std::nullopt;
}

/// The mean over values of a rate that every sample stores.
std::optional<double> mean_rate(std::span<const Sample* const> samples,
                                std::optional<double> Sample::*rate) {
  double bits = 0, values = 0;
  for (const Sample* sample : samples) {
    if (!(sample->*rate)) return {};
    bits += *(sample->*rate) * static_cast<double>(sample->values);
    values += static_cast<double>(sample->values);
  }
  return bits / values;
}

}  // namespace

std::optional<RateLedger> sum_of_ledgers(std::span<const Sample* const> samples,
                                         std::optional<RateLedger> Sample::*ledger) {
  RateLedger total;
  for (const Sample* sample : samples) {
    if (!(sample->*ledger)) return {};
    total.merge(*(sample->*ledger));
  }
  return total;
}

CodedRates rates_of(std::span<const Sample* const> samples) {
  std::uint64_t bytes = 0, values = 0;
  for (const Sample* sample : samples) {
    bytes += sample->bytes_written;
    values += sample->values;
  }
  CodedRates rates;
  rates.measured = 8.0 * static_cast<double>(bytes) / static_cast<double>(values);
  rates.nominal = mean_rate(samples, &Sample::nominal_bits_per_value);
  rates.codebook = mean_rate(samples, &Sample::codebook_bits_per_value);
  const auto of_k = sum_of_ledgers(samples, &Sample::ledger_k),
             of_v = sum_of_ledgers(samples, &Sample::ledger_v);
  if (!of_k || !of_v) return rates;
  if (const auto entropy = sum(of_k->entropy_bits, of_v->entropy_bits)) {
    rates.entropy = *entropy / static_cast<double>(values);
  }
  return rates;
}

std::span<const RateKind> rate_kinds() { return kKinds; }

const RateKind& rate_kind(std::string_view name) {
  for (const RateKind& kind : kKinds) {
    if (kind.name == name) return kind;
  }
  throw SpecError(
      fmt::format("rate {}: expected one of measured, nominal, codebook and entropy", name));
}

void add_rate_columns(Table& table, const std::string& of) {
  const std::string in_heading = of.empty() ? "" : " " + of,
                    in_quantity = of.empty() ? "" : " of " + of;
  for (const RateKind& kind : kKinds) {
    table.columns.push_back({fmt::format("{} bits{}", kind.name, in_heading),
                             fmt::format("{}{} ({})", kind.quantity, in_quantity, kind.meaning),
                             true});
  }
}

void add_rate_cells(std::vector<Cell>& row, const CodedRates& rates) {
  for (const RateKind& kind : kKinds) row.push_back(rate_cell(kind.of(rates)));
}

Cell rate_cell(std::optional<double> bits_per_value) {
  return bits_per_value ? number_cell(*bits_per_value, fmt::format("{:.3f}", *bits_per_value))
                        : text_cell("-");
}

}  // namespace kakeya

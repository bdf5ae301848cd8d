// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/rates.h"

#include <fmt/format.h>

#include "kakeya/core/error.h"
#include "kakeya/store/whole_cache.h"

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

namespace {

CodedRates rates_of_coded(std::span<const Sample* const> samples) {
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

/// The same rate where all that is not coded is bf16: what was taken of `coded` values, `exact` of
/// which are bf16, holds of all but `bf16` of the `all` values.
std::optional<double> spread(std::optional<double> rate, double coded, double exact, double bf16,
                             double all) {
  if (!rate || coded <= exact) return rate;
  const double of_codes = (*rate * coded - 16 * exact) / (coded - exact);
  return (of_codes * (all - bf16) + 16 * bf16) / all;
}

}  // namespace

std::string_view bits_of_text(BitsOf of) {
  return of == BitsOf::coded_values ? "coded values" : "whole cache";
}

BitsOf parse_bits_of(const std::string& text) {
  if (text == "coded") return BitsOf::coded_values;
  if (text == "whole-cache") return BitsOf::whole_cache;
  throw SpecError(fmt::format("--bits {}: expected coded or whole-cache", text));
}

BytesOf bytes_of(const Sample& sample, BitsOf of) {
  if (of == BitsOf::coded_values)
    return {static_cast<double>(sample.bytes_written), static_cast<double>(sample.values)};
  return {whole_cache_bytes(sample), static_cast<double>(sample.cache_values)};
}

CodedRates rates_of(std::span<const Sample* const> samples, BitsOf of) {
  CodedRates rates = rates_of_coded(samples);
  if (of == BitsOf::coded_values) return rates;
  BytesOf whole;
  double coded = 0, exact = 0, open = 0;
  for (const Sample* sample : samples) {
    const BytesOf each = bytes_of(*sample, of);
    whole.bytes += each.bytes;
    whole.values += each.values;
    coded += static_cast<double>(sample->values);
    for (const auto* ledger : {&sample->ledger_k, &sample->ledger_v}) {
      if (*ledger) exact += static_cast<double>((*ledger)->exact_token_bits) / 16;
    }
    if (sample->open_page && cache_grows(sample->key.mode))
      open += static_cast<double>(sample->open_page->values);
  }
  rates.measured = 8 * whole.bytes / whole.values;
  const double bf16 = exact + open + whole.values - coded;
  for (std::optional<double>* rate : {&rates.nominal, &rates.codebook, &rates.entropy})
    *rate = spread(*rate, coded, exact, bf16, whole.values);
  return rates;
}

std::string rates_note(BitsOf of) {
  if (of == BitsOf::coded_values)
    return fmt::format("All four are of the coded values. {}", kRatesNote);
  return fmt::format("All four are of the whole cache, what is not coded at 16 bits a value. {} {}",
                     kRatesNote, kWholeCacheNote);
}

std::span<const RateKind> rate_kinds() { return kKinds; }

const RateKind& rate_kind(std::string_view name) {
  for (const RateKind& kind : kKinds) {
    if (kind.name == name) return kind;
  }
  throw SpecError(
      fmt::format("rate {}: expected one of measured, nominal, codebook and entropy", name));
}

void add_rate_columns(Table& table, const std::string& of, std::optional<BitsOf> bits_of) {
  const std::string in_heading = of.empty() ? "" : " " + of,
                    in_quantity = of.empty() ? "" : " of " + of,
                    whole = bits_of == BitsOf::whole_cache ? "whole_cache_" : "";
  for (const RateKind& kind : kKinds) {
    const bool says = bits_of && &kind == &kKinds[0];
    table.columns.push_back(
        {fmt::format("{} bits{}{}", kind.name, in_heading,
                     says ? fmt::format(", {}", bits_of_text(*bits_of)) : ""),
         fmt::format("{}{}{} ({})", whole, kind.quantity, in_quantity, kind.meaning), true});
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

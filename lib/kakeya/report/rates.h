// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kakeya/report/table.h"
#include "kakeya/stats/coded_rates.h"
#include "kakeya/store/result_store.h"

namespace kakeya {

/// What a rate is of.
enum class BitsOf {
  coded_values,  ///< the values that codecs are given, sinks and residual window among them
  whole_cache,   ///< all values: the skipped layers in bf16 too, and while a cache grows what lies
                 ///< in pages that are not full (whole_cache.h)
};

/// "coded values", "whole cache": in headings, notes and axes.
std::string_view bits_of_text(BitsOf of);

/// "coded" or "whole-cache": on command lines. Throws SpecError naming both.
BitsOf parse_bits_of(const std::string& text);

/// Bytes of a sample by the one or the other, and values.
struct BytesOf {
  double bytes = 0, values = 0;
};
BytesOf bytes_of(const Sample& sample, BitsOf of);

/// Over all of them; at least one. Of the whole cache the rates by formula take what is bf16 at 16
/// bits a scalar, as the measured one does.
CodedRates rates_of(std::span<const Sample* const> samples, BitsOf of = BitsOf::coded_values);

/// Of one part over all samples; nothing where one of them has no ledger.
std::optional<RateLedger> sum_of_ledgers(std::span<const Sample* const> samples,
                                         std::optional<RateLedger> Sample::*ledger);

/// One of the four countings.
struct RateKind {
  std::string_view name;      ///< "measured", in a heading: "measured bits"
  std::string_view quantity;  ///< in results.csv, whose names stay: "real_bits_per_value"
  std::string_view meaning;   ///< beside it there: "written"
  std::optional<double> (*of)(const CodedRates&);
};

/// All four, in the order of the tables; the measured rate leads.
std::span<const RateKind> rate_kinds();

/// By its name. Throws SpecError when there is none.
const RateKind& rate_kind(std::string_view name);

/// A column for each of the four, measured bits first: headings end in `of`: "measured bits A".
/// Where `bits_of` is given the first says it too: "measured bits A, whole cache"; quantities of
/// coded values keep their names.
void add_rate_columns(Table& table, const std::string& of = "",
                      std::optional<BitsOf> bits_of = std::nullopt);

/// Their cells; "-" for what there is not.
void add_rate_cells(std::vector<Cell>& row, const CodedRates& rates);

/// A rate with three decimals, or "-".
Cell rate_cell(std::optional<double> bits_per_value);

/// The sentences that a table with these columns has in its note.
inline constexpr char kRatesNote[] =
    "Rates are bits per value. Measured: 8 x bytes written / values coded, frames and side tables "
    "included. Nominal: the published formula. Codebook: its log2, scales included. "
    "Entropy: order-0, of the indices alone. \"-\": there is none, or it was not recorded.";
std::string rates_note(BitsOf of);

/// What whole-cache bits are, and what "≥" before them says.
inline constexpr char kWholeCacheNote[] =
    "Whole-cache bits: 8 x all bytes of the cache / all its values: skipped layers, sinks and "
    "residual window in bf16, and while a cache grows what lies in pages that are not full in bf16 "
    "too, whatever the codec. \"≥\": the version that measured this recorded no open pages, which "
    "count as they were written: too few bits for codecs with pages. Profiles are in no rate.";

}  // namespace kakeya

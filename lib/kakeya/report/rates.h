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

/// Over all of them; at least one.
CodedRates rates_of(std::span<const Sample* const> samples);

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
void add_rate_columns(Table& table, const std::string& of = "");

/// Their cells; "-" for what there is not.
void add_rate_cells(std::vector<Cell>& row, const CodedRates& rates);

/// A rate with three decimals, or "-".
Cell rate_cell(std::optional<double> bits_per_value);

/// The sentences that a table with these columns has in its note.
inline constexpr char kRatesNote[] =
    "Rates are bits per value. Measured: 8 x bytes written / values coded, frames and side tables "
    "included. Nominal: the published formula. Codebook: its log2, scales included. "
    "Entropy: order-0, of the indices alone. \"-\": there is none, or it was not recorded.";

}  // namespace kakeya

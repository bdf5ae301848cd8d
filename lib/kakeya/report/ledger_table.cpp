// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "kakeya/report/codec_tables.h"

namespace kakeya {
namespace {

struct Category {
  const char *heading, *quantity;
  std::uint64_t RateLedger::*bits;
};

// All of them, so that a row adds up to the measured bits.
constexpr Category kCategories[] = {
    {"payload", "payload_bits_per_value (written)", &RateLedger::payload_bits},
    {"scales", "scale_bits_per_value (written)", &RateLedger::scale_bits},
    {"headers", "header_bits_per_value (written)", &RateLedger::header_bits},
    {"tables", "table_bits_per_value (written)", &RateLedger::table_bits},
    {"padding", "padding_bits_per_value (written)", &RateLedger::padding_bits},
    {"exact tokens", "exact_token_bits_per_value (written)", &RateLedger::exact_token_bits},
};

// A header is a few thousandths of a bit, so four decimals.
Cell fine_cell(double bits, std::uint64_t values) {
  const double rate = bits / static_cast<double>(values);
  return fixed_cell(rate, 4);
}

std::vector<Cell> ledger_row(const CodecResult& codec) {
  std::vector<Cell> row = {text_cell(codec.label)};
  row.push_back(fixed_cell(codec.coded_bits, 4));
  if (!codec.ledger_k || !codec.ledger_v) {
    row.resize(row.size() + std::size(kCategories) + 3, text_cell("-"));
    return row;
  }
  const RateLedger &keys = *codec.ledger_k, &values = *codec.ledger_v;
  RateLedger both = keys;
  both.merge(values);
  for (const Category& category : kCategories) {
    row.push_back(fine_cell(static_cast<double>(both.*category.bits), both.values));
  }
  row.push_back(both.entropy_bits ? fine_cell(*both.entropy_bits, both.values) : text_cell("-"));
  // Codecs of whole tokens book what keys and values cost together with the keys.
  const bool together = values.values == 0;
  for (const RateLedger* part : {&keys, &values}) {
    row.push_back(together ? text_cell("together")
                           : fine_cell(static_cast<double>(part->written_bits()), part->values));
  }
  return row;
}

}  // namespace

Table ledger_table(const ResultGroup& group) {
  const SweepPlan& plan = group.results->plan;
  const std::string tokens = exact_tokens_text(plan.policy);
  const bool exact = !tokens.empty();
  Table table = group_table(group, "ledger", "Where the measured bits go");
  table.note = fmt::format(
      "Bits per coded value. Payload: indices, symbol streams, values kept exactly; scales: norms, "
      "maxima, steps; headers: frame headers, section tables, page lengths, checksums; tables: "
      "means and classes; padding: bits that only fill up{}: together the measured bits. Entropy: "
      "order-0, of the indices alone, each frame by itself, to be held against the payload. K, V: "
      "the measured bits of either part, where the codec keeps them apart.",
      exact ? fmt::format("; exact tokens: {}, in bf16, which the entropy counts too", tokens)
            : "");
  table.columns = {{"codec", "codec", false},
                   {"measured bits, coded values", "real_bits_per_value (written)"}};
  for (const Category& category : kCategories) {
    const bool shown = exact || category.bits != &RateLedger::exact_token_bits;
    table.columns.push_back({shown ? category.heading : "", category.quantity, true});
  }
  table.columns.insert(table.columns.end(),
                       {{"entropy bits", "entropy_bits_per_value (order-0, of the indices alone)"},
                        {"measured bits K", "real_bits_per_value of K (written)"},
                        {"measured bits V", "real_bits_per_value of V (written)"}});
  for (const CodecResult& codec : group.codecs) table.rows.push_back(ledger_row(codec));
  return table;
}

}  // namespace kakeya

// SPDX-License-Identifier: Apache-2.0
#include "kakeya/core/ledger.h"

namespace kakeya {
namespace {

void add(std::optional<double>& total, std::optional<double> part) {
  total = total && part ? std::optional(*total + *part) : std::nullopt;
}

}  // namespace

std::uint64_t RateLedger::written_bits() const {
  return payload_bits + scale_bits + header_bits + table_bits + padding_bits + exact_token_bits;
}

double RateLedger::beyond_profile_share() const {
  return values == 0 ? 0.0
                     : static_cast<double>(beyond_profile_values) / static_cast<double>(values);
}

void RateLedger::merge(const RateLedger& other) {
  vectors += other.vectors;
  values += other.values;
  add(nominal_bits, other.nominal_bits);
  add(codebook_bits, other.codebook_bits);
  add(entropy_bits, other.entropy_bits);
  payload_bits += other.payload_bits;
  scale_bits += other.scale_bits;
  header_bits += other.header_bits;
  table_bits += other.table_bits;
  padding_bits += other.padding_bits;
  exact_token_bits += other.exact_token_bits;
  beyond_profile_values += other.beyond_profile_values;
}

}  // namespace kakeya

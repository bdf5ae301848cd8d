// SPDX-License-Identifier: Apache-2.0
#include "kakeya/store/whole_cache.h"

#include "kakeya/core/error.h"

namespace kakeya {

bool cache_grows(std::string_view mode) { return mode == "inforward" || mode == "decode"; }

bool knows_open_page(const Sample& sample) {
  return sample.open_page.has_value() || !cache_grows(sample.key.mode);
}

bool fills_no_page(const Sample& sample) {
  if (!cache_grows(sample.key.mode) || !sample.open_page || sample.open_page->values == 0)
    return false;
  std::uint64_t exact = 0;  // values: 16 bits each
  for (const auto* ledger : {&sample.ledger_k, &sample.ledger_v})
    if (*ledger) exact += (*ledger)->exact_token_bits / 16;
  return sample.open_page->values + exact >= sample.values;
}

double whole_cache_bytes(const Sample& sample) {
  const auto written = static_cast<double>(sample.cache_bytes);
  const bool held = cache_grows(sample.key.mode) && sample.open_page;
  return held ? written + sample.open_page->bytes_more_as_bf16() : written;
}

double whole_cache_bits(const Sample& sample) {
  if (sample.cache_values == 0) throw InputError("whole cache: a sample of no values");
  return 8 * whole_cache_bytes(sample) / static_cast<double>(sample.cache_values);
}

}  // namespace kakeya

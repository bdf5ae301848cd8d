// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/coding_record.h"

#include "kakeya/codec/ledger.h"

namespace kakeya {

void CodingRecord::add_layers(const CachePolicy& policy) {
  for (int layer = 0; layer < policy.layers; ++layer) {
    if (policy.codes(layer)) layers.push_back({layer, {}, {}});
  }
}

void CodingRecord::add(const CachePolicy& policy, KvSite site, const CodedHead& head) {
  Layer& layer = layers[policy.coded_index(site.layer)];
  (site.part == Part::key ? layer.keys : layer.values).merge(head.distortion);
  RateLedger ledger = head.ledger;
  if (head.entropy) ledger.entropy_bits = *head.entropy * static_cast<double>(ledger.values);
  ledger_of_part(site).merge(ledger);
  open_pages.merge(head.open);
  encode_seconds += head.encode_seconds;
  decode_seconds += head.decode_seconds;
}

void CodingRecord::finish_part(KvSite site, std::size_t exact, std::size_t heads, std::size_t dim) {
  ledger_of_part(site).merge(ledger_of_exact(exact * heads, dim));
  ++visits;
}

}  // namespace kakeya

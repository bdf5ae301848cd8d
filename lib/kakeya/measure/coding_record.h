// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "kakeya/core/kv.h"
#include "kakeya/core/ledger.h"
#include "kakeya/stats/distortion.h"

namespace kakeya {

/// What coding one head of a part cost and did.
struct CodedHead {
  double encode_seconds = 0, decode_seconds = 0;
  Distortion distortion;
  RateLedger ledger;  ///< but for the entropy
  OpenPages open;
  std::optional<double> entropy;  ///< bits per value
};

/// What coding one cache cost and did.
struct CodingRecord {
  struct Layer {
    int layer = 0;
    Distortion keys, values;  ///< of the coded vectors, decoded float32 against the bf16 originals;
                              ///< exact tokens left out
  };
  std::vector<Layer> layers;  ///< the coded layers, in order
  std::uint64_t visits = 0;   ///< parts coded; 2 a coded layer when all went well
  /// Of all frames of K and of V, and of the exact tokens, which every total takes at 16 bits a
  /// scalar.
  RateLedger ledger_k, ledger_v;
  OpenPages open_pages;                           ///< of all frames
  double encode_seconds = 0, decode_seconds = 0;  ///< summed over threads; on a GPU, of its kernels
  bool sealed_only = false;  ///< distortions are of full pages, of which keys and values may differ

  /// Makes a place for every layer that `policy` codes.
  void add_layers(const CachePolicy& policy);

  /// Adds a head of keys or values, of heads of a part in order.
  void add(const CachePolicy& policy, KvSite site, const CodedHead& head);

  /// After the last head of a part: the `exact` tokens of it that stay bf16, and the visit.
  void finish_part(KvSite site, std::size_t exact, std::size_t heads, std::size_t dim);

 private:
  RateLedger& ledger_of_part(KvSite site) { return site.part == Part::key ? ledger_k : ledger_v; }
};

}  // namespace kakeya

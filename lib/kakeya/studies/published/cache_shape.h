// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "kakeya/studies/published/record.h"

namespace kakeya {

/// Nominal bits of a vector of `dim` by our own codec of a published channel: a spec, "bf16", or
/// "ablation-...", which counts as the full codec, as published. Throws SpecError as make_codec(),
/// InputError where no formula was published.
double published_bits(const std::string& codec, std::size_t dim);

/// The layers of a published run, as its storage is counted at 131072 tokens.
class PublishedCacheShape {
 public:
  /// From the row of a run: `layers`, `head_dim` and `kv_heads` (one, or one a layer), `boundary`
  /// (the record's word for the skipped layers). Throws InputError naming the run where one is
  /// missing, not whole, out of range or of another count.
  explicit PublishedCacheShape(const PublishedRow& run);

  /// Of a layer from 0 on.
  std::size_t head_dim(std::size_t layer) const { return head_dim_.at(layer); }

  /// Bytes of keys and values, each coded or plain, in whole bytes a vector, as published.
  double bytes(const std::string& codec, bool keys, bool values) const;

 private:
  std::vector<std::size_t> head_dim_, kv_heads_;
  std::vector<bool> exact_;  ///< skipped layers
};

}  // namespace kakeya

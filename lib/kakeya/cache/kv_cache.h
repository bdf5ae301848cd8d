// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kakeya/core/kv.h"
#include "kakeya/core/rows.h"

namespace kakeya {

/// Rounds to the nearest bf16, ties to even: what a bf16 cache would hold.
void round_to_bf16(std::span<float> values);

/// The same of finite values that a codec decoded, which may lie beyond those that it was given:
/// the largest bf16 instead of infinity.
void round_to_finite_bf16(std::span<float> values);

/// The keys and values of some tokens as a bf16 cache holds them: 2 bytes a value, [layers][K,
/// V][tokens, heads, dim].
class KvCache {
 public:
  KvCache(int layers, std::size_t tokens, std::size_t heads, std::size_t dim);
  KvCache(const KvShape& shape, std::size_t tokens)
      : KvCache(shape.layers, tokens, shape.heads(), shape.dim()) {}

  std::size_t tokens() const { return tokens_; }
  std::size_t heads() const { return heads_; }
  std::size_t dim() const { return dim_; }
  int layers() const { return static_cast<int>(parts_.size() / 2); }

  /// Keeps one part, rounded to bf16: float32 [tokens, heads, dim].
  void store(KvSite site, std::span<const float> values);

  /// Writes the first `tokens` tokens of one part to `out`, [tokens, heads, dim]. Throws InputError
  /// when the part was never stored.
  void load(KvSite site, std::size_t tokens, std::span<float> out) const;

  /// Of tokens [token, token + rows.count) of one part, a row each, the channels [channel, channel
  /// + rows.dim) of heads * dim. Throw InputError when the part was never stored or has not as many
  /// tokens or channels. Different ones may be stored at the same time. Stored values, which are
  /// finite, are rounded as by round_to_finite_bf16().
  void load_rows(KvSite site, std::size_t token, std::size_t channel, Rows<float> rows) const;
  void store_rows(KvSite site, std::size_t token, std::size_t channel, Rows<const float> rows);

  /// The patterns of one part. Throws InputError when it was never stored.
  std::span<const std::uint16_t> patterns(KvSite site) const;

  /// The same, to be written; zeros where the part was never stored. From one thread, or different
  /// parts from different ones.
  std::span<std::uint16_t> writable_patterns(KvSite site);

 private:
  std::size_t slot(KvSite site) const;
  void require_rows(KvSite site, std::size_t token, std::size_t count, std::size_t channel,
                    std::size_t channels) const;

  std::size_t tokens_, heads_, dim_;
  std::vector<std::vector<std::uint16_t>> parts_;
};

}  // namespace kakeya

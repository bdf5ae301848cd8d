// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kakeya/core/rows.h"
#include "kakeya/model/kv_tap.h"

namespace kakeya {

/// Rounds to the nearest bf16, ties to even: what a bf16 cache would hold.
void round_to_bf16(std::span<float> values);

/// "layer 3 keys": a site in a message.
std::string site_name(KvSite site);

/// Throws InputError naming the site unless `view` is [tokens, heads, dim] and starts at the first
/// token.
void check_view(KvSite site, const KvView& view, std::size_t tokens, std::size_t heads,
                std::size_t dim);

/// Copies what `view` holds to where it keeps the version of an exact window of `window` tokens;
/// nothing where that is 0. Throws InputError naming the site when the model keeps no such version.
void keep_exact(KvSite site, const KvView& view, std::size_t window);

/// K and V of one clean pass as a bf16 cache holds them: 2 bytes a value, [layers][K, V][tokens,
/// heads, dim].
class CleanCache {
 public:
  CleanCache(int layers, std::size_t tokens, std::size_t heads, std::size_t dim);

  std::size_t tokens() const { return tokens_; }
  std::size_t heads() const { return heads_; }
  std::size_t dim() const { return dim_; }
  int layers() const { return static_cast<int>(parts_.size() / 2); }

  /// Keeps one part, rounded to bf16: float32 [tokens, heads, dim].
  void store(KvSite site, std::span<const float> values);

  /// Writes the first `tokens` tokens of one part to `out`, [tokens, heads, dim]. Throws InputError
  /// when the part was never stored.
  void load(KvSite site, std::size_t tokens, std::span<float> out) const;

  /// Tokens [first, first + rows.count) of one part, a row each of all heads. Throw InputError when
  /// the part was never stored or has not as many tokens. Different tokens may be stored at the
  /// same time.
  void load_tokens(KvSite site, std::size_t first, Rows<float> rows) const;
  void store_tokens(KvSite site, std::size_t first, Rows<const float> rows);

 private:
  std::size_t slot(KvSite site) const;
  void require_tokens(KvSite site, std::size_t first, std::size_t count, std::size_t width) const;

  std::size_t tokens_, heads_, dim_;
  std::vector<std::vector<std::uint16_t>> parts_;
};

/// The tap of a reference pass: rounds every K and V to bf16 and, where `keep` is given, stores
/// them there. A pass that is compared with coded ones of an exact window has that window too,
/// though both versions are the same: attention then adds up the same products in the same order.
class ReferenceTap : public KvTap {
 public:
  ReferenceTap(TapPoint tap, int layers, std::size_t tokens, std::size_t heads, std::size_t dim,
               CleanCache* keep, std::size_t exact_window = 0);

  void visit(KvSite site, KvView view) override;
  TapPoint tap_point() const override { return tap_; }
  std::size_t exact_window() const override { return exact_window_; }

  double tap_seconds() const { return tap_seconds_; }

  /// Throws InputError unless every K and V of every layer came by exactly once.
  void check_complete() const;

 private:
  TapPoint tap_;
  int layers_;
  std::size_t tokens_, heads_, dim_;
  CleanCache* keep_;
  std::size_t exact_window_;
  std::vector<int> visits_;  // [layers][K, V]
  double tap_seconds_ = 0;
};

}  // namespace kakeya

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace kakeya {

/// Consecutive tokens.
struct TokenRange {
  std::size_t first = 0, count = 0;
  bool operator==(const TokenRange&) const = default;
};

/// Which vectors of a cache are coded; all others stay bf16.
struct CachePolicy {
  int layers = 0;    ///< of the model
  int boundary = 0;  ///< the first and the last `boundary` layers are not coded
  int sinks = 0;  ///< the first `sinks` tokens of coded layers stay bf16; their bytes are counted
  /// A query sees the last `recent` tokens of coded layers, its own included, as bf16, and those
  /// before them as coded; EvalMode::prefix and dumps: the last of the tokens that are coded stay
  /// bf16. At the end as many tokens are held in bf16; their bytes are counted.
  int recent = 0;

  /// Throws InputError when a number is negative, when no layer is left to code, or when the sinks
  /// and the recent tokens cover all `coded_tokens`.
  void check(std::size_t coded_tokens) const;

  bool codes(int layer) const { return layer >= boundary && layer < layers - boundary; }
  int coded_layers() const { return layers - 2 * boundary; }

  /// Tokens of a part that stay bf16 for good: the sinks, and those still recent at the end.
  std::size_t exact_tokens() const {
    return static_cast<std::size_t>(sinks) + static_cast<std::size_t>(recent);
  }

  /// Of the first `tokens` of the `available` tokens of a part, those between the sinks and the
  /// recent ones. Throws InputError where there are not as many, or nothing is between.
  TokenRange coded_range(std::size_t tokens, std::size_t available) const;

  bool operator==(const CachePolicy&) const = default;
};

}  // namespace kakeya

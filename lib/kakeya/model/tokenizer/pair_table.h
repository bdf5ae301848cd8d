// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kakeya/model/tokenizer/token_model.h"

namespace kakeya {

/// Looks up the merge of two symbols: open addressing with linear probing, at most half full. The
/// last of two merges of one pair stands.
class PairTable {
 public:
  struct Entry {
    std::uint64_t pair = kEmpty;
    std::int32_t merged = 0;
    std::uint32_t rank = 0;
  };

  explicit PairTable(const std::vector<BpeMerge>& merges)
      : slots_(std::bit_ceil(2 * merges.size() + 2)) {
    for (const BpeMerge& merge : merges) {
      slots_[slot(key(merge.left, merge.right))] = {key(merge.left, merge.right), merge.merged,
                                                    merge.rank};
    }
  }

  /// Null where the two do not merge.
  const Entry* find(std::int32_t left, std::int32_t right) const {
    const Entry& entry = slots_[slot(key(left, right))];
    return entry.pair == kEmpty ? nullptr : &entry;
  }

 private:
  static constexpr std::uint64_t kEmpty = ~std::uint64_t{0};  // symbols are never negative

  static std::uint64_t key(std::int32_t left, std::int32_t right) {
    return std::uint64_t{static_cast<std::uint32_t>(left)} << 32 |
           static_cast<std::uint32_t>(right);
  }
  std::size_t slot(std::uint64_t pair) const {
    std::uint64_t mixed = pair * 0x9E3779B97F4A7C15u;
    mixed ^= mixed >> 32;
    std::size_t at = mixed & (slots_.size() - 1);
    while (slots_[at].pair != pair && slots_[at].pair != kEmpty)
      at = (at + 1) & (slots_.size() - 1);
    return at;
  }

  std::vector<Entry> slots_;
};

}  // namespace kakeya

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <vector>

#include "kakeya/codec/codec.h"
#include "kakeya/codec/paged_frame.h"
#include "kakeya/core/kv.h"
#include "kakeya/core/rows.h"

namespace kakeya {

struct LiveBytes;

/// How a lane is coded: the columns of a token side by side, as many blocks as there are codecs.
struct LaneCode {
  std::size_t width = 0;  ///< scalars of a token
  std::vector<const Codec*>
      blocks;            ///< of width / blocks.size() columns each; empty: bf16 for good
  std::size_t page = 0;  ///< tokens that are coded together
  std::size_t sinks = 0, residual_window = 0;
  std::size_t sliding = 0;  ///< tokens that queries see, their own included; 0: all

  std::size_t block_width() const { return blocks.empty() ? width : width / blocks.size(); }
};

/// The keys, the values or both of one layer of one sequence: sinks, sealed pages and an open end.
class Lane {
 public:
  /// Rows of code.width finite scalars, rounded to bf16. Strong guarantee.
  void append(const LaneCode& code, Rows<const float> rows);

  /// Columns [column, column + out.dim) of tokens that are there.
  void read(const LaneCode& code, TokenRange tokens, std::size_t column, Rows<float> out) const;

  /// Whether that would seal a page. Where it would not, truncate() takes it back as it was.
  bool seals(const LaneCode& code, std::size_t rows) const;

  /// Forgets what the sliding window of the next query has left. Apart from append(), which may have to
  /// be taken back.
  void drop_unseen(const LaneCode& code);

  /// Forgets the tokens from `tokens` on. Strong guarantee.
  void truncate(const LaneCode& code, std::size_t tokens);

  std::size_t tokens(const LaneCode& code) const;
  std::size_t first_token() const { return first_; }
  std::size_t sealed_tokens(const LaneCode& code) const { return pages_.size() * code.page; }

  /// Adds what this lane has allocated; pages that are in `counted` are left out.
  void count(const LaneCode& code, std::set<const void*>& counted, LiveBytes& bytes) const;

 private:
  struct Page;
  using Pages = std::vector<std::shared_ptr<const Page>>;

  std::size_t tail_tokens(const LaneCode& code) const { return tail_.size() / code.width; }
  std::size_t tail_begin(const LaneCode& code) const {
    return sinks_held_ + pages_.size() * code.page + tail_dropped_;
  }
  void fill(const LaneCode& code, Rows<const float> rows);
  void seal(const LaneCode& code);
  std::vector<float> decode(const LaneCode& code, std::size_t page) const;

  std::vector<std::uint16_t> sinks_, tail_;  // bf16, [tokens, width]
  std::size_t sinks_held_ = 0;               // tokens that sinks_ has, or had before it was dropped
  std::size_t tail_dropped_ = 0;             // tokens before tail_, where no pages are
  std::size_t first_ = 0;                    // the first token that is still there
  Pages pages_;                              // those that were dropped are empty
  std::shared_ptr<const Page> head_;         // what all pages need of the first one
};

}  // namespace kakeya

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <vector>

#include "kakeya/codec/codec.h"
#include "kakeya/codec/paged_frame.h"
#include "kakeya/core/kv.h"
#include "kakeya/core/rows.h"

namespace kakeya {

class FieldReader;
class FieldWriter;
class WorkerPool;
struct LiveBytes;

/// How a lane is coded: the columns of a token side by side, as many blocks as there are codecs.
struct LaneCode {
  std::size_t width = 0;  ///< scalars of a token
  std::vector<const Codec*>
      blocks;            ///< of width / blocks.size() columns each; empty: bf16 for good
  std::size_t page = 0;  ///< tokens that are coded together
  std::size_t sinks = 0, residual_window = 0;
  std::size_t sliding = 0;  ///< tokens that queries see, their own included; 0: all
  WorkerPool* workers =
      nullptr;  ///< that code the blocks of a page at once; null: one after another

  std::size_t block_width() const { return blocks.empty() ? width : width / blocks.size(); }
  /// How many of the first `tokens` tokens the query behind them does not see.
  std::size_t unseen(std::size_t tokens) const {
    return sliding == 0 || tokens < sliding ? 0 : tokens - (sliding - 1);
  }
};

/// What a file says of a lane besides its bytes (sequence_file.h).
struct LaneRecord {
  std::uint32_t pages = 0;     ///< sealed
  std::uint32_t dropped = 0;   ///< the first of these; of a lane that is not coded: tokens
  bool sinks_dropped = false;  ///< all of them
  bool steps = false;          ///< with StepHistory of each page

  bool operator==(const LaneRecord&) const = default;
};

/// The keys, the values or both of one layer of one sequence: sinks, sealed pages and an open end.
class Lane {
 public:
  /// Rows of code.width finite scalars, rounded to bf16. Strong guarantee.
  void append(const LaneCode& code, Rows<const float> rows);

  /// Columns [column, column + out.dim) of tokens that are there. Decodes each page once, and of it the
  /// blocks that have such columns; a whole page of whole blocks without a copy.
  void read(const LaneCode& code, TokenRange tokens, std::size_t column, Rows<float> out) const;

  /// Whether sealed pages of block `block` can be added up as they are (codec/packed_sums.h).
  static bool sums_packed(const LaneCode& code, std::size_t block);

  /// Adds to out[q] the vectors of a block of those first tokens of `tokens` that are whole sealed pages, times
  /// weights[q][t], t from the first on. Returns how many tokens these are.
  std::size_t add_packed(const LaneCode& code, TokenRange tokens, std::size_t block,
                         Rows<const float> weights, Rows<float> out) const;
  /// Writes their products with queries to scores[q][t].
  std::size_t score_packed(const LaneCode& code, TokenRange tokens, std::size_t block,
                           Rows<const float> queries, Rows<float> scores) const;

  /// Where the tokens end that are held as `token` is: its page, the sinks, the open end.
  std::size_t run_end(const LaneCode& code, std::size_t token) const;

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

  /// What stays of a lane in a file: sinks and open end as bf16; of each block what its pages need of
  /// the first; where record().steps, StepHistory of each page and block; pages or frames.
  LaneRecord record(const LaneCode& code) const;
  void store(const LaneCode& code, FieldWriter& writer) const;

  /// The lane of `tokens` tokens that `record` and `bytes`, which may come from anywhere, tell of:
  /// with the same pages and the same values, and the same when more tokens follow. Throws
  /// CorruptStream where they do not fit each other, the code or the codecs.
  static Lane restored(const LaneCode& code, const LaneRecord& record, std::size_t tokens,
                       std::span<const std::byte> bytes);

  /// Adds what this lane has allocated, but for what is in `counted`: pages, and what several of them share.
  void count(const LaneCode& code, std::set<const void*>& counted, LiveBytes& bytes) const;

 private:
  struct Page;
  static std::uint64_t allocated(const Page& page, std::set<const void*>& counted);
  static const std::shared_ptr<const Page>& hollow_page();
  using Pages = std::vector<std::shared_ptr<const Page>>;

  std::size_t tail_tokens(const LaneCode& code) const { return tail_.size() / code.width; }
  std::size_t tail_begin(const LaneCode& code) const {
    return sinks_held_ + pages_.size() * code.page + tail_dropped_;
  }
  std::size_t dropped_pages(const LaneCode& code) const {
    return first_ <= sinks_held_ ? 0 : (first_ - sinks_held_) / code.page;
  }
  void drop_pages(const LaneCode& code, std::size_t end);
  // What page `page` left to the next, of a block.
  StepHistory steps_after(const LaneCode& code, std::size_t page, std::size_t block) const;
  void restore_pages(const LaneCode& code, const LaneRecord& record, FieldReader& reader);
  void fill(const LaneCode& code, Rows<const float> rows);
  void seal(const LaneCode& code);
  // Calls work(page, token, counted from the first) for the whole sealed pages that `tokens` begins with.
  template <typename Work>
  std::size_t for_packed(const LaneCode& code, TokenRange tokens, std::size_t block,
                         const Work& work) const;
  void prefetch(std::size_t page, std::size_t block) const;
  void decode_block(const LaneCode& code, std::size_t page, std::size_t block,
                    Rows<float> out) const;
  void read_page(const LaneCode& code, std::size_t page, std::size_t first, std::size_t column,
                 Rows<float> out) const;

  std::vector<std::uint16_t> sinks_, tail_;  // bf16, [tokens, width]
  std::size_t sinks_held_ = 0;               // tokens that sinks_ has, or had before it was dropped
  std::size_t tail_dropped_ = 0;             // tokens before tail_, where no pages are
  std::size_t first_ = 0;                    // the first token that is still there
  Pages pages_;  // of those that were dropped the last has what the next needs; others are one
  std::vector<StepHistory> left_steps_;  // of these others, which files tell of: [page, block]
  std::shared_ptr<const Page> head_;     // what all pages need of the first one
};

}  // namespace kakeya

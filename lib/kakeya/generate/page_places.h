// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>

namespace kakeya {

/// Where the tokens of a coded layer are:
///
///     tokens     0 .. sinks | page 0 | page 1 | ... | open: less than a page, and the residual window
///     bf16 rows  0 .. sinks                           sinks .. row_room()
///
/// A page is sealed once all of its tokens are older than the residual window.
struct PagePlaces {
  std::size_t sinks = 0, residual_window = 0, page = 64;

  /// Pages of a sequence of so many tokens.
  std::size_t pages(std::size_t tokens) const {
    const std::size_t kept = sinks + residual_window;
    return tokens <= kept ? 0 : (tokens - kept) / page;
  }
  /// The first token that is not in them, nor a sink.
  std::size_t open_token(std::size_t tokens) const { return sinks + page * pages(tokens); }
  /// Rows that bf16 tokens take at most; one more token fits before a page has to be sealed.
  std::size_t row_room() const { return sinks + residual_window + page; }
  /// The row of a sink, or of an open token where open_token() is `open`.
  std::size_t row(std::size_t token, std::size_t open) const {
    return token < sinks ? token : sinks + (token - open);
  }

  /// What a query sees of a sequence whose open tokens begin at `open`, all of it at hand.
  struct Seen {
    std::size_t first_packed, packed;  ///< tokens of pages: [first_packed, packed)
    std::size_t first_row, rows;       ///< bf16 rows: [first_row, first_row + rows)
  };
  /// The query stands at `token`; `window`: how many tokens it sees, its own included, 0: all. A window is no
  /// less than residual_window + page.
  Seen seen(std::size_t token, std::size_t open, std::size_t window) const {
    const std::size_t end = token + 1, begin = window == 0 || end <= window ? 0 : end - window;
    const std::size_t last_packed = std::clamp(end, sinks, open) - sinks,
                      first_row = std::min(begin, sinks),
                      open_rows = end > open && end > sinks ? end - std::max(open, sinks) : 0;
    return {std::min(begin > sinks ? begin - sinks : 0, last_packed), last_packed, first_row,
            std::min(end, sinks) - first_row + open_rows};
  }
};

}  // namespace kakeya

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kakeya {

/// A number that a page quotes.
struct QuotedFigure {
  std::string text = {};  ///< as printed, without a sign: "1,957", ".61", "0.568"
  double value = 0;
  int decimals = 0;
  bool percent = false;      ///< a percent sign follows
  std::size_t line = 0;      ///< of the page, from 1
  std::string context = {};  ///< what stands before it in its line: 40 characters, single blanks
  std::string row = {};      ///< its line
  std::string around =
      {};  ///< the heading above it, its paragraph, or its row and column's heading
};

/// The figures of a markdown page: numbers with a decimal point, with thousands separators, or
/// followed by a percent sign. Left out is what names or sets something: fenced code, code spans,
/// targets of links and images, comments, and numbers that touch a letter, a digit's point, '=', '_'
/// or '/' on their left, or a letter on their right (Q4_1, v0.1.0, 1.5B); and 95 %, the level of an
/// interval.
std::vector<QuotedFigure> figures_of(std::string_view markdown);

}  // namespace kakeya

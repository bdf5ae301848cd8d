// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kakeya::chat {

enum class TokenKind {
  text,          ///< outside of braces
  output_begin,  ///< {{
  output_end,
  block_begin,  ///< {%
  block_end,
  name,
  string,  ///< its escapes replaced
  integer,
  real,
  sign,  ///< an operator or bracket
  end
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::string text;
  int line = 1;
};

/// The tokens of a template, the last of kind end. White space is as Jinja leaves it with trim_blocks
/// and lstrip_blocks: a line end behind a block goes, and so do blanks that lead a line before one; '-' and '+'
/// beside a brace say otherwise. Comments go, {% raw %} becomes text. Throws InputError naming the line.
std::vector<Token> lex(std::string_view source);

}  // namespace kakeya::chat

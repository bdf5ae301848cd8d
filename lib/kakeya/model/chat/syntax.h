// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kakeya/model/chat/lexer.h"
#include "kakeya/model/chat/value.h"

namespace kakeya::chat {

struct Expression;
using ExpressionPtr = std::unique_ptr<Expression>;

/// How deep a template may nest, in expressions and blocks.
inline constexpr int kMaxNesting = 100;

/// Arguments of a call, filter or test; parts hold what they are of too.
inline constexpr std::size_t kMaxArguments = 100;

struct Expression {
  enum class Kind {
    constant,     ///< value
    name,         ///< text
    list,         ///< parts
    dict,         ///< parts: key, value, key, value
    attribute,    ///< parts[0] . text
    item,         ///< parts[0] [ parts[1] ]
    slice,        ///< parts[0] [ parts[1] : parts[2] : parts[3] ], each of these may be null
    call,         ///< parts[0] ( the other parts, named )
    filter,       ///< parts[0] | text ( the other parts, named )
    test,         ///< parts[0] is text ( the other parts, named )
    minus,        ///< - parts[0]
    no,           ///< not parts[0]
    both,         ///< all parts, by and
    either,       ///< any of the parts, by or
    concat,       ///< the texts of the parts
    arithmetic,   ///< parts[0] text parts[1]
    compare,      ///< parts[0] signs[0] parts[1] signs[1] ...
    conditional,  ///< parts[1] if parts[0] else parts[2], which may be null
  };
  Kind kind = Kind::constant;
  int line = 1;
  int depth = 1;  ///< of the tree below, at most kMaxNesting
  std::string text = {};
  Value value = {};
  std::vector<ExpressionPtr> parts = {};
  std::vector<std::pair<std::string, ExpressionPtr>> named = {};
  std::vector<std::string> signs = {};
};

struct Statement {
  enum class Kind {
    text,      ///< text
    output,    ///< expressions[0]
    branches,  ///< bodies[i] where expressions[i]; a last body more: else
    loop,  ///< names in expressions[0], where expressions[1] (null: always): bodies[0], or else bodies[1]
    set,        ///< names[0] . text, or names, = expressions[0]
    set_block,  ///< names[0] = what bodies[0] writes
    macro,  ///< names[0], parameters names[1..], defaults expressions[i] of names[i + 1]: bodies[0]
    block,  ///< bodies[0]
    stop_loop,
    next_round
  };
  Kind kind = Kind::text;
  int line = 1;
  std::string text = {};
  std::vector<std::string> names = {};
  std::vector<ExpressionPtr> expressions = {};
  std::vector<std::vector<Statement>> bodies = {};
};

/// The statements of a template. Throws InputError "chat template, line N: ..." on what is not understood.
std::vector<Statement> parse(std::string_view source);

/// The tokens as the two parsers share them.
class TokenReader {
 public:
  explicit TokenReader(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  const Token& peek(std::size_t ahead = 0) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
  }
  Token take() { return tokens_[at_ + 1 < tokens_.size() ? at_++ : at_]; }
  int line() const { return peek().line; }

  bool is_sign(std::string_view sign) const {
    return peek().kind == TokenKind::sign && peek().text == sign;
  }
  bool is_name(std::string_view name) const {
    return peek().kind == TokenKind::name && peek().text == name;
  }
  bool skip_sign(std::string_view sign);
  bool skip_name(std::string_view name);
  void expect_sign(std::string_view sign);
  void expect(TokenKind kind, const std::string& what);
  std::string expect_name();
  /// The token as a message shows it.
  std::string shown() const;

 private:
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
};

/// One expression, as far as it goes. `nesting`: of the blocks around it.
ExpressionPtr parse_expression(TokenReader& tokens, int nesting);
/// The same, or a list of several that commas divide.
ExpressionPtr parse_tuple(TokenReader& tokens, int nesting);
/// One expression that is no `a if b`: `if` behind it belongs to a loop.
ExpressionPtr parse_unconditional(TokenReader& tokens, int nesting);

}  // namespace kakeya::chat

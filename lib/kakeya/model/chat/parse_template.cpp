// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <initializer_list>

#include "kakeya/model/chat/syntax.h"

namespace kakeya::chat {
namespace {

using Kind = Statement::Kind;

class TemplateParser {
 public:
  explicit TemplateParser(std::string_view source) : tokens_(lex(source)) {}

  std::vector<Statement> run() { return statements({}, "", 0); }

 private:
  // Up to a block that begins with one of `ends`, whose name is then next; without any, to the end.
  // `around` and its line are for messages.
  std::vector<Statement> statements(std::initializer_list<const char*> ends, const char* around,
                                    int line) {
    if (++nesting_ > kMaxNesting) {
      fail(tokens_.line(),
           "blocks nested too deep: expected at most " + std::to_string(kMaxNesting) + " levels");
    }
    std::vector<Statement> result;
    for (;;) {
      const Token token = tokens_.take();
      if (token.kind == TokenKind::end) {
        if (ends.size() > 0) {
          fail(line, std::string(around) + ": expected " + *(ends.end() - 1) + " behind it");
        }
        break;
      }
      if (token.kind == TokenKind::text) {
        result.push_back({Kind::text, token.line, token.text});
      } else if (token.kind == TokenKind::output_begin) {
        Statement output{Kind::output, token.line};
        output.expressions.push_back(parse_tuple(tokens_, nesting_));
        tokens_.expect(TokenKind::output_end, "}}");
        result.push_back(std::move(output));
      } else if (std::any_of(ends.begin(), ends.end(),
                             [&](const char* name) { return tokens_.is_name(name); })) {
        break;
      } else {
        result.push_back(block());
      }
    }
    --nesting_;
    return result;
  }

  void end_block() { tokens_.expect(TokenKind::block_end, "%}"); }

  Statement block() {
    const int line = tokens_.line();
    const std::string name = tokens_.expect_name();
    if (name == "if") return branches(line);
    if (name == "for") return loop(line);
    if (name == "set") return set(line);
    if (name == "macro") return macro(line);
    if (name == "generation") {  // what marks it for training; the text is the same
      Statement statement{Kind::block, line};
      end_block();
      statement.bodies.push_back(body({"endgeneration"}, "generation", line));
      return statement;
    }
    if (name == "break" || name == "continue") {
      if (loops_ == 0) fail(line, name + " outside of a loop");
      end_block();
      return {name == "break" ? Kind::stop_loop : Kind::next_round, line};
    }
    fail(line, "{% " + name +
                   " %}, which is not known here: expected if, for, set, macro, break, " +
                   "continue, raw or generation");
  }

  // The statements up to the last of `ends`, and that block.
  std::vector<Statement> body(std::initializer_list<const char*> ends, const char* around,
                              int line) {
    std::vector<Statement> result = statements(ends, around, line);
    tokens_.take();
    end_block();
    return result;
  }

  Statement branches(int line) {
    Statement statement{Kind::branches, line};
    statement.expressions.push_back(parse_tuple(tokens_, nesting_));
    end_block();
    for (;;) {
      statement.bodies.push_back(statements({"elif", "else", "endif"}, "if", line));
      const std::string name = tokens_.expect_name();
      if (name == "elif") {
        statement.expressions.push_back(parse_tuple(tokens_, nesting_));
        end_block();
        continue;
      }
      end_block();
      if (name == "else") statement.bodies.push_back(body({"endif"}, "else", line));
      return statement;
    }
  }

  std::vector<std::string> targets() {
    std::vector<std::string> names;
    const bool bracket = tokens_.skip_sign("(");
    do {
      names.push_back(tokens_.expect_name());
    } while (tokens_.skip_sign(","));
    if (bracket) tokens_.expect_sign(")");
    return names;
  }

  Statement loop(int line) {
    Statement statement{Kind::loop, line};
    statement.names = targets();
    if (!tokens_.skip_name("in")) fail(line, tokens_.shown() + ": expected in behind for");
    statement.expressions.push_back(parse_unconditional(tokens_, nesting_));
    const bool filtered = tokens_.skip_name("if");
    statement.expressions.push_back(filtered ? parse_expression(tokens_, nesting_) : nullptr);
    end_block();
    ++loops_;
    ++scopes_;
    statement.bodies.push_back(statements({"else", "endfor"}, "for", line));
    --loops_;
    const std::string name = tokens_.expect_name();
    end_block();
    if (name == "else") statement.bodies.push_back(body({"endfor"}, "else", line));
    --scopes_;
    return statement;
  }

  Statement set(int line) {
    Statement statement{Kind::set, line};
    statement.names = targets();
    if (statement.names.size() == 1 && tokens_.skip_sign(".")) {
      statement.text = tokens_.expect_name();
    }
    if (tokens_.skip_sign("=")) {
      statement.expressions.push_back(parse_tuple(tokens_, nesting_));
      end_block();
      return statement;
    }
    if (statement.names.size() != 1 || !statement.text.empty()) tokens_.expect_sign("=");
    statement.kind = Kind::set_block;
    end_block();
    ++scopes_;
    statement.bodies.push_back(body({"endset"}, "set", line));
    --scopes_;
    return statement;
  }

  Statement macro(int line) {
    Statement statement{Kind::macro, line};
    statement.names.push_back(tokens_.expect_name());
    // A macro sees the names of the top level alone.
    if (scopes_ > 0) {
      fail(line, "the macro " + statement.names[0] +
                     " within a loop, a macro or a set, which is not known here");
    }
    tokens_.expect_sign("(");
    while (!tokens_.is_sign(")")) {
      statement.names.push_back(tokens_.expect_name());
      const bool defaults = tokens_.skip_sign("=");
      statement.expressions.push_back(defaults ? parse_expression(tokens_, nesting_) : nullptr);
      if (!tokens_.skip_sign(",")) break;
    }
    tokens_.expect_sign(")");
    end_block();
    ++scopes_;
    statement.bodies.push_back(body({"endmacro"}, "macro", line));
    --scopes_;
    return statement;
  }

  TokenReader tokens_;
  int nesting_ = 0, loops_ = 0;
  int scopes_ = 0;  // loops, macros and sets around, whose names are their own
};

}  // namespace

bool TokenReader::skip_sign(std::string_view sign) {
  if (!is_sign(sign)) return false;
  take();
  return true;
}

bool TokenReader::skip_name(std::string_view name) {
  if (!is_name(name)) return false;
  take();
  return true;
}

void TokenReader::expect_sign(std::string_view sign) {
  if (!skip_sign(sign)) fail(line(), shown() + ": expected " + std::string(sign));
}

void TokenReader::expect(TokenKind kind, const std::string& what) {
  if (peek().kind != kind) fail(line(), shown() + ": expected " + what);
  take();
}

std::string TokenReader::expect_name() {
  if (peek().kind != TokenKind::name) fail(line(), shown() + ": expected a name");
  return take().text;
}

std::string TokenReader::shown() const {
  switch (peek().kind) {
    case TokenKind::output_end:
      return "}}";
    case TokenKind::block_end:
      return "%}";
    case TokenKind::string:
      return "a string";
    case TokenKind::end:
      return "the end";
    default:
      return peek().text;
  }
}

std::vector<Statement> parse(std::string_view source) { return TemplateParser(source).run(); }

}  // namespace kakeya::chat

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <initializer_list>

#include "kakeya/model/chat/syntax.h"

namespace kakeya::chat {
namespace {

using Kind = Expression::Kind;

// The levels are those of Jinja, from what binds least.
class ExpressionParser {
 public:
  ExpressionParser(TokenReader& tokens, int nesting) : tokens_(tokens), nesting_(nesting) {}

  ExpressionPtr tuple() {
    const int line = tokens_.line();
    ExpressionPtr first = conditional();
    if (!tokens_.is_sign(",")) return first;
    std::vector<ExpressionPtr> parts;
    parts.push_back(std::move(first));
    while (tokens_.skip_sign(",")) {
      if (ends()) break;
      parts.push_back(conditional());
    }
    return made(Kind::list, line, std::move(parts));
  }

  ExpressionPtr conditional() {
    const Deeper deeper(*this);
    ExpressionPtr result = either();
    while (tokens_.is_name("if")) {
      const int line = tokens_.take().line;
      std::vector<ExpressionPtr> parts;
      parts.push_back(either());
      parts.push_back(std::move(result));
      parts.push_back(tokens_.skip_name("else") ? conditional() : nullptr);
      result = made(Kind::conditional, line, std::move(parts));
    }
    return result;
  }

  ExpressionPtr either() {
    return row(Kind::either, "or", [&] { return both(); });
  }

 private:
  // Counts brackets and the like: what calls itself.
  class Deeper {
   public:
    explicit Deeper(ExpressionParser& parser) : parser_(parser) {
      if (++parser_.nesting_ > kMaxNesting) {
        fail(parser_.tokens_.line(),
             "nested too deep: expected at most " + std::to_string(kMaxNesting) + " levels");
      }
    }
    ~Deeper() { --parser_.nesting_; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;

   private:
    ExpressionParser& parser_;
  };

  static ExpressionPtr made(Kind kind, int line, std::vector<ExpressionPtr> parts,
                            std::string text = {}) {
    auto node = std::make_unique<Expression>();
    node->kind = kind;
    node->line = line;
    node->text = std::move(text);
    node->parts = std::move(parts);
    set_depth(*node);
    return node;
  }

  static void set_depth(Expression& node) {
    int depth = 0;
    for (const ExpressionPtr& part : node.parts) depth = std::max(depth, part ? part->depth : 0);
    for (const auto& part : node.named) depth = std::max(depth, part.second->depth);
    node.depth = depth + 1;
    if (node.depth > kMaxNesting) {
      fail(node.line, "an expression of more than " + std::to_string(kMaxNesting) + " levels");
    }
  }

  static std::vector<ExpressionPtr> one(ExpressionPtr part) {
    std::vector<ExpressionPtr> parts;
    parts.push_back(std::move(part));
    return parts;
  }

  static std::vector<ExpressionPtr> two(ExpressionPtr a, ExpressionPtr b) {
    std::vector<ExpressionPtr> parts = one(std::move(a));
    parts.push_back(std::move(b));
    return parts;
  }

  bool ends() const {
    const TokenKind kind = tokens_.peek().kind;
    return kind == TokenKind::output_end || kind == TokenKind::block_end || tokens_.is_sign(")") ||
           tokens_.is_name("in");
  }

  template <typename Part>
  ExpressionPtr row(Kind kind, std::string_view word, const Part& part) {
    const int line = tokens_.line();
    ExpressionPtr first = part();
    if (!tokens_.is_name(word)) return first;
    std::vector<ExpressionPtr> parts = one(std::move(first));
    while (tokens_.skip_name(word)) parts.push_back(part());
    return made(kind, line, std::move(parts));
  }

  ExpressionPtr both() {
    return row(Kind::both, "and", [&] { return negated(); });
  }

  ExpressionPtr negated() {
    if (!tokens_.is_name("not")) return compare();
    const Deeper deeper(*this);
    const int line = tokens_.take().line;
    return made(Kind::no, line, one(negated()));
  }

  // The comparison that stands here: "" where none does.
  std::string comparison() {
    for (const char* sign : {"==", "!=", "<=", ">=", "<", ">"}) {
      if (tokens_.skip_sign(sign)) return sign;
    }
    if (tokens_.skip_name("in")) return "in";
    const Token& next = tokens_.peek(1);
    if (tokens_.is_name("not") && next.kind == TokenKind::name && next.text == "in") {
      tokens_.take();
      tokens_.take();
      return "not in";
    }
    return "";
  }

  ExpressionPtr compare() {
    const int line = tokens_.line();
    ExpressionPtr first = sum();
    std::vector<std::string> signs;
    std::vector<ExpressionPtr> parts = one(std::move(first));
    for (std::string sign; !(sign = comparison()).empty();) {
      signs.push_back(std::move(sign));
      parts.push_back(sum());
    }
    if (signs.empty()) return std::move(parts.front());
    ExpressionPtr node = made(Kind::compare, line, std::move(parts));
    node->signs = std::move(signs);
    return node;
  }

  template <typename Part>
  ExpressionPtr chain(std::initializer_list<const char*> signs, const Part& part) {
    ExpressionPtr result = part();
    for (;;) {
      const auto sign = std::find_if(signs.begin(), signs.end(),
                                     [&](const char* s) { return tokens_.is_sign(s); });
      if (sign == signs.end()) return result;
      const int line = tokens_.take().line;
      ExpressionPtr right = part();
      result = made(Kind::arithmetic, line, two(std::move(result), std::move(right)), *sign);
    }
  }

  ExpressionPtr sum() {
    return chain({"+", "-"}, [&] { return concat(); });
  }

  ExpressionPtr concat() {
    const int line = tokens_.line();
    ExpressionPtr first = product();
    if (!tokens_.is_sign("~")) return first;
    std::vector<ExpressionPtr> parts = one(std::move(first));
    while (tokens_.skip_sign("~")) parts.push_back(product());
    return made(Kind::concat, line, std::move(parts));
  }

  ExpressionPtr product() {
    ExpressionPtr result = chain({"*", "//", "/", "%"}, [&] { return unary(true); });
    if (tokens_.is_sign("**")) fail(tokens_.line(), "the operator **, which is not known here");
    return result;
  }

  ExpressionPtr unary(bool with_filters) {
    ExpressionPtr result;
    if (tokens_.is_sign("-") || tokens_.is_sign("+")) {
      const Deeper deeper(*this);
      const Token sign = tokens_.take();
      result = unary(false);
      if (sign.text == "-") result = made(Kind::minus, sign.line, one(std::move(result)));
    } else {
      result = primary();
    }
    result = behind(std::move(result));
    return with_filters ? filtered(std::move(result)) : std::move(result);
  }

  ExpressionPtr constant(Value value, int line) {
    ExpressionPtr node = made(Kind::constant, line, {});
    node->value = std::move(value);
    return node;
  }

  ExpressionPtr primary() {
    const Token token = tokens_.peek();
    const int line = token.line;
    if (token.kind == TokenKind::name) {
      tokens_.take();
      if (token.text == "true" || token.text == "True") return constant({true}, line);
      if (token.text == "false" || token.text == "False") return constant({false}, line);
      if (token.text == "none" || token.text == "None") return constant({None()}, line);
      return made(Kind::name, line, {}, token.text);
    }
    if (token.kind == TokenKind::string) {
      std::string text;
      while (tokens_.peek().kind == TokenKind::string) text += tokens_.take().text;
      return constant(text_value(std::move(text)), line);
    }
    if (token.kind == TokenKind::integer) {
      return constant({std::int64_t{std::stoll(tokens_.take().text)}}, line);
    }
    if (token.kind == TokenKind::real) return constant({std::stod(tokens_.take().text)}, line);
    if (tokens_.skip_sign("(")) {
      ExpressionPtr result =
          tokens_.is_sign(")") ? made(Kind::list, line, {}) : tuple();  // () is an empty one
      tokens_.expect_sign(")");
      return result;
    }
    if (tokens_.skip_sign("[")) return list(line);
    if (tokens_.skip_sign("{")) return dict(line);
    fail(line, tokens_.shown() + ": expected an expression");
  }

  ExpressionPtr list(int line) {
    std::vector<ExpressionPtr> parts;
    while (!tokens_.is_sign("]")) {
      parts.push_back(conditional());
      if (!tokens_.skip_sign(",")) break;
    }
    tokens_.expect_sign("]");
    return made(Kind::list, line, std::move(parts));
  }

  ExpressionPtr dict(int line) {
    std::vector<ExpressionPtr> parts;
    while (!tokens_.is_sign("}")) {
      parts.push_back(conditional());
      tokens_.expect_sign(":");
      parts.push_back(conditional());
      if (!tokens_.skip_sign(",")) break;
    }
    tokens_.expect_sign("}");
    return made(Kind::dict, line, std::move(parts));
  }

  // . [ (
  ExpressionPtr behind(ExpressionPtr node) {
    for (;;) {
      const int line = tokens_.line();
      if (tokens_.skip_sign(".")) {
        if (tokens_.peek().kind == TokenKind::integer) {
          ExpressionPtr index = constant({std::int64_t{std::stoll(tokens_.take().text)}}, line);
          node = made(Kind::item, line, two(std::move(node), std::move(index)));
        } else {
          std::string name = tokens_.expect_name();
          node = made(Kind::attribute, line, one(std::move(node)), std::move(name));
        }
      } else if (tokens_.skip_sign("[")) {
        node = item(std::move(node), line);
      } else if (tokens_.is_sign("(")) {
        node = with_arguments(made(Kind::call, line, one(std::move(node))));
      } else {
        return node;
      }
    }
  }

  ExpressionPtr item(ExpressionPtr node, int line) {
    std::vector<ExpressionPtr> parts = one(std::move(node));
    bool slice = false;
    for (int i = 0; i < 3; ++i) {
      const bool none = tokens_.is_sign(":") || tokens_.is_sign("]");
      parts.push_back(none ? nullptr : conditional());
      if (!tokens_.skip_sign(":")) break;
      slice = true;
    }
    tokens_.expect_sign("]");
    if (!slice && !parts[1]) fail(line, "[]: expected an index between them");
    if (slice) parts.resize(4);
    return made(slice ? Kind::slice : Kind::item, line, std::move(parts));
  }

  ExpressionPtr with_arguments(ExpressionPtr node) {
    tokens_.expect_sign("(");
    while (!tokens_.is_sign(")")) {
      if (tokens_.is_sign("*") || tokens_.is_sign("**")) {
        fail(tokens_.line(), "arguments behind " + tokens_.shown() + ", which is not known here");
      }
      const Token& next = tokens_.peek(1);
      if (tokens_.peek().kind == TokenKind::name && next.kind == TokenKind::sign &&
          next.text == "=") {
        std::string name = tokens_.expect_name();
        tokens_.take();
        node->named.emplace_back(std::move(name), conditional());
      } else if (!node->named.empty()) {
        fail(tokens_.line(), "an argument without a name behind one that has one");
      } else {
        node->parts.push_back(conditional());
      }
      if (node->parts.size() + node->named.size() > kMaxArguments + 1) {
        fail(tokens_.line(), "more than " + std::to_string(kMaxArguments) + " arguments");
      }
      if (!tokens_.skip_sign(",")) break;
    }
    tokens_.expect_sign(")");
    set_depth(*node);
    return node;
  }

  ExpressionPtr filtered(ExpressionPtr node) {
    for (;;) {
      const int line = tokens_.line();
      if (tokens_.skip_sign("|")) {
        std::string name = tokens_.expect_name();
        node = made(Kind::filter, line, one(std::move(node)), std::move(name));
        if (tokens_.is_sign("(")) node = with_arguments(std::move(node));
      } else if (tokens_.is_name("is")) {
        tokens_.take();
        node = test(std::move(node), line);
      } else if (tokens_.is_sign("(")) {
        node = with_arguments(made(Kind::call, line, one(std::move(node))));
      } else {
        return node;
      }
    }
  }

  ExpressionPtr test(ExpressionPtr node, int line) {
    const bool negated = tokens_.skip_name("not");
    // == and the like are tests too.
    std::string name = tokens_.is_sign("==") ? tokens_.take().text : tokens_.expect_name();
    ExpressionPtr result = made(Kind::test, line, one(std::move(node)), std::move(name));
    if (tokens_.is_sign("(")) {
      result = with_arguments(std::move(result));
    } else if (starts_argument()) {
      result->parts.push_back(behind(primary()));
      set_depth(*result);
    }
    return negated ? made(Kind::no, line, one(std::move(result))) : std::move(result);
  }

  bool starts_argument() const {
    switch (tokens_.peek().kind) {
      case TokenKind::string:
      case TokenKind::integer:
      case TokenKind::real:
        return true;
      case TokenKind::name:
        for (const char* word : {"else", "or", "and", "is", "if", "not", "in"}) {
          if (tokens_.is_name(word)) return false;
        }
        return true;
      default:
        return tokens_.is_sign("[") || tokens_.is_sign("{");
    }
  }

  TokenReader& tokens_;
  int nesting_;
};

}  // namespace

ExpressionPtr parse_expression(TokenReader& tokens, int nesting) {
  return ExpressionParser(tokens, nesting).conditional();
}
ExpressionPtr parse_tuple(TokenReader& tokens, int nesting) {
  return ExpressionParser(tokens, nesting).tuple();
}
ExpressionPtr parse_unconditional(TokenReader& tokens, int nesting) {
  return ExpressionParser(tokens, nesting).either();
}

}  // namespace kakeya::chat

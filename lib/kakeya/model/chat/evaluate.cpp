// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/chat/evaluate.h"

#include <algorithm>
#include <list>
#include <set>

#include "kakeya/model/chat/functions.h"

namespace kakeya::chat {
namespace {

using Kind = Expression::Kind;

// Evaluations within each other: what macros that call themselves could overrun.
constexpr int kMaxDepth = 400;
// What Jinja gives every macro, and this does not.
const std::set<std::string> kOfMacros = {"varargs", "kwargs", "caller"};

/// Names of a block. Those of the blocks around it are seen through.
struct Scope {
  const Scope* around = nullptr;
  std::map<std::string, Value> names;

  const Value* find(const std::string& name) const {
    for (const Scope* scope = this; scope != nullptr; scope = scope->around) {
      const auto found = scope->names.find(name);
      if (found != scope->names.end()) return &found->second;
    }
    return nullptr;
  }
};

enum class Flow { on, stop_loop, next_round };

class Evaluation {
 public:
  Evaluation(const std::map<std::string, Value>& names, Budget& budget) : budget_(budget) {
    root_.names = names;
  }

  std::string run(const std::vector<Statement>& statements) {
    std::string out;
    body(statements, root_, out);
    return out;
  }

 private:
  // Counts what calls itself.
  class Deeper {
   public:
    Deeper(Evaluation& evaluation, int line) : depth_(evaluation.depth_) {
      if (depth_ >= kMaxDepth) fail(line, "calls itself too often");
      ++depth_;
    }
    ~Deeper() { --depth_; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;

   private:
    int& depth_;
  };

  Flow body(const std::vector<Statement>& statements, Scope& scope, std::string& out) {
    for (const Statement& statement : statements) {
      budget_.step(statement.line);
      const Flow flow = run(statement, scope, out);
      if (flow != Flow::on) return flow;
    }
    return Flow::on;
  }

  void write(const std::string& text, std::string& out, int line) {
    budget_.bytes(text.size(), line);
    out += text;
  }

  Flow run(const Statement& statement, Scope& scope, std::string& out) {
    const Deeper deeper(*this, statement.line);
    switch (statement.kind) {
      case Statement::Kind::text:
        write(statement.text, out, statement.line);
        return Flow::on;
      case Statement::Kind::output:
        append_text(out, value(*statement.expressions[0], scope), budget_, statement.line);
        return Flow::on;
      case Statement::Kind::branches:
        return branches(statement, scope, out);
      case Statement::Kind::loop:
        return loop(statement, scope, out);
      case Statement::Kind::set:
        set(statement, scope);
        return Flow::on;
      case Statement::Kind::set_block: {
        std::string text;
        Scope inner{&scope, {}};
        const Flow flow = body(statement.bodies[0], inner, text);
        scope.names[statement.names[0]] = text_value(std::move(text));
        return flow;
      }
      case Statement::Kind::macro:
        scope.names[statement.names[0]] = {&statement};
        return Flow::on;
      case Statement::Kind::block:
        return body(statement.bodies[0], scope, out);
      case Statement::Kind::stop_loop:
        return Flow::stop_loop;
      case Statement::Kind::next_round:
        return Flow::next_round;
    }
    return Flow::on;
  }

  Flow branches(const Statement& statement, Scope& scope, std::string& out) {
    for (std::size_t i = 0; i < statement.bodies.size(); ++i) {
      const bool taken =
          i >= statement.expressions.size() || is_true(value(*statement.expressions[i], scope));
      if (taken) return body(statement.bodies[i], scope, out);
    }
    return Flow::on;
  }

  void assign(const std::vector<std::string>& names, const Value& given, Scope& scope, int line) {
    if (names.size() == 1) {
      scope.names[names[0]] = given;
      return;
    }
    const auto elements = elements_of(given, budget_, line);
    const std::vector<Value>& parts = elements->items;
    budget_.steps(names.size(), line);
    if (parts.size() != names.size()) {
      fail(line,
           std::to_string(parts.size()) + " values for " + std::to_string(names.size()) + " names");
    }
    for (std::size_t i = 0; i < names.size(); ++i) scope.names[names[i]] = parts[i];
  }

  void set(const Statement& statement, Scope& scope) {
    Value given = value(*statement.expressions[0], scope);
    if (statement.text.empty()) return assign(statement.names, given, scope, statement.line);
    const Value* target = scope.find(statement.names[0]);
    Namespace* const* space = target != nullptr ? target->as<Namespace*>() : nullptr;
    if (space == nullptr) {
      fail(statement.line, statement.names[0] + "." + statement.text + " is set: expected " +
                               statement.names[0] + " to be a namespace");
    }
    (*space)->items[statement.text] = std::move(given);
  }

  Flow loop(const Statement& statement, Scope& scope, std::string& out) {
    const int line = statement.line;
    auto elements = elements_of(value(*statement.expressions[0], scope), budget_, line);
    if (const ExpressionPtr& condition = statement.expressions[1]) {
      std::vector<Value> kept;
      for (const Value& item : elements->items) {
        budget_.step(line);
        Scope inner{&scope, {}};
        assign(statement.names, item, inner, line);
        if (!is_true(value(*condition, inner))) continue;
        budget_.elements(1, line);
        kept.push_back(item);
      }
      elements = std::make_shared<const List>(List{std::move(kept)});
    }
    const std::vector<Value>& items = elements->items;
    for (std::size_t i = 0; i < items.size(); ++i) {
      budget_.step(line);
      Scope inner{&scope, {}};
      inner.names["loop"] = loop_value(items, i, line);
      assign(statement.names, items[i], inner, line);
      if (body(statement.bodies[0], inner, out) == Flow::stop_loop) break;
    }
    if (!items.empty() || statement.bodies.size() < 2) return Flow::on;
    Scope inner{&scope, {}};
    return body(statement.bodies[1], inner, out);
  }

  Value value(const Expression& node, Scope& scope) {
    const Deeper deeper(*this, node.line);
    budget_.step(node.line);
    switch (node.kind) {
      case Kind::constant:
        return node.value;
      case Kind::name:
        return named(node, scope);
      case Kind::list:
      case Kind::dict:
        return container(node, scope);
      case Kind::attribute:
        return attribute(node, scope);
      case Kind::item:
        return item_of(value(*node.parts[0], scope), value(*node.parts[1], scope), budget_,
                       node.line);
      case Kind::slice:
        return slice(node, scope);
      case Kind::call:
        return call(node, scope);
      case Kind::filter:
        return apply_filter(node.text, value(*node.parts[0], scope),
                            arguments(node, scope, "filter " + node.text), budget_);
      case Kind::test:
        return {apply_test(node.text, value(*node.parts[0], scope),
                           arguments(node, scope, "test " + node.text), budget_)};
      case Kind::minus:
        return arithmetic("-", {std::int64_t{0}}, value(*node.parts[0], scope), budget_, node.line);
      case Kind::no:
        return {!is_true(value(*node.parts[0], scope))};
      case Kind::both:
      case Kind::either:
        return logic(node, scope);
      case Kind::concat:
        return concat(node, scope);
      case Kind::arithmetic:
        return binary(node, scope);
      case Kind::compare:
        return comparison(node, scope);
      case Kind::conditional:
        return conditional(node, scope);
    }
    return {};
  }

  Value named(const Expression& node, const Scope& scope) const {
    if (const Value* found = scope.find(node.text)) return *found;
    if (is_function(node.text) && node.text != "strftime_now") {
      fail(node.line, node.text + " without (): which is not known here");
    }
    if (macros_ > 0 && kOfMacros.contains(node.text)) {
      fail(node.line, node.text + " of a macro, which is not known here");
    }
    return {Undefined{node.text}};
  }

  Value attribute(const Expression& node, Scope& scope) {
    check_loop(node, scope);
    return attribute_of(value(*node.parts[0], scope), node.text, budget_, node.line);
  }

  // Throws InputError on loop.name of a loop where the name is not known.
  static void check_loop(const Expression& node, const Scope& scope) {
    const Expression& of = *node.parts[0];
    if (of.kind == Kind::name && of.text == "loop" && in_loop(scope) && !is_loop_name(node.text)) {
      fail(node.line, "loop." + node.text + ", which is not known here");
    }
  }

  // Whether `loop` is the one of a loop, not what a template set.
  static bool in_loop(const Scope& scope) {
    const Value* loop = scope.find("loop");
    return loop != nullptr && loop->dict() != nullptr &&
           find(*loop->dict(), "revindex0") != nullptr;
  }

  Value container(const Expression& node, Scope& scope) {
    std::vector<Value> parts;
    for (const ExpressionPtr& part : node.parts) parts.push_back(value(*part, scope));
    budget_.elements(parts.size(), node.line);
    if (node.kind == Kind::list) return list_value(std::move(parts), node.line);
    std::vector<std::pair<std::string, Value>> items;
    for (std::size_t i = 0; i < parts.size(); i += 2) {
      if (parts[i].text() == nullptr) {
        fail(node.line, kind_of(parts[i]) + " as a key of a dict: expected a string");
      }
      put(items, *parts[i].text(), parts[i + 1], budget_, node.line);
    }
    return dict_value(std::move(items), node.line);
  }

  Value slice(const Expression& node, Scope& scope) {
    const Value of = value(*node.parts[0], scope);
    Value bounds[3];
    const Value* given[3] = {};
    for (std::size_t i = 0; i < 3; ++i) {
      if (!node.parts[i + 1]) continue;
      bounds[i] = value(*node.parts[i + 1], scope);
      given[i] = &bounds[i];
    }
    return slice_of(of, given[0], given[1], given[2], budget_, node.line);
  }

  Value logic(const Expression& node, Scope& scope) {
    Value last;
    for (const ExpressionPtr& part : node.parts) {
      last = value(*part, scope);
      if (is_true(last) == (node.kind == Kind::either)) break;
    }
    return last;
  }

  Value concat(const Expression& node, Scope& scope) {
    std::string text;
    for (const ExpressionPtr& part : node.parts) {
      append_text(text, value(*part, scope), budget_, node.line);
    }
    return text_value(std::move(text));
  }

  Value binary(const Expression& node, Scope& scope) {
    const Value a = value(*node.parts[0], scope), b = value(*node.parts[1], scope);
    return arithmetic(node.text, a, b, budget_, node.line);
  }

  Value comparison(const Expression& node, Scope& scope) {
    Value left = value(*node.parts[0], scope);
    for (std::size_t i = 0; i < node.signs.size(); ++i) {
      Value right = value(*node.parts[i + 1], scope);
      if (!compare(node.signs[i], left, right, budget_, node.line)) return {false};
      left = std::move(right);
    }
    return {true};
  }

  Value conditional(const Expression& node, Scope& scope) {
    if (is_true(value(*node.parts[0], scope))) return value(*node.parts[1], scope);
    return node.parts[2] ? value(*node.parts[2], scope) : Value{Undefined{"what else there is"}};
  }

  Arguments arguments(const Expression& node, Scope& scope, std::string of) {
    Arguments given(std::move(of), node.line);
    for (std::size_t i = 1; i < node.parts.size(); ++i) {
      given.plain.push_back(value(*node.parts[i], scope));
    }
    for (const auto& [name, part] : node.named) given.named.emplace_back(name, value(*part, scope));
    return given;
  }

  Value call(const Expression& node, Scope& scope) {
    const Expression& callee = *node.parts[0];
    if (callee.kind == Kind::name && scope.find(callee.text) == nullptr &&
        is_function(callee.text)) {
      return call_function(callee.text, arguments(node, scope, callee.text), spaces_, budget_);
    }
    if (callee.kind == Kind::attribute) {
      check_loop(callee, scope);
      const Value of = value(*callee.parts[0], scope);
      if (of.as<Undefined>() != nullptr) fail(node.line, kind_of(of) + ", has no ." + callee.text);
      const Arguments given = arguments(node, scope, "." + callee.text + "()");
      return call_method(callee.text, of, given, budget_);
    }
    const Value called = value(callee, scope);
    const auto* macro = called.as<const Statement*>();
    if (macro == nullptr) fail(node.line, kind_of(called) + ", is called: expected a macro");
    return run_macro(**macro, arguments(node, scope, "macro " + (*macro)->names[0]));
  }

  Value run_macro(const Statement& macro, const Arguments& given) {
    const Deeper deeper(*this, given.line());
    Scope scope{&root_, {}};
    budget_.steps(macro.names.size(), given.line());
    ++macros_;
    std::size_t named = 0;
    for (std::size_t i = 1; i < macro.names.size(); ++i) {
      const std::string& name = macro.names[i];
      const ExpressionPtr& otherwise = macro.expressions[i - 1];
      const Value* found = given.find(i - 1, name);
      named += found != nullptr && i > given.plain.size();
      scope.names[name] = found != nullptr ? *found
                          : otherwise      ? value(*otherwise, scope)
                                           : Value{Undefined{name}};
    }
    if (given.plain.size() + 1 > macro.names.size() || named != given.named.size()) {
      fail(given.line(), given.of() + ": arguments that it does not have");
    }
    std::string text;
    body(macro.bodies[0], scope, text);
    --macros_;
    return text_value(std::move(text));
  }

  Budget& budget_;
  Scope root_;
  std::list<Namespace> spaces_;
  int depth_ = 0, macros_ = 0;  // macros that run
};

}  // namespace

std::string evaluate(const std::vector<Statement>& statements,
                     const std::map<std::string, Value>& names, Budget& budget) {
  return Evaluation(names, budget).run(statements);
}

}  // namespace kakeya::chat

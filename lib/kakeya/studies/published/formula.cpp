// SPDX-License-Identifier: Apache-2.0
#include "kakeya/studies/published/formula.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>

#include "kakeya/core/error.h"
#include "kakeya/studies/published/functions.h"

namespace kakeya {
namespace {

using Numbers = std::vector<double>;

/// Evaluates while it reads: formulas are a line long and each is worth something once.
class Reader {
  static constexpr int kDeepest = 64;  // brackets within brackets; more would be no formula of ours

 public:
  Reader(std::string_view text, const FormulaScope& scope) : text_(text), scope_(scope) {}

  FormulaValue whole() {
    FormulaValue value = comparison();
    if (skip_spaces(), at_ < text_.size()) fail("expected an operator or the end");
    return value;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError("formula " + std::string(text_) + ": at character " + std::to_string(at_ + 1) +
                     ": " + what);
  }

  void skip_spaces() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }

  bool take(std::string_view symbol) {
    skip_spaces();
    if (text_.substr(at_, symbol.size()) != symbol) return false;
    at_ += symbol.size();
    return true;
  }

  void expect(std::string_view symbol) {
    if (!take(symbol)) fail("expected '" + std::string(symbol) + "'");
  }

  std::string word(std::string_view also) {
    skip_spaces();
    const std::size_t begin = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) ||
                                  also.find(text_[at_]) != std::string_view::npos)) {
      ++at_;
    }
    if (begin == at_) fail("expected a name");
    return std::string(text_.substr(begin, at_ - begin));
  }

  template <typename Operation>
  FormulaValue joined(const FormulaValue& a, const FormulaValue& b, Operation operation) const {
    if (!has_value(a) || !has_value(b)) return {};
    if (std::holds_alternative<std::string>(a)) return a;
    if (std::holds_alternative<std::string>(b)) return b;
    if (std::holds_alternative<double>(a) && std::holds_alternative<double>(b)) {
      return operation(std::get<double>(a), std::get<double>(b));
    }
    const Numbers x = to_numbers(a), y = to_numbers(b);
    const bool x_single = std::holds_alternative<double>(a),
               y_single = std::holds_alternative<double>(b);
    if (!x_single && !y_single && x.size() != y.size()) {
      fail(std::to_string(x.size()) + " numbers with " + std::to_string(y.size()));
    }
    Numbers result(x_single ? y.size() : x.size());
    for (std::size_t i = 0; i < result.size(); ++i) {
      result[i] = operation(x[x_single ? 0 : i], y[y_single ? 0 : i]);
    }
    return result;
  }

  FormulaValue comparison() {
    FormulaValue a = sum();
    const auto is = [&](auto test) {
      return joined(a, sum(), [&](double x, double y) { return test(x, y) ? 1.0 : 0.0; });
    };
    if (take("<=")) return is(std::less_equal<>());
    if (take(">=")) return is(std::greater_equal<>());
    if (take("==")) return is(std::equal_to<>());
    if (take("<")) return is(std::less<>());
    if (take(">")) return is(std::greater<>());
    return a;
  }

  FormulaValue sum() {
    FormulaValue value = product();
    while (true) {
      if (take("+")) {
        value = joined(value, product(), std::plus<>());
      } else if (take("-")) {
        value = joined(value, product(), std::minus<>());
      } else {
        return value;
      }
    }
  }

  FormulaValue product() {
    FormulaValue value = power();
    while (true) {
      if (take("*")) {
        value = joined(value, power(), std::multiplies<>());
      } else if (take("/")) {
        value = joined(value, power(), std::divides<>());
      } else {
        return value;
      }
    }
  }

  /// All that recurs comes by here.
  FormulaValue power() {
    if (++depth_ > kDeepest) fail("more than " + std::to_string(kDeepest) + " levels");
    FormulaValue value = unary();
    if (take("^")) {
      value = joined(value, power(), [](double x, double y) { return std::pow(x, y); });
    }
    --depth_;
    return value;
  }

  FormulaValue unary() {
    if (take("-")) return joined(0.0, power(), std::minus<>());
    if (take("(")) {
      FormulaValue value = comparison();
      expect(")");
      return value;
    }
    if (take("{")) return list(arguments("}"));
    if (take("'")) {
      const std::size_t end = text_.find('\'', at_);
      if (end == std::string_view::npos) fail("expected a closing quote");
      std::string quoted(text_.substr(at_, end - at_));
      at_ = end + 1;
      return quoted;
    }
    skip_spaces();
    if (at_ < text_.size() && (std::isdigit(static_cast<unsigned char>(text_[at_])) != 0)) {
      return number();
    }
    const std::string name = word("_");
    if (take("(")) return call_function(name, arguments(")"), *scope_.record, text_);
    if (take("?")) {
      expect("[");
      return lookup(name, true);
    }
    if (take("[")) return lookup(name, false);
    if (name == "nothing") return {};
    const auto found = scope_.defined.find(name);
    if (found == scope_.defined.end()) fail(name + ": not defined");
    return found->second;
  }

  FormulaValue number() {
    double value = 0;
    const char* begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (error != std::errc()) fail("expected a number");
    at_ += static_cast<std::size_t>(end - begin);
    return value;
  }

  std::vector<FormulaValue> arguments(std::string_view close) {
    std::vector<FormulaValue> values;
    if (take(close)) return values;
    do {
      values.push_back(comparison());
    } while (take(","));
    expect(close);
    return values;
  }

  static FormulaValue list(const std::vector<FormulaValue>& values) {
    Numbers numbers;
    for (const FormulaValue& value : values) {
      if (!has_value(value) || std::holds_alternative<std::string>(value)) return value;
      for (double each : to_numbers(value)) numbers.push_back(each);
    }
    return numbers;
  }

  FormulaValue lookup(const std::string& field, bool may_lack) {
    RowSelector selector{word("_"), {}};
    while (!take("]")) {
      const std::string key = word("_");
      expect("=");
      selector.fields.emplace_back(key, word("_-.:=+"));
    }
    const PublishedRecord& record = *scope_.record;
    if (!record.has_numbers(selector.kind, field)) {
      fail("no row of kind " + selector.kind + " has numbers " + field);
    }
    for (const auto& [key, value] : selector.fields) {
      if (!record.has_key(selector.kind, key)) {
        fail("no row of kind " + selector.kind + " has a key " + key);
      }
    }
    const PublishedRow* row = record.find(selector);
    if (row == nullptr || !row->numbers.contains(field)) {
      if (may_lack) return {};
      fail(to_text(selector) + ": " + (row == nullptr ? "no such row" : "no " + field + " in it") +
           " (where that is known, write " + field + "?[...])");
    }
    const auto found = row->numbers.find(field);
    if (found->second.size() == 1) return found->second.front();
    return found->second;
  }

  std::string_view text_;
  const FormulaScope& scope_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

FormulaValue evaluate(std::string_view formula, const FormulaScope& scope) {
  return Reader(formula, scope).whole();
}

}  // namespace kakeya

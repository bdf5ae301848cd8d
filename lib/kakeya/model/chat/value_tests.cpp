// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "kakeya/core/error.h"
#include "kakeya/model/chat/characters.h"
#include "kakeya/model/chat/functions.h"

namespace kakeya::chat {
namespace {

/// A test without arguments, by name.
struct Plain {
  const char* name;
  bool (*holds)(const Value&);
};

bool whole(const Value& value) { return value.as<std::int64_t>() != nullptr; }

constexpr std::array kPlain = {
    Plain{"defined", [](const Value& v) { return v.as<Undefined>() == nullptr; }},
    Plain{"undefined", [](const Value& v) { return v.as<Undefined>() != nullptr; }},
    Plain{"none", [](const Value& v) { return v.as<None>() != nullptr; }},
    Plain{"boolean", [](const Value& v) { return v.as<bool>() != nullptr; }},
    Plain{"true", [](const Value& v) { return v.as<bool>() != nullptr && *v.as<bool>(); }},
    Plain{"false", [](const Value& v) { return v.as<bool>() != nullptr && !*v.as<bool>(); }},
    Plain{"string", [](const Value& v) { return v.text() != nullptr; }},
    Plain{"number", is_number},
    Plain{"integer", whole},
    Plain{"float", [](const Value& v) { return v.as<double>() != nullptr; }},
    Plain{"mapping", [](const Value& v) { return v.dict() != nullptr; }},
    Plain{"sequence",
          [](const Value& v) {
            return v.text() != nullptr || v.list() != nullptr || v.dict() != nullptr;
          }},
    Plain{"iterable",
          [](const Value& v) {
            return v.text() != nullptr || v.list() != nullptr || v.dict() != nullptr ||
                   v.as<Undefined>() != nullptr;
          }},
    Plain{"callable", [](const Value& v) { return v.as<const Statement*>() != nullptr; }},
};

/// A test that compares, and what it does.
struct Comparing {
  const char* name;
  const char* sign;
};
constexpr std::array kComparing = {
    Comparing{"eq", "=="}, Comparing{"equalto", "=="}, Comparing{"==", "=="},
    Comparing{"ne", "!="}, Comparing{"lt", "<"},       Comparing{"lessthan", "<"},
    Comparing{"le", "<="}, Comparing{"gt", ">"},       Comparing{"greaterthan", ">"},
    Comparing{"ge", ">="}, Comparing{"in", "in"},
};

}  // namespace

bool apply_test(const std::string& name, const Value& value, const Arguments& arguments,
                Budget& budget) {
  for (const Plain& test : kPlain) {
    if (name != test.name) continue;
    arguments.expect(0);
    return test.holds(value);
  }
  for (const Comparing& test : kComparing) {
    if (name != test.name) continue;
    arguments.expect(1);
    return compare(test.sign, value, arguments.need(0), budget, arguments.line());
  }
  const int line = arguments.line();
  if (name == "odd" || name == "even" || name == "divisibleby") {
    const bool by = name == "divisibleby";
    arguments.expect(by ? 1 : 0);
    const std::int64_t divisor = by ? whole_of(arguments.need(0), name, line) : 2;
    if (divisor == 0) fail(line, "division by zero");
    const bool divides = divisor == -1 || whole_of(value, name, line) % divisor == 0;
    return name == "odd" ? !divides : divides;
  }
  if (name == "lower" || name == "upper") {
    arguments.expect(0);
    const std::string text = to_text(value, budget, line);
    budget.steps(text.size() / 16, line);
    const std::string same = name == "lower" ? lower_case(text) : upper_case(text);
    return text == same && lower_case(text) != upper_case(text);
  }
  fail(line, "the test " + name + ", which is not known here");
}

const Value* Arguments::find(std::size_t place, const std::string& name) const {
  if (place < plain.size()) return &plain[place];
  for (const auto& [key, value] : named) {
    if (!name.empty() && key == name) return &value;
  }
  return nullptr;
}

const Value& Arguments::need(std::size_t place, const std::string& name) const {
  const Value* value = find(place, name);
  if (value == nullptr) fail(line_, of_ + ": expected an argument more");
  return *value;
}

const std::string& Arguments::need_text(std::size_t place, const std::string& name) const {
  const Value& value = need(place, name);
  if (value.text() == nullptr) fail(line_, of_ + " with " + kind_of(value) + ": expected a string");
  return *value.text();
}

void Arguments::expect(std::size_t most, std::initializer_list<const char*> names) const {
  if (plain.size() > most) {
    fail(line_, of_ + ": " + std::to_string(plain.size()) + " arguments, expected at most " +
                    std::to_string(most));
  }
  for (const auto& item : named) {
    bool known = false;
    for (const char* name : names) known = known || item.first == name;
    if (!known) fail(line_, of_ + ": the argument " + item.first + ", which is not known here");
  }
}

}  // namespace kakeya::chat

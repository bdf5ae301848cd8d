// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "kakeya/model/chat/characters.h"
#include "kakeya/model/chat/functions.h"

namespace kakeya::chat {
namespace {

std::string stripped(const std::string& text, const Arguments& a, bool left, bool right,
                     Budget& budget) {
  a.expect(1);
  const Value* given = a.find(0);
  const bool blanks = given == nullptr || given->as<None>() != nullptr;
  // What goes is compared with every character given.
  const std::size_t each = blanks ? 1 : a.need_text(0).size();
  budget.steps(text.size() / 16 * each, a.line());
  std::size_t begin = 0, end = text.size();
  if (right) end = blanks ? trimmed_end(text) : trimmed_end(text, a.need_text(0));
  const std::string_view rest = std::string_view(text).substr(0, end);
  if (left) begin = blanks ? trimmed_begin(rest) : trimmed_begin(rest, a.need_text(0));
  budget.bytes(end - begin, a.line());
  return text.substr(begin, end - begin);
}

// startswith, endswith: one string, or several of which any will do.
bool affixed(const std::string& text, const Arguments& a, bool start, Budget& budget) {
  a.expect(1);
  const auto holds = [&](const Value& one) {
    if (one.text() == nullptr) {
      fail(a.line(), a.of() + " with " + kind_of(one) + ": expected a string");
    }
    budget.step(a.line());
    budget.scan(std::min(text.size(), one.text()->size()), a.line());
    return start ? text.starts_with(*one.text()) : text.ends_with(*one.text());
  };
  const Value& given = a.need(0);
  if (given.list() == nullptr) return holds(given);
  return std::any_of(given.list()->items.begin(), given.list()->items.end(), holds);
}

std::vector<Value> split(const std::string& text, const Arguments& a, Budget& budget) {
  a.expect(2, {"sep", "maxsplit"});
  const Value *separator = a.find(0, "sep"), *most = a.find(1, "maxsplit");
  const std::int64_t limit = most == nullptr ? -1 : whole_of(*most, "maxsplit", a.line());
  std::vector<Value> parts;
  const auto add = [&](std::string_view part) {
    budget.step(a.line());
    budget.bytes(Budget::kText + part.size(), a.line());
    parts.push_back(text_value(std::string(part)));
  };
  const std::string_view whole = text;
  if (separator == nullptr || separator->as<None>() != nullptr) {
    if (limit >= 0) fail(a.line(), a.of() + ": maxsplit without a separator is not known here");
    budget.steps(text.size() / 16, a.line());
    std::size_t at = 0;
    for (std::string_view word; !(word = next_word(whole, at)).empty();) add(word);
    return parts;
  }
  const std::string& between = a.need_text(0, "sep");
  if (between.empty()) fail(a.line(), a.of() + ": an empty separator");
  std::size_t at = 0;
  while (limit < 0 || static_cast<std::int64_t>(parts.size()) < limit) {
    const std::size_t found = find_text(text, between, at, budget, a.line());
    if (found == std::string::npos) break;
    add(whole.substr(at, found - at));
    at = found + between.size();
  }
  add(whole.substr(at));
  return parts;
}

std::string replaced(const std::string& text, const Arguments& a, Budget& budget) {
  a.expect(3, {"count"});
  const std::string &old = a.need_text(0), &fresh = a.need_text(1);
  const Value* most = a.find(2, "count");
  std::int64_t left =
      most == nullptr || most->as<None>() != nullptr ? -1 : whole_of(*most, "count", a.line());
  if (old.empty()) fail(a.line(), a.of() + ": an empty string to be replaced");
  std::string result;
  std::size_t at = 0;
  for (; left != 0; --left) {
    const std::size_t found = find_text(text, old, at, budget, a.line());
    if (found == std::string::npos) break;
    budget.bytes(found - at + fresh.size(), a.line());
    result.append(text, at, found - at);
    result += fresh;
    at = found + old.size();
  }
  budget.bytes(text.size() - at, a.line());
  return result.append(text, at);
}

// Each word, or the first character alone, in upper case; what follows in lower case.
std::string titled(const std::string& text, bool every) {
  std::string result;
  bool begins = true;
  for (std::size_t at = 0, length = 0; at < text.size(); at += length) {
    length = character_length(text, at);
    const std::string one = text.substr(at, length), upper = upper_case(one),
                      lower = lower_case(one);
    result += begins ? upper : lower;
    begins = every && upper == lower;
  }
  return result;
}

std::int64_t places(const std::string& text, const std::string& part, const Arguments& a,
                    Budget& budget) {
  std::int64_t count = 0;
  for (std::size_t at = 0; (at = find_text(text, part, at, budget, a.line())) != std::string::npos;
       at += part.size()) {
    ++count;
  }
  return count;
}

Value of_text(const std::string& name, const std::string& text, const Arguments& a,
              Budget& budget) {
  const auto given = [&](std::string result) {
    budget.bytes(result.size(), a.line());
    return text_value(std::move(result));
  };
  if (name == "strip") return text_value(stripped(text, a, true, true, budget));
  if (name == "lstrip") return text_value(stripped(text, a, true, false, budget));
  if (name == "rstrip") return text_value(stripped(text, a, false, true, budget));
  if (name == "startswith") return {affixed(text, a, true, budget)};
  if (name == "endswith") return {affixed(text, a, false, budget)};
  if (name == "replace") return text_value(replaced(text, a, budget));
  if (name == "split") return list_value(split(text, a, budget), a.line());
  if (name == "find" || name == "count") {
    a.expect(1);
    const std::string& part = a.need_text(0);
    if (part.empty()) fail(a.line(), a.of() + ": an empty string to be found");
    if (name == "count") return {places(text, part, a, budget)};
    const std::size_t at = find_text(text, part, 0, budget, a.line());
    if (at == std::string::npos) return {std::int64_t{-1}};
    return {static_cast<std::int64_t>(character_count(std::string_view(text).substr(0, at)))};
  }
  const bool cases = name == "upper" || name == "lower" || name == "title" || name == "capitalize";
  if (cases) {
    a.expect(0);
    // A character at a time costs more than all at once.
    const bool slow = name == "title" || name == "capitalize";
    budget.steps(text.size() / (slow ? 1 : 16), a.line());
  }
  if (name == "upper") return given(upper_case(text));
  if (name == "lower") return given(lower_case(text));
  if (cases) return given(titled(text, name == "title"));
  fail(a.line(), "." + name + "() of a string, which is not known here");
}

Value of_dict(const std::string& name, const Dict& dict, const Arguments& a, Budget& budget) {
  budget.steps(dict.items.size() / 16, a.line());
  if (name == "get") {
    a.expect(2);
    const Value* found = find(dict, a.need_text(0));
    if (found != nullptr) return *found;
    return a.find(1) != nullptr ? *a.find(1) : Value{None()};
  }
  a.expect(0);
  std::vector<Value> results;
  budget.bytes(3 * Budget::kText * dict.items.size(), a.line());
  for (const auto& [key, value] : dict.items) {
    if (name == "keys") {
      budget.bytes(key.size(), a.line());
      results.push_back(text_value(key));
    } else if (name == "values") {
      results.push_back(value);
    } else if (name == "items") {
      budget.bytes(key.size(), a.line());
      results.push_back(list_value({text_value(key), value}, a.line()));
    } else {
      break;
    }
  }
  if (name != "keys" && name != "values" && name != "items") {
    fail(a.line(), "." + name + "() of a dict, which is not known here");
  }
  return list_value(std::move(results), a.line());
}

}  // namespace

Value call_method(const std::string& name, const Value& value, const Arguments& arguments,
                  Budget& budget) {
  budget.step(arguments.line());
  if (const std::string* text = value.text()) return of_text(name, *text, arguments, budget);
  if (const Dict* dict = value.dict()) return of_dict(name, *dict, arguments, budget);
  fail(arguments.line(), "." + name + "() of " + kind_of(value) + ", which is not known here");
}

}  // namespace kakeya::chat

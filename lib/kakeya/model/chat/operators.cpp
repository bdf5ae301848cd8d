// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include "kakeya/model/chat/characters.h"
#include "kakeya/model/chat/functions.h"

namespace kakeya::chat {
namespace {

constexpr std::int64_t kLargest = std::int64_t{1} << 62;

Value whole_result(double exact, std::int64_t value, int line) {
  if (std::abs(exact) > static_cast<double>(kLargest)) fail(line, "a number beyond 2^62");
  return {value};
}

bool is_whole(const Value& value) {
  return value.as<std::int64_t>() != nullptr || value.as<bool>() != nullptr;
}

Value number_result(const std::string& sign, const Value& a, const Value& b, int line) {
  const double x = number_of(a), y = number_of(b);
  const bool divides = sign == "/" || sign == "//" || sign == "%";
  if (divides && y == 0) fail(line, "division by zero");
  if (sign == "/") return {x / y};
  if (!is_whole(a) || !is_whole(b)) {
    if (sign == "+") return {x + y};
    if (sign == "-") return {x - y};
    if (sign == "*") return {x * y};
    const double quotient = std::floor(x / y);
    return {sign == "//" ? quotient : x - y * quotient};
  }
  const std::int64_t i = whole_of(a, sign, line), j = whole_of(b, sign, line);
  const auto wide = [](std::int64_t v) { return static_cast<std::uint64_t>(v); };
  if (sign == "+") return whole_result(x + y, static_cast<std::int64_t>(wide(i) + wide(j)), line);
  if (sign == "-") return whole_result(x - y, static_cast<std::int64_t>(wide(i) - wide(j)), line);
  if (sign == "*") return whole_result(x * y, static_cast<std::int64_t>(wide(i) * wide(j)), line);
  std::int64_t quotient = i / j, rest = i % j;
  if (rest != 0 && (rest < 0) != (j < 0)) {
    --quotient;
    rest += j;
  }
  return {sign == "//" ? quotient : rest};
}

Value repeated(const Value& value, std::int64_t times, Budget& budget, int line) {
  const std::size_t count = times < 0 ? 0 : static_cast<std::size_t>(times);
  const std::string* text = value.text();
  const std::size_t length = text != nullptr ? text->size() : 32 * value.list()->items.size();
  if (length != 0 && count > std::numeric_limits<std::uint32_t>::max() / length) {
    fail(line, "makes more text than a chat can have");
  }
  budget.bytes(count * length, line);
  std::string many;
  std::vector<Value> items;
  for (std::size_t i = 0; length != 0 && i < count; ++i) {
    if (text != nullptr) {
      many += *text;
    } else {
      items.insert(items.end(), value.list()->items.begin(), value.list()->items.end());
    }
  }
  return text != nullptr ? text_value(std::move(many)) : list_value(std::move(items), line);
}

bool contains(const Value& container, const Value& value, int line) {
  if (const std::string* text = container.text()) {
    if (value.text() == nullptr) fail(line, kind_of(value) + " in a string: expected a string");
    return text->find(*value.text()) != std::string::npos;
  }
  if (const Dict* dict = container.dict()) {
    return value.text() != nullptr && find(*dict, *value.text()) != nullptr;
  }
  const std::vector<Value> items = elements_of(container, line);
  return std::any_of(items.begin(), items.end(),
                     [&](const Value& item) { return equal(item, value); });
}

std::vector<Value> characters_of(const std::string& text) {
  std::vector<Value> items;
  const std::vector<std::size_t> starts = character_starts(text);
  for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
    items.push_back(text_value(text.substr(starts[i], starts[i + 1] - starts[i])));
  }
  return items;
}

}  // namespace

std::int64_t whole_of(const Value& value, const std::string& what, int line) {
  if (const bool* boolean = value.as<bool>()) return *boolean ? 1 : 0;
  const auto* whole = value.as<std::int64_t>();
  if (whole == nullptr) fail(line, what + " of " + kind_of(value) + ": expected an integer");
  return *whole;
}

std::vector<Value> elements_of(const Value& value, int line) {
  if (value.as<Undefined>() != nullptr) return {};
  if (const List* list = value.list()) return list->items;
  if (const std::string* text = value.text()) return characters_of(*text);
  if (const Dict* dict = value.dict()) {
    std::vector<Value> keys;
    for (const auto& item : dict->items) keys.push_back(text_value(item.first));
    return keys;
  }
  fail(line, kind_of(value) + ": expected a list, a dict or a string to go through");
}

Value attribute_of(const Value& value, const std::string& name, int line) {
  if (value.as<Undefined>() != nullptr) fail(line, kind_of(value) + ", has no ." + name);
  if (const Dict* dict = value.dict()) {
    if (const Value* found = find(*dict, name)) return *found;
  }
  if (const auto* space = value.as<Namespace*>()) {
    const auto found = (*space)->items.find(name);
    if (found != (*space)->items.end()) return found->second;
  }
  return {Undefined{name}};
}

Value item_of(const Value& value, const Value& index, int line) {
  if (value.as<Undefined>() != nullptr) fail(line, kind_of(value) + ", has no elements");
  if (const std::string* name = index.text()) return attribute_of(value, *name, line);
  if (!is_whole(index)) return {Undefined{"an element"}};
  std::int64_t at = whole_of(index, "an index", line);
  const auto place = [&](std::size_t size) -> const std::size_t {
    const auto count = static_cast<std::int64_t>(size);
    if (at < 0) at += count;
    return at < 0 || at >= count ? size : static_cast<std::size_t>(at);
  };
  const Value none{Undefined{"element " + std::to_string(at)}};
  if (const List* list = value.list()) {
    const std::size_t where = place(list->items.size());
    return where < list->items.size() ? list->items[where] : none;
  }
  if (const std::string* text = value.text()) {
    const std::vector<std::size_t> starts = character_starts(*text);
    const std::size_t where = place(starts.size() - 1);
    if (where + 1 >= starts.size()) return none;
    return text_value(text->substr(starts[where], starts[where + 1] - starts[where]));
  }
  return none;
}

Value slice_of(const Value& value, const Value* start, const Value* stop, const Value* step,
               Budget& budget, int line) {
  const std::string* text = value.text();
  if (text == nullptr && value.list() == nullptr) {
    fail(line, "a slice of " + kind_of(value) + ": expected a list or a string");
  }
  const auto given = [&](const Value* v, const char* what) -> std::optional<std::int64_t> {
    if (v == nullptr || v->as<None>() != nullptr) return {};
    return std::clamp(whole_of(*v, what, line), -kLargest, kLargest);
  };
  const std::vector<std::size_t> starts =
      text != nullptr ? character_starts(*text) : std::vector<std::size_t>();
  const auto size =
      static_cast<std::int64_t>(text != nullptr ? starts.size() - 1 : value.list()->items.size());
  const std::int64_t by =
      std::clamp(given(step, "the step of a slice").value_or(1), -size - 1, size + 1);
  if (by == 0) fail(line, "a slice in steps of 0");
  const std::int64_t low = by > 0 ? 0 : -1, high = by > 0 ? size : size - 1;
  const auto bound = [&](std::optional<std::int64_t> at, std::int64_t otherwise) {
    if (!at) return otherwise;
    return std::clamp(*at < 0 ? *at + size : *at, low, high);
  };
  const std::int64_t first = bound(given(start, "a slice"), by > 0 ? low : high);
  const std::int64_t end = bound(given(stop, "a slice"), by > 0 ? high : low);
  std::string part;
  std::vector<Value> items;
  for (std::int64_t i = first; by > 0 ? i < end : i > end; i += by) {
    const auto at = static_cast<std::size_t>(i);
    if (text != nullptr) {
      part += text->substr(starts[at], starts[at + 1] - starts[at]);
    } else {
      items.push_back(value.list()->items[at]);
    }
  }
  budget.bytes(part.size() + 32 * items.size(), line);
  return text != nullptr ? text_value(std::move(part)) : list_value(std::move(items), line);
}

Value arithmetic(const std::string& sign, const Value& a, const Value& b, Budget& budget,
                 int line) {
  if (is_number(a) && is_number(b)) return number_result(sign, a, b, line);
  if (sign == "+" && a.text() != nullptr && b.text() != nullptr) {
    budget.bytes(a.text()->size() + b.text()->size(), line);
    return text_value(*a.text() + *b.text());
  }
  if (sign == "+" && a.list() != nullptr && b.list() != nullptr) {
    std::vector<Value> items = a.list()->items;
    items.insert(items.end(), b.list()->items.begin(), b.list()->items.end());
    budget.bytes(32 * items.size(), line);
    return list_value(std::move(items), line);
  }
  if (sign == "*") {
    const bool first = is_whole(a);
    const Value &many = first ? b : a, &times = first ? a : b;
    if ((many.text() != nullptr || many.list() != nullptr) && is_whole(times)) {
      return repeated(many, whole_of(times, sign, line), budget, line);
    }
  }
  fail(line, kind_of(a) + " " + sign + " " + kind_of(b));
}

Value range_of(const Arguments& given, Budget& budget) {
  given.expect(3);
  const int line = given.line();
  const auto at = [&](std::size_t i) { return whole_of(given.need(i), "range", line); };
  const bool one = given.plain.size() == 1;
  const std::int64_t begin = one ? 0 : at(0), end = at(one ? 0 : 1),
                     by = given.plain.size() == 3 ? at(2) : 1;
  if (by == 0) fail(line, "range in steps of 0");
  constexpr std::int64_t kMost = 100'000;  // as Jinja's sandbox
  if (std::max(std::abs(begin), std::abs(end)) > 1'000'000'000 || std::abs(by) > 1'000'000'000 ||
      (end - begin) / by > kMost) {
    fail(line, "range of more than " + std::to_string(kMost) + " numbers");
  }
  std::vector<Value> items;
  for (std::int64_t i = begin; by > 0 ? i < end : i > end; i += by) items.push_back({i});
  budget.bytes(32 * items.size(), line);
  return list_value(std::move(items), line);
}

bool compare(const std::string& sign, const Value& a, const Value& b, int line) {
  if (sign == "==") return equal(a, b);
  if (sign == "!=") return !equal(a, b);
  if (sign == "in") return contains(b, a, line);
  if (sign == "not in") return !contains(b, a, line);
  const bool texts = a.text() != nullptr && b.text() != nullptr;
  if (!texts && !(is_number(a) && is_number(b))) {
    fail(line, kind_of(a) + " " + sign + " " + kind_of(b));
  }
  const bool less = texts ? *a.text() < *b.text() : number_of(a) < number_of(b);
  const bool same = equal(a, b);
  if (sign == "<") return less;
  if (sign == "<=") return less || same;
  if (sign == ">") return !less && !same;
  return !less;  // >=
}

}  // namespace kakeya::chat

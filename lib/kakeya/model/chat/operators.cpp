// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

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
  const std::size_t length =
      text != nullptr ? text->size() : Budget::kElement * value.list()->items.size();
  if (length != 0 && count > std::numeric_limits<std::uint32_t>::max() / length) {
    fail(line, "makes more text than a chat can have");
  }
  budget.bytes(count * length, line);
  std::string many;
  std::vector<Value> items;
  if (text != nullptr) {
    many.reserve(count * length);
  } else {
    items.reserve(count * value.list()->items.size());
  }
  for (std::size_t i = 0; length != 0 && i < count; ++i) {
    if (text != nullptr) {
      many += *text;
    } else {
      items.insert(items.end(), value.list()->items.begin(), value.list()->items.end());
    }
  }
  return text != nullptr ? text_value(std::move(many)) : list_value(std::move(items), line);
}

bool contains(const Value& container, const Value& value, Budget& budget, int line) {
  if (const std::string* text = container.text()) {
    if (value.text() == nullptr) fail(line, kind_of(value) + " in a string: expected a string");
    return value.text()->empty() ||
           find_text(*text, *value.text(), 0, budget, line) != std::string::npos;
  }
  if (const Dict* dict = container.dict()) {
    budget.steps(dict->items.size() / 16, line);
    return value.text() != nullptr && find(*dict, *value.text()) != nullptr;
  }
  const auto elements = elements_of(container, budget, line);
  return std::any_of(elements->items.begin(), elements->items.end(),
                     [&](const Value& item) { return equal(item, value, budget, line); });
}

void append_element(std::vector<Value>& items, std::string_view text, Budget& budget, int line) {
  budget.step(line);
  budget.bytes(Budget::kText + text.size(), line);
  items.push_back(text_value(std::string(text)));
}

// The characters of a text from `first` on, below `end`, one in `by`.
std::string part_of(const std::string& text, std::int64_t first, std::int64_t end,
                    std::int64_t by) {
  std::string part;
  std::int64_t i = 0;
  for (std::size_t at = 0, length = 0; at < text.size() && i < end; at += length, ++i) {
    length = character_length(text, at);
    if (i >= first && (i - first) % by == 0) part.append(text, at, length);
  }
  return part;
}

}  // namespace

std::int64_t whole_of(const Value& value, const std::string& what, int line) {
  if (const bool* boolean = value.as<bool>()) return *boolean ? 1 : 0;
  const auto* whole = value.as<std::int64_t>();
  if (whole == nullptr) fail(line, what + " of " + kind_of(value) + ": expected an integer");
  return *whole;
}

std::shared_ptr<const List> elements_of(const Value& value, Budget& budget, int line) {
  List made;
  if (const auto* list = value.as<std::shared_ptr<const List>>()) return *list;
  if (const std::string* text = value.text()) {
    for (std::size_t at = 0, length = 0; at < text->size(); at += length) {
      length = character_length(*text, at);
      append_element(made.items, std::string_view(*text).substr(at, length), budget, line);
    }
  } else if (const Dict* dict = value.dict()) {
    for (const auto& item : dict->items) append_element(made.items, item.first, budget, line);
  } else if (value.as<Undefined>() == nullptr) {
    fail(line, kind_of(value) + ": expected a list, a dict or a string to go through");
  }
  return std::make_shared<const List>(std::move(made));
}

Value attribute_of(const Value& value, const std::string& name, Budget& budget, int line) {
  if (value.as<Undefined>() != nullptr) fail(line, kind_of(value) + ", has no ." + name);
  if (const Dict* dict = value.dict()) {
    budget.steps(dict->items.size() / 16, line);
    if (const Value* found = find(*dict, name)) return *found;
  }
  if (const auto* space = value.as<Namespace*>()) {
    const auto found = (*space)->items.find(name);
    if (found != (*space)->items.end()) return found->second;
  }
  return {Undefined{name}};
}

Value item_of(const Value& value, const Value& index, Budget& budget, int line) {
  if (value.as<Undefined>() != nullptr) fail(line, kind_of(value) + ", has no elements");
  if (const std::string* name = index.text()) return attribute_of(value, *name, budget, line);
  if (!is_whole(index)) return {Undefined{"an element"}};
  std::int64_t at = whole_of(index, "an index", line);
  const auto place = [&](std::size_t size) {
    const auto count = static_cast<std::int64_t>(size);
    if (at < 0) at += count;
    return at < 0 || at >= count ? size : static_cast<std::size_t>(at);
  };
  Value none{Undefined{"element " + std::to_string(at)}};
  if (const List* list = value.list()) {
    const std::size_t where = place(list->items.size());
    return where < list->items.size() ? list->items[where] : none;
  }
  if (const std::string* text = value.text()) {
    budget.scan(text->size(), line);
    const std::size_t count = character_count(*text), where = place(count);
    if (where >= count) return none;
    const auto i = static_cast<std::int64_t>(where);
    return text_value(part_of(*text, i, i + 1, 1));
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
  if (text != nullptr) budget.scan(text->size(), line);
  const auto size = static_cast<std::int64_t>(text != nullptr ? character_count(*text)
                                                              : value.list()->items.size());
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
  const std::int64_t count = by > 0 ? (end - first + by - 1) / by : (end - first + by + 1) / by;
  const auto many = static_cast<std::size_t>(std::max<std::int64_t>(count, 0));
  if (text == nullptr) {
    budget.elements(many, line);
    std::vector<Value> items;
    for (std::int64_t i = first; by > 0 ? i < end : i > end; i += by) {
      items.push_back(value.list()->items[static_cast<std::size_t>(i)]);
    }
    return list_value(std::move(items), line);
  }
  budget.bytes(many == 0 ? 0 : text->size(), line);
  if (by > 0) return text_value(part_of(*text, first, end, by));
  budget.bytes(sizeof(std::size_t) * text->size(), line);
  std::string part;
  const std::vector<std::size_t> starts = character_starts(*text);
  for (std::int64_t i = first; i > end; i += by) {
    const auto at = static_cast<std::size_t>(i);
    part.append(*text, starts[at], starts[at + 1] - starts[at]);
  }
  return text_value(std::move(part));
}

Value arithmetic(const std::string& sign, const Value& a, const Value& b, Budget& budget,
                 int line) {
  if (is_number(a) && is_number(b)) return number_result(sign, a, b, line);
  if (sign == "+" && a.text() != nullptr && b.text() != nullptr) {
    budget.bytes(a.text()->size() + b.text()->size(), line);
    return text_value(*a.text() + *b.text());
  }
  if (sign == "+" && a.list() != nullptr && b.list() != nullptr) {
    budget.elements(a.list()->items.size() + b.list()->items.size(), line);
    std::vector<Value> items = a.list()->items;
    items.insert(items.end(), b.list()->items.begin(), b.list()->items.end());
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

bool compare(const std::string& sign, const Value& a, const Value& b, Budget& budget, int line) {
  if (sign == "==") return equal(a, b, budget, line);
  if (sign == "!=") return !equal(a, b, budget, line);
  if (sign == "in") return contains(b, a, budget, line);
  if (sign == "not in") return !contains(b, a, budget, line);
  const bool texts = a.text() != nullptr && b.text() != nullptr;
  if (!texts && !(is_number(a) && is_number(b))) {
    fail(line, kind_of(a) + " " + sign + " " + kind_of(b));
  }
  if (texts) budget.scan(std::min(a.text()->size(), b.text()->size()), line);
  const bool less = texts ? *a.text() < *b.text() : number_of(a) < number_of(b);
  const bool same = equal(a, b, budget, line);
  if (sign == "<") return less;
  if (sign == "<=") return less || same;
  if (sign == ">") return !less && !same;
  return !less;  // >=
}

std::size_t find_text(const std::string& text, const std::string& part, std::size_t at,
                      Budget& budget, int line) {
  constexpr std::size_t kCandidate = 8;  // a place to compare at costs as much as so many bytes
  budget.step(line);
  std::size_t work = 0;
  const auto spend = [&] { budget.scan(std::exchange(work, work % Budget::kScanned), line); };
  while (text.size() >= part.size() && at <= text.size() - part.size()) {
    const std::size_t found = text.find(part[0], at);
    if (found == std::string::npos || found > text.size() - part.size()) break;
    const auto begin = text.begin() + static_cast<std::ptrdiff_t>(found);
    const auto differs = std::mismatch(part.begin(), part.end(), begin).first;
    work += found - at + kCandidate + static_cast<std::size_t>(differs - part.begin());
    spend();
    if (differs == part.end()) return found;
    at = found + 1;
  }
  work += text.size() - std::min(at, text.size());
  spend();
  return std::string::npos;
}

}  // namespace kakeya::chat

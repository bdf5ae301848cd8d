// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "kakeya/model/chat/characters.h"
#include "kakeya/model/chat/functions.h"

namespace kakeya::chat {
namespace {

using Filter = Value (*)(const Value&, const Arguments&, Budget&);

// The value's text, itself where it is one.
Value as_text(const Value& value, const Arguments& a, Budget& budget) {
  return value.text() != nullptr ? value : text_value(to_text(value, budget, a.line()));
}

// A filter of a string that is a method too.
template <const char* kName>
Value as_method(const Value& value, const Arguments& a, Budget& budget) {
  return call_method(kName, as_text(value, a, budget), a, budget);
}
constexpr char kUpper[] = "upper", kLower[] = "lower", kCapitalize[] = "capitalize",
               kStrip[] = "strip", kReplace[] = "replace";

// Unlike the method, words are what white space, hyphens and opening brackets divide: an apostrophe
// begins none.
Value title(const Value& value, const Arguments& a, Budget& budget) {
  a.expect(0);
  const Value whole = as_text(value, a, budget);
  const std::string& text = *whole.text();
  budget.steps(text.size() / 4, a.line());
  const auto divides = [&](std::string_view one) {
    return one == "-" || one == "(" || one == "{" || one == "[" || one == "<" || is_space(one);
  };
  const auto one_at = [&](std::size_t at) {
    return std::string_view(text).substr(at, character_length(text, at));
  };
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view first = one_at(at);
    at += first.size();
    if (divides(first)) {
      result += first;
      continue;
    }
    const std::size_t rest = at;
    while (at < text.size() && !divides(one_at(at))) at += one_at(at).size();
    result += upper_case(std::string(first)) + lower_case(text.substr(rest, at - rest));
  }
  budget.bytes(result.size(), a.line());
  return text_value(std::move(result));
}

Value length(const Value& value, const Arguments& a, Budget& budget) {
  a.expect(0);
  if (const std::string* text = value.text()) {
    budget.scan(text->size(), a.line());
    return {static_cast<std::int64_t>(character_count(*text))};
  }
  if (const Dict* dict = value.dict()) return {static_cast<std::int64_t>(dict->items.size())};
  return {static_cast<std::int64_t>(elements_of(value, budget, a.line())->items.size())};
}

Value tojson(const Value& value, const Arguments& a, Budget& budget) {
  a.expect(1, {"indent", "ensure_ascii"});
  for (const auto& [name, given] : a.named) {
    if (name == "ensure_ascii" && is_true(given)) {
      fail(a.line(), a.of() + ": ensure_ascii=true, which is not known here");
    }
  }
  const Value* indent = a.find(0, "indent");
  const bool none = indent == nullptr || indent->as<None>() != nullptr;
  const std::int64_t by = none ? -1 : whole_of(*indent, "indent", a.line());
  if (!none && (by < 0 || by > 16)) fail(a.line(), a.of() + ": expected an indent of 0 to 16");
  return text_value(to_json(value, static_cast<int>(by), budget, a.line()));
}

Value otherwise(const Value& value, const Arguments& a, Budget&) {
  a.expect(2, {"default_value", "boolean"});
  const Value* falsy = a.find(1, "boolean");
  const bool missing =
      value.as<Undefined>() != nullptr || (falsy != nullptr && is_true(*falsy) && !is_true(value));
  if (!missing) return value;
  const Value* other = a.find(0, "default_value");
  return other != nullptr ? *other : text_value("");
}

Value join(const Value& value, const Arguments& a, Budget& budget) {
  a.expect(2, {"d", "attribute"});
  const int line = a.line();
  const Value* given = a.find(0, "d");
  const Value between = given != nullptr ? as_text(*given, a, budget) : text_value("");
  const Value* attribute = a.find(1, "attribute");
  std::string text;
  bool any = false;
  const auto elements = elements_of(value, budget, line);
  for (const Value& item : elements->items) {
    budget.step(line);
    if (any) append_text(text, between, budget, line);
    any = true;
    append_text(text, attribute != nullptr ? item_of(item, *attribute, budget, line) : item, budget,
                line);
  }
  return text_value(std::move(text));
}

// The element at `place`: of a string without making a list of it.
Value end_of(const Value& value, std::int64_t place, const Arguments& a, Budget& budget) {
  a.expect(0);
  Value none{Undefined{place == 0 ? "the first element" : "the last element"}};
  if (const std::string* text = value.text()) {
    return text->empty() ? none : item_of(value, {place}, budget, a.line());
  }
  const auto elements = elements_of(value, budget, a.line());
  if (elements->items.empty()) return none;
  return place == 0 ? elements->items.front() : elements->items.back();
}

Value first(const Value& value, const Arguments& a, Budget& budget) {
  return end_of(value, 0, a, budget);
}

Value last(const Value& value, const Arguments& a, Budget& budget) {
  return end_of(value, -1, a, budget);
}

Value list(const Value& value, const Arguments& a, Budget& budget) {
  a.expect(0);
  return value.list() != nullptr
             ? value
             : list_value(elements_of(value, budget, a.line())->items, a.line());
}

Value items(const Value& value, const Arguments& a, Budget& budget) {
  if (value.as<Undefined>() != nullptr) return list_value({}, a.line());
  return call_method("items", value, a, budget);
}

Value reverse(const Value& value, const Arguments& a, Budget& budget) {
  a.expect(0);
  const std::string* text = value.text();
  if (text == nullptr) {
    const auto elements = elements_of(value, budget, a.line());
    budget.elements(elements->items.size(), a.line());
    return list_value({elements->items.rbegin(), elements->items.rend()}, a.line());
  }
  budget.scan(text->size(), a.line());
  budget.bytes(text->size(), a.line());
  std::string result(text->size(), ' ');
  for (std::size_t at = 0, length = 0; at < text->size(); at += length) {
    length = character_length(*text, at);
    result.replace(text->size() - at - length, length, *text, at, length);
  }
  return text_value(std::move(result));
}

Value string(const Value& value, const Arguments& a, Budget& budget) {
  a.expect(0);
  return as_text(value, a, budget);
}

Value integer(const Value& value, const Arguments& a, Budget& budget) {
  a.expect(1, {"default"});
  if (const double* real = value.as<double>(); real != nullptr && std::abs(*real) < 1e15) {
    return {static_cast<std::int64_t>(*real)};
  }
  if (is_number(value) && value.as<double>() == nullptr) return {whole_of(value, "int", a.line())};
  if (const std::string* text = value.text()) {
    budget.steps(text->size() / 16, a.line());
    std::string_view bare = std::string_view(*text).substr(0, trimmed_end(*text));
    bare.remove_prefix(trimmed_begin(bare));
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(bare.data(), bare.data() + bare.size(), number);
    if (error == std::errc() && end == bare.data() + bare.size()) return {number};
  }
  const Value* other = a.find(0, "default");
  return other != nullptr ? *other : Value{std::int64_t{0}};
}

// map(attribute="name"), map("filter")
Value map(const Value& value, const Arguments& a, Budget& budget) {
  std::vector<Value> results;
  const bool attribute = a.plain.empty();
  if (attribute) a.expect(0, {"attribute", "default"});
  Arguments rest(a.of(), a.line());
  if (!attribute) {
    rest.plain.assign(a.plain.begin() + 1, a.plain.end());
    rest.named = a.named;
  }
  // One that maps within each other has no end but the stack's.
  if (!attribute && a.need_text(0) == "map") {
    fail(a.line(), a.of() + " of the filter map, which is not known here");
  }
  const auto elements = elements_of(value, budget, a.line());
  for (const Value& item : elements->items) {
    budget.step(a.line());
    budget.elements(1, a.line());
    if (!attribute) {
      results.push_back(apply_filter(a.need_text(0), item, rest, budget));
      continue;
    }
    Value found = attribute_of(item, a.need_text(0, "attribute"), budget, a.line());
    const Value* other = a.find(1, "default");
    if (found.as<Undefined>() != nullptr && other != nullptr) found = *other;
    results.push_back(std::move(found));
  }
  return list_value(std::move(results), a.line());
}

// select(test, ...), selectattr(name, test, ...), and their opposites
template <bool kAttribute, bool kWanted>
Value select(const Value& value, const Arguments& a, Budget& budget) {
  constexpr std::size_t kTest = kAttribute ? 1 : 0;
  a.expect(kTest + 2);
  Arguments rest(a.of(), a.line());
  if (a.plain.size() > kTest + 1) rest.plain.push_back(a.plain[kTest + 1]);
  std::vector<Value> kept;
  const auto elements = elements_of(value, budget, a.line());
  for (const Value& item : elements->items) {
    budget.step(a.line());
    const Value judged = kAttribute ? attribute_of(item, a.need_text(0), budget, a.line()) : item;
    const bool holds = a.plain.size() > kTest ? apply_test(a.need_text(kTest), judged, rest, budget)
                                              : is_true(judged);
    if (holds != kWanted) continue;
    budget.elements(1, a.line());
    kept.push_back(item);
  }
  return list_value(std::move(kept), a.line());
}

Value indent(const Value& value, const Arguments& a, Budget& budget) {
  a.expect(3, {"width", "first", "blank"});
  const Value *width = a.find(0, "width"), *begins = a.find(1, "first"),
              *blank = a.find(2, "blank");
  const std::int64_t by = width == nullptr ? 4 : whole_of(*width, "indent", a.line());
  if (by < 0 || by > 64) fail(a.line(), a.of() + ": expected a width of 0 to 64");
  const Value whole = as_text(value, a, budget);
  const std::string &text = *whole.text(), pad(static_cast<std::size_t>(by), ' ');
  budget.scan(text.size(), a.line());
  const auto lines = static_cast<std::size_t>(1 + std::count(text.begin(), text.end(), '\n'));
  budget.bytes(text.size() + pad.size() * lines, a.line());
  std::string result = begins != nullptr && is_true(*begins) ? pad : "";
  for (std::size_t i = 0; i < text.size(); ++i) {
    result += text[i];
    const bool empty = i + 1 == text.size() || text[i + 1] == '\n';
    if (text[i] == '\n' && (!empty || (blank != nullptr && is_true(*blank)))) result += pad;
  }
  return text_value(std::move(result));
}

Value same(const Value& value, const Arguments& a, Budget&) {
  a.expect(0);
  return value;
}

struct Named {
  const char* name;
  Filter apply;
};

constexpr std::array kFilters = {
    Named{"trim", as_method<kStrip>},
    Named{"tojson", tojson},
    Named{"length", length},
    Named{"count", length},
    Named{"upper", as_method<kUpper>},
    Named{"lower", as_method<kLower>},
    Named{"title", title},
    Named{"capitalize", as_method<kCapitalize>},
    Named{"default", otherwise},
    Named{"d", otherwise},
    Named{"join", join},
    Named{"replace", as_method<kReplace>},
    Named{"first", first},
    Named{"last", last},
    Named{"list", list},
    Named{"items", items},
    Named{"reverse", reverse},
    Named{"string", string},
    Named{"int", integer},
    Named{"map", map},
    Named{"select", select<false, true>},
    Named{"reject", select<false, false>},
    Named{"selectattr", select<true, true>},
    Named{"rejectattr", select<true, false>},
    Named{"indent", indent},
    Named{"safe", same},
};

}  // namespace

Value apply_filter(const std::string& name, const Value& value, const Arguments& arguments,
                   Budget& budget) {
  budget.step(arguments.line());
  for (const Named& filter : kFilters) {
    if (name == filter.name) return filter.apply(value, arguments, budget);
  }
  fail(arguments.line(), "the filter " + name + ", which is not known here");
}

}  // namespace kakeya::chat

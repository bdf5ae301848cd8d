// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <charconv>

#include "kakeya/model/chat/characters.h"
#include "kakeya/model/chat/functions.h"

namespace kakeya::chat {
namespace {

using Filter = Value (*)(const Value&, const Arguments&, Budget&);

std::string text_of(const Value& value, const Arguments& a) { return to_text(value, a.line()); }

Value spent(std::string text, const Arguments& a, Budget& budget) {
  budget.bytes(text.size(), a.line());
  return text_value(std::move(text));
}

Value spent(std::vector<Value> items, const Arguments& a, Budget& budget) {
  budget.bytes(32 * items.size(), a.line());
  return list_value(std::move(items), a.line());
}

// A filter of a string that is a method too.
template <const char* kName>
Value as_method(const Value& value, const Arguments& a, Budget& budget) {
  return call_method(kName, text_value(text_of(value, a)), a, budget);
}
constexpr char kUpper[] = "upper", kLower[] = "lower", kTitle[] = "title",
               kCapitalize[] = "capitalize", kStrip[] = "strip", kReplace[] = "replace";

Value length(const Value& value, const Arguments& a, Budget&) {
  a.expect(0);
  if (const Dict* dict = value.dict()) return {static_cast<std::int64_t>(dict->items.size())};
  return {static_cast<std::int64_t>(elements_of(value, a.line()).size())};
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
  return spent(to_json(value, static_cast<int>(by), a.line()), a, budget);
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
  const std::string between = a.find(0, "d") != nullptr ? text_of(*a.find(0, "d"), a) : "";
  const Value* attribute = a.find(1, "attribute");
  std::string text;
  bool any = false;
  for (const Value& item : elements_of(value, a.line())) {
    if (any) text += between;
    any = true;
    const std::string more =
        text_of(attribute != nullptr ? item_of(item, *attribute, a.line()) : item, a);
    budget.bytes(more.size() + between.size(), a.line());
    text += more;
  }
  return text_value(std::move(text));
}

Value first(const Value& value, const Arguments& a, Budget&) {
  a.expect(0);
  const std::vector<Value> items = elements_of(value, a.line());
  return items.empty() ? Value{Undefined{"the first element"}} : items.front();
}

Value last(const Value& value, const Arguments& a, Budget&) {
  a.expect(0);
  const std::vector<Value> items = elements_of(value, a.line());
  return items.empty() ? Value{Undefined{"the last element"}} : items.back();
}

Value list(const Value& value, const Arguments& a, Budget& budget) {
  a.expect(0);
  return spent(elements_of(value, a.line()), a, budget);
}

Value items(const Value& value, const Arguments& a, Budget& budget) {
  if (value.as<Undefined>() != nullptr) return list_value({}, a.line());
  return call_method("items", value, a, budget);
}

Value reverse(const Value& value, const Arguments& a, Budget& budget) {
  a.expect(0);
  std::vector<Value> elements = elements_of(value, a.line());
  std::reverse(elements.begin(), elements.end());
  if (value.text() == nullptr) return spent(std::move(elements), a, budget);
  std::string text;
  for (const Value& element : elements) text += *element.text();
  return spent(std::move(text), a, budget);
}

Value string(const Value& value, const Arguments& a, Budget& budget) {
  a.expect(0);
  return spent(text_of(value, a), a, budget);
}

Value integer(const Value& value, const Arguments& a, Budget&) {
  a.expect(1, {"default"});
  if (const double* real = value.as<double>(); real != nullptr && std::abs(*real) < 1e15) {
    return {static_cast<std::int64_t>(*real)};
  }
  if (is_number(value) && value.as<double>() == nullptr) return {whole_of(value, "int", a.line())};
  if (const std::string* text = value.text()) {
    const std::string bare = text->substr(0, trimmed_end(*text)).substr(trimmed_begin(*text));
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
  for (const Value& item : elements_of(value, a.line())) {
    budget.step(a.line());
    if (!attribute) {
      results.push_back(apply_filter(a.need_text(0), item, rest, budget));
      continue;
    }
    Value found = item_of(item, text_value(a.need_text(0, "attribute")), a.line());
    const Value* other = a.find(1, "default");
    const bool missing = found.as<Undefined>() != nullptr && other != nullptr;
    results.push_back(missing ? *other : std::move(found));
  }
  return spent(std::move(results), a, budget);
}

// select(test, ...), selectattr(name, test, ...), and their opposites
template <bool kAttribute, bool kWanted>
Value select(const Value& value, const Arguments& a, Budget& budget) {
  constexpr std::size_t kTest = kAttribute ? 1 : 0;
  a.expect(kTest + 2);
  Arguments rest(a.of(), a.line());
  if (a.plain.size() > kTest + 1) rest.plain.push_back(a.plain[kTest + 1]);
  std::vector<Value> kept;
  for (const Value& item : elements_of(value, a.line())) {
    budget.step(a.line());
    const Value judged = kAttribute ? item_of(item, text_value(a.need_text(0)), a.line()) : item;
    const bool holds =
        a.plain.size() > kTest ? apply_test(a.need_text(kTest), judged, rest) : is_true(judged);
    if (holds == kWanted) kept.push_back(item);
  }
  return spent(std::move(kept), a, budget);
}

Value indent(const Value& value, const Arguments& a, Budget& budget) {
  a.expect(3, {"width", "first", "blank"});
  const Value *width = a.find(0, "width"), *begins = a.find(1, "first"),
              *blank = a.find(2, "blank");
  const std::int64_t by = width == nullptr ? 4 : whole_of(*width, "indent", a.line());
  if (by < 0 || by > 64) fail(a.line(), a.of() + ": expected a width of 0 to 64");
  const std::string text = text_of(value, a), pad(static_cast<std::size_t>(by), ' ');
  budget.bytes(
      pad.size() * static_cast<std::size_t>(1 + std::count(text.begin(), text.end(), '\n')),
      a.line());
  std::string result = begins != nullptr && is_true(*begins) ? pad : "";
  for (std::size_t i = 0; i < text.size(); ++i) {
    result += text[i];
    const bool empty = i + 1 == text.size() || text[i + 1] == '\n';
    if (text[i] == '\n' && (!empty || (blank != nullptr && is_true(*blank)))) result += pad;
  }
  return spent(std::move(result), a, budget);
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
    Named{"title", as_method<kTitle>},
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

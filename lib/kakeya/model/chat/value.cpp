// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/chat/value.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "kakeya/core/error.h"

namespace kakeya::chat {
namespace {

template <typename T>
bool holds(const Value& value) {
  return std::holds_alternative<T>(value.data);
}

int levels_of(const Value& value) {
  if (const List* list = value.list()) return list->levels;
  if (const Dict* dict = value.dict()) return dict->levels;
  return 0;
}

int one_more(int levels, int line) {
  if (levels >= kMaxLevels) {
    fail(line, "lists and dicts within each other: expected at most " + std::to_string(kMaxLevels) +
                   " levels");
  }
  return levels + 1;
}

std::string real_text(double value) { return nlohmann::json(value).dump(); }

// As Python's repr() of a string.
std::string quoted(const std::string& text) {
  const bool single = text.find('\'') == std::string::npos || text.find('"') != std::string::npos;
  const char quote = single ? '\'' : '"';
  std::string result(1, quote);
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == quote || c == '\\') {
      result += '\\';
      result += c;
    } else if (c == '\n') {
      result += "\\n";
    } else if (c == '\r') {
      result += "\\r";
    } else if (c == '\t') {
      result += "\\t";
    } else if (byte < 0x20 || byte == 0x7F) {
      constexpr const char* kDigits = "0123456789abcdef";
      result += "\\x";
      result += kDigits[byte >> 4];
      result += kDigits[byte & 15];
    } else {
      result += c;
    }
  }
  return result + quote;
}

std::string shown(const Value& value, int line) {
  if (holds<Undefined>(value)) return "Undefined";
  const std::string* text = value.text();
  return text != nullptr ? quoted(*text) : to_text(value, line);
}

std::string json_string(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// A list's or dict's elements between brackets, on lines of their own where there is an indent.
class Bracketed {
 public:
  Bracketed(std::string& out, int indent, int level) : out_(out), indent_(indent), level_(level) {}
  void element() {
    if (any_) out_ += indent_ < 0 ? ", " : ",";
    any_ = true;
    line(level_ + 1);
  }
  void end() {
    if (any_) line(level_);
  }

 private:
  void line(int level) {
    if (indent_ < 0) return;
    out_ += '\n';
    out_.append(static_cast<std::size_t>(indent_) * static_cast<std::size_t>(level), ' ');
  }
  std::string& out_;
  int indent_, level_;
  bool any_ = false;
};

void write_json(std::string& out, const Value& value, int indent, int level, int line) {
  if (const std::string* text = value.text()) {
    out += json_string(*text);
  } else if (const List* list = value.list()) {
    out += '[';
    Bracketed elements(out, indent, level);
    for (const Value& item : list->items) {
      elements.element();
      write_json(out, item, indent, level + 1, line);
    }
    elements.end();
    out += ']';
  } else if (const Dict* dict = value.dict()) {
    out += '{';
    Bracketed elements(out, indent, level);
    for (const auto& [key, item] : dict->items) {
      elements.element();
      out += json_string(key) + ": ";
      write_json(out, item, indent, level + 1, line);
    }
    elements.end();
    out += '}';
  } else if (const bool* boolean = value.as<bool>()) {
    out += *boolean ? "true" : "false";
  } else if (holds<None>(value)) {
    out += "null";
  } else if (is_number(value)) {
    out += to_text(value, line);
  } else {
    fail(line, "tojson of " + kind_of(value));
  }
}

}  // namespace

const std::string* Value::text() const {
  const Text* text = as<Text>();
  return text != nullptr ? text->get() : nullptr;
}
const List* Value::list() const {
  const auto* list = as<std::shared_ptr<const List>>();
  return list != nullptr ? list->get() : nullptr;
}
const Dict* Value::dict() const {
  const auto* dict = as<std::shared_ptr<const Dict>>();
  return dict != nullptr ? dict->get() : nullptr;
}

void Budget::step(int line) {
  if (steps_-- == 0) fail(line, "does not end: expected at most 5000000 steps");
}

void Budget::bytes(std::size_t count, int line) {
  if (count > bytes_) fail(line, "makes more text than a chat can have");
  bytes_ -= count;
}

void fail(int line, const std::string& what) {
  throw InputError("chat template, line " + std::to_string(line) + ": " + what);
}

Value text_value(std::string text) {
  return {std::make_shared<const std::string>(std::move(text))};
}

Value list_value(std::vector<Value> items, int line) {
  int levels = 0;
  for (const Value& item : items) levels = std::max(levels, levels_of(item));
  return {std::make_shared<const List>(List{std::move(items), one_more(levels, line)})};
}

Value dict_value(std::vector<std::pair<std::string, Value>> items, int line) {
  int levels = 0;
  for (const auto& item : items) levels = std::max(levels, levels_of(item.second));
  return {std::make_shared<const Dict>(Dict{std::move(items), one_more(levels, line)})};
}

const Value* find(const Dict& dict, std::string_view key) {
  for (const auto& [name, value] : dict.items) {
    if (name == key) return &value;
  }
  return nullptr;
}

std::string kind_of(const Value& value) {
  struct Name {
    std::string operator()(const Undefined& u) const { return "'" + u.name + "', undefined"; }
    std::string operator()(const None&) const { return "none"; }
    std::string operator()(bool) const { return "a boolean"; }
    std::string operator()(std::int64_t) const { return "an integer"; }
    std::string operator()(double) const { return "a real number"; }
    std::string operator()(const Text&) const { return "a string"; }
    std::string operator()(const std::shared_ptr<const List>&) const { return "a list"; }
    std::string operator()(const std::shared_ptr<const Dict>&) const { return "a dict"; }
    std::string operator()(Namespace*) const { return "a namespace"; }
    std::string operator()(const Statement*) const { return "a macro"; }
  };
  return std::visit(Name(), value.data);
}

bool is_true(const Value& value) {
  if (const std::string* text = value.text()) return !text->empty();
  if (const List* list = value.list()) return !list->items.empty();
  if (const Dict* dict = value.dict()) return !dict->items.empty();
  if (is_number(value)) return number_of(value) != 0;
  return !holds<Undefined>(value) && !holds<None>(value);
}

bool is_number(const Value& value) {
  return holds<bool>(value) || holds<std::int64_t>(value) || holds<double>(value);
}

double number_of(const Value& value) {
  if (const bool* boolean = value.as<bool>()) return *boolean ? 1 : 0;
  if (const auto* whole = value.as<std::int64_t>()) return static_cast<double>(*whole);
  return *value.as<double>();
}

bool equal(const Value& a, const Value& b) {
  if (is_number(a) && is_number(b)) return number_of(a) == number_of(b);
  if (a.data.index() != b.data.index()) return false;
  if (const std::string* text = a.text()) return *text == *b.text();
  if (const List* list = a.list()) {
    const auto& other = b.list()->items;
    if (list->items.size() != other.size()) return false;
    for (std::size_t i = 0; i < other.size(); ++i) {
      if (!equal(list->items[i], other[i])) return false;
    }
    return true;
  }
  if (const Dict* dict = a.dict()) {
    if (dict->items.size() != b.dict()->items.size()) return false;
    for (const auto& [key, item] : dict->items) {
      const Value* other = find(*b.dict(), key);
      if (other == nullptr || !equal(item, *other)) return false;
    }
    return true;
  }
  if (holds<Namespace*>(a)) return *a.as<Namespace*>() == *b.as<Namespace*>();
  if (holds<const Statement*>(a)) return *a.as<const Statement*>() == *b.as<const Statement*>();
  return true;  // both undefined, both none
}

std::string to_text(const Value& value, int line) {
  if (const std::string* text = value.text()) return *text;
  if (holds<Undefined>(value)) return "";
  if (holds<None>(value)) return "None";
  if (const bool* boolean = value.as<bool>()) return *boolean ? "True" : "False";
  if (const auto* whole = value.as<std::int64_t>()) return std::to_string(*whole);
  if (const double* real = value.as<double>()) return real_text(*real);
  if (const List* list = value.list()) {
    std::string text = "[";
    for (const Value& item : list->items) {
      if (text.size() > 1) text += ", ";
      text += shown(item, line);
    }
    return text + "]";
  }
  if (const Dict* dict = value.dict()) {
    std::string text = "{";
    for (const auto& [key, item] : dict->items) {
      if (text.size() > 1) text += ", ";
      text += quoted(key) + ": " + shown(item, line);
    }
    return text + "}";
  }
  fail(line, "the text of " + kind_of(value));
}

std::string to_json(const Value& value, int indent, int line) {
  std::string out;
  write_json(out, value, indent, 0, line);
  return out;
}

}  // namespace kakeya::chat

// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/chat/value.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

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

// Text that takes its bytes, and a step a piece, before it grows.
class Sink {
 public:
  Sink(std::string& out, Budget& budget, int line) : out_(out), budget_(budget), line_(line) {}
  void add(std::string_view more) {
    budget_.bytes(more.size(), line_);
    out_ += more;
  }
  void step() { budget_.step(line_); }
  void scan(std::size_t bytes) { budget_.scan(bytes, line_); }
  int line() const { return line_; }

 private:
  std::string& out_;
  Budget& budget_;
  int line_;
};

// As Python's repr() of a string.
void write_quoted(Sink& out, const std::string& text) {
  constexpr const char* kDigits = "0123456789abcdef";
  out.scan(text.size());
  const bool single = text.find('\'') == std::string::npos || text.find('"') != std::string::npos;
  const char quote = single ? '\'' : '"';
  out.add({&quote, 1});
  std::size_t plain = 0;
  const auto escape = [&](std::size_t at, std::string_view written) {
    out.add(std::string_view(text).substr(plain, at - plain));
    out.add(written);
    plain = at + 1;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const auto byte = static_cast<unsigned char>(c);
    if (c == quote || c == '\\') {
      escape(i, std::string{'\\', c});
    } else if (c == '\n') {
      escape(i, "\\n");
    } else if (c == '\r') {
      escape(i, "\\r");
    } else if (c == '\t') {
      escape(i, "\\t");
    } else if (byte < 0x20 || byte == 0x7F) {
      escape(i, std::string{'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]});
    }
  }
  out.add(std::string_view(text).substr(plain));
  out.add({&quote, 1});
}

void write_text(Sink& out, const Value& value);

void write_shown(Sink& out, const Value& value) {
  out.step();
  if (holds<Undefined>(value)) return out.add("Undefined");
  const std::string* text = value.text();
  text != nullptr ? write_quoted(out, *text) : write_text(out, value);
}

void write_text(Sink& out, const Value& value) {
  if (const std::string* text = value.text()) return out.add(*text);
  if (holds<Undefined>(value)) return;
  if (holds<None>(value)) return out.add("None");
  if (const bool* boolean = value.as<bool>()) return out.add(*boolean ? "True" : "False");
  if (const auto* whole = value.as<std::int64_t>()) return out.add(std::to_string(*whole));
  if (const double* real = value.as<double>()) return out.add(real_text(*real));
  const char* between = "";
  if (const List* list = value.list()) {
    out.add("[");
    for (const Value& item : list->items) {
      out.add(std::exchange(between, ", "));
      write_shown(out, item);
    }
    return out.add("]");
  }
  if (const Dict* dict = value.dict()) {
    out.add("{");
    for (const auto& [key, item] : dict->items) {
      out.add(std::exchange(between, ", "));
      write_quoted(out, key);
      out.add(": ");
      write_shown(out, item);
    }
    return out.add("}");
  }
  fail(out.line(), "the text of " + kind_of(value));
}

// In pieces, as a long text may become six times as long.
void write_json_string(Sink& out, const std::string& text) {
  constexpr std::size_t kPiece = 4096;
  out.add("\"");
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = std::min(at + kPiece, text.size());
    // Not within a character.
    for (int i = 0; i < 3 && end < text.size() && (text[end] & 0xC0) == 0x80; ++i) ++end;
    const std::string piece = nlohmann::json(text.substr(at, end - at))
                                  .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    out.scan(8 * (end - at));
    out.add(std::string_view(piece).substr(1, piece.size() - 2));
    at = end;
  }
  out.add("\"");
}

// A list's or dict's elements between brackets, on lines of their own where there is an indent.
class Bracketed {
 public:
  Bracketed(Sink& out, int indent, int level) : out_(out), indent_(indent), level_(level) {}
  void element() {
    out_.step();
    if (any_) out_.add(indent_ < 0 ? ", " : ",");
    any_ = true;
    line(level_ + 1);
  }
  void end() {
    if (any_) line(level_);
  }

 private:
  void line(int level) {
    if (indent_ < 0) return;
    out_.add("\n");
    out_.add(std::string(static_cast<std::size_t>(indent_) * static_cast<std::size_t>(level), ' '));
  }
  Sink& out_;
  int indent_, level_;
  bool any_ = false;
};

void write_json(Sink& out, const Value& value, int indent, int level) {
  if (const std::string* text = value.text()) {
    write_json_string(out, *text);
  } else if (const List* list = value.list()) {
    out.add("[");
    Bracketed elements(out, indent, level);
    for (const Value& item : list->items) {
      elements.element();
      write_json(out, item, indent, level + 1);
    }
    elements.end();
    out.add("]");
  } else if (const Dict* dict = value.dict()) {
    out.add("{");
    Bracketed elements(out, indent, level);
    for (const auto& [key, item] : dict->items) {
      elements.element();
      write_json_string(out, key);
      out.add(": ");
      write_json(out, item, indent, level + 1);
    }
    elements.end();
    out.add("}");
  } else if (const bool* boolean = value.as<bool>()) {
    out.add(*boolean ? "true" : "false");
  } else if (holds<None>(value)) {
    out.add("null");
  } else if (is_number(value)) {
    write_text(out, value);
  } else {
    fail(out.line(), "tojson of " + kind_of(value));
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

void Budget::steps(std::size_t count, int line) {
  if (count > steps_) fail(line, "does not end: expected at most 5000000 steps");
  steps_ -= count;
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

bool equal(const Value& a, const Value& b, Budget& budget, int line) {
  budget.step(line);
  if (is_number(a) && is_number(b)) return number_of(a) == number_of(b);
  if (a.data.index() != b.data.index()) return false;
  if (const std::string* text = a.text()) {
    if (text->size() != b.text()->size()) return false;
    budget.scan(text->size(), line);
    return *text == *b.text();
  }
  if (const List* list = a.list()) {
    const auto& other = b.list()->items;
    if (list->items.size() != other.size()) return false;
    for (std::size_t i = 0; i < other.size(); ++i) {
      if (!equal(list->items[i], other[i], budget, line)) return false;
    }
    return true;
  }
  if (const Dict* dict = a.dict()) {
    if (dict->items.size() != b.dict()->items.size()) return false;
    for (const auto& [key, item] : dict->items) {
      budget.steps(dict->items.size() / 16, line);
      const Value* other = find(*b.dict(), key);
      if (other == nullptr || !equal(item, *other, budget, line)) return false;
    }
    return true;
  }
  if (holds<Namespace*>(a)) return *a.as<Namespace*>() == *b.as<Namespace*>();
  if (holds<const Statement*>(a)) return *a.as<const Statement*>() == *b.as<const Statement*>();
  return true;  // both undefined, both none
}

void append_text(std::string& out, const Value& value, Budget& budget, int line) {
  Sink sink(out, budget, line);
  write_text(sink, value);
}

std::string to_text(const Value& value, Budget& budget, int line) {
  std::string text;
  append_text(text, value, budget, line);
  return text;
}

std::string to_json(const Value& value, int indent, Budget& budget, int line) {
  std::string out;
  Sink sink(out, budget, line);
  write_json(sink, value, indent, 0);
  return out;
}

}  // namespace kakeya::chat

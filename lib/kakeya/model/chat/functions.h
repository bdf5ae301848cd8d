// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kakeya/model/chat/value.h"

namespace kakeya::chat {

/// What a filter, test, method or function is given besides what it works on.
class Arguments {
 public:
  Arguments(std::string of, int line) : of_(std::move(of)), line_(line) {}
  std::vector<Value> plain;
  std::vector<std::pair<std::string, Value>> named;

  int line() const { return line_; }
  /// "filter trim": for messages.
  const std::string& of() const { return of_; }

  /// The argument of that place or name, if it is there.
  const Value* find(std::size_t place, const std::string& name = {}) const;
  const Value& need(std::size_t place, const std::string& name = {}) const;
  const std::string& need_text(std::size_t place, const std::string& name = {}) const;
  /// Throws InputError naming what is given beyond `most` places and these names.
  void expect(std::size_t most, std::initializer_list<const char*> names = {}) const;

 private:
  std::string of_;
  int line_;
};

/// `value | name(arguments)`. Throws InputError naming what is not known.
Value apply_filter(const std::string& name, const Value& value, const Arguments& arguments,
                   Budget& budget);
/// `value is name(arguments)`.
bool apply_test(const std::string& name, const Value& value, const Arguments& arguments,
                Budget& budget);
/// `value.name(arguments)`, of strings and dicts.
Value call_method(const std::string& name, const Value& value, const Arguments& arguments,
                  Budget& budget);

/// What a loop or a filter goes through: elements, characters, keys; nothing of what is undefined. A list's
/// own elements are shared; others are made, and taken from the budget before.
std::shared_ptr<const List> elements_of(const Value& value, Budget& budget, int line);
/// value.name and value[index]; undefined where there is none.
Value attribute_of(const Value& value, const std::string& name, Budget& budget, int line);
Value item_of(const Value& value, const Value& index, Budget& budget, int line);
Value slice_of(const Value& value, const Value* start, const Value* stop, const Value* step,
               Budget& budget, int line);
/// a + b and the like; a < b and the like, `in` too.
Value arithmetic(const std::string& sign, const Value& a, const Value& b, Budget& budget, int line);
bool compare(const std::string& sign, const Value& a, const Value& b, Budget& budget, int line);
/// Where `part`, which is not empty, begins in `text` from `at` on: npos where it does not. It takes steps
/// by the bytes that were compared.
std::size_t find_text(const std::string& text, const std::string& part, std::size_t at,
                      Budget& budget, int line);

/// The functions that every template has.
bool is_function(const std::string& name);
/// name(arguments). What namespace() makes is put in `spaces`.
Value call_function(const std::string& name, const Arguments& given, std::list<Namespace>& spaces,
                    Budget& budget);
/// What `loop` is in round `i` of these.
Value loop_value(const std::vector<Value>& items, std::size_t i, int line);
bool is_loop_name(const std::string& name);
/// A dict's element of that name from now on.
void put(std::vector<std::pair<std::string, Value>>& items, const std::string& key, Value value,
         Budget& budget, int line);
/// A whole number; throws InputError on anything else.
std::int64_t whole_of(const Value& value, const std::string& what, int line);

}  // namespace kakeya::chat

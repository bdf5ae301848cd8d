// SPDX-License-Identifier: Apache-2.0
#pragma once

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
bool apply_test(const std::string& name, const Value& value, const Arguments& arguments);
/// `value.name(arguments)`, of strings and dicts.
Value call_method(const std::string& name, const Value& value, const Arguments& arguments,
                  Budget& budget);

/// What a loop or a filter goes through: elements, characters, keys; nothing of what is undefined.
std::vector<Value> elements_of(const Value& value, int line);
/// value.name and value[index]; undefined where there is none.
Value attribute_of(const Value& value, const std::string& name, int line);
Value item_of(const Value& value, const Value& index, int line);
Value slice_of(const Value& value, const Value* start, const Value* stop, const Value* step,
               Budget& budget, int line);
/// a + b and the like; a < b and the like, `in` too.
Value arithmetic(const std::string& sign, const Value& a, const Value& b, Budget& budget, int line);
bool compare(const std::string& sign, const Value& a, const Value& b, int line);
/// range(arguments), at most 100000 numbers.
Value range_of(const Arguments& given, Budget& budget);
/// A whole number; throws InputError on anything else.
std::int64_t whole_of(const Value& value, const std::string& what, int line);

}  // namespace kakeya::chat

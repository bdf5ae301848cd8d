// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace kakeya::chat {

struct Value;
struct Statement;

struct Undefined {
  std::string name;  ///< what is not there, for messages
};
struct None {};
using Text = std::shared_ptr<const std::string>;

/// Values within values, and how many levels of them: at most kMaxLevels.
struct List {
  std::vector<Value> items;
  int levels = 1;
};
struct Dict {
  std::vector<std::pair<std::string, Value>> items;  ///< in the order in which they were given
  int levels = 1;
};
inline constexpr int kMaxLevels = 60;

/// What `namespace()` gives: the one thing that a template can change. Its evaluation owns it.
struct Namespace {
  std::map<std::string, Value> items;
};

/// A value of a template, as Python has them.
struct Value {
  using Data = std::variant<Undefined, None, bool, std::int64_t, double, Text,
                            std::shared_ptr<const List>, std::shared_ptr<const Dict>, Namespace*,
                            const Statement*>;  // the last is a macro
  Data data;

  template <typename T>
  const T* as() const {
    return std::get_if<T>(&data);
  }
  const std::string* text() const;
  const List* list() const;
  const Dict* dict() const;
};

/// What a render may still do. A template comes from outside: it ends, in bounded memory.
class Budget {
 public:
  explicit Budget(std::size_t bytes) : bytes_(bytes) {}
  /// Throws InputError where more was asked for than there is.
  void steps(std::size_t count, int line);
  void step(int line) { steps(1, line); }
  void bytes(std::size_t count, int line);
  /// The steps of going through so many bytes of text: one in kScanned.
  void scan(std::size_t count, int line) { steps(count / kScanned, line); }
  /// What a list of `count` values takes.
  void elements(std::size_t count, int line) { bytes(kElement * count, line); }

  static constexpr std::size_t kScanned = 64;
  static constexpr std::size_t kElement = 48;  ///< bytes of a value in a list
  static constexpr std::size_t kText = 128;  ///< of a text made as an element, beside what it says

 private:
  std::size_t steps_ = 5'000'000, bytes_;
};

/// Throws InputError "chat template, line N: WHAT".
[[noreturn]] void fail(int line, const std::string& what);

Value text_value(std::string text);
/// Throws InputError beyond kMaxLevels.
Value list_value(std::vector<Value> items, int line);
Value dict_value(std::vector<std::pair<std::string, Value>> items, int line);

const Value* find(const Dict& dict, std::string_view key);

/// "string", "list", "none": for messages.
std::string kind_of(const Value& value);
bool is_true(const Value& value);
/// As Python's ==. It takes a step an element.
bool equal(const Value& a, const Value& b, Budget& budget, int line);
/// A number of Python: whole, real, or a boolean as 0 and 1.
bool is_number(const Value& value);
double number_of(const Value& value);
/// As Python's str(), put behind `out`: throws InputError on a namespace and a macro. These three take the
/// bytes before they write them.
void append_text(std::string& out, const Value& value, Budget& budget, int line);
std::string to_text(const Value& value, Budget& budget, int line);
/// As json.dumps(value, ensure_ascii=False, indent=indent); below 0: in one line.
std::string to_json(const Value& value, int indent, Budget& budget, int line);

}  // namespace kakeya::chat

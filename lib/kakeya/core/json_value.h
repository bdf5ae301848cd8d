// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kakeya {

struct JsonMember;

/// A JSON document that was read: what small files of our own are made of (plans), for those who
/// link nothing but the codec library.
struct JsonValue {
  enum class Kind { null, boolean, number, string, array, object };

  Kind kind = Kind::null;
  bool boolean = false;
  double number = 0;
  std::string text;
  std::vector<JsonValue> items;     ///< of an array
  std::vector<JsonMember> members;  ///< of an object, in the text's order

  /// Null where an object has no such member.
  const JsonValue* find(std::string_view key) const;

  /// "null", "a number", "an object" ...: for messages.
  std::string_view kind_name() const;
};

/// One member of an object.
struct JsonMember {
  std::string name;
  JsonValue value;
};

/// Reads `text`, at most 16 levels deep. A key that an object has twice, text after the value and a
/// number that no double holds are refused. Throws SpecError: "plan.json: not JSON at byte 7:
/// expected ']' or ','". Bytes are counted from 1.
JsonValue read_json(std::string_view text, std::string_view origin);

}  // namespace kakeya

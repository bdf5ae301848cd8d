// SPDX-License-Identifier: Apache-2.0
#include "kakeya/store/parse_json.h"

#include <nlohmann/json.hpp>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

[[noreturn]] void refuse(const std::string& origin, std::size_t byte, const std::string& why) {
  throw CorruptStream(origin + ": not JSON at byte " + std::to_string(byte) + ": " + why);
}

// Counted before parsing, so that nothing deep is ever built. Up to the first error of the text,
// which ends the parser too, brackets outside strings are all that opens a level. The callback of
// nlohmann's parser was rejected: with one, it searches an object again after each object in it.
void check_depth(std::string_view text, const std::string& origin) {
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (in_string) {
      if (c == '\\') {
        ++at;
      } else if (c == '"') {
        in_string = false;
      }
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kMaxJsonDepth) {
        refuse(origin, at + 1,
               "expected at most " + std::to_string(kMaxJsonDepth) + " levels of nesting");
      }
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
}

// Of "... while parsing array - unexpected end of input; expected ']'" the last part; of "... while
// parsing value - invalid literal; last read: 'nul}'" the reason, without the text that was read.
std::string reason_of(const std::string& message) {
  const std::string read = "; last read: '", expected = "; expected ", dash = " - ";
  const std::size_t begin = message.find(dash);
  if (begin == std::string::npos) return "expected a value";
  const std::string reason = message.substr(begin + dash.size());
  if (const auto end = reason.find(read); end != std::string::npos) {
    return "expected a JSON token: " + reason.substr(0, end);
  }
  const std::size_t at = reason.find(expected);
  return at == std::string::npos ? "expected a value: " + reason
                                 : "expected " + reason.substr(at + expected.size());
}

template <typename Json>
Json parse(std::string_view text, const std::string& origin) {
  check_depth(text, origin);
  try {
    return Json::parse(text);
  } catch (const nlohmann::json::parse_error& error) {
    refuse(origin, error.byte, reason_of(error.what()));
  } catch (const nlohmann::json::exception&) {  // out_of_range: it has no position
    throw CorruptStream(origin + ": not JSON that can be read: expected numbers within float64");
  }
}

}  // namespace

nlohmann::json parse_json(std::string_view text, const std::string& origin) {
  return parse<nlohmann::json>(text, origin);
}

nlohmann::ordered_json parse_ordered_json(std::string_view text, const std::string& origin) {
  return parse<nlohmann::ordered_json>(text, origin);
}

}  // namespace kakeya

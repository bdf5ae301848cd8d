// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/text_splits.h"

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>

#include "kakeya/core/error.h"
#include "kakeya/core/files.h"
#include "kakeya/store/parse_json.h"
#include "kakeya/store/result_store.h"

namespace kakeya {
namespace {

using Json = nlohmann::json;

LineRange read_range(const std::string& where, const Json& json) {
  const auto line = [](const Json& number) {
    return number.is_number_unsigned() && number.get<std::uint64_t>() >= 1 &&
           number.get<std::uint64_t>() <= std::numeric_limits<int>::max();
  };
  if (!json.is_array() || json.size() != 2 || !line(json[0]) || !line(json[1]) ||
      json[0].get<int>() > json[1].get<int>()) {
    throw InputError(where + ": expected [first line, last line], counted from 1");
  }
  return {json[0].get<int>(), json[1].get<int>()};
}

// "passages 0 to 1 (lines 1 to 57)": those from `begin` to `end`, of which passages[0] has the number `first`.
std::string passages_text(const std::vector<Passage>& passages, int first, std::size_t begin,
                          std::size_t end) {
  const auto number = [&](std::size_t p) { return std::to_string(first + static_cast<int>(p)); };
  return (begin == end ? "passage " + number(begin)
                       : "passages " + number(begin) + " to " + number(end)) +
         " (lines " + std::to_string(passages[begin].first_line) + " to " +
         std::to_string(passages[end].last_line) + ")";
}

}  // namespace

std::string LineRange::text() const { return std::to_string(first) + "-" + std::to_string(last); }

std::string TextSplits::text() const {
  return std::string(kDevelopment) + " " + development.text() + ", " + std::string(kHeldOut) + " " +
         held_out.text();
}

TextSplits read_text_splits(const std::string& path) {
  const Json json = parse_json(read_text_file(path), path);
  const std::string expected =
      ": expected an object of text_sha256, development, held-out and perhaps a description";
  if (!json.is_object()) throw InputError(path + expected);
  for (const auto& item : json.items()) {
    if (item.key() != "text_sha256" && item.key() != "description" && !is_split(item.key()))
      throw InputError(path + ": unknown key \"" + item.key() + "\"" + expected);
  }
  for (const std::string_view key : {std::string_view("text_sha256"), kDevelopment, kHeldOut}) {
    if (!json.contains(key))
      throw InputError(path + ": missing key \"" + std::string(key) + "\"" + expected);
  }
  if (!json["text_sha256"].is_string())
    throw InputError(path + ": text_sha256: expected a text in quotes");
  const auto range = [&](std::string_view name) {
    return read_range(path + ": " + std::string(name), json[name]);
  };
  const TextSplits splits{path, json["text_sha256"].get<std::string>(), range(kDevelopment),
                          range(kHeldOut)};
  if (splits.development.touches(splits.held_out.first, splits.held_out.last)) {
    throw InputError(path + ": " + splits.text() + ": expected no line in both");
  }
  return splits;
}

void check_text_splits(const TextSplits& splits, const std::string& name,
                       const std::vector<Passage>& passages, int first,
                       const std::string& text_sha256) {
  if (splits.text_sha256 != text_sha256) {
    throw InputError("splits " + splits.path + ": of the text of SHA-256 " +
                     splits.text_sha256.substr(0, 12) + ", asked for " + text_sha256.substr(0, 12) +
                     ": expected that text, a file of this one, or --splits none");
  }
  const auto refuse = [&](const std::string& what, std::size_t begin, std::size_t end,
                          const std::string& expected) {
    throw InputError(what + passages_text(passages, first, begin, end) + ": expected " + expected +
                     ", as " + splits.path + " has it (" + splits.text() + ")");
  };
  const LineRange& mine = name == kDevelopment ? splits.development : splits.held_out;
  const auto inside = [&](const Passage& passage) {
    return mine.holds(passage.first_line, passage.last_line);
  };
  std::size_t begin = 0;
  while (begin < passages.size() && inside(passages[begin])) ++begin;
  if (begin == passages.size()) return;
  std::size_t end = begin;
  while (end + 1 < passages.size() && !inside(passages[end + 1])) ++end;
  refuse("split " + name + ": ", begin, end,
         "lines " + std::to_string(mine.first) + " to " + std::to_string(mine.last));
}

}  // namespace kakeya

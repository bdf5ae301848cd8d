// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codec/spec_pattern.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "kakeya/codec/codec.h"
#include "kakeya/core/error.h"

namespace kakeya {
namespace {

constexpr std::size_t kMostSpecs = 10000;
// Any codec can be built for vectors of this length, so what is wrong at it is wrong with the spec.
constexpr std::size_t kProbeDim = 128;

[[noreturn]] void refuse(std::string_view pattern, const std::string& reason) {
  throw SpecError(std::string(pattern) + ": " + reason);
}

std::optional<long> whole_number(std::string_view text) {
  long number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// "4..152" or "4..152..4" as numbers, anything else as itself.
void expand_item(std::string_view pattern, std::string_view item, std::vector<std::string>& out) {
  const std::size_t dots = item.find("..");
  if (dots == std::string_view::npos) {
    if (item.empty()) refuse(pattern, "an empty item in a list: expected {a,b,c}");
    out.emplace_back(item);
    return;
  }
  std::string_view last = item.substr(dots + 2), step_text = "1";
  if (const std::size_t more = last.find(".."); more != std::string_view::npos) {
    step_text = last.substr(more + 2);
    last = last.substr(0, more);
  }
  const auto from = whole_number(item.substr(0, dots)), to = whole_number(last),
             step = whole_number(step_text);
  if (!from || !to || !step || *step < 1 || *from > *to) {
    refuse(pattern, "range " + std::string(item) +
                        ": expected from..to or from..to..step, whole numbers, from <= to");
  }
  if (static_cast<std::size_t>((*to - *from) / *step) >= kMostSpecs) {
    refuse(pattern, "range " + std::string(item) + ": expected at most " +
                        std::to_string(kMostSpecs) + " values");
  }
  for (long number = *from; number <= *to; number += *step) out.push_back(std::to_string(number));
}

/// Splits at commas that are outside braces.
std::vector<std::string_view> split_outside_braces(std::string_view pattern,
                                                   std::string_view text) {
  std::vector<std::string_view> items;
  std::size_t begin = 0;
  bool inside = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '{') {
      if (inside) refuse(pattern, "a list within a list: expected {a,b,c}");
      inside = true;
    } else if (text[i] == '}') {
      if (!inside) refuse(pattern, "'}' without '{'");
      inside = false;
    } else if (text[i] == ',' && !inside) {
      items.push_back(text.substr(begin, i - begin));
      begin = i + 1;
    }
  }
  if (inside) refuse(pattern, "'{' without '}'");
  items.push_back(text.substr(begin));
  return items;
}

/// The values of one "key=value" item, each with its key; an item that is no pattern stays as it
/// is.
std::vector<std::string> expand_key(std::string_view pattern, std::string_view item) {
  const std::size_t equals = item.find('=');
  if (equals == std::string_view::npos) return {std::string(item)};
  const std::string key(item.substr(0, equals + 1));
  std::string_view value = item.substr(equals + 1);
  std::vector<std::string> values;
  if (value.find('{') != std::string_view::npos) {
    if (value.front() != '{' || value.find('}') != value.size() - 1) {
      refuse(pattern, "value " + std::string(value) + ": expected the whole of it to be {a,b,c}");
    }
    value = value.substr(1, value.size() - 2);
    std::size_t begin = 0;
    while (begin <= value.size()) {
      const std::size_t end = std::min(value.find(',', begin), value.size());
      expand_item(pattern, value.substr(begin, end - begin), values);
      begin = end + 1;
    }
  } else if (value.find("..") != std::string_view::npos) {
    expand_item(pattern, value, values);
  } else {
    values.emplace_back(value);
  }
  for (std::string& text : values) text.insert(0, key);
  return values;
}

void check_spec(const std::string& spec) {
  try {
    make_codec(spec, {.dim = kProbeDim});
  } catch (const InputError&) {
    // Not for vectors of this length; whether for the model's, build_grid() finds out.
  }
}

}  // namespace

std::vector<std::string> expand_spec(std::string_view pattern) {
  const std::size_t colon = pattern.find(':');
  if (colon == std::string_view::npos) return {std::string(pattern)};
  std::vector<std::string> specs{std::string(pattern.substr(0, colon))};
  char joint = ':';
  for (const std::string_view item : split_outside_braces(pattern, pattern.substr(colon + 1))) {
    const std::vector<std::string> values = expand_key(pattern, item);
    if (specs.size() * values.size() > kMostSpecs) {
      refuse(pattern, "means more than " + std::to_string(kMostSpecs) + " specs");
    }
    std::vector<std::string> longer;
    for (const std::string& spec : specs) {
      for (const std::string& value : values) longer.push_back(spec + joint + value);
    }
    specs = std::move(longer);
    joint = ',';
  }
  return specs;
}

std::vector<std::string> expand_specs(std::span<const std::string> patterns) {
  std::vector<std::string> specs;
  for (const std::string& pattern : patterns) {
    for (std::string& spec : expand_spec(pattern)) {
      try {
        check_spec(spec);
      } catch (const SpecError& error) {
        if (spec == pattern) throw;
        refuse(pattern, spec + ": " + error.what());
      }
      specs.push_back(std::move(spec));
    }
  }
  return specs;
}

}  // namespace kakeya

// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/chat/functions.h"

#include <algorithm>
#include <set>

namespace kakeya::chat {
namespace {

// range(arguments), at most 100000 numbers.
Value range_of(const Arguments& given, Budget& budget) {
  given.expect(3);
  const int line = given.line();
  const auto at = [&](std::size_t i) { return whole_of(given.need(i), "range", line); };
  const bool one = given.plain.size() == 1;
  const std::int64_t begin = one ? 0 : at(0), end = at(one ? 0 : 1),
                     by = given.plain.size() == 3 ? at(2) : 1;
  if (by == 0) fail(line, "range in steps of 0");
  constexpr std::int64_t kMost = 100'000;  // as Jinja's sandbox
  constexpr std::int64_t kFar = 1'000'000'000;
  const auto far = [](std::int64_t number) { return number > kFar || number < -kFar; };
  if (far(begin) || far(end) || far(by) || (end - begin) / by > kMost) {
    fail(line, "range of more than " + std::to_string(kMost) + " numbers");
  }
  budget.elements(static_cast<std::size_t>(std::max<std::int64_t>((end - begin) / by + 1, 0)),
                  line);
  std::vector<Value> items;
  for (std::int64_t i = begin; by > 0 ? i < end : i > end; i += by) items.emplace_back().data = i;
  return list_value(std::move(items), line);
}

Value whole(std::size_t number) { return {static_cast<std::int64_t>(number)}; }

const std::set<std::string> kFunctions = {"range", "namespace", "raise_exception", "dict",
                                          "strftime_now"};
const std::set<std::string> kLoopNames = {"index", "index0", "revindex", "revindex0",
                                          "first", "last",   "length",   "previtem",
                                          "depth", "depth0", "nextitem"};

}  // namespace

bool is_function(const std::string& name) { return kFunctions.contains(name); }
bool is_loop_name(const std::string& name) { return kLoopNames.contains(name); }

Value call_function(const std::string& name, const Arguments& given, std::list<Namespace>& spaces,
                    Budget& budget) {
  const int line = given.line();
  if (name == "raise_exception") {
    given.expect(1);
    fail(line, "refuses these messages: " + to_text(given.need(0), budget, line));
  }
  if (name == "strftime_now") {
    fail(line, "strftime_now(): a prompt that depends on the day is refused here");
  }
  if (name == "range") return range_of(given, budget);
  if (!given.plain.empty()) fail(line, name + ": expected arguments with names alone");
  budget.bytes(Budget::kText * (1 + given.named.size()), line);
  if (name == "namespace") {
    spaces.emplace_back();
    for (const auto& [key, value] : given.named) spaces.back().items[key] = value;
    return {&spaces.back()};
  }
  std::vector<std::pair<std::string, Value>> items;
  for (const auto& [key, value] : given.named) put(items, key, value, budget, line);
  return dict_value(std::move(items), line);
}

// A loop that does not call itself is at depth 1, within others too.
Value loop_value(const std::vector<Value>& items, std::size_t i, int line) {
  const std::size_t count = items.size();
  std::vector<std::pair<std::string, Value>> names = {{"index", whole(i + 1)},
                                                      {"index0", whole(i)},
                                                      {"revindex", whole(count - i)},
                                                      {"revindex0", whole(count - i - 1)},
                                                      {"first", {i == 0}},
                                                      {"last", {i + 1 == count}},
                                                      {"length", whole(count)},
                                                      {"depth", whole(1)},
                                                      {"depth0", whole(0)}};
  if (i > 0) names.emplace_back("previtem", items[i - 1]);
  if (i + 1 < count) names.emplace_back("nextitem", items[i + 1]);
  return dict_value(std::move(names), line);
}

void put(std::vector<std::pair<std::string, Value>>& items, const std::string& key, Value value,
         Budget& budget, int line) {
  budget.steps(items.size() / 16, line);
  for (auto& [name, old] : items) {
    if (name != key) continue;
    old = std::move(value);
    return;
  }
  items.emplace_back(key, std::move(value));
}

}  // namespace kakeya::chat

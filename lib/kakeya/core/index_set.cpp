// SPDX-License-Identifier: Apache-2.0
#include "kakeya/core/index_set.h"

#include <algorithm>
#include <charconv>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

[[noreturn]] void refuse(std::string_view what, std::string_view text, const std::string& why) {
  throw SpecError(std::string(what) + " \"" + std::string(text) + "\": " + why +
                  ", expected numbers from 0 and runs of them, as in 0,5,10-20");
}

std::string quoted(std::string_view text) {
  std::string quoted(1, '\'');
  return quoted.append(text).append(1, '\'');
}

/// Nothing but digits, at most IndexSet::kLargest; -1 where it is anything else.
int number_in(std::string_view text) {
  int number = -1;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, number);
  const bool digits = !text.empty() && text.front() >= '0' && text.front() <= '9';
  return digits && error == std::errc() && at == end && number <= IndexSet::kLargest ? number : -1;
}

}  // namespace

IndexSet IndexSet::below(int count) {
  IndexSet set;
  if (count > 0) set.runs_.push_back({0, count - 1});
  return set;
}

IndexSet IndexSet::of(std::span<const int> numbers) {
  std::vector<int> sorted(numbers.begin(), numbers.end());
  std::sort(sorted.begin(), sorted.end());
  IndexSet set;
  for (const int number : sorted) {
    if (number < 0 || number > kLargest) {
      throw InputError(std::to_string(number) + ": expected 0 to " + std::to_string(kLargest));
    }
    if (set.empty() || number > set.last() + 1) {
      set.runs_.push_back({number, number});
    } else {
      set.runs_.back().last = number;
    }
  }
  return set;
}

IndexSet IndexSet::parse(std::string_view text, std::string_view what) {
  std::vector<IndexRun> runs;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    const std::string_view item = text.substr(begin, comma - begin);
    const std::size_t dash = item.find('-');
    const int first = number_in(item.substr(0, dash));
    const int last = dash == std::string_view::npos ? first : number_in(item.substr(dash + 1));
    if (first < 0 || last < 0) refuse(what, text, quoted(item) + " is no number or run");
    if (last < first) refuse(what, text, quoted(item) + " runs backwards");
    runs.push_back({first, last});
    begin = comma + 1;
  }
  std::sort(runs.begin(), runs.end(),
            [](const IndexRun& a, const IndexRun& b) { return a.first < b.first; });
  IndexSet set;
  for (const IndexRun& run : runs) {
    if (!set.empty() && run.first <= set.last()) {
      refuse(what, text, std::to_string(run.first) + " is there twice");
    }
    if (!set.empty() && run.first == set.last() + 1) {
      set.runs_.back().last = run.last;
    } else {
      set.runs_.push_back(run);
    }
  }
  return set;
}

std::size_t IndexSet::count() const {
  std::size_t count = 0;
  for (const IndexRun& run : runs_) count += static_cast<std::size_t>(run.last - run.first) + 1;
  return count;
}

bool IndexSet::contains(int number) const {
  return std::any_of(runs_.begin(), runs_.end(), [&](const IndexRun& run) {
    return run.first <= number && number <= run.last;
  });
}

std::vector<int> IndexSet::numbers() const {
  std::vector<int> numbers;
  for (const IndexRun& run : runs_) {
    for (int number = run.first; number <= run.last; ++number) numbers.push_back(number);
  }
  return numbers;
}

IndexSet IndexSet::others(int count) const {
  std::vector<int> others;
  for (int number = 0; number < count; ++number) {
    if (!contains(number)) others.push_back(number);
  }
  return of(others);
}

std::string IndexSet::text() const {
  std::string text;
  for (const IndexRun& run : runs_) {
    if (!text.empty()) text += ',';
    text += std::to_string(run.first);
    if (run.last > run.first) text += run.last == run.first + 1 ? ',' : '-';
    if (run.last > run.first) text += std::to_string(run.last);
  }
  return text;
}

}  // namespace kakeya

// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/chart_families.h"

#include <algorithm>
#include <map>

#include "kakeya/report/charts.h"

namespace kakeya {
namespace {

constexpr std::string_view kArrow = " -> ";

struct Candidate {
  std::string legend, codec, shown;
  bool named = false;        // by a choice
  std::size_t on_front = 0;  // settings
  std::size_t turn = 0;      // its place among the families of its codec
};

/// In the order in which the groups have them.
std::vector<Candidate> candidates_of(std::span<const ResultGroup* const> groups,
                                     const Metric& metric, std::span<const std::string> choices) {
  std::vector<Candidate> candidates;
  const auto candidate = [&](const ResultGroup& group, const std::string& family) -> Candidate& {
    const std::string legend = legend_name(group, family);
    const auto known = std::find_if(candidates.begin(), candidates.end(),
                                    [&](const Candidate& each) { return each.legend == legend; });
    if (known != candidates.end()) return *known;
    candidates.push_back({legend, codec_of(family), legend});
    return candidates.back();
  };
  for (const ResultGroup* group : groups) {
    std::vector<OperatingPoint> points;
    std::vector<const CodecResult*> codecs;
    for (const CodecResult& codec : group->codecs) {
      const double loss = summary(codec, metric).mean;
      if (codec.identity() || loss <= 0) continue;
      points.push_back({codec.rates.measured, loss});
      codecs.push_back(&codec);
      Candidate& own = candidate(*group, codec.family);
      for (const std::string_view choice : choices) {
        const std::string_view pattern = pattern_of(choice);
        if (own.named || !family_matches(pattern, codec.family)) continue;
        own.named = true;
        if (pattern.size() < choice.size())
          own.shown = choice.substr(pattern.size() + kArrow.size());
      }
    }
    for (const std::size_t i : pareto_front(points))
      ++candidate(*group, codecs[i]->family).on_front;
  }
  return candidates;
}

}  // namespace

std::string_view pattern_of(std::string_view choice) {
  return choice.substr(0, choice.find(kArrow));
}

std::map<std::string, std::string> chart_families(std::span<const ResultGroup* const> groups,
                                                  const Metric& metric,
                                                  std::span<const std::string> choices) {
  std::vector<Candidate> candidates = candidates_of(groups, metric, choices);
  if (!choices.empty()) {
    std::erase_if(candidates, [](const Candidate& each) { return !each.named; });
  } else if (candidates.size() > kChartFamilies) {
    const auto more = [](const Candidate& a, const Candidate& b) {
      return a.on_front > b.on_front;
    };
    std::stable_sort(candidates.begin(), candidates.end(), more);
    std::map<std::string, std::size_t> turns;
    for (Candidate& each : candidates) each.turn = turns[each.codec]++;
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return a.turn < b.turn; });
    candidates.resize(kChartFamilies);
  }
  std::map<std::string, std::string> legends;
  for (const Candidate& each : candidates) legends.emplace(each.legend, each.shown);
  return legends;
}

bool pattern_matches(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return text.empty();
  if (pattern.front() == '*') {
    return pattern_matches(pattern.substr(1), text) ||
           (!text.empty() && pattern_matches(pattern, text.substr(1)));
  }
  return !text.empty() && text.front() == pattern.front() &&
         pattern_matches(pattern.substr(1), text.substr(1));
}

bool family_matches(std::string_view pattern, const std::string& family) {
  return pattern_matches(pattern, family) || pattern_matches(pattern, without_profiles(family));
}

}  // namespace kakeya

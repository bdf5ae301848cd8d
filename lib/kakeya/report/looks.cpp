// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/looks.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace kakeya {
namespace {

struct Style {
  std::string_view codec;
  const char* colour;
  std::size_t marker;  // of its first variant: an index into kMarkers
};

// Okabe and Ito's palette, readable with every kind of colour vision. Markers differ too, so that
// a chart survives without colour.
constexpr Style kStyles[] = {{"e8", "#0072B2", 0},  {"d4", "#D55E00", 2},   {"tq", "#009E73", 4},
                             {"fp8", "#AA3377", 6}, {"ece8", "#000000", 0}, {"ecd4", "#E69F00", 2},
                             {"ecz", "#56B4E9", 4}};
constexpr const char* kOtherColours[] = {"#8C6D1F", "#66A61E", "#7570B3", "#CC79A7", "#777777"};
// gnuplot's circle, square, triangle, diamond, triangle down, pentagon: filled, then hollow.
constexpr int kMarkers[] = {7, 6, 5, 4, 9, 8, 13, 12, 11, 10, 15, 14};

std::size_t place(std::vector<std::string>& list, const std::string& name) {
  const auto at = std::find(list.begin(), list.end(), name);
  const auto index = static_cast<std::size_t>(at - list.begin());
  if (at == list.end()) list.push_back(name);
  return index;
}

}  // namespace

Look Looks::of(const std::string& family) {
  const std::string codec = family.substr(0, family.find(':'));
  auto known = std::find_if(variants_.begin(), variants_.end(),
                            [&](const auto& each) { return each.first == codec; });
  if (known == variants_.end()) known = variants_.insert(known, {codec, {}});
  const std::size_t variant = place(known->second, family);
  const auto style = std::find_if(std::begin(kStyles), std::end(kStyles),
                                  [&](const Style& each) { return each.codec == codec; });
  const bool named = style != std::end(kStyles);
  const std::size_t other = named ? 0 : place(others_, codec);
  const std::size_t first = named ? style->marker : 8 + 2 * (other % 2);
  return {named ? style->colour : kOtherColours[other % std::size(kOtherColours)],
          kMarkers[(first + variant) % std::size(kMarkers)]};
}

}  // namespace kakeya

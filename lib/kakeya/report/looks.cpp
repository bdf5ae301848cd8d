// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/looks.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "kakeya/codec/descriptor.h"

namespace kakeya {
namespace {

// Named colours are those of Okabe and Ito's palette, readable with every kind of colour vision.
// Markers differ too, so that a chart survives without colour.
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

Look Looks::of(const std::string& family, const std::string& called) {
  const std::optional<SpecPair> pair = SpecPair::try_parse(family);
  const std::string codec = pair ? pair->names() : family;
  auto known = std::find_if(variants_.begin(), variants_.end(),
                            [&](const auto& each) { return each.first == codec; });
  if (known == variants_.end()) known = variants_.insert(known, {codec, {}});
  const std::size_t variant = place(known->second, called);
  const CodecDescriptor* described = find_descriptor(codec);
  const bool named = described != nullptr && !described->looks.colour.empty();
  const std::size_t other = named ? 0 : place(others_, codec);
  const auto first =
      named ? static_cast<std::size_t>(described->looks.marker) : 8 + 2 * (other % 2);
  return {named ? std::string(described->looks.colour)
                : std::string(kOtherColours[other % std::size(kOtherColours)]),
          kMarkers[(first + variant) % std::size(kMarkers)]};
}

}  // namespace kakeya

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace kakeya {

/// Colour and gnuplot point type of a family of settings.
struct Look {
  std::string colour;  ///< "#rrggbb"
  int marker = 7;
};

/// Hands out looks so that a family has the same one in all panels of a chart: the codec gives the
/// colour, its variants differ by their markers. Descriptors name colours (CodecLooks); other
/// codecs get theirs in the order in which they are asked for.
class Looks {
 public:
  Look of(const std::string& family) { return of(family, family); }

  /// Families of a codec that the legend calls alike look alike.
  Look of(const std::string& family, const std::string& called);

 private:
  std::vector<std::string> others_;
  std::vector<std::pair<std::string, std::vector<std::string>>> variants_;  // of each codec
};

}  // namespace kakeya

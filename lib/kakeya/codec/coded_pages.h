// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace kakeya {

/// Consecutive whole pages of a frame, coded; the last page of a frame may be short. A frame joins
/// the parts of its pages, section by section, one after another. Two rules concern all pages
/// together: a frame leaves the sections "windows" and "owindows" empty while all of their bytes
/// are 0, although the parts have these zeros; and "padding", of which no page has a part that is
/// not empty, fills the frame up to a byte for 32 values.
struct CodedPages {
  /// What the pages put into one section of the frame.
  struct Part {
    std::string_view section;  ///< the name lives as long as the codec
    bool once = false;         ///< nothing but in the frame's first page: all pages need it
    std::vector<std::byte> bytes;
  };
  std::size_t first = 0;    ///< number of their first vector in the frame
  std::size_t vectors = 0;  ///< how many they hold
  std::vector<Part> parts;  ///< one a section, in the frame's order
};

}  // namespace kakeya

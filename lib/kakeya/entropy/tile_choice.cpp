// SPDX-License-Identifier: Apache-2.0
#include "kakeya/entropy/tile_choice.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>

#include "kakeya/entropy/field_choice.h"

namespace kakeya {
namespace {

constexpr std::size_t kGroupPositions = kFieldGroup * kFieldBlock;
constexpr std::int64_t kFarCost = kFarBits + kTileCharge;

// Of a group with entries of each number of bits: what it takes at least, with which width, and whether it
// is shifted then.
struct GroupBest {
  std::array<std::int64_t, kTileKinds> cost;
  std::array<std::uint8_t, kTileKinds> width, shifted;
};

// Bits of a field that has room for x.
int width_of(std::int32_t x) {
  const auto magnitude = static_cast<std::uint32_t>(x < 0 ? ~x : x);
  return x == 0 ? 0 : static_cast<int>(std::bit_width(magnitude)) + 1;
}

// tile_target() of every position.
const std::vector<TileTarget>& targets_of(FieldOrder order) {
  const auto make = [](FieldOrder of) {
    std::vector<TileTarget> targets;
    for (std::size_t n = 0; n < kTilePositions; ++n) {
      targets.push_back(tile_target(of, static_cast<int>(n)));
    }
    return targets;
  };
  static const auto keys = make(FieldOrder::keys), values = make(FieldOrder::values);
  return order == FieldOrder::keys ? keys : values;
}

// The numbers of a group less these shifts, in the order of positions, block after block.
class GroupNumbers {
 public:
  GroupNumbers(const FieldBlock& page, FieldOrder order, std::size_t g, const std::int8_t* shifts)
      : numbers_((page.vectors + kFieldBlock - 1) / kFieldBlock * kGroupPositions) {
    const TileTarget* const targets = targets_of(order).data() + g % kTileGroups * kGroupPositions;
    for (std::size_t n = 0; n < numbers_.size(); ++n) {
      const TileTarget at = targets[n % kGroupPositions];
      const std::size_t c = static_cast<std::size_t>(at.coordinate) % kFieldGroup,
                        t = n / kGroupPositions * kFieldBlock + static_cast<std::size_t>(at.vector);
      if (t >= page.vectors) continue;
      numbers_[n] = page.v[(kFieldGroup * g + c) * page.stride + t] - shifts[c];
      ++beyond_[static_cast<std::size_t>(std::min(width_of(numbers_[n]), kMostTileWidth + 1))];
    }
    for (std::size_t width = kMostTileWidth + 1; width > 0; --width) {
      beyond_[width - 1] += beyond_[width];
    }
  }

  // Takes what is less than what `best` has; `more`: bits beside.
  void improve(GroupBest& best, std::int64_t more, bool shifted) const {
    for (int width = kMostTileWidth; width >= 0; --width) {
      const std::int64_t fields =
          more + static_cast<std::int64_t>(numbers_.size()) * std::int64_t{width};
      const Kinds kinds = may_improve(best, fields, width);
      if (kinds.first == kinds.end) continue;
      const auto costs = list_costs(width, kinds);
      for (std::size_t kind = kinds.first; kind < kinds.end; ++kind) {
        if (fields + costs[kind] >= best.cost[kind]) continue;
        best.cost[kind] = fields + costs[kind];
        best.width[kind] = static_cast<std::uint8_t>(width);
        best.shifted[kind] = shifted ? 1 : 0;
      }
    }
  }

 private:
  struct Kinds {
    std::size_t first, end;
  };

  // The kinds of entries, and some between them, that an entry for each number beyond its field leaves
  // below the best.
  Kinds may_improve(const GroupBest& best, std::int64_t fields, int width) const {
    const std::int64_t beyond = beyond_[static_cast<std::size_t>(width) + 1];
    Kinds kinds{0, 0};
    for (std::size_t kind = 0; kind < kTileKinds; ++kind) {
      const auto each = static_cast<std::int64_t>(kind + kLeastEntryBits + kTileCharge);
      if (fields + beyond * each >= best.cost[kind]) continue;
      if (kinds.end == 0) kinds.first = kind;
      kinds.end = kind + 1;
    }
    return kinds;
  }

  // What entries of each of these kinds take with fields of this width.
  std::array<std::int64_t, kTileKinds> list_costs(int width, const Kinds& kinds) const {
    std::array<std::int64_t, kTileKinds> entries{};
    std::int64_t near = 0, far = 0;
    std::uint32_t behind = 0;
    for (std::size_t n = 0; n < numbers_.size(); ++n) {
      const auto position = static_cast<std::uint32_t>(n % kGroupPositions);
      if (position == 0) behind = 0;
      const std::int32_t q = tile_overflow(numbers_[n], width);
      if (q == 0) continue;
      if (!is_tile_near(q, width)) {
        far += far_entries(q);
        continue;
      }
      near += std::abs(q);
      for (std::size_t kind = kinds.first; kind < kinds.end; ++kind) {
        entries[kind] += (position - behind) / tile_quiet(static_cast<int>(kind + kLeastEntryBits));
      }
      behind = position;
    }
    for (std::size_t kind = kinds.first; kind < kinds.end; ++kind) {
      entries[kind] =
          (entries[kind] + near) * static_cast<std::int64_t>(kind + kLeastEntryBits + kTileCharge) +
          far * kFarCost;
    }
    return entries;
  }

  std::vector<std::int32_t> numbers_;
  std::array<std::int64_t, kMostTileWidth + 2>
      beyond_{};  // numbers that need as many bits, or more
};

GroupBest best_of(const FieldBlock& page, FieldOrder order, const TileHeader& header,
                  std::size_t g) {
  constexpr std::int8_t kUnshifted[kFieldGroup] = {};
  const std::int8_t* const shifts = header.shifts.data() + kFieldGroup * g;
  GroupBest best;
  best.cost.fill(INT64_MAX);
  GroupNumbers(page, order, g, kUnshifted).improve(best, 0, false);
  if (!std::equal(shifts, shifts + kFieldGroup, kUnshifted)) {
    GroupNumbers(page, order, g, shifts).improve(best, 8 * kFieldGroup, true);
  }
  return best;
}

// Whether any number of a group of the page goes to its tile's list.
bool has_entries(const FieldBlock& page, const TileHeader& header, std::size_t g) {
  for (std::size_t i = kFieldGroup * g; i < kFieldGroup * (g + 1); ++i) {
    const std::int32_t* const v = page.v + i * page.stride;
    for (std::size_t t = 0; t < page.vectors; ++t) {
      const std::int32_t q = tile_overflow(v[t] - header.shifts[i], header.widths[g]);
      if (q != 0 && is_tile_near(q, header.widths[g])) return true;
    }
  }
  return false;
}

}  // namespace

TileHeader choose_tiles(const FieldBlock& page, FieldOrder order, std::size_t dim) {
  TileHeader header(dim, page.vectors);
  header.shifts = page_medians(page, header.shifts.size());
  for (std::size_t tile = 0; tile < header.tiles(); ++tile) {
    const std::size_t first = kTileGroups * tile,
                      end = std::min(header.groups(), first + kTileGroups);
    std::vector<GroupBest> groups;
    std::array<std::int64_t, kTileKinds> sums{};
    for (std::size_t g = first; g < end; ++g) {
      groups.push_back(best_of(page, order, header, g));
      for (std::size_t kind = 0; kind < kTileKinds; ++kind) sums[kind] += groups.back().cost[kind];
    }
    const auto kind =
        static_cast<std::size_t>(std::min_element(sums.begin(), sums.end()) - sums.begin());
    const int bits = static_cast<int>(kind + kLeastEntryBits);
    for (std::size_t g = first; g < end; ++g) {
      header.widths[g] = groups[g - first].width[kind];
      header.shifted[g] = groups[g - first].shifted[kind];
      if (header.shifted[g] == 0) std::fill_n(&header.shifts[kFieldGroup * g], kFieldGroup, 0);
      if (has_entries(page, header, g)) {
        header.entry_bits[tile] = static_cast<std::uint8_t>(bits);
      }
    }
  }
  return header;
}

}  // namespace kakeya

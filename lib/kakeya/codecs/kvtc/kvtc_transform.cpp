// SPDX-License-Identifier: Apache-2.0
// Products with a basis that is kept in binary16: a panel of it at a time becomes floats and meets
// all tokens of a page, which then wait in cache, so that no copy of the whole in floats is needed.
#include "kakeya/codecs/kvtc/kvtc_transform.h"

#include <algorithm>

#include "kakeya/core/half.h"

namespace kakeya {
namespace {

constexpr std::size_t kPanel = 32;   // columns of a panel
constexpr std::size_t kColumns = 8;  // multiply_tile() takes multiples of it

std::size_t tiles_of(std::size_t tokens) { return (tokens + kTileRows - 1) / kTileRows; }

// The rows of the basis that are stored.
std::vector<const std::uint16_t*> rows_of(const KvtcProfile& profile, std::size_t part,
                                          std::span<const KvtcGroup> groups) {
  const std::uint16_t* basis = profile.parts[part].basis.data();
  std::vector<const std::uint16_t*> rows;
  for (const KvtcGroup& group : groups) {
    for (std::size_t k = 0; k < group.count; ++k) {
      rows.push_back(basis + (group.first + k) * profile.width());
    }
  }
  return rows;
}

// Calls visit(place among the part's scalars, rows of x that hold them) for each layer.
template <typename Scalar, typename Visit>
void for_each_layer(const KvtcProfile& profile, std::size_t part, Rows<Scalar> x,
                    const Visit& visit) {
  const std::size_t width = profile.shape.part_width();
  for (std::size_t layer = 0; layer < static_cast<std::size_t>(profile.shape.layers); ++layer) {
    visit(layer * width,
          Rows<Scalar>{x.data + (2 * layer + part) * width, x.count, width, x.stride});
  }
}

}  // namespace

KvtcCoefficients::KvtcCoefficients(std::size_t tokens, std::size_t components)
    : tokens_(tokens), components_(components) {
  // Rounded up, since whole panels are written.
  const std::size_t room = (components + kColumns - 1) / kColumns * kColumns;
  for (std::size_t tile = 0; tile < tiles_of(tokens); ++tile) {
    tiles_.emplace_back(room);
    std::fill_n(tiles_.back().data(), room * kTileRows, 0.0f);
  }
}

KvtcCoefficients project(const KvtcProfile& profile, std::size_t part,
                         std::span<const KvtcGroup> groups, Rows<const float> x,
                         const std::vector<bool>& left_out) {
  const std::size_t width = profile.width();
  const std::vector<const std::uint16_t*> rows = rows_of(profile, part, groups);
  KvtcCoefficients coefficients(x.count, rows.size());
  std::vector<float> negative_mean(width);
  std::transform(profile.parts[part].mean.begin(), profile.parts[part].mean.end(),
                 negative_mean.begin(), std::negate<>());
  std::vector<TileBuffer> centred;
  for (std::size_t first = 0; first < x.count; first += kTileRows) {
    const std::size_t count = std::min(kTileRows, x.count - first);
    centred.emplace_back(width);
    float* tile = centred.back().data();
    for_each_layer(profile, part, x.slice(first, count),
                   [&](std::size_t at, Rows<const float> scalars) {
                     std::uint32_t largest[kTileRows];
                     load_tile(scalars, tile + at * kTileRows, largest);
                   });
    shift_coordinates(tile, width, negative_mean.data());
    for (std::size_t r = 0; r < kTileRows; ++r) {
      if (r < count && !left_out[first + r]) continue;
      for (std::size_t i = 0; i < width; ++i) tile[i * kTileRows + r] = 0.0f;
    }
  }
  std::vector<float> panel;
  for (std::size_t first = 0; first < rows.size(); first += kPanel) {
    const std::size_t used = std::min(kPanel, rows.size() - first),
                      columns = (used + kColumns - 1) / kColumns * kColumns;
    panel.assign(width * columns, 0.0f);
    for (std::size_t k = 0; k < used; ++k) {
      for (std::size_t i = 0; i < width; ++i) {
        panel[i * columns + k] = half_to_float(rows[first + k][i]);
      }
    }
    for (std::size_t tile = 0; tile < centred.size(); ++tile) {
      multiply_tile(centred[tile].data(), width, panel.data(), columns,
                    coefficients.tile(tile).data() + first * kTileRows);
    }
  }
  return coefficients;
}

void unproject(const KvtcProfile& profile, std::size_t part, std::span<const KvtcGroup> groups,
               const KvtcCoefficients& coefficients, Rows<float> x) {
  const std::size_t width = profile.width();
  const std::vector<const std::uint16_t*> rows = rows_of(profile, part, groups);
  std::vector<TileBuffer> sums;
  for (std::size_t tile = 0; tile < tiles_of(x.count); ++tile) sums.emplace_back(width);
  std::vector<float> panel;
  for (std::size_t first = 0; first < width; first += kPanel) {
    const std::size_t columns = std::min(kPanel, width - first);
    panel.resize(rows.size() * columns);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      std::transform(rows[k] + first, rows[k] + first + columns, panel.data() + k * columns,
                     half_to_float);
    }
    for (std::size_t tile = 0; tile < sums.size(); ++tile) {
      multiply_tile(coefficients.tile(tile).data(), rows.size(), panel.data(), columns,
                    sums[tile].data() + first * kTileRows);
    }
  }
  for (std::size_t tile = 0; tile < sums.size(); ++tile) {
    const std::size_t first = tile * kTileRows;
    shift_coordinates(sums[tile].data(), width, profile.parts[part].mean.data());
    for_each_layer(profile, part, x.slice(first, std::min(kTileRows, x.count - first)),
                   [&](std::size_t at, Rows<float> scalars) {
                     store_tile(sums[tile].data() + at * kTileRows, scalars);
                   });
  }
}

}  // namespace kakeya

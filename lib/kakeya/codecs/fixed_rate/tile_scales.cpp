// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codecs/fixed_rate/tile_scales.h"

#include <cmath>

#include "kakeya/core/clones.h"
#include "kakeya/core/half.h"

namespace kakeya {
namespace {

// half_to_float() of what read_scales() takes, neither negative nor infinite, without a branch.
[[gnu::always_inline]] inline float finite_half(std::uint16_t half) {
  const auto whole = static_cast<std::int32_t>(half);
  const float small = static_cast<float>(whole) * 0x1p-24f;
  return whole < 0x400 ? small : float_of((static_cast<std::uint32_t>(whole) << 13) + 0x38000000u);
}

KAKEYA_CLONES void find_steps(TileScales& tile, float levels) {
  for (std::size_t r = 0; r < kTileRows; ++r) {
    tile.step[r] = finite_half(tile.norm[r]) * (finite_half(tile.maximum[r]) / levels);
  }
}

}  // namespace

void ScaleRule::choose(const TileState& state, TileScales& tile) const {
  if (scales_ == Scales::two) {
    two_scales_tile(state.sum_of_squares, state.largest, state.unit, q_,
                    {tile.norm, tile.maximum, tile.step, tile.inverse_step});
    for (std::size_t r = 0; r < kTileRows; ++r) {
      tile.window[r] = state.largest[r] == 0.0f ? 0 : state.window[r];
    }
    return;
  }
  const auto q = static_cast<double>(q_);
  for (std::size_t r = 0; r < kTileRows; ++r) {
    tile.window[r] = 0;
    tile.inverse_step[r] = tile.step[r] = 0.0f;
    tile.code[r] = 0;
    if (state.largest[r] == 0.0f) continue;
    const ScaleCode scale =
        encode_scale(format(), state.largest[r], state.window[r], scales_ == Scales::log8);
    const double maximum = decode_scale(format(), scale.code);
    tile.code[r] = scale.code;
    tile.window[r] = scale.window;
    tile.step[r] = static_cast<float>(maximum / q);
    tile.inverse_step[r] =
        static_cast<float>(q * state.unit /
                           (scale.window == state.window[r]
                                ? maximum
                                : std::ldexp(maximum, 16 * (scale.window - state.window[r]))));
  }
}

void ScaleRule::write(const TileState& state, const TileScales& tile,
                      std::span<std::byte> scales) const {
  if (scales_ == Scales::two) {
    return write_scales(scales, state.first, tile.norm, tile.maximum, state.count);
  }
  for (std::size_t r = 0; r < state.count; ++r) {
    write_scale_code(scales, state.first + r, format(), tile.code[r]);
  }
}

void ScaleRule::read(std::span<const std::byte> scales, std::span<const std::byte> windows,
                     const TileState& state, TileScales& tile) const {
  for (std::size_t r = 0; r < state.count && !windows.empty(); ++r) {
    tile.window[r] = read_window(windows, state.first + r);
  }
  if (scales_ == Scales::two) {
    read_scales(scales, state.first, tile.norm, tile.maximum, state.count);
    return find_steps(tile, static_cast<float>(q_));
  }
  for (std::size_t r = 0; r < state.count; ++r) {
    const std::uint16_t code = read_scale_code(scales, state.first + r, format());
    const double maximum = decode_scale(format(), code);
    tile.step[r] = static_cast<float>(maximum / q_);
  }
}

}  // namespace kakeya

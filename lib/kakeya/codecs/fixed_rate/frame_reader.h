// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "kakeya/bitstream/frame.h"
#include "kakeya/bitstream/row_bits.h"
#include "kakeya/codec/stage_sections.h"
#include "kakeya/codec/stages.h"
#include "kakeya/codec/window.h"
#include "kakeya/codecs/fixed_rate/index_packing.h"
#include "kakeya/codecs/fixed_rate/tile_scales.h"
#include "kakeya/core/error.h"
#include "kakeya/simd/book.h"

namespace kakeya {

// How frames of e8, d4 and tq are read (fixed_rate.cpp).

/// What readers need of the codec, which must outlive them.
struct FixedRateParts {
  const std::string& spec;
  const Stages& stages;
  const ScaleRule& scales;
  const TileBook& book;
  const IndexPacking* packing;  ///< null of pack=rans
  std::size_t blocks;
  std::span<const std::string_view> sections;
};

/// The points of a frame of fields of fixed width, some vectors after another from the first.
class PointReader {
 public:
  /// Throws CorruptStream where what is left of the last byte is not zeros.
  PointReader(const FixedRateParts& codec, const FrameView& view)
      : codec_(codec),
        section_(view.section(1, codec.sections[1])),
        bits_(codec.packing->vector_bits()),
        numbers_(codec.blocks, codec.book.has_high_words()) {
    const std::size_t used_bits = view.count * codec.packing->vector_bits();
    if (used_bits % 8 != 0 && std::to_integer<unsigned>(section_.back()) >> used_bits % 8 != 0) {
      throw CorruptStream("bit stream: padding is not zero");
    }
  }

  void read(TileState& state) { read(state.first, state.count, state.tile.data()); }
  void read(std::size_t first, std::size_t count, float* tile) {
    bits_.load(section_.subspan(row_bytes(first, codec_.packing->vector_bits())), count);
    codec_.packing->get(bits_, numbers_);
    if (!codec_.book.points(numbers_.low(), numbers_.high(), codec_.stages.dim(), tile)) {
      throw CorruptStream(codec_.spec + ": vectors from " + std::to_string(first) +
                          ": no such lattice point");
    }
  }

 private:
  FixedRateParts codec_;
  std::span<const std::byte> section_;
  RowBitReader bits_;
  TileNumbers numbers_;
};

/// What a frame holds besides its points.
class FixedRateReader {
 public:
  FixedRateReader(const FixedRateParts& codec, const FrameView& view)
      : codec_(codec),
        scales_(section_of(view, "scales")),
        windows_(section_of(view, "windows")),
        data_(read_stages(codec.stages, view)),
        state_(codec.stages.dim()) {
    require_sections(view, codec.sections);
  }

  /// The vectors from `first` on; take_points(state) gets the points of a tile, finish(rows) its vectors.
  template <typename TakePoints, typename Finish>
  void read(std::size_t first, Rows<float> out, const TakePoints& take_points,
            const Finish& finish) {
    for (std::size_t at = 0; at < out.count; at += kTileRows) {
      state_.first = first + at;
      state_.count = std::min(kTileRows, out.count - at);
      take_points(state_);
      codec_.scales.read(scales_, windows_, state_, tile_);
      std::memcpy(state_.window, tile_.window, sizeof state_.window);
      codec_.stages.backward(state_, tile_.step, data_.centre, data_.outliers, data_.windows,
                             out.slice(at, state_.count));
      finish(out.slice(at, state_.count));
    }
  }

  /// What the points of vectors [first, first + count) are times.
  void read_factors(std::size_t first, std::size_t count, float* factors) {
    state_.first = first;
    state_.count = count;
    codec_.scales.read(scales_, windows_, state_, tile_);
    for (std::size_t r = 0; r < count; ++r)
      factors[r] = times_window(tile_.step[r], tile_.window[r]);
  }

 private:
  FixedRateParts codec_;
  std::span<const std::byte> scales_, windows_;
  StageData data_;
  TileState state_;
  TileScales tile_;
};

}  // namespace kakeya

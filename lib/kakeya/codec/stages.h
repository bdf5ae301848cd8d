// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kakeya/bitstream/bits.h"
#include "kakeya/codec/descriptor.h"
#include "kakeya/codec/key_bias.h"
#include "kakeya/codec/site_section.h"
#include "kakeya/core/rows.h"
#include "kakeya/simd/tile.h"

namespace kakeya {

// What happens to vectors before they are quantised, and is undone after decoding:
//
//   minus the mean of each channel -> largest coordinates taken out -> random signs -> Hadamard

/// The first of each list is the default.
enum class Rotate { hadamard, none, signed_hadamard };

/// The keys rotate, seed, center, outliers and page of a spec. `page` is the number of vectors a
/// page, whose first gives the means.
struct StageOptions {
  Rotate rotate = Rotate::hadamard;
  bool centre = false;
  std::optional<KnownCentre> known;  ///< where it centres: what is subtracted in place of means
  std::size_t outliers = 0;
  std::size_t page = 0;
  std::uint64_t seed = 0;
};

inline constexpr std::size_t kDefaultPage = 1024, kLargestPage = 4096, kMostOutliers = 64;

/// Sixteen vectors between the stages and the quantiser.
struct TileState {
  explicit TileState(std::size_t dim) : tile(dim) {}
  TileBuffer tile;
  std::size_t first = 0, count = 0;  ///< which vectors of the frame
  int window[kTileRows] = {};        ///< the tile holds them times 2^(-16 window)
  double unit = 1;                   ///< the rotated vectors are the tile times this
  /// Of the rotated vectors.
  float sum_of_squares[kTileRows] = {}, largest[kTileRows] = {};
};

/// The means of a frame's channels, as they are stored; of center=bias what is known instead, and
/// no halves.
struct Centre {
  int window = 0;
  std::vector<std::uint16_t> halves;  ///< binary16 patterns, times 2^(16 window)
  std::vector<float> mean, negative;  ///< the values, and minus them
};

/// The coordinates that the vectors of a frame keep in binary16.
class Outliers {
 public:
  struct Entry {
    std::uint16_t place, half;
  };
  Outliers(std::size_t vectors, std::size_t each) : each_(each), entries_(vectors * each) {}
  std::span<Entry> of(std::size_t vector) {
    return std::span(entries_).subspan(vector * each_, each_);
  }
  std::span<const Entry> of(std::size_t vector) const {
    return std::span(entries_).subspan(vector * each_, each_);
  }

 private:
  std::size_t each_;
  std::vector<Entry> entries_;
};

/// The stages of one codec. Immutable.
class Stages {
 public:
  /// Throws InputError on a dim that the rotation cannot take: for a Hadamard rotation a power of
  /// two in [8, 1024], without one any multiple of 8 in [8, 1024].
  Stages(std::string_view codec, const StageOptions& options, std::size_t dim);

  std::size_t dim() const { return dim_; }
  bool centres() const { return options_.centre; }
  /// Of center=bias.
  bool knows_centre() const { return options_.known.has_value(); }
  const KnownCentre* known_centre() const { return options_.known ? &*options_.known : nullptr; }
  bool rotates() const { return options_.rotate != Rotate::none; }
  /// The random signs, one a coordinate; nothing without any.
  std::span<const float> signs() const { return signs_; }
  std::size_t outliers() const { return options_.outliers; }

  /// The means of the first page, or what is known; none where the codec does not centre. Throws InputError on NaN or
  /// infinity.
  Centre centre_of(Rows<const float> x) const;

  /// Loads vectors [first, first + 16) of `x`, as far as there are any, and runs them through the
  /// stages. Throws InputError on NaN or infinity. `outliers` gets what was taken out, and
  /// `outlier_windows[vector]` its window.
  void forward(Rows<const float> x, std::size_t first, const Centre& centre, TileState& state,
               Outliers& outliers, std::span<std::int8_t> outlier_windows) const;

  /// From lattice points in the tile, in terms of step[vector] times 2^(16 window), to the vectors
  /// themselves in `out`. One multiplication a value: sums of lattice points are exact.
  void backward(TileState& state, const float* step, const Centre& centre, const Outliers& outliers,
                std::span<const std::int8_t> outlier_windows, Rows<float> out) const;

  /// Adds to `x` what `sum`, of points in terms of their steps, is of vectors: of stages without means and
  /// outliers.
  void restore_sum(std::span<const float> sum, std::span<float> x) const;
  /// What such points are multiplied with for the products of their vectors and a query.
  void turn_query(std::span<const float> query, std::span<float> turned) const;

  /// quantise_tile() by `inverse_step` and `bound`, then backward().
  void quantise_and_restore(Lattice lattice, const float* inverse_step, float bound,
                            TileState& state, const float* step, const Centre& centre,
                            const Outliers& outliers, std::span<const std::int8_t> outlier_windows,
                            Rows<float> out) const;

  /// Bits an outlier takes: its place and 16.
  std::size_t outlier_bits() const { return static_cast<std::size_t>(place_bits_) + 16; }

  // The sections "centre", or of center=bias "site" (site_section.h), "outliers" and "owindows". The
  // readers throw CorruptStream.
  std::string_view centre_section() const { return knows_centre() ? kSiteSection : "centre"; }
  std::size_t centre_bytes() const {
    return !centres() ? 0 : knows_centre() ? kSiteBytes : 1 + 2 * dim_;
  }
  void write_centre(const Centre& centre, std::span<std::byte> section) const;
  Centre read_centre(std::span<const std::byte> section) const;
  std::size_t outlier_bytes(std::size_t vectors) const {
    return (vectors * outliers() * outlier_bits() + 7) / 8;
  }
  void write_outliers(const Outliers& outliers, std::size_t vectors,
                      std::span<std::byte> section) const;
  Outliers read_outliers(std::span<const std::byte> section, std::size_t vectors) const;

 private:
  void take_out(TileState& state, Outliers& outliers, std::span<std::int8_t> windows) const;
  void measure(TileState& state) const;
  bool load_rotated(Rows<const float> x, TileState& state) const;
  bool only_rotated(const TileState& state) const;
  void check_finite(Rows<const float> x, const TileState& state,
                    const std::uint32_t* largest) const;
  const float* sign_data() const { return signs_.empty() ? nullptr : signs_.data(); }

  StageOptions options_;
  std::size_t dim_;
  int place_bits_;
  float unit_ = 1;  // 1 / sqrt(dim), which sums lack
  std::vector<float> signs_;
};

/// The keys of the stages, beside `rotate`, whose default codecs choose, and `page`.
inline constexpr CodecKey kSeedKey =
    whole_key("seed", 0, 2147483647, "0", "of the random signs of rotate=signed");
inline constexpr std::string_view kCentres[] = {"none", "mean", kBias};
inline constexpr CodecKey kCenterKey = choice_key(
    "center", kCentres,
    "mean: subtract the mean of each channel over the first page (16 bits a channel a "
    "frame; not causal within that page); bias: subtract from keys before RoPE the bias "
    "of the model's key projection, exact and not stored (values as with none; the codec "
    "is then of one head, and needs the model's biases: profile)");
inline constexpr CodecKey kOutliersKey =
    whole_key("outliers", 0, static_cast<int>(kMostOutliers), "0",
              "largest coordinates of each vector kept as binary16 beside the code, up to 64 and "
              "half of dim");

/// Reads rotate, seed, center, outliers, with center=bias profile and, where it means something,
/// page: with center=mean, or where `paged`. Throws SpecError, and as known_centre().
StageOptions stage_options(SpecArgs& args, const CodecInput& input, bool paged);

/// The key page alone. Throws SpecError.
std::size_t page_key(SpecArgs& args);

}  // namespace kakeya

// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codec/stages.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>

#include "kakeya/codec/scale_code.h"
#include "kakeya/codec/scaled.h"
#include "kakeya/codec/spec_args.h"
#include "kakeya/codec/vectors.h"
#include "kakeya/core/error.h"
#include "kakeya/core/half.h"
#include "kakeya/core/random.h"
#include "kakeya/lattice/enumerate.h"
#include "kakeya/lattice/hadamard.h"

namespace kakeya {
namespace {

constexpr std::size_t kLargestDim = 1024;

constexpr std::uint64_t kSignStream = 1;

std::vector<float> random_signs(std::uint64_t seed, std::size_t dim) {
  const Random random(seed, kSignStream);
  std::vector<float> signs(dim);
  for (std::size_t i = 0; i < dim; ++i) signs[i] = (random.bits(i) & 1u) != 0 ? -1.0f : 1.0f;
  return signs;
}

// Whether one of sixteen has a window_of() that is not 0, or is infinite or NaN, from bit patterns.
bool any_windowed(const std::uint32_t* largest) {
  constexpr std::uint32_t kLow = std::bit_cast<std::uint32_t>(0x1p-14f);
  constexpr std::uint32_t kHigh = std::bit_cast<std::uint32_t>(0x1p10f);
  std::uint32_t windowed = 0;
  for (std::size_t r = 0; r < kTileRows; ++r) {
    windowed |= static_cast<std::uint32_t>(largest[r] != 0) &
                (static_cast<std::uint32_t>(largest[r] < kLow) |
                 static_cast<std::uint32_t>(largest[r] >= kHigh));
  }
  return windowed != 0;
}

float* lane(TileState& state, std::size_t vector) { return state.tile.data() + vector; }

}  // namespace

StageOptions stage_options(SpecArgs& args, const CodecInput& input, bool paged) {
  StageOptions options;
  const std::string_view rotate = args.word("rotate");
  options.rotate = rotate == "none"       ? Rotate::none
                   : rotate == "hadamard" ? Rotate::hadamard
                                          : Rotate::signed_hadamard;
  if (options.rotate == Rotate::signed_hadamard) {
    options.seed = static_cast<std::uint64_t>(args.whole("seed"));
  }
  const std::string_view centre = args.word("center");
  options.centre = centre != "none";
  if (centre == kBias) options.known = known_centre(args, input);
  options.outliers = static_cast<std::size_t>(args.whole("outliers"));
  options.page = kDefaultPage;
  if (paged || centre == "mean") options.page = page_key(args);
  return options;
}

std::size_t page_key(SpecArgs& args) {
  const int page = args.whole("page");
  if (page % 32 != 0) {
    throw SpecError("page=" + std::to_string(page) + ": expected a multiple of 32");
  }
  return static_cast<std::size_t>(page);
}

Stages::Stages(std::string_view codec, const StageOptions& options, std::size_t dim)
    : options_(options), dim_(dim), place_bits_(index_bits(dim)) {
  if (options.rotate != Rotate::none) {
    require_rotatable_dim(codec, dim);
  } else if (dim < 8 || dim > kLargestDim || dim % 8 != 0) {
    throw InputError(std::string(codec) + ": dim " + std::to_string(dim) +
                     ": expected a multiple of 8 in [8, 1024]");
  }
  if (options.outliers > dim / 2) {
    throw InputError(std::string(codec) + ": dim " + std::to_string(dim) +
                     ": expected at most dim / 2 outliers");
  }
  if (rotates()) unit_ = static_cast<float>(1.0 / std::sqrt(static_cast<double>(dim)));
  if (options.rotate == Rotate::signed_hadamard) signs_ = random_signs(options.seed, dim);
}

Centre Stages::centre_of(Rows<const float> x) const {
  Centre centre;
  if (!centres()) return centre;
  if (knows_centre()) {
    centre.mean = options_.known->mean;
    for (const float value : centre.mean) centre.negative.push_back(-value);
    return centre;
  }
  std::vector<double> sum(dim_, 0.0);
  const std::size_t rows = std::min(x.count, options_.page);
  for (std::size_t row = 0; row < rows; ++row) {
    finite_maximum(x[row], row);
    for (std::size_t i = 0; i < dim_; ++i) sum[i] += x[row][i];
  }
  centre.halves.resize(dim_);
  std::vector<float> mean(dim_, 0.0f);
  for (std::size_t i = 0; i < dim_ && rows != 0; ++i) {
    const auto value = static_cast<float>(sum[i] / static_cast<double>(rows));
    mean[i] = std::fabs(value) <= kLargestMean ? value : 0.0f;
  }
  centre.window = window_of(std::bit_cast<float>(largest_magnitude(mean)));
  centre.mean.resize(dim_);
  centre.negative.resize(dim_);
  for (std::size_t i = 0; i < dim_; ++i) {
    centre.halves[i] = float_to_half(times_window(mean[i], -centre.window));
    centre.mean[i] = times_window(half_to_float(centre.halves[i]), centre.window);
    centre.negative[i] = -centre.mean[i];
  }
  return centre;
}

void Stages::take_out(TileState& state, Outliers& outliers, std::span<std::int8_t> windows) const {
  std::vector<std::uint16_t> order(dim_);
  for (std::size_t r = 0; r < state.count; ++r) {
    float* values = lane(state, r);
    const auto magnitude = [&](std::uint16_t i) { return std::fabs(values[i * kTileRows]); };
    std::iota(order.begin(), order.end(), std::uint16_t{0});
    const auto middle = order.begin() + static_cast<std::ptrdiff_t>(options_.outliers);
    std::partial_sort(order.begin(), middle, order.end(), [&](std::uint16_t a, std::uint16_t b) {
      const float left = magnitude(a), right = magnitude(b);
      return left != right ? left > right : a < b;
    });
    const int window = window_of(magnitude(order[0]));
    windows[state.first + r] = static_cast<std::int8_t>(window);
    std::sort(order.begin(), middle);
    const auto entries = outliers.of(state.first + r);
    for (std::size_t k = 0; k < entries.size(); ++k) {
      float& value = values[order[k] * kTileRows];
      entries[k] = {order[k], float_to_half(times_window(value, -window))};
      value = 0.0f;
    }
  }
}

void Stages::check_finite(Rows<const float> x, const TileState& state,
                          const std::uint32_t* largest) const {
  for (std::size_t r = 0; r < state.count; ++r) {
    if (largest[r] >= 0x7f800000u) finite_maximum(x[state.first + r], state.first + r);
  }
}

// The common case in one pass: rotated, no mean, no outliers, no window. False, and nothing done,
// when it is not the case.
bool Stages::load_rotated(Rows<const float> x, TileState& state) const {
  if (!rotates() || options_.centre || options_.outliers != 0) return false;
  std::uint32_t largest[kTileRows];
  load_and_sum_tile(x.slice(state.first, state.count), sign_data(), state.tile.data(), largest);
  if (any_windowed(largest)) {
    check_finite(x, state, largest);
    return false;
  }
  std::fill_n(state.window, kTileRows, 0);
  return true;
}

void Stages::forward(Rows<const float> x, std::size_t first, const Centre& centre, TileState& state,
                     Outliers& outliers, std::span<std::int8_t> outlier_windows) const {
  state.first = first;
  state.count = std::min(kTileRows, x.count - first);
  float* tile = state.tile.data();
  if (load_rotated(x, state)) return measure(state);
  std::uint32_t largest[kTileRows];
  load_tile(x.slice(first, state.count), tile, largest);
  check_finite(x, state, largest);
  if (options_.centre) shift_coordinates(tile, dim_, centre.negative.data());
  if (options_.outliers != 0) take_out(state, outliers, outlier_windows);
  if (options_.centre || options_.outliers != 0) {
    measure_tile(tile, dim_, state.sum_of_squares, state.largest);
    for (std::size_t r = 0; r < kTileRows; ++r) {
      largest[r] = std::bit_cast<std::uint32_t>(state.largest[r]);
    }
  }
  bool windowed = false;
  for (std::size_t r = 0; r < kTileRows; ++r) {
    state.window[r] = window_of(std::bit_cast<float>(largest[r]));
    windowed |= state.window[r] != 0;
  }
  if (windowed) {
    float root[kTileRows];  // twice, so that every factor is a normal float
    for (std::size_t r = 0; r < kTileRows; ++r) {
      root[r] = std::ldexp(1.0f, -8 * state.window[r]);
    }
    scale_vectors(tile, dim_, root);
    scale_vectors(tile, dim_, root);
  }
  if (sign_data() != nullptr) scale_coordinates(tile, dim_, sign_data());
  if (rotates()) sum_tile(tile, dim_);
  measure(state);
}

// The tile holds the sums of the Hadamard transform; what is measured is the transform's.
void Stages::measure(TileState& state) const {
  measure_tile(state.tile.data(), dim_, state.sum_of_squares, state.largest);
  if (!rotates()) return;
  state.unit = unit_;
  const float unit = unit_, square = 1.0f / static_cast<float>(dim_);  // dim: a power of two
  for (std::size_t r = 0; r < kTileRows; ++r) {
    state.sum_of_squares[r] *= square;
    state.largest[r] *= unit;
  }
}

// Whether the vectors themselves are the rotated ones, rotated back: no mean, outlier or window.
bool Stages::only_rotated(const TileState& state) const {
  int windows = 0;
  for (std::size_t r = 0; r < kTileRows; ++r) windows |= r < state.count ? state.window[r] : 0;
  return rotates() && windows == 0 && !options_.centre && options_.outliers == 0;
}

void Stages::quantise_and_restore(Lattice lattice, const float* inverse_step, float bound,
                                  TileState& state, const float* step, const Centre& centre,
                                  const Outliers& outliers,
                                  std::span<const std::int8_t> outlier_windows,
                                  Rows<float> out) const {
  if (!only_rotated(state)) {
    quantise_tile(lattice, state.tile.data(), dim_, inverse_step, bound);
    return backward(state, step, centre, outliers, outlier_windows, out);
  }
  float factor[kTileRows];
  for (std::size_t r = 0; r < kTileRows; ++r) factor[r] = step[r] * unit_;
  quantise_and_store_tile(lattice, state.tile.data(), inverse_step, bound, factor, sign_data(),
                          out);
}

void Stages::backward(TileState& state, const float* step, const Centre& centre,
                      const Outliers& outliers, std::span<const std::int8_t> outlier_windows,
                      Rows<float> out) const {
  float* tile = state.tile.data();
  float factor[kTileRows];
  for (std::size_t r = 0; r < kTileRows; ++r) factor[r] = rotates() ? step[r] * unit_ : step[r];
  if (only_rotated(state)) return sum_and_store_tile(tile, factor, sign_data(), out);
  if (rotates()) sum_tile(tile, dim_);
  const bool windowed =
      std::any_of(state.window, state.window + state.count, [](int window) { return window != 0; });
  if (!windowed && !options_.centre && options_.outliers == 0) {
    return scale_and_store_tile(tile, factor, sign_data(), out);
  }
  if (sign_data() != nullptr) scale_coordinates(tile, dim_, sign_data());
  scale_vectors(tile, dim_, factor);
  for (std::size_t r = 0; r < state.count; ++r) {
    if (state.window[r] == 0) continue;
    float* values = lane(state, r);
    for (std::size_t i = 0; i < dim_; ++i) {
      values[i * kTileRows] = times_window(values[i * kTileRows], state.window[r]);
    }
  }
  for (std::size_t r = 0; r < state.count && options_.outliers != 0; ++r) {
    const int window = read_window(std::as_bytes(outlier_windows), state.first + r);
    for (const Outliers::Entry& entry : outliers.of(state.first + r)) {
      lane(state, r)[entry.place * kTileRows] = times_window(half_to_float(entry.half), window);
    }
  }
  if (options_.centre) shift_coordinates(tile, dim_, centre.mean.data());
  store_tile(tile, out);
}

void Stages::restore_sum(std::span<const float> sum, std::span<float> x) const {
  std::vector<float> rotated(sum.begin(), sum.end());
  if (rotates()) hadamard(rotated.data(), dim_);
  for (std::size_t i = 0; i < dim_; ++i)
    x[i] += signs_.empty() ? rotated[i] : rotated[i] * signs_[i];
}

void Stages::turn_query(std::span<const float> query, std::span<float> turned) const {
  for (std::size_t i = 0; i < dim_; ++i)
    turned[i] = signs_.empty() ? query[i] : query[i] * signs_[i];
  if (rotates()) hadamard(turned.data(), dim_);
}

void Stages::write_centre(const Centre& centre, std::span<std::byte> section) const {
  if (!centres()) return;
  if (knows_centre()) {
    std::ranges::copy(site_record(options_.known->site), section.begin());
    return;
  }
  section[0] = static_cast<std::byte>(static_cast<std::int8_t>(centre.window));
  std::memcpy(section.data() + 1, centre.halves.data(), 2 * dim_);
}

Centre Stages::read_centre(std::span<const std::byte> section) const {
  Centre centre;
  if (!centres()) return centre;
  if (knows_centre()) {
    require_same_site("center=bias", section, options_.known->site);
    centre.mean = options_.known->mean;
    return centre;
  }
  centre.window = read_window(section, 0);
  centre.halves.resize(dim_);
  std::memcpy(centre.halves.data(), section.data() + 1, 2 * dim_);
  centre.mean.resize(dim_);
  for (std::size_t i = 0; i < dim_; ++i) {
    if ((centre.halves[i] & 0x7fffu) >= 0x7c00u) {
      throw CorruptStream("mean of channel " + std::to_string(i) + ": not finite");
    }
    centre.mean[i] = times_window(half_to_float(centre.halves[i]), centre.window);
    if (!(std::fabs(centre.mean[i]) <= 2 * kLargestMean)) {
      throw CorruptStream("mean of channel " + std::to_string(i) + ": out of range");
    }
  }
  return centre;
}

void Stages::write_outliers(const Outliers& outliers, std::size_t vectors,
                            std::span<std::byte> section) const {
  BitWriter bits(section);
  for (std::size_t v = 0; v < vectors && options_.outliers != 0; ++v) {
    for (const Outliers::Entry& entry : outliers.of(v)) {
      bits.put(entry.place, place_bits_);
      bits.put(entry.half, 16);
    }
  }
  bits.finish();
}

Outliers Stages::read_outliers(std::span<const std::byte> section, std::size_t vectors) const {
  Outliers outliers(vectors, options_.outliers);
  BitReader bits(section);
  for (std::size_t v = 0; v < vectors && options_.outliers != 0; ++v) {
    std::size_t least = 0;
    for (Outliers::Entry& entry : outliers.of(v)) {
      entry.place = static_cast<std::uint16_t>(bits.get(place_bits_));
      entry.half = static_cast<std::uint16_t>(bits.get(16));
      if (entry.place < least || entry.place >= dim_ || (entry.half & 0x7fffu) >= 0x7c00u) {
        throw CorruptStream("outliers of vector " + std::to_string(v) + ": out of order or range");
      }
      least = entry.place + 1u;
    }
  }
  bits.finish();
  return outliers;
}

}  // namespace kakeya

// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codecs/entropy_coded/step_rule.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "kakeya/codec/budget_pages.h"

namespace kakeya {
namespace {

constexpr double kSqrt2PiE = 4.132731354122493;

// 2^-value for value in [0, 64], by repeated square roots: exact roundings only.
double power_of_half(double value) {
  const double whole = std::floor(value);
  double fraction = value - whole, result = std::ldexp(1.0, -static_cast<int>(whole));
  double root = 0.5;
  for (int i = 0; i < 52; ++i) {
    root = std::sqrt(root);
    fraction *= 2.0;
    if (fraction >= 1.0) {
      fraction -= 1.0;
      result *= root;
    }
  }
  return result;
}

}  // namespace

double step_of_bits(Lattice lattice, double bits) {
  // A power of two: log2(V) / n without a logarithm.
  const int volume_bits = std::bit_width(static_cast<unsigned>(cell_volume(lattice))) - 1;
  return kSqrt2PiE * power_of_half(bits + static_cast<double>(volume_bits) / block_length(lattice));
}

double step_of_rung(int rung) {
  return std::ldexp(power_of_half((kRungs - rung) / static_cast<double>(kRungsAnOctave)),
                    kRungs / kRungsAnOctave);
}

std::size_t StepRule::scale_of(std::size_t vector) const {
  if (granularity == SharedBy::vector) return vector;
  return static_cast<std::size_t>(
      shared_scale(static_cast<std::int64_t>(vector), static_cast<std::int64_t>(page)));
}

std::size_t StepRule::scales(std::size_t vectors) const {
  return granularity == SharedBy::frame || vectors == 0 ? 0 : scale_of(vectors - 1) + 1;
}

StepChooser::StepChooser(const StepRule& rule, std::size_t vectors, std::size_t dim,
                         std::size_t first, StepHistory history)
    : rule_(rule),
      dim_(dim),
      first_(first),
      first_item_(rule.scales(first)),
      items_(rule.scales(first + vectors) - first_item_),
      scales_(items_ * scale_bytes(rule.format)),
      windows_(items_),
      history_(history) {}

// The scale of a new page, or rung of the first, from what was seen before; that of the very first
// vector from itself.
void StepChooser::begin_page(std::size_t vector, int sixteenths, bool zero) {
  std::int64_t sum = history_.sum, seen = history_.seen;
  if (vector == 0 && !zero) {
    sum = sixteenths;
    seen = 1;
  }
  current_ = mean_scale(rule_.format, sum, seen);
  const std::size_t item = rule_.scale_of(vector) - first_item_;
  write_scale_code(scales_, item, rule_.format, current_.code);
  windows_.set(item, current_.window);
}

void StepChooser::choose(const TileState& state, Steps& steps) {
  for (std::size_t r = 0; r < kTileRows; ++r) {
    steps.inverse_step[r] = steps.step[r] = 0.0f;
    steps.window[r] = 0;
    steps.exact[r] = false;
    if (r >= state.count) continue;
    const std::size_t vector = first_ + state.first + r;
    const bool zero = state.largest[r] == 0.0f;
    double unit = 1.0;  // of the stored scale, in the decoded domain
    if (rule_.granularity != SharedBy::frame) {
      const auto mean_square =
          static_cast<float>(double{state.sum_of_squares[r]} / static_cast<double>(dim_));
      const float rms = std::sqrt(mean_square);
      if (rule_.granularity == SharedBy::vector) {
        current_ = zero ? ScaleCode{} : encode_scale(rule_.format, rms, state.window[r], false);
        write_scale_code(scales_, vector - first_item_, rule_.format, current_.code);
        windows_.set(vector - first_item_, current_.window);
      } else {
        const int sixteenths =
            zero ? 0 : sixteenths_of_octave(rms, false) + kWindowSixteenths * state.window[r];
        if (begins_scale(static_cast<std::int64_t>(vector),
                         static_cast<std::int64_t>(rule_.page))) {
          begin_page(vector, sixteenths, zero);
        }
        if (!zero) {
          history_.sum += sixteenths;
          ++history_.seen;
        }
      }
      unit = decode_scale(rule_.format, current_.code);
      steps.window[r] = current_.window;
    }
    steps.step[r] = decoded_step(unit, rule_.factor, rule_.reconstruct);
    if (zero) continue;
    const InverseStep found = inverse_step(unit * rule_.factor, steps.window[r] - state.window[r],
                                           state.largest[r], state.unit);
    steps.inverse_step[r] = found.inverse;
    steps.exact[r] = found.beyond;
  }
}

void read_step(const StepRule& rule, std::span<const std::byte> scales,
               std::span<const std::byte> windows, std::size_t first, std::size_t vector,
               float& step, int& window) {
  double unit = 1.0;
  window = 0;
  if (rule.granularity != SharedBy::frame) {
    const std::size_t item = rule.scale_of(first + vector) - rule.scales(first);
    unit = decode_scale(rule.format, read_scale_code(scales, item, rule.format));
    window = read_window(windows, item);
  }
  step = decoded_step(unit, rule.factor, rule.reconstruct);
}

}  // namespace kakeya

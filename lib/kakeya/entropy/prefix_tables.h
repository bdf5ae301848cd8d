// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kakeya/entropy/density.h"
#include "kakeya/entropy/prefix_code.h"

namespace kakeya {

/// How eight coordinates are coded together, and the table that does it. By the root s of the mean of
/// their variances, in steps:
///
///     s < 0.52          4 coordinates a codeword, each a digit v of -2 .. 2
///     0.52 .. 2         2 coordinates a codeword, each a digit v of -12 .. 12
///     from 2 on         2 a codeword, each a digit u >> r of 0 .. 24, where u = v, or -1 - v with sign,
///                       and 2 <= s / 2^r < 4; the sign and the r low bits of u are in planes
///
/// Not all digits have a codeword together: those that are as likely as to be worth one do, by what is
/// likely for these coordinates, normal or mixtures (density.h). Others are coded as some nearer to the
/// middle that do.
class PrefixGroup {
 public:
  static constexpr std::size_t kCoordinates = 8;
  static constexpr int kMostBits = 11;

  /// The shapes of eight coordinates, deviations in steps.
  explicit PrefixGroup(std::span<const CoordinateShape> shapes);

  std::size_t together() const { return together_; }  ///< coordinates a codeword
  int planes() const { return planes_; }  ///< bits of a coordinate in planes: 0, or 1 + r
  const PrefixCode& code() const { return code_; }

  /// The codeword of together() coordinates; they become those that it stands for.
  std::size_t nearest(std::int32_t* v) const;
  std::uint32_t plane_bits(std::int32_t v) const;  ///< sign, then r low bits

  using Digits = std::array<std::uint8_t, 4>;
  const Digits& digits(std::size_t symbol) const { return digits_[symbol]; }
  /// The number with this digit and these bits in planes.
  std::int32_t number(std::int32_t digit, std::uint32_t bits) const;

 private:
  std::int32_t within(std::int32_t v) const;  // the nearest number with a digit
  std::int32_t digit(std::int32_t v) const;
  Digits digits_of(std::size_t index) const;
  PrefixCode make_code(std::span<const CoordinateShape> shapes);
  std::size_t nearer(std::size_t index) const;

  double deviation_;
  std::size_t together_;
  int planes_;
  std::int32_t base_;
  std::vector<Digits> digits_;            // of codewords
  std::vector<std::uint16_t> codewords_;  // of digits, the first the least significant
  PrefixCode code_;
};

}  // namespace kakeya

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kakeya/profile/profile_origin.h"

namespace kakeya {

// What the codec kvtc has to know of a model: the principal components of its cache, keys and
// values apart, each over all layers and KV heads of a token together, and what coding them in
// groups costs in error. Written by kakeya-calibrate --codec kvtc. Plain data.

/// How the coefficients of a group are stored: not at all (they come back as zeros), or in so many
/// bits each, with one scale a token.
enum class KvtcType : std::uint8_t { none, int2, int4, fp8 };

inline constexpr std::size_t kKvtcTypes = 4, kKvtcStoredTypes = 3;
inline constexpr std::size_t kKvtcTypeBits[kKvtcTypes] = {0, 2, 4, 8};
inline constexpr std::size_t kKvtcScaleBits = 16;  ///< a token and group that is stored

/// Components of a group. Groups larger than 1 begin at multiples of kKvtcStride, so that a table
/// holds the errors of all groups that there can be.
inline constexpr std::size_t kKvtcSizes[] = {1, 16, 64, 256, 1024};
inline constexpr std::size_t kKvtcStride = 16;
inline constexpr std::size_t kKvtcLargerSizes = std::size(kKvtcSizes) - 1;

/// The keys or the values. The n = KvtcProfile::width() scalars of a token are its layers one after
/// another, of each its KV heads one after another.
struct KvtcPart {
  std::vector<float> mean;  ///< [n]
  /// binary16 [rank, n], row k the k-th principal component of the calibration text: orthonormal
  /// but for rounding, in order of falling variance. Coefficients are basis (x - mean).
  std::vector<std::uint16_t> basis;
  /// [rank, kKvtcTypes]: mean squared error a token of sampled tokens when component k is a group
  /// by itself.
  std::vector<double> single_errors;
  /// [ceil(rank / kKvtcStride), kKvtcLargerSizes, kKvtcStoredTypes]: of larger groups, of int2,
  /// int4 and fp8, that begin at component kKvtcStride * i, cut short where the components end.
  std::vector<double> group_errors;
};

struct KvtcProfile : ProfileHead {
  static constexpr std::string_view kKind = "kvtc";

  std::size_t rank = 0;           ///< components of either part
  std::array<KvtcPart, 2> parts;  ///< keys, values

  /// Scalars of one part of a token in all layers.
  std::size_t width() const { return static_cast<std::size_t>(shape.layers) * shape.part_width(); }

  /// Starts of groups larger than 1.
  std::size_t group_starts() const { return (rank + kKvtcStride - 1) / kKvtcStride; }
};

/// Throws InputError, beginning with `where`, when the parts of a profile do not fit one another or
/// hold a number that is not finite, a mean of 2^40 or more, or an error below 0.
void check_kvtc_profile(const KvtcProfile& profile, const std::string& where);

}  // namespace kakeya

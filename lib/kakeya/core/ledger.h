// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

namespace kakeya {

/// What encoded vectors cost, by every counting at once, so that no rate is ever quoted without the
/// others. Totals in bits, never rounded; divide by values() or vectors() for a rate.
struct RateLedger {
  std::uint64_t vectors = 0, values = 0;

  // By formula; empty as soon as one part of the total has none.
  std::optional<double> nominal_bits = 0.0;   ///< by the published formula
  std::optional<double> codebook_bits = 0.0;  ///< log2 of the codebook, side information included
  std::optional<double> entropy_bits = 0.0;   ///< order-0 entropy of the indices alone

  // Really written.
  std::uint64_t payload_bits = 0;      ///< indices, symbol streams, values kept exactly
  std::uint64_t scale_bits = 0;        ///< norms, maxima, steps, their windows
  std::uint64_t header_bits = 0;       ///< frame header, section table, page lengths, checksum
  std::uint64_t table_bits = 0;        ///< means and scale classes, once a frame
  std::uint64_t padding_bits = 0;      ///< bits that only fill up a byte or a least length
  std::uint64_t exact_token_bits = 0;  ///< sinks and residual window, in bf16

  /// Values of vectors so far from a codec's profile that they are kept beside the code; a part of
  /// `values`.
  std::uint64_t beyond_profile_values = 0;

  /// The sum of the six: 8 times the bytes written.
  std::uint64_t written_bits() const;

  /// beyond_profile_values as a share of `values`, in [0, 1]; 0 where there are none.
  double beyond_profile_share() const;

  /// As if the vectors of `other` had been counted here.
  void merge(const RateLedger& other);
};

/// What of a cache lies in pages that are not full. While a cache grows such tokens are held as they
/// are, in bf16, whatever the codec (PageWriter); a finished cache ends in a short page.
struct OpenPages {
  std::uint64_t values = 0;       ///< in pages that are not full
  std::uint64_t bytes = 0;        ///< that those were written as
  std::uint64_t page_values = 0;  ///< of one full page of every frame: on average half as many are
                                  ///< open; 0 of codecs whose vectors stand alone

  /// Bytes that those values take beyond what they were written as, where they are held in bf16.
  double bytes_more_as_bf16() const {
    return 2 * static_cast<double>(values) - static_cast<double>(bytes);
  }

  void merge(const OpenPages& other) {
    values += other.values;
    bytes += other.bytes;
    page_values += other.page_values;
  }

  bool operator==(const OpenPages&) const = default;
};

}  // namespace kakeya

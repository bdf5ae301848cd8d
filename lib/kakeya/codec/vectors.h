// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "kakeya/bitstream/frame.h"
#include "kakeya/codec/codec.h"
#include "kakeya/core/rows.h"

namespace kakeya {

// What every codec checks before it reads vectors or a frame.

/// The longest vectors of codecs that take any; whole tokens are longer (kMaxDim).
inline constexpr std::size_t kMostHeadDim = 65536;

/// The largest |x[i]| as a bit pattern (patterns of magnitudes are ordered as the magnitudes are;
/// from 0x7f800000 on there is an infinity or a NaN among them).
inline std::uint32_t largest_magnitude(std::span<const float> x) {
  std::int32_t largest = 0;
  for (const float value : x) {
    const auto magnitude = std::bit_cast<std::int32_t>(value) & 0x7fffffff;
    largest = magnitude > largest ? magnitude : largest;
  }
  return static_cast<std::uint32_t>(largest);
}

/// The largest |x[i]|. Throws InputError naming `row` and the coordinate of the first NaN or
/// infinity.
float finite_maximum(std::span<const float> x, std::size_t row);

/// Throws InputError unless `dim` is a power of two in [8, 1024].
void require_rotatable_dim(std::string_view codec, std::size_t dim);

/// Throws InputError unless x.dim is the codec's and `out` holds encoded_bound(x.count).
void require_encodable(const Codec& codec, Rows<const float> x, std::span<const std::byte> out);

/// What the codecs here have in common: each is its own account, and knows its text and its dim.
class NamedCodec : public AccountedCodec {
 public:
  NamedCodec(std::string spec, std::size_t dim) : spec_(std::move(spec)), dim_(dim) {}

  std::string spec() const final { return spec_; }
  std::size_t dim() const final { return dim_; }
  Rates rates() const override { return {}; }

  /// As one frame of the pages that code_pages() gives; codecs without pages write theirs.
  std::size_t encode(Rows<const float> x, std::span<std::byte> out) const override;

  std::optional<double> index_entropy_bits_per_value(Rows<const float> x) const final;

 protected:
  /// Of all of `x`, vectors of dim(), at least one; nothing where the codec has no indices.
  virtual std::optional<double> index_entropy_bits(Rows<const float> x) const;

  const std::string spec_;
  const std::size_t dim_;
};

/// Throws InputError unless x and out both have the codec's dim and the same count.
void require_same_shape(const Codec& codec, Rows<const float> x, Rows<float> out);

/// Parses a frame of `codec` for decoding into `out`. Throws CorruptStream when it is not one,
/// InputError when `out` has another shape than the frame.
FrameView open_frame(const Codec& codec, std::span<const std::byte> in, Rows<float> out,
                     FrameCheck check = FrameCheck::all);

/// As above, whatever the room.
FrameView open_frame(const Codec& codec, std::span<const std::byte> in,
                     FrameCheck check = FrameCheck::all);

/// Throws InputError unless `out` has the dim and exactly the vectors of page `page` of a frame of
/// `vectors` vectors.
void require_page(const Codec& codec, std::size_t vectors, std::size_t page, Rows<float> out);

/// Throws CorruptStream, beginning with `codec`, unless every byte of the padding is 0.
void require_zeros(std::span<const std::byte> padding, const std::string& codec);

/// Zeros that the section "padding" of an entropy-coded frame of `count` vectors of `dim` scalars
/// needs beside sections of `bytes`: there is at least a byte for 32 values, so that a reader's
/// memory is bounded by what it was given.
std::size_t padding_bytes(std::size_t count, std::size_t dim, std::size_t bytes);

/// Throws CorruptStream unless "padding" is as long as padding_bytes() says for the other sections.
void require_padding(const FrameInfo& info);

/// The public summary of a parsed frame: "header", the sections, "checksum".
FrameInfo summary_of(const FrameView& view);

/// The length of section `name` of `info`. Throws CorruptStream when there is none.
std::size_t section_bytes(const FrameInfo& info, std::string_view name);

/// Throws CorruptStream unless section `name` of `info` has exactly `count` items of `item_bytes`
/// bytes. Never overflows.
void require_items(const FrameInfo& info, std::string_view name, std::size_t count,
                   std::size_t item_bytes);

/// As require_items, or empty.
void require_items_or_none(const FrameInfo& info, std::string_view name, std::size_t count,
                           std::size_t item_bytes);

/// Throws CorruptStream unless section `name` of `info` has exactly the bytes of `count` fields of
/// `field_bits` bits.
void require_fields(const FrameInfo& info, std::string_view name, std::size_t count,
                    std::size_t field_bits);

}  // namespace kakeya

// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codec/vectors.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "kakeya/codec/paged_frame.h"
#include "kakeya/core/error.h"
#include "kakeya/lattice/hadamard.h"

namespace kakeya {
namespace {

constexpr std::size_t kValuesAByte = 32;  // at most, in any frame

[[noreturn]] void wrong_length(const FrameInfo& info, std::string_view name, std::size_t bytes) {
  throw CorruptStream("frame of " + info.spec + ": section '" + std::string(name) + "' has " +
                      std::to_string(bytes) + " bytes, which does not fit " +
                      std::to_string(info.count) + " vectors of " + std::to_string(info.dim));
}

}  // namespace

float finite_maximum(std::span<const float> x, std::size_t row) {
  const std::uint32_t largest = largest_magnitude(x);
  if (largest < 0x7f800000u) return std::bit_cast<float>(largest);
  std::size_t i = 0;
  while (std::isfinite(x[i])) ++i;
  throw InputError("vector " + std::to_string(row) + ", coordinate " + std::to_string(i) + ": " +
                   (std::isnan(x[i]) ? "NaN" : "infinity") + ", expected a finite number");
}

void require_rotatable_dim(std::string_view codec, std::size_t dim) {
  if (dim < 8 || dim > 1024 || !is_power_of_two(dim)) {
    throw InputError(std::string(codec) + ": dim " + std::to_string(dim) +
                     ": expected a power of two in [8, 1024]");
  }
}

std::size_t NamedCodec::encode(Rows<const float> x, std::span<std::byte> out) const {
  return encode_pages(*this, x, out);
}

std::optional<double> NamedCodec::index_entropy_bits_per_value(Rows<const float> x) const {
  if (x.dim != dim_) throw InputError(spec_ + ": vectors of another dim");
  if (x.count == 0) return std::nullopt;
  const std::optional<double> bits = index_entropy_bits(x);
  if (!bits) return std::nullopt;
  return *bits / static_cast<double>(x.values());
}

std::optional<double> NamedCodec::index_entropy_bits(Rows<const float>) const {
  return std::nullopt;
}

void require_encodable(const Codec& codec, Rows<const float> x, std::span<const std::byte> out) {
  if (x.dim != codec.dim()) {
    throw InputError(codec.spec() + ": vectors of " + std::to_string(x.dim) +
                     " scalars given, expected " + std::to_string(codec.dim()));
  }
  const std::size_t bound = codec.encoded_bound(x.count);
  if (out.size() < bound) {
    throw InputError(codec.spec() + ": a buffer of " + std::to_string(out.size()) +
                     " bytes given, expected at least " + std::to_string(bound));
  }
}

void require_same_shape(const Codec& codec, Rows<const float> x, Rows<float> out) {
  if (x.dim != codec.dim() || out.dim != x.dim || out.count != x.count) {
    throw InputError(codec.spec() + ": " + std::to_string(x.count) + " vectors of " +
                     std::to_string(x.dim) + " and room for " + std::to_string(out.count) + " of " +
                     std::to_string(out.dim) + " given, expected the same number, of " +
                     std::to_string(codec.dim()));
  }
}

FrameView open_frame(const Codec& codec, std::span<const std::byte> in, FrameCheck check) {
  FrameView view = parse_frame(in, check);
  if (view.spec != codec.spec() || view.dim != codec.dim()) {
    throw CorruptStream("frame of '" + view.spec + "' for dim " + std::to_string(view.dim) +
                        ", expected '" + codec.spec() + "' for dim " + std::to_string(codec.dim()));
  }
  codec.check_frame(summary_of(view));
  return view;
}

FrameView open_frame(const Codec& codec, std::span<const std::byte> in, Rows<float> out,
                     FrameCheck check) {
  FrameView view = open_frame(codec, in, check);
  if (out.dim != view.dim || out.count != view.count) {
    throw InputError("room for " + std::to_string(out.count) + " vectors of " +
                     std::to_string(out.dim) + " given, the frame has " +
                     std::to_string(view.count) + " of " + std::to_string(view.dim));
  }
  return view;
}

void require_page(const Codec& codec, std::size_t vectors, std::size_t page, Rows<float> out) {
  const std::size_t length = codec.page_vectors();
  if (length == 0) throw InputError(codec.spec() + ": a page asked for, its frames have none");
  const std::size_t pages = (vectors + length - 1) / length;
  if (page >= pages) {
    throw InputError(codec.spec() + ": page " + std::to_string(page) +
                     " asked for, expected one below " + std::to_string(pages));
  }
  const std::size_t expected = std::min(length, vectors - page * length);
  if (out.dim != codec.dim() || out.count != expected) {
    throw InputError(codec.spec() + ": page " + std::to_string(page) + ": room for " +
                     std::to_string(out.count) + " vectors given, expected " +
                     std::to_string(expected));
  }
}

void require_zeros(std::span<const std::byte> padding, const std::string& codec) {
  const auto is_zero = [](std::byte value) { return value == std::byte{0}; };
  if (!std::all_of(padding.begin(), padding.end(), is_zero)) {
    throw CorruptStream(codec + ": padding is not zero");
  }
}

std::size_t padding_bytes(std::size_t count, std::size_t dim, std::size_t bytes) {
  const std::size_t least = (count * dim + kValuesAByte - 1) / kValuesAByte;
  return least > bytes ? least - bytes : 0;
}

void require_padding(const FrameInfo& info) {
  std::size_t bytes = 0, padding = 0;
  for (const auto& [name, length] : info.sections) {
    if (name == "padding") padding += length;
    if (name != "header" && name != "checksum") bytes += length;
  }
  if (info.count / kValuesAByte > bytes ||
      (info.count * info.dim + kValuesAByte - 1) / kValuesAByte > bytes) {
    throw CorruptStream("frame of " + info.spec + ": " + std::to_string(bytes) +
                        " bytes of sections for " + std::to_string(info.count) + " vectors of " +
                        std::to_string(info.dim) + ", expected at least a byte for 32 values");
  }
  require_items(info, "padding", padding_bytes(info.count, info.dim, bytes - padding), 1);
}

FrameInfo RateAccount::contents(const FrameView& view) const { return summary_of(view); }

FrameInfo summary_of(const FrameView& view) {
  FrameInfo info;
  info.spec = view.spec;
  info.dim = view.dim;
  info.count = view.count;
  info.format_version = view.version;
  info.sections.reserve(view.sections.size() + 2);
  info.sections.emplace_back("header", view.header_bytes);
  for (const FrameSection& section : view.sections) {
    info.sections.emplace_back(section.name, section.bytes.size());
  }
  info.sections.emplace_back("checksum", view.checksum_bytes);
  return info;
}

std::size_t section_bytes(const FrameInfo& info, std::string_view name) {
  for (const auto& [section, bytes] : info.sections) {
    if (section == name) return bytes;
  }
  throw CorruptStream("frame of " + info.spec + ": no section '" + std::string(name) + "'");
}

void require_items(const FrameInfo& info, std::string_view name, std::size_t count,
                   std::size_t item_bytes) {
  const std::size_t bytes = section_bytes(info, name);
  if (bytes % item_bytes != 0 || bytes / item_bytes != count) wrong_length(info, name, bytes);
}

void require_items_or_none(const FrameInfo& info, std::string_view name, std::size_t count,
                           std::size_t item_bytes) {
  if (section_bytes(info, name) != 0) require_items(info, name, count, item_bytes);
}

void require_fields(const FrameInfo& info, std::string_view name, std::size_t count,
                    std::size_t field_bits) {
  const std::size_t bytes = section_bytes(info, name);
  const std::size_t fields = bytes > SIZE_MAX / 8 ? 0 : bytes * 8 / field_bits;
  if (fields < count || (count * field_bits + 7) / 8 != bytes) wrong_length(info, name, bytes);
}

}  // namespace kakeya

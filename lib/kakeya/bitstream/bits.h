// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "kakeya/core/error.h"

namespace kakeya {

static_assert(std::endian::native == std::endian::little,
              "frames are little-endian and copied as they are");

__extension__ using Uint128 = unsigned __int128;

/// Unaligned fields, least significant bit first: bit i of the stream is bit i % 8 of byte i / 8.
/// Fields of 3, 7 and 6 bits:
///
///     byte 0            byte 1
///     7 6 5 4 3 2 1 0   7 6 5 4 3 2 1 0
///     b b b b b a a a   c c c c c c b b
class BitWriter {
 public:
  /// `out` holds all that will be put, rounded up to bytes.
  explicit BitWriter(std::span<std::byte> out) : out_(out) {}

  /// Appends the low `width` bits, 1 to 64, of `value`, whose other bits are zero. Throws
  /// InputError when `out` is full.
  void put(std::uint64_t value, int width) {
    pending_ |= value << filled_;
    const int total = filled_ + width;
    if (total < 64) {
      filled_ = total;
      return;
    }
    store(8);
    // filled_ is below 64 whatever was put. NOLINTNEXTLINE(clang-analyzer-core.*)
    pending_ = filled_ == 0 ? 0 : value >> (64 - filled_);
    filled_ = total - 64;
  }

  /// As put, for fields of 1 to 128 bits.
  void put_wide(Uint128 value, int width) {
    if (width <= 64) {
      put(static_cast<std::uint64_t>(value), width);
    } else {
      put(static_cast<std::uint64_t>(value), 64);
      put(static_cast<std::uint64_t>(value >> 64), width - 64);
    }
  }

  /// Writes what is pending, padded with zero bits to a byte; returns the bytes written. Nothing
  /// may be put afterwards.
  std::size_t finish() {
    if (filled_ > 0) store(static_cast<std::size_t>(filled_ + 7) / 8);  // else `out` may be empty
    filled_ = 0;
    return position_;
  }

 private:
  void store(std::size_t bytes) {
    if (bytes > out_.size() - position_) throw InputError("bit writer: the buffer is full");
    std::memcpy(out_.data() + position_, &pending_, bytes);
    position_ += bytes;
  }
  std::span<std::byte> out_;
  std::size_t position_ = 0;
  std::uint64_t pending_ = 0;
  int filled_ = 0;
};

/// Reads what BitWriter wrote. Never reads outside its bytes.
class BitReader {
 public:
  explicit BitReader(std::span<const std::byte> in) : in_(in) {}

  /// The next field of `width` bits, 1 to 64. Throws CorruptStream at the end.
  std::uint64_t get(int width) {
    const auto bits = static_cast<std::size_t>(width);
    if (bits > in_.size() * 8 - position_) throw CorruptStream("bit stream ends within a field");
    const std::size_t first = position_ / 8;
    const int shift = static_cast<int>(position_ % 8);
    position_ += bits;
    std::uint64_t value = load(first) >> shift;
    if (shift + width > 64) value |= load(first + 8) << (64 - shift);
    return width == 64 ? value : value & ((std::uint64_t{1} << width) - 1);
  }

  /// As get, for fields of 1 to 128 bits.
  Uint128 get_wide(int width) {
    if (width <= 64) return get(width);
    const Uint128 low = get(64);
    return low | static_cast<Uint128>(get(width - 64)) << 64;
  }

  /// Throws CorruptStream unless fewer than 8 bits are left and all of them are zero.
  void finish() const {
    const std::size_t left = in_.size() * 8 - position_;
    if (left >= 8) throw CorruptStream("bit stream: bytes after the last field");
    if (left != 0 && std::to_integer<unsigned>(in_.back()) >> (8 - left) != 0) {
      throw CorruptStream("bit stream: padding is not zero");
    }
  }

 private:
  std::uint64_t load(std::size_t at) const {
    std::uint64_t word = 0;
    const std::size_t left = in_.size() - at;
    if (left >= 8) {
      std::memcpy(&word, in_.data() + at, 8);
    } else {
      std::memcpy(&word, in_.data() + at, left);
    }
    return word;
  }
  std::span<const std::byte> in_;
  std::size_t position_ = 0;
};

}  // namespace kakeya

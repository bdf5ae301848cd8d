// SPDX-License-Identifier: Apache-2.0
// From the rows of planes to numbers in lanes, a register of 16 vectors at a time: a row is 128 bytes,
// and so are a group's coordinates of 16 vectors, as long as u fits a byte.
#include <array>
#include <cstring>
#include <span>

#include "kakeya/core/clones.h"
#include "kakeya/entropy/field_format.h"
#include "kakeya/entropy/field_registers.h"
#include "kakeya/entropy/lanes.h"

#define KAKEYA_INLINE [[gnu::always_inline]] inline

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi"  // all that takes a vector by value is inlined
#endif

namespace kakeya {
namespace {

constexpr std::int32_t kByteLevels = 256;

// u of a register: byte b of lane l is at [4 l + b].
template <typename Number>
using Register = std::array<Number, kRowBytes>;

// Adds the digits of a register to u.
void take_digits(const FieldDigits& of, std::size_t r, Register<std::int32_t>& u) {
  const std::uint8_t* const row = of.row(r);
  const std::size_t digit = of.digit(r);
  if (of.plane == kTritPlane) {
    const int weight = kPowersOf3[digit];
    for (std::size_t i = 0; i < kRowBytes; ++i) {
      u[i] |= (((row[i] * weight) & 255) * 3 >> 8) << of.to;
    }
    return;
  }
  const int bits = plane_bits(of.plane), from = bits * static_cast<int>(digit);
  const std::int32_t mask = (1 << bits) - 1;
  for (std::size_t i = 0; i < kRowBytes; ++i) u[i] |= (row[i] >> from & mask) << of.to;
}

// A quarter of a register of bytes, its words and its halves of words.
using Quarter [[gnu::vector_size(32)]] = std::uint8_t;
using Words [[gnu::vector_size(32)]] = std::uint64_t;
using Halves [[gnu::vector_size(32)]] = std::uint16_t;
constexpr std::size_t kQuarters = kRowBytes / sizeof(Quarter);

// What is read is four registers of a processor with AVX2, and stays there for all planes.
KAKEYA_INLINE void take_digits(const FieldDigits& of, std::size_t r, Words* u) {
  const std::uint8_t* const row = of.row(r);
  const std::size_t digit = of.digit(r);
  if (of.plane == kTritPlane) {
    // What a product of 16 bits has beyond its byte falls away.
    const std::uint16_t weight = kPowersOf3[digit];
    for (std::size_t i = 0; i < kQuarters; ++i) {
      Halves in;
      std::memcpy(&in, row + i * sizeof in, sizeof in);
      const Halves low = in * weight & 255, high = (in >> 8) * weight & 255;
      const Halves trits = (low * 3 >> 8) | (high * 3 & 0x300);
      u[i] |= reinterpret_cast<Words>(trits << of.to);  // below 2^8 in each byte
    }
    return;
  }
  const int bits = plane_bits(of.plane), from = bits * static_cast<int>(digit);
  const std::uint64_t mask = 0x0101010101010101u * ((1u << bits) - 1);
  for (std::size_t i = 0; i < kQuarters; ++i) {
    Words in;
    std::memcpy(&in, row + i * sizeof in, sizeof in);
    u[i] |= (in >> from & mask) << of.to;
  }
}

// Keys: byte 16 (t % 8) + 4 c + 2 (t / 8) + b is coordinate 2 c + b of vector t. Values: byte
// 16 i + 4 (t % 4) + t / 4 is coordinate i of vector t.
constexpr std::size_t place_in_register(FieldOrder order, std::size_t i, std::size_t t) {
  if (order == FieldOrder::keys) return 16 * (t % 8) + 4 * (i / 2) + 2 * (t / 8) + i % 2;
  return 16 * i + 4 * (t % 4) + t / 4;
}

using Bytes [[gnu::vector_size(16)]] = std::uint8_t;

// The first and the second halves of two, byte by byte in turn.
KAKEYA_INLINE Bytes first_halves(Bytes a, Bytes b) {
  return __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}
KAKEYA_INLINE Bytes second_halves(Bytes a, Bytes b) {
  return __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15,
                                 31);
}

// A register's bytes, the 16 vectors of a coordinate behind one another.
KAKEYA_INLINE void order_keys(const std::uint8_t* u, Bytes* ordered) {
  // 8 rows of 16 bytes: after three turns byte 8 (4 c + 2 h + b) + r is of row r.
  Bytes rows[8], turned[8];
  std::memcpy(rows, u, kRowBytes);
#pragma GCC unroll 3
  for (int turn = 0; turn < 3; ++turn) {
#pragma GCC unroll 4
    for (std::size_t k = 0; k < 4; ++k) {
      turned[2 * k] = first_halves(rows[k], rows[k + 4]);
      turned[2 * k + 1] = second_halves(rows[k], rows[k + 4]);
    }
#pragma GCC unroll 8
    for (std::size_t k = 0; k < 8; ++k) rows[k] = turned[k];
  }
#pragma GCC unroll 4
  for (std::size_t c = 0; c < 4; ++c) {
    const Bytes low = rows[2 * c], high = rows[2 * c + 1];
    ordered[2 * c] =
        __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23);
    ordered[2 * c + 1] = __builtin_shufflevector(low, high, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25,
                                                 26, 27, 28, 29, 30, 31);
  }
}

KAKEYA_INLINE void order_values(const std::uint8_t* u, Bytes* ordered) {
#pragma GCC unroll 8
  for (std::size_t i = 0; i < kFieldGroup; ++i) {
    Bytes row;
    std::memcpy(&row, u + 16 * i, sizeof row);
    ordered[i] =
        __builtin_shufflevector(row, row, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
  }
}

using Eight [[gnu::vector_size(8)]] = std::uint8_t;
using EightNumbers [[gnu::vector_size(32)]] = std::int32_t;

// The numbers of a group: coordinate i of vector t to v[lane_value(t, i, dim)], base[i] added.
KAKEYA_CLONES
void put_bytes(std::span<const FieldDigits> digits, std::size_t registers, FieldOrder order,
               const std::int32_t* base, std::size_t dim, std::int32_t* v) {
  for (std::size_t r = 0; r < registers; ++r) {
    Words u[kQuarters] = {};
    for (const FieldDigits& of : digits) take_digits(of, r, u);
    std::uint8_t bytes[kRowBytes];
    std::memcpy(bytes, u, kRowBytes);
    Bytes ordered[kFieldGroup];
    if (order == FieldOrder::keys) {
      order_keys(bytes, ordered);
    } else {
      order_values(bytes, ordered);
    }
    std::memcpy(bytes, ordered, kRowBytes);
    std::int32_t* const to = v + lane_value(kRegisterVectors * r, 0, dim);
    for (std::size_t i = 0; i < kFieldGroup; ++i) {
      for (std::size_t t = 0; t < kRegisterVectors; t += 8) {
        Eight some;
        std::memcpy(&some, bytes + i * kRegisterVectors + t, sizeof some);
        const EightNumbers numbers = __builtin_convertvector(some, EightNumbers) + base[i];
        std::memcpy(to + i * kLanes + t, &numbers, sizeof numbers);
      }
    }
  }
}

// The same of numbers that no byte holds.
void put_numbers(std::span<const FieldDigits> digits, std::size_t registers, FieldOrder order,
                 const std::int32_t* base, std::size_t dim, std::int32_t* v) {
  for (std::size_t r = 0; r < registers; ++r) {
    Register<std::int32_t> u{};
    for (const FieldDigits& of : digits) take_digits(of, r, u);
    std::int32_t* const to = v + lane_value(kRegisterVectors * r, 0, dim);
    for (std::size_t i = 0; i < kFieldGroup; ++i) {
      for (std::size_t t = 0; t < kRegisterVectors; ++t) {
        to[i * kLanes + t] = u[place_in_register(order, i, t)] + base[i];
      }
    }
  }
}

// Rows of a block, and how many registers of each plane the groups before have.
struct Planes {
  const std::uint8_t* rows;
  PlaneUnits starts, before{};
};

void take_group(const FieldHeader& header, FieldOrder order, std::size_t group, Planes& planes,
                const FieldLanes& block) {
  constexpr std::size_t kMostUnits = 8;
  const std::size_t registers = field_registers(block.vectors), code = header.codes[group];
  FieldDigits digits[kMostUnits];
  std::size_t count = 0;
  for_each_plane(code, registers, planes.before,
                 [&](std::size_t plane, std::size_t number, std::size_t r, int bit) {
                   if (r != 0) return;
                   digits[count++] = {planes.rows + planes.starts[plane], plane, number, bit};
                 });
  std::array<std::int32_t, kFieldGroup> base;
  for (std::size_t c = 0; c < kFieldGroup; ++c) {
    base[c] = header.shifts[kFieldGroup * group + c] - header.levels(group) / 2;
  }
  const PutFieldBytes wide = wide_field_bytes(), bytes = wide != nullptr ? wide : put_bytes;
  const auto put = header.levels(group) <= kByteLevels ? bytes : put_numbers;
  put(std::span(digits).first(count), registers, order, base.data(), block.dim,
      block.v + lane_value(0, kFieldGroup * group, block.dim));
}

}  // namespace

void take_fields(const FieldHeader& header, FieldOrder order, std::span<const std::byte> in,
                 const FieldLanes& block) {
  Planes planes{reinterpret_cast<const std::uint8_t*>(in.data()),
                plane_starts(header.units(), field_registers(block.vectors))};
  for (std::size_t g = 0; g < header.groups(); ++g) {
    take_group(header, order, g, planes, block);
  }
}

}  // namespace kakeya

// SPDX-License-Identifier: Apache-2.0
// From the rows of planes to numbers in lanes, a register of 16 vectors at a time: a row is 128 bytes,
// and so are a group's coordinates of 16 vectors, as long as u fits a byte.
#include <algorithm>
#include <array>
#include <cstring>

#include "kakeya/core/clones.h"
#include "kakeya/entropy/field_format.h"
#include "kakeya/entropy/lanes.h"

namespace kakeya {
namespace {

constexpr std::size_t kTogether = 16, kMostRegisters = kFieldBlock / kTogether;
constexpr std::int32_t kByteLevels = 256;

// u of a register: byte b of lane l is at [4 l + b].
template <typename Number>
using Register = std::array<Number, kRowBytes>;
using Words = std::array<std::uint64_t, kRowBytes / 8>;

// Adds bits [from, from + bits) of the bytes of a row to u, from its bit `to` on.
KAKEYA_CLONES
void take_bits(const std::uint8_t* row, int from, int bits, int to, Register<std::uint8_t>& u) {
  const std::uint64_t mask = 0x0101010101010101u * ((1u << bits) - 1);
  Words in, out;
  std::memcpy(in.data(), row, kRowBytes);
  std::memcpy(out.data(), u.data(), kRowBytes);
  for (std::size_t i = 0; i < in.size(); ++i) out[i] |= (in[i] >> from & mask) << to;
  std::memcpy(u.data(), out.data(), kRowBytes);
}

KAKEYA_CLONES
void take_bits(const std::uint8_t* row, int from, int bits, int to, Register<std::int32_t>& u) {
  const std::int32_t mask = (1 << bits) - 1;
  for (std::size_t i = 0; i < kRowBytes; ++i) u[i] |= (row[i] >> from & mask) << to;
}

constexpr std::uint16_t kPowersOf3[] = {1, 3, 9, 27, 81};

// The same of a trit. Two bytes are a number of 16 bits; what a product has beyond its byte falls away.
KAKEYA_CLONES
void take_trits(const std::uint8_t* row, std::size_t digit, int to, Register<std::uint8_t>& u) {
  const std::uint16_t weight = kPowersOf3[digit];
  std::array<std::uint16_t, kRowBytes / 2> in, out;
  std::memcpy(in.data(), row, kRowBytes);
  std::memcpy(out.data(), u.data(), kRowBytes);
  for (std::size_t i = 0; i < in.size(); ++i) {
    const auto low = static_cast<std::uint16_t>(in[i] * weight & 255);
    const auto high = static_cast<std::uint16_t>((in[i] >> 8) * weight & 255);
    const auto trits = static_cast<std::uint16_t>((low * 3 >> 8) | (high * 3 & 0x300));
    out[i] = static_cast<std::uint16_t>(out[i] | trits << to);
  }
  std::memcpy(u.data(), out.data(), kRowBytes);
}

KAKEYA_CLONES
void take_trits(const std::uint8_t* row, std::size_t digit, int to, Register<std::int32_t>& u) {
  const int weight = kPowersOf3[digit];
  for (std::size_t i = 0; i < kRowBytes; ++i) {
    u[i] |= (((row[i] * weight) & 255) * 3 >> 8) << to;
  }
}

// Keys: byte 16 (t % 8) + 4 c + 2 (t / 8) + b is coordinate 2 c + b of vector t. Values: byte
// 16 i + 4 (t % 4) + t / 4 is coordinate i of vector t.
constexpr std::size_t place_in_register(FieldOrder order, std::size_t i, std::size_t t) {
  if (order == FieldOrder::keys) return 16 * (t % 8) + 4 * (i / 2) + 2 * (t / 8) + i % 2;
  return 16 * i + 4 * (t % 4) + t / 4;
}

// Adds base[i] to coordinate i of 16 vectors in order, and puts the sums into lanes.
KAKEYA_CLONES
void put_lanes(const std::uint8_t* ordered, const std::int32_t* base, std::int32_t* v) {
  for (std::size_t i = 0; i < kFieldGroup; ++i) {
    std::array<std::uint8_t, kTogether> row;  // its own: nothing that is stored may change it
    std::memcpy(row.data(), ordered + i * kTogether, kTogether);
    const std::int32_t more = base[i];
    for (std::size_t t = 0; t < kTogether; ++t) v[i * kLanes + t] = row[t] + more;
  }
}

using Bytes [[gnu::vector_size(16)]] = std::uint8_t;

// The first and the second halves of two, byte by byte in turn.
Bytes first_halves(Bytes a, Bytes b) {
  return __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}
Bytes second_halves(Bytes a, Bytes b) {
  return __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15,
                                 31);
}

// A register's bytes, the 16 vectors of a coordinate behind one another.
void order_keys(const Register<std::uint8_t>& u, std::uint8_t* ordered) {
  // 8 rows of 16 bytes: after three turns byte 8 (4 c + 2 h + b) + r is of row r.
  Bytes rows[8], turned[8];
  std::memcpy(rows, u.data(), kRowBytes);
  for (int turn = 0; turn < 3; ++turn) {
    for (std::size_t k = 0; k < 4; ++k) {
      turned[2 * k] = first_halves(rows[k], rows[k + 4]);
      turned[2 * k + 1] = second_halves(rows[k], rows[k + 4]);
    }
    std::copy_n(turned, 8, rows);
  }
  for (std::size_t c = 0; c < 4; ++c) {
    const Bytes low = rows[2 * c], high = rows[2 * c + 1];
    const Bytes pair[] = {
        __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23),
        __builtin_shufflevector(low, high, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30,
                                31)};
    std::memcpy(ordered + 32 * c, pair, sizeof pair);
  }
}

void order_values(const Register<std::uint8_t>& u, std::uint8_t* ordered) {
  for (std::size_t i = 0; i < kFieldGroup; ++i) {
    Bytes row;
    std::memcpy(&row, u.data() + 16 * i, sizeof row);
    row = __builtin_shufflevector(row, row, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    std::memcpy(ordered + 16 * i, &row, sizeof row);
  }
}

void place(FieldOrder order, const Register<std::uint8_t>& u, const std::int32_t* base,
           std::int32_t* v) {
  std::uint8_t ordered[kRowBytes];
  if (order == FieldOrder::keys) {
    order_keys(u, ordered);
  } else {
    order_values(u, ordered);
  }
  put_lanes(ordered, base, v);
}

void place(FieldOrder order, const Register<std::int32_t>& u, const std::int32_t* base,
           std::int32_t* v) {
  for (std::size_t i = 0; i < kFieldGroup; ++i) {
    for (std::size_t t = 0; t < kTogether; ++t) {
      v[i * kLanes + t] = u[place_in_register(order, i, t)] + base[i];
    }
  }
}

// Rows of a block, and how many registers of each plane the groups before have.
struct Planes {
  const std::uint8_t* rows;
  PlaneUnits starts, before{};
};

template <typename Number>
void take_group(const FieldHeader& header, FieldOrder order, std::size_t group, Planes& planes,
                const FieldLanes& block) {
  const std::size_t registers = field_registers(block.vectors), code = header.codes[group];
  std::array<Register<Number>, kMostRegisters> u{};
  for_each_plane(code, registers, planes.before,
                 [&](std::size_t plane, std::size_t number, std::size_t r, int bit) {
                   const std::uint8_t* const rows = planes.rows + planes.starts[plane];
                   if (plane == kTritPlane) {
                     return take_trits(rows + number / 5 * kRowBytes, number % 5, bit, u[r]);
                   }
                   const int bits = plane_bits(plane);
                   take_bits(rows + (number >> plane) * kRowBytes,
                             bits * static_cast<int>(number & ((1u << plane) - 1)), bits, bit,
                             u[r]);
                 });
  std::array<std::int32_t, kFieldGroup> base;
  for (std::size_t c = 0; c < kFieldGroup; ++c) {
    base[c] = header.shifts[kFieldGroup * group + c] - header.levels(group) / 2;
  }
  for (std::size_t r = 0; r < registers; ++r) {
    place(order, u[r], base.data(),
          block.v + lane_value(kTogether * r, kFieldGroup * group, block.dim));
  }
}

}  // namespace

void take_fields(const FieldHeader& header, FieldOrder order, std::span<const std::byte> in,
                 const FieldLanes& block) {
  Planes planes{reinterpret_cast<const std::uint8_t*>(in.data()),
                plane_starts(header.units(), field_registers(block.vectors))};
  for (std::size_t g = 0; g < header.groups(); ++g) {
    if (header.levels(g) <= kByteLevels) {
      take_group<std::uint8_t>(header, order, g, planes, block);
    } else {
      take_group<std::int32_t>(header, order, g, planes, block);
    }
  }
}

}  // namespace kakeya

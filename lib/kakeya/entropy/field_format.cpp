// SPDX-License-Identifier: Apache-2.0
#include "kakeya/entropy/field_format.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "kakeya/core/clones.h"
#include "kakeya/core/error.h"

namespace kakeya {
namespace {

// The bytes of a row of all registers of a group: u of the coordinate in byte b of register r of
// lane l is at [r][4 l + b].
using Registers = std::array<std::array<std::int32_t, kRowBytes>, kFieldBlock / 16>;

struct Place {
  std::size_t coordinate, vector;
};

constexpr Place place_of(FieldOrder order, std::size_t byte, std::size_t reg) {
  const std::size_t lane = byte / 4, slot = 4 * reg + byte % 4;
  if (order == FieldOrder::keys) return {2 * (lane % 4) + slot % 2, lane / 4 + 8 * (slot / 2)};
  return {lane / 4, lane % 4 + 4 * slot};
}

KAKEYA_CLONES
void put_bits(const std::int32_t* u, int from, int bits, int to, std::uint8_t* row) {
  const std::int32_t mask = (1 << bits) - 1;
  for (std::size_t i = 0; i < kRowBytes; ++i) {
    row[i] = static_cast<std::uint8_t>(row[i] | (u[i] >> from & mask) << to);
  }
}

constexpr int kPowersOf3[] = {1, 3, 9, 27, 81};

// Sums of trits, the first the most significant; pack_trits() makes bytes of them.
KAKEYA_CLONES
void put_trits(const std::int32_t* u, int from, std::size_t digit, std::uint8_t* row) {
  const int weight = kPowersOf3[4 - digit];
  for (std::size_t i = 0; i < kRowBytes; ++i) {
    row[i] = static_cast<std::uint8_t>(row[i] + weight * (u[i] >> from));
  }
}

void pack_trits(std::uint8_t* row) {
  for (std::size_t i = 0; i < kRowBytes; ++i) {
    row[i] = static_cast<std::uint8_t>((row[i] * 256 + 242) / 243);
  }
}

}  // namespace

FieldHeader::FieldHeader(std::size_t dim, std::size_t of_vectors)
    : vectors(of_vectors),
      codes(dim / kFieldGroup),
      lists(codes.size(), kNoList),
      shifted(codes.size()),
      shifts(dim) {}

PlaneUnits FieldHeader::units() const {
  PlaneUnits units{};
  for (const std::uint8_t code : codes) {
    for (std::size_t plane = 0; plane < kFieldPlanes; ++plane) {
      units[plane] += plane_units(code, plane);
    }
  }
  return units;
}

std::size_t FieldHeader::bytes() const {
  const auto shifting = static_cast<std::size_t>(std::count(shifted.begin(), shifted.end(), 1));
  return (4 + groups() + (groups() + 7) / 8 + kFieldGroup * shifting + 3) / 4 * 4;
}

void FieldHeader::write(std::span<std::byte> out) const {
  const std::uint16_t first[] = {
      static_cast<std::uint16_t>(entry_bits[0] | entry_bits[1] << 4 | entry_bits[2] << 8),
      static_cast<std::uint16_t>(vectors - 1)};
  std::memcpy(out.data(), first, sizeof first);
  std::byte* at = out.data() + 4;
  for (std::size_t g = 0; g < groups(); ++g)
    *at++ = static_cast<std::byte>(codes[g] | lists[g] << 6);
  for (std::size_t g = 0; g < groups(); ++g) {
    at[g / 8] |= static_cast<std::byte>(shifted[g] << g % 8);
  }
  at += (groups() + 7) / 8;
  for (std::size_t g = 0; g < groups(); ++g) {
    if (shifted[g] == 0) continue;
    std::memcpy(at, shifts.data() + kFieldGroup * g, kFieldGroup);
    at += kFieldGroup;
  }
}

void FieldHeader::read(std::span<const std::byte> in) {
  const std::size_t flags = 4 + groups(), fixed = flags + (groups() + 7) / 8;
  if (in.size() < fixed) {
    throw CorruptStream("fields: a page of " + std::to_string(in.size()) +
                        " bytes, expected a header of at least " + std::to_string(fixed));
  }
  std::uint16_t first[2];
  std::memcpy(first, in.data(), sizeof first);
  for (std::size_t list = 0; list < kFieldLists; ++list) {
    const auto bits = static_cast<std::uint8_t>(first[0] >> 4 * list & 15);
    if (bits != 0 && (bits < kLeastEntryBits || bits > kMostEntryBits)) {
      throw CorruptStream("fields: entries of " + std::to_string(bits) + " bits, expected 3 to 12");
    }
    entry_bits[list] = bits;
  }
  if (first[0] >> 12 != 0) throw CorruptStream("fields: a fourth list, expected three");
  if (first[1] + std::size_t{1} != vectors) {
    throw CorruptStream("fields: a page of " + std::to_string(first[1] + 1) +
                        " vectors, expected " + std::to_string(vectors));
  }
  std::size_t at = fixed;
  for (std::size_t g = 0; g < groups(); ++g) {
    const auto byte = std::to_integer<std::uint8_t>(in[4 + g]);
    codes[g] = byte & 63;
    lists[g] = static_cast<std::uint8_t>(byte >> 6);
    if (codes[g] >= kFieldCodes) {
      throw CorruptStream("fields: code " + std::to_string(codes[g]) + " of group " +
                          std::to_string(g) + ", expected one below 44");
    }
    shifted[g] = std::to_integer<std::uint8_t>(in[flags + g / 8]) >> g % 8 & 1;
    if (shifted[g] == 0) continue;
    if (in.size() - at < kFieldGroup) throw CorruptStream("fields: shifts end within a group");
    std::memcpy(shifts.data() + kFieldGroup * g, in.data() + at, kFieldGroup);
    at += kFieldGroup;
  }
  if (in.size() < bytes()) throw CorruptStream("fields: a header without its padding");
}

void put_fields(const FieldHeader& header, FieldOrder order, const FieldBlock& block,
                std::span<std::byte> out) {
  const std::size_t registers = field_registers(block.vectors);
  const PlaneUnits units = header.units(), starts = plane_starts(units, registers);
  auto* const first = reinterpret_cast<std::uint8_t*>(out.data());
  PlaneUnits before{};
  for (std::size_t g = 0; g < header.groups(); ++g) {
    const std::size_t code = header.codes[g];
    if (code == 0) continue;
    const std::int32_t levels = field_levels(code);
    Registers u;
    for (std::size_t r = 0; r < registers; ++r) {
      for (std::size_t byte = 0; byte < kRowBytes; ++byte) {
        const Place place = place_of(order, byte, r);
        const std::size_t i = kFieldGroup * g + place.coordinate;
        u[r][byte] = 0;
        if (place.vector >= block.vectors) continue;
        const std::int32_t x =
            block.v[i * block.stride + place.vector] - header.shifts[i] + levels / 2;
        u[r][byte] = x - levels * field_quotient(x, code);
      }
    }
    for_each_plane(code, registers, before,
                   [&](std::size_t plane, std::size_t number, std::size_t r, int bit) {
                     std::uint8_t* const rows = first + starts[plane];
                     if (plane == kTritPlane) {
                       put_trits(u[r].data(), bit, number % 5, rows + number / 5 * kRowBytes);
                       return;
                     }
                     const std::size_t in_a_word = std::size_t{1} << plane;
                     const int bits = plane_bits(plane);
                     put_bits(u[r].data(), bit, bits, bits * static_cast<int>(number % in_a_word),
                              rows + number / in_a_word * kRowBytes);
                   });
  }
  for (std::size_t row = 0; row < plane_rows(units[kTritPlane] * registers, kTritPlane); ++row) {
    pack_trits(first + starts[kTritPlane] + row * kRowBytes);
  }
}

}  // namespace kakeya

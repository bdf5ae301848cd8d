// SPDX-License-Identifier: Apache-2.0
#include "kakeya/entropy/tile_format.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <string>

#include "kakeya/bitstream/bits.h"
#include "kakeya/core/clones.h"
#include "kakeya/core/error.h"
#include "kakeya/entropy/lanes.h"

namespace kakeya {
namespace {

// The bytes of a register of all lanes: byte b of lane l is at [4 l + b].
using Register = std::array<std::uint8_t, kRowBytes>;
using GroupRegisters = std::array<Register, kTileRegisters>;

std::uint32_t nibble_of(std::span<const std::uint32_t> words, std::size_t i) {
  return words[i / 8] >> 4 * (i % 8) & 15;
}

// Coordinate and vector of each byte of a group's registers.
std::array<std::array<TileTarget, kRowBytes>, kTileRegisters> places_of(FieldOrder order) {
  std::array<std::array<TileTarget, kRowBytes>, kTileRegisters> places{};
  for (int c = 0; c < static_cast<int>(kFieldGroup); ++c) {
    for (int t = 0; t < static_cast<int>(kFieldBlock); ++t) {
      const TilePlace at = tile_place(order, c, t);
      places[static_cast<std::size_t>(at.reg)][static_cast<std::size_t>(4 * at.lane + at.byte)] = {
          c, t};
    }
  }
  return places;
}
const auto& places(FieldOrder order) {
  static const auto keys = places_of(FieldOrder::keys), values = places_of(FieldOrder::values);
  return order == FieldOrder::keys ? keys : values;
}

KAKEYA_CLONES
void move_bits(const std::uint8_t* from, int from_bit, int bits, int to_bit, std::uint8_t* to) {
  const int mask = (1 << bits) - 1;
  for (std::size_t i = 0; i < kRowBytes; ++i) {
    to[i] = static_cast<std::uint8_t>(to[i] | (from[i] >> from_bit & mask) << to_bit);
  }
}

template <typename Work>
void for_each_piece(int width, const Work& work) {
  for (int reg = 0; reg < static_cast<int>(kTileRegisters); ++reg) {
    for (int piece = 0; piece < tile_pieces(width, reg); ++piece) {
      work(static_cast<std::size_t>(reg), tile_piece(width, reg, piece));
    }
  }
}

// v of a block less its shift; what it lacks is 0.
std::int32_t number_at(const TileHeader& header, const FieldBlock& block, std::size_t i,
                       std::size_t t) {
  return t < block.vectors ? block.v[i * block.stride + t] - header.shifts[i] : 0;
}

void put_group(const TileHeader& header, FieldOrder order, const FieldBlock& block, std::size_t g,
               std::uint8_t* rows) {
  const int width = header.widths[g], mask = (1 << width) - 1, half = (1 << width) >> 1;
  GroupRegisters registers{};
  for (std::size_t r = 0; r < kTileRegisters; ++r) {
    for (std::size_t byte = 0; byte < kRowBytes; ++byte) {
      const TileTarget at = places(order)[r][byte];
      const std::int32_t x =
          number_at(header, block, kFieldGroup * g + static_cast<std::size_t>(at.coordinate),
                    static_cast<std::size_t>(at.vector));
      registers[r][byte] = static_cast<std::uint8_t>((x + half) & mask);
    }
  }
  for_each_piece(width, [&](std::size_t reg, const TilePiece& piece) {
    move_bits(registers[reg].data(), piece.to, piece.bits, piece.from,
              rows + static_cast<std::size_t>(piece.word) * kRowBytes);
  });
}

void take_group(const TileHeader& header, FieldOrder order, std::size_t g, const std::uint8_t* rows,
                const FieldLanes& block) {
  const int width = header.widths[g], half = (1 << width) >> 1;
  GroupRegisters registers{};
  for_each_piece(width, [&](std::size_t reg, const TilePiece& piece) {
    move_bits(rows + static_cast<std::size_t>(piece.word) * kRowBytes, piece.from, piece.bits,
              piece.to, registers[reg].data());
  });
  for (std::size_t r = 0; r < kTileRegisters; ++r) {
    for (std::size_t byte = 0; byte < kRowBytes; ++byte) {
      const TileTarget at = places(order)[r][byte];
      const auto t = static_cast<std::size_t>(at.vector);
      const std::size_t i = kFieldGroup * g + static_cast<std::size_t>(at.coordinate);
      if (t >= block.vectors) continue;
      block.v[lane_value(t, i, block.dim)] = registers[r][byte] - half + header.shifts[i];
    }
  }
}

void put_far(std::size_t position, std::int32_t q, std::vector<std::uint32_t>& far) {
  while (q != 0) {
    const std::int32_t part = std::clamp(q, -kMostFarQuotient, kMostFarQuotient);
    far.push_back(static_cast<std::uint32_t>(position) | static_cast<std::uint32_t>(part) << 16);
    q -= part;
  }
}

// The entries of a tile; what is far is added to `far`.
std::vector<std::uint32_t> entries_of(const TileHeader& header, FieldOrder order,
                                      const FieldBlock& block, std::size_t tile,
                                      std::vector<std::uint32_t>& far) {
  std::vector<std::uint32_t> entries;
  const int bits = header.entry_bits[tile];
  const std::size_t groups = std::min(kTileGroups, header.groups() - kTileGroups * tile);
  std::size_t behind = 0;
  for (std::size_t position = 0; position < 1024 * groups; ++position) {
    const TileTarget at = tile_target(order, static_cast<int>(position));
    const std::size_t i = kTileDim * tile + static_cast<std::size_t>(at.coordinate),
                      t = static_cast<std::size_t>(at.vector);
    const int width = header.widths[i / kFieldGroup];
    const std::int32_t q = tile_overflow(number_at(header, block, i, t), width);
    if (q == 0) continue;
    if (bits == 0 || !is_tile_near(q, width)) {
      put_far(kFieldBlock * i + t, q, far);
      continue;
    }
    const std::uint32_t quiet = tile_quiet(bits), sign = q < 0 ? quiet + 1 : 0;
    std::size_t distance = position - behind;
    for (; distance >= quiet; distance -= quiet) entries.push_back(quiet);
    entries.push_back(static_cast<std::uint32_t>(distance) | sign);
    for (int more = std::abs(q); more > 1; --more) entries.push_back(sign);
    behind = position;
  }
  while (entries.size() % kLanes != 0) entries.push_back(tile_quiet(bits));
  return entries;
}

// Sums are modulo 2^32, as in pages of fields.
void add(std::int32_t& v, std::int32_t q, int width) {
  v = static_cast<std::int32_t>(static_cast<std::uint32_t>(v) +
                                (static_cast<std::uint32_t>(q) << width));
}

void take_entries(const TileHeader& header, FieldOrder order, std::size_t tile, std::size_t count,
                  std::span<const std::byte> in, const FieldLanes& block) {
  if (count == 0) return;
  const int bits = header.entry_bits[tile];
  const std::size_t positions = 1024 * std::min(kTileGroups, header.groups() - kTileGroups * tile);
  const std::uint32_t quiet = tile_quiet(bits);
  BitReader entries(in);
  std::size_t position = 0;
  for (std::size_t n = 0; n < count; ++n) {
    const auto entry = static_cast<std::uint32_t>(entries.get(bits));
    const std::uint32_t distance = entry & quiet;
    position += distance;
    if (distance == quiet) continue;
    if (position >= positions) {
      throw CorruptStream("tiles: an entry at position " + std::to_string(position) + " of tile " +
                          std::to_string(tile) + ", expected one below " +
                          std::to_string(positions));
    }
    const TileTarget at = tile_target(order, static_cast<int>(position));
    const std::size_t i = kTileDim * tile + static_cast<std::size_t>(at.coordinate),
                      t = static_cast<std::size_t>(at.vector);
    if (t >= block.vectors) continue;
    add(block.v[lane_value(t, i, block.dim)], entry > quiet ? -1 : 1,
        header.widths[i / kFieldGroup]);
  }
}

void take_far(const TileHeader& header, std::span<const std::byte> in, const FieldLanes& block) {
  const std::size_t positions = kFieldBlock * block.dim;
  for (std::size_t n = 0; n < in.size() / 4; ++n) {
    std::uint32_t entry;
    std::memcpy(&entry, in.data() + 4 * n, 4);
    const std::size_t position = entry & 0xffff, i = position / kFieldBlock,
                      t = position % kFieldBlock;
    if (position >= positions) {
      throw CorruptStream("tiles: position " + std::to_string(position) +
                          " of a far entry, expected one below " + std::to_string(positions));
    }
    if (t >= block.vectors) continue;
    add(block.v[lane_value(t, i, block.dim)], static_cast<std::int16_t>(entry >> 16),
        header.widths[i / kFieldGroup]);
  }
}

void require_bytes(std::size_t bytes, std::size_t expected) {
  if (bytes >= expected) return;
  throw CorruptStream("tiles: a block of " + std::to_string(bytes) + " bytes, expected " +
                      std::to_string(expected));
}

}  // namespace

TileHeader::TileHeader(std::size_t dim, std::size_t of_vectors)
    : vectors(of_vectors),
      widths(dim / kFieldGroup),
      shifted(widths.size()),
      entry_bits(tile_count(widths.size())),
      shifts(dim) {}

std::size_t TileHeader::bytes() const {
  const auto shifting = static_cast<std::size_t>(std::count(shifted.begin(), shifted.end(), 1));
  return 4 * tile_header_words(groups()) + kFieldGroup * shifting;
}

std::size_t TileHeader::field_bytes(std::size_t tile) const {
  std::size_t rows = 0;
  for (std::size_t g = kTileGroups * tile; g < std::min(groups(), kTileGroups * (tile + 1)); ++g) {
    rows += widths[g];
  }
  return rows * kRowBytes;
}

void TileHeader::write(std::span<std::byte> out) const {
  std::vector<std::uint32_t> words(tile_header_words(groups()));
  words[0] = static_cast<std::uint32_t>(vectors - 1);
  const std::size_t bits_at = 1 + (groups() + 7) / 8, shifted_at = bits_at + (tiles() + 7) / 8;
  for (std::size_t g = 0; g < groups(); ++g) {
    words[1 + g / 8] |= static_cast<std::uint32_t>(widths[g]) << 4 * (g % 8);
    words[shifted_at + g / 32] |= static_cast<std::uint32_t>(shifted[g]) << g % 32;
  }
  for (std::size_t t = 0; t < tiles(); ++t) {
    words[bits_at + t / 8] |= static_cast<std::uint32_t>(entry_bits[t]) << 4 * (t % 8);
  }
  std::memcpy(out.data(), words.data(), 4 * words.size());
  std::byte* at = out.data() + 4 * words.size();
  for (std::size_t g = 0; g < groups(); ++g) {
    if (shifted[g] == 0) continue;
    std::memcpy(at, shifts.data() + kFieldGroup * g, kFieldGroup);
    at += kFieldGroup;
  }
}

void TileHeader::read(std::span<const std::byte> in) {
  std::vector<std::uint32_t> words(tile_header_words(groups()));
  if (in.size() < 4 * words.size()) {
    throw CorruptStream("tiles: a page of " + std::to_string(in.size()) +
                        " bytes, expected a header of at least " +
                        std::to_string(4 * words.size()));
  }
  std::memcpy(words.data(), in.data(), 4 * words.size());
  if (words[0] + std::size_t{1} != vectors) {
    throw CorruptStream("tiles: a page of " + std::to_string(words[0] + std::size_t{1}) +
                        " vectors, expected " + std::to_string(vectors));
  }
  const std::size_t bits_at = 1 + (groups() + 7) / 8, shifted_at = bits_at + (tiles() + 7) / 8;
  const std::span<const std::uint32_t> all(words);
  for (std::size_t t = 0; t < tiles(); ++t) {
    entry_bits[t] = static_cast<std::uint8_t>(nibble_of(all.subspan(bits_at), t));
    if (entry_bits[t] != 0 && (entry_bits[t] < kLeastEntryBits || entry_bits[t] > kMostEntryBits)) {
      throw CorruptStream("tiles: entries of " + std::to_string(entry_bits[t]) +
                          " bits, expected 3 to 12");
    }
  }
  std::size_t at = 4 * words.size();
  for (std::size_t g = 0; g < groups(); ++g) {
    widths[g] = static_cast<std::uint8_t>(nibble_of(all.subspan(1), g));
    if (widths[g] > kMostTileWidth) {
      throw CorruptStream("tiles: fields of " + std::to_string(widths[g]) + " bits of group " +
                          std::to_string(g) + ", expected at most 8");
    }
    shifted[g] = static_cast<std::uint8_t>(words[shifted_at + g / 32] >> g % 32 & 1);
    if (shifted[g] == 0) continue;
    if (in.size() - at < kFieldGroup) throw CorruptStream("tiles: shifts end within a group");
    std::memcpy(shifts.data() + kFieldGroup * g, in.data() + at, kFieldGroup);
    at += kFieldGroup;
  }
}

void put_tile_block(const TileHeader& header, FieldOrder order, const FieldBlock& block,
                    std::vector<std::byte>& out) {
  const std::size_t counts_at = out.size();
  std::vector<std::uint32_t> counts(tile_count_words(header.groups())), far;
  out.resize(counts_at + 4 * counts.size());
  for (std::size_t tile = 0; tile < header.tiles(); ++tile) {
    for (std::size_t g = kTileGroups * tile;
         g < std::min(header.groups(), kTileGroups * (tile + 1)); ++g) {
      const std::size_t at = out.size();
      out.resize(at + header.widths[g] * kRowBytes);
      put_group(header, order, block, g, reinterpret_cast<std::uint8_t*>(out.data() + at));
    }
    const std::vector<std::uint32_t> entries = entries_of(header, order, block, tile, far);
    counts[1 + tile / 2] |= static_cast<std::uint32_t>(entries.size() / kLanes) << 16 * (tile % 2);
    const std::size_t at = out.size();
    out.resize(at + header.entry_bits[tile] * entries.size() / 8);
    BitWriter writer(std::span<std::byte>(out).subspan(at));
    for (const std::uint32_t entry : entries) writer.put(entry, header.entry_bits[tile]);
    writer.finish();
  }
  counts[0] = static_cast<std::uint32_t>(far.size());
  std::memcpy(out.data() + counts_at, counts.data(), 4 * counts.size());
  const std::size_t at = out.size();
  out.resize(at + 4 * far.size());
  if (!far.empty()) std::memcpy(out.data() + at, far.data(), 4 * far.size());
}

std::size_t take_tile_block(const TileHeader& header, FieldOrder order,
                            std::span<const std::byte> in, const FieldLanes& block) {
  std::vector<std::uint32_t> counts(tile_count_words(header.groups()));
  std::size_t at = 4 * counts.size();
  require_bytes(in.size(), at);
  std::memcpy(counts.data(), in.data(), at);
  for (std::size_t tile = 0; tile < header.tiles(); ++tile) {
    const std::size_t fields = header.field_bytes(tile),
                      count = kLanes * (counts[1 + tile / 2] >> 16 * (tile % 2) & 0xffff),
                      list = header.entry_bits[tile] * count / 8;
    require_bytes(in.size(), at + fields + list);
    if (count != 0 && header.entry_bits[tile] == 0) {
      throw CorruptStream("tiles: entries in a list without bits");
    }
    for (std::size_t g = kTileGroups * tile;
         g < std::min(header.groups(), kTileGroups * (tile + 1)); ++g) {
      take_group(header, order, g, reinterpret_cast<const std::uint8_t*>(in.data() + at), block);
      at += header.widths[g] * kRowBytes;
    }
    take_entries(header, order, tile, count, in.subspan(at, list), block);
    at += list;
  }
  const std::size_t far = 4 * std::size_t{counts[0]};
  require_bytes(in.size(), at + far);
  take_far(header, in.subspan(at, far), block);
  return at + far;
}

}  // namespace kakeya

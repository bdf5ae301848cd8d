// SPDX-License-Identifier: Apache-2.0
#include "kakeya/entropy/tile_coder.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "kakeya/core/error.h"
#include "kakeya/entropy/field_costs.h"
#include "kakeya/entropy/lanes.h"
#include "kakeya/entropy/tile_choice.h"
#include "kakeya/lattice/dn.h"

namespace kakeya {
namespace {

std::size_t blocks_of(std::size_t vectors) { return (vectors + kFieldBlock - 1) / kFieldBlock; }

}  // namespace

TileCoder::TileCoder(FieldOrder order, std::span<const double> deviations)
    : order_(order), widths_(deviations.size() / kFieldGroup) {
  if (deviations.empty() || deviations.size() > kMostFieldDim ||
      deviations.size() % kFieldGroup != 0) {
    throw InputError("tiles: vectors of " + std::to_string(deviations.size()) +
                     " coordinates, expected a multiple of 8 up to " +
                     std::to_string(kMostFieldDim));
  }
  for (std::size_t i = 0; i < deviations.size(); ++i) {
    int bits = 2;  // four deviations on either side
    while (bits < kMostTileWidth && std::ldexp(1.0, bits) < 8 * deviations[i]) ++bits;
    std::uint8_t& width = widths_[i / kFieldGroup];
    width = std::max(width, static_cast<std::uint8_t>(bits));
  }
}

// Headers, counts and, of a block that is not full, fields of vectors that there are not.
std::size_t TileCoder::most_overhead(std::size_t vectors) const {
  const std::size_t groups = widths_.size();
  return 4 * tile_header_words(groups) + dim() +
         blocks_of(vectors) * 4 * (tile_count_words(groups) + tile_count(groups)) +
         kFieldBlock * dim();
}

std::uint64_t TileCoder::most_bits(const float* z, std::size_t stride, std::size_t r) const {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < dim(); ++i) {
    bits += most_number_bits(std::fabs(z[i * stride + r]), widths_[i / kFieldGroup]);
  }
  return bits;
}

// What most_bits() counts with.
TileHeader TileCoder::usual_header(std::size_t vectors) const {
  TileHeader header(dim(), vectors);
  header.widths = widths_;
  return header;
}

std::vector<std::byte> TileCoder::write(const TileHeader& header, const FieldBlock& page) const {
  std::vector<std::byte> out(header.bytes());
  header.write(out);
  for (std::size_t first = 0; first < page.vectors; first += kFieldBlock) {
    put_tile_block(header, order_,
                   {page.v + first, page.stride, std::min(kFieldBlock, page.vectors - first)}, out);
  }
  return out;
}

std::vector<std::byte> TileCoder::encode(std::span<const std::int32_t> twice,
                                         std::size_t vectors) const {
  require_lanes(Lattice::z, twice.size(), vectors, dim());
  require_points(Lattice::z, twice, vectors, dim(), dim());
  std::vector<std::int32_t> numbers(dim() * vectors);
  const FieldBlock page{numbers.data(), vectors, vectors};
  for (std::size_t i = 0; i < dim(); ++i) {
    for (std::size_t t = 0; t < vectors; ++t) {
      numbers[i * vectors + t] = twice[lane_value(t, i, dim())] / 2;
    }
  }
  std::vector<std::byte> bytes = write(choose_tiles(page, order_, dim()), page);
  // The search counts distances by group: where it went wrong, what the bound was made of.
  if (bytes.size() > vectors * most_vector_bytes()) {
    std::vector<std::byte> usual = write(usual_header(vectors), page);
    if (usual.size() < bytes.size()) bytes = std::move(usual);
  }
  return bytes;
}

void TileCoder::decode(std::span<const std::byte> in, std::size_t vectors,
                       std::span<std::int32_t> twice) const {
  require_lanes(Lattice::z, twice.size(), vectors, dim());
  TileHeader header(dim(), vectors);
  header.read(in);
  std::size_t at = header.bytes();
  for (std::size_t first = 0; first < vectors; first += kFieldBlock) {
    at += take_tile_block(header, order_, in.subspan(at),
                          {twice.data() + lane_value(first, 0, dim()), dim(),
                           std::min(kFieldBlock, vectors - first)});
  }
  if (at != in.size()) {
    throw CorruptStream("tiles: a page of " + std::to_string(in.size()) + " bytes, expected " +
                        std::to_string(at));
  }
  constexpr auto kMost = static_cast<std::uint32_t>(kLargestCoordinate);
  const std::size_t values = lane_values(vectors, dim());
  for (std::size_t n = 0; n < values; ++n) {
    const std::size_t vector = n / (kLanes * dim()) * kLanes + n % kLanes;
    if (vector >= vectors) {
      twice[n] = 0;
      continue;
    }
    if (static_cast<std::uint32_t>(twice[n]) + kMost > 2 * kMost) {
      throw CorruptStream("tiles: coordinate " + std::to_string(n / kLanes % dim()) +
                          " of vector " + std::to_string(vector) + ": " + std::to_string(twice[n]) +
                          " steps, expected at most 2^21");
    }
    twice[n] *= 2;
  }
  std::fill(twice.begin() + static_cast<std::ptrdiff_t>(values), twice.end(), 0);
}

}  // namespace kakeya

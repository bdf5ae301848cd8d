// SPDX-License-Identifier: Apache-2.0
#include "kakeya/entropy/field_coder.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <string>

#include "kakeya/core/clones.h"
#include "kakeya/core/error.h"
#include "kakeya/entropy/field_choice.h"
#include "kakeya/entropy/field_costs.h"
#include "kakeya/lattice/dn.h"
#include "kakeya/lattice/trellis.h"

#define KAKEYA_INLINE [[gnu::always_inline]] inline

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi"  // all that takes a vector by value is inlined
#endif

namespace kakeya {
namespace {

constexpr std::size_t kCountBytes = sizeof(FieldCounts);

std::size_t blocks_of(std::size_t vectors) { return (vectors + kFieldBlock - 1) / kFieldBlock; }

FieldBlock block_of(const FieldBlock& page, std::size_t block) {
  const std::size_t first = block * kFieldBlock;
  return {page.v + first, page.stride, std::min(kFieldBlock, page.vectors - first)};
}

// A page with this header; nothing where the counts of a block exceed 16 bits.
std::optional<std::vector<std::byte>> write_page(const FieldHeader& header, FieldOrder order,
                                                 const FieldBlock& page) {
  const PlaneUnits units = header.units();
  const std::size_t blocks = blocks_of(page.vectors);
  std::vector<std::byte> out(header.bytes() + blocks * kCountBytes);
  header.write(out);
  for (std::size_t b = 0; b < blocks; ++b) {
    const FieldBlock block = block_of(page, b);
    const std::size_t at = out.size();
    out.resize(at + field_bytes(units, block.vectors));
    put_fields(header, order, block, std::span(out).subspan(at));
  }
  for (std::size_t b = 0; b < blocks; ++b) {
    const auto counts = put_lists(header, block_of(page, b), out);
    if (!counts) return std::nullopt;
    std::memcpy(out.data() + header.bytes() + b * kCountBytes, counts->data(), kCountBytes);
  }
  return out;
}

[[noreturn]] void throw_length(std::size_t bytes, std::size_t expected) {
  throw CorruptStream("fields: a page of " + std::to_string(bytes) + " bytes, expected " +
                      std::to_string(expected));
}

// Whether 2 number + half is the double of a coordinate that may be.
constexpr bool is_within(std::int32_t number, std::int32_t half) {
  constexpr auto kMost = static_cast<std::uint32_t>(kLargestCoordinate);
  return static_cast<std::uint32_t>(number) + kMost <= 2 * kMost - static_cast<std::uint32_t>(half);
}

// Twice the points of 32 vectors, one a lane, whose numbers these are: coordinate i of lane r is
// v[i * kLanes + r]. Goes from the last coordinate to the first; one of which a number is not within
// is left as it is, and i + 1 returned, otherwise 0. `half`: what this coordinate's numbers get, 0 before.
KAKEYA_CLONES
std::size_t to_twice(Lattice lattice, std::int32_t* v, std::size_t dim, std::int32_t* half) {
  std::uint32_t state[kLanes] = {};
  for (std::size_t left = dim; left > 0; --left) {
    std::int32_t* const number = v + (left - 1) * kLanes;
    if (lattice == Lattice::e8 && left % kFieldGroup == 0) {
      for (std::size_t r = 0; r < kLanes; ++r) {
        std::int32_t sum = 0;
        for (std::size_t j = 2; j <= kFieldGroup; ++j) sum ^= v[(left - j) * kLanes + r];
        half[r] = number[r] & 1;
        number[r] = (number[r] & ~1) | (sum & 1);
      }
    }
    if (lattice == Lattice::trellis) {
      for (std::size_t r = 0; r < kLanes; ++r) {
        half[r] = static_cast<std::int32_t>(trellis_parity(state[r]));
      }
    }
    std::int32_t beyond = 0;  // as wide as what is compared, which vector units take
    for (std::size_t r = 0; r < kLanes; ++r) {
      beyond |= static_cast<std::int32_t>(!is_within(number[r], half[r]));
    }
    if (beyond != 0) return left;
    for (std::size_t r = 0; r < kLanes; ++r) number[r] = 2 * number[r] + half[r];
    if (lattice == Lattice::trellis) {
      for (std::size_t r = 0; r < kLanes; ++r) state[r] = next_trellis_state(state[r], number[r]);
    }
  }
  return 0;
}

// Numbers of eight lanes: a group of them, and what is made of it, are registers of a processor with AVX2.
using Numbers [[gnu::vector_size(32)]] = std::int32_t;
using Patterns [[gnu::vector_size(32)]] = std::uint32_t;
constexpr std::size_t kNumbers = sizeof(Numbers) / sizeof(std::int32_t);

template <typename Vector>
KAKEYA_INLINE Vector larger(Vector a, Vector b) {
  return a > b ? a : b;
}

// to_twice() of eight of the lanes, a group after another, each read once. Returns what is not 0 where a number is
// not within.
template <bool kE8>
KAKEYA_INLINE Patterns groups_to_twice(std::int32_t* v, std::size_t dim) {
  constexpr auto kMost = static_cast<std::uint32_t>(kLargestCoordinate);
  Patterns beyond = {};
  for (std::int32_t* const end = v + dim * kLanes; v != end; v += kFieldGroup * kLanes) {
    Numbers number[kFieldGroup], sum = {}, half = {};
    Patterns most = {};
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kFieldGroup; ++i) {
      std::memcpy(&number[i], v + i * kLanes, sizeof number[i]);
      if (kE8 && i + 1 == kFieldGroup) {
        half = number[i] & 1;
        number[i] = (number[i] & ~1) | (sum & 1);
      }
      sum ^= number[i];
      most = larger(most, reinterpret_cast<Patterns>(number[i]) + kMost);
    }
    beyond |= most > 2 * kMost - reinterpret_cast<Patterns>(half);
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kFieldGroup; ++i) {
      const auto pattern = reinterpret_cast<Patterns>(number[i]);  // wraps where it is not within
      const Patterns twice = pattern + pattern + reinterpret_cast<Patterns>(half);
      std::memcpy(v + i * kLanes, &twice, sizeof twice);
    }
  }
  return beyond;
}

// to_twice() of Z and E8 of all vectors. False, and anything in v, where a number is not within.
KAKEYA_CLONES bool all_to_twice(Lattice lattice, std::int32_t* v, std::size_t vectors,
                                std::size_t dim) {
  Patterns beyond = {};
  for (std::size_t first = 0; first < vectors; first += kNumbers) {
    std::int32_t* const lanes = v + lane_value(first, 0, dim);
    const Patterns here = lattice == Lattice::e8 ? groups_to_twice<true>(lanes, dim)
                                                 : groups_to_twice<false>(lanes, dim);
    beyond |= here;
  }
  std::uint32_t any = 0;
  for (std::size_t r = 0; r < kNumbers; ++r) any |= beyond[r];
  return any == 0;
}

}  // namespace

FieldCoder::FieldCoder(Lattice lattice, FieldOrder order, std::span<const double> deviations)
    : lattice_(lattice), order_(order), widths_(deviations.size() / kFieldGroup) {
  if (lattice == Lattice::d4) throw InputError("fields: of D4 there are none");
  if (deviations.empty() || deviations.size() > kMostFieldDim ||
      deviations.size() % kFieldGroup != 0) {
    throw InputError("fields: vectors of " + std::to_string(deviations.size()) +
                     " coordinates, expected a multiple of 8 up to " +
                     std::to_string(kMostFieldDim));
  }
  for (std::size_t i = 0; i < deviations.size(); ++i) {
    int bits = 2;  // four deviations on either side, at most as many as bfloat16 has
    while (bits < 16 && std::ldexp(1.0, bits) < 8 * deviations[i]) ++bits;
    std::uint8_t& width = widths_[i / kFieldGroup];
    width = std::max(width, static_cast<std::uint8_t>(bits));
  }
}

std::size_t FieldCoder::most_overhead(std::size_t vectors) const {
  return 16 + dim() / 4 + blocks_of(vectors) * (12 + kFieldPlanes * kRowBytes) +
         15 * most_vector_bytes();
}

std::uint64_t FieldCoder::most_bits(const float* z, std::size_t stride, std::size_t r) const {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < dim(); ++i) {
    bits += most_number_bits(std::fabs(z[i * stride + r]), widths_[i / kFieldGroup]);
  }
  return bits;
}

void FieldCoder::to_numbers(std::span<const std::int32_t> twice, const FieldBlock& page) const {
  for (std::size_t i = 0; i < dim(); ++i) {
    const bool last = lattice_ == Lattice::e8 && i % kFieldGroup == kFieldGroup - 1;
    for (std::size_t t = 0; t < page.vectors; ++t) {
      const std::int32_t number = twice[lane_value(t, i, dim())], v = number >> 1;
      page.v[i * page.stride + t] = last ? (v & ~1) | (number & 1) : v;
    }
  }
}

// Lanes without a vector to 0.
void FieldCoder::clear_behind(std::size_t vectors, std::span<std::int32_t> twice) const {
  std::fill(twice.begin() + lane_values(vectors, dim()), twice.end(), 0);
  if (vectors % kLanes == 0) return;
  std::int32_t* const v = twice.data() + lane_value(vectors - vectors % kLanes, 0, dim());
  for (std::size_t i = 0; i < dim(); ++i) {
    std::fill(v + i * kLanes + vectors % kLanes, v + (i + 1) * kLanes, 0);
  }
}

// Numbers in lanes to points.
void FieldCoder::from_numbers(std::size_t vectors, std::span<std::int32_t> twice) const {
  for (std::size_t first = 0; first < vectors; first += kLanes) {
    std::int32_t* const v = twice.data() + lane_value(first, 0, dim());
    std::int32_t half[kLanes] = {};
    const std::size_t left = to_twice(lattice_, v, dim(), half);
    if (left == 0) continue;
    const std::int32_t* const row = v + (left - 1) * kLanes;
    std::size_t r = 0;
    while (is_within(row[r], half[r])) ++r;
    throw CorruptStream("fields: coordinate " + std::to_string(left - 1) + " of vector " +
                        std::to_string(first + r) + ": " + std::to_string(row[r]) +
                        " steps, expected at most 2^21");
  }
}

// What most_bits() counts with.
FieldHeader FieldCoder::usual_header(std::size_t vectors) const {
  FieldHeader header(dim(), vectors);
  for (std::size_t g = 0; g < widths_.size(); ++g) header.codes[g] = field_code_of_bits(widths_[g]);
  return header;
}

std::vector<std::byte> FieldCoder::encode(std::span<const std::int32_t> twice,
                                          std::size_t vectors) const {
  require_lanes(lattice_, twice.size(), vectors, dim());
  require_points(lattice_, twice, vectors, dim(), dim());
  if (vectors > kMostFieldVectors) {
    throw InputError("fields: a page of " + std::to_string(vectors) +
                     " vectors, expected at most 65536");
  }
  std::vector<std::int32_t> numbers(dim() * vectors);
  const FieldBlock page{numbers.data(), vectors, vectors};
  to_numbers(twice, page);
  auto bytes = write_page(choose_fields(page, dim()), order_, page);
  // The search counts distances by their mean: where it went wrong, what the bound was made of.
  if (!bytes || bytes->size() > vectors * most_vector_bytes()) {
    auto usual = write_page(usual_header(vectors), order_, page);
    if (usual && (!bytes || usual->size() < bytes->size())) bytes = std::move(usual);
  }
  if (!bytes) throw InputError("fields: a block has more than 65535 entries in a list");
  return *std::move(bytes);
}

void FieldCoder::take_numbers(std::span<const std::byte> in, std::size_t vectors,
                              std::span<std::int32_t> twice) const {
  FieldHeader header(dim(), vectors);
  header.read(in);
  const PlaneUnits units = header.units();
  const std::size_t blocks = blocks_of(vectors), counts_at = header.bytes();
  const std::size_t last = vectors - (blocks - 1) * kFieldBlock;
  const std::size_t block_bytes = field_bytes(units, kFieldBlock);
  const std::size_t fields_at = counts_at + blocks * kCountBytes;
  std::size_t lists_at = fields_at + (blocks - 1) * block_bytes + field_bytes(units, last);
  if (in.size() < lists_at) throw_length(in.size(), lists_at);
  for (std::size_t b = 0; b < blocks; ++b) {
    const std::size_t first = b * kFieldBlock;
    const FieldLanes block{twice.data() + lane_value(first, 0, dim()), dim(),
                           std::min(kFieldBlock, vectors - first)};
    take_fields(header, order_, in.subspan(fields_at + b * block_bytes), block);
    FieldCounts counts;
    std::memcpy(counts.data(), in.data() + counts_at + b * kCountBytes, kCountBytes);
    const std::size_t bytes = list_bytes(header, counts);
    if (in.size() - lists_at < bytes) throw_length(in.size(), lists_at + bytes);
    take_lists(header, counts, in.subspan(lists_at, bytes), block);
    lists_at += bytes;
  }
  if (lists_at != in.size()) throw_length(in.size(), lists_at);
  clear_behind(vectors, twice);
}

void FieldCoder::decode(std::span<const std::byte> in, std::size_t vectors,
                        std::span<std::int32_t> twice) const {
  require_lanes(lattice_, twice.size(), vectors, dim());
  take_numbers(in, vectors, twice);
  if (lattice_ != Lattice::trellis) {
    if (all_to_twice(lattice_, twice.data(), vectors, dim())) return;
    take_numbers(in, vectors, twice);  // again, to say which number is not within
  }
  from_numbers(vectors, twice);
}

}  // namespace kakeya

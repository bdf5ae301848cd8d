// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/prefix.cuh"

// A page of prefix codes read by a warp, for prefix_decode.cu and prefix_attention.cu. What becomes of its coordinates a
// Consumer says, whose calls all lanes make together, each for a vector of its own:
//
//     open(page)                     before anything else of a page
//     begin(slot)                    vectors 32 slot + lane follow
//     take_four<n>(first, bytes)     coordinates [first, first + 4), a signed byte each
//     take_four_more<n>(first, u, s) the same of 9 bits: bytes u, or -1 - u where the byte of s is 0xff
//     take_eight<n>(first, values)   eight of any size
//     end_groups(group)              groups `group` and the one behind it are done. n: which four, or eight, of their
//                                    16 coordinates
//     end(vector, is_there)          the lane's vector is done
//     correct(...)                   corrections, 32 at a time, behind all vectors; false where one is damaged

namespace kakeya::kernels {
namespace {

constexpr std::uint32_t kNoGroup = 0x40;  // in the place of a kind
constexpr int kPrefixHeader = 12;
constexpr std::uint32_t kMostPrefixString = 1u << 20;  // bytes, more than 4096 vectors take

// The bytes of a page and what its header says.
struct OpenPrefix {
  const std::uint8_t *planes, *corrections, *string;  // of this lane
  std::uint32_t rows, count, bytes;
};

// What the header of a page of `bytes` bytes says of its vectors; 0 where there is none.
__device__ __forceinline__ int prefix_vectors(const std::uint8_t* page, std::uint64_t bytes) {
  return bytes < kPrefixHeader ? 0 : static_cast<int>(word_of_bytes(page + 4) & 0xffffu) + 1;
}

// False where the page cannot be one. It ends up to `spare` bytes before `bytes`.
__device__ __forceinline__ bool open_prefix(const std::uint8_t* page, std::uint64_t bytes,
                                            std::uint32_t spare, int vectors,
                                            std::uint32_t plane_bytes, OpenPrefix& open) {
  const int lane = lane_number();
  if (bytes < kPrefixHeader) return false;
  const std::uint32_t sizes = word_of_bytes(page + 4), bits = word_of_bytes(page + 8);
  open.count = word_of_bytes(page);
  if (static_cast<int>(sizes & 0xffffu) + 1 != vectors || bits > 32) return false;
  const auto slots = static_cast<std::uint32_t>((vectors + kPageLanes - 1) / kPageLanes);
  open.rows = (slots * plane_bytes + 3) / 4;
  const std::uint64_t planes_at = kPrefixHeader + 4 * bits,
                      corrections_at = planes_at + std::uint64_t{4 * kPageLanes} * open.rows,
                      strings_at = corrections_at + std::uint64_t{4} * open.count;
  if (bytes < strings_at) return false;
  std::uint32_t more = 0;
  if (bits != 0) {
    const std::uint32_t bit = static_cast<std::uint32_t>(lane) * bits, word = bit / 32;
    const std::uint32_t low = word_of_bytes(page + kPrefixHeader + 4 * word),
                        high = word + 1 < bits ? word_of_bytes(page + kPrefixHeader + 4 * word + 4)
                                               : 0;
    more = __funnelshift_r(low, high, static_cast<int>(bit % 32)) & (~0u >> (32 - bits));
  }
  open.bytes = (sizes >> 16) + more;
  if (any_lane(more > kMostPrefixString)) return false;
  std::uint32_t end = open.bytes;
#pragma unroll
  for (int lanes = 1; lanes < kPageLanes; lanes *= 2) {
    const std::uint32_t other = __shfl_sync(kAll, end, (lane - lanes) & 31);
    if (lane >= lanes) end += other;
  }
  const std::uint32_t all = __shfl_sync(kAll, end, 31);
  open.planes = page + planes_at;
  open.corrections = page + corrections_at;
  open.string = page + strings_at + (end - open.bytes);
  const std::uint64_t end_of_page = strings_at + all;
  return spare == 0 ? end_of_page == bytes : end_of_page <= bytes && bytes - end_of_page <= spare;
}

// Two or four bytes of two entries: see unpacked().
__device__ __forceinline__ std::uint32_t four_of_pairs(std::uint32_t e0, std::uint32_t e1) {
  return permute(e0, e1, 0x7531);
}
__device__ __forceinline__ std::uint32_t four_of_quad(std::uint32_t e) {
  const auto first = static_cast<std::uint32_t>(static_cast<std::int32_t>(e << 24) >> 29);
  return permute(e, first, 0x3214);
}
// Bits 0 to 3 to bit kBit of four bytes.
template <int kBit>
__device__ __forceinline__ std::uint32_t spread(std::uint32_t bits) {
  return ((bits & 15) * (0x00204081u << kBit)) & (0x01010101u << kBit);
}
// Bits 0 to 3 to all bits of four bytes.
__device__ __forceinline__ std::uint32_t spread_signs(std::uint32_t bits) {
  return permute((bits & 15) * 0x10204080u, 0, 0xba98);
}

// Eight coordinates with more than three low bits.
template <int kEight, typename Consumer>
__device__ __forceinline__ void take_wide(int first, int planes, const std::uint32_t (&e)[4],
                                          PrefixPlanes& reader, Consumer& consumer) {
  std::uint32_t u[8], signs = 0;
#pragma unroll
  for (int c = 0; c < 8; ++c) u[c] = (e[c / 2] >> (c % 2 == 0 ? 8 : 24) & 31u) << (planes - 1);
#pragma unroll 1
  for (int p = 0; p < planes; ++p) {
    const std::uint32_t byte = reader.take(1);
    if (p == 0) {
      signs = byte;
      continue;
    }
#pragma unroll
    for (int c = 0; c < 8; ++c) u[c] |= (byte >> c & 1u) << (p - 1);
  }
  std::int32_t values[8];
#pragma unroll
  for (int c = 0; c < 8; ++c) {
    values[c] = static_cast<std::int32_t>((signs >> c & 1u) != 0 ? ~u[c] : u[c]);
  }
  consumer.template take_eight<kEight>(first, values);
}

// What the entries of pairs of a group stand for.
template <int kEight, typename Consumer>
__device__ __forceinline__ void take_pairs(int group, std::uint32_t kind,
                                           const std::uint32_t (&e)[4], PrefixPlanes& planes,
                                           Consumer& consumer) {
  const int first = 8 * group;
  std::uint32_t low = four_of_pairs(e[0], e[1]), high = four_of_pairs(e[2], e[3]);
  if (kind == 0) {
    consumer.template take_four<2 * kEight>(first, low);
    consumer.template take_four<2 * kEight + 1>(first + 4, high);
    return;
  }
  if (kind > 4) return take_wide<kEight>(first, static_cast<int>(kind), e, planes, consumer);
  const std::uint32_t bits = planes.take(static_cast<int>(kind));
  if (kind >= 2) low |= spread<0>(bits >> 8), high |= spread<0>(bits >> 12);
  if (kind >= 3) low |= spread<1>(bits >> 16), high |= spread<1>(bits >> 20);
  const std::uint32_t low_signs = spread_signs(bits), high_signs = spread_signs(bits >> 4);
  if (kind <= 3) {
    consumer.template take_four<2 * kEight>(first, low ^ low_signs);
    consumer.template take_four<2 * kEight + 1>(first + 4, high ^ high_signs);
    return;
  }
  low |= spread<2>(bits >> 24), high |= spread<2>(bits >> 28);
  consumer.template take_four_more<2 * kEight>(first, low, low_signs);
  consumer.template take_four_more<2 * kEight + 1>(first + 4, high, high_signs);
}
template <int kEight, typename Consumer>
__device__ __forceinline__ void take_quads(int group, const std::uint32_t (&e)[4],
                                           Consumer& consumer) {
  consumer.template take_four<2 * kEight>(8 * group, four_of_quad(e[0]));
  consumer.template take_four<2 * kEight + 1>(8 * group + 4, four_of_quad(e[1]));
}

// Of entries of quads the lengths alone are in these bits.
template <bool kQuads, typename String>
__device__ __forceinline__ void take_two(String& string, std::uint32_t a, std::uint32_t b) {
  kQuads ? string.take((a + b) & 31, 0) : string.take(a, b);
}

// The codewords of a group, kAhead behind `group`.
template <bool kQuads, int kAhead, typename Tables, typename String>
__device__ __forceinline__ void look_up(const Tables& tables, int group, std::uint32_t kind,
                                        String& string, std::uint32_t (&e)[4]) {
#pragma unroll
  for (int k = 0; k < (kQuads ? 2 : 4); k += 2) {
    std::uint32_t w = string.window();
    e[k] = tables.template entry<kAhead>(group, kind, w);
    w = __funnelshift_r(w, 0, static_cast<int>(e[k]));
    e[k + 1] = tables.template entry<kAhead>(group, kind, w);
    take_two<kQuads>(string, e[k], e[k + 1]);
  }
}
// And of two groups at once.
template <bool kQuads, typename Tables>
__device__ __forceinline__ void look_up_both(const Tables& tables, int group, std::uint32_t kind,
                                             std::uint32_t next_kind, PrefixString<false>& front,
                                             PrefixString<true>& back, std::uint32_t (&e)[4],
                                             std::uint32_t (&f)[4]) {
#pragma unroll
  for (int k = 0; k < (kQuads ? 2 : 4); k += 2) {
    std::uint32_t v = front.window(), w = back.window();
    e[k] = tables.template entry<0>(group, kind, v);
    f[k] = tables.template entry<1>(group, next_kind, w);
    v = __funnelshift_r(v, 0, static_cast<int>(e[k]));
    w = __funnelshift_r(w, 0, static_cast<int>(f[k]));
    e[k + 1] = tables.template entry<0>(group, kind, v);
    f[k + 1] = tables.template entry<1>(group, next_kind, w);
    take_two<kQuads>(front, e[k], e[k + 1]);
    take_two<kQuads>(back, f[k], f[k + 1]);
  }
}

// Groups `group` and, unless it is kNoGroup, the one behind it.
template <typename Tables, typename Consumer>
__device__ __forceinline__ void take_groups(const Tables& tables, int group, std::uint32_t kind,
                                            std::uint32_t next_kind, PrefixString<false>& front,
                                            PrefixString<true>& back, PrefixPlanes& planes,
                                            Consumer& consumer) {
  std::uint32_t e[4], f[4];
  if (((kind | next_kind) & (kPrefixQuads | kNoGroup)) == 0) {
    look_up_both<false>(tables, group, kind, next_kind, front, back, e, f);
    take_pairs<0>(group, kind, e, planes, consumer);
    take_pairs<1>(group + 1, next_kind, f, planes, consumer);
  } else if ((kind & next_kind & kPrefixQuads) != 0) {
    look_up_both<true>(tables, group, kind, next_kind, front, back, e, f);
    take_quads<0>(group, e, consumer);
    take_quads<1>(group + 1, f, consumer);
  } else {
    if ((kind & kPrefixQuads) != 0) {
      look_up<true, 0>(tables, group, kind, front, e);
      take_quads<0>(group, e, consumer);
    } else {
      look_up<false, 0>(tables, group, kind, front, e);
      take_pairs<0>(group, kind, e, planes, consumer);
    }
    if ((next_kind & kPrefixQuads) != 0) {
      look_up<true, 1>(tables, group, next_kind, back, f);
      take_quads<1>(group + 1, f, consumer);
    } else if (next_kind != kNoGroup) {
      look_up<false, 1>(tables, group, next_kind, back, f);
      take_pairs<1>(group + 1, next_kind, f, planes, consumer);
    }
  }
}

// Corrections of a page, a lane each of 32 at a time; false where one is damaged.
template <typename Consumer>
__device__ bool correct_page(const OpenPrefix& open, int vectors, int dim, Consumer& consumer) {
  const auto places = static_cast<std::uint32_t>(vectors * dim);
  __syncwarp();
  bool good = true;
  for (std::uint32_t n = 0; n < open.count && good; n += kPageLanes) {
    const bool mine = open.count - n > static_cast<std::uint32_t>(lane_number());
    const std::uint32_t word =
        mine ? word_of_bytes(open.corrections + std::uint64_t{4} * (n + lane_number())) : 0;
    const std::uint32_t place = word & ((1u << 21) - 1u), vector = place / dim;
    good = !any_lane(mine && place >= places);
    if (!good) break;
    good = !any_lane(!consumer.correct(mine, static_cast<int>(vector),
                                       static_cast<int>(place - vector * dim),
                                       static_cast<std::int32_t>(word) >> 21));
  }
  return good;
}

// By a warp; `rings` is of kPrefixRings bytes. False where the page is damaged. As open_prefix().
template <typename Tables, typename Consumer>
__device__ __forceinline__ bool take_page(const Tables& tables, const std::uint8_t* page,
                                          std::uint64_t bytes, std::uint32_t spare, int vectors,
                                          int dim, std::uint32_t plane_bytes, std::uint32_t rings,
                                          Consumer& consumer) {
  OpenPrefix open;
  if (!open_prefix(page, bytes, spare, vectors, plane_bytes, open)) return false;
  consumer.open(open);
  wait_for_copies<0>();  // of the page before, into the same rings
  PrefixString<false> front(open.string, open.bytes, rings);
  PrefixString<true> back(open.string, open.bytes, rings + kRingBytes * kPageLanes);
  end_copies();
  PrefixPlanes planes(open.planes, open.rows);
  wait_for_copies<0>();
  front.begin();
  back.begin();
  const int groups = dim / 8, lane = lane_number();
  std::uint32_t taken = 0;
  for (int first = 0; first < vectors; first += kPageLanes) {
    consumer.begin(first / kPageLanes);
    for (int g = 0; g < groups; g += kPrefixGroupsAtOnce) {
      wait_for_copies<1>();
      front.top_up();
      back.top_up();
      end_copies();
      std::uint32_t kinds;
      load_shared(tables.kinds + g, kinds, std::uint32_t());
      const int end = groups - g < kPrefixGroupsAtOnce ? groups : g + kPrefixGroupsAtOnce;
#pragma unroll 1
      for (int of = g; of < end; of += 2, kinds >>= 16) {
        take_groups(tables, of, kinds & 0xff, of + 1 < groups ? kinds >> 8 & 0xff : kNoGroup, front,
                    back, planes, consumer);
        consumer.end_groups(of);
      }
    }
    const bool is_there = first + lane < vectors;
    if (is_there) taken = front.taken() + back.taken();
    consumer.end(first + lane, is_there);
  }
  const std::uint32_t room = 8 * open.bytes;
  if (any_lane(taken > room || room - taken >= 8)) return false;
  return correct_page(open, vectors, dim, consumer);
}

}  // namespace
}  // namespace kakeya::kernels

// SPDX-License-Identifier: Apache-2.0
// Pages of prefix codes to points: a warp a page, a block works for one head.
#include <algorithm>

#include "kernels/pages_launch.cuh"
#include "kernels/prefix.cuh"
#include "kernels/prefix_takers.cuh"

namespace kakeya::kernels {
namespace {

constexpr int kPrefixWarps = 24;
constexpr std::uint32_t kNoGroup = 0x40;  // in the place of a kind
constexpr int kPrefixHeader = 12;
constexpr std::uint32_t kMostPrefixString = 1u << 20;  // bytes, more than 4096 vectors take

// The bytes of a page and what its header says.
struct OpenPrefix {
  const std::uint8_t *planes, *corrections, *string;  // of this lane
  std::uint32_t rows, count, bytes;
};

// False where the page cannot be one.
__device__ __forceinline__ bool open_prefix(const std::uint8_t* page, std::uint64_t bytes,
                                            int vectors, std::uint32_t plane_bytes,
                                            OpenPrefix& open) {
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
  return strings_at + all == bytes;
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
template <typename Consumer>
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
#pragma unroll
  for (int c = 0; c < 8; ++c) {
    consumer.take(first + c, static_cast<std::int32_t>((signs >> c & 1u) != 0 ? ~u[c] : u[c]));
  }
}

// What the entries of pairs of a group stand for.
template <typename Consumer>
__device__ __forceinline__ void take_pairs(int group, std::uint32_t kind,
                                           const std::uint32_t (&e)[4], PrefixPlanes& planes,
                                           Consumer& consumer) {
  const int first = 8 * group;
  std::uint32_t low = four_of_pairs(e[0], e[1]), high = four_of_pairs(e[2], e[3]);
  if (kind == 0) {
    consumer.take_four(first, low);
    consumer.take_four(first + 4, high);
    return;
  }
  if (kind > 4) return take_wide(first, static_cast<int>(kind), e, planes, consumer);
  const std::uint32_t bits = planes.take(static_cast<int>(kind));
  if (kind >= 2) low |= spread<0>(bits >> 8), high |= spread<0>(bits >> 12);
  if (kind >= 3) low |= spread<1>(bits >> 16), high |= spread<1>(bits >> 20);
  const std::uint32_t low_signs = spread_signs(bits), high_signs = spread_signs(bits >> 4);
  if (kind <= 3) {
    consumer.take_four(first, low ^ low_signs);
    consumer.take_four(first + 4, high ^ high_signs);
    return;
  }
  low |= spread<2>(bits >> 24), high |= spread<2>(bits >> 28);
  consumer.take_four_more(first, low, low_signs);
  consumer.take_four_more(first + 4, high, high_signs);
}
template <typename Consumer>
__device__ __forceinline__ void take_quads(int group, const std::uint32_t (&e)[4],
                                           Consumer& consumer) {
  consumer.take_four(8 * group, four_of_quad(e[0]));
  consumer.take_four(8 * group + 4, four_of_quad(e[1]));
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
    take_pairs(group, kind, e, planes, consumer);
    take_pairs(group + 1, next_kind, f, planes, consumer);
  } else if ((kind & next_kind & kPrefixQuads) != 0) {
    look_up_both<true>(tables, group, kind, next_kind, front, back, e, f);
    take_quads(group, e, consumer);
    take_quads(group + 1, f, consumer);
  } else {
    if ((kind & kPrefixQuads) != 0) {
      look_up<true, 0>(tables, group, kind, front, e);
      take_quads(group, e, consumer);
    } else {
      look_up<false, 0>(tables, group, kind, front, e);
      take_pairs(group, kind, e, planes, consumer);
    }
    if ((next_kind & kPrefixQuads) != 0) {
      look_up<true, 1>(tables, group, next_kind, back, f);
      take_quads(group + 1, f, consumer);
    } else if (next_kind != kNoGroup) {
      look_up<false, 1>(tables, group, next_kind, back, f);
      take_pairs(group + 1, next_kind, f, planes, consumer);
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

// By a warp; `rings` is of kPrefixRings bytes. False where the page is damaged.
template <typename Tables, typename Consumer>
__device__ __forceinline__ bool take_page(const Tables& tables, const std::uint8_t* page,
                                          std::uint64_t bytes, int vectors, int dim,
                                          std::uint32_t plane_bytes, std::uint32_t rings,
                                          Consumer& consumer) {
  OpenPrefix open;
  if (!open_prefix(page, bytes, vectors, plane_bytes, open)) return false;
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

struct PrefixWork {
  const std::uint64_t* starts;
  std::uint32_t* queue;
};

// Shared memory of a block, from its beginning at kSharedBegin on: kinds, the ring of the first warp, tables
// at a multiple of their size, rings of the others.
constexpr std::uint32_t kSharedBegin = 1024, kPrefixTablesAt = 8192;
constexpr std::size_t kMostPrefixShared = 227 * 1024;
template <PrefixMemory kMemory>
constexpr std::uint32_t prefix_shared_bytes(int dim) {
  return kPrefixTablesAt - kSharedBegin + dim / 8 * PrefixTables<kMemory>::kTableBytes +
         (kPrefixWarps - 1) * kPrefixRings;
}

template <PrefixMemory kMemory, typename Consumer>
__global__ void __launch_bounds__(32 * kPrefixWarps, 1)
    take_prefix_pages(PrefixPages codec, PageSections in, PagePoints points, std::int64_t tokens,
                      PrefixWork work, std::int32_t* sums, std::uint32_t* flags) {
  KAKEYA_DYNAMIC_SHARED(shared);
  const int thread = static_cast<int>(threadIdx.x), groups = codec.dim / 8;
  const std::int64_t head = blockIdx.x % static_cast<unsigned>(codec.heads);
  const std::int64_t plan = plan_number(codec.plans, head);
  const std::uint32_t begins = shared_number(shared);
  if (begins > kSharedBegin) stop_kernel();
  auto* const kinds = reinterpret_cast<std::uint32_t*>(shared);
  if (thread < kMostPrefixGroups / 4) {
    kinds[thread] = codec.kinds[plan * (kMostPrefixGroups / 4) + thread];
  }
  __syncthreads();
  PrefixTables<kMemory> tables{codec.tables + plan * groups * kPrefixEntries, kPrefixTablesAt,
                               begins};
  std::uint32_t plane_bytes = 0;
  for (int g = 0; g < groups; ++g) plane_bytes += kinds[g / 4] >> (8 * (g % 4)) & 0x7f;
  tables.fill(groups, kinds);
  __syncthreads();
  const std::uint32_t warp = threadIdx.x / 32;
  const std::uint32_t rings =
      warp == 0 ? kPrefixTablesAt - kPrefixRings
                : kPrefixTablesAt + groups * tables.kTableBytes + (warp - 1) * kPrefixRings;
  const std::uint8_t* const streams = in.streams + head * in.stream_stride;
  const std::uint64_t* const starts = work.starts + head * (points.pages + 1);
  for (std::int64_t number = first_page(codec.heads); number < points.pages;
       number = next_page(work.queue + head, codec.heads)) {
    const std::int64_t left = tokens_of_head(codec.counts, tokens, head) - number * points.page;
    const int vectors = left < points.page ? static_cast<int>(left) : points.page;
    Consumer consumer =
        prefix_consumer(codec, points, head, number, static_cast<Consumer*>(nullptr), sums);
    const std::uint64_t begin = starts[number], end = starts[number + 1];
    const bool there = end != ~std::uint64_t{0};
    const bool good = there && take_page(tables, streams + begin, end - begin, vectors, codec.dim,
                                         plane_bytes, rings, consumer);
    __syncwarp();
    consumer.finish(points, vectors, good);
    if (!good && there && lane_number() == 0) {
      atomicOr(flags + head, static_cast<std::uint32_t>(kBadPage));
    }
  }
}

template <typename Consumer>
void take_prefix(const PrefixPages& codec, const PageSections& in, const PagePoints& points,
                 std::int64_t tokens, std::int32_t* sums, void* workspace, std::uint32_t* flags,
                 Stream stream) {
  if (codec.heads == 0 || points.pages == 0) return;
  auto* const starts = static_cast<std::uint64_t*>(workspace);
  auto* const queue = reinterpret_cast<std::uint32_t*>(starts + codec.heads * (points.pages + 1));
  fill(queue, 0, 4 * static_cast<std::size_t>(codec.heads), stream);
  locate_pages(codec.heads, points.pages, in, starts, flags, stream);
  const PrefixWork work{starts, queue};
  const auto launch = [&](auto memory) {
    const std::size_t bytes = prefix_shared_bytes<memory()>(codec.dim);
    if (bytes > kMostPrefixShared) return false;
    const auto kernel = take_prefix_pages<memory(), Consumer>;
    const int at_once = blocks_at_once(kernel, 32 * kPrefixWarps, bytes);
    if (at_once == 0) return false;
    const std::int64_t a_head =
        std::min<std::int64_t>(std::max(at_once / codec.heads, 1), points.pages);
    launch_blocks(kernel, a_head * codec.heads, 32 * kPrefixWarps, bytes, stream, codec, in, points,
                  tokens, work, sums, flags);
    return true;
  };
  if (launch(std::integral_constant<PrefixMemory, PrefixMemory::words>())) return;
  if (launch(std::integral_constant<PrefixMemory, PrefixMemory::halves>())) return;
  if (launch(std::integral_constant<PrefixMemory, PrefixMemory::device>())) return;
  throw Error("CUDA: prefix codes: no multiprocessor takes a block that decodes them");
}

}  // namespace

std::size_t prefix_decode_workspace(const PagePoints& points, int heads) {
  return page_decode_workspace(points, heads);
}

void decode_prefix(const PrefixPages& codec, const PageSections& in, const PagePoints& points,
                   std::int64_t tokens, void* workspace, std::uint32_t* flags, Stream stream) {
  take_prefix<PrefixToMemory>(codec, in, points, tokens, nullptr, workspace, flags, stream);
}

void sum_prefix(const PrefixPages& codec, const PageSections& in, const PagePoints& points,
                std::int64_t tokens, std::int32_t* sums, void* workspace, std::uint32_t* flags,
                Stream stream) {
  take_prefix<PrefixSums>(codec, in, points, tokens, sums, workspace, flags, stream);
}

}  // namespace kakeya::kernels

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/kernels.h"

// Entropy-coded pages of lattice points (lib/kakeya/entropy/point_coder.h) on the device: a warp a
// page, the bytes of PointCoder. Launchers as those of kernels.h; what they need of the classes is
// made by lib/kakeya/device/device_pages.h. Kernels that code pages themselves use pages.cuh.
//
// Points lie as in entropy/lanes.h, page after page: page p of head h at
//
//     twice + h * head_stride + p * lane_values(page, dim)
//
// and in it twice coordinate i of vector t at [(t / 32 * dim + i) * 32 + t % 32]. A page of fewer
// vectors than `page` has the room of a whole one.

namespace kakeya::kernels {

/// kakeya::Lattice, by the same numbers.
enum class PageLattice : int { z, d4, e8, trellis };

/// What a kernel found wrong, or-ed into flags[head], beside those of kernels.h.
enum PageFlag : std::uint32_t {
  kBadPage = 32,       ///< a page that PointCoder::decode() refuses: it decodes as zeros
  kBadPageSizes = 64,  ///< pages that do not add up to the streams: all decode as zeros
  kPageTooLong = 128,  ///< a page that does not fit its slot: it is left out, the frame is no good
  kStreamTooLong = 256,  ///< pages that together do not fit stream_room: none is written
};

/// Where something lies among the tables, in bytes from their beginning (PageCoding::tables, or the
/// shared memory that a kernel copied them to).
using TableOffset = std::uint32_t;

/// The model of one context of a class (ValueTable). Symbols are called by what they stand for, the
/// coordinate without its raw bits: first, first + 1, ...; the escape is first - 1 in slots, first +
/// escape in buckets.
///
///     entries        frequency << 20 | start, of the escape also `escape` << 12; a u32 each
///     ...            up to PageCoding::slots_behind bytes behind the entry of 0
///     slots, or      4096 of them: the symbol, an i8
///     buckets        256 of them, a u32 for 16 slots: low the symbol of the last one, an i16; bit 16 + k
///                    where slot k + 1 is the first of its symbol
///     rows           behind slots: RansSpread, 4096 row positions, a u16 each; kernels do not copy them
struct PageContext {
  TableOffset zero, bucket_zero;  ///< decoding: the entry of 0, before slots and before buckets
  TableOffset putters;            ///< encoding: a RansSymbol a symbol, the escape the last
  TableOffset spread_slots;       ///< encoding: RansSpread, 4096 u16 by row position
  TableOffset most_costs;         ///< u32 a symbol: ValueTable::most_cost()
  std::int32_t first;             ///< of symbol 0
  std::uint32_t escape;           ///< its symbol: how many others there are
  std::int32_t raw_bits, scale_bits, offset;
};

/// Bytes of entries before that of 0, and behind them up to that of the escape.
constexpr std::uint32_t entries_before(const PageContext& context) {
  return context.first < 1 ? 4 * static_cast<std::uint32_t>(1 - context.first) : 0;
}
constexpr std::uint32_t entries_behind(const PageContext& context) {
  const std::int32_t end = context.first + static_cast<std::int32_t>(context.escape) + 1;
  return end > 1 ? 4 * static_cast<std::uint32_t>(end) : 4;
}
constexpr std::uint32_t kSlotBytes = 4096, kBucketBytes = 1024;
/// Entries and slots, or entries and buckets, as kernels copy them: a multiple of 16.
constexpr std::uint32_t taken_bytes(const PageContext& context, std::uint32_t slots_behind,
                                    std::uint32_t slot_bytes) {
  return (entries_before(context) + slots_behind + slot_bytes + 15) / 16 * 16;
}

/// Coordinates that are decoded together: a unit. What decoding needs of it, its raw bits, a byte a
/// coordinate; whether there are some; how many units there are from this one on, in decoding order, of
/// the same path, that have some, or have none, as this one. Units of fewer coordinates, and with 14 raw
/// bits, are not counted.
constexpr int kPageUnit = 8, kMostQuickRawBits = 13;
constexpr std::uint32_t kRunIsRaw = 1u << 16, kRunUnits = kRunIsRaw - 1;
struct TakeUnit {
  std::uint32_t raw_low, raw_high, run, zero;  ///< run: kRunIsRaw | how many
};

/// Encoding: one of coordinates 8 k to 8 k + 7 has raw bits, with this one.
constexpr std::uint32_t kRawNear = 1u << 16;

/// What a step of encoding needs of a context: the symbol of n, twice the coordinate, is (n >>
/// (raw_bits + scale_bits)) - first, and the escape from there on.
struct PutStep {
  TableOffset putters;
  std::int32_t first;
  std::uint32_t escape;
  std::uint32_t bits;  ///< raw_bits | scale_bits << 8 | kRawNear
};

/// A piece of the tables that kernels copy to shared memory; multiples of 16.
struct TableCopy {
  TableOffset from, to;
  std::uint32_t bytes, zero;
};

/// The classes of one head, in device memory. Coordinate i has contexts [i * stride, ...) of
/// `take`, `put` and `context`, in the order of ClassModels; stride 1 for Z, 2 for D4 and the
/// trellis, 4 for E8.
struct HeadPlan {
  /// PageContext::zero by PageCoding::tables, and by its copies in shared memory, slots and buckets.
  const TableOffset *take, *take_shared, *take_buckets;
  const TakeUnit* units;
  const PutStep *put, *put_shared;     ///< by PageCoding::tables, and by its copy in shared memory
  const std::uint32_t* context;        ///< which of PageCoding::contexts
  const std::uint32_t* cosets;         ///< E8: the frequency of integers, one a block
  const std::uint32_t* coset_putters;  ///< E8: two RansSymbols a block
  const std::uint32_t* coset_costs;    ///< E8: what they cost, as most_costs
  const TableCopy *take_copies, *put_copies;
  std::uint32_t take_copy_count, put_copy_count;
  const TableCopy* bucket_copies;  ///< with PageCoding::bucket_shared_bytes
  std::uint32_t bucket_copy_count;
};

/// What all kernels of pages need; by value. Made by DevicePagePlans::coding().
struct PageCoding {
  PageLattice lattice = PageLattice::z;
  std::int32_t heads = 0, dim = 0;
  std::int32_t path = 0;                 ///< of the trellis: coordinates of a path
  std::uint32_t slots_behind = 0;        ///< of all contexts; a multiple of 4
  const std::uint8_t* tables = nullptr;  ///< device memory, as all pointers here
  const PageContext* contexts = nullptr;
  const HeadPlan* head_plans = nullptr;  ///< one a head
  HeadPlans plans;                       ///< which of them
  /// Bytes of shared memory that any head's copies take; its steps follow.
  std::uint32_t take_shared_bytes = 0, put_shared_bytes = 0;
  std::uint32_t bucket_shared_bytes = 0;  ///< 0: there are no buckets
};

/// Points of `pages` pages of each head.
struct PagePoints {
  std::int32_t* twice = nullptr;
  std::int64_t head_stride = 0;  ///< in values
  /// How many vectors page p of head h has: vectors[h * pages + p], at most `page`. A page of none
  /// has 0 bytes.
  const std::uint32_t* vectors = nullptr;
  std::int64_t pages = 0;
  std::int32_t page = 0;  ///< vectors, a multiple of 32
  bool near = false;      ///< whether `twice` points to numbers of 16 bits (point_memory.cuh)
};

/// Sections "streams" and "pages" of a frame a head, in device memory. `streams`, its stride and its
/// room are multiples of 16.
struct PageSections {
  std::uint8_t* streams = nullptr;
  std::int64_t stream_stride = 0;  ///< bytes from head to head
  std::int64_t stream_room = 0;    ///< bytes of each head's section that may be touched
  std::uint32_t* pages = nullptr;  ///< bytes of each page; page_stride numbers from head to head
  std::int64_t page_stride = 0;
  std::uint64_t* stream_bytes = nullptr;  ///< one a head: written by encoding, read by decoding
};

/// Bytes of device memory that the caller lends, a multiple of 256; nothing in it outlives the call
/// but what locate_pages() says. `slot_bytes`, a multiple of 16, is room for one page: of codecs
/// that keep apart vectors of more than `kept_bytes` most_page_overhead(page) + page * kept_bytes
/// is enough (codec/paged_points.h), PointCoder::page_bound(page) always.
std::size_t page_encode_workspace(const PagePoints& points, int heads, std::size_t slot_bytes);
std::size_t page_decode_workspace(const PagePoints& points, int heads);

/// Writes pages, stream_bytes and streams of all heads: each page to a slot of the workspace, then
/// the sum of their sizes, then each page to its place. Points that are none of the lattice, or
/// beyond 2^21, make a page that decodes to something else; nothing is touched out of bounds.
/// Three kernels.
void encode_pages(const PageCoding& coding, const PagePoints& points, const PageSections& out,
                  void* workspace, std::size_t slot_bytes, std::uint32_t* flags, Stream stream);

/// A kernel of encode_pages(), for others that write pages: from out.pages to stream_bytes and `starts`, as
/// locate_pages() does. Where pages do not fit stream_room, kStreamTooLong.
void place_pages(int heads, std::int64_t pages, const PageSections& out, std::uint64_t* starts,
                 std::uint32_t* flags, Stream stream);

/// The way back: every value of the room of every page is written, 0 where there is no vector and
/// in pages that are damaged. Two kernels.
void decode_pages(const PageCoding& coding, const PageSections& in, const PagePoints& points,
                  void* workspace, std::uint32_t* flags, Stream stream);

/// The first kernel of decode_pages(), for kernels that read pages themselves (pages.cuh): starts[h
/// * (pages + 1) + p] is where page p begins in its head's streams; the last is where they end. Of
/// a head whose pages do not add up to its stream_bytes, or take more than stream_room, flags it and
/// sets all of its starts to ~0.
/// `counts`, where not null, becomes 0 for each head.
void locate_pages(int heads, std::int64_t pages, const PageSections& in, std::uint64_t* starts,
                  std::uint32_t* flags, Stream stream, std::uint32_t* counts = nullptr);

/// Pages that a kernel has left to others: 0 for those that it has not, [heads][pages], and how many of a head.
struct LeftPages {
  const std::uint32_t *pages = nullptr, *counts = nullptr;
};

/// costs[(h * pages + p) * page + t]: an upper bound of what vector t adds to its page, in 1 / 256
/// of a bit, as PointCoder::most_cost(); 0 where there is no vector. One kernel.
void cost_pages(const PageCoding& coding, const PagePoints& points, std::uint32_t* costs,
                Stream stream);

/// Decodes and adds up the coordinates of each vector, twice: sums[(h * pages + p) * page + t], as
/// a consumer that needs no memory for the points. For benchmarks. Two kernels.
void sum_pages(const PageCoding& coding, const PageSections& in, const PagePoints& points,
               std::int32_t* sums, void* workspace, std::uint32_t* flags, Stream stream);

}  // namespace kakeya::kernels

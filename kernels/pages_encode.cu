// SPDX-License-Identifier: Apache-2.0
// Kernels that encode entropy-coded pages (pages.h): pages to slots, their places, and there.
#include "kernels/pages_encode.cuh"
#include "kernels/pages_launch.cuh"

namespace kakeya::kernels {
namespace {

constexpr int kPlaceThreads = kSumThreads, kMoveThreads = 256;

/// Page p of head h is written to the end of slot h * pages + p.
struct PageSlots {
  std::uint8_t* slots;
  std::int64_t bytes;  // of a slot
  std::uint64_t* starts;
  std::uint32_t* queue;
};

struct FromMemory {
  PointMemory points;
  int dim;
  __device__ __forceinline__ std::int32_t twice(int group, int i) const {
    return points.at((static_cast<std::int64_t>(group) * dim + i) * kPageLanes + lane_number());
  }
  template <int kCount>
  __device__ __forceinline__ void get(int group, int first, std::int32_t (&twice)[kCount]) const {
    points.from((static_cast<std::int64_t>(group) * dim + first) * kPageLanes + lane_number())
        .get(kPageLanes, twice);
  }
};

template <PageLattice kLattice, bool kShared>
__global__ void __launch_bounds__(kPageThreads<kShared>, kPageBlocks<kShared>)
    put_kernel(PageCoding coding, PagePoints points, PageSections out, PageSlots slots,
               std::uint32_t* flags) {
  __shared__ std::uint32_t headers[kPageThreads<kShared> / 32][kHeaderWords];
  const std::int64_t head = blockIdx.x % static_cast<unsigned>(coding.heads);
  if (points.pages == 1 && vectors_of(points, head, 0) == 0) {
    if (threadIdx.x == 0) out.pages[head * out.page_stride] = 0;
    return;
  }
  const HeadPlan plan = plan_of_head(coding, head);
  const auto tables = put_tables<kLattice, kShared>(coding, plan);
  for (std::int64_t number = first_page(coding.heads); number < points.pages;
       number = next_page(slots.queue + head, coding.heads)) {
    const int vectors = vectors_of(points, head, number);
    std::int64_t bytes = 0;
    if (vectors != 0) {
      FromMemory producer{points_of(points, coding.dim, head, number), coding.dim};
      bytes = encode_page<kLattice, kShared>(
          coding, plan, tables, slots.slots + (head * points.pages + number) * slots.bytes,
          slots.bytes - kPageSlack, vectors, producer, headers[threadIdx.x / 32]);
    }
    if (lane_number() != 0) continue;
    out.pages[head * out.page_stride + number] = bytes < 0 ? 0 : static_cast<std::uint32_t>(bytes);
    if (bytes < 0) atomicOr(flags + head, static_cast<std::uint32_t>(kPageTooLong));
  }
}

// A block a head: the places of its pages.
__global__ void __launch_bounds__(kPlaceThreads)
    place_kernel(PageSections out, std::int64_t pages, std::uint64_t* starts,
                 std::uint32_t* flags) {
  const std::int64_t head = blockIdx.x;
  const std::uint64_t all =
      sum_before(out.pages + head * out.page_stride, pages, starts + head * (pages + 1));
  if (threadIdx.x != 0) return;
  out.stream_bytes[head] = all;
  if (all > static_cast<std::uint64_t>(out.stream_room)) {
    atomicOr(flags + head, static_cast<std::uint32_t>(kStreamTooLong));
  }
}

// Bytes [at, at + 4) of aligned words, any `at`.
__device__ __forceinline__ std::uint32_t word_at(const std::uint8_t* at) {
  const auto place = reinterpret_cast<std::uintptr_t>(at);
  const auto* words = reinterpret_cast<const std::uint32_t*>(place - place % 4);
  const auto shift = static_cast<int>(place % 4 * 8);
  return __funnelshift_r(words[0], shift == 0 ? 0 : words[1], shift);
}

constexpr std::int64_t kMoveBytes = 4096;

// A warp moves kMoveBytes of a page, one of `parts`, from the end of its slot to its place. Whole words
// of the place are written as words; a slot's memory goes on to a multiple of 16.
__global__ void __launch_bounds__(kMoveThreads)
    move_kernel(PageSections out, std::int64_t pages, std::int64_t all, std::int64_t parts,
                PageSlots slots) {
  const std::int64_t warp =
      static_cast<std::int64_t>(blockIdx.x) * (kMoveThreads / 32) + threadIdx.x / 32;
  const std::int64_t number = warp / parts, part = warp - number * parts;
  if (number >= all) return;
  const std::int64_t head = number / pages, page = number - head * pages;
  const std::uint64_t* starts = slots.starts + head * (pages + 1);
  if (starts[pages] > static_cast<std::uint64_t>(out.stream_room)) return;
  const std::int64_t bytes = static_cast<std::int64_t>(starts[page + 1] - starts[page]);
  std::uint8_t* to = out.streams + head * out.stream_stride + starts[page];
  const std::uint8_t* from = slots.slots + (number + 1) * slots.bytes - bytes;
  const auto lane = static_cast<std::int64_t>(lane_number());
  const std::int64_t before = static_cast<std::int64_t>(-reinterpret_cast<std::uintptr_t>(to) % 4);
  const std::int64_t ahead = before < bytes ? before : bytes, words = (bytes - ahead) / 4;
  auto* to_words = reinterpret_cast<std::uint32_t*>(to + ahead);
  const std::int64_t first = part * (kMoveBytes / 4), all_of = first + kMoveBytes / 4,
                     end = all_of < words ? all_of : words;
#pragma unroll 4
  for (std::int64_t k = first + lane; k < end; k += 32) {
    to_words[k] = word_at(from + ahead + 4 * k);
  }
  if (part != 0) return;
  if (lane < ahead) to[lane] = from[lane];
  const std::int64_t rest = ahead + 4 * words;
  if (rest + lane < bytes) to[rest + lane] = from[rest + lane];
}

// A warp a group of 32 vectors: what each adds to its page.
template <PageLattice kLattice>
__global__ void __launch_bounds__(kMoveThreads)
    cost_kernel(PageCoding coding, PagePoints points, std::int64_t all, std::uint32_t* costs) {
  const std::int64_t number =
      static_cast<std::int64_t>(blockIdx.x) * (kMoveThreads / 32) + threadIdx.x / 32;
  if (number >= all) return;
  const std::int64_t groups = points.page / kPageLanes;
  const std::int64_t page = number / groups, group = number - page * groups;
  const std::int64_t head = page / points.pages;
  const HeadPlan plan = plan_of_head(coding, head);
  const std::int64_t vector = group * kPageLanes + lane_number();
  const PointMemory row =
      points_of(points, coding.dim, head, page - head * points.pages).from(group * coding.dim * 32);
  std::uint32_t cost = 0;
  if (vector < vectors_of(points, head, page - head * points.pages)) {
    for (int i = 0; i < coding.dim; ++i) {
      cost += most_cost<kLattice>(coding, plan, i, row.at(i * kPageLanes + lane_number()));
    }
  }
  costs[page * points.page + vector] = cost;
}

PageSlots slots_of(void* workspace, const PagePoints& points, int heads, std::size_t slot_bytes) {
  PageSlots slots;
  slots.bytes = static_cast<std::int64_t>(slot_bytes) + kPageSlack;
  slots.slots = static_cast<std::uint8_t*>(workspace);
  slots.starts = reinterpret_cast<std::uint64_t*>(slots.slots + heads * points.pages * slots.bytes);
  slots.queue = reinterpret_cast<std::uint32_t*>(slots.starts + heads * (points.pages + 1));
  return slots;
}

}  // namespace

std::size_t page_encode_workspace(const PagePoints& points, int heads, std::size_t slot_bytes) {
  const auto pages = static_cast<std::size_t>(points.pages),
             count = static_cast<std::size_t>(heads);
  const std::size_t bytes = count * (pages * (slot_bytes + kPageSlack) + 8 * (pages + 1) + 4);
  return (bytes + 255) / 256 * 256;
}

void encode_pages(const PageCoding& coding, const PagePoints& points, const PageSections& out,
                  void* workspace, std::size_t slot_bytes, std::uint32_t* flags, Stream stream) {
  const PageSlots slots = slots_of(workspace, points, coding.heads, slot_bytes);
  fill(slots.queue, 0, 4 * static_cast<std::size_t>(coding.heads), stream);
  if (coding.heads != 0 && points.pages != 0) {
    with_lattice(coding.lattice, [&](auto lattice) {
      const auto launch = [&](auto shared, std::size_t bytes) {
        return launch_pages<shared()>(put_kernel<lattice(), shared()>, coding.heads, points.pages,
                                      bytes, stream, coding, points, out, slots, flags);
      };
      if (!launch(std::true_type(), put_shared_size(coding))) launch(std::false_type(), 0);
    });
  }
  place_pages(coding.heads, points.pages, out, slots.starts, flags, stream);
  const std::int64_t all = coding.heads * points.pages;
  if (all == 0) return;
  const std::int64_t parts = static_cast<std::int64_t>(slot_bytes) / kMoveBytes + 1,
                     warps = all * parts;
  KAKEYA_LAUNCH(move_kernel, (warps + kMoveThreads / 32 - 1) / (kMoveThreads / 32), kMoveThreads,
                stream, out, points.pages, all, parts, slots);
}

void place_pages(int heads, std::int64_t pages, const PageSections& out, std::uint64_t* starts,
                 std::uint32_t* flags, Stream stream) {
  if (heads == 0) return;
  KAKEYA_LAUNCH(place_kernel, heads, kPlaceThreads, stream, out, pages, starts, flags);
}

void cost_pages(const PageCoding& coding, const PagePoints& points, std::uint32_t* costs,
                Stream stream) {
  const std::int64_t all = coding.heads * points.pages * (points.page / kPageLanes);
  if (all == 0) return;
  with_lattice(coding.lattice, [&](auto lattice) {
    launch_blocks(cost_kernel<lattice()>, (all + kMoveThreads / 32 - 1) / (kMoveThreads / 32),
                  kMoveThreads, 0, stream, coding, points, all, costs);
  });
}

}  // namespace kakeya::kernels

// SPDX-License-Identifier: Apache-2.0
// Kernels that decode entropy-coded pages (pages.h).
#include "kernels/pages_decode.cuh"
#include "kernels/pages_launch.cuh"

namespace kakeya::kernels {
namespace {

constexpr int kLocateThreads = kSumThreads;

struct Located {
  const std::uint64_t* starts;
  std::uint32_t* queue;
};

// A block a head: where its pages begin, and an empty queue.
__global__ void __launch_bounds__(kLocateThreads)
    locate_kernel(PageSections in, std::int64_t pages, std::uint64_t* starts, std::uint32_t* queue,
                  std::uint32_t* flags) {
  const std::int64_t head = blockIdx.x;
  const std::uint32_t* bytes = in.pages + head * in.page_stride;
  std::uint64_t* start = starts + head * (pages + 1);
  const std::uint64_t all = sum_before(bytes, pages, start);
  const bool good =
      all == in.stream_bytes[head] && all <= static_cast<std::uint64_t>(in.stream_room);
  if (threadIdx.x == 0) {
    if (queue != nullptr) queue[head] = 0;
    if (!good) atomicOr(flags + head, static_cast<std::uint32_t>(kBadPageSizes));
  }
  __syncthreads();
  if (good) return;
  for (std::int64_t p = threadIdx.x; p <= pages; p += kLocateThreads) start[p] = ~std::uint64_t{0};
}

// Writes the points of a page.
struct ToMemory {
  PointMemory points;
  int dim;
  PointMemory row{};  // of this lane in the group
  __device__ __forceinline__ void open(int group) {
    row = points.from(static_cast<std::int64_t>(group) * dim * kPageLanes + lane_number());
  }
  __device__ __forceinline__ void take(int i, std::int32_t value) const {
    row.put(i * kPageLanes, value);
  }
  template <bool kFew>
  __device__ __forceinline__ void take_unit(int first,
                                            const std::int32_t (&values)[kPageUnit]) const {
    row.from(first * kPageLanes).template set<kFew>(kPageLanes, values);
  }
  // Zeros where there is no vector, or everywhere.
  __device__ void finish(const PagePoints& of, int vectors, bool good) {
    const int lane = lane_number();
    if (!good) vectors = 0;
    for (int group = vectors / kPageLanes; group < of.page / kPageLanes; ++group) {
      if (group * kPageLanes + lane < vectors) continue;
      open(group);
      for (int i = 0; i < dim; ++i) take(i, 0);
    }
  }
};

struct Sums {
  std::int32_t* sums;
  std::int32_t sum = 0;
  int group = -1;
  __device__ __forceinline__ void open(int next) {
    put();
    group = next;
    sum = 0;
  }
  __device__ __forceinline__ void take(int, std::int32_t value) { sum += value; }
  template <bool>
  __device__ __forceinline__ void take_unit(int, const std::int32_t (&values)[kPageUnit]) {
#pragma unroll
    for (int k = 0; k < kPageUnit; ++k) sum += values[k];
  }
  __device__ __forceinline__ void put() const {
    if (group >= 0) sums[group * kPageLanes + lane_number()] = sum;
  }
  __device__ void finish(const PagePoints& points, int vectors, bool good) const {
    put();
    for (int t = lane_number(); t < points.page; t += kPageLanes) {
      if (!good || t >= vectors) sums[t] = 0;
    }
  }
};

__device__ __forceinline__ ToMemory consumer_of(const PageCoding& coding, const PagePoints& points,
                                                std::int64_t head, std::int64_t page, ToMemory*,
                                                std::int32_t*) {
  return {points_of(points, coding.dim, head, page), coding.dim};
}
__device__ __forceinline__ Sums consumer_of(const PageCoding&, const PagePoints& points,
                                            std::int64_t head, std::int64_t page, Sums*,
                                            std::int32_t* sums) {
  return {sums + (head * points.pages + page) * points.page};
}

// Of this warp, behind the tables.
__device__ __forceinline__ std::uint8_t* window_of(std::size_t tables_bytes) {
  KAKEYA_DYNAMIC_SHARED(shared);
  return shared + tables_bytes + threadIdx.x / 32 * kWindowRoom;
}
template <bool kShared>
constexpr std::size_t kWindowsBytes = kPageThreads<kShared> / 32 * kWindowRoom;
template <TableKind kKind>
constexpr bool kInShared = kKind != TableKind::device;

template <PageLattice kLattice, TableKind kKind, typename Consumer>
__global__ void __launch_bounds__(kPageThreads<kInShared<kKind>>, kPageBlocks<kInShared<kKind>>)
    take_kernel(PageCoding coding, PageSections in, PagePoints points, Located located,
                std::int32_t* sums, std::uint32_t* flags) {
  const std::int64_t head = blockIdx.x % static_cast<unsigned>(coding.heads);
  const HeadPlan& plan = plan_of_head(coding, head);
  const auto tables = take_tables<kLattice, kKind>(coding, plan);
  std::uint8_t* const window = window_of(take_shared_size(coding, kKind));
  const std::uint8_t* streams = in.streams + head * in.stream_stride;
  const std::uint64_t* starts = located.starts + head * (points.pages + 1);
  EscapeCount escapes;
  for (std::int64_t number = first_page(coding.heads); number < points.pages;
       number = next_page(located.queue + head, coding.heads)) {
    const int vectors = vectors_of(points, head, number);
    Consumer consumer =
        consumer_of(coding, points, head, number, static_cast<Consumer*>(nullptr), sums);
    const std::uint64_t begin = starts[number], end = starts[number + 1];
    bool good = end != ~std::uint64_t{0};
    if (good && vectors == 0) {
      good = begin == end;
    } else if (good) {
      const PageBytes bytes{streams + begin, streams + end, streams + in.stream_room};
      good = decode_page<kLattice, kKind>(coding, plan, tables, bytes, vectors, consumer, window,
                                          escapes);
    }
    consumer.finish(points, vectors, good);
    if (!good && end != ~std::uint64_t{0} && lane_number() == 0) {
      atomicOr(flags + head, static_cast<std::uint32_t>(kBadPage));
    }
  }
}

struct DecodeWork {
  std::uint64_t* starts;
  std::uint32_t* queue;
};
DecodeWork decode_work(void* workspace, const PagePoints& points, int heads) {
  auto* starts = static_cast<std::uint64_t*>(workspace);
  return {starts, reinterpret_cast<std::uint32_t*>(starts + heads * (points.pages + 1))};
}

template <typename Consumer>
void take_pages(const PageCoding& coding, const PageSections& in, const PagePoints& points,
                std::int32_t* sums, void* workspace, std::uint32_t* flags, Stream stream) {
  const DecodeWork work = decode_work(workspace, points, coding.heads);
  KAKEYA_LAUNCH(locate_kernel, coding.heads, kLocateThreads, stream, in, points.pages, work.starts,
                work.queue, flags);
  const Located located{work.starts, work.queue};
  if (coding.heads == 0 || points.pages == 0) return;
  with_lattice(coding.lattice, [&](auto lattice) {
    const auto launch = [&](auto kind) {
      const std::size_t bytes = take_shared_size(coding, kind()) + kWindowsBytes<kInShared<kind()>>;
      return launch_pages<kInShared<kind()>>(take_kernel<lattice(), kind(), Consumer>, coding.heads,
                                             points.pages, bytes, stream, coding, in, points,
                                             located, sums, flags);
    };
    if (launch(std::integral_constant<TableKind, TableKind::slots>())) return;
    if (coding.bucket_shared_bytes != 0 &&
        launch(std::integral_constant<TableKind, TableKind::buckets>())) {
      return;
    }
    launch(std::integral_constant<TableKind, TableKind::device>());
  });
}

}  // namespace

std::size_t page_decode_workspace(const PagePoints& points, int heads) {
  const auto bytes =
      static_cast<std::size_t>(heads) * (8 * static_cast<std::size_t>(points.pages + 1) + 4);
  return (bytes + 255) / 256 * 256;
}

void locate_pages(int heads, std::int64_t pages, const PageSections& in, std::uint64_t* starts,
                  std::uint32_t* flags, Stream stream, std::uint32_t* counts) {
  if (heads == 0) return;
  KAKEYA_LAUNCH(locate_kernel, heads, kLocateThreads, stream, in, pages, starts, counts, flags);
}

void decode_pages(const PageCoding& coding, const PageSections& in, const PagePoints& points,
                  void* workspace, std::uint32_t* flags, Stream stream) {
  take_pages<ToMemory>(coding, in, points, nullptr, workspace, flags, stream);
}

void sum_pages(const PageCoding& coding, const PageSections& in, const PagePoints& points,
               std::int32_t* sums, void* workspace, std::uint32_t* flags, Stream stream) {
  take_pages<Sums>(coding, in, points, sums, workspace, flags, stream);
}

}  // namespace kakeya::kernels

// SPDX-License-Identifier: Apache-2.0
// Pages of prefix codes to points: a warp a page, a block works for one head.
#include <algorithm>

#include "kernels/pages_launch.cuh"
#include "kernels/prefix_read.cuh"
#include "kernels/prefix_takers.cuh"

namespace kakeya::kernels {
namespace {

constexpr int kPrefixWarps = 24;
struct PrefixWork {
  const std::uint64_t* starts;
  std::uint32_t* queue;
};

// Shared memory of a block, from its beginning at kSharedBegin on: kinds, the ring of the first warp, tables
// at a multiple of their size, rings of the others.
constexpr std::uint32_t kPrefixTablesAt = 8192;
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
    const bool good = there && take_page(tables, streams + begin, end - begin, 0, vectors,
                                         codec.dim, plane_bytes, rings, consumer);
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

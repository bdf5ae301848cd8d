// SPDX-License-Identifier: Apache-2.0
#pragma once

// How many blocks code pages, which kernel of each kind, and sums over the pages of a head.

#include <algorithm>
#include <type_traits>

#include "kernels/pages.cuh"

namespace kakeya::kernels {

/// Threads of a block, and how many such blocks the compiler leaves registers for. With tables in
/// shared memory one large block shares a copy.
template <bool kShared>
constexpr int kPageThreads = kShared ? 1024 : 256;
template <bool kShared>
constexpr int kPageBlocks = kShared ? 1 : 4;

/// Tables beyond this are read through L1. An SM of compute capability 9.0 lends a block 227 KiB.
constexpr std::size_t kMostSharedBytes = 220 * 1024;

template <typename Kernel>
int blocks_at_once(Kernel kernel, int threads, std::size_t shared_bytes) {
#if defined(__CUDACC__)
  int device = 0, count = 0, blocks = 0, most = 0;
  const auto check = [](cudaError_t status) {
    if (status != cudaSuccess) {
      throw Error(std::string("CUDA: pages: ") + cudaGetErrorString(status));
    }
  };
  check(cudaGetDevice(&device));
  check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device));
  check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  if (shared_bytes > static_cast<std::size_t>(most)) return 0;
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(shared_bytes)));
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, shared_bytes));
  return blocks * count;
#else
  static_cast<void>(kernel), static_cast<void>(threads), static_cast<void>(shared_bytes);
  return 2;
#endif
}

template <typename Kernel, typename... Arguments>
void launch_blocks(Kernel kernel, std::int64_t blocks, int threads, std::size_t shared_bytes,
                   Stream stream, const Arguments&... arguments) {
#if defined(__CUDACC__)
  kernel<<<static_cast<unsigned>(blocks), static_cast<unsigned>(threads), shared_bytes,
           static_cast<cudaStream_t>(stream)>>>(arguments...);
  if (const cudaError_t status = cudaGetLastError(); status != cudaSuccess) {
    throw Error(std::string("CUDA: launch: ") + cudaGetErrorString(status));
  }
#else
  static_cast<void>(stream);
  emulate::launch_with(blocks, static_cast<unsigned>(threads), shared_bytes,
                       [&] { kernel(arguments...); });
#endif
}

/// Calls launch(kernel, stream, arguments...) as often as there are ways; see launch_pages().
template <bool kShared>
struct PageLauncher {
  int heads;
  std::int64_t pages;
  std::size_t shared_bytes;

  // False where the device has not so much shared memory.
  template <typename Kernel, typename... Arguments>
  bool operator()(Kernel kernel, Stream stream, const Arguments&... arguments) const {
    constexpr int kThreads = kPageThreads<kShared>;
    const int at_once = blocks_at_once(kernel, kThreads, shared_bytes);
    if (at_once == 0) return false;
    const std::int64_t a_head = std::min<std::int64_t>(std::max(at_once / heads, 1), pages);
    launch_blocks(kernel, a_head * heads, kThreads, shared_bytes, stream, arguments...);
    return true;
  }
};

/// Calls action(lattice) with the constant that a kernel is made for.
template <typename Action>
void with_lattice(PageLattice lattice, const Action& action) {
  switch (lattice) {
    case PageLattice::z:
      return action(std::integral_constant<PageLattice, PageLattice::z>());
    case PageLattice::d4:
      return action(std::integral_constant<PageLattice, PageLattice::d4>());
    case PageLattice::e8:
      return action(std::integral_constant<PageLattice, PageLattice::e8>());
    case PageLattice::trellis:
      return action(std::integral_constant<PageLattice, PageLattice::trellis>());
  }
}

/// Calls choose(lattice, shared, launch) with the constants that a kernel is made for; `choose`
/// returns launch(kernel<lattice(), shared()>, stream, arguments...). Tables go to shared memory
/// where a block can have `shared_bytes` of it; else it has `other_bytes`.
template <typename Choose>
void launch_pages(const PageCoding& coding, const PagePoints& points, std::size_t shared_bytes,
                  std::size_t other_bytes, const Choose& choose) {
  if (coding.heads == 0 || points.pages == 0) return;
  with_lattice(coding.lattice, [&](auto lattice) {
    if (shared_bytes <= kMostSharedBytes &&
        choose(lattice, std::true_type(),
               PageLauncher<true>{coding.heads, points.pages, shared_bytes})) {
      return;
    }
    choose(lattice, std::false_type(),
           PageLauncher<false>{coding.heads, points.pages, other_bytes});
  });
}

constexpr int kSumThreads = 1024;

/// Sets before[k] to the sum of values[0, k), k in [0, count], by all kSumThreads threads of a
/// block; returns the sum of all.
__device__ inline std::uint64_t sum_before(const std::uint32_t* values, std::int64_t count,
                                           std::uint64_t* before) {
  __shared__ std::uint64_t sums[kSumThreads];
  const auto thread = static_cast<int>(threadIdx.x);
  const std::int64_t each = (count + kSumThreads - 1) / kSumThreads;
  const std::int64_t first = thread * each, end = first + each < count ? first + each : count;
  std::uint64_t mine = 0;
  for (std::int64_t k = first; k < end; ++k) mine += values[k];
  sums[thread] = mine;
  __syncthreads();
  for (int distance = 1; distance < kSumThreads; distance *= 2) {
    const std::uint64_t add = thread >= distance ? sums[thread - distance] : 0;
    __syncthreads();
    sums[thread] += add;
    __syncthreads();
  }
  std::uint64_t sum = sums[thread] - mine;
  for (std::int64_t k = first; k < end; ++k) {
    before[k] = sum;
    sum += values[k];
  }
  const std::uint64_t all = sums[kSumThreads - 1];
  if (thread == 0) before[count] = all;
  return all;
}

}  // namespace kakeya::kernels

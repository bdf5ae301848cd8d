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
constexpr std::size_t kMostSharedBytes = 226 * 1024;

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
  static_cast<void>(kernel), static_cast<void>(threads);
  return shared_bytes > emulate::most_shared_bytes ? 0 : 2;
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

/// Launches as many blocks of a kernel, whose tables are in shared memory or not, as run at once, and no
/// more than pages. False where a block cannot have so much shared memory.
template <bool kShared, typename Kernel, typename... Arguments>
bool launch_pages(Kernel kernel, int heads, std::int64_t pages, std::size_t shared_bytes,
                  Stream stream, const Arguments&... arguments) {
  constexpr int kThreads = kPageThreads<kShared>;
  if (shared_bytes > kMostSharedBytes) return false;
  const int at_once = blocks_at_once(kernel, kThreads, shared_bytes);
  if (at_once == 0) return false;
  const std::int64_t a_head = std::min<std::int64_t>(std::max(at_once / heads, 1), pages);
  launch_blocks(kernel, a_head * heads, kThreads, shared_bytes, stream, arguments...);
  return true;
}

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

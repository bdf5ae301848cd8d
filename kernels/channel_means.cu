// SPDX-License-Identifier: Apache-2.0
// The means of channels that ece8, ecd4 and ecz take from vectors with center=mean.
#include "kakeya/codec/scale_rules.h"
#include "kernels/entropy_coded.h"
#include "kernels/heads.cuh"

namespace kakeya::kernels {
namespace {

// A mean as it is stored, where the largest of its head has this window.
__device__ __forceinline__ std::uint16_t half_of_mean(float mean, int window) {
  return float_to_half(times_window(mean, -window));
}
__device__ __forceinline__ void put_mean(const EntropyCoded& codec, const EntropyCodedWork& work,
                                         std::int64_t head, int i, float mean) {
  work.means[2 * head * codec.dim + i] = mean;
  work.means[(2 * head + 1) * codec.dim + i] = -mean;
}

constexpr int kMeanThreads = 256, kStaged = 8192;  // values in shared memory
constexpr int kPiecesEach = kStaged / 8 / kMeanThreads;
constexpr int kMostMeans = 512, kSumsEach = kMostMeans / kMeanThreads;

// The pieces of rows [first, first + kStaged / dim) that a thread brings, 0 where there is no row.
__device__ __forceinline__ void fetch_rows(const Vectors& x, std::int64_t at, int first, int rows,
                                           Raw8 (&raw)[kPiecesEach]) {
  const int across = x.dim / 8;
#pragma unroll
  for (int k = 0; k < kPiecesEach; ++k) {
    const int piece = k * kMeanThreads + static_cast<int>(threadIdx.x);
    const int row = first + piece / across;
    if (row < rows) raw[k] = fetch8(x, at + row * x.token_stride + piece % across * 8);
  }
}

// A block a head: each coordinate in doubles from the first row to the last, as Stages::centre_of() adds
// them.
__global__ void __launch_bounds__(kMeanThreads)
    means_of_head(EntropyCoded codec, Vectors x, Section centre, EntropyCodedWork work) {
  alignas(16) __shared__ float staged[kStaged];
  __shared__ float largest[kMeanThreads];
  const std::int64_t head = blockIdx.x;
  const int thread = static_cast<int>(threadIdx.x), each = kStaged / codec.dim;
  const std::int64_t tokens = tokens_of_head(x, head), at = begin_of_head(x, head);
  const int rows = tokens < codec.page ? static_cast<int>(tokens) : codec.page;
  if (rows == 0) return;
  double sum[kSumsEach] = {};
  Raw8 raw[kPiecesEach];
  fetch_rows(x, at, 0, rows, raw);
  for (int first = 0; first < rows; first += each) {
#pragma unroll
    for (int k = 0; k < kPiecesEach; ++k) {
      float v[8] = {};
      const int place = 8 * (k * kMeanThreads + thread);
      if (first + place / codec.dim < rows) values8(x.type, raw[k], v);
      auto* to = reinterpret_cast<float4*>(staged + place);
      to[0] = make_float4(v[0], v[1], v[2], v[3]);
      to[1] = make_float4(v[4], v[5], v[6], v[7]);
    }
    __syncthreads();
    if (first + each < rows) fetch_rows(x, at, first + each, rows, raw);
    const int here = rows - first < each ? rows - first : each;
#pragma unroll
    for (int k = 0; k < kSumsEach; ++k) {
      const int i = k * kMeanThreads + thread;
      if (i >= codec.dim) continue;
#pragma unroll 8
      for (int row = 0; row < here; ++row) {
        sum[k] = sum[k] + static_cast<double>(staged[row * codec.dim + i]);
      }
    }
    __syncthreads();
  }
  float mean[kSumsEach], most = 0.0f;
#pragma unroll
  for (int k = 0; k < kSumsEach; ++k) {
    const auto value = static_cast<float>(sum[k] / static_cast<double>(rows));
    mean[k] = fabsf(value) <= kLargestMean ? value : 0.0f;
    most = fmaxf(most, fabsf(mean[k]));
  }
  largest[thread] = most;
  __syncthreads();
  for (int distance = kMeanThreads / 2; distance > 0; distance /= 2) {
    if (thread < distance) largest[thread] = fmaxf(largest[thread], largest[thread + distance]);
    __syncthreads();
  }
  const int window = window_of(largest[0]);
  std::uint8_t* to = centre.data == nullptr ? nullptr : centre.data + head * centre.stride;
  if (thread == 0 && to != nullptr) to[0] = static_cast<std::uint8_t>(window);
#pragma unroll
  for (int k = 0; k < kSumsEach; ++k) {
    const int i = k * kMeanThreads + thread;
    if (i >= codec.dim) continue;
    const std::uint16_t half = half_of_mean(mean[k], window);
    put_mean(codec, work, head, i, times_window(half_to_float(half), window));
    if (to == nullptr) continue;
    to[1 + 2 * i] = static_cast<std::uint8_t>(half);
    to[2 + 2 * i] = static_cast<std::uint8_t>(half >> 8);
  }
}

__global__ void __launch_bounds__(128)
    means_of_section(EntropyCoded codec, Section centre, EntropyCodedWork work,
                     std::uint32_t* flags) {
  const std::int64_t head = blockIdx.x;
  const std::uint8_t* from = centre.data + head * centre.stride;
  int window = static_cast<std::int8_t>(from[0]);
  bool wrong = window < kLowestWindow || window > kHighestWindow;
  if (wrong) window = 0;
  for (int i = static_cast<int>(threadIdx.x); i < codec.dim; i += 128) {
    const auto half = static_cast<std::uint16_t>(from[1 + 2 * i] | from[2 + 2 * i] << 8);
    float mean = 0.0f;
    if ((half & 0x7fffu) < 0x7c00u) mean = times_window(half_to_float(half), window);
    if ((half & 0x7fffu) >= 0x7c00u || !(fabsf(mean) <= 2 * kLargestMean)) wrong = true, mean = 0;
    put_mean(codec, work, head, i, mean);
  }
  if (wrong) atomicOr(flags + head, static_cast<std::uint32_t>(kBadCentre));
}

}  // namespace

void take_means(const EntropyCoded& codec, const Vectors& x, const Section& centre,
                const EntropyCodedWork& work, Stream stream) {
  if (x.tokens == 0) return;
  KAKEYA_LAUNCH(means_of_head, x.heads, kMeanThreads, stream, codec, x, centre, work);
}

void read_means(const EntropyCoded& codec, std::int64_t heads, const Section& centre,
                const EntropyCodedWork& work, std::uint32_t* flags, Stream stream) {
  KAKEYA_LAUNCH(means_of_section, heads, 128, stream, codec, centre, work, flags);
}

}  // namespace kakeya::kernels

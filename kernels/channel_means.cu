// SPDX-License-Identifier: Apache-2.0
// The means of channels that ece8, ecd4 and ecz take from vectors with center=mean.
#include "kakeya/codec/scale_rules.h"
#include "kernels/entropy_coded.h"
#include "kernels/warp.cuh"

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

constexpr int kRowsAtOnce = 8;

// A block a head, eight coordinates a thread: doubles from the first row to the last, as
// Stages::centre_of() adds them.
__global__ void __launch_bounds__(64)
    means_of_head(EntropyCoded codec, Vectors x, Section centre, EntropyCodedWork work) {
  __shared__ float largest[64];
  const std::int64_t head = blockIdx.x;
  const int thread = static_cast<int>(threadIdx.x), threads = codec.dim / 8;
  const int rows = x.tokens < codec.page ? static_cast<int>(x.tokens) : codec.page;
  const std::int64_t at = head * x.head_stride + 8 * thread;
  double sum[8] = {};
  for (int row = 0; row < rows; row += kRowsAtOnce) {
    Raw8 raw[kRowsAtOnce];
#pragma unroll
    for (int r = 0; r < kRowsAtOnce; ++r) {
      if (row + r < rows) raw[r] = fetch8(x, at + (row + r) * x.token_stride);
    }
#pragma unroll
    for (int r = 0; r < kRowsAtOnce; ++r) {
      if (row + r >= rows) break;
      float v[8];
      values8(x.type, raw[r], v);
#pragma unroll
      for (int i = 0; i < 8; ++i) sum[i] = sum[i] + static_cast<double>(v[i]);
    }
  }
  float mean[8], most = 0.0f;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const auto value = static_cast<float>(sum[i] / static_cast<double>(rows));
    mean[i] = fabsf(value) <= kLargestMean ? value : 0.0f;
    most = fmaxf(most, fabsf(mean[i]));
  }
  largest[thread] = most;
  __syncthreads();
  for (int k = 0; k < threads; ++k) most = fmaxf(most, largest[k]);
  const int window = window_of(most);
  std::uint8_t* to = centre.data == nullptr ? nullptr : centre.data + head * centre.stride;
  if (thread == 0 && to != nullptr) to[0] = static_cast<std::uint8_t>(window);
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const std::uint16_t half = half_of_mean(mean[i], window);
    put_mean(codec, work, head, 8 * thread + i, times_window(half_to_float(half), window));
    if (to == nullptr) continue;
    to[1 + 2 * (8 * thread + i)] = static_cast<std::uint8_t>(half);
    to[2 + 2 * (8 * thread + i)] = static_cast<std::uint8_t>(half >> 8);
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
  KAKEYA_LAUNCH(means_of_head, x.heads, static_cast<unsigned>(codec.dim / 8), stream, codec, x,
                centre, work);
}

void read_means(const EntropyCoded& codec, std::int64_t heads, const Section& centre,
                const EntropyCodedWork& work, std::uint32_t* flags, Stream stream) {
  KAKEYA_LAUNCH(means_of_section, heads, 128, stream, codec, centre, work, flags);
}

}  // namespace kakeya::kernels

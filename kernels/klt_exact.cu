// SPDX-License-Identifier: Apache-2.0
// klt of single heads with product=exact: products of whole numbers on tensor cores, as digits of
// base 256. Sums are exact, so that their order is free; each is rounded to float once.
#include <algorithm>

#include "kernels/heads.cuh"
#include "kernels/klt_exact.cuh"
#include "kernels/klt_nearest.cuh"

namespace kakeya::kernels {
namespace {

constexpr int kWholeThreads = 128;          // a block: 4 warps
constexpr int kWholeRows = 16;              // vectors a warp
constexpr float kLargestWhole = 127 * 257;  // two digits

// A warp's vectors: rows g and g + 8 of a lane's fragments, g = lane / 4.
struct ExactSeat {
  std::int64_t head, first, plan;
  int g, q;
  __device__ __forceinline__ ExactSeat(const Klt& codec, std::int64_t heads, unsigned block) {
    const auto many = static_cast<unsigned>(heads);
    const unsigned place = block / many, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    head = block - place * many;
    first = (static_cast<std::int64_t>(place) * (kWholeThreads / 32) + warp) * kWholeRows;
    plan = plan_number(codec.plans, head);
    g = static_cast<int>(lane / 4), q = static_cast<int>(lane % 4);
  }
  __device__ __forceinline__ std::int64_t token(int half) const { return first + g + 8 * half; }
};

std::int64_t exact_blocks(std::int64_t tokens, std::int64_t heads) {
  constexpr std::int64_t kRows = kWholeThreads / 32 * kWholeRows;
  return (32 * klt_groups(tokens) + kRows - 1) / kRows * heads;
}

// Four whole numbers' digits, value = 256 high + low, from words whose low 16 bits have the values.
__device__ __forceinline__ void digits_of(const std::uint32_t (&n)[4], std::uint32_t& low,
                                          std::uint32_t& high) {
  low = permute(permute(n[0], n[1], 0x0040), permute(n[2], n[3], 0x0040), 0x5410);
  high = permute(permute(n[0] + 128, n[1] + 128, 0x0051), permute(n[2] + 128, n[3] + 128, 0x0051),
                 0x5410);
}

template <int kSteps>
struct Digits {
  std::uint32_t low[kSteps][4], high[kSteps][4];
};

// The whole numbers of a warp's vectors. `most` becomes the largest magnitude that was rounded, of a
// lane's two rows.
template <int kSteps>
__device__ __forceinline__ void read_vectors(const Klt& codec, const Vectors& x,
                                             const ExactSeat& seat, Digits<kSteps>& digits,
                                             float (&most)[2], std::uint32_t& found) {
  const std::int64_t padded = klt_padded(codec.dim);
  const float *negative_mean = codec.negative_mean + seat.plan * padded,
              *to_whole = codec.to_whole + seat.plan * padded;
  most[0] = most[1] = 0.0f;
#pragma unroll
  for (int s = 0; s < kSteps; ++s) {
#pragma unroll
    for (int part = 0; part < 4; ++part) {
      const int half = part % 2, i = 32 * s + 16 * (part / 2) + 4 * seat.q;
      std::uint32_t n[4] = {};
      if (seat.token(half) < tokens_of_head(x, seat.head) && i < codec.dim) {
        float v[4];
        load4(x, seat.token(half) * x.token_stride + begin_of_head(x, seat.head) + i, v);
#pragma unroll
        for (int c = 0; c < 4; ++c) {
          if ((__float_as_uint(v[c]) & 0x7fffffffu) >= 0x7f800000u) found = kNotFinite;
          v[c] = (v[c] + negative_mean[i + c]) * to_whole[i + c];
          most[half] = largest_or_nan(most[half], v[c]);
          n[c] = __float_as_uint(v[c] + kShift);
        }
      }
      digits_of(n, digits.low[s][part], digits.high[s][part]);
    }
  }
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    most[half] = largest_or_nan(most[half], __shfl_xor_sync(kAll, most[half], 1));
    most[half] = largest_or_nan(most[half], __shfl_xor_sync(kAll, most[half], 2));
  }
}

// What 64 columns of a lane's two vectors may cost; the sums begin anew.
__device__ __forceinline__ void put_bounds(const KltWork& work, const Vectors& x,
                                           const ExactSeat& seat, std::int64_t part,
                                           float (&bound)[2]) {
  const std::int64_t room = 32 * klt_groups(x.tokens);
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    bound[half] += __shfl_xor_sync(kAll, bound[half], 1);
    bound[half] += __shfl_xor_sync(kAll, bound[half], 2);
    const std::int64_t token = seat.token(half);
    if (seat.q == 0 && token < room) {
      work.bounds[(part * x.heads + seat.head) * room + token] = bound[half];
    }
    bound[half] = 0.0f;
  }
}

template <int kSteps, int kPoints>
__global__ void __launch_bounds__(kWholeThreads)
    exact_forward(Klt codec, Vectors x, KltWork work, std::uint32_t* flags) {
  const ExactSeat seat(codec, x.heads, blockIdx.x);
  if (codec.counts != nullptr && seat.first >= 32 * klt_groups(codec.counts[seat.head])) return;
  const int dim = codec.dim, padded = klt_padded(dim);
  const std::int64_t room = 32 * klt_groups(x.tokens);
  Digits<kSteps> a;
  float most[2];
  std::uint32_t found = 0;
  read_vectors(codec, x, seat, a, most, found);
  if (found != 0) atomicOr(flags + seat.head, found);

  const auto* matrix = reinterpret_cast<const uint2*>(codec.whole_forward) +
                       seat.plan * klt_whole_fragments(dim) + threadIdx.x % 32;
  float bound[2] = {};
  for (int group = 0; group < padded / 32; ++group) {
    std::int32_t low[4][4] = {}, high[4][4] = {};
#pragma unroll
    for (int s = 0; s < kSteps; ++s) {
#pragma unroll
      for (int t = 0; t < 4; ++t) {
        const uint2 b = __ldg(matrix + ((group * kSteps + s) * 4 + t) * 32);
        multiply_32(a.low[s], b.x, b.y, low[t]);
        multiply_32(a.high[s], b.x, b.y, high[t]);
      }
    }
    const int column = 32 * group + 8 * seat.q;
    const float* scale = codec.forward_scale + seat.plan * padded + column;
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      float y[8], slope[8];
      std::int32_t twice[8];
#pragma unroll
      for (int c = 0; c < 8; ++c) {
        const int from = 2 * half + c % 2;
        y[c] = __int2float_rn(256 * high[c / 2][from] + low[c / 2][from]) * scale[c];
      }
      const bool beyond = !(most[half] <= kLargestWhole);
      if constexpr (kPoints == Klt::trellis) {
#pragma unroll
        for (int c = 0; c < 8; ++c) twice[c] = __float_as_int(beyond ? kBeyond : y[c]);
      } else {
        float largest = 0.0f;
#pragma unroll
        for (int c = 0; c < 8; ++c) {
          slope[c] = codec.slope[seat.plan * padded + column + c];
          largest = largest_or_nan(largest, y[c]);
        }
        const float cost = nearest<kPoints>(y, slope, twice);
        bound[half] = beyond || !(largest <= codec.largest) ? kBeyond : bound[half] + cost;
      }
      const std::int64_t token = seat.token(half);
      if (token < room && column < dim) {
        std::int32_t* to = work.points + seat.head * work.stride + token / 32 * 32 * dim +
                           column * 32 + token % 32;
#pragma unroll
        for (int c = 0; c < 8; ++c) to[32 * c] = twice[c];
      }
    }
    if constexpr (kPoints != Klt::trellis) {
      if (group % 2 == 1) put_bounds(work, x, seat, group / 2, bound);
    }
  }
}

// Whether each of a lane's two vectors is there, and not kept beside the code.
struct Wanted {
  bool is[2];
  __device__ __forceinline__ Wanted(const KltWork& work, const Vectors& y, const ExactSeat& seat) {
    const std::int64_t tokens = tokens_of_head(y, seat.head);
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const std::int64_t token = seat.token(half);
      is[half] =
          token < tokens &&
          (work.kept[seat.head * klt_groups(y.tokens) + token / 32] >> (token % 32) & 1u) == 0;
    }
  }
};

// Twice the points of a warp's vectors. `wide`: in which steps any is more than a digit.
template <int kSteps>
__device__ __forceinline__ void read_points(const Klt& codec, const KltWork& work,
                                            const Wanted& wanted, const ExactSeat& seat,
                                            Digits<kSteps>& digits, std::uint32_t& wide,
                                            std::uint32_t& found) {
  const std::int32_t* points = work.points + seat.head * work.stride;
  wide = 0;
#pragma unroll
  for (int s = 0; s < kSteps; ++s) {
    bool more = false;
#pragma unroll
    for (int part = 0; part < 4; ++part) {
      const int i = 32 * s + 16 * (part / 2) + 4 * seat.q;
      const std::int64_t token = seat.token(part % 2);
      std::uint32_t n[4] = {};
      if (wanted.is[part % 2] && i < codec.dim) {
        const std::int32_t* from = points + token / 32 * 32 * codec.dim + token % 32;
#pragma unroll
        for (int c = 0; c < 4; ++c) {
          const std::int32_t value = from[32 * (i + c)], size = value < 0 ? -value : value;
          n[c] = static_cast<std::uint32_t>(value);
          more = more || size > 127;
          if (size > static_cast<std::int32_t>(kLargestWhole)) found = kBadPoint;
        }
      }
      digits_of(n, digits.low[s][part], digits.high[s][part]);
    }
    if (__ballot_sync(kAll, more) != 0) wide |= 1u << s;
  }
}

template <int kSteps>
__device__ __forceinline__ void exact_backward_of(const Klt& codec, const KltWork& work,
                                                  const Vectors& y, const ExactSeat& seat,
                                                  std::uint32_t* flags) {
  if (codec.counts != nullptr && seat.first >= 32 * klt_groups(codec.counts[seat.head])) return;
  const int dim = codec.dim, padded = klt_padded(dim);
  Digits<kSteps> a;
  std::uint32_t wide, found = 0;
  const Wanted wanted(work, y, seat);
  read_points(codec, work, wanted, seat, a, wide, found);
  if (found != 0) atomicOr(flags + seat.head, found);

  const auto* matrix = reinterpret_cast<const uint4*>(codec.whole_backward) +
                       seat.plan * klt_whole_fragments(dim) + threadIdx.x % 32;
  for (int group = 0; group < klt_whole_groups(dim); ++group) {
    std::int32_t low[4][4] = {}, middle[4][4] = {}, high[4][4] = {};
#pragma unroll
    for (int s = 0; s < kSteps; ++s) {
#pragma unroll
      for (int t = 0; t < 4; ++t) {
        const uint4 b = __ldg(matrix + ((group * kSteps + s) * 4 + t) * 32);
        multiply_32(a.low[s], b.x, b.y, low[t]);
        multiply_32(a.low[s], b.z, b.w, middle[t]);
        if ((wide >> s & 1u) != 0) {
          multiply_32(a.high[s], b.x, b.y, middle[t]);
          multiply_32(a.high[s], b.z, b.w, high[t]);
        }
      }
    }
    const int column = 32 * group + 8 * seat.q;
    if (column >= dim) continue;
    const float *scale = codec.backward_scale + seat.plan * padded + column,
                *mean = codec.mean + seat.plan * padded + column;
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      if (!wanted.is[half]) continue;
      const std::int64_t token = seat.token(half);
      float x[8];
#pragma unroll
      for (int c = 0; c < 8; ++c) {
        const int from = 2 * half + c % 2, t = c / 2;
        const float sum = wide == 0
                              ? __int2float_rn(256 * middle[t][from] + low[t][from])
                              : __ll2float_rn(65536 * std::int64_t{high[t][from]} +
                                              256 * std::int64_t{middle[t][from]} + low[t][from]);
        x[c] = sum * scale[c] + mean[c];
      }
      store8(y, token * y.token_stride + begin_of_head(y, seat.head) + column, x, kBeyond);
    }
  }
}

template <int kSteps>
__global__ void __launch_bounds__(kWholeThreads)
    exact_backward(Klt codec, KltWork work, Vectors y, std::uint32_t* flags) {
  exact_backward_of<kSteps>(codec, work, y, ExactSeat(codec, y.heads, blockIdx.x), flags);
}

// The same of pages that are left: a block takes several places of a head that has such.
template <int kSteps>
__global__ void __launch_bounds__(kWholeThreads)
    exact_backward_left(Klt codec, KltWork work, Vectors y, std::uint32_t* flags, unsigned blocks) {
  const std::int64_t pages = (y.tokens + codec.page - 1) / codec.page;
  for (unsigned block = blockIdx.x; block < blocks; block += gridDim.x) {
    const ExactSeat seat(codec, y.heads, block);
    if (work.only.counts[seat.head] == 0) return;
    const std::int64_t page = seat.first / codec.page;
    if (page >= pages || work.only.pages[seat.head * pages + page] == 0) continue;
    exact_backward_of<kSteps>(codec, work, y, seat, flags);
  }
}

template <int kSteps>
void launch_exact_forward(const Klt& codec, const Vectors& x, const KltWork& work,
                          std::uint32_t* flags, Stream stream) {
  const std::int64_t blocks = exact_blocks(x.tokens, x.heads);
  switch (codec.points) {
    case Klt::z:
      KAKEYA_LAUNCH((exact_forward<kSteps, Klt::z>), blocks, kWholeThreads, stream, codec, x, work,
                    flags);
      return;
    case Klt::e8:
      KAKEYA_LAUNCH((exact_forward<kSteps, Klt::e8>), blocks, kWholeThreads, stream, codec, x, work,
                    flags);
      return;
    case Klt::trellis:
      KAKEYA_LAUNCH((exact_forward<kSteps, Klt::trellis>), blocks, kWholeThreads, stream, codec, x,
                    work, flags);
  }
}

template <int kSteps>
void launch_exact_backward(const Klt& codec, const KltWork& work, const Vectors& y,
                           std::uint32_t* flags, Stream stream) {
  const std::int64_t blocks = exact_blocks(y.tokens, y.heads);
  if (work.only.pages == nullptr) {
    KAKEYA_LAUNCH((exact_backward<kSteps>), blocks, kWholeThreads, stream, codec, work, y, flags);
    return;
  }
  // A multiple of the heads, so that a block has one.
  const std::int64_t few = std::max<std::int64_t>(512 / y.heads, 1) * y.heads;
  KAKEYA_LAUNCH((exact_backward_left<kSteps>), std::min(blocks, few), kWholeThreads, stream, codec,
                work, y, flags, static_cast<unsigned>(blocks));
}

}  // namespace

void klt_exact_forward(const Klt& codec, const Vectors& x, const KltWork& work,
                       std::uint32_t* flags, Stream stream) {
  if (x.tokens == 0) return;
  switch (klt_whole_steps(codec.dim)) {
    case 2:
      return launch_exact_forward<2>(codec, x, work, flags, stream);
    case 4:
      return launch_exact_forward<4>(codec, x, work, flags, stream);
    default:
      return launch_exact_forward<8>(codec, x, work, flags, stream);
  }
}

void klt_exact_backward(const Klt& codec, const KltWork& work, const Vectors& y,
                        std::uint32_t* flags, Stream stream) {
  if (y.tokens == 0) return;
  switch (klt_whole_steps(codec.dim)) {
    case 2:
      return launch_exact_backward<2>(codec, work, y, flags, stream);
    case 4:
      return launch_exact_backward<4>(codec, work, y, flags, stream);
    default:
      return launch_exact_backward<8>(codec, work, y, flags, stream);
  }
}

}  // namespace kakeya::kernels

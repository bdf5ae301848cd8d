// SPDX-License-Identifier: Apache-2.0
// Points to pages of prefix codes: a warp a page, twice, to measure it and to write it.
#include "kernels/pages_launch.cuh"
#include "kernels/prefix_put.cuh"

namespace kakeya::kernels {
namespace {

constexpr int kPrefixPutThreads = 128;

// What a lane adds to a page: bytes of its string, and corrections.
struct PrefixLane {
  std::uint32_t bytes, corrections;
};

struct PrefixEncode {
  PrefixPages codec;
  PagePoints points;
  std::int64_t tokens;
  PageSections out;
  std::uint64_t* starts;
  PrefixLane* lanes;  // [heads][pages][32]
  std::uint32_t* flags;
};

// A page of a warp, and its lane's vectors of it.
struct PrefixPut {
  const std::uint32_t *kinds, *putters;
  const std::int32_t* twice;
  std::int64_t head, page;
  int dim, vectors;

  __device__ __forceinline__ PrefixPut(const PrefixEncode& encode, std::int64_t number)
      : head(number / encode.points.pages),
        page(number - head * encode.points.pages),
        dim(encode.codec.dim) {
    kinds = encode.codec.kinds + head * (kMostPrefixGroups / 4);
    putters = encode.codec.putters + head * (dim / 8) * kPrefixTuples;
    twice = points_of(encode.points, dim, head, page);
    const std::int64_t left = encode.tokens - page * encode.points.page;
    vectors = left < encode.points.page ? static_cast<int>(left) : encode.points.page;
  }
  __device__ __forceinline__ std::uint32_t kind(int group) const {
    return kinds[group / 4] >> (8 * (group % 4)) & 0xff;
  }
  __device__ __forceinline__ const std::uint32_t* putters_of(int group) const {
    return putters + group * kPrefixTuples;
  }
  __device__ __forceinline__ std::uint32_t plane_bytes() const {
    std::uint32_t sum = 0;
    for (int g = 0; g < dim / 8; ++g) sum += kind(g) & 0x7f;
    return sum;
  }
  __device__ __forceinline__ void load(int vector, int group, std::int32_t (&v)[8]) const {
    const std::int32_t* const row =
        twice + (static_cast<std::int64_t>(vector / kPageLanes) * dim + 8 * group) * kPageLanes +
        vector % kPageLanes;
#pragma unroll
    for (int c = 0; c < 8; ++c) v[c] = row[c * kPageLanes] / 2;
  }
};

// Least and most of 32 lanes, or their sum.
__device__ __forceinline__ std::uint32_t least_of_lanes(std::uint32_t value) {
#pragma unroll
  for (int lanes = 1; lanes < kPageLanes; lanes *= 2) {
    const std::uint32_t other = __shfl_xor_sync(kAll, value, lanes);
    if (other < value) value = other;
  }
  return value;
}
__device__ __forceinline__ std::uint32_t most_of_lanes(std::uint32_t value) {
  return ~least_of_lanes(~value);
}
// The sum of the lanes before this one.
__device__ __forceinline__ std::uint32_t sum_before_lane(std::uint32_t value) {
  const int lane = lane_number();
  std::uint32_t end = value;
#pragma unroll
  for (int lanes = 1; lanes < kPageLanes; lanes *= 2) {
    const std::uint32_t other = __shfl_sync(kAll, end, (lane - lanes) & 31);
    if (lane >= lanes) end += other;
  }
  return end - value;
}

// Where the parts of a page are, from what its lanes add.
struct PrefixLayout {
  std::uint32_t least, bits, rows, count, string, correction;  // the last two of this lane
  std::uint64_t planes_at, corrections_at, strings_at, bytes;

  __device__ __forceinline__ PrefixLayout(const PrefixLane& mine, int vectors,
                                          std::uint32_t plane_bytes) {
    const std::uint32_t low = least_of_lanes(mine.bytes), high = most_of_lanes(mine.bytes);
    least = low < 0xffffu ? low : 0xffffu;
    bits =
        high == least ? 0 : 32u - static_cast<std::uint32_t>(__clz(static_cast<int>(high - least)));
    const auto slots = static_cast<std::uint32_t>((vectors + kPageLanes - 1) / kPageLanes);
    rows = (slots * plane_bytes + 3) / 4;
    string = sum_before_lane(mine.bytes);
    correction = sum_before_lane(mine.corrections);
    count = __shfl_sync(kAll, correction + mine.corrections, 31);
    planes_at = 12 + 4 * bits;
    corrections_at = planes_at + std::uint64_t{4 * kPageLanes} * rows;
    strings_at = corrections_at + std::uint64_t{4} * count;
    bytes = strings_at + __shfl_sync(kAll, string + mine.bytes, 31);
  }
};

__device__ __forceinline__ std::int64_t page_of_warp() {
  return static_cast<std::int64_t>(blockIdx.x) * (kPrefixPutThreads / 32) + threadIdx.x / 32;
}

// A warp a page: its bytes.
__global__ void __launch_bounds__(kPrefixPutThreads) measure_prefix_pages(PrefixEncode encode) {
  const std::int64_t number = page_of_warp();
  if (number >= encode.points.pages * encode.codec.heads) return;
  const PrefixPut page(encode, number);
  const int lane = lane_number();
  std::uint32_t bits = 0, count = 0;
  bool fits = true;
  for (int t = lane; t < page.vectors; t += kPageLanes) {
    for (int g = 0; g < page.dim / 8; ++g) {
      std::int32_t v[8], near[8];
      page.load(t, g, v);
      put_group(page.putters_of(g), page.kind(g), v, near,
                [&](std::uint32_t, int length) { bits += static_cast<std::uint32_t>(length); });
#pragma unroll
      for (int c = 0; c < 8; ++c) count += corrections_of(v[c] - near[c]);
      fits = fits && count < 1u << 24;
    }
  }
  const PrefixLane mine{(bits + 7) / 8, count};
  fits = !any_lane(!fits);
  const PrefixLayout layout(mine, page.vectors, page.plane_bytes());
  encode.lanes[number * kPageLanes + lane] = mine;
  if (lane != 0) return;
  encode.out.pages[page.head * encode.out.page_stride + page.page] =
      fits ? static_cast<std::uint32_t>(layout.bytes) : 0;
  if (!fits) atomicOr(encode.flags + page.head, static_cast<std::uint32_t>(kPageTooLong));
}

__device__ __forceinline__ void put_bytes(std::uint8_t* to, std::uint32_t word, int count) {
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    if (k < count) to[k] = static_cast<std::uint8_t>(word >> (8 * k));
  }
}

// A string of bits from `at` on, the first lowest, or from its last byte back, the first highest.
template <bool kBack>
struct PrefixBits {
  std::uint8_t* at;
  std::uint64_t pending = 0;
  int filled = 0;

  __device__ __forceinline__ void put(std::uint32_t word, int length) {
    pending |= std::uint64_t{word} << filled;
    filled += length;
    if (filled < 32) return;
    const auto low = static_cast<std::uint32_t>(pending);
    if (kBack) at -= 4;
    put_bytes(at, kBack ? __brev(low) : low, 4);
    if (!kBack) at += 4;
    pending >>= 32;
    filled -= 32;
  }
  // Whole bytes; what is left is in the lowest bits, or of kBack the highest, of the byte returned.
  __device__ __forceinline__ std::uint32_t finish() {
    while (filled >= 8) {
      const auto byte = static_cast<std::uint32_t>(pending) & 0xff;
      if (kBack) --at;
      *at = static_cast<std::uint8_t>(kBack ? __brev(byte) >> 24 : byte);
      if (!kBack) ++at;
      pending >>= 8;
      filled -= 8;
    }
    const auto byte = static_cast<std::uint32_t>(pending);
    return kBack ? __brev(byte) >> 24 : byte;
  }
};

// Lengths of strings less the least, `bits` each: a word a lane.
__device__ __forceinline__ std::uint32_t length_word(std::uint32_t length, std::uint32_t bits) {
  const int lane = lane_number();
  std::uint32_t word = 0;
  for (int i = 0; i < kPageLanes; ++i) {
    const std::uint32_t value = __shfl_sync(kAll, length, i);
    const int at = i * static_cast<int>(bits) - 32 * lane;
    if (at >= 0 && at < 32) word |= value << at;
    if (at < 0 && at > -32) word |= value >> -at;
  }
  return word;
}

// A warp a page.
__global__ void __launch_bounds__(kPrefixPutThreads) write_prefix_pages(PrefixEncode encode) {
  const std::int64_t number = page_of_warp();
  if (number >= encode.points.pages * encode.codec.heads) return;
  const PrefixPut page(encode, number);
  const int lane = lane_number();
  const std::uint64_t* const starts = encode.starts + page.head * (encode.points.pages + 1);
  if (starts[encode.points.pages] > static_cast<std::uint64_t>(encode.out.stream_room) ||
      starts[page.page] == starts[page.page + 1]) {
    return;
  }
  std::uint8_t* const to =
      encode.out.streams + page.head * encode.out.stream_stride + starts[page.page];
  const PrefixLane mine = encode.lanes[number * kPageLanes + lane];
  const PrefixLayout layout(mine, page.vectors, page.plane_bytes());
  const std::uint32_t lengths = length_word(mine.bytes - layout.least, layout.bits);
  if (lane == 0) {
    put_bytes(to, layout.count, 4);
    put_bytes(to + 4, static_cast<std::uint32_t>(page.vectors - 1) | layout.least << 16, 4);
    put_bytes(to + 8, layout.bits, 4);
  }
  if (lane < static_cast<int>(layout.bits)) put_bytes(to + 12 + 4 * lane, lengths, 4);
  std::uint8_t* const string = to + layout.strings_at + layout.string;
  PrefixBits<false> front{string};
  PrefixBits<true> back{string + mine.bytes};
  std::uint8_t *plane = to + layout.planes_at + 4 * lane,
               *correction = to + layout.corrections_at + std::uint64_t{4} * layout.correction;
  std::uint32_t four = 0;  // bytes of planes, `bytes` of them
  int bytes = 0;
  const auto put_plane = [&](std::uint32_t byte) {
    four |= byte << (8 * bytes);
    if (++bytes < 4) return;
    put_bytes(plane, four, 4);
    plane += 4 * kPageLanes;
    four = 0;
    bytes = 0;
  };
  for (int slot = 0; slot * kPageLanes < page.vectors; ++slot) {
    const int t = slot * kPageLanes + lane;
    const bool is_there = t < page.vectors;
    for (int g = 0; g < page.dim / 8; ++g) {
      std::int32_t v[8] = {}, near[8] = {};
      if (is_there) {
        page.load(t, g, v);
        if (g % 2 == 0) {
          put_group(page.putters_of(g), page.kind(g), v, near,
                    [&](std::uint32_t word, int length) { front.put(word, length); });
        } else {
          put_group(page.putters_of(g), page.kind(g), v, near,
                    [&](std::uint32_t word, int length) { back.put(word, length); });
        }
      }
#pragma unroll
      for (int c = 0; c < 8 && is_there; ++c) {
        for (std::int32_t left = v[c] - near[c]; left != 0;) {
          const std::int32_t part =
              left > kMostPrefixCorrection
                  ? kMostPrefixCorrection
                  : (left < -kMostPrefixCorrection ? -kMostPrefixCorrection : left);
          put_bytes(correction,
                    static_cast<std::uint32_t>(t * page.dim + 8 * g + c) |
                        static_cast<std::uint32_t>(part) << 21,
                    4);
          correction += 4;
          left -= part;
        }
      }
      const int planes = static_cast<int>(page.kind(g) & 0x7f);
      for (int p = 0; p < planes; ++p) {
        std::uint32_t byte = 0;
#pragma unroll
        for (int c = 0; c < 8 && is_there; ++c) {
          const auto u = static_cast<std::uint32_t>(near[c] < 0 ? ~near[c] : near[c]);
          byte |= (p == 0 ? static_cast<std::uint32_t>(near[c] < 0) : u >> (p - 1) & 1u) << c;
        }
        put_plane(byte);
      }
    }
  }
  if (bytes != 0) put_bytes(plane, four, 4);
  const std::uint32_t low = front.finish(), high = back.finish();
  if (front.filled + back.filled == 0) return;
  if (front.filled + back.filled > 8) {
    *front.at = static_cast<std::uint8_t>(low);
    *(back.at - 1) = static_cast<std::uint8_t>(high);
  } else {
    *front.at = static_cast<std::uint8_t>(low | high);
  }
}

std::size_t prefix_lanes_at(const PagePoints& points, int heads) {
  const auto count = static_cast<std::size_t>(points.pages + 1) * static_cast<std::size_t>(heads);
  return (8 * count + 255) / 256 * 256;
}

}  // namespace

std::size_t prefix_encode_workspace(const PagePoints& points, int heads) {
  const auto pages = static_cast<std::size_t>(points.pages) * static_cast<std::size_t>(heads);
  return prefix_lanes_at(points, heads) + sizeof(PrefixLane) * kPageLanes * pages;
}

void encode_prefix(const PrefixPages& codec, const PagePoints& points, std::int64_t tokens,
                   const PageSections& out, void* workspace, std::uint32_t* flags, Stream stream) {
  if (codec.heads == 0) return;
  auto* const memory = static_cast<std::uint8_t*>(workspace);
  const PrefixEncode encode{
      codec,
      points,
      tokens,
      out,
      reinterpret_cast<std::uint64_t*>(memory),
      reinterpret_cast<PrefixLane*>(memory + prefix_lanes_at(points, codec.heads)),
      flags};
  constexpr int kWarps = kPrefixPutThreads / 32;
  const std::int64_t all = points.pages * codec.heads, blocks = (all + kWarps - 1) / kWarps;
  if (all != 0) {
    KAKEYA_LAUNCH(measure_prefix_pages, blocks, kPrefixPutThreads, stream, encode);
  }
  place_pages(codec.heads, points.pages, out, encode.starts, flags, stream);
  if (all == 0) return;
  KAKEYA_LAUNCH(write_prefix_pages, blocks, kPrefixPutThreads, stream, encode);
}

}  // namespace kakeya::kernels

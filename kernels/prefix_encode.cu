// SPDX-License-Identifier: Apache-2.0
// Points to pages of prefix codes: a warp a page, twice, to measure it and to write it.
#include <algorithm>

#include "kernels/pages_launch.cuh"
#include "kernels/prefix_put.cuh"

namespace kakeya::kernels {
namespace {

constexpr int kPrefixPutThreads = 512;

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

// The tables of a block's head in shared memory: kinds, then putters.
struct PrefixPutters {
  const std::uint32_t *kinds, *putters;

  // By all threads of a block.
  __device__ __forceinline__ PrefixPutters(const PrefixPages& codec, std::int64_t plan) {
    KAKEYA_DYNAMIC_SHARED(shared);
    auto* const words = reinterpret_cast<std::uint32_t*>(shared);
    const int count = codec.dim / 8 * kPrefixTuples;
    for (int i = static_cast<int>(threadIdx.x); i < kMostPrefixGroups / 4 + count;
         i += kPrefixPutThreads) {
      words[i] = i < kMostPrefixGroups / 4
                     ? codec.kinds[plan * (kMostPrefixGroups / 4) + i]
                     : codec.putters[plan * count + i - kMostPrefixGroups / 4];
    }
    kinds = words;
    putters = words + kMostPrefixGroups / 4;
    __syncthreads();
  }
  __device__ __forceinline__ std::uint32_t kind(int group) const {
    return kinds[group / 4] >> (8 * (group % 4)) & 0xff;
  }
  __device__ __forceinline__ const std::uint32_t* of(int group) const {
    return putters + group * kPrefixTuples;
  }
  __device__ __forceinline__ std::uint32_t plane_bytes(int groups) const {
    std::uint32_t sum = 0;
    for (int g = 0; g < groups; ++g) sum += kind(g) & 0x7f;
    return sum;
  }
};
std::size_t putter_bytes(const PrefixPages& codec) {
  return 4 * static_cast<std::size_t>(kMostPrefixGroups / 4 + codec.dim / 8 * kPrefixTuples);
}

// A page of a warp.
struct PrefixPut {
  PointMemory points;
  std::int64_t page, number;  // of the head, of all
  int dim, vectors;

  __device__ __forceinline__ PrefixPut(const PrefixEncode& encode, std::int64_t head,
                                       std::int64_t of_head)
      : page(of_head), number(head * encode.points.pages + of_head), dim(encode.codec.dim) {
    points = points_of(encode.points, dim, head, page);
    const std::int64_t left =
        tokens_of_head(encode.codec.counts, encode.tokens, head) - page * encode.points.page;
    vectors = left < encode.points.page ? static_cast<int>(left) : encode.points.page;
  }
  __device__ __forceinline__ void load(int vector, int group, std::int32_t (&v)[8]) const {
    const std::int64_t row = static_cast<std::int64_t>(vector / kPageLanes) * dim + 8 * group;
    points.from(row * kPageLanes + vector % kPageLanes).get(kPageLanes, v);
#pragma unroll
    for (int c = 0; c < 8; ++c) v[c] /= 2;
  }
};

// Calls of(page) for the pages of a block's head that this warp works on: a block has one head.
template <typename Of>
__device__ __forceinline__ void for_pages(const PrefixEncode& encode, std::int64_t head,
                                          const Of& of) {
  const std::int64_t step =
      gridDim.x / static_cast<unsigned>(encode.codec.heads) * (kPrefixPutThreads / kPageLanes);
  for (std::int64_t page = first_page(encode.codec.heads); page < encode.points.pages;
       page += step) {
    of(PrefixPut(encode, head, page));
  }
}

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

__device__ __forceinline__ bool is_left_out(const PrefixEncode& encode, std::int64_t head) {
  return encode.codec.counts != nullptr && encode.codec.counts[head] == 0;
}

// A warp a page: its bytes.
__global__ void __launch_bounds__(kPrefixPutThreads) measure_prefix_pages(PrefixEncode encode) {
  const std::int64_t head = blockIdx.x % static_cast<unsigned>(encode.codec.heads);
  if (is_left_out(encode, head)) {
    if (threadIdx.x == 0) encode.out.pages[head * encode.out.page_stride] = 0;
    return;
  }
  const PrefixPutters tables(encode.codec, plan_number(encode.codec.plans, head));
  const int lane = lane_number(), groups = encode.codec.dim / 8;
  const std::uint32_t plane_bytes = tables.plane_bytes(groups);
  for_pages(encode, head, [&](const PrefixPut& page) {
    std::uint32_t bits = 0, count = 0;
    bool fits = true;
    for (int t = lane; t < page.vectors; t += kPageLanes) {
      for (int g = 0; g < groups; ++g) {
        std::int32_t v[8], within[8];
        page.load(t, g, v);
        put_group(
            tables.of(g), tables.kind(g), v, within,
            [&](std::uint32_t, int length) { bits += static_cast<std::uint32_t>(length); },
            [&](int, std::int32_t left) { count += corrections_of(left); });
        fits = fits && count < 1u << 24;
      }
    }
    const PrefixLane mine{(bits + 7) / 8, count};
    fits = !any_lane(!fits);
    const PrefixLayout layout(mine, page.vectors, plane_bytes);
    encode.lanes[page.number * kPageLanes + lane] = mine;
    if (lane != 0) return;
    encode.out.pages[head * encode.out.page_stride + page.page] =
        fits ? static_cast<std::uint32_t>(layout.bytes) : 0;
    if (!fits) atomicOr(encode.flags + head, static_cast<std::uint32_t>(kPageTooLong));
  });
}

__device__ __forceinline__ void put_bytes(std::uint8_t* to, std::uint32_t word, int count) {
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    if (k < count) to[k] = static_cast<std::uint8_t>(word >> (8 * k));
  }
}

// A string of bits from a place on, the first lowest, or from its last byte back, the first highest. Whole
// words are written at multiples of 4.
template <bool kBack>
struct PrefixBits {
  std::uint8_t* at;  // of the word that is pending; of kBack its end
  std::uint64_t pending = 0;
  int filled, skipped;  // bits; those of the first word that belong to others

  // `place`: of the first byte, or of kBack behind the last.
  __device__ __forceinline__ explicit PrefixBits(std::uint8_t* place) {
    const auto odd = static_cast<int>(reinterpret_cast<std::uintptr_t>(place) % 4);
    const int others = kBack ? (4 - odd) % 4 : odd;
    at = kBack ? place + others : place - others;
    filled = skipped = 8 * others;
  }
  __device__ __forceinline__ void put(std::uint32_t word, int length) {
    pending |= std::uint64_t{word} << filled;
    filled += length;
    if (filled < 32) return;
    const auto low = static_cast<std::uint32_t>(pending);
    if (kBack) at -= 4;
    if (skipped != 0) {
      write(low, 4);
    } else {
      *reinterpret_cast<std::uint32_t*>(at) = kBack ? __brev(low) : low;
    }
    if (!kBack) at += 4;
    skipped = 0;
    pending >>= 32;
    filled -= 32;
  }
  // Whole bytes. What is left is in the lowest bits, or of kBack the highest, of the byte returned, which is
  // at last().
  __device__ __forceinline__ std::uint32_t finish() {
    if (kBack) at -= 4;
    write(static_cast<std::uint32_t>(pending), filled / 8);
    const std::uint32_t byte = static_cast<std::uint32_t>(pending >> filled / 8 * 8) & 0xff;
    return kBack ? __brev(byte) >> 24 : byte;
  }
  __device__ __forceinline__ std::uint8_t* last() const {
    return kBack ? at + 3 - filled / 8 : at + filled / 8;
  }

 private:
  // Bytes [skipped / 8, end) of a word, counted from its end where kBack.
  __device__ __forceinline__ void write(std::uint32_t word, int end) const {
    const std::uint32_t bytes = kBack ? __brev(word) : word;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      const int place = kBack ? 3 - k : k;
      if (k >= skipped / 8 && k < end) at[place] = static_cast<std::uint8_t>(bytes >> (8 * place));
    }
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

// The bytes of a lane's planes, a word of 32 lanes after another.
struct PrefixPlaneBytes {
  std::uint8_t* at;
  std::uint32_t four = 0;
  int bytes = 0;

  __device__ __forceinline__ void put(std::uint32_t byte) {
    four |= byte << (8 * bytes);
    if (++bytes == 4) finish();
  }
  __device__ __forceinline__ void finish() {
    if (bytes == 0) return;
    if (reinterpret_cast<std::uintptr_t>(at) % 4 == 0) {
      *reinterpret_cast<std::uint32_t*>(at) = four;
    } else {
      put_bytes(at, four, 4);
    }
    at += 4 * kPageLanes;
    four = 0;
    bytes = 0;
  }
};

// The coordinates of a lane's vector, or none.
template <bool kBack>
__device__ __forceinline__ void write_group(const PrefixPut& page, const PrefixPutters& tables,
                                            int group, int vector, PrefixBits<kBack>& string,
                                            PrefixPlaneBytes& planes, std::uint8_t*& correction) {
  const std::uint32_t kind = tables.kind(group);
  std::int32_t v[8], within[8] = {};
  if (vector < page.vectors) {
    page.load(vector, group, v);
    put_group(
        tables.of(group), kind, v, within,
        [&](std::uint32_t word, int length) { string.put(word, length); },
        [&](int c, std::int32_t left) {
          const auto place = static_cast<std::uint32_t>(vector * page.dim + 8 * group + c);
          while (left != 0) {
            const std::int32_t part =
                left > kMostPrefixCorrection
                    ? kMostPrefixCorrection
                    : (left < -kMostPrefixCorrection ? -kMostPrefixCorrection : left);
            put_bytes(correction, place | static_cast<std::uint32_t>(part) << 21, 4);
            correction += 4;
            left -= part;
          }
        });
  }
  const int count = static_cast<int>(kind & 0x7f);
  for (int p = 0; p < count; ++p) {
    std::uint32_t byte = 0;
#pragma unroll
    for (int c = 0; c < 8; ++c) {
      const std::int32_t sign = within[c] >> 31;
      const std::int32_t bits = p == 0 ? sign : (within[c] ^ sign) >> (p - 1);
      byte |= (static_cast<std::uint32_t>(bits) & 1u) << c;
    }
    planes.put(byte);
  }
}

// A warp a page, unless pages are longer than their room.
__global__ void __launch_bounds__(kPrefixPutThreads) write_prefix_pages(PrefixEncode encode) {
  const std::int64_t head = blockIdx.x % static_cast<unsigned>(encode.codec.heads);
  if (is_left_out(encode, head)) return;
  const PrefixPutters tables(encode.codec, plan_number(encode.codec.plans, head));
  const int lane = lane_number(), groups = encode.codec.dim / 8;
  const std::uint32_t plane_bytes = tables.plane_bytes(groups);
  const std::uint64_t* const starts = encode.starts + head * (encode.points.pages + 1);
  if (starts[encode.points.pages] > static_cast<std::uint64_t>(encode.out.stream_room)) return;
  for_pages(encode, head, [&](const PrefixPut& page) {
    if (starts[page.page] == starts[page.page + 1]) return;
    std::uint8_t* const to =
        encode.out.streams + head * encode.out.stream_stride + starts[page.page];
    const PrefixLane mine = encode.lanes[page.number * kPageLanes + lane];
    const PrefixLayout layout(mine, page.vectors, plane_bytes);
    const std::uint32_t lengths = length_word(mine.bytes - layout.least, layout.bits);
    if (lane == 0) {
      put_bytes(to, layout.count, 4);
      put_bytes(to + 4, static_cast<std::uint32_t>(page.vectors - 1) | layout.least << 16, 4);
      put_bytes(to + 8, layout.bits, 4);
    }
    if (lane < static_cast<int>(layout.bits)) put_bytes(to + 12 + 4 * lane, lengths, 4);
    std::uint8_t* const string = to + layout.strings_at + layout.string;
    PrefixBits<false> front(string);
    PrefixBits<true> back(string + mine.bytes);
    PrefixPlaneBytes planes{to + layout.planes_at + 4 * lane};
    std::uint8_t* correction = to + layout.corrections_at + std::uint64_t{4} * layout.correction;
    for (int t = lane; t - lane < page.vectors; t += kPageLanes) {
      for (int g = 0; g < groups; g += 2) {
        write_group(page, tables, g, t, front, planes, correction);
        if (g + 1 < groups) write_group(page, tables, g + 1, t, back, planes, correction);
      }
    }
    planes.finish();
    const std::uint32_t low = front.finish(), high = back.finish();
    const int left = front.filled % 8 + back.filled % 8;
    if (left == 0) return;
    *front.last() = static_cast<std::uint8_t>(left > 8 ? low : low | high);
    if (left > 8) *back.last() = static_cast<std::uint8_t>(high);
  });
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
  const auto launch = [&](auto kernel) {
    const int at_once = blocks_at_once(kernel, kPrefixPutThreads, putter_bytes(codec));
    if (at_once == 0)
      throw Error("CUDA: prefix codes: no multiprocessor takes a block that writes them");
    const std::int64_t a_head =
        std::min<std::int64_t>(std::max(at_once / codec.heads, 1), points.pages);
    launch_blocks(kernel, a_head * codec.heads, kPrefixPutThreads, putter_bytes(codec), stream,
                  encode);
  };
  if (points.pages != 0) launch(measure_prefix_pages);
  place_pages(codec.heads, points.pages, out, encode.starts, flags, stream);
  if (points.pages != 0) launch(write_prefix_pages);
}

}  // namespace kakeya::kernels

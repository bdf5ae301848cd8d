// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/prefix_read.cuh"

// What becomes of the coordinates of pages of prefix codes: a lane has a vector, eight coordinates at a time.

namespace kakeya::kernels {
namespace {

/// Writes the points of a page.
struct PrefixToMemory {
  PointMemory points;
  int dim;
  PointMemory row{};

  __device__ __forceinline__ void open(const OpenPrefix&) {}
  __device__ __forceinline__ void begin(int slot) {
    row = points.from(static_cast<std::int64_t>(slot) * dim * kPageLanes + lane_number());
  }
  __device__ __forceinline__ void take(int coordinate, std::int32_t value) {
    row.put(coordinate * kPageLanes, 2 * value);
  }
  template <int>
  __device__ __forceinline__ void take_eight(int first, const std::int32_t (&values)[8]) {
#pragma unroll
    for (int c = 0; c < 8; ++c) take(first + c, values[c]);
  }
  // Coordinates [first, first + 4) of no more than 9 bits.
  __device__ __forceinline__ void put_four(int first, const std::int32_t (&values)[4]) {
    const std::int32_t twice[4] = {2 * values[0], 2 * values[1], 2 * values[2], 2 * values[3]};
    row.from(first * kPageLanes).set<true>(kPageLanes, twice);
  }
  // The same, a byte each.
  template <int>
  __device__ __forceinline__ void take_four(int first, std::uint32_t values) {
    put_four(first, {static_cast<std::int32_t>(permute(values, 0, 0x8880)),
                     static_cast<std::int32_t>(permute(values, 0, 0x9991)),
                     static_cast<std::int32_t>(permute(values, 0, 0xaaa2)),
                     static_cast<std::int32_t>(permute(values, 0, 0xbbb3))});
  }
  // The same where byte j of `values` is inverted where that of `signs` is 0xff.
  template <int>
  __device__ __forceinline__ void take_four_more(int first, std::uint32_t values,
                                                 std::uint32_t signs) {
    const auto value = [&](std::uint32_t byte, std::uint32_t extended) {
      return static_cast<std::int32_t>(permute(values, 0, byte) ^ permute(signs, 0, extended));
    };
    put_four(first, {value(0x4440, 0x8880), value(0x4441, 0x9991), value(0x4442, 0xaaa2),
                     value(0x4443, 0xbbb3)});
  }
  __device__ __forceinline__ void end_groups(int) {}
  __device__ __forceinline__ void end(int, bool) {}
  // Adds to a coordinate; all lanes of a warp, each its own or none, in the order of lanes. False where
  // one is beyond 2^21 then, or beyond the 16 bits of a near one, then or before.
  __device__ bool correct(bool mine, int vector, int coordinate, std::int32_t add) const {
    const std::int64_t at =
        (static_cast<std::int64_t>(vector / kPageLanes) * dim + coordinate) * kPageLanes +
        vector % kPageLanes;
    const std::int32_t most = points.near ? 32766 : kMostTwice;
    const int lane = lane_number();
    const std::uint32_t place =
        mine ? static_cast<std::uint32_t>(vector * dim + coordinate) : ~0u - lane_number();
    const std::uint32_t before = __match_any_sync(kAll, place) & lanes_below(lane);
    bool good = true;
    std::uint32_t done = 0;
    for (bool left = mine; any_lane(left);) {
      const bool now = left && (before & ~done) == 0;
      if (now) {
        const std::int32_t before_it = points.at(at), number = before_it + 2 * add;
        good = number <= most && number >= -most && before_it <= most && before_it >= -most;
        points.put(at, number);
        left = false;
      }
      done |= __ballot_sync(kAll, now);
      __syncwarp();
    }
    return good;
  }
  // Zeros where there is no vector, or everywhere.
  __device__ void finish(const PagePoints& of, int vectors, bool good) {
    if (!good) vectors = 0;
    for (int slot = vectors / kPageLanes; slot < of.page / kPageLanes; ++slot) {
      if (slot * kPageLanes + lane_number() < vectors) continue;
      begin(slot);
      for (int i = 0; i < dim; ++i) take(i, 0);
    }
  }
};

/// Adds up the coordinates of each vector.
struct PrefixSums {
  std::int32_t* sums;
  std::int32_t sum = 0;

  __device__ __forceinline__ void open(const OpenPrefix&) {}
  __device__ __forceinline__ void begin(int) { sum = 0; }
  template <int>
  __device__ __forceinline__ void take_eight(int, const std::int32_t (&values)[8]) {
#pragma unroll
    for (const std::int32_t value : values) sum += 2 * value;
  }
  template <int>
  __device__ __forceinline__ void take_four(int, std::uint32_t values) {
    sum = __dp4a(static_cast<std::int32_t>(values), 0x02020202, sum);
  }
  // v is u, or -1 - u where there is a sign: u with its sign, less 1.
  template <int>
  __device__ __forceinline__ void take_four_more(int, std::uint32_t values, std::uint32_t signs) {
    const std::uint32_t above = values & ~signs, below = values & signs;
    sum = static_cast<std::int32_t>(__dp4a(above, 0x02020202u, static_cast<std::uint32_t>(sum)));
    sum -= static_cast<std::int32_t>(__dp4a(below, 0x02020202u, 0u));
    sum = __dp4a(static_cast<std::int32_t>(signs), 0x02020202, sum);
  }
  __device__ __forceinline__ void end_groups(int) {}
  __device__ __forceinline__ void end(int vector, bool is_there) {
    if (is_there) sums[vector] = sum;
  }
  __device__ bool correct(bool mine, int vector, int, std::int32_t add) const {
    if (mine) {
      atomicAdd(reinterpret_cast<std::uint32_t*>(sums + vector),
                static_cast<std::uint32_t>(2 * add));
    }
    return true;
  }
  __device__ void finish(const PagePoints& points, int vectors, bool good) const {
    for (int t = lane_number(); t < points.page; t += kPageLanes) {
      if (!good || t >= vectors) sums[t] = 0;
    }
  }
};

__device__ __forceinline__ PrefixToMemory prefix_consumer(const PrefixPages& codec,
                                                          const PagePoints& points,
                                                          std::int64_t head, std::int64_t page,
                                                          PrefixToMemory*, std::int32_t*) {
  return {points_of(points, codec.dim, head, page), codec.dim};
}
__device__ __forceinline__ PrefixSums prefix_consumer(const PrefixPages&, const PagePoints& points,
                                                      std::int64_t head, std::int64_t page,
                                                      PrefixSums*, std::int32_t* sums) {
  return {sums + (head * points.pages + page) * points.page};
}

}  // namespace
}  // namespace kakeya::kernels

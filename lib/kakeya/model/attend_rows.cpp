// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/attend_rows.h"

#include <algorithm>

#include "kakeya/core/clones.h"
#include "kakeya/core/float_lanes.h"
#include "kakeya/core/half.h"

namespace kakeya {
namespace {

static_assert(kAttendLanes == kFloatLanes);

// Sums of neighbours: of a in the lower half, of b in the upper.
KAKEYA_INLINE FloatLanes add_neighbours(FloatLanes a, FloatLanes b) {
  return __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30) +
         __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
}

// Lane t: the product of the query and key t of sixteen.
KAKEYA_INLINE FloatLanes score_sixteen(const float* query, const float* keys, std::size_t stride) {
  FloatLanes sums[kAttendLanes];
  const FloatLanes first = load_lanes(query);
  for (std::size_t t = 0; t < kAttendLanes; ++t) sums[t] = first * load_lanes(keys + t * stride);
  for (std::size_t at = kAttendLanes; at < stride; at += kAttendLanes) {
    const FloatLanes part = load_lanes(query + at);
    for (std::size_t t = 0; t < kAttendLanes; ++t)
      sums[t] += part * load_lanes(keys + t * stride + at);
  }
  for (std::size_t left = kAttendLanes; left > 1; left /= 2) {
    for (std::size_t t = 0; t < left / 2; ++t)
      sums[t] = add_neighbours(sums[2 * t], sums[2 * t + 1]);
  }
  return sums[0];
}

// What weigh_rows() is given, of some queries and from some coordinate on.
struct Weighing {
  const float* weights;
  std::size_t room;
  const float* values;
  std::size_t before, count, stride;
  float *sums, *open;
};

// kQueries and kParts of sixteen coordinates at once: their sums stay in registers.
template <std::size_t kQueries, std::size_t kParts>
KAKEYA_INLINE void weigh(const Weighing& of, std::size_t column) {
  for (std::size_t t = 0; t < of.count;) {
    const std::size_t begun = (of.before + t) % kWeighedTogether,
                      whole = t + kWeighedTogether - begun,
                      end = whole < of.count ? whole : of.count;
    FloatLanes all[kQueries][kParts] = {};
    for (std::size_t q = 0; begun > 0 && q < kQueries; ++q) {
      for (std::size_t p = 0; p < kParts; ++p)
        all[q][p] = load_lanes(of.open + q * of.stride + column + p * kAttendLanes);
    }
    for (; t < end; ++t) {
      FloatLanes value[kParts];
      for (std::size_t p = 0; p < kParts; ++p)
        value[p] = load_lanes(of.values + t * of.stride + column + p * kAttendLanes);
      for (std::size_t q = 0; q < kQueries; ++q) {
        const float weight = of.weights[q * of.room + t];
        for (std::size_t p = 0; p < kParts; ++p) all[q][p] += weight * value[p];
      }
    }
    for (std::size_t q = 0; q < kQueries; ++q) {
      for (std::size_t p = 0; p < kParts; ++p) {
        const std::size_t at = q * of.stride + column + p * kAttendLanes;
        if (end == whole) {
          store_lanes(load_lanes(of.sums + at) + all[q][p], of.sums + at);
        } else {
          store_lanes(all[q][p], of.open + at);
        }
      }
    }
  }
}

template <std::size_t kQueries>
KAKEYA_INLINE void weigh_all(Weighing of, std::size_t query) {
  of.weights += query * of.room;
  of.sums += query * of.stride;
  of.open += query * of.stride;
  std::size_t column = 0;
  for (; column + 4 * kAttendLanes <= of.stride; column += 4 * kAttendLanes)
    weigh<kQueries, 4>(of, column);
  for (; column < of.stride; column += kAttendLanes) weigh<kQueries, 1>(of, column);
}

}  // namespace

KAKEYA_CLONES void round_rows(float* rows, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) rows[i] = bfloat16_to_float(float_to_bfloat16(rows[i]));
}

KAKEYA_CLONES void rotate_rows(float* rows, std::size_t count, std::size_t dim, const float* cos,
                               const float* sin, bool bf16) {
  const std::size_t half = dim / 2, stride = attend_stride(dim);
  for (std::size_t row = 0; row < count; ++row) {
    float* const __restrict first = rows + row * stride;
    float* const __restrict second = first + half;
    const float* const __restrict c = cos + row * half;
    const float* const __restrict s = sin + row * half;
    for (std::size_t i = 0; i < half; ++i) {
      const float a = first[i], b = second[i];
      first[i] = a * c[i] - b * s[i];
      second[i] = b * c[i] + a * s[i];
    }
    for (std::size_t i = 0; bf16 && i < dim; ++i)
      first[i] = bfloat16_to_float(float_to_bfloat16(first[i]));
  }
}

KAKEYA_CLONES void score_rows(const float* queries, std::size_t query_count, const float* keys,
                              std::size_t count, std::size_t stride, float* scores,
                              std::size_t room) {
  for (std::size_t first = 0; first < count; first += kAttendLanes) {
    for (std::size_t q = 0; q < query_count; ++q) {
      store_lanes(score_sixteen(queries + q * stride, keys + first * stride, stride),
                  scores + q * room + first);
    }
  }
}

KAKEYA_CLONES void weigh_rows(const float* weights, std::size_t room, std::size_t query_count,
                              const float* values, std::size_t before, std::size_t count,
                              std::size_t stride, float* sums, float* open) {
  const Weighing all{weights, room, values, before, count, stride, sums, open};
  std::size_t q = 0;
  for (; q + 3 <= query_count; q += 3) weigh_all<3>(all, q);
  for (; q < query_count; ++q) weigh_all<1>(all, q);
}

void add_begun(std::size_t count, std::size_t query_count, std::size_t stride, float* sums,
               const float* open) {
  if (count % kWeighedTogether == 0) return;
  for (std::size_t i = 0; i < query_count * stride; ++i) sums[i] += open[i];
}

}  // namespace kakeya

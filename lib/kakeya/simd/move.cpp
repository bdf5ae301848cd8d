// SPDX-License-Identifier: Apache-2.0
// In and out of tiles, compiled once an instruction set.
#include <algorithm>
#include <bit>

#include "kakeya/simd/tile.h"
#include "kakeya/simd/vector_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kakeya/simd/move.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kakeya/simd/lanes.h"

HWY_BEFORE_NAMESPACE();
namespace kakeya::HWY_NAMESPACE {
namespace {
#if HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR

// Four floats at rows[0] + offset and, if a vector holds eight, four at rows[4] + offset.
HWY_INLINE RowVector load_quarters(const float* const* rows, std::size_t offset) {
  const RowTag d;
  if constexpr (kRows == 4) {
    return hn::LoadU(d, rows[0] + offset);
  } else {
    const hn::Half<RowTag> half;
    return hn::Combine(d, hn::LoadU(half, rows[4] + offset), hn::LoadU(half, rows[0] + offset));
  }
}

constexpr std::int32_t kMagnitude = 0x7fffffff;

// Asks for what the next tile needs of a row: see prefetch().
HWY_INLINE void prefetch_row(float* row, std::size_t offset, std::size_t dim) {
  for (std::size_t i = 0; i < dim; i += 16) {
    const auto address = reinterpret_cast<std::uintptr_t>(row) + (offset + i) * sizeof(float);
    __builtin_prefetch(reinterpret_cast<const void*>(address), 0, 2);
  }
}

// Asks for what the next tile needs of the rows after these, should there be any: memory is far and
// the arithmetic long, so that it comes in time. To the level-two cache, as the tile and two rows
// of blocks fill the first.
template <typename T>
HWY_INLINE void prefetch(T* const* rows, std::size_t offset) {
  for (std::size_t row = 0; row < kRows; ++row) {
    const auto address = reinterpret_cast<std::uintptr_t>(rows[row]) + offset * sizeof(T);
    __builtin_prefetch(reinterpret_cast<const void*>(address), 0, 2);
  }
}

// How a tile is loaded: as it is; or multiplied by signs if there are any and taken through the
// Hadamard stages of distance 1, 2 and 4.
enum class Loading { plain, sums };

// Coordinates [i, i + kCount) of the rows at `rows` to the tile. Rows from `count` on are set to 0.
template <int kCount, Loading kLoading, bool kFull, bool kSigned>
HWY_INLINE void load_columns(const float* const* rows, std::size_t i, hn::Mask<RowTag> present,
                             const float* signs, float* HWY_RESTRICT to, RowBitsVector& most) {
  const RowTag d;
  const RowBits bits;
  RowVector v[kCount];
#pragma GCC unroll 2
  for (int quad = 0; quad < kCount; quad += 4) {
#pragma GCC unroll 4
    for (int j = 0; j < 4; ++j) v[quad + j] = load_quarters(rows + j, i + quad);
    transpose_quarters(v + quad);
  }
#pragma GCC unroll 8
  for (int j = 0; j < kCount; ++j) {
    if (!kFull) v[j] = hn::IfThenElseZero(present, v[j]);
    most = hn::Max(most, hn::And(hn::BitCast(bits, v[j]), hn::Set(bits, kMagnitude)));
  }
  if constexpr (kLoading == Loading::sums) {
    if constexpr (kSigned) {
#pragma GCC unroll 8
      for (int j = 0; j < kCount; ++j) v[j] = hn::Mul(v[j], hn::Set(d, signs[i + j]));
    }
    butterflies<kCount>(v);
  }
#pragma GCC unroll 8
  for (int j = 0; j < kCount; ++j) hn::Store(v[j], d, to + (i + j) * kTileRows);
}

template <Loading kLoading, bool kFull, bool kSigned>
void load_rows(Rows<const float> x, const float* signs, float* HWY_RESTRICT tile,
               std::uint32_t* largest) {
  constexpr int kColumns = kLoading == Loading::plain ? 4 : 8;
  const RowBits bits;
  const float* rows[kTileRows];
  for (std::size_t row = 0; row < kTileRows; ++row) {
    rows[row] = x.data + (row < x.count ? row : 0) * x.stride;
  }
  const std::size_t whole = x.dim / kColumns * kColumns;
  for (std::size_t first = 0; first < kTileRows; first += kRows) {
    const auto present = hn::FirstN(RowTag(), x.count > first ? x.count - first : 0);
    RowBitsVector most = hn::Zero(bits);
    for (std::size_t i = 0; i < whole; i += kColumns) {
      load_columns<kColumns, kLoading, kFull, kSigned>(rows + first, i, present, signs,
                                                       tile + first, most);
      if (i % 16 == 0) prefetch(rows + first, kTileRows * x.stride + i);
    }
    const hn::RebindToUnsigned<RowTag> patterns;
    hn::StoreU(hn::BitCast(patterns, most), patterns, largest + first);
  }
  if constexpr (kLoading == Loading::plain) {
    for (std::size_t i = whole; i < x.dim; ++i) {
      for (std::size_t row = 0; row < kTileRows; ++row) {
        const float value = row < x.count ? rows[row][i] : 0.0f;
        const std::uint32_t size = std::bit_cast<std::uint32_t>(value) & kMagnitude;
        tile[i * kTileRows + row] = value;
        if (size > largest[row]) largest[row] = size;
      }
    }
  }
}

void load(Rows<const float> x, float* tile, std::uint32_t* largest) {
  if (x.count == kTileRows) {
    load_rows<Loading::plain, true, false>(x, nullptr, tile, largest);
  } else if (x.count > 0) {
    load_rows<Loading::plain, false, false>(x, nullptr, tile, largest);
  } else {
    std::fill_n(tile, x.dim * kTileRows, 0.0f);
    std::fill_n(largest, kTileRows, 0u);
  }
}

template <bool kSigned>
void load_first_stages_as(Rows<const float> x, const float* signs, float* tile,
                          std::uint32_t* largest) {
  if (x.count == kTileRows) {
    load_rows<Loading::sums, true, kSigned>(x, signs, tile, largest);
  } else {
    load_rows<Loading::sums, false, kSigned>(x, signs, tile, largest);
  }
}

void load_first_stages(Rows<const float> x, const float* signs, float* tile,
                       std::uint32_t* largest) {
  if (signs != nullptr) return load_first_stages_as<true>(x, signs, tile, largest);
  load_first_stages_as<false>(x, signs, tile, largest);
}

// Coordinates offset to offset + 8 of the rows that `left` and `right` hold in quarters, the last
// row first.
HWY_INLINE void store_quarters(RowVector left, RowVector right, float* const* rows,
                               std::size_t offset) {
  const RowTag d;
  if constexpr (kRows == 4) {
    hn::StoreU(left, d, rows[0] + offset);
    hn::StoreU(right, d, rows[0] + offset + 4);
  } else {
    hn::StoreU(hn::ConcatUpperUpper(d, right, left), d, rows[4] + offset);
    hn::StoreU(hn::ConcatLowerLower(d, right, left), d, rows[0] + offset);
  }
}

// A product; +0 where a factor is 0. A multiply-add with +0 is rounded as the product alone.
HWY_INLINE RowVector product(RowVector a, RowVector b) {
  const RowVector zero = hn::Zero(RowTag());
#if HWY_NATIVE_FMA
  return hn::MulAdd(a, b, zero);
#else
  return hn::IfThenZeroElse(hn::Or(hn::Eq(a, zero), hn::Eq(b, zero)), hn::Mul(a, b));
#endif
}

// Eight sums of block `first` and those after it, of one row, to coordinates 8 first on. `from`
// points at the row's part of block 0.
template <int kRadix, bool kSigned>
HWY_INLINE void store_sums(const float* from, std::size_t first, RowVector scale,
                           const float* signs, float* to) {
  const RowTag d;
  constexpr std::size_t kBlock = 8 * kTileRows;
#pragma GCC unroll 2
  for (std::size_t part = 0; part < 8; part += kRows) {
    const float* const at = from + first * kBlock + part * kTileRows;
    const auto store = [&](std::size_t k, RowVector sum) HWY_ATTR {
      const std::size_t i = 8 * (first + k) + part;
      const RowVector value = product(sum, scale);
      hn::StoreU(kSigned ? hn::Mul(value, hn::LoadU(d, signs + i)) : value, d, to + i);
    };
    constexpr std::size_t kHalf = kRadix == 16 ? 8 : kRadix;
    RowVector low[kHalf];
#pragma GCC unroll 8
    for (std::size_t k = 0; k < kHalf; ++k) low[k] = hn::Load(d, at + k * kBlock);
    butterflies<kHalf>(low);
    if constexpr (kRadix == 16) {  // in an order that keeps half of the vectors in use at a time
      RowVector high[8];
#pragma GCC unroll 8
      for (std::size_t k = 0; k < 8; ++k) high[k] = hn::Load(d, at + (8 + k) * kBlock);
      butterflies<8>(high);
#pragma GCC unroll 8
      for (std::size_t k = 0; k < 8; ++k) {
        store(k, hn::Add(low[k], high[k]));
        store(8 + k, hn::Sub(low[k], high[k]));
      }
    } else {
#pragma GCC unroll 8
      for (std::size_t k = 0; k < kRadix; ++k) store(k, low[k]);
    }
  }
}

template <int kRadix, bool kSigned>
void store_row_sums_as(const float* tile, const float* factor, const float* signs, Rows<float> x) {
  for (std::size_t row = 0; row < x.count; ++row) {
    const RowVector scale = hn::Set(RowTag(), factor[row]);
    const float* const from = tile + place_in_block(row);
    float* const to = x.data + row * x.stride;
    for (std::size_t block = 0; block < x.dim / 8; block += kRadix) {
      store_sums<kRadix, kSigned>(from, block, scale, signs, to);
    }
    prefetch_row(to, kTileRows * x.stride, x.dim);
  }
}

template <int kRadix>
void store_row_sums_as(const float* tile, const float* factor, const float* signs, Rows<float> x) {
  if (signs != nullptr) {
    store_row_sums_as<kRadix, true>(tile, factor, signs, x);
  } else {
    store_row_sums_as<kRadix, false>(tile, factor, signs, x);
  }
}

void store_row_sums(const float* tile, std::size_t first, const float* factor, const float* signs,
                    Rows<float> x) {
  switch (x.dim / first) {
    case 1:
      return store_row_sums_as<1>(tile, factor, signs, x);
    case 2:
      return store_row_sums_as<2>(tile, factor, signs, x);
    case 4:
      return store_row_sums_as<4>(tile, factor, signs, x);
    case 8:
      return store_row_sums_as<8>(tile, factor, signs, x);
    default:
      return store_row_sums_as<16>(tile, factor, signs, x);
  }
}

void first_stages_to_rows(float* tile, std::size_t dim) {
  const Tag d;
  for (float* block = tile; block != tile + dim * kTileRows; block += 8 * kTileRows) {
    for (std::size_t row = 0; row < kTileRows; row += kWidth) {
      Vector v[8];
#pragma GCC unroll 8
      for (std::size_t i = 0; i < 8; ++i) v[i] = hn::Load(d, block + i * kTileRows + row);
      butterflies<8>(v);
      store_as_rows(v, block + row);
    }
  }
}

// Rows that are missing are written over row 0, before row 0 itself: the last one comes first.
template <bool kScaled, bool kSigned>
void store_rows(const float* HWY_RESTRICT tile, const float* factor, const float* signs,
                Rows<float> x) {
  const RowTag d;
  float* rows[kTileRows];
  for (std::size_t row = 0; row < kTileRows; ++row) {
    rows[row] = x.data + (row < x.count ? row : 0) * x.stride;
  }
  const std::size_t whole = x.count == 0 ? 0 : x.dim / 8 * 8;
  for (std::size_t first = kTileRows; first > 0;) {
    first -= kRows;
    const RowVector scale = kScaled ? hn::LoadU(d, factor + first) : hn::Zero(d);
    for (std::size_t i = 0; i < whole; i += 8) {
      RowVector v[8];
#pragma GCC unroll 8
      for (std::size_t j = 0; j < 8; ++j) {
        v[j] = hn::Load(d, tile + (i + j) * kTileRows + first);
        if constexpr (kScaled) v[j] = product(v[j], scale);
        if constexpr (kSigned) v[j] = hn::Mul(v[j], hn::Set(d, signs[i + j]));
      }
      transpose_quarters(v);
      transpose_quarters(v + 4);
#pragma GCC unroll 4
      for (std::size_t j = 4; j > 0; --j) {
        store_quarters(v[j - 1], v[3 + j], rows + first + j - 1, i);
      }
      if (i % 16 == 0) prefetch(rows + first, kTileRows * x.stride + i);
    }
  }
  for (std::size_t i = whole; i < x.dim; ++i) {
    for (std::size_t row = 0; row < x.count; ++row) {
      float value = tile[i * kTileRows + row];
      if (kScaled) value = value == 0.0f || factor[row] == 0.0f ? 0.0f : value * factor[row];
      rows[row][i] = kSigned ? value * signs[i] : value;
    }
  }
}

void store(const float* tile, Rows<float> x) {
  store_rows<false, false>(tile, nullptr, nullptr, x);
}

void scale_and_store(const float* tile, const float* factor, const float* signs, Rows<float> x) {
  if (signs != nullptr) {
    store_rows<true, true>(tile, factor, signs, x);
  } else {
    store_rows<true, false>(tile, factor, signs, x);
  }
}

void points_to_lanes(const float* tile, std::size_t dim, std::int32_t* twice) {
  const Tag d;
  const IntTag integers;
  for (std::size_t i = 0; i < dim; ++i) {
    for (std::size_t row = 0; row < kTileRows; row += kWidth) {
      const Vector point = hn::Load(d, tile + i * kTileRows + row);
      hn::StoreU(hn::ConvertTo(integers, hn::Add(point, point)), integers,
                 twice + 2 * i * kTileRows + row);
    }
  }
}

void lanes_to_points(const std::int32_t* twice, std::size_t dim, float* tile) {
  const Tag d;
  const IntTag integers;
  const Vector half = hn::Set(d, 0.5f);
  for (std::size_t i = 0; i < dim; ++i) {
    for (std::size_t row = 0; row < kTileRows; row += kWidth) {
      const IntVector whole = hn::LoadU(integers, twice + 2 * i * kTileRows + row);
      hn::Store(hn::Mul(hn::ConvertTo(d, whole), half), d, tile + i * kTileRows + row);
    }
  }
}

MoveKernels kernels() {
  return {load,           load_first_stages, store,          scale_and_store, first_stages_to_rows,
          store_row_sums, points_to_lanes,   lanes_to_points};
}

#else
MoveKernels kernels() { return plain_move_kernels(); }
#endif
}  // namespace
MoveKernels move_kernels() { return kernels(); }
}  // namespace kakeya::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kakeya {
HWY_EXPORT(move_kernels);
MoveKernels vector_move_kernels() { return HWY_DYNAMIC_DISPATCH(move_kernels)(); }
}  // namespace kakeya
#endif

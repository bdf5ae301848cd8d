// SPDX-License-Identifier: Apache-2.0
// Nearest lattice points of whole tiles, compiled once an instruction set: quantise_block() of
// lattice/quantise.h in every lane, to the last bit.
#include <bit>

#include "kakeya/simd/tile.h"
#include "kakeya/simd/vector_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kakeya/simd/quantise.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kakeya/simd/nearest.h"

HWY_BEFORE_NAMESPACE();
namespace kakeya::HWY_NAMESPACE {
namespace {
#if HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR

// What becomes of points: left as they are, or taken through the first stages of a Hadamard
// transform and turned (store_as_rows).
enum class Output { points, rows };

// Zeros become +0, except for sums, where they may have either sign.
template <Output kOutput, int kCount>
HWY_INLINE void finish(Vector* v) {
#pragma GCC unroll 8
  for (int i = 0; i < kCount && kOutput == Output::points; ++i) {
    v[i] = hn::Add(v[i], hn::Zero(Tag()));
  }
  if constexpr (kOutput == Output::rows) butterflies<kCount>(v);
}

// Blocks whose nearest point lies outside the box: about one vector in four has one where the step
// is a vector's maximum over the bound. They are put aside and done again, a block a lane.
template <Lattice kLattice, int kCount, Output kOutput>
class Strays {
 public:
  explicit Strays(float bound) : bound_(bound) {
    const Tag d;  // so that lanes without a block hold numbers
    for (std::size_t first = 0; first < kMost; first += kWidth) {
      for (int i = 0; i < kCount; ++i) hn::Store(hn::Zero(d), d, values_[i] + first);
    }
  }

  // Looks at the points of kWidth vectors of which `block` still holds the input.
  HWY_INLINE void collect(const Vector* point, const float* block, const float* inverse_step) {
    const Tag d;
    const IntTag bits;
    IntVector extent = magnitude(point[0]);
#pragma GCC unroll 8
    for (int i = 1; i < kCount; ++i) extent = hn::Max(extent, magnitude(point[i]));
    const auto outside = hn::Gt(extent, hn::Set(bits, std::bit_cast<std::int32_t>(bound_)));
    if (HWY_LIKELY(hn::AllFalse(bits, outside))) return;
    std::uint8_t bytes[8] = {};
    hn::StoreMaskBits(bits, outside, bytes);
    for (unsigned lanes = bytes[0] | bytes[1] << 8; lanes != 0; lanes &= lanes - 1) {
      const int lane = std::countr_zero(lanes);
      for (int i = 0; i < kCount; ++i) {
        values_[i][count_] = block[i * kTileRows + lane] * inverse_step[lane];
      }
      places_[count_++] = block + lane;
    }
  }

  bool many() const { return count_ >= kWidth; }

  // Writes the nearest points in the box to where the others have been written by now.
  HWY_NOINLINE void write(float* tile) {
    const Tag d;
    for (std::size_t first = 0; first < count_; first += kWidth) {
      Vector y[kCount], point[kCount];
      for (int i = 0; i < kCount; ++i) y[i] = hn::Load(d, values_[i] + first);
      if constexpr (kLattice == Lattice::e8) {
        nearest_e8_in_box_lanes(y, bound_, point);
      } else {
        for (int b = 0; b < kCount; b += 4) {
          nearest_dn_in_box_lanes<4>(y + b, hn::Set(d, -bound_), hn::Set(d, bound_), point + b);
        }
      }
      finish<kOutput, kCount>(point);
      for (int i = 0; i < kCount; ++i) hn::Store(point[i], d, values_[i] + first);
    }
    for (std::size_t stray = 0; stray < count_; ++stray) {
      const auto offset = static_cast<std::size_t>(places_[stray] - tile);
      if constexpr (kOutput == Output::rows) {
        const std::size_t row = offset % kTileRows;
        float* place = tile + (offset - row) + place_in_block(row);
        for (std::size_t i = 0; i < kCount; ++i) {
          place[i / kRows * kRows * kTileRows + i % kRows] = values_[i][stray];
        }
      } else {
        for (std::size_t i = 0; i < kCount; ++i) tile[offset + i * kTileRows] = values_[i][stray];
      }
    }
    count_ = 0;
  }

 private:
  static constexpr std::size_t kMost = 2 * kWidth;  // less than a vector of them, then one more
  float bound_;
  std::size_t count_ = 0;
  HWY_ALIGN float values_[kCount][kMost];  // inputs over steps, then outputs
  const float* places_[kMost];
};

struct Job {
  float* tile;
  std::size_t dim;
  const float* inverse_step;
  float bound;
};

template <class Quantiser, bool kBounded, Output kOutput>
class TileLoop {
 public:
  explicit TileLoop(const Job& job) : job_(job), strays_(job.bound) {}

  // Two blocks side by side, so that the decisions about one are hidden behind the coordinates of
  // the other: two of one vector, where that is a whole tile row, or one of two vectors.
  void run() {
    constexpr std::size_t kUnit = kLength * kTileRows;
    float* block = job_.tile;
    float* const end = job_.tile + job_.dim * kTileRows;
    if constexpr (kWidth == kTileRows) {
      for (; block + 2 * kUnit <= end; block += 2 * kUnit) quantise<2, kUnit>(block, 0);
      if (block < end) quantise<1, kUnit>(block, 0);
    } else {
      for (; block < end; block += kUnit) {
        for (std::size_t row = 0; row < kTileRows; row += 2 * kWidth) {
          quantise<2, kWidth>(block + row, row);
        }
      }
    }
    if constexpr (kSetsAside) strays_.write(job_.tile);
  }

 private:
  static constexpr int kLength = Quantiser::kLength;
  static constexpr bool kSetsAside = kBounded && Quantiser::kLattice != Lattice::z;

  template <std::size_t kUnits, std::size_t kApart>
  HWY_INLINE void quantise(float* HWY_RESTRICT block, std::size_t row) {
    const Tag d;
    const auto row_of = [row](std::size_t unit) {
      return row + (kWidth == kTileRows ? 0 : unit * kWidth);
    };
    Quantiser quantiser[kUnits];
#pragma GCC unroll 2
    for (std::size_t u = 0; u < kUnits; ++u) {
      quantiser[u].measure(block + u * kApart, hn::LoadU(d, job_.inverse_step + row_of(u)));
    }
#pragma GCC unroll 2
    for (std::size_t u = 0; u < kUnits; ++u) {
      float* at = block + u * kApart;
      Vector v[kLength];
      quantiser[u].write(v);
      if constexpr (kSetsAside) {
        strays_.collect(v, at, job_.inverse_step + row_of(u));
      } else if constexpr (kBounded) {
        const Vector high = hn::Set(d, job_.bound), low = hn::Set(d, -job_.bound);
        for (int i = 0; i < kLength; ++i) v[i] = hn::Min(hn::Max(v[i], low), high);
      }
      finish<kOutput, kLength>(v);
      if constexpr (kOutput == Output::rows) {
        store_as_rows(v, at);
      } else {
#pragma GCC unroll 8
        for (std::size_t i = 0; i < kLength; ++i) hn::Store(v[i], d, at + i * kTileRows);
      }
      if constexpr (kSetsAside) {
        if (HWY_UNLIKELY(strays_.many())) strays_.write(job_.tile);
      }
    }
  }

  const Job job_;
  Strays<Quantiser::kLattice, kLength, kOutput> strays_;
};

template <class Quantiser, Output kOutput>
void run(const Job& job) {
  if (job.bound > 0.0f) {
    TileLoop<Quantiser, true, kOutput>(job).run();
  } else {
    TileLoop<Quantiser, false, kOutput>(job).run();
  }
}

// Eight coordinates at a time.
template <Output kOutput>
void run(Lattice lattice, const Job& job) {
  switch (lattice) {
    case Lattice::z:
      return run<Z<8>, kOutput>(job);
    case Lattice::d4:
      return run<D4<8>, kOutput>(job);
    case Lattice::e8:
      return run<E8, kOutput>(job);
    case Lattice::trellis:  // paths.cpp
      break;
  }
}

// The few that are left of a dim that is no multiple of eight one block at a time.
void quantise(Lattice lattice, float* tile, std::size_t dim, const float* inverse_step,
              float bound) {
  const std::size_t whole = dim / 8 * 8;
  run<Output::points>(lattice, {tile, whole, inverse_step, bound});
  const Job rest{tile + whole * kTileRows, dim - whole, inverse_step, bound};
  if (rest.dim == 0) return;
  if (lattice == Lattice::z) return run<Z<1>, Output::points>(rest);
  run<D4<4>, Output::points>(rest);
}

void quantise_to_rows(Lattice lattice, float* tile, std::size_t dim, const float* inverse_step,
                      float bound) {
  run<Output::rows>(lattice, {tile, dim, inverse_step, bound});
}

QuantiseKernels kernels() { return {quantise, quantise_to_rows}; }

#else
QuantiseKernels kernels() { return plain_quantise_kernels(); }
#endif
}  // namespace
QuantiseKernels quantise_kernels() { return kernels(); }
}  // namespace kakeya::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kakeya {
HWY_EXPORT(quantise_kernels);
QuantiseKernels vector_quantise_kernels() { return HWY_DYNAMIC_DISPATCH(quantise_kernels)(); }
}  // namespace kakeya
#endif

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

// What becomes of points: left as they are, multiplied by the step, or taken through the first
// stages of a Hadamard transform.
enum class Output { points, scaled, sums };

// Zeros become +0, except for sums, where they may have either sign.
template <Output kOutput, int kCount>
HWY_INLINE void finish(Vector* v, Vector step) {
#pragma GCC unroll 8
  for (int i = 0; i < kCount && kOutput != Output::sums; ++i) {
    v[i] = hn::Add(v[i], hn::Zero(Tag()));
    if constexpr (kOutput == Output::scaled) v[i] = hn::Mul(v[i], step);
  }
  if constexpr (kOutput == Output::sums) butterflies<kCount>(v);
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
      hn::Store(hn::Zero(d), d, steps_ + first);
    }
  }

  // Looks at the points of kWidth vectors of which `block` still holds the input.
  HWY_INLINE void collect(const Vector* point, const float* block, const float* inverse_step,
                          const float* step) {
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
      steps_[count_] = kOutput == Output::scaled ? step[lane] : 0.0f;
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
      finish<kOutput, kCount>(point, hn::Load(d, steps_ + first));
      for (int i = 0; i < kCount; ++i) hn::Store(point[i], d, values_[i] + first);
    }
    for (std::size_t stray = 0; stray < count_; ++stray) {
      float* place = tile + (places_[stray] - tile);
      for (int i = 0; i < kCount; ++i) place[i * kTileRows] = values_[i][stray];
    }
    count_ = 0;
  }

 private:
  static constexpr std::size_t kMost = 2 * kWidth;  // less than a vector of them, then one more
  float bound_;
  std::size_t count_ = 0;
  HWY_ALIGN float values_[kCount][kMost];  // inputs over steps, then outputs
  HWY_ALIGN float steps_[kMost];
  const float* places_[kMost];
};

struct Job {
  float* tile;
  std::size_t dim;
  const float* inverse_step;
  float bound;
  const float* step;
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
      const float* step = kOutput == Output::scaled ? job_.step + row_of(u) : nullptr;
      Vector v[kLength];
      quantiser[u].write(v);
      if constexpr (kSetsAside) {
        strays_.collect(v, at, job_.inverse_step + row_of(u), step);
      } else if constexpr (kBounded) {
        const Vector high = hn::Set(d, job_.bound), low = hn::Set(d, -job_.bound);
        for (int i = 0; i < kLength; ++i) v[i] = hn::Min(hn::Max(v[i], low), high);
      }
      finish<kOutput, kLength>(v, kOutput == Output::scaled ? hn::LoadU(d, step) : hn::Zero(d));
#pragma GCC unroll 8
      for (std::size_t i = 0; i < kLength; ++i) hn::Store(v[i], d, at + i * kTileRows);
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

// Eight coordinates at a time; the few left of a dim that is no multiple one block at a time.
template <Output kOutput>
void run(Lattice lattice, Job job) {
  const std::size_t whole = job.dim / 8 * 8;
  Job rest = job;
  rest.tile += whole * kTileRows;
  rest.dim -= whole;
  job.dim = whole;
  switch (lattice) {
    case Lattice::z:
      run<Z<8>, kOutput>(job);
      return run<Z<1>, kOutput>(rest);
    case Lattice::d4:
      run<D4<8>, kOutput>(job);
      return run<D4<4>, kOutput>(rest);
    case Lattice::e8:
      return run<E8, kOutput>(job);
  }
}

void quantise(Lattice lattice, float* tile, std::size_t dim, const float* inverse_step, float bound,
              const float* step) {
  const Job job{tile, dim, inverse_step, bound, step};
  if (step == nullptr) {
    run<Output::points>(lattice, job);
  } else {
    run<Output::scaled>(lattice, job);
  }
}

void quantise_first_stages(Lattice lattice, float* tile, std::size_t dim, const float* inverse_step,
                           float bound) {
  run<Output::sums>(lattice, {tile, dim, inverse_step, bound, nullptr});
}

QuantiseKernels kernels() { return {quantise, quantise_first_stages}; }

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

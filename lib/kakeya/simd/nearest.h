// SPDX-License-Identifier: Apache-2.0
// The functions of lattice/quantise.h, a block a lane, to the last bit; once for every instruction
// set as lanes.h.
#if defined(KAKEYA_SIMD_NEAREST_H) == defined(HWY_TARGET_TOGGLE)
#ifdef KAKEYA_SIMD_NEAREST_H
#undef KAKEYA_SIMD_NEAREST_H
#else
#define KAKEYA_SIMD_NEAREST_H
#endif

#include "kakeya/lattice/lattice.h"
#include "kakeya/simd/lanes.h"

#if HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR

HWY_BEFORE_NAMESPACE();
namespace kakeya::HWY_NAMESPACE {
namespace {

// Adding it rounds to an integer, ties to even, whose parity is then the lowest bit (lattice/dn.h).
constexpr float kRounder = 12582912.0f;

// Magnitudes are compared as the integers that their bits are, in the same order: comparisons and
// extremes of integers take one cycle, on any of the units.
HWY_INLINE IntVector magnitude(Vector value) {
  return hn::And(hn::BitCast(IntTag(), value), hn::Set(IntTag(), 0x7fffffff));
}

// No magnitude.
HWY_INLINE IntVector nothing() { return hn::Set(IntTag(), -1); }

// `target` where it has not been found, nothing() from then on.
HWY_INLINE IntVector unless_found(hn::Mask<IntTag> found, IntVector target) {
#if HWY_TARGET <= HWY_AVX3
  return hn::IfThenElse(found, nothing(), target);
#else
  return hn::Or(hn::VecFromMask(IntTag(), found), target);
#endif
}

// 1 with the sign of a number.
HWY_INLINE Vector direction(Vector value) {
  const Vector one = hn::Set(Tag(), 1.0f);
#if HWY_TARGET <= HWY_AVX3
  return hn::CopySignToAbs(one, value);
#else
  return hn::IfNegativeThenElse(value, hn::Neg(one), one);
#endif
}

// The point of E8 nearest to a block, in two halves between which a long chain of operations
// decides about its coset and which coordinate moves: nearest_e8_by_residues().
struct E8 {
  static constexpr Lattice kLattice = Lattice::e8;
  static constexpr int kLength = 8;

  Vector rounded[8], residue[8];  // x - x is +0 for a -0 too: an integer counts as positive
  Vector nearest, second;  // how far coordinates lie from the rounded ones, and one that moves
  IntVector target;        // the size of the residue that moves, if any

  HWY_INLINE void measure(const float* HWY_RESTRICT block, Vector inverse_step) {
    const Tag d;
    const IntTag bits;
    Vector coordinates, sizes;
    IntVector signs, largest, smallest;
#pragma GCC unroll 8
    for (std::size_t i = 0; i < 8; ++i) {
      const Vector t = hn::Mul(hn::Load(d, block + i * kTileRows), inverse_step);
      rounded[i] = hn::Round(t);
      residue[i] = hn::Sub(t, rounded[i]);
      const IntVector size = magnitude(residue[i]), sign = hn::BitCast(bits, residue[i]);
      coordinates = i == 0 ? rounded[i] : hn::Add(coordinates, rounded[i]);
      sizes = i == 0 ? hn::BitCast(d, size) : hn::Add(sizes, hn::BitCast(d, size));
      signs = i == 0 ? sign : hn::Xor(signs, sign);
      largest = i == 0 ? size : hn::Max(largest, size);
      smallest = i == 0 ? size : hn::Min(smallest, size);
    }
    const Vector most = hn::BitCast(d, largest), least = hn::BitCast(d, smallest);
    const Vector half = hn::Set(d, 0.5f), one = hn::Set(d, 1.0f);
    const Vector half_sum = hn::Mul(coordinates, half);
    const IntVector odd_integers =
        hn::BitCast(bits, hn::VecFromMask(d, hn::Ne(half_sum, hn::Round(half_sum))));
    const IntVector odd_halves = hn::Xor(odd_integers, hn::BroadcastSignBit(signs));
    const Vector integers = hn::And(hn::BitCast(d, odd_integers), hn::Sub(most, half));
    const Vector halves = hn::And(hn::BitCast(d, odd_halves), least);
    const auto take_halves = hn::Lt(hn::Add(integers, halves), hn::Sub(hn::Mul(sizes, half), one));
    const IntVector odd =
        hn::IfThenElse(hn::RebindMask(bits, take_halves), odd_halves, odd_integers);
    target = hn::IfThenElse(hn::RebindMask(bits, take_halves), smallest, largest);
    target = hn::Or(target, hn::Not(odd));
    nearest = hn::IfThenElseZero(take_halves, half);
    second = hn::IfThenElse(take_halves, hn::Set(d, -0.5f), one);
  }

  // Zeros may have either sign.
  HWY_INLINE void write(Vector* points) {
    const Tag d;
    const Vector sign = hn::SignBit(d);
#pragma GCC unroll 8
    for (std::size_t i = 0; i < 8; ++i) {
      const auto moved = hn::Eq(hn::BitCast(IntTag(), hn::AndNot(sign, residue[i])), target);
      target = unless_found(moved, target);
      const Vector outward = hn::IfThenElse(hn::RebindMask(d, moved), second, nearest);
      points[i] = hn::MulAdd(direction(residue[i]), outward, rounded[i]);  // exact
    }
  }
};

// One or two blocks of D4: nearest_dn<4>(). Rounded by an addition, which leaves the parity in the
// lowest bit: with so little to do a coordinate, summing coordinates up would take longer than
// combining bits. The residue is t + (kRounder - (t + kRounder)), whose second summand is never -0:
// +0 for a t of -0.
template <int kCount>
struct D4 {
  static constexpr Lattice kLattice = Lattice::d4;
  static constexpr int kLength = kCount;

  Vector negated[kCount], residue[kCount];
  IntVector target[kCount / 4];

  HWY_INLINE void measure(const float* HWY_RESTRICT block, Vector inverse_step) {
    const Tag d;
    const Vector rounder = hn::Set(d, kRounder);
#pragma GCC unroll 2
    for (std::size_t b = 0; b < kCount; b += 4) {
      IntVector parities, largest;
#pragma GCC unroll 4
      for (std::size_t i = b; i < b + 4; ++i) {
        const Vector t = hn::Mul(hn::Load(d, block + i * kTileRows), inverse_step);
        const Vector shifted = hn::Add(t, rounder);
        negated[i] = hn::Sub(rounder, shifted);
        residue[i] = hn::Add(t, negated[i]);
        const IntVector size = magnitude(residue[i]), parity = hn::BitCast(IntTag(), shifted);
        parities = i == b ? parity : hn::Xor(parities, parity);
        largest = i == b ? size : hn::Max(largest, size);
      }
      const IntVector odd = hn::BroadcastSignBit(hn::ShiftLeft<31>(parities));
      target[b / 4] = hn::Or(largest, hn::Not(odd));
    }
  }

  HWY_INLINE void write(Vector* points) {
    const Tag d;
    const Vector sign = hn::SignBit(d);
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kCount; ++i) {
      const auto moved = hn::Eq(hn::BitCast(IntTag(), hn::AndNot(sign, residue[i])), target[i / 4]);
      target[i / 4] = unless_found(moved, target[i / 4]);
      const Vector move = hn::IfThenElseZero(hn::RebindMask(d, moved), direction(residue[i]));
      points[i] = hn::Sub(move, negated[i]);
    }
  }
};

template <int kCount>
struct Z {
  static constexpr Lattice kLattice = Lattice::z;
  static constexpr int kLength = kCount;

  Vector rounded[kCount];

  HWY_INLINE void measure(const float* HWY_RESTRICT block, Vector inverse_step) {
    const Tag d;
    const Vector rounder = hn::Set(d, kRounder);
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kCount; ++i) {
      const Vector t = hn::Mul(hn::Load(d, block + i * kTileRows), inverse_step);
      rounded[i] = hn::Sub(hn::Add(t, rounder), rounder);
    }
  }

  HWY_INLINE void write(Vector* points) {
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kCount; ++i) points[i] = rounded[i];
  }
};

// nearest_dn_in_box<kCount>() in every lane.
template <int kCount>
HWY_INLINE void nearest_dn_in_box_lanes(const Vector* y, Vector low, Vector high, Vector* point) {
  const Tag d;
  const IntTag integers;
  const Vector one = hn::Set(d, 1.0f), minus_one = hn::Set(d, -1.0f),
               rounder = hn::Set(d, kRounder);
  const Vector none = hn::BitCast(d, nothing());
  Vector gain[kCount], step[kCount], best;
  IntVector parity = hn::Zero(integers);
  for (int i = 0; i < kCount; ++i) {
    const Vector rounded = hn::Sub(hn::Add(y[i], rounder), rounder);
    point[i] = hn::Min(hn::Max(rounded, low), high);
    const Vector residue = hn::Sub(y[i], point[i]);
    const Vector outward = hn::IfThenElse(hn::Lt(residue, hn::Zero(d)), minus_one, one);
    const Vector moved = hn::Add(point[i], outward);
    const Vector low_step = hn::IfThenElse(hn::Lt(moved, low), one, outward);
    step[i] = hn::IfThenElse(hn::Gt(moved, high), minus_one, low_step);
    gain[i] = hn::Mul(residue, step[i]);
    best = i == 0 ? gain[i] : hn::Max(best, gain[i]);
    parity = hn::Xor(parity, hn::ConvertTo(integers, point[i]));
  }
  const Vector odd = hn::BitCast(d, hn::ShiftLeft<31>(parity));
  Vector target = hn::IfNegativeThenElse(odd, best, none);
  for (int i = 0; i < kCount; ++i) {
    const auto moves = hn::Eq(gain[i], target);
    target = hn::IfThenElse(moves, none, target);
    point[i] = hn::Add(point[i], hn::IfThenElseZero(moves, step[i]));
  }
}

HWY_INLINE Vector squared_distance8_lanes(const Vector* a, const Vector* b) {
  Vector sum = hn::Zero(Tag());
  for (int i = 0; i < 8; ++i) {
    const Vector difference = hn::Sub(a[i], b[i]);
    sum = hn::Add(sum, hn::Mul(difference, difference));
  }
  return sum;
}

// nearest_e8_in_box() in every lane.
HWY_INLINE void nearest_e8_in_box_lanes(const Vector* y, float bound, Vector* point) {
  const Tag d;
  const Vector half = hn::Set(d, 0.5f), low = hn::Set(d, -bound);
  Vector shifted[8], halves[8];
  nearest_dn_in_box_lanes<8>(y, low, hn::Set(d, bound), point);
  for (int i = 0; i < 8; ++i) shifted[i] = hn::Sub(y[i], half);
  nearest_dn_in_box_lanes<8>(shifted, low, hn::Set(d, bound - 1.0f), halves);
  for (int i = 0; i < 8; ++i) halves[i] = hn::Add(halves[i], half);
  const auto take_integers =
      hn::Le(squared_distance8_lanes(y, point), squared_distance8_lanes(y, halves));
  for (int i = 0; i < 8; ++i) point[i] = hn::IfThenElse(take_integers, point[i], halves[i]);
}

}  // namespace
}  // namespace kakeya::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
#endif  // KAKEYA_SIMD_NEAREST_H

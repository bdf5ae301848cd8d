// SPDX-License-Identifier: Apache-2.0
// Nearest paths through a trellis of whole tiles, compiled once an instruction set: the numbers of
// plain_paths.cpp in every lane, to the last bit. A coordinate takes about 55 operations a vector
// on the way there (five a state) and 30 on the way back, where states are lanes of integers.
#include "kakeya/lattice/trellis.h"
#include "kakeya/simd/tile.h"
#include "kakeya/simd/vector_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kakeya/simd/paths.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kakeya/simd/lanes.h"

HWY_BEFORE_NAMESPACE();
namespace kakeya::HWY_NAMESPACE {
namespace {
#if HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR

// TrellisChoices of one parity.
struct Choice {
  Vector rounded, residue;

  HWY_INLINE Choice(Vector y, float offset) {
    const Tag d;
    const Vector half = hn::Sub(hn::Mul(y, hn::Set(d, 0.5f)), hn::Set(d, 0.5f * offset));
    const Vector magic = hn::Set(d, 12582912.0f);
    rounded = hn::Sub(hn::Add(half, magic), magic);
    residue = hn::Sub(half, rounded);
  }
  HWY_INLINE Vector near() const { return hn::Mul(residue, residue); }
  HWY_INLINE Vector far() const {
    const Vector other = hn::Sub(hn::Set(Tag(), 0.5f), hn::Abs(residue));
    return hn::Mul(other, other);
  }
};

void nearest(float* HWY_RESTRICT tile, std::size_t dim, const float* HWY_RESTRICT inverse_step,
             std::int32_t* HWY_RESTRICT decisions) {
  const Tag d;
  const IntTag di;
  const auto bit = [di](IntVector value, int place) {
    return hn::And(place == 0 ? value : hn::ShiftRightSame(value, place), hn::Set(di, 1));
  };
  for (std::size_t at = 0; at < kTileRows; at += kWidth) {
    Vector costs[kTrellisStates];
    for (Vector& cost : costs) cost = hn::Set(d, kTrellisUnreached);
    costs[0] = hn::Zero(d);
    const Vector factor = hn::LoadU(d, inverse_step + at);
    for (std::size_t i = dim * kTileRows + at; i >= kTileRows;) {
      i -= kTileRows;
      const Vector y = hn::Mul(hn::Load(d, tile + i), factor);
      hn::Store(y, d, tile + i);
      const Choice whole(y, 0.0f), halves(y, 0.5f);
      const Vector distance[4] = {whole.near(), halves.near(), whole.far(), halves.far()};
      Vector next[kTrellisStates];
      IntVector taken = hn::Zero(di);
#pragma GCC unroll 8
      for (std::uint32_t state = 0; state < kTrellisStates; ++state) {
        const Vector one = hn::Add(costs[trellis_before(state, 0)],
                                   distance[trellis_subset(state, 0)]),
                     two = hn::Add(costs[trellis_before(state, 1)],
                                   distance[trellis_subset(state, 1)]);
        const auto other = hn::RebindMask(di, hn::Lt(two, one));
        next[state] = hn::Min(one, two);
        taken = hn::Or(taken, hn::IfThenElseZero(other, hn::Set(di, 1 << state)));
      }
#pragma GCC unroll 8
      for (int state = 0; state < kTrellisStates; ++state) costs[state] = next[state];
      hn::StoreU(taken, di, decisions + i);
    }
    Vector least = costs[0];
    IntVector state = hn::Zero(di);
    for (int other = 1; other < kTrellisStates; ++other) {
      const auto less = hn::Lt(costs[other], least);
      least = hn::IfThenElse(less, costs[other], least);
      state = hn::IfThenElse(hn::RebindMask(di, less), hn::Set(di, other), state);
    }
    for (std::size_t i = at; i < dim * kTileRows; i += kTileRows) {
      const IntVector which = bit(hn::Shr(hn::LoadU(di, decisions + i), state), 0);
      const IntVector s1 = bit(state, 2), s2 = hn::Xor(bit(state, 0), s1),
                      z1 = hn::Xor(bit(state, 1), which);
      const Vector y = hn::Load(d, tile + i);
      const Choice whole(y, 0.0f), halves(y, 0.5f);
      const auto odd = hn::RebindMask(d, hn::Ne(s1, hn::Zero(di))),
                 far = hn::RebindMask(d, hn::Ne(z1, hn::Zero(di)));
      const Vector residue = hn::IfThenElse(odd, halves.residue, whole.residue);
      Vector point =
          hn::Add(hn::Mul(hn::Set(d, 2.0f), hn::IfThenElse(odd, halves.rounded, whole.rounded)),
                  hn::IfThenElseZero(odd, hn::Set(d, 0.5f)));
      const Vector outwards =
          hn::IfThenElse(hn::Lt(residue, hn::Zero(d)), hn::Set(d, -1.0f), hn::Set(d, 1.0f));
      point = hn::Add(point, hn::IfThenElseZero(far, outwards));
      hn::Store(point, d, tile + i);
      state = hn::Or(hn::Or(s1, hn::ShiftLeft<1>(s2)), hn::ShiftLeft<2>(which));
    }
  }
}

PathKernels kernels() { return {nearest}; }
#else
PathKernels kernels() { return plain_path_kernels(); }
#endif
}  // namespace
PathKernels path_kernels() { return kernels(); }
}  // namespace kakeya::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kakeya {
HWY_EXPORT(path_kernels);
PathKernels vector_path_kernels() { return HWY_DYNAMIC_DISPATCH(path_kernels)(); }
}  // namespace kakeya
#endif

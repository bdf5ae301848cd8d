// SPDX-License-Identifier: Apache-2.0
// The scales of whole tiles, compiled once an instruction set.
#include "kakeya/simd/tile.h"
#include "kakeya/simd/vector_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kakeya/simd/scales.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kakeya/simd/lanes.h"

HWY_BEFORE_NAMESPACE();
namespace kakeya::HWY_NAMESPACE {
namespace {
#if HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR

using BitsTag = hn::RebindToSigned<RowTag>;
using Bits = hn::Vec<BitsTag>;
using DoubleTag = hn::CappedTag<double, 8>;
using FloatTag = hn::Rebind<float, DoubleTag>;  // as many lanes
constexpr std::size_t kLanes = hn::MaxLanes(DoubleTag());

// float_to_half() of numbers that are not negative. Below 2^-14 the sum with 1/2, whose last place
// is 2^-24, rounds as a subnormal does.
HWY_INLINE Bits to_half(RowVector value) {
  const RowTag d;
  const BitsTag bits;
  const Bits pattern = hn::BitCast(bits, value);
  const Bits odd = hn::And(hn::ShiftRight<13>(pattern), hn::Set(bits, 1));
  const Bits bias = hn::Set(bits, 0xfff - 0x38000000);
  const Bits normal = hn::ShiftRight<13>(hn::Add(hn::Add(pattern, bias), odd));
  const RowVector half = hn::Set(d, 0.5f);
  const Bits subnormal = hn::Sub(hn::BitCast(bits, hn::Add(value, half)), hn::BitCast(bits, half));
  const auto is_small = hn::Lt(pattern, hn::Set(bits, 0x38800000));
  const auto is_large = hn::Gt(pattern, hn::Set(bits, 0x477fefff));
  return hn::IfThenElse(is_large, hn::Set(bits, 0x7c00),
                        hn::IfThenElse(is_small, subnormal, normal));
}

// half_to_float() of what to_half() returns.
HWY_INLINE RowVector from_half(Bits half) {
  const RowTag d;
  const BitsTag bits;
  const Bits normal = hn::Add(hn::ShiftLeft<13>(half), hn::Set(bits, 0x38000000));
  const RowVector subnormal = hn::Mul(hn::ConvertTo(d, half), hn::Set(d, 0x1p-24f));
  const auto is_small = hn::RebindMask(d, hn::Lt(half, hn::Set(bits, 0x400)));
  const auto is_large = hn::Gt(half, hn::Set(bits, 0x7bff));
  const Bits finite =
      hn::BitCast(bits, hn::IfThenElse(is_small, subnormal, hn::BitCast(d, normal)));
  return hn::BitCast(d, hn::IfThenElse(is_large, hn::Set(bits, 0x7f800000), finite));
}

// Roots and quotients in double take long one after the other: first those of all sixteen, then
// halves, then the last quotients.
void two_scales(const float* sum_of_squares, const float* largest, double unit, int levels,
                const TwoScales& out) {
  const DoubleTag wide;
  const FloatTag narrow;
  const RowTag d;
  const BitsTag bits;
  const hn::Rebind<std::uint16_t, RowTag> codes;
  HWY_ALIGN double norms[kTileRows];
  HWY_ALIGN float norm[kTileRows], maximum[kTileRows];
#pragma GCC unroll 4
  for (std::size_t row = 0; row < kTileRows; row += kLanes) {
    const auto most = hn::PromoteTo(wide, hn::LoadU(narrow, largest + row));
    const auto root = hn::Sqrt(hn::PromoteTo(wide, hn::LoadU(narrow, sum_of_squares + row)));
    hn::Store(root, wide, norms + row);
    hn::Store(hn::DemoteTo(narrow, root), narrow, norm + row);
    hn::Store(hn::DemoteTo(narrow, hn::Div(most, root)), narrow, maximum + row);
  }
  const RowVector count = hn::Set(d, static_cast<float>(levels));
#pragma GCC unroll 2
  for (std::size_t row = 0; row < kTileRows; row += kRows) {
    const auto some = hn::Ne(hn::LoadU(d, largest + row), hn::Zero(d));
    const auto keep = hn::RebindMask(bits, some);
    const Bits norm_half = hn::IfThenElseZero(keep, to_half(hn::Load(d, norm + row)));
    const Bits maximum_half = hn::IfThenElseZero(keep, to_half(hn::Load(d, maximum + row)));
    const RowVector stored = from_half(maximum_half);
    hn::StoreU(hn::DemoteTo(codes, norm_half), codes, out.norm + row);
    hn::StoreU(hn::DemoteTo(codes, maximum_half), codes, out.maximum + row);
    hn::StoreU(hn::Mul(from_half(norm_half), hn::Div(stored, count)), d, out.step + row);
    hn::Store(stored, d, maximum + row);
  }
  const auto numerator = hn::Set(wide, levels * unit);
#pragma GCC unroll 4
  for (std::size_t row = 0; row < kTileRows; row += kLanes) {
    const auto some = hn::Ne(hn::LoadU(narrow, largest + row), hn::Zero(narrow));
    const auto root = hn::Load(wide, norms + row);
    const auto most = hn::PromoteTo(wide, hn::Load(narrow, maximum + row));
    const auto quotient = hn::DemoteTo(narrow, hn::Div(numerator, hn::Mul(most, root)));
    hn::StoreU(hn::IfThenElseZero(some, quotient), narrow, out.inverse_step + row);
  }
}

ScaleKernels kernels() { return {two_scales}; }

#else
ScaleKernels kernels() { return plain_scale_kernels(); }
#endif
}  // namespace
ScaleKernels scale_kernels() { return kernels(); }
}  // namespace kakeya::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kakeya {
HWY_EXPORT(scale_kernels);
ScaleKernels vector_scale_kernels() { return HWY_DYNAMIC_DISPATCH(scale_kernels)(); }
}  // namespace kakeya
#endif

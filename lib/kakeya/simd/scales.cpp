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

using DoubleTag = hn::CappedTag<double, 8>;
using FloatTag = hn::Rebind<float, DoubleTag>;  // as many lanes
using BitsTag = hn::RebindToSigned<FloatTag>;
using Floats = hn::Vec<FloatTag>;
using Bits = hn::Vec<BitsTag>;
constexpr std::size_t kLanes = hn::MaxLanes(DoubleTag());

// float_to_half() of numbers that are not negative. Below 2^-14 the sum with 1/2, whose last place
// is 2^-24, rounds as a subnormal does.
HWY_INLINE Bits to_half(Floats value) {
  const FloatTag d;
  const BitsTag bits;
  const Bits pattern = hn::BitCast(bits, value);
  const Bits odd = hn::And(hn::ShiftRight<13>(pattern), hn::Set(bits, 1));
  const Bits bias = hn::Set(bits, 0xfff - 0x38000000);
  const Bits normal = hn::ShiftRight<13>(hn::Add(hn::Add(pattern, bias), odd));
  const Floats half = hn::Set(d, 0.5f);
  const Bits subnormal = hn::Sub(hn::BitCast(bits, hn::Add(value, half)), hn::BitCast(bits, half));
  const auto is_small = hn::Lt(pattern, hn::Set(bits, 0x38800000));
  const auto is_large = hn::Gt(pattern, hn::Set(bits, 0x477fefff));
  return hn::IfThenElse(is_large, hn::Set(bits, 0x7c00),
                        hn::IfThenElse(is_small, subnormal, normal));
}

// half_to_float() of what to_half() returns.
HWY_INLINE Floats from_half(Bits half) {
  const FloatTag d;
  const BitsTag bits;
  const Bits normal = hn::Add(hn::ShiftLeft<13>(half), hn::Set(bits, 0x38000000));
  const Floats subnormal = hn::Mul(hn::ConvertTo(d, half), hn::Set(d, 0x1p-24f));
  const auto is_small = hn::RebindMask(d, hn::Lt(half, hn::Set(bits, 0x400)));
  const auto is_large = hn::Gt(half, hn::Set(bits, 0x7bff));
  const Bits finite =
      hn::BitCast(bits, hn::IfThenElse(is_small, subnormal, hn::BitCast(d, normal)));
  return hn::BitCast(d, hn::IfThenElse(is_large, hn::Set(bits, 0x7f800000), finite));
}

void two_scales(const float* sum_of_squares, const float* largest, double unit, int levels,
                const TwoScales& out) {
  const DoubleTag wide;
  const FloatTag d;
  const BitsTag bits;
  const hn::Rebind<std::uint16_t, DoubleTag> codes;
  const auto numerator = hn::Set(wide, levels * unit);
  const Floats count = hn::Set(d, static_cast<float>(levels));
  for (std::size_t row = 0; row < kTileRows; row += kLanes) {
    const Floats most = hn::LoadU(d, largest + row);
    const auto some = hn::Ne(most, hn::Zero(d));
    const auto norm = hn::Sqrt(hn::PromoteTo(wide, hn::LoadU(d, sum_of_squares + row)));
    const Bits norm_half = to_half(hn::DemoteTo(d, norm));
    const Bits maximum_half = to_half(hn::DemoteTo(d, hn::Div(hn::PromoteTo(wide, most), norm)));
    const Floats maximum = from_half(maximum_half);
    const Floats step = hn::Mul(from_half(norm_half), hn::Div(maximum, count));
    const Floats inverse_step =
        hn::DemoteTo(d, hn::Div(numerator, hn::Mul(hn::PromoteTo(wide, maximum), norm)));
    const auto keep = hn::RebindMask(bits, some);
    hn::StoreU(hn::DemoteTo(codes, hn::IfThenElseZero(keep, norm_half)), codes, out.norm + row);
    hn::StoreU(hn::DemoteTo(codes, hn::IfThenElseZero(keep, maximum_half)), codes,
               out.maximum + row);
    hn::StoreU(hn::IfThenElseZero(some, step), d, out.step + row);
    hn::StoreU(hn::IfThenElseZero(some, inverse_step), d, out.inverse_step + row);
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

// SPDX-License-Identifier: Apache-2.0
// q4_1 and q5_1: blocks of llama.cpp's quantised KV caches with a least value beside the scale, 32
// coordinates and two binary16, in the arithmetic of ggml's reference (quantize_row_q4_1_ref,
// quantize_row_q5_1_ref and their like,
// https://github.com/ggml-org/ggml/blob/master/src/ggml-quants.c):
//
//   d = (max - min) / (2^b - 1),  code = min(2^b - 1, floor((x - min) / d + 0.5)),
//   decoded code d + min
//
// coded with the d and min that are not yet rounded, decoded with the binary16 of each, as there.
// With the key `rotate` x is rotated first. What binary16 cannot hold is stored with a window (kivi_window). Sections: see
// BlockCodec; "scales" d, min.
#include "kakeya/codec/error_bounds.h"
#include "kakeya/codec/spec_args.h"
#include "kakeya/codecs/peers/block_codec.h"
#include "kakeya/codecs/peers/block_rotation.h"
#include "kakeya/codecs/peers/block_rules.h"
#include "kakeya/core/half.h"

namespace kakeya {
namespace {

constexpr std::size_t kBlock = 32;
constexpr std::uint16_t kHalfInfinity = 0x7c00u;

template <int kBits>
struct GgmlRange {
  static constexpr int kCodeBits = kBits, kLevels = 1 << kBits;
  static constexpr std::size_t kScaleBytes = 4, kFrameBytes = 0;
  static constexpr bool kWindows = true;

  std::size_t block() const { return kBlock; }

  StoredBlock<kScaleBytes> quantise(std::span<const float> x, std::span<std::uint8_t> codes,
                                    int lowest) const {
    const auto [least, most] = std::minmax_element(x.begin(), x.end());
    StoredBlock<kScaleBytes> stored;
    stored.window = kivi_window(kBits, *least, *most, lowest);
    const float low = times_window(*least, -stored.window),
                high = times_window(*most, -stored.window);
    const float step = (high - low) / static_cast<float>(kLevels - 1);
    const float inverse = step != 0.0f ? 1.0f / step : 0.0f;
    for (std::size_t i = 0; i < kBlock; ++i) {
      const float level = (times_window(x[i], -stored.window) - low) * inverse;
      codes[i] = static_cast<std::uint8_t>(std::min(kLevels - 1, static_cast<int>(level + 0.5f)));
    }
    const std::uint16_t halves[] = {float_to_half(step), float_to_half(low)};
    std::memcpy(stored.bytes.data(), halves, sizeof halves);
    return stored;
  }

  bool decode(const StoredBlock<kScaleBytes>& stored, std::span<const std::uint8_t> codes,
              std::span<float> out) const {
    const std::uint16_t step = half_at(stored, 0), low = half_at(stored, 2);
    if (step >= kHalfInfinity || (low & 0x7fffu) >= kHalfInfinity) return false;
    for (std::size_t i = 0; i < kBlock; ++i) {
      const float value = static_cast<float>(codes[i]) * half_to_float(step) + half_to_float(low);
      out[i] = times_window(value, stored.window);
    }
    return true;
  }
};

template <int kBits>
std::unique_ptr<Codec> make_range(SpecArgs& args, const CodecInput& input) {
  require_blocks(args.name(), input.dim, kBlock);
  const BlockRotation rotation(args, input.dim);
  return std::make_unique<BlockCodec<GgmlRange<kBits>>>(args.canonical(), input.dim,
                                                        GgmlRange<kBits>{}, rotation);
}

constexpr CodecSection kBooked[] = {
    {"scales", Booked::scales}, {"codes", Booked::payload}, {"windows", Booked::scales}};
constexpr CodecSource kSource = {
    "llama.cpp's KV cache types, ggml's reference quantisation (ggml-quants.c)", Faithful::exact,
    "rotated as llama.cpp does since April 2026 (PR 21038) with rotate=N alone, whose sums are in "
    "another order than a matrix product's; blocks that binary16 cannot hold are kept, which ggml loses"};

// Half a step of a range that is at most twice the largest magnitude; up to an eighth of one, and
// 2^-8, for rounding step and least value.
template <int kBits>
double range_bound(const Spec& spec, std::span<const float> x, double, const CodecInput&) {
  const double part = 1.25 / (std::exp2(kBits) - 1) + 0x1p-8;
  return rotated_blocks_bound(spec, x, kBlock, part) + 1e-40;
}

}  // namespace

extern const CodecDescriptor kQ4_1 = {
    .name = "q4_1",
    .summary = "llama.cpp's blocks of 32: 4 bits a coordinate, a binary16 step and least value",
    .example = "q4_1",
    .keys = kRotationKeys,
    .sections = kBooked,
    .source = kSource,
    .error_bound = {range_bound<4>, true},
    .make = make_range<4>,
};

extern const CodecDescriptor kQ5_1 = {
    .name = "q5_1",
    .summary = "llama.cpp's blocks of 32: 5 bits a coordinate, a binary16 step and least value",
    .example = "q5_1",
    .keys = kRotationKeys,
    .sections = kBooked,
    .source = kSource,
    .error_bound = {range_bound<5>, true},
    .make = make_range<5>,
};

}  // namespace kakeya

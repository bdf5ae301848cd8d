// SPDX-License-Identifier: Apache-2.0
// iq4_nl: blocks of 32 coordinates of llama.cpp's quantised KV caches whose 16 levels lie unevenly,
// in the arithmetic of ggml's reference (quantize_row_iq4_nl_ref, which is quantize_row_iq4_nl_impl
// without its search over scales; https://github.com/ggml-org/ggml/blob/master/src/ggml-quants.c):
//
//   d0 = m / -127, m the coordinate of largest magnitude with its sign
//   code = the level nearest to x / d0, the upper of two as near
//   d = sum(w level x) / sum(w level^2), w = x^2;  decoded level d
//
// with d as a binary16. With the key `rotate` x is rotated first. A block whose d0 is no normal binary16 has a window. Sections:
// see BlockCodec; "scales" d.
#include "kakeya/codec/error_bounds.h"
#include "kakeya/codec/spec_args.h"
#include "kakeya/codecs/peers/block_codec.h"
#include "kakeya/codecs/peers/block_rotation.h"
#include "kakeya/core/half.h"

namespace kakeya {
namespace {

constexpr std::size_t kBlock = 32;
constexpr float kLevelsOfIq4Nl[16] = {-127, -104, -83, -65, -49, -35, -22, -10,
                                      1,    13,   25,  38,  53,  69,  89,  113};

std::uint8_t nearest_level(float x) {
  const auto above = std::lower_bound(std::begin(kLevelsOfIq4Nl), std::end(kLevelsOfIq4Nl), x);
  if (above == std::begin(kLevelsOfIq4Nl)) return 0;
  if (above == std::end(kLevelsOfIq4Nl)) return 15;
  const auto place = static_cast<std::uint8_t>(above - std::begin(kLevelsOfIq4Nl));
  return x - above[-1] < *above - x ? place - 1 : place;
}

struct Iq4Nl {
  static constexpr int kCodeBits = 4, kLevels = 16;
  static constexpr std::size_t kScaleBytes = 2, kFrameBytes = 0;
  static constexpr bool kWindows = true;

  std::size_t block() const { return kBlock; }

  StoredBlock<kScaleBytes> quantise(std::span<const float> x, std::span<std::uint8_t> codes,
                                    int lowest) const {
    const float most = *std::max_element(
        x.begin(), x.end(), [](float a, float b) { return std::fabs(a) < std::fabs(b); });
    StoredBlock<kScaleBytes> stored;
    std::fill(codes.begin(), codes.end(), std::uint8_t{8});  // the level next to zero
    if (most == 0.0f) return stored;
    const float size = std::fabs(most) / 127.0f;
    stored.window = size == 0.0f ? lowest : std::max(lowest, window_of(size));
    const float inverse = 1.0f / (times_window(most, -stored.window) / kLevelsOfIq4Nl[0]);
    float upper = 0.0f, lower = 0.0f;
    for (std::size_t i = 0; i < kBlock; ++i) {
      const float value = times_window(x[i], -stored.window);
      codes[i] = nearest_level(inverse * value);
      const float level = kLevelsOfIq4Nl[codes[i]], weight = value * value;
      upper += weight * level * value;
      lower += weight * level * level;
    }
    const std::uint16_t half = float_to_finite_half(upper / lower);
    std::memcpy(stored.bytes.data(), &half, 2);
    return stored;
  }

  bool decode(const StoredBlock<kScaleBytes>& stored, std::span<const std::uint8_t> codes,
              std::span<float> out) const {
    const std::uint16_t half = half_at(stored, 0);
    if ((half & 0x7fffu) >= 0x7c00u) return false;
    for (std::size_t i = 0; i < kBlock; ++i) {
      out[i] = times_window(kLevelsOfIq4Nl[codes[i]] * half_to_float(half), stored.window);
    }
    return true;
  }
};

std::unique_ptr<Codec> make_iq4_nl(SpecArgs& args, const CodecInput& input) {
  require_blocks(args.name(), input.dim, kBlock);
  const BlockRotation rotation(args, input.dim);
  return std::make_unique<BlockCodec<Iq4Nl>>(args.canonical(), input.dim, Iq4Nl{}, rotation);
}

constexpr CodecSection kBooked[] = {
    {"scales", Booked::scales}, {"codes", Booked::payload}, {"windows", Booked::scales}};

// With d0 a coordinate is at most 14 of 127 parts off, where the level 113 is the last of its sign;
// the weighted mean of what levels are off by makes d at most 14 / 113 another.
double iq4_nl_bound(const Spec& spec, std::span<const float> x, double, const CodecInput&) {
  return rotated_blocks_bound(spec, x, kBlock, 14.0 / 127 + 14.0 / 113 + 0x1p-8) + 1e-43;
}

}  // namespace

extern const CodecDescriptor kIq4Nl = {
    .name = "iq4_nl",
    .summary = "llama.cpp's blocks of 32: 4 bits a coordinate, 16 uneven levels, a binary16",
    .example = "iq4_nl",
    .keys = kRotationKeys,
    .sections = kBooked,
    .source = {"llama.cpp's KV cache types, ggml's reference quantisation (ggml-quants.c, "
               "quantize_row_iq4_nl_ref)",
               Faithful::exact,
               "rotated as llama.cpp does since April 2026 (PR 21038) with rotate=N alone, whose "
               "sums are in another order than a matrix product's; small and large blocks are "
               "kept, which ggml loses"},
    .error_bound = {iq4_nl_bound, true},
    .make = make_iq4_nl,
};

}  // namespace kakeya

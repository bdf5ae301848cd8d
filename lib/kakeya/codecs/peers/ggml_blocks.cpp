// SPDX-License-Identifier: Apache-2.0
// q4_0, q5_0 and q8_0: the blocks in which llama.cpp keeps a quantised KV cache, 32 coordinates and
// a binary16 each, in the arithmetic of ggml's reference (quantize_row_q4_0_ref and its like,
// https://github.com/ggml-org/ggml/blob/master/src/ggml-quants.c):
//
//   q4_0   d = m / -8, m the coordinate of largest magnitude with its sign;
//          code = min(15, floor(x / d + 8.5)); decoded (code - 8) d
//   q5_0   d = m / -16, code = min(31, floor(x / d + 16.5)); decoded (code - 16) d
//   q8_0   d = |m| / 127, code = x / d rounded, half away from zero; decoded code d
//
// x / d with the d that is not yet rounded, as there. With the key `rotate` x is rotated first. What
// ggml would lose, a d that is no normal binary16, is stored with a window (scaled.h). Sections: see
// BlockCodec; "scales" d, "codes" those of q8_0 + 128.
#include "kakeya/codec/error_bounds.h"
#include "kakeya/codec/spec_args.h"
#include "kakeya/codecs/peers/block_codec.h"
#include "kakeya/codecs/peers/block_rotation.h"
#include "kakeya/codecs/peers/block_rules.h"
#include "kakeya/core/half.h"

namespace kakeya {
namespace {

constexpr std::size_t kBlock = 32;

template <int kBits>
struct GgmlBlock {
  static constexpr int kCodeBits = kBits, kLevels = kBits == 8 ? 255 : 1 << kBits;
  static constexpr std::size_t kScaleBytes = 2, kFrameBytes = 0;
  static constexpr bool kWindows = true;

  std::size_t block() const { return kBlock; }

  StoredBlock<kScaleBytes> quantise(std::span<const float> x, std::span<std::uint8_t> codes,
                                    int lowest) const {
    StoredBlock<kScaleBytes> stored;
    std::fill(codes.begin(), codes.end(), std::uint8_t{1 << (kBits - 1)});
    const float most = *std::max_element(
        x.begin(), x.end(), [](float a, float b) { return std::fabs(a) < std::fabs(b); });
    if (most == 0.0f) return stored;
    const GgmlScale scale = ggml_scale(kBits, most, lowest);
    std::memcpy(stored.bytes.data(), &scale.half, 2);
    stored.window = scale.window;
    for (std::size_t i = 0; i < kBlock; ++i)
      codes[i] = static_cast<std::uint8_t>(ggml_code(kBits, x[i], scale));
    return stored;
  }

  bool decode(const StoredBlock<kScaleBytes>& stored, std::span<const std::uint8_t> codes,
              std::span<float> out) const {
    const float scale = half_to_float(half_at(stored, 0));
    if (!std::isfinite(scale)) return false;
    for (std::size_t i = 0; i < kBlock; ++i)
      out[i] = ggml_value(kBits, codes[i], scale, stored.window);
    return true;
  }
};

template <int kBits>
std::unique_ptr<Codec> make_blocks(SpecArgs& args, const CodecInput& input) {
  require_blocks(args.name(), input.dim, kBlock);
  const BlockRotation rotation(args, input.dim);
  return std::make_unique<BlockCodec<GgmlBlock<kBits>>>(args.canonical(), input.dim,
                                                        GgmlBlock<kBits>{}, rotation);
}

constexpr CodecSection kBooked[] = {
    {"scales", Booked::scales}, {"codes", Booked::payload}, {"windows", Booked::scales}};
constexpr CodecSource kSource = {
    "llama.cpp's KV cache types, ggml's reference quantisation (ggml-quants.c)", Faithful::exact,
    "rotated as llama.cpp does since April 2026 (PR 21038) with rotate=N alone, whose sums are in "
    "another order than a matrix product's; a scale that binary16 cannot hold is kept, which ggml "
    "loses"};

// Half a step, or a whole one at the end of the grid that the largest coordinate is not at.
template <int kBits>
double blocks_bound(const Spec& spec, std::span<const float> x, double, const CodecInput&) {
  const double part = kBits == 8 ? 1.0 / 254 + 0x1p-10 : std::ldexp(1.0, 1 - kBits) + 0x1p-9;
  return rotated_blocks_bound(spec, x, kBlock, part) + 1e-44;
}

}  // namespace

extern const CodecDescriptor kQ4_0 = {
    .name = "q4_0",
    .summary = "llama.cpp's blocks of 32: 4 bits a coordinate and a binary16",
    .example = "q4_0",
    .keys = kRotationKeys,
    .sections = kBooked,
    .source = kSource,
    .error_bound = {blocks_bound<4>, true},
    .make = make_blocks<4>,
};

extern const CodecDescriptor kQ5_0 = {
    .name = "q5_0",
    .summary = "llama.cpp's blocks of 32: 5 bits a coordinate and a binary16",
    .example = "q5_0",
    .keys = kRotationKeys,
    .sections = kBooked,
    .source = kSource,
    .error_bound = {blocks_bound<5>, true},
    .make = make_blocks<5>,
};

extern const CodecDescriptor kQ8_0 = {
    .name = "q8_0",
    .summary = "llama.cpp's blocks of 32: 8 bits a coordinate and a binary16",
    .example = "q8_0",
    .keys = kRotationKeys,
    .sections = kBooked,
    .source = kSource,
    .error_bound = {blocks_bound<8>, true},
    .make = make_blocks<8>,
};

}  // namespace kakeya

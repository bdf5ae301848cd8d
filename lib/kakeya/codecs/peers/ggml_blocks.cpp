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
// x / d with the d that is not yet rounded, as there. No rotation. What ggml would lose, a d that
// is no normal binary16, is stored with a window (scaled.h). Sections: "scales" a binary16 a block,
// "codes" 4, 5 or 8 bits a coordinate (q8_0: code + 128), "windows" a block each.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "kakeya/bitstream/bits.h"
#include "kakeya/codec/error_bounds.h"
#include "kakeya/codec/index_entropy.h"
#include "kakeya/codec/scaled.h"
#include "kakeya/codec/spec_args.h"
#include "kakeya/codec/vectors.h"
#include "kakeya/codecs/peers/block_rules.h"
#include "kakeya/core/error.h"
#include "kakeya/core/half.h"
#include "kakeya/entropy/histogram.h"

namespace kakeya {
namespace {

constexpr std::size_t kBlock = 32;
constexpr std::string_view kSections[] = {"scales", "codes", "windows"};

class GgmlBlocks final : public NamedCodec, public FrameEntropy {
 public:
  GgmlBlocks(std::string spec, std::size_t dim, int bits)
      : NamedCodec(std::move(spec), dim), bits_(bits), middle_(1 << (bits - 1)) {}

  Rates rates() const override {
    const auto dim = static_cast<double>(dim_);
    const double levels = bits_ == 8 ? 255 : 1 << bits_;
    return {dim * (bits_ + 0.5), dim * (std::log2(levels) + 0.5)};
  }

  std::size_t encoded_bound(std::size_t count) const override {
    return frame_overhead(spec_.size(), std::size(kSections)) + count * code_bytes() +
           count * blocks() * 3;
  }

  std::size_t encode(Rows<const float> x, std::span<std::byte> out) const override {
    require_encodable(*this, x, out);
    FrameWriter writer(out, spec_, dim_, x.count, kSections);
    std::byte* scale_at = writer.section(x.count * blocks() * 2).data();
    BitWriter codes(writer.section(x.count * code_bytes()));
    WindowList windows(x.count * blocks());
    std::size_t block = 0;
    for_each_block(x, [&](std::span<const float> part) {
      const Block made = quantise(part);
      std::memcpy(scale_at + 2 * block, &made.half, 2);
      windows.set(block++, made.window);
      for (const int code : made.codes) codes.put(static_cast<std::uint64_t>(code), bits_);
    });
    codes.finish();
    windows.copy_to(writer.section(windows.byte_count()));
    return writer.finish();
  }

  void decode(std::span<const std::byte> in, Rows<float> out) const override {
    const FrameView view = open_frame(*this, in, out);
    const auto scales = view.section(0, kSections[0]), windows = view.section(2, kSections[2]);
    BitReader codes(view.section(1, kSections[1]));
    std::size_t block = 0;
    for (std::size_t row = 0; row < out.count; ++row) {
      for (std::size_t at = 0; at < dim_; at += kBlock, ++block) {
        std::uint16_t half;
        std::memcpy(&half, scales.data() + 2 * block, 2);
        const float scale = half_to_float(half);
        if (!std::isfinite(scale)) {
          throw CorruptStream(spec_ + ": the scale of block " + std::to_string(block) +
                              " is not finite");
        }
        const int window = read_window(windows, block);
        for (float& value : out[row].subspan(at, kBlock)) {
          value = ggml_value(bits_, static_cast<int>(codes.get(bits_)), scale, window);
        }
      }
    }
    codes.finish();
  }

  void check_frame(const FrameInfo& info) const override {
    require_items(info, kSections[0], info.count * blocks(), 2);
    require_items(info, kSections[1], info.count, code_bytes());
    require_items_or_none(info, kSections[2], info.count * blocks(), 1);
  }

  std::optional<double> index_entropy_bits(Rows<const float> x) const override {
    Histogram histogram(256);
    for_each_block(x, [&](std::span<const float> part) {
      for (const int code : quantise(part).codes) histogram.add(static_cast<std::uint8_t>(code));
    });
    return histogram.total_bits();
  }

  std::optional<double> index_entropy_of_frame(std::span<const std::byte> in) const override {
    const FrameView view = open_frame(*this, in);
    if (view.count == 0) return std::nullopt;
    Histogram histogram(256);
    BitReader codes(view.section(1, kSections[1]));
    const std::size_t values = view.count * dim_;
    for (std::size_t i = 0; i < values; ++i) histogram.add(codes.get(bits_));
    return histogram.total_bits() / static_cast<double>(values);
  }

 private:
  struct Block {
    std::uint16_t half = 0;
    int window = 0;
    int codes[kBlock];
  };

  std::size_t blocks() const { return dim_ / kBlock; }
  std::size_t code_bytes() const { return dim_ * static_cast<std::size_t>(bits_) / 8; }

  template <typename Work>
  void for_each_block(Rows<const float> x, const Work& work) const {
    for (std::size_t row = 0; row < x.count; ++row) {
      finite_maximum(x[row], row);
      for (std::size_t at = 0; at < dim_; at += kBlock) work(x[row].subspan(at, kBlock));
    }
  }

  Block quantise(std::span<const float> x) const {
    Block block;
    std::fill_n(block.codes, kBlock, middle_);
    const float most = *std::max_element(
        x.begin(), x.end(), [](float a, float b) { return std::fabs(a) < std::fabs(b); });
    if (most == 0.0f) return block;
    const GgmlScale scale = ggml_scale(bits_, most);
    block.half = scale.half;
    block.window = scale.window;
    for (std::size_t i = 0; i < kBlock; ++i) block.codes[i] = ggml_code(bits_, x[i], scale);
    return block;
  }

  int bits_, middle_;
};

std::unique_ptr<Codec> make(SpecArgs& args, const CodecInput& input, int bits) {
  if (input.dim == 0 || input.dim % kBlock != 0 || input.dim > kMostHeadDim) {
    throw InputError(args.name() + ": dim " + std::to_string(input.dim) +
                     ": expected a multiple of 32 up to " + std::to_string(kMostHeadDim));
  }
  return std::make_unique<GgmlBlocks>(args.canonical(), input.dim, bits);
}

template <int kBits>
std::unique_ptr<Codec> make_blocks(SpecArgs& args, const CodecInput& input) {
  return make(args, input, kBits);
}

constexpr CodecSection kBooked[] = {
    {"scales", Booked::scales}, {"codes", Booked::payload}, {"windows", Booked::scales}};
constexpr CodecSource kSource = {
    "llama.cpp's KV cache types, ggml's reference quantisation (ggml-quants.c)", Faithful::exact,
    "without the rotation that llama.cpp applies to quantised caches since April 2026 (PR 21038); "
    "a scale that binary16 cannot hold is kept, which ggml loses"};

// Half a step, or a whole one at the end of the grid that the largest coordinate is not at.
template <int kBits>
double blocks_bound(const Spec&, std::span<const float> x, double, const CodecInput&) {
  const double part = kBits == 8 ? 1.0 / 254 + 0x1p-10 : std::ldexp(1.0, 1 - kBits) + 0x1p-9;
  return largest_of(x) * part + 1e-44;
}

}  // namespace

extern const CodecDescriptor kQ4_0 = {
    .name = "q4_0",
    .summary = "llama.cpp's blocks of 32: 4 bits a coordinate and a binary16",
    .example = "q4_0",
    .sections = kBooked,
    .source = kSource,
    .error_bound = {blocks_bound<4>, true},
    .make = make_blocks<4>,
};

extern const CodecDescriptor kQ5_0 = {
    .name = "q5_0",
    .summary = "llama.cpp's blocks of 32: 5 bits a coordinate and a binary16",
    .example = "q5_0",
    .sections = kBooked,
    .source = kSource,
    .error_bound = {blocks_bound<5>, true},
    .make = make_blocks<5>,
};

extern const CodecDescriptor kQ8_0 = {
    .name = "q8_0",
    .summary = "llama.cpp's blocks of 32: 8 bits a coordinate and a binary16",
    .example = "q8_0",
    .sections = kBooked,
    .source = kSource,
    .error_bound = {blocks_bound<8>, true},
    .make = make_blocks<8>,
};

}  // namespace kakeya

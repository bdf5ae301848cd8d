// SPDX-License-Identifier: Apache-2.0
// FP8 E4M3FN with one scale a block of coordinates, without rotation.
//
//   s = max |x| of the block / 448
//   code = E4M3FN(clamp(x / s, -448, 448)), ties to even
//   decoded x = value(code) s
//
// scale=fp32 is the published arithmetic (whose nominal bits have 16 for its 32). scale=fp16 and
// scale=e8m0 round s up to a binary16 or a power of two, so that nothing saturates. The published
// code raises a maximum below 1e-4 to 1e-4 and so loses small blocks; here only a scale below
// 2^-126 is raised, to that.
//
// tail=N keeps the last N coordinates of a vector as bf16, as DeepSeek-V4 keeps those that RoPE turns.
//
// Sections: "scales" 4, 2 or 1 bytes a block; "codes" a byte a coordinate; "windows" (fp16 only)
// see scaled.h, a block each; "tail" (where there is one) 2 bytes a coordinate.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "kakeya/codec/error_bounds.h"
#include "kakeya/codec/index_entropy.h"
#include "kakeya/codec/scaled.h"
#include "kakeya/codec/spec_args.h"
#include "kakeya/codec/vectors.h"
#include "kakeya/codecs/peers/block_rules.h"
#include "kakeya/core/error.h"
#include "kakeya/core/half.h"
#include "kakeya/entropy/histogram.h"
#include "kakeya/lattice/hadamard.h"

namespace kakeya {
namespace {

constexpr std::string_view kSections[] = {"scales", "codes", "tail"};
constexpr std::string_view kWindowed[] = {"scales", "codes", "windows", "tail"};
constexpr std::string_view kScales[] = {"fp32", "fp16", "e8m0"};
constexpr std::size_t scale_bytes(Fp8Scale kind) {
  return static_cast<std::size_t>(fp8_scale_bytes(kind));
}

class Fp8 final : public NamedCodec, public FrameEntropy {
 public:
  Fp8(std::string spec, std::size_t dim, std::size_t block, Fp8Scale kind, std::size_t tail)
      : NamedCodec(std::move(spec), dim), block_(block), tail_(tail), kind_(kind) {}

  // Published: 8 bits a coordinate and 16 a block. Exact: the 254 finite codes, and the scales as
  // stored. Of a tail both count the 16 bits of a coordinate.
  Rates rates() const override {
    const double coded = static_cast<double>(coded_dim()), count = static_cast<double>(blocks());
    return {8.0 * coded + 16.0 * count + tail_bits(1),
            coded * std::log2(254.0) + 8.0 * static_cast<double>(scale_bytes(kind_)) * count +
                tail_bits(1)};
  }

  std::size_t encoded_bound(std::size_t count) const override {
    return frame_overhead(spec_.size(), sections().size()) +
           count * (coded_dim() + blocks() * (scale_bytes(kind_) + 1) + 2 * tail_);
  }

  std::size_t encode(Rows<const float> x, std::span<std::byte> out) const override {
    require_encodable(*this, x, out);
    FrameWriter writer(out, spec_, dim_, x.count, sections());
    std::byte* scale_at = writer.section(x.count * blocks() * scale_bytes(kind_)).data();
    std::byte* code_at = writer.section(x.count * coded_dim()).data();
    WindowList windows(x.count * blocks());
    std::size_t block = 0;
    for (std::size_t row = 0; row < x.count; ++row) {
      finite_maximum(x[row], row);
      for (std::size_t at = 0; at < coded_dim(); at += block_, ++block) {
        const auto part = x[row].subspan(at, block_);
        const BlockScale scale = scale_of(part);
        std::memcpy(scale_at, &scale.pattern, scale_bytes(kind_));
        scale_at += scale_bytes(kind_);
        windows.set(block, scale.window);
        for (const float value : part) {
          *code_at++ = static_cast<std::byte>(float_to_e4m3(value / scale.value));
        }
      }
    }
    if (kind_ == Fp8Scale::fp16) windows.copy_to(writer.section(windows.byte_count()));
    if (tail_ > 0) {
      std::byte* tail_at = writer.section(x.count * tail_ * 2).data();
      for (std::size_t row = 0; row < x.count; ++row) {
        for (const float value : x[row].last(tail_)) {
          const std::uint16_t half = float_to_finite_bfloat16(value);
          std::memcpy(tail_at, &half, sizeof half);
          tail_at += sizeof half;
        }
      }
    }
    return writer.finish();
  }

  void decode(std::span<const std::byte> in, Rows<float> out) const override {
    const FrameView view = open_frame(*this, in, out);
    const auto scales = view.section(0, kSections[0]);
    const std::byte* code_at = view.section(1, kSections[1]).data();
    const auto windows =
        kind_ == Fp8Scale::fp16 ? view.section(2, kWindowed[2]) : std::span<const std::byte>{};
    const float largest = std::numeric_limits<float>::max();
    std::size_t block = 0;
    for (std::size_t row = 0; row < out.count; ++row) {
      for (std::size_t at = 0; at < coded_dim(); at += block_, ++block) {
        const float scale = read_block_scale(scales, windows, block);
        for (float& value : out[row].subspan(at, block_)) {
          const auto code = std::to_integer<std::uint8_t>(*code_at++);
          if ((code & 0x7fu) == 0x7fu) {
            throw CorruptStream(spec_ + ": vector " + std::to_string(row) + ": a code is NaN");
          }
          value = std::clamp(e4m3_to_float(code) * scale, -largest, largest);
        }
      }
    }
    if (tail_ > 0) decode_tail(view.section(sections().size() - 1, "tail"), out);
  }

  void check_frame(const FrameInfo& info) const override {
    require_items(info, kSections[1], info.count, coded_dim());
    require_items(info, kSections[0], info.count * blocks(), scale_bytes(kind_));
    if (kind_ == Fp8Scale::fp16) {
      require_items_or_none(info, kWindowed[2], info.count * blocks(), 1);
    }
    if (tail_ > 0) require_items(info, "tail", info.count, 2 * tail_);
  }

  std::optional<double> index_entropy_bits(Rows<const float> x) const override {
    Histogram histogram(256);
    for (std::size_t row = 0; row < x.count; ++row) {
      finite_maximum(x[row], row);
      for (std::size_t at = 0; at < coded_dim(); at += block_) {
        const auto part = x[row].subspan(at, block_);
        const float scale = scale_of(part).value;
        for (const float value : part) histogram.add(float_to_e4m3(value / scale));
      }
    }
    return histogram.total_bits() + tail_bits(x.count);
  }

  std::optional<double> index_entropy_of_frame(std::span<const std::byte> in) const override {
    const FrameView view = open_frame(*this, in);
    if (view.count == 0) return std::nullopt;
    Histogram histogram(256);
    for (const std::byte code : view.section(1, kSections[1])) {
      histogram.add(std::to_integer<std::size_t>(code));
    }
    return (histogram.total_bits() + tail_bits(view.count)) /
           static_cast<double>(view.count * dim_);
  }

 private:
  std::size_t coded_dim() const { return dim_ - tail_; }
  std::size_t blocks() const { return coded_dim() / block_; }
  double tail_bits(std::size_t count) const { return 16.0 * static_cast<double>(count * tail_); }
  std::span<const std::string_view> sections() const {
    const bool windows = kind_ == Fp8Scale::fp16;
    const std::span<const std::string_view> all =
        windows ? std::span<const std::string_view>(kWindowed) : kSections;
    return all.first(all.size() - (tail_ > 0 ? 0 : 1));
  }
  void decode_tail(std::span<const std::byte> stored, Rows<float> out) const {
    const std::byte* at = stored.data();
    for (std::size_t row = 0; row < out.count; ++row) {
      for (float& value : out[row].last(tail_)) {
        std::uint16_t half;
        std::memcpy(&half, at, sizeof half);
        at += sizeof half;
        value = bfloat16_to_float(half);
        if (!std::isfinite(value)) {
          throw CorruptStream(spec_ + ": vector " + std::to_string(row) +
                              ": a value of the tail is not finite");
        }
      }
    }
  }
  BlockScale scale_of(std::span<const float> part) const {
    return fp8_scale(kind_, std::bit_cast<float>(largest_magnitude(part)));
  }

  float read_block_scale(std::span<const std::byte> scales, std::span<const std::byte> windows,
                         std::size_t block) const {
    std::uint32_t pattern = 0;
    std::memcpy(&pattern, scales.data() + block * scale_bytes(kind_), scale_bytes(kind_));
    const int window = kind_ == Fp8Scale::fp16 ? read_window(windows, block) : 0;
    const float scale = fp8_scale_value(kind_, pattern, window);
    if (!(scale > 0.0f) || !std::isfinite(scale)) {
      throw CorruptStream(spec_ + ": the scale of block " + std::to_string(block) +
                          " is not a positive number");
    }
    return scale;
  }

  std::size_t block_, tail_;
  Fp8Scale kind_;
};

// Above a tail, where fewer than 64 are coded: the widest block that divides them. A spec that gives
// it keeps it in its text, which frames repeat.
int block_above_tail(SpecArgs& args, std::size_t coded) {
  constexpr int kNotGiven = 0;
  const int given = args.whole("block", kNotGiven);
  return given != kNotGiven ? given : 1 << std::countr_zero(coded);
}

std::unique_ptr<Codec> make_fp8(SpecArgs& args, const CodecInput& input) {
  const auto dim = static_cast<int>(std::min(input.dim, std::size_t{1} << 20));
  const auto tail = static_cast<std::size_t>(args.whole("tail"));
  const bool few = tail > 0 && tail < input.dim && input.dim - tail < 64;
  const int block = few ? block_above_tail(args, input.dim - tail)
                        : args.whole("block", dim < 64 ? std::max(dim, 1) : 64);
  const auto kind = static_cast<Fp8Scale>(args.choice("scale"));
  const auto width = static_cast<std::size_t>(block);
  require_rotatable_dim(args.name(), input.dim);
  if (!is_power_of_two(width)) {
    throw SpecError("block=" + std::to_string(block) + ": expected a power of two in [1, 1024]");
  }
  if (tail >= input.dim || (input.dim - tail) % width != 0) {
    throw InputError("fp8: block=" + std::to_string(block) + " does not divide dim " +
                     std::to_string(input.dim) +
                     (tail > 0 ? " less tail=" + std::to_string(tail) : ""));
  }
  return std::make_unique<Fp8>(args.canonical(), input.dim, width, kind, tail);
}

constexpr CodecKey kKeys[] = {
    whole_key("block", 1, 1024, "64",
              "coordinates that share a scale, a power of two; must divide dim less tail (below 64 "
              "the largest that does)"),
    choice_key("scale", kScales,
               "how a scale is stored: fp32 (as published), fp16, or e8m0 (a power of two)"),
    whole_key("tail", 0, 1024, "0",
              "so many last coordinates stay bf16 (DeepSeek-V4's cache: scale=e8m0,tail=64)"),
};
constexpr CodecSection kBooked[] = {{"scales", Booked::scales},
                                    {"codes", Booked::payload},
                                    {"windows", Booked::scales},
                                    {"tail", Booked::payload}};
constexpr LadderRung kLadder[] = {
    {"", ""},
    {"scale=fp16", "", false},
    {"scale=e8m0", "", false},
};

// Codes are within 2^-4 of a value at or above 2^-6 of the scale, else within 2^-10; a scale is at
// most doubled, and at least 2^-126.
double fp8_bound(const Spec&, std::span<const float> x, double, const CodecInput&) {
  return largest_of(x) * (0x1p-4 + 0x1p-9) + 448 * 0x1p-126 * 0x1p-17 + 1e-44;
}

}  // namespace

extern const CodecDescriptor kFp8 = {
    .name = "fp8",
    .summary = "FP8 E4M3FN with a scale a block of coordinates, without rotation",
    .example = "fp8:block=64",
    .keys = kKeys,
    .sections = kBooked,
    .source = {"E4M3FN of the OCP 8-bit floating point specification; block and scale as in "
               "KakeyaLattice's baseline",
               Faithful::method, "small blocks keep their scale, which the published code raises"},
    .looks = {3, "#AA3377", 6},
    .ladder = kLadder,
    .error_bound = {fp8_bound, true},
    .make = make_fp8,
};

}  // namespace kakeya

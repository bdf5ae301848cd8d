// SPDX-License-Identifier: Apache-2.0
// nvfp4 and mxfp4: blocks of E2M1 values (a sign, 0 0.5 1 1.5 2 3 4 6; ties to even), without
// rotation.
//
//   mxfp4   OCP Microscaling Formats (MX) specification 1.0, section 6.3: blocks of 32,
//           s = 2^(floor(log2 max |x|) - 2), E8M0, not below 2^-127;
//           code = E2M1(x / s), saturating at 6. block=16 is what SGLang's fp4_e2m1 cache has.
//   nvfp4   NVIDIA's two levels: blocks of 16 with an E4M3 scale each, and a float32 g for all:
//           g = max |x| of the frame / (6 * 448), at least 2^-126,
//           s = E4M3(max |x| of the block / (6 g)), code = E2M1(x / (s g)), decoded E2M1 s g
//           (vLLM: csrc/libtorch_stable/nvfp4_kv_cache_kernels.cu). scale=4over6 also tries s for 4
//           in place of 6 and keeps what errs less, as vLLM's nvfp4_4over6 (pull request 45187).
//
// Engines take g of a layer from a checkpoint, or 1; a frame has its own, so nothing saturates.
// Sections: see BlockCodec; "scales" a byte a block, "frame" g.
#include "kakeya/codec/error_bounds.h"
#include "kakeya/codec/spec_args.h"
#include "kakeya/codecs/peers/block_codec.h"
#include "kakeya/core/half.h"

namespace kakeya {
namespace {

constexpr float kLargest = 0x1.fffffep127f;
constexpr float kE2M1[8] = {0.0f, 0.5f, 1.0f, 1.5f, 2.0f, 3.0f, 4.0f, 6.0f};
// Halfway between neighbours: odd codes lie below what is even, so ties go to the even one.
constexpr float kHalfway[7] = {0.25f, 0.75f, 1.25f, 1.75f, 2.5f, 3.5f, 5.0f};

std::uint8_t float_to_e2m1(float value) {
  const float size = std::fabs(value);
  std::uint8_t code = 0;
  for (std::uint8_t below = 0; below < 7; ++below) {
    const bool above = below % 2 == 0 ? size > kHalfway[below] : size >= kHalfway[below];
    code = static_cast<std::uint8_t>(code + (above ? 1 : 0));
  }
  return static_cast<std::uint8_t>(code | (std::signbit(value) ? 8 : 0));
}

float e2m1_to_float(std::uint8_t code) {
  return (code & 8) != 0 ? -kE2M1[code & 7] : kE2M1[code & 7];
}

// The codes of values that are E2M1 times `step`, above 0; all 0 where it is 0.
void quantise_fp4(std::span<const float> x, double step, std::span<std::uint8_t> codes) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    codes[i] = step > 0 ? float_to_e2m1(static_cast<float>(x[i] / step)) : std::uint8_t{0};
  }
}

void decode_fp4(std::span<const std::uint8_t> codes, double step, std::span<float> out) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double value = e2m1_to_float(codes[i]) * step;
    out[i] = static_cast<float>(std::clamp(value, -double{kLargest}, double{kLargest}));
  }
}

struct Mxfp4 {
  static constexpr int kCodeBits = 4, kLevels = 16;
  static constexpr std::size_t kScaleBytes = 1, kFrameBytes = 0;
  static constexpr bool kWindows = false;

  std::size_t width = 32;
  std::size_t block() const { return width; }

  StoredBlock<1> quantise(std::span<const float> x, std::span<std::uint8_t> codes) const {
    const float largest = float_of(largest_magnitude(x));
    const int exponent = largest == 0.0f ? -127 : std::max(exponent_of(largest) - 2, -127);
    quantise_fp4(x, std::ldexp(1.0, exponent), codes);
    return {{static_cast<std::byte>(exponent + 127)}, 0};
  }

  bool decode(const StoredBlock<1>& stored, std::span<const std::uint8_t> codes,
              std::span<float> out) const {
    const int exponent = std::to_integer<int>(stored.bytes[0]) - 127;
    if (exponent == 128) return false;  // NaN
    decode_fp4(codes, std::ldexp(1.0, exponent), out);
    return true;
  }
};

struct Nvfp4 {
  static constexpr int kCodeBits = 4, kLevels = 16;
  static constexpr std::size_t kScaleBytes = 1, kFrameBytes = 4;
  static constexpr bool kWindows = false;

  bool four_over_six = false;
  float global = 1.0f;
  std::size_t block() const { return 16; }

  Nvfp4 of_frame(Rows<const float> x) const {
    float largest = 0.0f;
    for (std::size_t row = 0; row < x.count; ++row)
      largest = std::max(largest, float_of(largest_magnitude(x[row])));
    return {four_over_six, std::max(largest / (6 * 448.0f), 0x1p-126f)};
  }

  std::array<std::byte, 4> frame_bytes() const {
    std::array<std::byte, 4> bytes;
    std::memcpy(bytes.data(), &global, 4);
    return bytes;
  }

  std::optional<Nvfp4> of_frame_bytes(std::span<const std::byte> bytes) const {
    Nvfp4 rule = *this;
    std::memcpy(&rule.global, bytes.data(), 4);
    if (!(rule.global > 0.0f) || rule.global > kLargest) return std::nullopt;
    return rule;
  }

  std::uint8_t scale_for(float largest, double at) const {
    return float_to_e4m3(static_cast<float>(largest / (at * global)));
  }
  double step_of(std::uint8_t scale) const { return double{e4m3_to_float(scale)} * global; }

  double squared_error(std::span<const float> x, std::uint8_t scale) const {
    const double step = step_of(scale);
    double sum = 0;
    for (const float value : x) {
      const double decoded =
          step > 0 ? e2m1_to_float(float_to_e2m1(static_cast<float>(value / step))) * step : 0.0;
      sum += (decoded - value) * (decoded - value);
    }
    return sum;
  }

  StoredBlock<1> quantise(std::span<const float> x, std::span<std::uint8_t> codes) const {
    const float largest = float_of(largest_magnitude(x));
    std::uint8_t scale = scale_for(largest, 6);
    if (four_over_six) {
      const std::uint8_t wider = scale_for(largest, 4);
      if (squared_error(x, wider) < squared_error(x, scale)) scale = wider;
    }
    quantise_fp4(x, step_of(scale), codes);
    return {{static_cast<std::byte>(scale)}, 0};
  }

  bool decode(const StoredBlock<1>& stored, std::span<const std::uint8_t> codes,
              std::span<float> out) const {
    const auto scale = std::to_integer<std::uint8_t>(stored.bytes[0]);
    if (scale >= 0x7fu) return false;  // NaN, or below zero
    decode_fp4(codes, step_of(scale), out);
    return true;
  }
};

constexpr std::string_view kWidths[] = {"32", "16"};
constexpr std::string_view kSearches[] = {"6", "4over6"};

std::unique_ptr<Codec> make_mxfp4(SpecArgs& args, const CodecInput& input) {
  const std::size_t width = args.choice("block") == 0 ? 32 : 16;
  require_blocks(args.name(), input.dim, width);
  return std::make_unique<BlockCodec<Mxfp4>>(args.canonical(), input.dim, Mxfp4{width});
}

std::unique_ptr<Codec> make_nvfp4(SpecArgs& args, const CodecInput& input) {
  const bool four_over_six = args.choice("scale") == 1;
  require_blocks(args.name(), input.dim, 16);
  return std::make_unique<BlockCodec<Nvfp4>>(args.canonical(), input.dim, Nvfp4{four_over_six});
}

constexpr CodecKey kMxfp4Keys[] = {
    choice_key("block", kWidths, "coordinates that share a scale: 32 as the specification, or 16"),
};
constexpr CodecKey kNvfp4Keys[] = {
    choice_key("scale", kSearches,
               "what the largest coordinate of a block becomes: 6; or 4over6, 4 or 6, whichever "
               "errs less"),
};
constexpr CodecSection kBooked[] = {
    {"scales", Booked::scales}, {"codes", Booked::payload}, {"frame", Booked::scales}};
constexpr LadderRung kMxfp4Ladder[] = {{"", ""}, {"block=16", "", false}};
constexpr LadderRung kNvfp4Ladder[] = {{"", ""}, {"scale=4over6", "", false}};

// A step is at most a quarter of the largest coordinate; half the gap between 4 and 6 is one, and
// what is cut above 6 less than two.
double mxfp4_bound(const Spec&, std::span<const float> x, double, const CodecInput&) {
  return largest_of(x) * (0.25 + 0x1p-10) + 0x1p-126;
}

// The step is within 2^-4 of a sixth (or, of 4over6, a quarter) of the largest coordinate, half the
// gap at most one step; small E4M3 scales are off by up to 2^-10 g, six times that at the end.
double nvfp4_bound(const Spec&, std::span<const float> x, double reach, const CodecInput&) {
  const double global = std::fmax(reach / (6 * 448), 0x1p-126);
  return largest_of(x) * (0.25 * (1 + 0x1p-3) + 0x1p-10) + 7 * 0x1p-10 * global + 0x1p-126;
}

}  // namespace

extern const CodecDescriptor kNvfp4 = {
    .name = "nvfp4",
    .summary = "NVIDIA's FP4: E2M1, an E4M3 scale for 16 coordinates, a float32 scale a frame",
    .example = "nvfp4",
    .keys = kNvfp4Keys,
    .sections = kBooked,
    .source = {"NVFP4: E2M1 and two levels of scales, as vLLM's and TensorRT-LLM's caches "
               "(nvfp4_kv_cache_kernels.cu)",
               Faithful::method,
               "the upper scale is the frame's own, not a calibrated layer's; exact quotients, no "
               "approximate reciprocals"},
    .ladder = kNvfp4Ladder,
    .error_bound = {nvfp4_bound, true},
    .make = make_nvfp4,
};

extern const CodecDescriptor kMxfp4 = {
    .name = "mxfp4",
    .summary = "OCP's MXFP4: E2M1 and a power of two for 32 coordinates",
    .example = "mxfp4",
    .keys = kMxfp4Keys,
    .sections = kBooked,
    .source = {"OCP Microscaling Formats (MX) specification 1.0, MXFP4, section 6.3",
               Faithful::exact,
               "ties go to the even value, a block of zeros has the least scale; block=16 is "
               "SGLang's, not the specification's"},
    .ladder = kMxfp4Ladder,
    .error_bound = {mxfp4_bound, true},
    .make = make_mxfp4,
};

}  // namespace kakeya

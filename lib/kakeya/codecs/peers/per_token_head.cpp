// SPDX-License-Identifier: Apache-2.0
// int8 and int4: vLLM's cache types int8_per_token_head and int4_per_token_head, a scale in float32
// for every vector (one token, one head):
//
//   int8   s = max |x| / 127, code = x / s, rounded to even
//          (_reshape_cache_per_token_head of vllm/v1/attention/ops/triton_reshape_and_cache_flash.py
//          since pull request 45361, June 2026, which rounds; before, codes were cut towards zero)
//   int4   y = H D x, D random signs, H the orthonormal Hadamard matrix
//          s = (max y - min y) / 15,  z = -min y / s in [0, 15],  code = y / s + z in [0, 15], both
//          rounded half away from zero; decoded x = D H (code - z) s
//          (_reshape_cache_int4_kernel of vllm/v1/attention/ops/int4_per_token_head.py, pull request
//          40835); z stands in the four lowest bits of s
//
// A vector of int4 whose rotated coordinates all have one sign is clamped to 15 s, as there. vLLM
// raises s to 1e-6, which would lose small vectors; here int8 raises it to 2^-126 alone, and int4
// stores small and large vectors with a window (scaled.h). Sections: see BlockCodec, whose block is
// the vector; "scales" s.
#include "kakeya/codec/error_bounds.h"
#include "kakeya/codec/spec_args.h"
#include "kakeya/codec/stages.h"
#include "kakeya/codecs/peers/block_codec.h"
#include "kakeya/core/half.h"
#include "kakeya/core/random.h"
#include "kakeya/lattice/dn.h"
#include "kakeya/lattice/hadamard.h"

namespace kakeya {
namespace {

constexpr float kLargest = 0x1.fffffep127f;

StoredBlock<4> stored_scale(std::uint32_t pattern, int window) {
  StoredBlock<4> stored;
  std::memcpy(stored.bytes.data(), &pattern, 4);
  stored.window = window;
  return stored;
}

std::uint32_t pattern_of(const StoredBlock<4>& stored) {
  std::uint32_t pattern;
  std::memcpy(&pattern, stored.bytes.data(), 4);
  return pattern;
}

bool usable(float scale) { return scale > 0.0f && scale <= kLargest; }

struct Int8Rule {
  static constexpr int kCodeBits = 8, kLevels = 255;
  static constexpr std::size_t kScaleBytes = 4, kFrameBytes = 0;
  static constexpr bool kWindows = false;

  std::size_t dim = 0;
  std::size_t block() const { return dim; }

  StoredBlock<4> quantise(std::span<const float> x, std::span<std::uint8_t> codes) const {
    const float scale = std::max(float_of(largest_magnitude(x)) / 127.0f, 0x1p-126f);
    const float inverse = 1.0f / scale;
    for (std::size_t i = 0; i < dim; ++i) {
      const float level = std::clamp(round_half_even(x[i] * inverse), -127.0f, 127.0f);
      codes[i] = static_cast<std::uint8_t>(static_cast<int>(level) + 128);
    }
    return stored_scale(bits_of(scale), 0);
  }

  bool decode(const StoredBlock<4>& stored, std::span<const std::uint8_t> codes,
              std::span<float> out) const {
    const float scale = float_of(pattern_of(stored));
    if (!usable(scale)) return false;
    for (std::size_t i = 0; i < dim; ++i) {
      out[i] = std::clamp(static_cast<float>(codes[i] - 128) * scale, -kLargest, kLargest);
    }
    return true;
  }
};

int rounded_away(float value) {
  return static_cast<int>(value < 0.0f ? value - 0.5f : value + 0.5f);
}

struct Int4Rule {
  static constexpr int kCodeBits = 4, kLevels = 16;
  static constexpr std::size_t kScaleBytes = 4, kFrameBytes = 0;
  static constexpr bool kWindows = true;
  static constexpr std::uint32_t kZero = 15;  // the bits of z

  std::vector<float> signs;
  std::size_t block() const { return signs.size(); }

  explicit Int4Rule(std::uint64_t seed, std::size_t dim) : signs(dim) {
    const Random random(seed);
    for (std::size_t i = 0; i < dim; ++i) signs[i] = (random.bits(i) & 1u) != 0 ? -1.0f : 1.0f;
  }

  std::vector<float> rotated(std::span<const float> x, int window) const {
    std::vector<float> y(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) y[i] = times_window(x[i], -window) * signs[i];
    hadamard(y.data(), y.size());
    return y;
  }

  StoredBlock<4> quantise(std::span<const float> x, std::span<std::uint8_t> codes) const {
    const int window = window_of(float_of(largest_magnitude(x)));
    const std::vector<float> y = rotated(x, window);
    const auto [low, high] = std::minmax_element(y.begin(), y.end());
    const float scale = std::max((*high - *low) / 15.0f, 0x1p-100f), inverse = 1.0f / scale;
    const int zero = std::clamp(rounded_away(std::clamp(-*low / scale, -1.0f, 16.0f)), 0, 15);
    for (std::size_t i = 0; i < y.size(); ++i) {
      const float level = std::clamp(y[i] * inverse + static_cast<float>(zero), -1.0f, 16.0f);
      codes[i] = static_cast<std::uint8_t>(std::clamp(rounded_away(level), 0, 15));
    }
    return stored_scale((bits_of(scale) & ~kZero) | static_cast<std::uint32_t>(zero), window);
  }

  bool decode(const StoredBlock<4>& stored, std::span<const std::uint8_t> codes,
              std::span<float> out) const {
    const std::uint32_t pattern = pattern_of(stored);
    const float scale = float_of(pattern & ~kZero);
    if (!(scale > 0.0f) || scale > 0x1p20f) return false;  // a window keeps scales below
    const int zero = static_cast<int>(pattern & kZero);
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = static_cast<float>(static_cast<int>(codes[i]) - zero) * scale;
    }
    hadamard(out.data(), out.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = times_window(out[i] * signs[i], stored.window);
    }
    return true;
  }
};

std::unique_ptr<Codec> make_int8(SpecArgs& args, const CodecInput& input) {
  require_blocks(args.name(), input.dim, 1);
  return std::make_unique<BlockCodec<Int8Rule>>(args.canonical(), input.dim, Int8Rule{input.dim});
}

std::unique_ptr<Codec> make_int4(SpecArgs& args, const CodecInput& input) {
  const auto seed = static_cast<std::uint64_t>(args.whole("seed"));
  require_rotatable_dim(args.name(), input.dim);
  return std::make_unique<BlockCodec<Int4Rule>>(args.canonical(), input.dim,
                                                Int4Rule(seed, input.dim));
}

constexpr CodecKey kInt4Keys[] = {
    whole_key("seed", 0, 2147483647, "0", "of the random signs before the Hadamard matrix"),
};
constexpr CodecSection kBooked[] = {
    {"scales", Booked::scales}, {"codes", Booked::payload}, {"windows", Booked::scales}};

double int8_bound(const Spec&, std::span<const float> x, double, const CodecInput&) {
  return largest_of(x) * (0.5 / 127 + 0x1p-20) + 0x1p-126;
}

// A coordinate is at most half a step off, and a step has 20 bits; of a vector that is
// clamped, no more is lost than it has.
double int4_bound(const Spec& spec, std::span<const float> x, double, const CodecInput& input) {
  const Int4Rule rule(static_cast<std::uint64_t>(whole_of(spec.text(), "seed")), input.dim);
  const int window = window_of(float_of(largest_magnitude(x)));
  const std::vector<float> y = rule.rotated(x, window);
  const auto [low, high] = std::minmax_element(y.begin(), y.end());
  const double norm = norm_of(x);
  if (*low > 0.0f || *high < 0.0f) return norm * (1 + 0x1p-10) + 1e-40;
  const double step = 0.5 * std::ldexp((double{*high} - *low) / 15, 16 * window);
  return std::sqrt(static_cast<double>(x.size())) * step * (1 + 0x1p-10) + norm * 0x1p-10 + 1e-40;
}

}  // namespace

extern const CodecDescriptor kInt8 = {
    .name = "int8",
    .summary = "vLLM's int8_per_token_head: 8 bits a coordinate and a float32 scale a vector",
    .example = "int8",
    .sections = kBooked,
    .source = {"vLLM, kv_cache_dtype int8_per_token_head (pull requests 38378 and 45361)",
               Faithful::exact, "small vectors keep their scale, which vLLM raises to 1e-6"},
    .error_bound = {int8_bound, true},
    .make = make_int8,
};

extern const CodecDescriptor kInt4 = {
    .name = "int4",
    .summary = "vLLM's int4_per_token_head: rotated, 4 bits a coordinate, a scale a vector",
    .example = "int4",
    .keys = kInt4Keys,
    .sections = kBooked,
    .source =
        {"vLLM, kv_cache_dtype int4_per_token_head (pull request 40835)", Faithful::method,
         "signs from our own seed; rotated in float32, where vLLM rounds to the model's type; "
         "small vectors keep their scale"},
    .error_bound = {int4_bound, false},
    .make = make_int4,
};

}  // namespace kakeya

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <string>

#include "kakeya/codec/foreign_codec.h"
#include "kakeya/core/error.h"

namespace kakeya::test {

/// A float32 scale a vector and an int8 a value, in `levels` steps to each side of 0.
class MadeCoder final : public ForeignCoder {
 public:
  MadeCoder(std::size_t dim, int levels) : dim_(dim), levels_(static_cast<float>(levels)) {}

  std::size_t bound(std::size_t count) const override { return count * (4 + dim_); }

  std::size_t encode(Rows<const float> x, std::span<std::byte> out) const override {
    std::byte* at = out.data();
    for (std::size_t row = 0; row < x.count; ++row) {
      float largest = 0;
      for (const float value : x[row]) largest = std::max(largest, std::fabs(value));
      const float scale = largest / levels_;
      std::memcpy(at, &scale, 4);
      at += 4;
      for (const float value : x[row]) {
        const float step = scale > 0 ? std::round(value / scale) : 0.0f;
        *at++ = static_cast<std::byte>(static_cast<int>(std::clamp(step, -levels_, levels_)));
      }
    }
    return static_cast<std::size_t>(at - out.data());
  }

  void decode(std::span<const std::byte> in, Rows<float> out) const override {
    if (in.size() != bound(out.count)) {
      throw std::runtime_error(std::to_string(in.size()) + " bytes given, expected " +
                               std::to_string(bound(out.count)));
    }
    const std::byte* at = in.data();
    for (std::size_t row = 0; row < out.count; ++row) {
      float scale;
      std::memcpy(&scale, at, 4);
      at += 4;
      for (float& value : out[row]) value = scale * static_cast<signed char>(*at++);
    }
  }

  std::optional<double> nominal_bits_per_vector() const override {
    return 32.0 + 8.0 * static_cast<double>(dim_);
  }

 private:
  std::size_t dim_;
  float levels_;
};

inline int whole(const std::string& text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw SpecError("levels=" + text + ": expected a whole number in [1, 127]");
  }
  return number;
}

/// Keys "note", without meaning, and "levels", the rate, 127 where it is not given.
inline ForeignDescriptor made_descriptor(const std::string& name,
                                         VectorScope scope = VectorScope::any) {
  ForeignDescriptor codec;
  codec.name = name;
  codec.summary = "made by a test";
  codec.keys = {{"note", "none", "without meaning"}, {"levels", "127", "steps", true}};
  codec.scope = scope;
  codec.make = [](const Spec& spec, const CodecInput& input) -> std::unique_ptr<ForeignCoder> {
    const int levels = whole(*spec.find("levels"));
    if (levels < 1 || levels > 127) {
      throw SpecError("levels=" + std::to_string(levels) + ": expected a whole number in [1, 127]");
    }
    if (input.dim % 2 != 0)
      throw InputError("dim " + std::to_string(input.dim) + ": expected even");
    return std::make_unique<MadeCoder>(input.dim, levels);
  };
  return codec;
}

/// A coder of three functions; those that are not set do what is right of one that keeps nothing.
struct OddCoder final : ForeignCoder {
  std::function<std::size_t(std::size_t)> bound_of = [](std::size_t) { return 1; };
  std::function<std::size_t(Rows<const float>, std::span<std::byte>)> encode_to =
      [](Rows<const float>, std::span<std::byte> out) {
        out[0] = std::byte{7};
        return std::size_t{1};
      };
  std::function<void(std::span<const std::byte>, Rows<float>)> decode_to =
      [](std::span<const std::byte> in, Rows<float> out) {
        if (in.size() != 1 || in[0] != std::byte{7}) throw std::runtime_error("not mine");
        for (std::size_t row = 0; row < out.count; ++row) std::ranges::fill(out[row], 0.0f);
      };

  std::size_t bound(std::size_t count) const override { return bound_of(count); }
  std::size_t encode(Rows<const float> x, std::span<std::byte> out) const override {
    return encode_to(x, out);
  }
  void decode(std::span<const std::byte> in, Rows<float> out) const override { decode_to(in, out); }
};

inline ForeignDescriptor odd_descriptor(const std::string& name, OddCoder coder) {
  ForeignDescriptor codec;
  codec.name = name;
  codec.make = [coder = std::move(coder)](const Spec&, const CodecInput&) {
    return std::make_unique<OddCoder>(coder);
  };
  return codec;
}

}  // namespace kakeya::test

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "kakeya/bitstream/bits.h"
#include "kakeya/codec/codec.h"
#include "kakeya/codec/index_entropy.h"
#include "kakeya/codec/scaled.h"
#include "kakeya/codec/vectors.h"
#include "kakeya/codecs/peers/block_rotation.h"
#include "kakeya/codecs/peers/block_rules.h"
#include "kakeya/core/error.h"
#include "kakeya/entropy/histogram.h"

namespace kakeya {

/// What is stored of a block besides its codes: scales as bytes, and a window (window.h).
template <std::size_t kBytes>
struct StoredBlock {
  std::array<std::byte, kBytes> bytes{};
  int window = 0;
};

/// A codec of blocks: coordinates that share what a StoredBlock says, each a code of some bits. A
/// `Rule` is the arithmetic of one of them, a value type with
///
///   kCodeBits, kLevels      bits of a code; how many codes it may write
///   kScaleBytes, kWindows   bytes of a StoredBlock; whether its window may be other than 0
///   kFrameBytes             bytes that all blocks of a frame share, often 0
///   block()                 coordinates a block; divides the codec's dim
///   quantise(x, codes)      the codes of a block of finite values, and what else is stored of it
///   quantise(x, codes, lowest)  in its place, where the codec may rotate: with a window from
///                           `lowest` on
///   decode(stored, codes, out)  false where what is stored is damaged; else `out` is finite
///   of_frame(x), frame_bytes(), of_frame_bytes(bytes)   where kFrameBytes is not 0: the rule of a
///       frame of vectors, the bytes that say it, and the rule that they say, if any
///
/// Sections: "scales" kScaleBytes a block, "codes" kCodeBits a coordinate, "windows" (scaled.h) a
/// block each, "frame" kFrameBytes; the last two where the rule has them.
///
/// Where it rotates, blocks are of rotated vectors, and a window is that of the rotation and the
/// block's own together. Decoding rotates what it has in the highest window of its blocks.
template <typename Rule>
class BlockCodec final : public AccountedCodec, public FrameEntropy {
 public:
  using Stored = StoredBlock<Rule::kScaleBytes>;
  static constexpr bool kMayRotate =
      requires(const Rule& rule, std::span<const float> x, std::span<std::uint8_t> codes) {
    rule.quantise(x, codes, 0);
  };

  BlockCodec(std::string spec, std::size_t dim, Rule rule)
      : spec_(std::move(spec)), dim_(dim), rule_(std::move(rule)) {}

  BlockCodec(std::string spec, std::size_t dim, Rule rule,
             BlockRotation rotation) requires(kMayRotate)
      : spec_(std::move(spec)), dim_(dim), rule_(std::move(rule)), rotation_(rotation) {}

  std::string spec() const override { return spec_; }
  std::size_t dim() const override { return dim_; }

  Rates rates() const override {
    const auto dim = static_cast<double>(dim_);
    const double scales = 8.0 * static_cast<double>(blocks() * Rule::kScaleBytes);
    return {dim * Rule::kCodeBits + scales, dim * std::log2(double{Rule::kLevels}) + scales};
  }

  std::size_t encoded_bound(std::size_t count) const override {
    return frame_overhead(spec_.size(), names().size()) + Rule::kFrameBytes +
           count * (code_bytes() + blocks() * (Rule::kScaleBytes + (Rule::kWindows ? 1 : 0)));
  }

  std::size_t encode(Rows<const float> x, std::span<std::byte> out) const override {
    require_encodable(*this, x, out);
    FrameWriter writer(out, spec_, dim_, x.count, names());
    std::byte* scale_at = writer.section(x.count * blocks() * Rule::kScaleBytes).data();
    BitWriter codes(writer.section(x.count * code_bytes()));
    WindowList windows(x.count * blocks());
    std::size_t block = 0;
    const Rule rule = for_each_block(x, [&](const Stored& stored, std::span<const std::uint8_t> c) {
      std::memcpy(scale_at, stored.bytes.data(), stored.bytes.size());
      scale_at += stored.bytes.size();
      windows.set(block++, stored.window);
      for (const std::uint8_t code : c) codes.put(code, Rule::kCodeBits);
    });
    codes.finish();
    if constexpr (Rule::kWindows) windows.copy_to(writer.section(windows.byte_count()));
    if constexpr (Rule::kFrameBytes != 0) {
      const auto bytes = rule.frame_bytes();
      std::copy(bytes.begin(), bytes.end(), writer.section(bytes.size()).begin());
    }
    return writer.finish();
  }

  void decode(std::span<const std::byte> in, Rows<float> out) const override {
    const FrameView view = open_frame(*this, in, out);
    const Rule rule = rule_of(view);
    const auto scales = view.section(0, kNames[0]);
    const auto windows = Rule::kWindows ? view.section(2, "windows") : std::span<const std::byte>{};
    BitReader reader(view.section(1, kNames[1]));
    std::vector<std::uint8_t> codes(rule.block());
    const std::size_t inside = part() / codes.size();
    std::size_t block = 0;
    for (std::size_t row = 0; row < out.count; ++row) {
      for (std::size_t at = 0; at < dim_; at += part()) {
        const std::span<float> values = out[row].subspan(at, part());
        const int window = rotates() ? highest_window(windows, block, inside) : 0;
        for (std::size_t b = 0; b < inside; ++b, ++block) {
          Stored stored;
          std::memcpy(stored.bytes.data(), scales.data() + block * Rule::kScaleBytes,
                      Rule::kScaleBytes);
          stored.window = window_below(read_window(windows, block), window);
          for (std::uint8_t& code : codes)
            code = static_cast<std::uint8_t>(reader.get(Rule::kCodeBits));
          if (!rule.decode(stored, codes, values.subspan(b * codes.size(), codes.size()))) {
            throw CorruptStream(spec_ + ": the scale of block " + std::to_string(block) +
                                " is none that it writes");
          }
        }
        if (rotates()) rotation_.backward(values, window);
      }
    }
    reader.finish();
  }

  void check_frame(const FrameInfo& info) const override {
    require_items(info, kNames[1], info.count, code_bytes());
    require_items(info, kNames[0], info.count * blocks(), Rule::kScaleBytes);
    if (Rule::kWindows) require_items_or_none(info, "windows", info.count * blocks(), 1);
    if (Rule::kFrameBytes != 0) require_items(info, "frame", 1, Rule::kFrameBytes);
  }

  std::optional<double> index_entropy_bits_per_value(Rows<const float> x) const override {
    if (x.dim != dim_) throw InputError(spec_ + ": vectors of another dim");
    if (x.count == 0) return std::nullopt;
    Histogram histogram(256);
    for_each_block(x, [&](const Stored&, std::span<const std::uint8_t> codes) {
      for (const std::uint8_t code : codes) histogram.add(code);
    });
    return histogram.total_bits() / static_cast<double>(x.values());
  }

  std::optional<double> index_entropy_of_frame(std::span<const std::byte> in) const override {
    const FrameView view = open_frame(*this, in);
    if (view.count == 0) return std::nullopt;
    Histogram histogram(256);
    BitReader codes(view.section(1, kNames[1]));
    const std::size_t values = view.count * dim_;
    for (std::size_t i = 0; i < values; ++i) histogram.add(codes.get(Rule::kCodeBits));
    return histogram.total_bits() / static_cast<double>(values);
  }

 private:
  static constexpr std::string_view kNames[] = {"scales", "codes",
                                                Rule::kWindows ? "windows" : "frame", "frame"};
  static std::span<const std::string_view> names() {
    return std::span(kNames).first(2 + (Rule::kWindows ? 1 : 0) + (Rule::kFrameBytes != 0 ? 1 : 0));
  }

  bool rotates() const { return kMayRotate && rotation_.length() != 0; }
  // Coordinates that are rotated together, or all.
  std::size_t part() const { return rotates() ? rotation_.length() : dim_; }
  std::size_t blocks() const { return dim_ / rule_.block(); }
  std::size_t code_bytes() const { return dim_ * std::size_t{Rule::kCodeBits} / 8; }

  Rule rule_of(const FrameView& view) const {
    if constexpr (Rule::kFrameBytes != 0) {
      const std::optional<Rule> rule =
          rule_.of_frame_bytes(view.section(names().size() - 1, "frame"));
      if (!rule) throw CorruptStream(spec_ + ": the scale of the frame is none that it writes");
      return *rule;
    } else {
      return rule_;
    }
  }

  // Calls work(stored, codes) for every block of `x`; the rule that made them. Throws InputError on
  // NaN or infinity.
  template <typename Work>
  Rule for_each_block(Rows<const float> x, const Work& work) const {
    for (std::size_t row = 0; row < x.count; ++row) finite_maximum(x[row], row);
    Rule rule = rule_;
    if constexpr (Rule::kFrameBytes != 0) rule = rule_.of_frame(x);
    std::vector<std::uint8_t> codes(rule.block());
    std::vector<float> rotated(rotation_.length());
    for (std::size_t row = 0; row < x.count; ++row) {
      for (std::size_t at = 0; at < dim_; at += part()) {
        std::span<const float> values = x[row].subspan(at, part());
        int window = 0;
        if (rotates()) {
          window = rotation_.forward(values, rotated);
          values = rotated;
        }
        for (std::size_t b = 0; b < values.size(); b += codes.size()) {
          const Stored stored = quantise(rule, values.subspan(b, codes.size()), codes, window);
          work(stored, std::span<const std::uint8_t>(codes));
        }
      }
    }
    return rule;
  }

  // A block in the window of its rotation.
  static Stored quantise(const Rule& rule, std::span<const float> x, std::span<std::uint8_t> codes,
                         int window) {
    if constexpr (kMayRotate) {
      Stored stored = rule.quantise(x, codes, lowest_window_in(window));
      stored.window += window;
      return stored;
    } else {
      return rule.quantise(x, codes);
    }
  }

  // Of the blocks from `first` on that are rotated together.
  static int highest_window(std::span<const std::byte> windows, std::size_t first,
                            std::size_t count) {
    int highest = kLowestWindow;
    for (std::size_t b = 0; b < count; ++b)
      highest = std::max(highest, read_window(windows, first + b));
    return highest;
  }

  std::string spec_;
  std::size_t dim_;
  Rule rule_;
  BlockRotation rotation_;
};

/// Throws InputError unless `dim` is a multiple of `block` in [block, 65536].
inline void require_blocks(const std::string& codec, std::size_t dim, std::size_t block) {
  if (dim != 0 && dim % block == 0 && dim <= kMostHeadDim) return;
  throw InputError(codec + ": dim " + std::to_string(dim) + ": expected a multiple of " +
                   std::to_string(block) + " up to " + std::to_string(kMostHeadDim));
}

/// A binary16 pattern at byte `at` of what is stored.
template <std::size_t kBytes>
std::uint16_t half_at(const StoredBlock<kBytes>& stored, std::size_t at) {
  std::uint16_t half;
  std::memcpy(&half, stored.bytes.data() + at, 2);
  return half;
}

}  // namespace kakeya

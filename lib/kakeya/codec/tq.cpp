// SPDX-License-Identifier: Apache-2.0
// The published "TurboQuant-style" baseline: norm, Hadamard rotation, maximum, and 2^b - 1 uniform
// mid-tread levels a coordinate. (Neither random rotation nor Lloyd-Max levels: not the published
// TurboQuant.)
//
//   t = y / s, s = fp16(max |y|) / L, L = 2^(b-1) - 1;   k = clamp(round half even(t), -L, L);
//   decoded y = k s
//
// Section "scales": 4 bytes a vector; "codes": k + L, b bits each; "windows": see scaled.h.
#include <algorithm>
#include <cmath>

#include "kakeya/bitstream/bits.h"
#include "kakeya/codec/builtin.h"
#include "kakeya/codec/entropy.h"
#include "kakeya/codec/scaled.h"
#include "kakeya/codec/spec.h"
#include "kakeya/codec/vectors.h"
#include "kakeya/core/error.h"
#include "kakeya/lattice/dn.h"

namespace kakeya {
namespace {

constexpr std::string_view kSections[] = {"scales", "codes", "windows"};

class UniformLevels final : public Codec {
 public:
  UniformLevels(std::string spec, std::size_t dim, int bits)
      : spec_(std::move(spec)), dim_(dim), bits_(bits), top_((1 << (bits - 1)) - 1) {}

  std::string spec() const override { return spec_; }
  std::size_t dim() const override { return dim_; }
  Rates rates() const override {
    const double dim = static_cast<double>(dim_);
    return {dim * bits_ + 32.0, dim * std::log2(2.0 * top_ + 1.0) + 32.0};
  }
  std::size_t encoded_bound(std::size_t count) const override {
    return frame_overhead(spec_.size(), 3) + count * kVectorScaleBytes + code_bytes(count) + count;
  }

  std::size_t encode(Rows<const float> x, std::span<std::byte> out) const override {
    require_encodable(*this, x, out);
    FrameWriter writer(out, spec_, dim_, x.count, kSections);
    const auto scales = writer.section(x.count * kVectorScaleBytes);
    BitWriter codes(writer.section(code_bytes(x.count)));
    WindowList windows(x.count);
    std::vector<float> levels(dim_);
    for (std::size_t row = 0; row < x.count; ++row) {
      const VectorScale scale = quantise(x[row], row, levels);
      write_scale(scales, row, scale);
      windows.set(row, scale.window);
      for (const float level : levels) {
        codes.put(static_cast<std::uint64_t>(static_cast<int>(level) + top_), bits_);
      }
    }
    codes.finish();
    windows.copy_to(writer.section(windows.byte_count()));
    return writer.finish();
  }

  void decode(std::span<const std::byte> in, Rows<float> out) const override {
    const FrameView view = open_frame(*this, in, out);
    const auto scales = view.section(0, kSections[0]), windows = view.section(2, kSections[2]);
    BitReader codes(view.section(1, kSections[1]));
    for (std::size_t row = 0; row < out.count; ++row) {
      const VectorScale scale = read_scale(scales, windows, row);
      const float step = step_of(scale, top_);
      for (float& value : out[row]) {
        const int code = static_cast<int>(codes.get(bits_));
        if (code > 2 * top_) {
          throw CorruptStream(spec_ + ": vector " + std::to_string(row) + ": code " +
                              std::to_string(code) + " is not used");
        }
        value = static_cast<float>(code - top_) * step;
      }
      rotate_back(scale, out[row]);
    }
    codes.finish();
  }

  void check_frame(const FrameInfo& info) const override {
    require_items(info, kSections[0], info.count, kVectorScaleBytes);
    require_fields(info, kSections[1], info.count, dim_ * static_cast<std::size_t>(bits_));
    require_items_or_none(info, kSections[2], info.count, 1);
  }

  std::optional<double> index_entropy_bits_per_value(Rows<const float> x) const override {
    if (x.dim != dim_) throw InputError(spec_ + ": vectors of another dim");
    if (x.count == 0) return std::nullopt;
    Histogram histogram(static_cast<std::size_t>(2 * top_ + 1));
    std::vector<float> levels(dim_);
    for (std::size_t row = 0; row < x.count; ++row) {
      quantise(x[row], row, levels);
      for (const float level : levels) {
        histogram.add(static_cast<std::size_t>(static_cast<int>(level) + top_));
      }
    }
    return histogram.total_bits() / static_cast<double>(x.values());
  }

 private:
  std::size_t code_bytes(std::size_t count) const {
    return (count * dim_ * static_cast<std::size_t>(bits_) + 7) / 8;
  }

  VectorScale quantise(std::span<const float> x, std::size_t row, std::span<float> levels) const {
    const VectorScale scale =
        rotate_to_unit(x, finite_maximum(x, row), Rotation::butterflies, levels);
    if (scale.maximum == 0) return scale;
    const float step = step_of(scale, top_), top = static_cast<float>(top_);
    for (float& value : levels) {
      const float level = round_half_even(value / step);
      value = std::clamp(level, -top, top);
    }
    return scale;
  }

  std::string spec_;
  std::size_t dim_;
  int bits_, top_;
};

}  // namespace

std::unique_ptr<Codec> make_tq(SpecArgs& args, const CodecInput& input) {
  const int bits = args.required_whole("b", 2, 8);
  require_rotatable_dim(args.name(), input.dim);
  return std::make_unique<UniformLevels>(args.canonical(), input.dim, bits);
}

}  // namespace kakeya

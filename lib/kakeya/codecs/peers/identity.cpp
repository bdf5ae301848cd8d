// SPDX-License-Identifier: Apache-2.0
// Each scalar rounded to bfloat16, ties to even, saturating at the largest finite one. Section
// "values": u16 each.
#include <algorithm>
#include <cstring>

#include "kakeya/codec/error_bounds.h"
#include "kakeya/codec/index_entropy.h"
#include "kakeya/codec/spec_args.h"
#include "kakeya/codec/vectors.h"
#include "kakeya/core/clones.h"
#include "kakeya/core/error.h"
#include "kakeya/core/half.h"

namespace kakeya {
namespace {

constexpr std::string_view kSections[] = {"values"};
constexpr std::uint16_t kInfinity = 0x7f80u;

// Whether all are finite. Without a branch.
KAKEYA_CLONES bool widen(const std::byte* at, std::span<float> values) {
  std::uint32_t most = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::uint16_t pattern;
    std::memcpy(&pattern, at + 2 * i, 2);
    most = std::max<std::uint32_t>(most, pattern & 0x7fffu);
    values[i] = bfloat16_to_float(pattern);
  }
  return most < kInfinity;
}

class Identity final : public NamedCodec, public FrameEntropy {
 public:
  Identity(std::string spec, std::size_t dim) : NamedCodec(std::move(spec), dim) {}

  Rates rates() const override {
    const double bits = 16.0 * static_cast<double>(dim_);
    return {bits, bits};
  }
  std::size_t encoded_bound(std::size_t count) const override {
    return frame_overhead(spec_.size(), 1) + count * dim_ * 2;
  }

  std::size_t encode(Rows<const float> x, std::span<std::byte> out) const override {
    require_encodable(*this, x, out);
    FrameWriter writer(out, spec_, dim_, x.count, kSections);
    std::byte* at = writer.section(x.values() * 2).data();
    for (std::size_t row = 0; row < x.count; ++row) {
      finite_maximum(x[row], row);
      for (const float value : x[row]) {
        const std::uint16_t pattern = float_to_finite_bfloat16(value);
        std::memcpy(at, &pattern, 2);
        at += 2;
      }
    }
    return writer.finish();
  }

  void decode(std::span<const std::byte> in, Rows<float> out) const override {
    read_frame(open_frame(*this, in, out), out);
  }
  void recall(std::span<const std::byte> frame, Rows<float> out) const override {
    read_frame(open_frame(*this, frame, out, FrameCheck::but_the_checksum), out);  // is bf16
  }

  std::optional<double> index_entropy_of_frame(std::span<const std::byte> in) const override {
    open_frame(*this, in);
    return std::nullopt;  // it has no indices
  }

  void check_frame(const FrameInfo& info) const override {
    require_items(info, kSections[0], info.count, 2 * dim_);
  }

 private:
  static void read_frame(const FrameView& view, Rows<float> out) {
    const std::byte* at = view.section(0, kSections[0]).data();
    for (std::size_t row = 0; row < out.count; ++row, at += 2 * out.dim) {
      if (widen(at, out[row])) continue;
      throw CorruptStream("identity: vector " + std::to_string(row) + " is not finite");
    }
  }
};

std::unique_ptr<Codec> make_identity(SpecArgs& args, const CodecInput& input) {
  if (input.dim == 0 || input.dim > kMostHeadDim) {
    throw InputError("identity: dim " + std::to_string(input.dim) +
                     ": expected a whole number in [1, " + std::to_string(kMostHeadDim) + "]");
  }
  return std::make_unique<Identity>(args.canonical(), input.dim);
}

constexpr CodecSection kBooked[] = {{"values", Booked::payload}};
constexpr LadderRung kLadder[] = {{"", ""}};

double identity_bound(const Spec&, std::span<const float> x, double, const CodecInput&) {
  return largest_of(x) * 0x1p-8 + 1e-40;
}

}  // namespace

extern const CodecDescriptor kIdentity = {
    .name = "identity",
    .summary = "bfloat16 as it is stored: the reference that measures the harness itself",
    .example = "identity",
    .sections = kBooked,
    .looks = {.rank = 1000},
    .ladder = kLadder,
    .error_bound = {identity_bound, true},
    .make = make_identity,
};

}  // namespace kakeya

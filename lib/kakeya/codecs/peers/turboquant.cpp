// SPDX-License-Identifier: Apache-2.0
// turboquant: TurboQuant as its paper has it (Zandieh, Daliri, Hadian, Mirrokni, "TurboQuant: Online
// Vector Quantization with Near-optimal Distortion Rate", arXiv 2504.19874, Algorithms 1 and 2), not
// the uniform "TurboQuant-style" scalar that tq is:
//
//   mode=mse    u = x / |x|,  y = P u, P a random rotation,
//               each y[i] the nearest of 2^b levels, Lloyd-Max for a coordinate of a random unit vector
//               decoded x = |x| P^T c
//   mode=prod   the same with b - 1 bits, then a bit a coordinate of what is left over:
//               r = y - c,  signs of S r, S normal;  c + sqrt(pi / 2) / d |r| S^T signs in place of c
//               inner products with what is decoded are right on the mean
//
// P is dense, uniform over all rotations, and follows from `seed`, as S does. The paper takes S r of
// the r that is rotated back; S is normal either way. Norms are binary16: 16 bits a vector, 32 with
// mode=prod. A vector that binary16 does not reach has a window (scaled.h). Sections: "scales" |x|
// and, with mode=prod, |r|; "codes" b or b - 1 bits a coordinate; "signs" (mode=prod) a bit, set
// where negative; "windows".
#include <bit>
#include <cmath>
#include <cstring>

#include "kakeya/bitstream/bits.h"
#include "kakeya/codec/error_bounds.h"
#include "kakeya/codec/scaled.h"
#include "kakeya/codec/spec_args.h"
#include "kakeya/codec/vectors.h"
#include "kakeya/codecs/peers/turboquant_tables.h"
#include "kakeya/core/error.h"
#include "kakeya/core/half.h"
#include "kakeya/entropy/histogram.h"

namespace kakeya {
namespace {

constexpr std::string_view kMseSections[] = {"scales", "codes", "windows"},
                           kProdSections[] = {"scales", "codes", "signs", "windows"};
constexpr double kRootOfHalfPi = 1.2533141373155003;
constexpr std::uint16_t kHalfInfinity = 0x7c00u;

// What a vector becomes; buffers of one at a time.
struct TurboVector {
  explicit TurboVector(std::size_t dim) : work(dim), rotated(dim), codes(dim) {}
  std::vector<float> work, rotated;
  std::vector<std::uint8_t> codes;
  std::vector<float> projected;  // S r, with mode=prod
  VectorScale scale;
  std::uint16_t residual = 0;
};

class TurboQuant final : public AccountedCodec {
 public:
  TurboQuant(std::string spec, std::size_t dim, int bits, bool prod, std::uint64_t seed)
      : spec_(std::move(spec)),
        dim_(dim),
        bits_(prod ? bits - 1 : bits),
        prod_(prod),
        seed_(seed) {}

  std::string spec() const override { return spec_; }
  std::size_t dim() const override { return dim_; }

  Rates rates() const override {
    const double bits = static_cast<double>(dim_) * (bits_ + (prod_ ? 1 : 0)) +
                        8.0 * static_cast<double>(scale_bytes());
    return {bits, bits};
  }

  std::size_t encoded_bound(std::size_t count) const override {
    return frame_overhead(spec_.size(), sections().size()) +
           count * (scale_bytes() + code_bytes() + sign_bytes() + 1);
  }

  std::size_t encode(Rows<const float> x, std::span<std::byte> out) const override {
    require_encodable(*this, x, out);
    FrameWriter writer(out, spec_, dim_, x.count, sections());
    std::byte* scale_at = writer.section(x.count * scale_bytes()).data();
    BitWriter codes(writer.section(x.count * code_bytes()));
    BitWriter signs(prod_ ? writer.section(x.count * sign_bytes()) : std::span<std::byte>{});
    WindowList windows(x.count);
    for_each_vector(x, [&](std::size_t row, const TurboVector& vector) {
      std::memcpy(scale_at + row * scale_bytes(), &vector.scale.norm, 2);
      if (prod_) std::memcpy(scale_at + row * scale_bytes() + 2, &vector.residual, 2);
      windows.set(row, vector.scale.window);
      for (const std::uint8_t code : vector.codes) {
        if (bits_ != 0) codes.put(code, bits_);
      }
      for (const float value : vector.projected) signs.put(value < 0.0f ? 1 : 0, 1);
    });
    codes.finish();
    signs.finish();
    windows.copy_to(writer.section(windows.byte_count()));
    return writer.finish();
  }

  void decode(std::span<const std::byte> in, Rows<float> out) const override {
    const FrameView view = open_frame(*this, in, out);
    const auto scales = view.section(0, "scales");
    const auto windows = view.section(sections().size() - 1, "windows");
    BitReader codes(view.section(1, "codes"));
    BitReader signs(prod_ ? view.section(2, "signs") : std::span<const std::byte>{});
    const auto tables = turbo_tables(seed_, dim_, bits_, prod_);
    std::vector<float> y(dim_), sign(dim_), correction(dim_);
    for (std::size_t row = 0; row < out.count; ++row) {
      VectorScale scale;
      scale.norm = read_half(scales, row, 0);
      scale.window = read_window(windows, row);
      for (float& value : y) {
        value = bits_ == 0 ? 0.0f
                           : tables->codebook.value_of(static_cast<std::uint8_t>(codes.get(bits_)));
      }
      if (prod_) {
        for (float& value : sign) value = signs.get(1) != 0 ? -1.0f : 1.0f;
        multiply_transposed(tables->projection, sign, correction);
        const double factor =
            kRootOfHalfPi / static_cast<double>(dim_) * half_to_float(read_half(scales, row, 1));
        for (std::size_t i = 0; i < dim_; ++i)
          y[i] = static_cast<float>(y[i] + factor * correction[i]);
      }
      multiply_transposed(tables->rotation, y, out[row]);
      scale_back(scale, out[row]);
    }
    codes.finish();
    signs.finish();
  }

  void check_frame(const FrameInfo& info) const override {
    require_items(info, "scales", info.count, scale_bytes());
    if (bits_ != 0) {
      require_items(info, "codes", info.count, code_bytes());
    } else if (section_bytes(info, "codes") != 0) {
      throw CorruptStream(spec_ + ": section codes: expected none, all bits are signs");
    }
    if (prod_) require_items(info, "signs", info.count, sign_bytes());
    require_items_or_none(info, "windows", info.count, 1);
  }

  // Signs, which are as random as S, count a bit each.
  std::optional<double> index_entropy_bits_per_value(Rows<const float> x) const override {
    if (x.dim != dim_) throw InputError(spec_ + ": vectors of another dim");
    if (x.count == 0) return std::nullopt;
    Histogram histogram(256);
    for_each_vector(x, [&](std::size_t, const TurboVector& vector) {
      for (const std::uint8_t code : vector.codes) histogram.add(code);
    });
    return histogram.total_bits() / static_cast<double>(x.values()) + (prod_ ? 1.0 : 0.0);
  }

 private:
  std::span<const std::string_view> sections() const {
    if (prod_) return kProdSections;
    return kMseSections;
  }
  std::size_t scale_bytes() const { return prod_ ? 4 : 2; }
  std::size_t code_bytes() const { return dim_ * static_cast<std::size_t>(bits_) / 8; }
  std::size_t sign_bytes() const { return prod_ ? dim_ / 8 : 0; }

  std::uint16_t read_half(std::span<const std::byte> scales, std::size_t row,
                          std::size_t place) const {
    std::uint16_t half;
    std::memcpy(&half, scales.data() + row * scale_bytes() + 2 * place, 2);
    if (half >= kHalfInfinity) {
      throw CorruptStream(spec_ + ": a norm of vector " + std::to_string(row) +
                          " is not a finite number from 0 on");
    }
    return half;
  }

  // Calls work(row, vector) for each. Throws InputError on NaN or infinity.
  template <typename Work>
  void for_each_vector(Rows<const float> x, const Work& work) const {
    const auto tables = turbo_tables(seed_, dim_, bits_, prod_);
    TurboVector vector(dim_);
    if (prod_) vector.projected.resize(dim_);
    for (std::size_t row = 0; row < x.count; ++row) {
      vector.scale = scale_to_unit(x[row], finite_maximum(x[row], row), vector.work);
      multiply(tables->rotation, vector.work, vector.rotated);
      if (bits_ != 0) quantise(tables->codebook, vector);
      if (prod_) project(*tables, vector);
      work(row, vector);
    }
  }

  // `rotated` becomes what the codes leave over.
  static void quantise(const TurboCodebook& book, TurboVector& vector) {
    for (std::size_t i = 0; i < vector.codes.size(); ++i) {
      vector.codes[i] = book.code_of(vector.rotated[i]);
      vector.rotated[i] -= book.value_of(vector.codes[i]);
    }
  }

  static void project(const TurboTables& tables, TurboVector& vector) {
    multiply(tables.projection, vector.rotated, vector.projected);
    vector.residual = float_to_half(static_cast<float>(norm_of(vector.rotated)));
  }

  std::string spec_;
  std::size_t dim_;
  int bits_;
  bool prod_;
  std::uint64_t seed_;
};

std::unique_ptr<Codec> make_turboquant(SpecArgs& args, const CodecInput& input) {
  const int bits = args.whole("b");
  const bool prod = args.choice("mode") == 1;
  const auto seed = static_cast<std::uint64_t>(args.whole("seed"));
  if (input.dim < 8 || input.dim % 8 != 0 || input.dim > 1024) {
    throw InputError("turboquant: dim " + std::to_string(input.dim) +
                     ": expected a multiple of 8 in [8, 1024]");
  }
  return std::make_unique<TurboQuant>(args.canonical(), input.dim, bits, prod, seed);
}

constexpr std::string_view kModes[] = {"mse", "prod"};
constexpr CodecKey kKeys[] = {
    rate_key(
        whole_key("b", 1, 8, "", "bits a coordinate, a whole number in [1, 8]; must be given")),
    choice_key("mode", kModes,
               "mse: all bits for the least squared error; prod: one of them for inner products "
               "that are right on the mean, which err more"),
    whole_key("seed", 0, 2147483647, "0", "of the random rotation, and of prod's projection"),
};
constexpr CodecSection kBooked[] = {{"scales", Booked::scales},
                                    {"codes", Booked::payload},
                                    {"signs", Booked::payload},
                                    {"windows", Booked::scales}};
constexpr LadderRung kLadder[] = {{"b=@", "1 2 3 4 5 6 7 8"},
                                  {"b=@,mode=prod", "1 2 3 4 6", false}};

// Between levels a coordinate is at most half the widest gap off, beyond the last as far as it is
// from that; the projection's columns are shorter than 3 sqrt(d), which prod's correction is within.
double turboquant_bound(const Spec& spec, std::span<const float> x, double,
                        const CodecInput& input) {
  const bool prod = spec.has("mode", "prod");
  const int bits = static_cast<int>(rate_of(spec)) - (prod ? 1 : 0);
  const auto tables = turbo_tables(static_cast<std::uint64_t>(whole_of(spec.text(), "seed")),
                                   input.dim, bits, prod);
  const double norm = norm_of(x);
  std::vector<float> unit(x.size()), y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i)
    unit[i] = norm == 0.0 ? 0.0f : static_cast<float>(x[i] / norm);
  multiply(tables->rotation, unit, y);
  double last = 0.0, gap = 0.0;
  for (const double level : tables->codebook.levels) {
    gap = std::fmax(gap, last == 0.0 ? level : (level - last) / 2);
    last = level;
  }
  double sum = 0.0;
  for (const float value : y) sum += std::pow(std::fmax(gap, std::fabs(double{value}) - last), 2);
  return norm * (std::sqrt(sum) * (prod ? 1 + 3 * kRootOfHalfPi : 1.0) * 1.001 + 0x1p-9) + 1e-42;
}

}  // namespace

extern const CodecDescriptor kTurboQuant = {
    .name = "turboquant",
    .summary = "TurboQuant: a dense random rotation, Lloyd-Max levels, the norm in binary16",
    .example = "turboquant:b=4",
    .keys = kKeys,
    .sections = kBooked,
    .source = {"TurboQuant: Zandieh et al., arXiv 2504.19874 (ICLR 2026), Algorithms 1 and 2",
               Faithful::exact,
               "no outlier channels with other bits; norms in binary16; prod projects the residual "
               "before it is rotated back"},
    .ladder = kLadder,
    .plan_rates = "2 3 4 5 6",
    .error_bound = {turboquant_bound, false},
    .make = make_turboquant,
};

}  // namespace kakeya

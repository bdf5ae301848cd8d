// SPDX-License-Identifier: Apache-2.0
// klt: the transform codec. Vectors in the Karhunen-Loève coordinates that calibration found for
// their site, weighted by what attention sees of an error; one step for all of them; the nearest
// point of E8, or the nearest path of a trellis; an entropy coder whose class is known for every
// coordinate.
//
//   y = (x - mean) F,  t = y / step,  z = nearest point,  decoded x = z (step B) + mean
//
// product=exact computes both products in whole numbers (exact_product.h).
//
// F, its inverse B, the mean and the classes come from the profile, the step from the rate
// (klt_plan.h): no scale, maximum or other side information is stored of a vector, and none depends
// on another, so pages decode alone and tokens can be appended. Decoded points are not shrunk
// towards the mean, although weak coordinates would then have a smaller squared error: attention
// averages errors that lean nowhere, but not a lean. Sections:
//
//   "site"      layer u16, KV head u16, part u8 (0 keys, 1 values), 0 u8, i16 n: the step is
//               2^(-n / 64) units, and the profile's classes are n / 16 quarter octaves up
//   others      chain_codec.h
//
// pages=fixed: fields of fixed widths in the place of rANS (entropy/field_format.h); pages=prefix: prefix
// codes, a string a lane (entropy/prefix_coder.h).
#include "kakeya/codecs/klt/klt.h"

#include <cmath>
#include <optional>
#include <vector>

#include "kakeya/codec/spec_args.h"
#include "kakeya/codec/transform_codec.h"
#include "kakeya/codecs/klt/chain_codec.h"
#include "kakeya/codecs/klt/exact_product.h"
#include "kakeya/entropy/field_coder.h"
#include "kakeya/entropy/prefix_coder.h"

namespace kakeya {
namespace {

// From the vectors of a site to lattice points and back: a Chain of chain_codec.h, a tile at a time.
class HeadChain {
 public:
  struct Memory {
    Memory(const HeadChain& chain, std::size_t)
        : points{TileBuffer(chain.dim())}, other(chain.dim()) {}
    static constexpr std::size_t kMostVectors = kTileRows;
    std::array<TileBuffer, 1> points;
    TileBuffer other;  // what is multiplied
  };
  static constexpr char kRecord[] = "site", kAnother[] = "another site or step";
  static constexpr bool kMayOverflow = false;

  HeadChain(const SiteTransform& transform, Lattice lattice, int fineness, bool exact)
      : lattice_(lattice),
        matrix_bytes_(transform.matrix_bytes()),
        mean_(transform.mean),
        forward_(transform.forward),
        backward_(transform.backward) {
    for (const float value : mean_) negative_.push_back(-value);
    const float step = step_of_fineness(fineness), inverse = 1.0f / step;
    if (exact) exact_ = exact_product(transform, step);
    for (float& value : forward_) value *= inverse;
    for (float& value : backward_) value *= step;
    for (const std::uint8_t which : transform.classes) {
      classes_.push_back(klt_class(which, quarters_of_fineness(fineness)));
    }
  }

  std::size_t dim() const { return mean_.size(); }
  std::size_t width() const { return dim(); }
  const std::vector<float>& mean() const { return mean_; }
  const std::vector<float>& negative_mean() const { return negative_; }
  const std::vector<float>& forward() const { return forward_; }
  const std::vector<float>& backward() const { return backward_; }
  const std::vector<std::uint8_t>& classes() const { return classes_; }
  const ExactProduct* exact() const { return exact_ ? &*exact_ : nullptr; }
  // A coordinate of a point is at most 1 further out.
  float largest() const {
    constexpr int kHalfWhole = kLargestWhole / 2;
    return exact_ ? kHalfWhole - 1 : kLargestPoint;
  }
  // Mean in float32, one matrix as it is stored, classes, and the step.
  std::size_t profile_bytes() const { return 4 * dim() + matrix_bytes_ + dim() + 2; }

  void encode(Rows<const float> x, Memory& memory, float* largest) const {
    std::uint32_t magnitudes[kTileRows];
    load_tile(x, memory.other.data(), magnitudes);
    shift_coordinates(memory.other.data(), dim(), negative_.data());
    if (exact_) {
      to_coordinates(memory.other.data(), memory.points[0].data());
    } else {
      multiply_tile(memory.other.data(), dim(), forward_.data(), memory.points[0].data());
    }
    std::fill_n(largest, kTileRows, 0.0f);
    quantise_points(lattice_, memory.points[0].data(), dim(), largest, this->largest());
  }

  void decode(Memory& memory, Rows<float> x) const {
    if (exact_) {
      from_points(memory.points[0].data(), memory.other.data());
    } else {
      multiply_tile(memory.points[0].data(), dim(), backward_.data(), memory.other.data());
    }
    shift_coordinates(memory.other.data(), dim(), mean_.data());
    store_tile(memory.other.data(), x);
  }

 private:
  // y of a tile of x less its mean; infinite where a coordinate is above kLargestWhole.
  void to_coordinates(float* x, float* y) const {
    constexpr float kMost = kLargestWhole;
    float most[kTileRows];
    scale_coordinates(x, dim(), exact_->to_whole.data());
    measure_tile(x, dim(), nullptr, most);
    for (std::size_t r = 0; r < kTileRows; ++r) {
      for (std::size_t i = 0; i < dim() && !(most[r] <= kMost); ++i) x[i * kTileRows + r] = 0.0f;
    }
    multiply_whole_tile(x, exact_->forward, exact_->forward_scale.data(), y);
    for (std::size_t r = 0; r < kTileRows; ++r) {
      if (!(most[r] <= kMost)) y[r] = INFINITY;
    }
  }

  void from_points(float* points, float* x) const {
    constexpr float kTwice[kTileRows] = {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2};
    float most[kTileRows];
    scale_vectors(points, dim(), kTwice);
    measure_tile(points, dim(), nullptr, most);
    for (const float value : most) {
      if (value <= kLargestWhole) continue;
      throw CorruptStream("klt: product=exact: a coordinate of " + std::to_string(value / 2) +
                          " steps: expected at most " + std::to_string(kLargestWhole / 2));
    }
    multiply_whole_tile(points, exact_->backward, exact_->backward_scale.data(), x);
  }

  Lattice lattice_;
  std::optional<ExactProduct> exact_;
  std::size_t matrix_bytes_;
  std::vector<float> mean_, negative_, forward_, backward_;
  std::vector<std::uint8_t> classes_;
};

class HeadCodec final : public ChainCodec<HeadChain>, public TransformCodec {
 public:
  using ChainCodec::ChainCodec;

  TransformPlan transform_plan() const override {
    const HeadChain& of = chain();
    return {frames(of.largest()), of.mean(),     of.negative_mean(),
            of.forward(),         of.backward(), of.exact()};
  }
};

// What codes the pages; null of pages=rans.
std::shared_ptr<const ReadablePages> pages_of(const std::string& pages, const HeadChain& chain,
                                              Lattice lattice, Part part) {
  if (pages == "rans") return nullptr;
  std::vector<CoordinateShape> shapes;
  for (const std::uint8_t which : chain.classes()) {
    shapes.push_back(klt_model(lattice)->shape(which));
  }
  if (pages == "prefix") return std::make_shared<const PrefixCoder>(shapes);
  std::vector<double> deviations;
  for (const CoordinateShape& shape : shapes) deviations.push_back(shape.deviation);
  const FieldOrder order = part == Part::key ? FieldOrder::keys : FieldOrder::values;
  return std::make_shared<const FieldCoder>(lattice, order, deviations);
}

}  // namespace

void read_klt_place(const FrameView& view, CodecInput& input) {
  const ChainRecord record = read_record(view, HeadChain::kRecord);
  input.site = {record[0], record[2] == 0 ? Part::key : Part::value, record[1]};
}

std::unique_ptr<Codec> make_klt(SpecArgs& args, const CodecInput& input) {
  const double bits = args.real("bits");
  if (bits == 0.0) throw SpecError("klt: no bits given: expected klt:bits=B, such as klt:bits=3.5");
  KltChoice choice;
  choice.variant.weighted = args.word("weight") == "query";
  choice.allocate = args.word("alloc") == "kl";
  choice.variant.centred = args.word("center") == "mean";
  choice.lattice = klt_lattice(args.choice("lattice"));
  args.choice("scope");
  const bool exact = args.word("product") == "exact";
  const std::size_t page = page_key(args);
  const std::string pages(args.word("pages"));
  if (pages == "prefix" && choice.lattice != Lattice::z) {
    throw SpecError("klt: pages=prefix given with another lattice, expected lattice=z");
  }
  const std::string name = args.text("profile");
  if (input.profiles == nullptr || !input.site) {
    throw InputError("klt: expected a profile of the model and the site that the vectors are of");
  }
  const std::shared_ptr<const Profile> profile = input.profiles->find<Profile>(name);
  args.keep("profile", profile->short_digest());
  const SiteTransform& transform = profile->transform(*input.site, choice.variant);
  if (transform.mean.size() != input.dim) {
    throw InputError("klt: vectors of " + std::to_string(input.dim) +
                     " scalars given, expected the " + std::to_string(transform.mean.size()) +
                     " of the profile of " + profile->origin.model.name);
  }
  const std::vector<double> octaves = step_octaves(*profile, choice, bits);
  const int fineness = static_cast<int>(std::lround(64 * octaves[input.site->index()]));
  const ChainRecord record{static_cast<std::uint16_t>(input.site->layer),
                           static_cast<std::uint16_t>(input.site->head),
                           static_cast<std::uint16_t>(input.site->part == Part::key ? 0 : 1),
                           static_cast<std::uint16_t>(fineness)};
  HeadChain chain(transform, choice.lattice, fineness, exact);
  auto readable = pages_of(pages, chain, choice.lattice, input.site->part);
  return std::make_unique<HeadCodec>(args.canonical(), std::move(chain), choice.lattice, record,
                                     page, std::move(readable));
}

}  // namespace kakeya

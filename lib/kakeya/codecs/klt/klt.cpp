// SPDX-License-Identifier: Apache-2.0
// klt: the transform codec. Vectors in the Karhunen-Loève coordinates that calibration found for
// their site, weighted by what attention sees of an error; one step for all of them; the nearest
// point of E8, or the nearest path of a trellis; an entropy coder whose class is known for every
// coordinate.
//
//   y = (x - mean) F,  t = y / step,  z = nearest point,  decoded x = z (step B) + mean
//
// product=exact computes both products in whole numbers (exact_product.h). With adapt=N mean, F, B and
// classes are made anew now and then from what is decoded (klt_adaptive.cpp).
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
// pages=fixed: fields of fixed widths in the place of rANS (entropy/field_format.h); pages=tiles: the same in
// tiles (entropy/tile_format.h); pages=prefix: prefix codes, a string a lane (entropy/prefix_coder.h).
// budget=BYTES: pages of as many bytes each (codec/budget_pages.h).
#include "kakeya/codecs/klt/klt.h"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "kakeya/codec/budget_pages.h"
#include "kakeya/codec/spec_args.h"
#include "kakeya/codec/transform_codec.h"
#include "kakeya/codecs/klt/chain_codec.h"
#include "kakeya/codecs/klt/head_chain.h"
#include "kakeya/codecs/klt/klt_adaptive.h"
#include "kakeya/entropy/field_codes.h"

namespace kakeya {
namespace {

class HeadCodec final : public ChainCodec<HeadChain>, public TransformCodec, public SummingCodec {
 public:
  using ChainCodec::ChainCodec;

  TransformPlan transform_plan() const override {
    const HeadChain& of = chain();
    return {frames(of.largest()), of.mean(),     of.negative_mean(),
            of.forward(),         of.backward(), of.exact()};
  }

  bool sums_packed() const override { return true; }
  void add_page(const FrameView& view, std::size_t page, Rows<const float> weights,
                PackedSums& sums) const override {
    add_points(view, page, weights, sums);
  }
  void restore_sums(const PackedSums& sums, Rows<float> out) const override {
    for (std::size_t q = 0; q < sums.queries(); ++q) {
      chain().restore_sum(sums.coordinates(q), sums.weight(q), out[q]);
      const std::span<const float> kept = sums.vectors(q);
      for (std::size_t i = 0; i < dim_; ++i) out[q][i] += kept[i];
    }
  }
  PackedScores packed_scores(Rows<const float> queries) const override {
    std::vector<float> turned(queries.values()), offsets(queries.count);
    for (std::size_t q = 0; q < queries.count; ++q)
      offsets[q] = chain().turn_query(queries[q], std::span(turned).subspan(q * dim_, dim_));
    return {queries, std::move(turned), std::move(offsets)};
  }
  void score_page(const FrameView& view, std::size_t page, PackedScores& scores,
                  Rows<float> out) const override {
    score_points(view, page, scores, out);
  }
};

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
  const Learning learning = learning_of(args);
  const std::size_t page = page_key(args);
  const std::string pages(args.word("pages"));
  const auto budget = static_cast<std::size_t>(args.whole("budget"));
  if (budget != 0 && learning.prior_tokens != 0) {
    throw SpecError(
        "klt: budget given with adapt, whose pages do not decode alone, expected adapt=0");
  }
  if ((pages == "prefix" || pages == "tiles") && choice.lattice != Lattice::z) {
    throw SpecError("klt: pages=" + pages + " given with another lattice, expected lattice=z");
  }
  if (pages == "tiles" && page % kFieldBlock != 0) {
    throw SpecError("klt: pages=tiles given with page=" + std::to_string(page) +
                    ", expected a multiple of 128");
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
  const int fineness =
      static_cast<int>(std::lround(kFinenessAnOctave * octaves[input.site->index()]));
  const KvSite site = *input.site;
  const auto record_of = [site](int of) {
    return ChainRecord{
        static_cast<std::uint16_t>(site.layer), static_cast<std::uint16_t>(site.head),
        static_cast<std::uint16_t>(site.part == Part::key ? 0 : 1), static_cast<std::uint16_t>(of)};
  };
  if (learning.prior_tokens != 0) {
    const AdaptiveHeads adaptive{
        {std::shared_ptr<const SiteTransform>(profile, &transform), choice.lattice, fineness, exact,
         learning.prior_tokens, learning.scales_only},
        site.part,
        pages,
        page,
        learning.growth};
    return make_adaptive_heads(adaptive, args.canonical(),
                               HeadChain(transform, choice.lattice, fineness, exact),
                               record_of(fineness));
  }
  const auto make = [=, spec = args.canonical()](int rung) {
    const int of = fineness - kFinenessAnOctave / kRungsAnOctave * rung;
    HeadChain chain(profile->transform(site, choice.variant), choice.lattice, of, exact);
    auto readable = readable_pages(pages, chain.classes(), choice.lattice, site.part);
    return std::make_unique<HeadCodec>(spec, std::move(chain), choice.lattice, record_of(of), page,
                                       std::move(readable));
  };
  return with_budget(args.canonical(), input.dim, budget, make);
}

}  // namespace kakeya

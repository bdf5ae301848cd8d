// SPDX-License-Identifier: Apache-2.0
// klt with scope=layer: the transform codec for whole tokens. A vector is what a token has in some
// layers, their keys and values together, and a page decodes alone: all of these layers of some
// tokens. With restart=1 that is one layer, which a reader can have as soon as the model has made
// it: the hot tier of whole layers. Group of layers after group (as many together as the profile
// says), with y of each head as in klt.cpp and w what was decoded of the one or two groups before:
//
//   u = y 2^octaves        v = (u - w P) R / S,   z = nearest point of v
//   w = z S R^T + w P                            decoded x = (w 2^-octaves) B + mean
//
// P and R come from the profile, as do the octaves, which differ from layer to layer and from keys
// to values as sensitivities do. S is diagonal: one step for all, but for the shaping, which gives
// weak coordinates finer steps than strong ones. A weak coordinate at a coarse step is lost
// altogether: an error that leans towards the mean for every token, which attention cannot average
// away as it does the errors of strong coordinates (reports/transform has what it is worth). The
// encoder predicts from what it has decoded itself, so errors do not build up. Sections:
//
//   "layers"    first layer u16, layers u16, i16 n: the step is 2^(-n / 64); 0 u16
//   others      chain_codec.h
#include <algorithm>
#include <cmath>
#include <string>

#include "kakeya/codec/spec_args.h"
#include "kakeya/codecs/klt/chain_codec.h"
#include "kakeya/codecs/klt/foreword_codec.h"
#include "kakeya/codecs/klt/head_prior.h"
#include "kakeya/codecs/klt/klt.h"
#include "kakeya/codecs/klt/klt_adaptive.h"
#include "kakeya/codecs/klt/layer_chain.h"

namespace kakeya {
namespace {

class WholeLayersCodec final : public ChainCodec<LayerChain>, public LayersCodec {
 public:
  using ChainCodec::ChainCodec;

  LayersPlan layers_plan() const override {
    return {frames(), chain().head_dim(), chain().width(), chain().plans()};
  }
};

}  // namespace

void read_klt_layers_place(const FrameView& view, CodecInput& input) {
  const ChainRecord record = read_record(view, LayerChain::kRecord);
  input.layers = LayerRange{record[0], record[1]};
}

std::unique_ptr<Codec> make_klt_layers(SpecArgs& args, const CodecInput& input) {
  const double bits = args.real("bits");
  if (bits == 0.0) {
    throw SpecError("klt: no bits given: expected klt:bits=B, such as klt:bits=2,scope=layer");
  }
  KltChoice choice;
  args.choice("weight");
  args.choice("alloc");
  args.choice("center");
  choice.lattice = klt_lattice(args.choice("lattice"));
  args.choice("scope");
  const int order = args.whole("predict");
  choice.shaping = args.real("shaping");
  // Which layers a frame has is input.layers (token_codecs.h); here only the rate depends on it.
  const int restart = args.whole("restart");
  const bool heads = args.word("prior") == "heads";
  const Learning learning = learning_of(args);
  const Sending sending = sending_of(args, learning);
  const bool learns = learning.prior_tokens != 0;
  const int group = args.whole("group");
  if (group != 1 && !heads) {
    throw SpecError("group=" + std::to_string(group) +
                    ": expected prior=heads beside it; other profiles have groups of their own "
                    "(kakeya-calibrate --layer-group)");
  }
  if (heads && !learns) throw SpecError("prior=heads: expected adapt=N beside it, above 0");
  if (order > 1 && learns) {
    throw SpecError("adapt=" + std::to_string(args.whole("adapt")) + ",predict=" +
                    std::to_string(order) + ": expected predict=0 or 1 where the transform learns");
  }
  const int page = args.whole("page");
  if (page % 32 != 0) {
    throw SpecError("page=" + std::to_string(page) + ": expected a multiple of 32");
  }
  const std::string name = args.text("profile");
  if (input.profiles == nullptr || !input.layers) {
    throw InputError(
        "klt: scope=layer: expected a profile of the model and the layers that the vectors are of");
  }
  std::shared_ptr<const Profile> profile = input.profiles->find<Profile>(name);
  args.keep("profile", profile->short_digest());
  const LayerRange range = *input.layers;
  const std::size_t head_bytes = profile->reader_bytes() /
                                 static_cast<std::size_t>(profile->shape.layers) *
                                 static_cast<std::size_t>(std::max(range.count, 0));
  if (heads) {
    if (profile->shape.layers % group != 0) {
      throw SpecError("group=" + std::to_string(group) + ": expected a divisor of the " +
                      std::to_string(profile->shape.layers) + " layers of " +
                      profile->origin.model.name);
    }
    require_group(group, range, profile->layer_width());
    profile = profile_of_heads(*profile, range, restart == 0 ? Tier::cold : Tier::hot, group);
  }
  if (restart % profile->layer_group != 0) {
    throw SpecError("restart=" + std::to_string(restart) + ": expected a multiple of the " +
                    std::to_string(profile->layer_group) + " layers that the profile of " +
                    profile->origin.model.name + " transforms together");
  }
  if (range.first < 0 || range.count < 1 || range.count > profile->shape.layers - range.first) {
    throw InputError("klt: layers " + std::to_string(range.first) + " to " +
                     std::to_string(range.first + range.count - 1) + ": expected some of the " +
                     std::to_string(profile->shape.layers) + " of the profile of " +
                     profile->origin.model.name);
  }
  const int together = profile->layer_group;
  if (range.first % together != 0 || range.count % together != 0) {
    throw InputError("klt: layers " + std::to_string(range.first) + " to " +
                     std::to_string(range.first + range.count - 1) + ": expected whole groups of " +
                     std::to_string(together) + ", which the profile of " +
                     profile->origin.model.name + " transforms together");
  }
  const std::size_t dim = static_cast<std::size_t>(range.count) * profile->layer_width();
  if (dim != input.dim) {
    throw InputError("klt: vectors of " + std::to_string(input.dim) + " scalars given, expected " +
                     std::to_string(range.count) + " layers of " +
                     std::to_string(profile->layer_width()));
  }
  const double nominal = nominal_rate_of_layers(*profile, choice, order, restart, bits);
  const int fineness = static_cast<int>(std::lround(64 * nominal));
  const ChainRecord record{static_cast<std::uint16_t>(range.first),
                           static_cast<std::uint16_t>(range.count),
                           static_cast<std::uint16_t>(fineness)};
  LayerChain chain(*profile, choice, range, order, fineness);
  const auto vectors = static_cast<std::size_t>(page);
  if (!learns) {
    return std::make_unique<WholeLayersCodec>(args.canonical(), std::move(chain), choice.lattice,
                                              record, vectors);
  }
  const AdaptiveLayers adaptive{
      profile, choice, range, order, vectors, learning, heads ? head_bytes : chain.profile_bytes()};
  if (sending.most != 0) {
    return make_foreword_codec({adaptive, profile->layer_group, record, sending}, args.canonical(),
                               dim);
  }
  return make_adaptive_layers(adaptive, args.canonical(), std::move(chain), record);
}

}  // namespace kakeya

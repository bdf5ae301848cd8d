// SPDX-License-Identifier: Apache-2.0
// klt with profile=none: whole tokens, as klt_layers.cpp, of a cache of which nothing is known before. A
// frame says what its first tokens are like (first_look.h), which stands for a profile until the
// transform learns from decoded tokens (klt_adaptive.cpp). foreword_codec.h has its sections.
//
// Errors count as they are, relative to the sizes of keys and of values in each layer: nobody has seen
// what attention makes of them.
#include <cmath>
#include <optional>
#include <string>

#include "kakeya/codec/spec_args.h"
#include "kakeya/codecs/klt/foreword_codec.h"
#include "kakeya/codecs/klt/klt.h"

namespace kakeya {

std::unique_ptr<Codec> make_klt_profileless(SpecArgs& args, const CodecInput& input) {
  Foreword asked;
  AdaptiveLayers& layers = asked.layers;
  const double bits = args.real("bits");
  if (bits == 0.0)
    throw SpecError("klt: no bits given: expected klt:bits=B, such as klt:bits=4,profile=none");
  const auto fineness = static_cast<int>(std::lround(64 * (bits - kNormalEntropy)));
  layers.choice.lattice = klt_lattice(args.choice("lattice"));
  layers.order = args.whole("predict");
  layers.choice.shaping = args.real("shaping");
  layers.learning.prior_tokens = args.whole("adapt");
  layers.learning.growth = static_cast<std::size_t>(args.whole("grow"));
  asked.sending = sending_of(args, layers.learning);
  const int page = args.whole("page");
  if (page % 32 != 0)
    throw SpecError("page=" + std::to_string(page) + ": expected a multiple of 32");
  layers.page = static_cast<std::size_t>(page);
  args.choice("profile");
  args.keep("profile", "none");
  // What is not said to be of several layers counts as one.
  const LayerRange range = input.layers.value_or(LayerRange{0, 1});
  constexpr int kMostLayers = 1 << 15;
  if (range.first < 0 || range.count < 1 || range.first > kMostLayers ||
      range.count > kMostLayers) {
    throw InputError("klt: " + std::to_string(range.count) + " layers from " +
                     std::to_string(range.first) + " on: expected some of a model");
  }
  const auto count = static_cast<std::size_t>(range.count), width = input.dim / count;
  asked.group = args.whole("group");
  require_group(asked.group, range, width);
  constexpr std::size_t kMostWidth = kMostGroupWidth;
  if (width == 0 || width % 16 != 0 || width * count != input.dim || input.dim > kMaxDim ||
      width > kMostWidth ||
      width * static_cast<std::size_t>(asked.group) * input.dim > kMostMatrices) {
    throw InputError("klt: profile=none: vectors of " + std::to_string(input.dim) +
                     " scalars given, expected " + std::to_string(range.count) +
                     " layers of keys and values, each a multiple of 8 up to " +
                     std::to_string(kMostWidth / 2));
  }
  layers.layers = {0, range.count};
  asked.record = {static_cast<std::uint16_t>(range.first), static_cast<std::uint16_t>(range.count),
                  static_cast<std::uint16_t>(fineness)};
  return make_foreword_codec(asked, args.canonical(), input.dim);
}

}  // namespace kakeya

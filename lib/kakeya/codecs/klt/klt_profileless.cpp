// SPDX-License-Identifier: Apache-2.0
// klt with profile=none: whole tokens, as klt_layers.cpp, of a cache of which nothing is known before. A
// frame says what its first tokens are like (first_look.h), which stands for a profile until the
// transform learns from decoded tokens (klt_adaptive.cpp). Sections:
//
//   "look"      first_look.h: means and deviations of the coordinates, from the first 256 tokens
//   others      klt_layers.cpp
//
// Errors count as they are, relative to the sizes of keys and of values in each layer: nobody has seen
// what attention makes of them.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kakeya/codec/paged_frame.h"
#include "kakeya/codec/spec_args.h"
#include "kakeya/codec/stage_sections.h"
#include "kakeya/codecs/klt/first_look.h"
#include "kakeya/codecs/klt/klt.h"
#include "kakeya/codecs/klt/klt_adaptive.h"

namespace kakeya {
namespace {

constexpr std::size_t kSeen = 256;
constexpr std::string_view kLook = "look";

struct Asked {
  KltChoice choice;
  LayerRange layers;
  int order = 0, fineness = 0;
  std::size_t page = 0;
  Learning learning;
};

class ProfilelessCodec final : public NamedCodec, public FrameEntropy, public CodesWholeCaches {
 public:
  ProfilelessCodec(const Asked& asked, std::string spec, std::size_t dim)
      : NamedCodec(std::move(spec), dim),
        asked_(asked),
        layers_(static_cast<std::size_t>(asked.layers.count)),
        paged_{klt_model(asked.choice.lattice),
               asked.choice.lattice,
               dim_,
               asked.page,
               true,
               std::make_shared<const std::vector<std::uint8_t>>(dim_),
               dim_ / layers_} {}

  std::size_t symbols_per_vector() const override { return paged_.symbols_per_vector(); }

  std::size_t encoded_bound(std::size_t count) const override {
    return frame_overhead(spec_.size(), 6) + sizeof(ChainRecord) + look_bytes(dim_, layers_) +
           paged_.bound_with_kept(count, kept_bytes());
  }

  void check_frame(const FrameInfo& info) const override {
    paged_.check(info);
    require_items(info, LayerChain::kRecord, 1, sizeof(ChainRecord));
    require_items(info, kLook, look_bytes(dim_, layers_), 1);
  }

  std::size_t beyond_profile(const FrameInfo& info) const override {
    return kakeya::section_bytes(info, "exact") / kept_bytes();
  }

  std::size_t encode(Rows<const float> x, std::span<std::byte> out) const override {
    require_encodable(*this, x, out);
    const FirstLook look = look_of(x);
    const auto codec = codec_for(look);
    std::vector<std::byte> frame(codec->encoded_bound(x.count));
    frame.resize(codec->encode(x, frame));
    const FrameView made = parse_frame(frame);
    const std::vector<std::byte> said = to_bytes(look);
    std::vector<std::string_view> names;
    std::size_t bytes = said.size();
    for (const FrameSection& section : made.sections) {
      names.push_back(section.name);
      if (names.size() == 1) names.push_back(kLook);
      bytes += section.name == "padding" ? 0 : section.bytes.size();
    }
    FrameWriter writer(out, spec_, dim_, x.count, names);
    write_section(writer, made.sections.front().bytes);
    write_section(writer, said);
    for (const FrameSection& section : std::span(made.sections).subspan(1)) {
      if (section.name != "padding") write_section(writer, section.bytes);
    }
    writer.section(padding_bytes(x.count, dim_, bytes));
    return writer.finish();
  }

  void decode(std::span<const std::byte> in, Rows<float> out) const override {
    const Opened frame(*this, open_frame(*this, in, out));
    frame.codec->read_sections(frame.view, out);
  }

  std::optional<CountedFrame> decode_and_count(std::span<const std::byte> in,
                                               Rows<float> out) const override {
    const Opened frame(*this, open_frame(*this, in, out));
    return frame.codec->count_sections(frame.view, out);
  }

  bool reconstruct(Rows<const float> x, Rows<float> out) const override {
    require_same_shape(*this, x, out);
    return codec_for(look_of(x))->reconstruct(x, out);
  }

  std::optional<double> index_entropy_of_frame(std::span<const std::byte> in) const override {
    const Opened frame(*this, open_frame(*this, in));
    return frame.codec->entropy_of_sections(frame.view);
  }

 protected:
  std::optional<double> index_entropy_bits(Rows<const float> x) const override {
    return codec_for(look_of(x))->index_entropy_bits(x);
  }

 private:
  // The sections of a frame but for what it says of the first tokens, and the codec that reads them.
  struct Opened {
    Opened(const ProfilelessCodec& of, FrameView opened) : view(std::move(opened)) {
      codec = of.codec_for(look_from(view.section(1, kLook), of.dim_, of.layers_, of.spec_));
      view.sections.erase(view.sections.begin() + 1);
    }
    FrameView view;
    std::unique_ptr<LearningCodec> codec;
  };

  std::size_t kept_bytes() const { return exact_bytes(dim_, KeptAs::bfloat16); }

  FirstLook look_of(Rows<const float> x) const {
    for (std::size_t row = 0; row < x.count; ++row) finite_maximum(x[row], row);
    return look_at(x.slice(0, std::min(kSeen, x.count)), layers_);
  }

  std::unique_ptr<LearningCodec> codec_for(const FirstLook& look) const {
    const std::shared_ptr<const Profile> profile = profile_of(look, asked_.order);
    const LayerRange range{0, asked_.layers.count};
    const ChainRecord record{static_cast<std::uint16_t>(asked_.layers.first),
                             static_cast<std::uint16_t>(asked_.layers.count),
                             static_cast<std::uint16_t>(asked_.fineness)};
    const AdaptiveLayers learning{profile,      asked_.choice, range,
                                  asked_.order, asked_.page,   asked_.learning};
    return make_adaptive_layers(
        learning, spec_, LayerChain(*profile, asked_.choice, range, asked_.order, asked_.fineness),
        record);
  }

  Asked asked_;
  std::size_t layers_;
  PagedFormat paged_;  // but for its classes, which are those of a frame
};

}  // namespace

std::unique_ptr<Codec> make_klt_profileless(SpecArgs& args, const CodecInput& input) {
  Asked asked;
  const double bits = args.real("bits");
  if (bits == 0.0)
    throw SpecError("klt: no bits given: expected klt:bits=B, such as klt:bits=4,profile=none");
  asked.fineness = static_cast<int>(std::lround(64 * (bits - kNormalEntropy)));
  asked.choice.lattice = klt_lattice(args.choice("lattice"));
  asked.order = args.whole("predict");
  asked.choice.shaping = args.real("shaping");
  asked.learning.prior_tokens = args.whole("adapt");
  asked.learning.growth = static_cast<std::size_t>(args.whole("grow"));
  const int page = args.whole("page");
  if (page % 32 != 0)
    throw SpecError("page=" + std::to_string(page) + ": expected a multiple of 32");
  asked.page = static_cast<std::size_t>(page);
  args.choice("profile");
  args.keep("profile", "none");
  // What is not said to be of several layers counts as one.
  asked.layers = input.layers.value_or(LayerRange{0, 1});
  const LayerRange& range = asked.layers;
  constexpr int kMostLayers = 1 << 15;
  if (range.first < 0 || range.count < 1 || range.first > kMostLayers ||
      range.count > kMostLayers) {
    throw InputError("klt: " + std::to_string(range.count) + " layers from " +
                     std::to_string(range.first) + " on: expected some of a model");
  }
  const auto count = static_cast<std::size_t>(range.count), width = input.dim / count;
  // Its matrices are [width, width]: a small frame must not ask for much memory.
  constexpr std::size_t kMostWidth = 4096, kMostMatrices = std::size_t{1} << 29;
  if (width == 0 || width % 16 != 0 || width * count != input.dim || input.dim > kMaxDim ||
      width > kMostWidth || width * input.dim > kMostMatrices) {
    throw InputError("klt: profile=none: vectors of " + std::to_string(input.dim) +
                     " scalars given, expected " + std::to_string(range.count) +
                     " layers of keys and values, each a multiple of 8 up to " +
                     std::to_string(kMostWidth / 2));
  }
  return std::make_unique<ProfilelessCodec>(asked, args.canonical(), input.dim);
}

}  // namespace kakeya

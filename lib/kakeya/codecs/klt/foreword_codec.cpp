// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codecs/klt/foreword_codec.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "kakeya/codec/paged_frame.h"
#include "kakeya/codec/stage_sections.h"
#include "kakeya/codecs/klt/first_look.h"
#include "kakeya/codecs/klt/seed_search.h"

namespace kakeya {
namespace {

constexpr std::size_t kSeen = 256;  // tokens of a first look
constexpr std::string_view kLook = "look", kSeeds = "seeds";
constexpr std::size_t kTried[] = {8, 32, 128, kMostSeeds};

// A frame of the codec of its points, and what it was told besides.
struct Coded {
  std::shared_ptr<const ChainSeeds> seeds;
  std::vector<std::byte> frame;
  std::vector<double> bits;  // of the points of each group
};

class ForewordCodec final : public NamedCodec,
                            public FrameEntropy,
                            public HasSegments,
                            public CodesWholeCaches {
 public:
  ForewordCodec(const Foreword& foreword, std::string spec, std::size_t dim)
      : NamedCodec(std::move(spec), dim),
        told_(foreword),
        layers_(static_cast<std::size_t>(told_.layers.layers.count)),
        groups_(layers_ / static_cast<std::size_t>(told_.group)),
        paged_{klt_model(told_.layers.choice.lattice),
               told_.layers.choice.lattice,
               dim_,
               told_.layers.page,
               true,
               std::make_shared<const std::vector<std::uint8_t>>(dim_),
               width()} {}

  std::size_t symbols_per_vector() const override { return paged_.symbols_per_vector(); }
  std::size_t profile_bytes() const override { return told_.layers.profile_bytes; }

  std::size_t encoded_bound(std::size_t count) const override {
    const std::size_t seeds =
        sends() ? 2 * groups_ +
                      (count < kLeastSeeded ? 0 : groups_ * seed_bytes(told_.sending.most, width()))
                : 0;
    return frame_overhead(spec_.size(), 7) + sizeof(ChainRecord) +
           (told_.looks() ? look_bytes(dim_, layers_) : 0) + seeds +
           paged_.bound_with_kept(count, kept_bytes());
  }

  void check_frame(const FrameInfo& info) const override {
    paged_.check(info);
    require_items(info, LayerChain::kRecord, 1, sizeof(ChainRecord));
    if (told_.looks()) require_items(info, kLook, look_bytes(dim_, layers_), 1);
  }

  std::size_t beyond_profile(const FrameInfo& info) const override {
    return kakeya::section_bytes(info, "exact") / kept_bytes();
  }

  std::size_t encode(Rows<const float> x, std::span<std::byte> out) const override {
    require_encodable(*this, x, out);
    const std::optional<FirstLook> look = look_of(x);
    const Coded coded = best(x, layers_of(look, x.count));
    std::vector<std::pair<std::string_view, std::vector<std::byte>>> said;
    if (look) said.emplace_back(kLook, to_bytes(*look));
    if (sends()) said.emplace_back(kSeeds, to_bytes(*coded.seeds));
    const FrameView made = parse_frame(coded.frame);
    std::vector<std::string_view> names;
    std::size_t bytes = 0;
    for (const FrameSection& section : made.sections) {
      names.push_back(section.name);
      for (const auto& each : said) {
        if (section.name == LayerChain::kRecord) names.push_back(each.first);
      }
      bytes += section.name == "padding" ? 0 : section.bytes.size();
    }
    for (const auto& each : said) bytes += each.second.size();
    FrameWriter writer(out, spec_, dim_, x.count, names);
    write_section(writer, made.sections.front().bytes);
    for (const auto& each : said) write_section(writer, each.second);
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

  std::unique_ptr<SegmentReader> segments(std::span<const std::byte> in) const override {
    const auto frame = std::make_shared<const Opened>(*this, open_frame(*this, in));
    return frame->codec->segments_of(frame->view, frame);
  }

  std::optional<CountedFrame> decode_and_count(std::span<const std::byte> in,
                                               Rows<float> out) const override {
    const Opened frame(*this, open_frame(*this, in, out));
    return frame.codec->count_sections(frame.view, out);
  }

  bool reconstruct(Rows<const float> x, Rows<float> out) const override {
    require_same_shape(*this, x, out);
    return codec_for(x)->reconstruct(x, out);
  }

  std::optional<double> index_entropy_of_frame(std::span<const std::byte> in) const override {
    const Opened frame(*this, open_frame(*this, in));
    return frame.codec->entropy_of_sections(frame.view);
  }

 protected:
  std::optional<double> index_entropy_bits(Rows<const float> x) const override {
    return codec_for(x)->index_entropy_bits(x);
  }

 private:
  // The sections of a frame but for what it says before its pages, and the codec that reads them.
  struct Opened {
    Opened(const ForewordCodec& of, FrameView opened) : view(std::move(opened)) {
      const auto take = [&](std::string_view name) {
        const auto bytes = view.section(1, name);
        view.sections.erase(view.sections.begin() + 1);
        return bytes;
      };
      std::optional<FirstLook> look;
      if (of.told_.looks()) look = look_from(take(kLook), of.dim_, of.layers_, of.spec_);
      ChainSeeds seeds;
      if (of.sends()) {
        seeds = seeds_from(take(kSeeds), of.groups_, of.width(), view.count, of.spec_);
      }
      // Without a look one prior is for all frames; with one it is made where it is needed.
      AdaptiveLayers layers =
          of.layers_for(look, !seeds.nothing() || (!look && view.count > kSeen));
      layers.seeds = std::make_shared<const ChainSeeds>(std::move(seeds));
      codec = of.codec_of(layers);
    }
    FrameView view;
    std::unique_ptr<LearningCodec> codec;
  };

  bool sends() const { return told_.sending.most != 0; }
  std::size_t width() const { return dim_ / groups_; }
  std::size_t kept_bytes() const { return exact_bytes(dim_, KeptAs::bfloat16); }

  int fineness() const { return static_cast<std::int16_t>(told_.record[2]); }

  std::optional<FirstLook> look_of(Rows<const float> x) const {
    if (!told_.looks()) return std::nullopt;
    for (std::size_t row = 0; row < x.count; ++row) finite_maximum(x[row], row);
    return look_at(x.slice(0, std::min(kSeen, x.count)), layers_);
  }

  // With the prior, where the codecs of a frame are to share it: one for all frames of a profile.
  AdaptiveLayers layers_for(const std::optional<FirstLook>& look, bool with_prior) const {
    AdaptiveLayers layers = told_.layers;
    if (look) layers.profile = profile_of(*look, layers.order, told_.group);
    const auto made = [&] {
      return make_chain_prior(*layers.profile, layers.choice, layers.layers, layers.order,
                              fineness());
    };
    if (with_prior && !look) std::call_once(prior_made_, [&] { prior_ = made(); });
    if (with_prior) layers.prior = look ? made() : prior_;
    return layers;
  }

  AdaptiveLayers layers_of(const std::optional<FirstLook>& look, std::size_t tokens) const {
    return layers_for(look, sends() && tokens >= kLeastSeeded);
  }

  LayerChain chain_of(const AdaptiveLayers& layers) const {
    return {*layers.profile, layers.choice, layers.layers, layers.order, fineness()};
  }

  std::unique_ptr<LearningCodec> codec_of(const AdaptiveLayers& layers) const {
    return make_adaptive_layers(layers, spec_, chain_of(layers), told_.record);
  }

  // Which writes what encode() of `x` does.
  std::unique_ptr<LearningCodec> codec_for(Rows<const float> x) const {
    AdaptiveLayers layers = layers_of(look_of(x), x.count);
    if (sends()) layers.seeds = best(x, layers).seeds;
    return codec_of(layers);
  }

  Coded coded(Rows<const float> x, AdaptiveLayers layers, ChainSeeds seeds) const {
    Coded made{
        std::make_shared<const ChainSeeds>(std::move(seeds)), {}, std::vector<double>(groups_)};
    layers.seeds = made.seeds;
    const auto codec = codec_of(layers);
    made.frame.resize(codec->encoded_bound(x.count));
    made.frame.resize(codec->encode_and_count(
        x, made.frame, told_.sending.choose ? std::span(made.bits) : std::span<double>()));
    return made;
  }

  Coded best(Rows<const float> x, const AdaptiveLayers& layers) const {
    const ChainSeeds none{std::vector<ChainSeeds::Group>(groups_)};
    if (!sends() || x.count < kLeastSeeded) return coded(x, layers, none);
    for (std::size_t row = 0; row < x.count; ++row) finite_maximum(x[row], row);
    std::size_t most = told_.sending.most;
    while (told_.sending.choose && 16 * most > x.count) most /= 4;
    ChainSeeds all =
        find_seeds(x, chain_of(layers), *layers.prior, layers.learning.prior_tokens, most);
    if (!told_.sending.choose) return coded(x, layers, std::move(all));
    if (all.nothing()) return coded(x, layers, none);
    Coded least = coded(x, layers, none);
    std::vector<double> bits = least.bits;
    std::vector<std::size_t> counts(groups_);
    for (const std::size_t tried : kTried) {
      if (tried > most) break;
      const std::vector<std::size_t> alike(groups_, tried);
      Coded with = coded(x, layers, all.first(alike));
      for (std::size_t g = 0; g < groups_; ++g) {
        const std::size_t sent = seed_bytes(with.seeds->groups[g].directions(), width());
        const double taken = with.bits[g] + 8.0 * static_cast<double>(sent);
        if (taken >= bits[g]) continue;
        bits[g] = taken;
        counts[g] = tried;
      }
      if (bytes_of(with) < bytes_of(least)) least = std::move(with);
    }
    Coded mixed = coded(x, layers, all.first(counts));
    return bytes_of(mixed) < bytes_of(least) ? mixed : least;
  }

  static std::size_t bytes_of(const Coded& coded) {
    return coded.frame.size() + to_bytes(*coded.seeds).size();
  }

  Foreword told_;
  std::size_t layers_, groups_;
  PagedFormat paged_;  // but for its classes, which are those of a frame
  mutable std::once_flag prior_made_;
  mutable std::shared_ptr<const ChainPrior> prior_;
};

}  // namespace

std::unique_ptr<Codec> make_foreword_codec(const Foreword& foreword, std::string spec,
                                           std::size_t dim) {
  return std::make_unique<ForewordCodec>(foreword, std::move(spec), dim);
}

}  // namespace kakeya

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
//   "pages", "streams", "padding"   paged_points.h
//   "exact"     exact_vectors.h, as bfloat16: tokens so far from the profile that their points
//               would be beyond 2^20 steps or could take more bits than they do here; the pages
//               hold the others
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <string>

#include "kakeya/codec/exact_vectors.h"
#include "kakeya/codec/paged_frame.h"
#include "kakeya/codec/paged_points.h"
#include "kakeya/codec/spec_args.h"
#include "kakeya/codec/stage_sections.h"
#include "kakeya/codec/vectors.h"
#include "kakeya/codecs/klt/klt.h"
#include "kakeya/codecs/klt/klt_plan.h"
#include "kakeya/codecs/klt/layer_chain.h"
#include "kakeya/core/error.h"
#include "kakeya/simd/tile.h"

namespace kakeya {
namespace {

constexpr std::size_t kRecordBytes = 8;
constexpr float kLargestPoint = 0x1p20f;  // beyond it a token is kept beside the code

std::array<std::byte, kRecordBytes> to_bytes(LayerRange layers, int fineness) {
  std::array<std::byte, kRecordBytes> bytes{};
  const auto first = static_cast<std::uint16_t>(layers.first);
  const auto count = static_cast<std::uint16_t>(layers.count);
  const auto n = static_cast<std::int16_t>(fineness);
  std::memcpy(bytes.data(), &first, 2);
  std::memcpy(bytes.data() + 2, &count, 2);
  std::memcpy(bytes.data() + 4, &n, 2);
  return bytes;
}

class KltLayers final : public AccountedCodec {
 public:
  KltLayers(std::string spec, const Profile& profile, const KltChoice& choice, LayerRange layers,
            int order, int fineness, std::size_t page)
      : spec_(std::move(spec)),
        lattice_(choice.lattice),
        record_(to_bytes(layers, fineness)),
        chain_(profile, choice, layers, order, fineness),
        paged_{klt_model(choice.lattice),
               choice.lattice,
               chain_.dim(),
               page,
               true,
               std::make_shared<const std::vector<std::uint8_t>>(chain_.classes()),
               chain_.width()} {}

  std::string spec() const override { return spec_; }
  std::size_t dim() const override { return chain_.dim(); }
  Rates rates() const override { return {}; }
  std::size_t symbols_per_vector() const override { return paged_.symbols_per_vector(); }
  std::size_t page_vectors() const override { return paged_.page; }
  std::size_t profile_bytes() const override { return chain_.profile_bytes(); }

  std::size_t encoded_bound(std::size_t count) const override {
    return frame_overhead(spec_.size(), std::size(kSections)) + kRecordBytes +
           paged_.bound_with_kept(count, kept_bytes());
  }

  std::size_t encode(Rows<const float> x, std::span<std::byte> out) const override {
    return encode_pages(*this, x, out);
  }

  CodedPages code_pages(Rows<const float> x, PageHistory& history) const override {
    if (!history.points) history.points = std::make_shared<PointCoder>(paged_.known_coder());
    PagedWriter pages(paged_, x.count, history.points);
    std::vector<std::byte> exact;
    for_each_batch(x, *history.points,
                   [&](const TokenTiles& tiles, Rows<const float> tokens, std::size_t first,
                       const bool* kept) {
                     for (std::size_t r = 0; r < tokens.count; r += kTileRows) {
                       pages.add(tiles.points[r / kTileRows].data(), first + r, kept + r);
                     }
                     for (std::size_t r = 0; r < tokens.count; ++r) {
                       if (!kept[r]) continue;
                       append_exact(exact, history.vectors + first + r, tokens[r], kKeptAs);
                     }
                   });
    PartList parts(history, x.count, kSections);
    parts.add_once(record_);
    parts.add(pages.pages());
    parts.add(pages.streams());
    parts.add(std::move(exact));
    return parts.take();
  }

  void decode(std::span<const std::byte> in, Rows<float> out) const override {
    const FrameView view = open_frame(*this, in, out);
    Reader reader(*this, view);
    for_each_page(paged_, out,
                  [&](std::size_t page, Rows<float> rows) { reader.read(page, rows); });
  }

  void read_page(const FrameView& view, std::size_t page, Rows<float> out) const override {
    Reader(*this, view).read(page, out);
  }

  bool reconstruct(Rows<const float> x, Rows<float> out) const override {
    require_same_shape(*this, x, out);
    for_each_batch(
        x, paged_.known_coder(),
        [&](TokenTiles& tiles, Rows<const float> tokens, std::size_t first, const bool* kept) {
          const Rows<float> rows = out.slice(first, tokens.count);
          chain_.decode(tiles, rows);
          for (std::size_t r = 0; r < tokens.count; ++r) {
            if (kept[r]) round_to_bfloat16(tokens[r], rows[r]);
          }
        });
    return true;
  }

  void check_frame(const FrameInfo& info) const override {
    paged_.check(info);
    require_items(info, "layers", 1, kRecordBytes);
  }

  std::size_t beyond_profile(const FrameInfo& info) const override {
    return section_bytes(info, "exact") / kept_bytes();
  }

  std::optional<double> index_entropy_bits_per_value(Rows<const float> x) const override {
    if (x.dim != dim()) throw InputError(spec_ + ": vectors of another dim");
    if (x.count == 0) return std::nullopt;
    TileEntropy entropy(lattice_, dim());
    for_each_batch(
        x, paged_.known_coder(),
        [&](const TokenTiles& tiles, Rows<const float> tokens, std::size_t, const bool* kept) {
          for (std::size_t r = 0; r < tokens.count; r += kTileRows) {
            entropy.add(tiles.points[r / kTileRows].data(), std::min(kTileRows, tokens.count - r),
                        kept + r);
          }
        });
    return entropy.total_bits() / static_cast<double>(x.values());
  }

 private:
  static constexpr std::string_view kSections[] = {"layers", "pages", "streams", "exact",
                                                   "padding"};
  static constexpr KeptAs kKeptAs = KeptAs::bfloat16;

  std::size_t kept_bytes() const { return exact_bytes(dim(), kKeptAs); }

  // Calls work(tiles, tokens, first, kept) with the points of all of `x`, which `coder` may code,
  // some tokens at a time, which begin at vector `first`; kept[r]: token r of them is kept beside
  // the code. Throws InputError on NaN or infinity.
  template <typename Work>
  void for_each_batch(Rows<const float> x, const PointCoder& coder, const Work& work) const {
    constexpr std::size_t kMost = TokenTiles::kMostTokens;
    DearVectors dear_vectors(coder, 8 * kept_bytes());
    TokenTiles tiles(chain_, x.count);
    for (std::size_t first = 0; first < x.count; first += kMost) {
      const Rows<const float> tokens = x.slice(first, std::min(kMost, x.count - first));
      for (std::size_t r = 0; r < tokens.count; ++r) finite_maximum(tokens[r], first + r);
      float largest[kMost];
      chain_.encode(tokens, tiles, largest);
      bool kept[kMost] = {};
      for (std::size_t r = 0; r < kMost && r / kTileRows * kTileRows < tokens.count; ++r) {
        kept[r] = r < tokens.count && !(largest[r] <= kLargestPoint);
        if (!kept[r] && r < tokens.count) continue;
        float* points = tiles.points[r / kTileRows].data() + r % kTileRows;
        for (std::size_t i = 0; i < dim(); ++i) points[i * kTileRows] = 0.0f;
      }
      for (std::size_t at = 0; at < tokens.count; at += kTileRows) {
        const std::size_t count = std::min(kTileRows, tokens.count - at);
        bool dear[kTileRows];
        dear_vectors.find(tiles.points[at / kTileRows].data(), count, dear);
        for (std::size_t r = 0; r < count; ++r) kept[at + r] = kept[at + r] || dear[r];
      }
      work(tiles, tokens, first, kept);
    }
  }

  // The pages of one frame.
  class Reader {
   public:
    Reader(const KltLayers& codec, const FrameView& view)
        : codec_(codec),
          first_(view.first),
          exact_(section_of(view, "exact")),
          pages_(codec.paged_, view.count, {}, section_of(view, "pages"),
                 section_of(view, "streams")),
          tiles_(codec.chain_, std::min(view.count, codec.paged_.page)) {
      require_sections(view, kSections);
      const auto record = section_of(view, "layers");
      if (!std::equal(record.begin(), record.end(), codec.record_.begin(), codec.record_.end())) {
        throw CorruptStream(codec.spec_ + ": a frame of other layers or another step");
      }
      require_zeros(section_of(view, "padding"), codec.spec_);
      check_exact(exact_, codec.dim(), first_ + view.count, codec.spec_, kKeptAs);
    }

    void read(std::size_t page, Rows<float> out) {
      const std::size_t start = page * codec_.paged_.page;
      pages_.load(page, exact_places(exact_, codec_.dim(), first_ + start, out.count, kKeptAs));
      constexpr std::size_t kMost = TokenTiles::kMostTokens;
      for (std::size_t at = 0; at < out.count; at += kMost) {
        const Rows<float> tokens = out.slice(at, std::min(kMost, out.count - at));
        for (std::size_t r = 0; r < tokens.count; r += kTileRows) {
          pages_.tile(start + at + r, tiles_.points[r / kTileRows].data());
        }
        codec_.chain_.decode(tiles_, tokens);
      }
      // Points that no encoder wrote may add up to anything over many predicted layers.
      for (std::size_t row = 0; row < out.count; ++row) {
        if (largest_magnitude(out[row]) < 0x7f800000u) continue;
        throw CorruptStream(codec_.spec_ + ": vector " + std::to_string(first_ + start + row) +
                            ": not finite");
      }
      restore_exact(exact_, first_ + start, out, kKeptAs);
    }

   private:
    const KltLayers& codec_;
    std::size_t first_;  // number of the first vector
    std::span<const std::byte> exact_;
    PagedReader pages_;
    TokenTiles tiles_;
  };

  std::string spec_;
  Lattice lattice_;
  std::array<std::byte, kRecordBytes> record_;
  LayerChain chain_;
  PagedFormat paged_;
};

}  // namespace

void read_klt_layers_place(const FrameView& view, CodecInput& input) {
  const auto section = section_of(view, "layers");
  if (section.size() < 4) {
    throw CorruptStream(view.spec + ": section layers: " + std::to_string(section.size()) +
                        " bytes, expected " + std::to_string(kRecordBytes));
  }
  std::uint16_t first, count;
  std::memcpy(&first, section.data(), 2);
  std::memcpy(&count, section.data() + 2, 2);
  input.layers = LayerRange{first, count};
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
  const int page = args.whole("page");
  if (page % 32 != 0) {
    throw SpecError("page=" + std::to_string(page) + ": expected a multiple of 32");
  }
  const std::string name = args.text("profile");
  if (input.profiles == nullptr || !input.layers) {
    throw InputError(
        "klt: scope=layer: expected a profile of the model and the layers that the vectors are of");
  }
  const std::shared_ptr<const Profile> profile = input.profiles->find<Profile>(name);
  args.keep("profile", profile->short_digest());
  const LayerRange range = *input.layers;
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
  return std::make_unique<KltLayers>(args.canonical(), *profile, choice, range, order, fineness,
                                     static_cast<std::size_t>(page));
}

}  // namespace kakeya

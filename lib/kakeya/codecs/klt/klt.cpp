// SPDX-License-Identifier: Apache-2.0
// klt: the transform codec. Vectors in the Karhunen-Loève coordinates that calibration found for
// their site, weighted by what attention sees of an error; one step for all of them; the nearest
// point of E8, or the nearest path of a trellis; an entropy coder whose class is known for every
// coordinate.
//
//   y = (x - mean) F,  t = y / step,  z = nearest point,  decoded x = z (step B) + mean
//
// F, its inverse B, the mean and the classes come from the profile, the step from the rate
// (klt_plan.h): no scale, maximum or other side information is stored of a vector, and none depends
// on another, so pages decode alone and tokens can be appended. Decoded points are not shrunk
// towards the mean, although weak coordinates would then have a smaller squared error: attention
// averages errors that lean nowhere, but not a lean. Sections:
//
//   "site"      layer u16, KV head u16, part u8 (0 keys, 1 values), 0 u8, i16 n: the step is
//               2^(-n / 64) units, and the profile's classes are n / 16 quarter octaves up
//   "pages", "streams", "padding"   paged_points.h
//   "exact"     exact_vectors.h, as bfloat16: vectors so far from the profile that their points
//               would be beyond 2^20 steps or could take more bits than they do here; the pages
//               hold the others
#include "kakeya/codecs/klt/klt.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "kakeya/codec/exact_vectors.h"
#include "kakeya/codec/paged_frame.h"
#include "kakeya/codec/paged_points.h"
#include "kakeya/codec/spec_args.h"
#include "kakeya/codec/stage_sections.h"
#include "kakeya/codec/stages.h"
#include "kakeya/codec/vectors.h"
#include "kakeya/codecs/klt/klt_plan.h"
#include "kakeya/core/error.h"
#include "kakeya/simd/tile.h"

namespace kakeya {
namespace {

constexpr std::size_t kSiteBytes = 8;
constexpr float kLargestPoint = 0x1p20f;  // beyond it a vector is kept beside the code

// What a frame says of the site and the step.
struct SiteRecord {
  KvSite site;
  int fineness = 0;  // n
};

std::array<std::byte, kSiteBytes> to_bytes(const SiteRecord& record) {
  std::array<std::byte, kSiteBytes> bytes{};
  const auto layer = static_cast<std::uint16_t>(record.site.layer);
  const auto head = static_cast<std::uint16_t>(record.site.head);
  const auto fineness = static_cast<std::int16_t>(record.fineness);
  std::memcpy(bytes.data(), &layer, 2);
  std::memcpy(bytes.data() + 2, &head, 2);
  bytes[4] = std::byte{static_cast<unsigned char>(record.site.part == Part::key ? 0 : 1)};
  std::memcpy(bytes.data() + 6, &fineness, 2);
  return bytes;
}

SiteRecord from_bytes(std::span<const std::byte> bytes) {
  std::uint16_t layer, head;
  std::int16_t fineness;
  std::memcpy(&layer, bytes.data(), 2);
  std::memcpy(&head, bytes.data() + 2, 2);
  std::memcpy(&fineness, bytes.data() + 6, 2);
  return {{layer, bytes[4] == std::byte{0} ? Part::key : Part::value, head}, fineness};
}

class Klt final : public AccountedCodec {
 public:
  Klt(std::string spec, const SiteTransform& transform, const KltChoice& choice,
      const SiteRecord& record, std::size_t page)
      : spec_(std::move(spec)),
        dim_(transform.mean.size()),
        lattice_(choice.lattice),
        record_(to_bytes(record)),
        mean_(transform.mean),
        forward_(transform.forward),
        backward_(transform.backward),
        matrix_bytes_(transform.matrix_bytes()),
        paged_{klt_model(choice.lattice), choice.lattice, dim_, page, true} {
    for (const float value : mean_) negative_.push_back(-value);
    const float step = step_of_fineness(record.fineness), inverse = 1.0f / step;
    for (float& value : forward_) value *= inverse;
    for (float& value : backward_) value *= step;
    std::vector<std::uint8_t> classes;
    for (const std::uint8_t which : transform.classes) {
      classes.push_back(klt_class(which, quarters_of_fineness(record.fineness)));
    }
    paged_.known_classes = std::make_shared<const std::vector<std::uint8_t>>(std::move(classes));
  }

  std::string spec() const override { return spec_; }
  std::size_t dim() const override { return dim_; }
  Rates rates() const override { return {}; }
  std::size_t symbols_per_vector() const override { return paged_.symbols_per_vector(); }
  std::size_t page_vectors() const override { return paged_.page; }
  /// Mean in float32, one matrix as it is stored, classes, and the step.
  std::size_t profile_bytes() const override { return 4 * dim_ + matrix_bytes_ + dim_ + 2; }

  std::size_t encoded_bound(std::size_t count) const override {
    return frame_overhead(spec_.size(), std::size(kSections)) + kSiteBytes +
           paged_.bound_with_kept(count, kept_bytes());
  }

  std::size_t encode(Rows<const float> x, std::span<std::byte> out) const override {
    return encode_pages(*this, x, out);
  }

  CodedPages code_pages(Rows<const float> x, PageHistory& history) const override {
    if (!history.points) history.points = std::make_shared<PointCoder>(paged_.known_coder());
    PagedWriter pages(paged_, x.count, history.points);
    std::vector<std::byte> exact;
    for_each_tile(x, *history.points, [&](const Tile& tile) {
      pages.add(tile.points.data(), tile.first, tile.kept);
      for (std::size_t r = 0; r < tile.count; ++r) {
        const std::size_t vector = tile.first + r;
        if (tile.kept[r]) append_exact(exact, history.vectors + vector, x[vector], kKeptAs);
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
    for_each_tile(x, paged_.known_coder(), [&](Tile& tile) {
      const Rows<float> rows = out.slice(tile.first, tile.count);
      put_back(tile, rows);
      for (std::size_t r = 0; r < tile.count; ++r) {
        if (tile.kept[r]) round_to_bfloat16(x[tile.first + r], rows[r]);
      }
    });
    return true;
  }

  void check_frame(const FrameInfo& info) const override {
    paged_.check(info);
    require_items(info, "site", 1, kSiteBytes);
  }

  std::size_t beyond_profile(const FrameInfo& info) const override {
    return section_bytes(info, "exact") / kept_bytes();
  }

  std::optional<double> index_entropy_bits_per_value(Rows<const float> x) const override {
    if (x.dim != dim_) throw InputError(spec_ + ": vectors of another dim");
    if (x.count == 0) return std::nullopt;
    TileEntropy entropy(lattice_, dim_);
    for_each_tile(x, paged_.known_coder(), [&](const Tile& tile) {
      entropy.add(tile.points.data(), tile.count, tile.kept);
    });
    return entropy.total_bits() / static_cast<double>(x.values());
  }

 private:
  static constexpr std::string_view kSections[] = {"site", "pages", "streams", "exact", "padding"};
  static constexpr KeptAs kKeptAs = KeptAs::bfloat16;

  std::size_t kept_bytes() const { return exact_bytes(dim_, kKeptAs); }

  struct Tile {
    explicit Tile(std::size_t dim) : points(dim), other(dim) {}
    TileBuffer points, other;  // the second one holds what is multiplied
    std::size_t first = 0, count = 0;
    bool kept[kTileRows] = {};
  };

  // Calls work(tile) with the points of every tile of `x`, which `coder` may code. Throws
  // InputError on NaN or infinity.
  template <typename Work>
  void for_each_tile(Rows<const float> x, const PointCoder& coder, const Work& work) const {
    DearVectors dear_vectors(coder, 8 * kept_bytes());
    Tile tile(dim_);
    for (tile.first = 0; tile.first < x.count; tile.first += kTileRows) {
      tile.count = std::min(kTileRows, x.count - tile.first);
      const Rows<const float> rows = x.slice(tile.first, tile.count);
      std::uint32_t magnitude[kTileRows];
      load_tile(rows, tile.other.data(), magnitude);
      for (std::size_t r = 0; r < tile.count; ++r) {
        if (magnitude[r] >= 0x7f800000u) finite_maximum(rows[r], tile.first + r);
      }
      shift_coordinates(tile.other.data(), dim_, negative_.data());
      multiply_tile(tile.other.data(), dim_, forward_.data(), tile.points.data());
      float largest[kTileRows];
      measure_tile(tile.points.data(), dim_, nullptr, largest);
      float factor[kTileRows];
      for (std::size_t r = 0; r < kTileRows; ++r) {
        tile.kept[r] = r < tile.count && !(largest[r] <= kLargestPoint);
        factor[r] = tile.kept[r] || r >= tile.count ? 0.0f : 1.0f;
        if (tile.kept[r]) clear(tile.points.data(), r);
      }
      quantise_tile(lattice_, tile.points.data(), dim_, factor, 0.0f);
      bool dear[kTileRows];
      dear_vectors.find(tile.points.data(), tile.count, dear);
      for (std::size_t r = 0; r < tile.count; ++r) tile.kept[r] = tile.kept[r] || dear[r];
      work(tile);
    }
  }

  // A vector beyond every point may hold what no factor turns to zero.
  void clear(float* points, std::size_t row) const {
    for (std::size_t i = 0; i < dim_; ++i) points[i * kTileRows + row] = 0.0f;
  }

  void put_back(Tile& tile, Rows<float> out) const {
    multiply_tile(tile.points.data(), dim_, backward_.data(), tile.other.data());
    shift_coordinates(tile.other.data(), dim_, mean_.data());
    store_tile(tile.other.data(), out);
  }

  // The pages of one frame.
  class Reader {
   public:
    Reader(const Klt& codec, const FrameView& view)
        : codec_(codec),
          first_(view.first),
          exact_(section_of(view, "exact")),
          pages_(codec.paged_, view.count, {}, section_of(view, "pages"),
                 section_of(view, "streams")),
          tile_(codec.dim_) {
      require_sections(view, kSections);
      const auto site = section_of(view, "site");
      if (!std::equal(site.begin(), site.end(), codec.record_.begin(), codec.record_.end())) {
        throw CorruptStream(codec.spec_ + ": a frame of another site or step");
      }
      require_zeros(section_of(view, "padding"), codec.spec_);
      check_exact(exact_, codec.dim_, first_ + view.count, codec.spec_, kKeptAs);
    }

    void read(std::size_t page, Rows<float> out) {
      const std::size_t start = page * codec_.paged_.page;
      pages_.load(page, exact_places(exact_, codec_.dim_, first_ + start, out.count, kKeptAs));
      for (std::size_t at = 0; at < out.count; at += kTileRows) {
        tile_.count = std::min(kTileRows, out.count - at);
        pages_.tile(start + at, tile_.points.data());
        codec_.put_back(tile_, out.slice(at, tile_.count));
      }
      restore_exact(exact_, first_ + start, out, kKeptAs);
    }

   private:
    const Klt& codec_;
    std::size_t first_;  // number of the first vector
    std::span<const std::byte> exact_;
    PagedReader pages_;
    Tile tile_;
  };

  std::string spec_;
  std::size_t dim_;
  Lattice lattice_;
  std::array<std::byte, kSiteBytes> record_;
  std::vector<float> mean_, negative_, forward_, backward_;
  std::size_t matrix_bytes_;
  PagedFormat paged_;
};

}  // namespace

void read_klt_place(const FrameView& view, CodecInput& input) {
  const auto section = section_of(view, "site");
  if (section.size() != kSiteBytes) {
    throw CorruptStream(view.spec + ": section site: " + std::to_string(section.size()) +
                        " bytes, expected " + std::to_string(kSiteBytes));
  }
  input.site = from_bytes(section).site;
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
  const std::size_t page = page_key(args);
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
  const double here = octaves[input.site->index()];
  const SiteRecord record{*input.site, static_cast<int>(std::lround(64 * here))};
  return std::make_unique<Klt>(args.canonical(), transform, choice, record, page);
}

}  // namespace kakeya

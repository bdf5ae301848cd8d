// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "kakeya/codec/exact_vectors.h"
#include "kakeya/codec/index_entropy.h"
#include "kakeya/codec/packed_sums.h"
#include "kakeya/codec/paged_frame.h"
#include "kakeya/codec/paged_points.h"
#include "kakeya/codec/stage_sections.h"
#include "kakeya/codec/transform_codec.h"
#include "kakeya/codec/vectors.h"
#include "kakeya/codecs/klt/chain_record.h"
#include "kakeya/codecs/klt/klt_plan.h"
#include "kakeya/codecs/klt/path_costs.h"
#include "kakeya/core/bf16_rows.h"
#include "kakeya/core/error.h"
#include "kakeya/simd/tile.h"

namespace kakeya {

// What klt of single heads (klt.cpp) and of whole layers (klt_layers.cpp) have in common. Sections:
//
//   "site" or "layers"   ChainRecord
//   "pages", "streams", "padding"   paged_points.h
//   "exact"     exact_vectors.h, as bfloat16: vectors so far from the profile that their points
//               would be beyond 2^20 steps or could take more bits than they do here; the pages
//               hold the others

inline constexpr float kLargestPoint = 0x1p20f;  ///< beyond it a vector is kept beside the code

/// The nearest points of the `dim` coordinates of a tile, in place, and where it is more the largest
/// magnitude of each vector. One that has more than `most`, or NaN, has none: it gets zeros, and an
/// infinite magnitude.
inline void quantise_points(Lattice lattice, float* points, std::size_t dim, float* largest,
                            float most = kLargestPoint) {
  float here[kTileRows], factor[kTileRows];
  measure_tile(points, dim, nullptr, here);
  for (std::size_t r = 0; r < kTileRows; ++r) {
    const bool fits = here[r] <= most;
    if (!fits || here[r] > largest[r]) largest[r] = fits ? here[r] : INFINITY;
    factor[r] = fits ? 1.0f : 0.0f;
    for (std::size_t i = 0; i < dim && !fits; ++i) points[i * kTileRows + r] = 0.0f;
  }
  quantise_tile(lattice, points, dim, factor, 0.0f);
}

/// klt over vectors that `Chain` turns into lattice points and back: frames, pages, and vectors beside
/// the code. A Chain has
///
///   kRecord, kAnother     the section that says whose vectors a frame has, and what another one is of
///   Memory(chain, n)      for n vectors, or kMostVectors where that is fewer: `points` of each tile
///   dim(), width()        of a vector, and of what a path of a trellis goes through
///   classes(), profile_bytes()
///   encode(x, memory, largest)   the points of x, as quantise_points() leaves them
///   decode(memory, x)            the vectors of these points
///   kMayOverflow          whether points that no encoder wrote may decode to infinity
template <typename Chain>
class ChainCodec : public NamedCodec, public FrameEntropy {
 protected:
  using Memory = typename Chain::Memory;

 public:
  ChainCodec(std::string spec, Chain chain, Lattice lattice, const ChainRecord& record,
             std::size_t page, std::shared_ptr<const ReadablePages> readable = nullptr)
      : NamedCodec(std::move(spec), chain.dim()),
        lattice_(lattice),
        record_(std::bit_cast<std::array<std::byte, sizeof record>>(record)),
        chain_(std::move(chain)),
        paged_{klt_model(lattice),
               lattice,
               dim_,
               page,
               true,
               std::make_shared<const std::vector<std::uint8_t>>(chain_.classes()),
               chain_.width(),
               std::move(readable)} {}

  /// Of vectors that were coded or decoded, in order: their memory, as Chain::decode() leaves it or
  /// Chain::encode() does, how many, and which are kept beside the code.
  using Seen = std::function<void(const Memory&, std::size_t, const bool*)>;
  /// Calls `seen` for all vectors that code_pages(), read_pages() or reconstruct() goes through.
  void show(Seen seen) { seen_ = std::move(seen); }

  /// Of what is coded by these classes.
  PathCosts costs() const { return {paged_.model, *paged_.known_classes, chain_.width()}; }

  /// The chain. Nothing can be coded any more.
  Chain take_chain() { return std::move(chain_); }

  std::size_t symbols_per_vector() const override { return paged_.symbols_per_vector(); }
  std::size_t page_vectors() const override { return paged_.page; }
  std::size_t profile_bytes() const override { return chain_.profile_bytes(); }

  std::size_t encoded_bound(std::size_t count) const override {
    return frame_overhead(spec_.size(), std::size(kSections)) + sizeof(ChainRecord) +
           paged_.bound_with_kept(count, kept_bytes());
  }

  CodedPages code_pages(Rows<const float> x, PageHistory& history) const override {
    const std::shared_ptr<const PointCoder> coder = known_coder();
    PagedWriter pages(paged_, x.count, coder);
    std::vector<std::byte> exact;
    for_each_batch(
        x, coder.get(),
        [&](const Memory& tiles, Rows<const float> tokens, std::size_t first, const bool* kept) {
          for (std::size_t r = 0; r < tokens.count; r += kTileRows) {
            pages.add(tiles.points[r / kTileRows].data(), first + r, kept + r);
          }
          for (std::size_t r = 0; r < tokens.count; ++r) {
            if (!kept[r]) continue;
            append_exact(exact, history.vectors + first + r, tokens[r], kKeptAs);
          }
          if (seen_) seen_(tiles, tokens.count, kept);
        });
    PartList parts(history, x.count, kSections);
    parts.add_once(record_);
    parts.add(pages.pages());
    parts.add(pages.streams());
    parts.add(std::move(exact));
    return parts.take();
  }

  void decode(std::span<const std::byte> in, Rows<float> out) const override {
    read_pages(open_frame(*this, in, out), out);
  }

  /// All pages of `view`, as read_page() reads one.
  void read_pages(const FrameView& view, Rows<float> out) const {
    Reader reader(*this, view);
    for_each_page(paged_, out,
                  [&](std::size_t page, Rows<float> rows) { reader.read(page, rows); });
  }

  void read_page(const FrameView& view, std::size_t page, Rows<float> out) const override {
    Reader(*this, view).read(page, out);
  }

  void recall_page(const FrameView& view, std::size_t page, Rows<float> out) const override {
    constexpr bool kAtOnce = !Chain::kMayOverflow;  // what is not finite is looked for first
    Reader(*this, view).read(page, out, kAtOnce);
    if (!kAtOnce) round_rows_to_bf16(out);
  }

  bool reconstruct(Rows<const float> x, Rows<float> out) const override {
    require_same_shape(*this, x, out);
    for_each_batch(
        x, known_coder().get(),
        [&](Memory& tiles, Rows<const float> tokens, std::size_t first, const bool* kept) {
          const Rows<float> rows = out.slice(first, tokens.count);
          chain_.decode(tiles, rows);
          for (std::size_t r = 0; r < tokens.count; ++r) {
            if (kept[r]) round_to_bfloat16(tokens[r], rows[r]);
          }
          if (seen_) seen_(tiles, tokens.count, kept);
        });
    return true;
  }

  void check_frame(const FrameInfo& info) const override {
    paged_.check(info);
    require_items(info, Chain::kRecord, 1, sizeof(ChainRecord));
  }

  std::size_t beyond_profile(const FrameInfo& info) const override {
    return section_bytes(info, "exact") / kept_bytes();
  }

  std::optional<double> index_entropy_bits(Rows<const float> x) const override {
    TileEntropy entropy(lattice_, dim_);
    for_each_batch(
        x, known_coder().get(),
        [&](const Memory& tiles, Rows<const float> tokens, std::size_t, const bool* kept) {
          for (std::size_t r = 0; r < tokens.count; r += kTileRows) {
            entropy.add(tiles.points[r / kTileRows].data(), std::min(kTileRows, tokens.count - r),
                        kept + r);
          }
        });
    return entropy.total_bits();
  }

  std::optional<double> index_entropy_of_frame(std::span<const std::byte> in) const override {
    const FrameView view = open_frame(*this, in);
    if (view.count == 0) return std::nullopt;
    Reader reader(*this, view);
    TileEntropy entropy(lattice_, dim_);
    for (std::size_t page = 0; page < paged_.pages(view.count); ++page) {
      reader.count(page, std::min(paged_.page, view.count - page * paged_.page), entropy);
    }
    return entropy.total_bits() / static_cast<double>(view.count * dim_);
  }

 protected:
  const Chain& chain() const { return chain_; }
  TransformFrames frames(float largest = kLargestPoint) const {
    return {&paged_, Chain::kRecord, record_, largest, kept_bytes()};
  }
  /// The points of page `page` of `view`, and the vectors that are kept beside it, times weights.
  void add_points(const FrameView& view, std::size_t page, Rows<const float> weights,
                  PackedSums& sums) const {
    require_page(*this, view.count, page, {nullptr, weights.dim, dim_, dim_});
    Reader(*this, view).add(page, weights, sums);
  }
  /// Their products with queries.
  void score_points(const FrameView& view, std::size_t page, PackedScores& scores,
                    Rows<float> out) const {
    require_page(*this, view.count, page, {nullptr, out.dim, dim_, dim_});
    Reader(*this, view).score(page, scores, out);
  }

 private:
  /// Of a vector in "exact".
  std::size_t kept_bytes() const { return exact_bytes(dim_, kKeptAs); }
  static constexpr std::string_view kSections[] = {Chain::kRecord, "pages", "streams", "exact",
                                                   "padding"};
  static constexpr KeptAs kKeptAs = KeptAs::bfloat16;

  // One for all frames, made when it is first asked for; null of readable pages.
  std::shared_ptr<const PointCoder> known_coder() const {
    std::call_once(coder_made_, [&] {
      if (!paged_.readable) coder_ = std::make_shared<const PointCoder>(paged_.known_coder());
    });
    return coder_;
  }

  // Calls work(tiles, tokens, first, kept) with the points of all of `x`, which `coder` may code,
  // some tokens at a time, which begin at vector `first`; kept[r]: token r of them is kept beside
  // the code. Throws InputError on NaN or infinity.
  template <typename Work>
  void for_each_batch(Rows<const float> x, const PointCoder* coder, const Work& work) const {
    constexpr std::size_t kMost = Memory::kMostVectors;
    DearVectors dear_vectors =
        paged_.readable ? DearVectors(*paged_.readable) : DearVectors(*coder, 8 * kept_bytes());
    Memory tiles(chain_, x.count);
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
        for (std::size_t i = 0; i < dim_; ++i) points[i * kTileRows] = 0.0f;
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
    Reader(const ChainCodec& codec, const FrameView& view)
        : codec_(codec),
          first_(view.first),
          exact_(section_of(view, "exact")),
          pages_(codec.paged_, view.count, {}, section_of(view, "pages"),
                 section_of(view, "streams"), codec.known_coder()),
          tiles_(codec.chain_, std::min(view.count, codec.paged_.page)) {
      require_sections(view, kSections);
      const auto record = section_of(view, Chain::kRecord);
      if (!std::equal(record.begin(), record.end(), codec.record_.begin(), codec.record_.end())) {
        throw CorruptStream(codec.spec_ + ": a frame of " + Chain::kAnother);
      }
      require_zeros(section_of(view, "padding"), codec.spec_);
      check_exact(exact_, codec.dim(), first_ + view.count, codec.spec_, kKeptAs);
    }

    // With `round`, rounded to bf16.
    void read(std::size_t page, Rows<float> out, bool round = false) {
      const std::size_t start = page * codec_.paged_.page;
      const auto places = exact_places(exact_, codec_.dim(), first_ + start, out.count, kKeptAs);
      pages_.load(page, places);
      constexpr std::size_t kMost = Memory::kMostVectors;
      auto next = places.begin();
      for (std::size_t at = 0; at < out.count; at += kMost) {
        const Rows<float> tokens = out.slice(at, std::min(kMost, out.count - at));
        for (std::size_t r = 0; r < tokens.count; r += kTileRows) {
          pages_.tile(start + at + r, tiles_.points[r / kTileRows].data());
        }
        codec_.chain_.decode(tiles_, tokens);
        if (round) round_rows_to_bf16(tokens);
        if (!codec_.seen_) continue;
        bool kept[kMost] = {};
        for (; next != places.end() && *next < at + kMost; ++next) kept[*next - at] = true;
        codec_.seen_(tiles_, tokens.count, kept);
      }
      for (std::size_t row = 0; Chain::kMayOverflow && row < out.count; ++row) {
        if (largest_magnitude(out[row]) < 0x7f800000u) continue;
        throw CorruptStream(codec_.spec_ + ": vector " + std::to_string(first_ + start + row) +
                            ": not finite");
      }
      restore_exact(exact_, first_ + start, out, kKeptAs);
    }

    void add(std::size_t page, Rows<const float> weights, PackedSums& sums) {
      for_points(page, weights.dim, sums, [&](std::size_t at, std::size_t count, auto kept) {
        sums.take_weights(weights, at, count);
        for (const std::size_t place : kept) {
          const std::vector<float> x = kept_vector(page, place);
          for (std::size_t q = 0; q < sums.queries(); ++q) {
            sums.add_vector(q, weights[q][place], x);
            sums.weights(q)[place - at] = 0.0f;
          }
        }
        sums.add_tiles((count + kTileRows - 1) / kTileRows);
      });
    }

    void score(std::size_t page, PackedScores& scores, Rows<float> out) {
      for_points(page, out.dim, scores, [&](std::size_t at, std::size_t count, auto kept) {
        scores.multiply_tiles((count + kTileRows - 1) / kTileRows);
        scores.give(count, at, out);
        for (const std::size_t place : kept)
          scores.give_vector(kept_vector(page, place), place, out);
      });
    }

    // Adds the points of the `vectors` vectors of a page, but for those that are kept exactly.
    void count(std::size_t page, std::size_t vectors, TileEntropy& entropy) {
      const std::size_t start = page * codec_.paged_.page;
      const auto places = exact_places(exact_, codec_.dim(), first_ + start, vectors, kKeptAs);
      pages_.load(page, places);
      float* const points = tiles_.points[0].data();
      auto next = places.begin();
      for (std::size_t at = 0; at < vectors; at += kTileRows) {
        bool kept[kTileRows] = {};
        for (; next != places.end() && *next < at + kTileRows; ++next) kept[*next - at] = true;
        pages_.tile(start + at, points);
        entropy.add(points, std::min(kTileRows, vectors - at), kept);
      }
    }

   private:
    // Calls work(at, count, kept) for vectors [at, at + count) of a page, whose points are in to.points(), and those of
    // them that are kept exactly.
    template <typename To, typename Work>
    void for_points(std::size_t page, std::size_t vectors, To& to, const Work& work) {
      const std::size_t start = page * codec_.paged_.page;
      const auto places = exact_places(exact_, codec_.dim(), first_ + start, vectors, kKeptAs);
      pages_.load(page, places);
      auto kept = places.begin();
      constexpr std::size_t kMost = To::kMostTiles * kTileRows;
      for (std::size_t at = 0; at < vectors; at += kMost) {
        const std::size_t count = std::min(kMost, vectors - at);
        for (std::size_t r = 0; r < count; r += kTileRows) {
          pages_.tile(start + at + r, to.points(r / kTileRows));
        }
        const auto begin = kept;
        kept = std::lower_bound(kept, places.end(), at + count);
        work(at, count, std::span(begin, kept));
      }
    }

    std::vector<float> kept_vector(std::size_t page, std::size_t place) const {
      std::vector<float> x(codec_.dim());
      restore_exact(exact_, first_ + page * codec_.paged_.page + place,
                    dense_rows(x.data(), 1, x.size()), kKeptAs);
      return x;
    }

    const ChainCodec& codec_;
    std::size_t first_;  // number of the first vector
    std::span<const std::byte> exact_;
    PagedReader pages_;
    Memory tiles_;
  };

  Lattice lattice_;
  std::array<std::byte, sizeof(ChainRecord)> record_;
  Chain chain_;
  PagedFormat paged_;
  mutable std::once_flag coder_made_;
  mutable std::shared_ptr<const PointCoder> coder_;
  Seen seen_;
};

}  // namespace kakeya

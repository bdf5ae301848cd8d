// SPDX-License-Identifier: Apache-2.0
// e8, d4 and tq: norm, rotation, maximum, then the nearest point within a box of the lattice E8, D4
// or Z, block by block.
//
//   t = y / s, s = max |y| / q as it is stored
//   z = the point of the lattice with every |coordinate| <= q that is nearest to t
//   decoded y = z s
//
// (rule=published of e8 and d4: published.cpp.) Sections:
//
//   "scales"    see tile_scales.h
//   "indices"   ("codes" for tq) pack=block: the number of each block's point in a field of fixed
//               width; pack=joint: one mixed-radix number a vector (index_packing.h). No padding
//               between vectors. pack=rans: "classes", "pages", "streams" instead, and "padding"
//               (paged_points.h)
//   "windows"   see scale_code.h
//   then those of the stages (stage_sections.h)
#include "kakeya/codecs/fixed_rate/fixed_rate.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include "kakeya/codec/index_entropy.h"
#include "kakeya/codec/packed_sums.h"
#include "kakeya/codec/paged_frame.h"
#include "kakeya/codec/paged_points.h"
#include "kakeya/codec/scaled.h"
#include "kakeya/codec/spec_args.h"
#include "kakeya/codec/stage_sections.h"
#include "kakeya/codec/vectors.h"
#include "kakeya/codecs/fixed_rate/frame_reader.h"
#include "kakeya/codecs/fixed_rate/index_packing.h"
#include "kakeya/codecs/fixed_rate/tile_scales.h"
#include "kakeya/core/bf16_rows.h"
#include "kakeya/core/error.h"
#include "kakeya/entropy/shared_model.h"
#include "kakeya/simd/book.h"

namespace kakeya {
namespace {

static_assert(kBitRows == kTileRows);

class FixedRate final : public NamedCodec, public FrameEntropy, public SummingCodec {
 public:
  FixedRate(std::string spec, std::size_t dim, const FixedRateOptions& options)
      : NamedCodec(std::move(spec), dim),
        options_(options),
        stages_(spec_, options.stages, dim),
        scales_(options.scales, options.q),
        book_(options.lattice, options.q),
        blocks_(dim / static_cast<std::size_t>(block_length(options.lattice))) {
    if (rans()) {
      // The largest of dim normal values is about sqrt(2 log dim) deviations: where a search for
      // the best class begins.
      const double spread = std::sqrt(2.0 * std::log(static_cast<double>(dim)));
      paged_.emplace(PagedFormat{shared_point_model(options.lattice, options.q / spread),
                                 options.lattice, dim, options.stages.page, options.class_each});
    } else {
      packing_ = options.packing == Packing::joint ? joint_packing(book_.count(), blocks_)
                                                   : block_packing(book_.count(), blocks_);
    }
    const std::string_view indices = options.lattice == Lattice::z ? "codes" : "indices";
    sections_ = with_stage_sections(
        rans() ? std::vector<std::string_view>{"scales", "classes", "pages", "streams", "windows"}
               : std::vector<std::string_view>{"scales", indices, "windows"},
        stages_);
    if (rans()) sections_.push_back("padding");
  }

  Rates rates() const override {
    const double side = 8.0 * static_cast<double>(scales_.bytes()) +
                        static_cast<double>(stages_.outliers() * stages_.outlier_bits());
    return {options_.nominal_bits,
            static_cast<double>(blocks_) * std::log2(static_cast<double>(book_.count())) + side};
  }

  std::size_t encoded_bound(std::size_t count) const override {
    const std::size_t points =
        rans() ? paged_->bound(count) + paged_->padding_bytes(count, 0) : index_bytes(count);
    return frame_overhead(spec_.size(), sections_.size()) + count * (scales_.bytes() + 1) + points +
           stage_bound(stages_, count);
  }

  std::size_t symbols_per_vector() const override {
    return rans() ? paged_->symbols_per_vector() : 0;
  }

  std::size_t encode(Rows<const float> x, std::span<std::byte> out) const override {
    if (rans()) return encode_pages(*this, x, out);
    require_encodable(*this, x, out);
    FrameWriter writer(out, spec_, dim_, x.count, sections_);
    const auto scales = writer.section(x.count * scales_.bytes());
    WindowList windows(x.count);
    PageHistory history;
    StageData data = begin_stages(stages_, x, history);
    const auto section = writer.section(index_bytes(x.count));
    RowBitWriter bits(packing_->vector_bits());
    TileNumbers numbers(blocks_, book_.has_high_words());
    for_each_tile(x, data, [&](TileState& state, const TileScales& tile) {
      put_scales(state, tile, scales, windows);
      quantise(state, tile);
      book_.number(state.tile.data(), dim_, numbers.low(), numbers.high());
      packing_->put(numbers, bits);
      bits.store(section.subspan(index_bytes(state.first)), state.count);
    });
    windows.copy_to(writer.section(windows.byte_count()));
    write_stages(stages_, data, x.count, writer);
    return writer.finish();
  }

  CodedPages code_pages(Rows<const float> x, PageHistory& history) const override {
    if (!rans()) return Codec::code_pages(x, history);
    std::vector<std::byte> scales(x.count * scales_.bytes());
    WindowList windows(x.count);
    StageData data = begin_stages(stages_, x, history);
    PagedWriter pages(*paged_, x.count, paged_->coder_after(history.classes));
    for_each_tile(x, data, [&](TileState& state, const TileScales& tile) {
      put_scales(state, tile, scales, windows);
      quantise(state, tile);
      pages.add(state.tile.data(), state.first);
    });
    PartList parts(history, x.count, sections_);
    parts.add(std::move(scales));
    parts.add_once(pages.classes());
    parts.add(pages.pages());
    parts.add(pages.streams());
    parts.add_windows(windows, x.count);
    add_stages(stages_, data, x.count, parts);
    if (!history.classes && x.count > 0) history.classes = paged_->kept_classes(pages.classes());
    return parts.take();
  }

  std::size_t page_vectors() const override { return rans() ? paged_->page : 0; }

  void decode(std::span<const std::byte> in, Rows<float> out) const override {
    const FrameView view = open_frame(*this, in, out);
    if (!rans()) return read_fields(view, out, [](Rows<float>) {});
    FixedRateReader reader(parts(), view);
    PagedReader pages = pages_of(view);
    for_each_page(*paged_, out, [&](std::size_t page, Rows<float> vectors) {
      read_page(reader, pages, page, vectors);
    });
  }

  void recall(std::span<const std::byte> frame, Rows<float> out) const override {
    if (rans()) return Codec::recall(frame, out);
    read_fields(open_frame(*this, frame, out, FrameCheck::but_the_checksum), out,
                round_rows_to_bf16);
  }

  bool sums_packed() const override {
    return !rans() && !stages_.centres() && stages_.outliers() == 0;
  }

  void add_frame(std::span<const std::byte> frame, Rows<const float> weights,
                 PackedSums& sums) const override {
    for_points(frame, weights.dim, sums,
               [&](std::size_t at, std::size_t count, const float* factors) {
                 sums.take_weights(weights, at, count);
                 for (std::size_t q = 0; q < sums.queries(); ++q) {
                   for (std::size_t t = 0; t < count; ++t) sums.weights(q)[t] *= factors[t];
                 }
                 sums.add_tiles((count + kTileRows - 1) / kTileRows);
               });
  }

  void restore_sums(const PackedSums& sums, Rows<float> out) const override {
    for (std::size_t q = 0; q < sums.queries(); ++q)
      stages_.restore_sum(sums.coordinates(q), out[q]);
  }

  PackedScores packed_scores(Rows<const float> queries) const override {
    std::vector<float> turned(queries.values());
    for (std::size_t q = 0; q < queries.count; ++q)
      stages_.turn_query(queries[q], std::span(turned).subspan(q * dim_, dim_));
    return {queries, std::move(turned), std::vector<float>(queries.count)};
  }

  void score_frame(std::span<const std::byte> frame, PackedScores& scores,
                   Rows<float> out) const override {
    for_points(frame, out.dim, scores,
               [&](std::size_t at, std::size_t count, const float* factors) {
                 scores.multiply_tiles((count + kTileRows - 1) / kTileRows);
                 for (std::size_t q = 0; q < scores.queries(); ++q) {
                   for (std::size_t t = 0; t < count; ++t) scores.scores(q)[t] *= factors[t];
                 }
                 scores.give(count, at, out);
               });
  }

  void read_page(const FrameView& view, std::size_t page, Rows<float> out) const override {
    if (!rans()) return Codec::read_page(view, page, out);
    FixedRateReader reader(parts(), view);
    PagedReader pages = pages_of(view);
    read_page(reader, pages, page, out);
  }

  PageHistory history_of(const FrameView& view) const override {
    PageHistory history;
    if (!rans()) return history;
    history.centre = first_centre(stages_, view);
    history.classes = paged_->kept_classes(section_of(view, "classes"));
    return history;
  }

  bool reconstruct(Rows<const float> x, Rows<float> out) const override {
    require_same_shape(*this, x, out);
    PageHistory history;
    StageData data = begin_stages(stages_, x, history);
    for_each_tile(x, data, [&](TileState& state, const TileScales& tile) {
      std::memcpy(state.window, tile.window, sizeof state.window);
      stages_.quantise_and_restore(
          options_.lattice, tile.inverse_step, static_cast<float>(options_.q), state, tile.step,
          data.centre, data.outliers, data.windows, out.slice(state.first, state.count));
    });
    return true;
  }

  void check_frame(const FrameInfo& info) const override {
    require_items(info, "scales", info.count, scales_.bytes());
    require_items_or_none(info, "windows", info.count, 1);
    check_stages(stages_, info);
    if (rans()) {
      paged_->check(info);
    } else {
      require_fields(info, sections_[1], info.count, packing_->vector_bits());
    }
  }

  std::uint64_t padding_bits(const FrameInfo& info) const override {
    std::uint64_t bits = 0;
    if (!rans()) bits += 8 * index_bytes(info.count) - info.count * packing_->vector_bits();
    if (stages_.outliers() != 0) {
      bits += 8 * stages_.outlier_bytes(info.count) -
              info.count * stages_.outliers() * stages_.outlier_bits();
    }
    return bits;
  }

  std::optional<double> index_entropy_bits(Rows<const float> x) const override {
    PageHistory history;
    StageData data = begin_stages(stages_, x, history);
    TileEntropy entropy(options_.lattice, dim_);
    for_each_tile(x, data, [&](TileState& state, const TileScales& tile) {
      quantise(state, tile);
      entropy.add(state.tile.data(), state.count);
    });
    return entropy.total_bits();
  }

  std::optional<double> index_entropy_of_frame(std::span<const std::byte> in) const override {
    const FrameView view = open_frame(*this, in);
    require_sections(view, sections_);
    if (view.count == 0) return std::nullopt;
    TileEntropy entropy(options_.lattice, dim_);
    TileState state(dim_);
    const auto add_tiles = [&](std::size_t first, std::size_t end, const auto& take_points) {
      for (; first < end; first += kTileRows) {
        state.first = first;
        state.count = std::min(kTileRows, end - first);
        take_points();
        entropy.add(state.tile.data(), state.count);
      }
    };
    if (rans()) {
      PagedReader pages = pages_of(view);
      for (std::size_t page = 0; page < paged_->pages(view.count); ++page) {
        pages.load(page);
        const std::size_t first = page * paged_->page;
        add_tiles(first, std::min(first + paged_->page, view.count),
                  [&] { pages.tile(state.first, state.tile.data()); });
      }
    } else {
      PointReader points(parts(), view);
      add_tiles(0, view.count, [&] { points.read(state); });
    }
    return entropy.total_bits() / static_cast<double>(view.count * dim_);
  }

 private:
  bool rans() const { return options_.packing == Packing::rans; }
  std::size_t index_bytes(std::size_t count) const {
    return row_bytes(count, packing_->vector_bits());
  }

  FixedRateParts parts() const {
    return {spec_, stages_, scales_, book_, packing_.get(), blocks_, sections_};
  }

  void put_scales(const TileState& state, const TileScales& tile, std::span<std::byte> scales,
                  WindowList& windows) const {
    scales_.write(state, tile, scales);
    windows.set(state.first, std::span(tile.window).first(state.count));
  }

  // Runs the stages over every tile of `x` and calls work(state, scales).
  template <typename Work>
  void for_each_tile(Rows<const float> x, StageData& data, const Work& work) const {
    TileState state(dim_);
    TileScales tile;
    for (std::size_t first = 0; first < x.count; first += kTileRows) {
      stages_.forward(x, first, data.centre, state, data.outliers, data.windows);
      scales_.choose(state, tile);
      work(state, tile);
    }
  }

  void quantise(TileState& state, const TileScales& tile) const {
    quantise_tile(options_.lattice, state.tile.data(), dim_, tile.inverse_step,
                  static_cast<float>(options_.q));
  }

  PagedReader pages_of(const FrameView& view) const {
    require_zeros(section_of(view, "padding"), spec_);
    return {*paged_, view.count, section_of(view, "classes"), section_of(view, "pages"),
            section_of(view, "streams")};
  }

  void read_page(FixedRateReader& reader, PagedReader& pages, std::size_t page,
                 Rows<float> out) const {
    pages.load(page);
    reader.read(
        page * paged_->page, out,
        [&](TileState& state) { pages.tile(state.first, state.tile.data()); }, [](Rows<float>) {});
  }

  // Calls work(at, count, factors) for vectors [at, at + count) of a frame of fields of fixed width, whose points are in
  // to.points().
  template <typename To, typename Work>
  void for_points(std::span<const std::byte> frame, std::size_t vectors, To& to,
                  const Work& work) const {
    const Rows<float> room{nullptr, vectors, dim_, dim_};  // nothing is written there
    const FrameView view = open_frame(*this, frame, room, FrameCheck::but_the_checksum);
    FixedRateReader reader(parts(), view);
    PointReader points(parts(), view);
    constexpr std::size_t kMost = To::kMostTiles * kTileRows;
    float factors[kMost];
    for (std::size_t at = 0; at < vectors; at += kMost) {
      const std::size_t count = std::min(kMost, vectors - at);
      for (std::size_t r = 0; r < count; r += kTileRows) {
        const std::size_t some = std::min(kTileRows, count - r);
        points.read(at + r, some, to.points(r / kTileRows));
        reader.read_factors(at + r, some, factors + r);
      }
      work(at, count, factors);
    }
  }

  // Of fields of fixed width; finish(rows) gets the vectors of a tile.
  template <typename Finish>
  void read_fields(const FrameView& view, Rows<float> out, const Finish& finish) const {
    FixedRateReader reader(parts(), view);
    PointReader points(parts(), view);
    reader.read(
        0, out, [&](TileState& state) { points.read(state); }, finish);
  }

  FixedRateOptions options_;
  Stages stages_;
  ScaleRule scales_;
  TileBook book_;
  std::size_t blocks_;
  std::unique_ptr<IndexPacking> packing_;  // block, joint
  std::optional<PagedFormat> paged_;       // rans
  std::vector<std::string_view> sections_;
};

// The keys after the rate and the rule, in canonical order.
}  // namespace

std::unique_ptr<Codec> make_fixed_rate(SpecArgs& args, const CodecInput& input,
                                       FixedRateOptions options) {
  options.packing = static_cast<Packing>(args.choice("pack"));
  if (options.packing == Packing::rans) options.class_each = args.word("classes") == "channel";
  options.scales = static_cast<Scales>(args.choice("scales"));
  options.stages = stage_options(args, input, options.packing == Packing::rans);
  return std::make_unique<FixedRate>(args.canonical(), input.dim, options);
}

}  // namespace kakeya

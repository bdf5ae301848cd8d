// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "kakeya/codec/codec.h"
#include "kakeya/core/rows.h"
#include "kakeya/entropy/point_coder.h"
#include "kakeya/entropy/readable_pages.h"

namespace kakeya {

/// How the points of a frame become entropy-coded pages: the sections
///
///   "classes"   the class of every coordinate, a byte each, or one byte for all; chosen for the
///               first page; nothing in a frame without vectors
///   "pages"     the bytes of each page, u32
///   "streams"   the pages (entropy/point_coder.h), one after another; with `readable` those of
///               entropy/readable_pages.h
///   "padding"   zeros where the sections before and after would have less than 1 byte for 32
///               values, so that a reader's memory is bounded by what it was given; no more
struct PagedFormat {
  std::shared_ptr<const PointModel> model;
  Lattice lattice;
  std::size_t dim;
  std::size_t page;  ///< vectors a page, a multiple of 32
  bool class_each;   ///< a class for each coordinate
  /// Where not null, the classes of all frames, one a coordinate, that writer and reader know:
  /// there is no section "classes".
  std::shared_ptr<const std::vector<std::uint8_t>> known_classes = nullptr;
  /// Of Lattice::trellis: coordinates of a path, a divisor of dim; 0: all.
  std::size_t path = 0;
  /// Where not null, what codes the pages, with known_classes. Vectors that are kept beside them are zeros
  /// in them, so that all others are where their number says.
  std::shared_ptr<const ReadablePages> readable = nullptr;

  std::size_t pages(std::size_t vectors) const { return (vectors + page - 1) / page; }
  std::size_t class_bytes(std::size_t vectors) const {
    return vectors == 0 || known_classes ? 0 : (class_each ? dim : 1);
  }
  std::size_t symbols_per_vector() const { return dim + (lattice == Lattice::e8 ? dim / 8 : 0); }
  /// Of the three sections and the padding.
  std::size_t bound(std::size_t vectors) const;
  /// Where a vector that may take more than `kept_bytes` in a page is not in it, but in a section
  /// of as many bytes each: of that section too. They hold a byte for 32 values without padding.
  std::size_t bound_with_kept(std::size_t vectors, std::size_t kept_bytes) const;

  /// The coder of all pages, where known_classes is not null and `readable` is.
  PointCoder known_coder() const { return PointCoder(model, *known_classes, path); }

  /// The section "classes" of a frame with vectors, as PageHistory keeps it. Throws as coder_of(), but makes no tables.
  std::shared_ptr<const std::vector<std::byte>> kept_classes(
      std::span<const std::byte> classes) const;

  /// The coder of pages after one whose classes were kept; null where `classes` is: before the first.
  std::shared_ptr<const PointCoder> coder_after(
      const std::shared_ptr<const std::vector<std::byte>>& classes) const;

  /// The coder of all pages, by the section "classes" of a frame with vectors, which has
  /// class_bytes(). Throws CorruptStream where there is no such class.
  PointCoder coder_of(std::span<const std::byte> classes) const;

  /// The class of each coordinate, by that section. Throws as coder_of().
  std::vector<std::uint8_t> classes_of(std::span<const std::byte> classes) const;

  /// Zeros that a frame of `vectors` needs beside sections of `bytes`.
  std::size_t padding_bytes(std::size_t vectors, std::size_t bytes) const;

  /// Throws CorruptStream unless the sections of `info` fit its count and dim, and "padding" has
  /// exactly padding_bytes() for the others.
  void check(const FrameInfo& info) const;
};

/// Calls read(page, vectors) for every page of a frame with its part of `out`, which has room for
/// all.
template <typename Read>
void for_each_page(const PagedFormat& format, Rows<float> out, const Read& read) {
  for (std::size_t page = 0; page < format.pages(out.count); ++page) {
    const std::size_t first = page * format.page;
    read(page, out.slice(first, std::min(format.page, out.count - first)));
  }
}

/// Collects the points of a frame, or of some pages of it, tile by tile.
class PagedWriter {
 public:
  /// Of `vectors` vectors. `coder` is that of the pages before them, or format.known_coder(), or
  /// null: it is chosen for the first page, and with `readable` there is none.
  PagedWriter(const PagedFormat& format, std::size_t vectors,
              std::shared_ptr<const PointCoder> coder = nullptr);

  /// The points of vectors [first, first + 16), in order. `first` counts from the first page here.
  /// Those with kept[vector - first] are not in the page, whose other vectors move up; in readable
  /// pages they are zeros.
  void add(const float* tile, std::size_t first, const bool* kept = nullptr);

  // After the last tile:
  std::span<const std::byte> classes() const { return classes_; }  ///< none with a given coder
  std::span<const std::byte> pages() const { return std::as_bytes(std::span(page_bytes_)); }
  std::span<const std::byte> streams() const { return streams_; }

 private:
  void finish_page(std::size_t vectors);
  void finish_readable(std::size_t vectors);
  std::size_t move_up(std::size_t vectors);

  const PagedFormat& format_;
  std::size_t vectors_;
  std::vector<std::int32_t> twice_;
  std::vector<std::size_t> kept_;  // places in the page, ascending
  std::vector<std::byte> classes_, streams_;
  std::vector<std::uint32_t> page_bytes_;
  std::shared_ptr<const PointCoder> coder_;
};

/// Room for the points of a page, which the next reader of a thread takes over: pages are read one after another, and
/// the room is not asked of the system for each.
class LaneMemory {
 public:
  LaneMemory() = default;
  explicit LaneMemory(std::size_t values);  ///< whatever they are
  ~LaneMemory();
  LaneMemory(LaneMemory&&) = default;
  LaneMemory& operator=(LaneMemory&&) = default;

  std::int32_t* get() const { return values_.get(); }

 private:
  std::size_t room_ = 0;
  std::unique_ptr<std::int32_t[]> values_;
};

/// Reads what PagedWriter wrote, any page alone.
class PagedReader {
 public:
  /// `coder`: that of the pages, where it is known; otherwise `classes` says it. Throws CorruptStream when
  /// the sections do not fit one another.
  PagedReader(const PagedFormat& format, std::size_t vectors, std::span<const std::byte> classes,
              std::span<const std::byte> pages, std::span<const std::byte> streams,
              std::shared_ptr<const PointCoder> coder = nullptr);

  /// Decodes page `page`, whose tiles can then be had. Vectors at the places `kept`, ascending, are
  /// not in it: their points are 0, but for what a forged readable page has there.
  void load(std::size_t page, std::span<const std::size_t> kept = {});

  /// The points of the tile that begins at vector `first` of the frame, which lies in the page.
  void tile(std::size_t first, float* tile) const;

 private:
  std::span<std::int32_t> twice() const { return {twice_.get(), lane_values_}; }
  void move_apart(std::size_t vectors, std::span<const std::size_t> kept);

  const PagedFormat& format_;
  std::size_t vectors_, page_ = 0;
  std::span<const std::byte> streams_;
  std::vector<std::size_t> starts_;
  std::size_t lane_values_ = 0;
  LaneMemory twice_;
  std::shared_ptr<const PointCoder> coder_;
};

/// Says of vectors, tile by tile, which may take more than so many bits in a page.
class DearVectors {
 public:
  DearVectors(const PointCoder& coder, std::size_t bits);
  /// Of readable pages: more than their most_vector_bits().
  explicit DearVectors(const ReadablePages& pages) : readable_(&pages) {}
  /// Sets dear[r] of the tile's first `vectors` rows, points of the lattice.
  void find(const float* tile, std::size_t vectors, bool* dear);

  /// The quick bound in bits: base() + the sum of slopes()[i] * |coordinate i|. A vector of which 1 %
  /// more than this is not above `bits` is not dear; of others PointCoder::most_cost() decides.
  float base() const { return base_; }
  std::span<const float> slopes() const { return slopes_; }

 private:
  const PointCoder* coder_ = nullptr;
  const ReadablePages* readable_ = nullptr;
  std::size_t bits_ = 0;
  float base_ = 0;
  std::vector<float> slopes_;
  std::vector<std::int32_t> twice_;  // of one tile; room is made when it is needed
};

/// Order-0 entropy of points given tile by tile, in bits.
class TileEntropy {
 public:
  TileEntropy(Lattice lattice, std::size_t dim);
  /// The first `vectors` rows of a tile, but for those with kept[row].
  void add(const float* tile, std::size_t vectors, const bool* kept = nullptr);
  double total_bits();

 private:
  void count();

  std::size_t dim_, held_ = 0;
  std::vector<std::int32_t> twice_;
  PointEntropy entropy_;
};

}  // namespace kakeya

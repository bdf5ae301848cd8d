// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codec/paged_points.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "kakeya/codec/vectors.h"
#include "kakeya/core/error.h"
#include "kakeya/simd/tile.h"

namespace kakeya {
namespace {

// Where the tile at vector `at` of a page lies among its lanes.
std::size_t lane_place(std::size_t at, std::size_t dim) {
  return at / kLanes * kLanes * dim + at % kLanes;
}

}  // namespace

std::size_t PagedFormat::bound(std::size_t vectors) const {
  std::size_t bytes = class_bytes(vectors) + 4 * pages(vectors);
  bytes += vectors / page * largest_page_room(page, dim);
  if (vectors % page != 0) bytes += largest_page_room(vectors % page, dim);
  return bytes;
}

std::size_t PagedFormat::padding_bytes(std::size_t vectors, std::size_t bytes) const {
  return kakeya::padding_bytes(vectors, dim, bytes);
}

void PagedFormat::check(const FrameInfo& info) const {
  require_padding(info);
  if (!known_classes) require_items(info, "classes", class_bytes(info.count), 1);
  require_items(info, "pages", pages(info.count), 4);
}

PagedWriter::PagedWriter(const PagedFormat& format, std::size_t vectors,
                         std::shared_ptr<const PointCoder> coder)
    : format_(format),
      vectors_(vectors),
      twice_(lane_values(std::min(vectors, format.page), format.dim)),
      coder_(std::move(coder)) {}

void PagedWriter::add(const float* tile, std::size_t first) {
  const std::size_t at = first % format_.page;
  points_to_lanes(tile, format_.dim, twice_.data() + lane_place(at, format_.dim));
  const std::size_t end = std::min(first + kTileRows, vectors_);
  if (end == vectors_ || at + kTileRows == format_.page) finish_page(end - (first - at));
}

void PagedWriter::finish_page(std::size_t vectors) {
  if (!coder_ && format_.known_classes) {
    coder_ = std::make_shared<PointCoder>(format_.model, *format_.known_classes, format_.path);
  } else if (!coder_) {
    auto classes =
        cheapest_classes(*format_.model, twice_, vectors, format_.dim, !format_.class_each);
    classes_.resize(format_.class_bytes(vectors));
    std::memcpy(classes_.data(), classes.data(), classes_.size());
    coder_ = std::make_shared<PointCoder>(format_.model, std::move(classes), format_.path);
  }
  const std::size_t start = streams_.size();
  streams_.resize(start + coder_->page_bound(vectors));
  const std::size_t bytes = coder_->encode(twice_, vectors, std::span(streams_).subspan(start));
  streams_.resize(start + bytes);
  page_bytes_.push_back(static_cast<std::uint32_t>(bytes));
}

PagedReader::PagedReader(const PagedFormat& format, std::size_t vectors,
                         std::span<const std::byte> classes, std::span<const std::byte> pages,
                         std::span<const std::byte> streams)
    : format_(format), vectors_(vectors), streams_(streams) {
  if (vectors == 0) return;
  std::vector<std::uint8_t> each(format.dim);
  if (format.known_classes) each = *format.known_classes;
  for (std::size_t i = 0; i < format.dim; ++i) {
    if (!format.known_classes) {
      each[i] = std::to_integer<std::uint8_t>(classes[format.class_each ? i : 0]);
    }
    if (each[i] >= format.model->class_count()) {
      throw CorruptStream("class " + std::to_string(each[i]) + " of coordinate " +
                          std::to_string(i) + ": expected one below " +
                          std::to_string(format.model->class_count()));
    }
  }
  starts_.push_back(0);
  for (std::size_t page = 0; page < format.pages(vectors); ++page) {
    std::uint32_t bytes;
    std::memcpy(&bytes, pages.data() + 4 * page, 4);
    starts_.push_back(starts_.back() + bytes);
  }
  if (starts_.back() != streams.size()) {
    throw CorruptStream("pages of " + std::to_string(starts_.back()) + " bytes, expected " +
                        std::to_string(streams.size()));
  }
  twice_.resize(lane_values(std::min(vectors, format.page), format.dim));
  coder_.emplace(format.model, std::move(each), format.path);
}

void PagedReader::load(std::size_t page) {
  page_ = page;
  const std::size_t vectors = std::min(format_.page, vectors_ - page * format_.page);
  coder_->decode(streams_.subspan(starts_[page], starts_[page + 1] - starts_[page]), vectors,
                 twice_);
}

void PagedReader::tile(std::size_t first, float* tile) const {
  const std::size_t at = first - page_ * format_.page;
  lanes_to_points(twice_.data() + lane_place(at, format_.dim), format_.dim, tile);
}

TileEntropy::TileEntropy(Lattice lattice, std::size_t dim)
    : dim_(dim), twice_(lane_values(kLanes, dim)), entropy_(lattice) {}

void TileEntropy::add(const float* tile, std::size_t first, std::size_t vectors) {
  if (first % kLanes == 0 && held_ != 0) {
    entropy_.add(twice_, held_, dim_);
    held_ = 0;
  }
  points_to_lanes(tile, dim_, twice_.data() + first % kLanes);
  held_ += vectors;
}

double TileEntropy::total_bits() {
  if (held_ != 0) entropy_.add(twice_, held_, dim_);
  held_ = 0;
  return entropy_.total_bits();
}

}  // namespace kakeya

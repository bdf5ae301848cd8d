// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codec/paged_points.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>

#include "kakeya/codec/vectors.h"
#include "kakeya/core/error.h"
#include "kakeya/simd/tile.h"

namespace kakeya {
namespace {

// Of points among lanes: those of vector `from` become those of `to`.
void copy_vector(std::span<std::int32_t> twice, std::size_t dim, std::size_t from, std::size_t to) {
  for (std::size_t i = 0; i < dim; ++i) {
    twice[lane_value(to, i, dim)] = twice[lane_value(from, i, dim)];
  }
}

// Where the tile at vector `at` of a page lies among its lanes.
std::size_t lane_place(std::size_t at, std::size_t dim) {
  return at / kLanes * kLanes * dim + at % kLanes;
}

// What the last LaneMemory of a thread left, of a page of a few thousand vectors of a head at most.
constexpr std::size_t kMostSpare = std::size_t{1} << 18;
struct SpareLanes {
  std::size_t room = 0;
  std::unique_ptr<std::int32_t[]> values;
};
thread_local SpareLanes spare;

}  // namespace

std::size_t PagedFormat::bound(std::size_t vectors) const {
  std::size_t bytes = class_bytes(vectors) + 4 * pages(vectors);
  bytes += vectors / page * largest_page_room(page, dim);
  if (vectors % page != 0) bytes += largest_page_room(vectors % page, dim);
  return bytes;
}

std::size_t PagedFormat::bound_with_kept(std::size_t vectors, std::size_t kept_bytes) const {
  if (readable) {
    return pages(vectors) * (4 + readable->most_overhead(page)) +
           vectors * (kept_bytes + readable->most_vector_bytes());
  }
  return class_bytes(vectors) + pages(vectors) * (4 + most_page_overhead(page)) +
         vectors * kept_bytes;
}

std::shared_ptr<const std::vector<std::byte>> PagedFormat::kept_classes(
    std::span<const std::byte> classes) const {
  classes_of(classes);
  return std::make_shared<const std::vector<std::byte>>(classes.begin(), classes.end());
}

std::shared_ptr<const PointCoder> PagedFormat::coder_after(
    const std::shared_ptr<const std::vector<std::byte>>& classes) const {
  return classes ? std::make_shared<const PointCoder>(coder_of(*classes)) : nullptr;
}

PointCoder PagedFormat::coder_of(std::span<const std::byte> classes) const {
  return PointCoder(model, classes_of(classes), path);
}

std::vector<std::uint8_t> PagedFormat::classes_of(std::span<const std::byte> classes) const {
  std::vector<std::uint8_t> each(dim);
  if (known_classes) each = *known_classes;
  for (std::size_t i = 0; i < dim; ++i) {
    if (!known_classes) each[i] = std::to_integer<std::uint8_t>(classes[class_each ? i : 0]);
    if (each[i] >= model->class_count()) {
      throw CorruptStream("class " + std::to_string(each[i]) + " of coordinate " +
                          std::to_string(i) + ": expected one below " +
                          std::to_string(model->class_count()));
    }
  }
  return each;
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

void PagedWriter::add(const float* tile, std::size_t first, const bool* kept) {
  const std::size_t at = first % format_.page;
  points_to_lanes(tile, format_.dim, twice_.data() + lane_place(at, format_.dim));
  const std::size_t end = std::min(first + kTileRows, vectors_);
  for (std::size_t r = 0; kept != nullptr && r < end - first; ++r) {
    if (kept[r]) kept_.push_back(at + r);
  }
  if (end == vectors_ || at + kTileRows == format_.page) finish_page(end - (first - at));
}

// Those that are not kept, to the front; returns how many.
std::size_t PagedWriter::move_up(std::size_t vectors) {
  std::size_t moved = 0;
  auto kept = kept_.begin();
  for (std::size_t vector = 0; vector < vectors; ++vector) {
    if (kept != kept_.end() && *kept == vector) {
      ++kept;
    } else {
      if (moved != vector) copy_vector(twice_, format_.dim, vector, moved);
      ++moved;
    }
  }
  kept_.clear();
  return moved;
}

void PagedWriter::finish_readable(std::size_t vectors) {
  for (const std::size_t vector : kept_) {
    for (std::size_t i = 0; i < format_.dim; ++i) twice_[lane_value(vector, i, format_.dim)] = 0;
  }
  kept_.clear();
  const std::vector<std::byte> page = format_.readable->encode(twice_, vectors);
  streams_.insert(streams_.end(), page.begin(), page.end());
  page_bytes_.push_back(static_cast<std::uint32_t>(page.size()));
}

void PagedWriter::finish_page(std::size_t vectors) {
  if (format_.readable) return finish_readable(vectors);
  vectors = move_up(vectors);
  if (vectors == 0) return page_bytes_.push_back(0);
  if (!coder_ && format_.known_classes) {
    coder_ = std::make_shared<PointCoder>(format_.known_coder());
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

LaneMemory::LaneMemory(std::size_t values) {
  if (spare.room < values) {
    room_ = values;
    values_ = std::make_unique_for_overwrite<std::int32_t[]>(values);
  } else {
    room_ = std::exchange(spare.room, 0);
    values_ = std::move(spare.values);
  }
}

LaneMemory::~LaneMemory() {
  if (!values_ || room_ > kMostSpare || room_ <= spare.room) return;
  spare.room = room_;
  spare.values = std::move(values_);
}

PagedReader::PagedReader(const PagedFormat& format, std::size_t vectors,
                         std::span<const std::byte> classes, std::span<const std::byte> pages,
                         std::span<const std::byte> streams,
                         std::shared_ptr<const PointCoder> coder)
    : format_(format), vectors_(vectors), streams_(streams), coder_(std::move(coder)) {
  if (vectors == 0) return;
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
  lane_values_ = lane_values(std::min(vectors, format.page), format.dim);
  twice_ = LaneMemory(lane_values_);
  if (!format.readable) {  // which would write all of it
    std::fill_n(twice_.get(), lane_values_, 0);
    if (!coder_) coder_ = std::make_shared<const PointCoder>(format.coder_of(classes));
  }
}

void PagedReader::load(std::size_t page, std::span<const std::size_t> kept) {
  page_ = page;
  const std::size_t vectors = std::min(format_.page, vectors_ - page * format_.page);
  const auto stream = streams_.subspan(starts_[page], starts_[page + 1] - starts_[page]);
  if (format_.readable) return format_.readable->decode(stream, vectors, twice());
  if (kept.size() < vectors) {
    coder_->decode(stream, vectors - kept.size(), twice());
  } else if (!stream.empty()) {
    throw CorruptStream("page " + std::to_string(page) + ": " + std::to_string(stream.size()) +
                        " bytes, expected none where all vectors are kept");
  }
  move_apart(vectors, kept);
}

// From the last vector on, so that none is overwritten before it has moved.
void PagedReader::move_apart(std::size_t vectors, std::span<const std::size_t> kept) {
  std::size_t left = kept.size();
  for (std::size_t vector = vectors; left != 0;) {
    --vector;
    if (kept[left - 1] != vector) {
      copy_vector(twice(), format_.dim, vector - left, vector);
      continue;
    }
    for (std::size_t i = 0; i < format_.dim; ++i)
      twice_.get()[lane_value(vector, i, format_.dim)] = 0;
    --left;
  }
}

void PagedReader::tile(std::size_t first, float* tile) const {
  const std::size_t at = first - page_ * format_.page;
  lanes_to_points(twice_.get() + lane_place(at, format_.dim), format_.dim, tile);
}

DearVectors::DearVectors(const PointCoder& coder, std::size_t bits)
    : coder_(&coder), bits_(bits), slopes_(coder.dim()) {
  for (std::size_t i = 0; i < slopes_.size(); ++i) {
    const CostLine line = coder.cost_line(i);
    base_ += line.base;
    slopes_[i] = line.slope;
  }
}

void DearVectors::find(const float* tile, std::size_t vectors, bool* dear) {
  for (std::size_t r = 0; readable_ != nullptr && r < vectors; ++r) {
    dear[r] = readable_->most_bits(tile, kTileRows, r) > readable_->most_vector_bits();
  }
  if (readable_ != nullptr) return;
  // The quick bound first, in floats: 1 % more is more than their sums can be wrong by.
  float quick[kTileRows] = {};
  for (std::size_t i = 0; i < slopes_.size(); ++i) {
    for (std::size_t r = 0; r < kTileRows; ++r) {
      quick[r] += slopes_[i] * std::fabs(tile[i * kTileRows + r]);
    }
  }
  bool converted = false;
  for (std::size_t r = 0; r < vectors; ++r) {
    dear[r] = false;
    if (1.01f * (base_ + quick[r]) <= static_cast<float>(bits_)) continue;
    if (!converted) {
      twice_.resize(lane_values(kTileRows, slopes_.size()));
      points_to_lanes(tile, slopes_.size(), twice_.data());
      converted = true;
    }
    dear[r] = coder_->most_cost(twice_, r) > std::uint64_t{bits_} * kCostsABit;
  }
}

TileEntropy::TileEntropy(Lattice lattice, std::size_t dim)
    : dim_(dim), twice_(lane_values(kLanes, dim)), entropy_(lattice) {}

void TileEntropy::count() {
  if (held_ != 0) entropy_.add(twice_, held_, dim_);
  held_ = 0;
}

void TileEntropy::add(const float* tile, std::size_t vectors, const bool* kept) {
  if (held_ == kLanes || held_ % kTileRows != 0) count();
  points_to_lanes(tile, dim_, twice_.data() + held_);
  const std::size_t first = held_;
  for (std::size_t r = 0; r < vectors; ++r) {
    if (kept != nullptr && kept[r]) continue;
    if (held_ != first + r) copy_vector(twice_, dim_, first + r, held_);
    ++held_;
  }
}

double TileEntropy::total_bits() {
  count();
  return entropy_.total_bits();
}

}  // namespace kakeya

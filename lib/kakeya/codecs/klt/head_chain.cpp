// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codecs/klt/head_chain.h"

#include <algorithm>
#include <cmath>

#include "kakeya/codecs/klt/klt_plan.h"
#include "kakeya/codecs/klt/moments.h"
#include "kakeya/core/error.h"
#include "kakeya/entropy/field_coder.h"
#include "kakeya/entropy/prefix_coder.h"
#include "kakeya/entropy/tile_coder.h"

namespace kakeya {

HeadChain::HeadChain(const SiteTransform& transform, Lattice lattice, int fineness, bool exact)
    : lattice_(lattice),
      matrix_bytes_(transform.matrix_bytes()),
      mean_(transform.mean),
      forward_(transform.forward),
      backward_(transform.backward) {
  for (const float value : mean_) negative_.push_back(-value);
  const float step = step_of_fineness(fineness), inverse = 1.0f / step;
  if (exact) exact_ = exact_product(transform, step);
  for (float& value : forward_) value *= inverse;
  for (float& value : backward_) value *= step;
  for (const std::uint8_t which : transform.classes) {
    classes_.push_back(klt_class(which, quarters_of_fineness(fineness)));
  }
}

std::size_t HeadChain::held_bytes() const {
  std::size_t bytes = bytes_held(mean_, negative_, forward_, backward_, classes_);
  if (exact_) {
    bytes += bytes_held(exact_->forward.pairs, exact_->backward.pairs, exact_->to_whole,
                        exact_->forward_scale, exact_->backward_scale);
  }
  return bytes;
}

void HeadChain::encode(Rows<const float> x, Memory& memory, float* largest) const {
  std::uint32_t magnitudes[kTileRows];
  load_tile(x, memory.other.data(), magnitudes);
  shift_coordinates(memory.other.data(), dim(), negative_.data());
  if (exact_) {
    to_coordinates(memory.other.data(), memory.points[0].data());
  } else {
    multiply_tile(memory.other.data(), dim(), forward_.data(), memory.points[0].data());
  }
  std::fill_n(largest, kTileRows, 0.0f);
  quantise_points(lattice_, memory.points[0].data(), dim(), largest, this->largest());
}

void HeadChain::decode(Memory& memory, Rows<float> x) const {
  if (exact_) {
    from_points(memory.points[0].data(), memory.other.data());
  } else {
    multiply_tile(memory.points[0].data(), dim(), backward_.data(), memory.other.data());
  }
  shift_coordinates(memory.other.data(), dim(), mean_.data());
  store_tile(memory.other.data(), x);
}

void HeadChain::restore_sum(std::span<const float> points, float weight, std::span<float> x) const {
  std::vector<float> sum(dim());
  for (std::size_t j = 0; j < dim(); ++j) {
    for (std::size_t i = 0; i < dim(); ++i) sum[i] += points[j] * back(j, i);
  }
  for (std::size_t i = 0; i < dim(); ++i) x[i] += sum[i] * scale_back(i) + weight * mean_[i];
}

float HeadChain::turn_query(std::span<const float> query, std::span<float> turned) const {
  float offset = 0;
  std::vector<float> scaled(dim());
  for (std::size_t i = 0; i < dim(); ++i) {
    offset += query[i] * mean_[i];
    scaled[i] = query[i] * scale_back(i);
  }
  for (std::size_t j = 0; j < dim(); ++j) {
    turned[j] = 0;
    for (std::size_t i = 0; i < dim(); ++i) turned[j] += back(j, i) * scaled[i];
  }
  return offset;
}

// y of a tile of x less its mean; infinite where a coordinate is above kLargestWhole.
void HeadChain::to_coordinates(float* x, float* y) const {
  constexpr float kMost = kLargestWhole;
  float most[kTileRows], magnitudes[kTileRows];
  scale_coordinates(x, dim(), exact_->to_whole.data());
  measure_tile(x, dim(), nullptr, most);
  for (std::size_t r = 0; r < kTileRows; ++r) {
    for (std::size_t i = 0; i < dim() && !(most[r] <= kMost); ++i) x[i * kTileRows + r] = 0.0f;
  }
  multiply_whole_tile(x, 1.0f, exact_->forward, exact_->forward_scale.data(), y, magnitudes);
  for (std::size_t r = 0; r < kTileRows; ++r) {
    if (!(most[r] <= kMost)) y[r] = INFINITY;
  }
}

void HeadChain::from_points(const float* points, float* x) const {
  float most[kTileRows];
  multiply_whole_tile(points, 2.0f, exact_->backward, exact_->backward_scale.data(), x, most);
  for (const float value : most) {
    if (value <= kLargestWhole) continue;
    throw CorruptStream("klt: product=exact: a coordinate of " + std::to_string(value / 2) +
                        " steps: expected at most " + std::to_string(kLargestWhole / 2));
  }
}

std::shared_ptr<const ReadablePages> readable_pages(const std::string& pages,
                                                    const std::vector<std::uint8_t>& classes,
                                                    Lattice lattice, Part part) {
  if (pages == "rans") return nullptr;
  std::vector<CoordinateShape> shapes;
  for (const std::uint8_t which : classes) {
    shapes.push_back(klt_model(lattice)->shape(which));
  }
  if (pages == "prefix") return std::make_shared<const PrefixCoder>(shapes);
  std::vector<double> deviations;
  for (const CoordinateShape& shape : shapes) deviations.push_back(shape.deviation);
  const FieldOrder order = part == Part::key ? FieldOrder::keys : FieldOrder::values;
  if (pages == "tiles") return std::make_shared<const TileCoder>(order, deviations);
  return std::make_shared<const FieldCoder>(lattice, order, deviations);
}

}  // namespace kakeya

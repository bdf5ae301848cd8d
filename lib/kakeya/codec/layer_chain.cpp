// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codec/layer_chain.h"

#include <algorithm>
#include <cmath>

#include "kakeya/core/half.h"

namespace kakeya {
namespace {

std::vector<float> to_floats(const std::uint16_t* halves, std::size_t count) {
  std::vector<float> values(count);
  std::transform(halves, halves + count, values.begin(), half_to_float);
  return values;
}

// Adds one tile to another, or subtracts it.
void add_tile(float* sum, const float* tile, std::size_t dim, float sign) {
  for (std::size_t i = 0; i < dim * kTileRows; ++i) sum[i] += sign * tile[i];
}

}  // namespace

TokenTile::TokenTile(const LayerChain& chain)
    : points(chain.dim()), one(chain.width()), two(chain.width()), three(chain.width()) {
  for (int i = 0; i <= kMostOrder; ++i) decoded.emplace_back(chain.width());
}

LayerChain::LayerChain(const Profile& profile, const KltChoice& choice, LayerRange range, int order,
                       int fineness, std::size_t rate)
    : width_(profile.layer_width()),
      head_dim_(static_cast<std::size_t>(profile.head_dim)),
      lattice_(choice.lattice) {
  const float step = step_of_fineness(fineness);
  for (int before = 0; before < range.count; ++before) {
    const int number = range.first + before, used = std::min(before, order);
    const LayerTransform& made = profile.layer_transform(used, number);
    Layer layer;
    layer.order = static_cast<std::size_t>(used);
    layer.matrix_bytes = made.matrix_bytes();
    for (const bool key : {true, false}) {
      const auto part = static_cast<std::size_t>(2 * number + (key ? 0 : 1));
      const auto up = static_cast<float>(std::exp2(profile.layer_octaves[part]));
      for (int head = 0; head < profile.kv_heads; ++head) {
        const SiteTransform& site = profile.transform({number, key, head}, choice.variant);
        layer.matrix_bytes += site.matrix_bytes();
        layer.mean.insert(layer.mean.end(), site.mean.begin(), site.mean.end());
        layer.forward.push_back(site.forward);
        layer.backward.push_back(site.backward);
        for (float& value : layer.forward.back()) value *= up;
        for (float& value : layer.backward.back()) value /= up;
      }
    }
    for (const float value : layer.mean) layer.negative_mean.push_back(-value);
    const std::size_t square = width_ * width_;
    for (std::size_t p = 0; p < layer.order; ++p) {
      layer.predictors.push_back(to_floats(made.predictor.data() + p * square, square));
    }
    layer.analysis = to_floats(made.rotation.data(), square);
    layer.synthesis.resize(square);
    for (std::size_t j = 0; j < width_; ++j) {
      layer.classes.push_back(
          klt_class(made.classes[rate * width_ + j], quarters_of_fineness(fineness)));
      for (std::size_t i = 0; i < width_; ++i) {
        float& there = layer.analysis[i * width_ + j];
        layer.synthesis[j * width_ + i] = there * step;
        there /= step;
      }
    }
    layers_.push_back(std::move(layer));
  }
}

std::vector<std::uint8_t> LayerChain::classes() const {
  std::vector<std::uint8_t> all;
  for (const Layer& layer : layers_) {
    all.insert(all.end(), layer.classes.begin(), layer.classes.end());
  }
  return all;
}

std::size_t LayerChain::profile_bytes() const {
  std::size_t bytes = 0;
  for (const Layer& layer : layers_) {
    bytes += 4 * width_ + layer.matrix_bytes + width_ + 8;
  }
  return bytes;
}

// To tile.three; zeros where nothing comes before.
void LayerChain::predict(std::size_t index, TokenTile& tile) const {
  const Layer& layer = layers_[index];
  float* sum = tile.three.data();
  if (layer.order == 0) std::fill_n(sum, width_ * kTileRows, 0.0f);
  for (std::size_t back = 1; back <= layer.order; ++back) {
    const float* from = tile.decoded[(index - back) % (kMostOrder + 1)].data();
    float* to = back == 1 ? sum : tile.two.data();
    multiply_tile(from, width_, layer.predictors[back - 1].data(), to);
    if (back > 1) add_tile(sum, to, width_, 1.0f);
  }
}

void LayerChain::close_loop(std::size_t index, TokenTile& tile) const {
  float* decoded = tile.decoded[index % (kMostOrder + 1)].data();
  multiply_tile(tile.points.data() + index * width_ * kTileRows, width_,
                layers_[index].synthesis.data(), decoded);
  add_tile(decoded, tile.three.data(), width_, 1.0f);
}

void LayerChain::encode(Rows<const float> x, TokenTile& tile, float* largest) const {
  std::fill_n(largest, kTileRows, 0.0f);
  for (std::size_t index = 0; index < layers_.size(); ++index) {
    const Layer& layer = layers_[index];
    float* points = tile.points.data() + index * width_ * kTileRows;
    std::uint32_t magnitudes[kTileRows];
    load_tile({x.data + index * width_, x.count, width_, x.stride}, tile.one.data(), magnitudes);
    shift_coordinates(tile.one.data(), width_, layer.negative_mean.data());
    for (std::size_t head = 0; head < layer.forward.size(); ++head) {
      const std::size_t at = head * head_dim_ * kTileRows;
      multiply_tile(tile.one.data() + at, head_dim_, layer.forward[head].data(),
                    tile.two.data() + at);
    }
    std::swap(tile.one, tile.two);
    predict(index, tile);
    add_tile(tile.one.data(), tile.three.data(), width_, -1.0f);
    multiply_tile(tile.one.data(), width_, layer.analysis.data(), points);
    float here[kTileRows], factor[kTileRows];
    measure_tile(points, width_, nullptr, here);
    for (std::size_t r = 0; r < kTileRows; ++r) {
      // A row that has no points goes on as if it had zeros here: nobody reads it.
      const bool fits = here[r] <= 0x1p20f;
      if (!fits || here[r] > largest[r]) largest[r] = fits ? here[r] : INFINITY;
      factor[r] = fits ? 1.0f : 0.0f;
      for (std::size_t i = 0; i < width_ && !fits; ++i) points[i * kTileRows + r] = 0.0f;
    }
    quantise_tile(lattice_, points, width_, factor, 0.0f);
    close_loop(index, tile);
  }
}

void LayerChain::decode(TokenTile& tile, Rows<float> x) const {
  for (std::size_t index = 0; index < layers_.size(); ++index) {
    const Layer& layer = layers_[index];
    predict(index, tile);
    close_loop(index, tile);
    const float* decoded = tile.decoded[index % (kMostOrder + 1)].data();
    for (std::size_t head = 0; head < layer.backward.size(); ++head) {
      const std::size_t at = head * head_dim_ * kTileRows;
      multiply_tile(decoded + at, head_dim_, layer.backward[head].data(), tile.one.data() + at);
    }
    shift_coordinates(tile.one.data(), width_, layer.mean.data());
    store_tile(tile.one.data(), {x.data + index * width_, x.count, width_, x.stride});
  }
}

}  // namespace kakeya

// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codecs/klt/layer_chain.h"

#include <algorithm>
#include <cmath>

#include "kakeya/codecs/klt/chain_codec.h"
#include "kakeya/codecs/klt/fixed_order.h"
#include "kakeya/codecs/klt/moments.h"
#include "kakeya/core/half.h"

namespace kakeya {
namespace {

constexpr std::size_t kPanel = LayersPlan::kPanel;  // multiply_tile() takes multiples of it

std::vector<float> to_floats(const std::uint16_t* halves, std::size_t count) {
  std::vector<float> values(count);
  std::transform(halves, halves + count, values.begin(), half_to_float);
  return values;
}

// Adds one tile to another, or subtracts it.
void add_tile(float* sum, const float* tile, std::size_t dim, float sign) {
  for (std::size_t i = 0; i < dim * kTileRows; ++i) sum[i] += sign * tile[i];
}

std::size_t tiles_of(std::size_t tokens) { return (tokens + kTileRows - 1) / kTileRows; }

TokenTiles::Tiles make_tiles(std::size_t dim, std::size_t tokens) {
  TokenTiles::Tiles tiles;
  const std::size_t count = std::min(tiles_of(tokens), TokenTiles::kMostTiles);
  for (std::size_t i = 0; i < count; ++i) tiles.emplace_back(dim);
  return tiles;
}

}  // namespace

TokenTiles::TokenTiles(const LayerChain& chain, std::size_t tokens)
    : points(make_tiles(chain.dim(), tokens)),
      one(make_tiles(chain.width(), tokens)),
      two(make_tiles(chain.width(), tokens)),
      three(make_tiles(chain.width(), tokens)) {
  for (std::size_t i = 0; i < chain.kept_groups(); ++i) {
    decoded.push_back(make_tiles(chain.width(), tokens));
  }
}

LayerChain::LayerChain(const Profile& profile, const KltChoice& choice, LayerRange range, int order,
                       int fineness)
    : layers_of_group_(static_cast<std::size_t>(profile.layer_group)),
      width_(profile.group_width()),
      head_dim_(profile.shape.dim()),
      lattice_(choice.lattice),
      shaping_(choice.shaping),
      fineness_(fineness) {
  const int first = range.first / profile.layer_group, count = range.count / profile.layer_group;
  for (int before = 0; before < count; ++before) {
    const int number = first + before, used = std::min(before, order);
    const LayerTransform& made = profile.layer_transform(used, number);
    Group group;
    group.order = static_cast<std::size_t>(used);
    group.matrix_bytes = made.matrix_bytes();
    for (int i = 0; i < profile.layer_group; ++i) {
      add_heads(profile, choice, number * profile.layer_group + i, group);
    }
    for (const float value : group.mean) group.negative_mean.push_back(-value);
    set_predictors(to_floats(made.predictor.data(), group.order * width_ * width_), group);
    add_rotation(profile, choice, made, group);
    groups_.push_back(std::move(group));
  }
}

void LayerChain::recode(std::size_t index, const GroupCoding& coding) {
  Group& group = groups_[index];
  if (!coding.predictor.empty()) set_predictors(coding.predictor, group);
  group.offset = coding.offset;
  set_rotation(coding.rotation, coding.deviations, coding.classes, group);
}

void LayerChain::set_predictors(const std::vector<float>& predictor, Group& group) const {
  group.predictors.clear();
  const auto square = static_cast<std::ptrdiff_t>(width_ * width_);
  for (auto from = predictor.begin(); from != predictor.end(); from += square) {
    group.predictors.push_back(in_panels({from, from + square}, width_));
  }
}

void LayerChain::add_heads(const Profile& profile, const KltChoice& choice, int layer,
                           Group& group) const {
  for (const Part part : {Part::key, Part::value}) {
    const auto up =
        static_cast<float>(std::exp2(profile.layer_octaves[KvSite{layer, part}.index()]));
    for (int head = 0; head < profile.shape.kv_heads; ++head) {
      const SiteTransform& site = profile.transform({layer, part, head}, choice.variant);
      group.matrix_bytes += site.matrix_bytes();
      group.mean.insert(group.mean.end(), site.mean.begin(), site.mean.end());
      group.forward.push_back(site.forward);
      group.backward.push_back(site.backward);
      for (float& value : group.forward.back()) value *= up;
      for (float& value : group.backward.back()) value /= up;
    }
  }
}

void LayerChain::add_rotation(const Profile& profile, const KltChoice& choice,
                              const LayerTransform& made, Group& group) const {
  std::vector<std::uint8_t> classes;
  for (std::size_t j = 0; j < width_; ++j) {
    const ShapedStep shaped = shaped_step(profile, choice, made.deviations[j], fineness_ / 64.0);
    classes.push_back(made.classes[shaped.rate * width_ + j]);
  }
  set_rotation(to_floats(made.rotation.data(), made.rotation.size()), made.deviations, classes,
               group);
}

void LayerChain::set_rotation(std::vector<float> rotation, std::span<const std::int8_t> deviations,
                              std::span<const std::uint8_t> classes, Group& group) const {
  const int quarters = quarters_of_fineness(fineness_);
  std::vector<float> steps, synthesis = transposed(rotation, width_);
  group.classes.clear();
  for (std::size_t j = 0; j < width_; ++j) {
    const int gain = shaping_gain(deviations[j], shaping_);
    steps.push_back(step_of_fineness(fineness_ + 16 * gain));
    group.classes.push_back(klt_class(classes[j], quarters + gain));
    for (std::size_t i = 0; i < width_; ++i) synthesis[j * width_ + i] *= steps[j];
  }
  for (std::size_t i = 0; i < width_; ++i) {
    for (std::size_t j = 0; j < width_; ++j) rotation[i * width_ + j] /= steps[j];
  }
  group.analysis = in_panels(rotation, width_);
  group.synthesis = in_panels(synthesis, width_);
}

std::vector<std::uint8_t> LayerChain::classes() const {
  std::vector<std::uint8_t> all;
  for (const Group& group : groups_) {
    all.insert(all.end(), group.classes.begin(), group.classes.end());
  }
  return all;
}

std::vector<LayersPlan::Group> LayerChain::plans() const {
  std::vector<LayersPlan::Group> plans;
  for (const Group& group : groups_) {
    LayersPlan::Group plan{group.mean, group.negative_mean, {}, {}, {}, {}, {}};
    plan.forward.assign(group.forward.begin(), group.forward.end());
    plan.backward.assign(group.backward.begin(), group.backward.end());
    for (const Matrix& predictor : group.predictors) plan.predictors.push_back(predictor.panels);
    plan.analysis = group.analysis.panels;
    plan.synthesis = group.synthesis.panels;
    plans.push_back(std::move(plan));
  }
  return plans;
}

std::size_t LayerChain::profile_bytes() const {
  std::size_t bytes = 0;
  for (const Group& group : groups_) {
    bytes += 4 * width_ + group.matrix_bytes + 2 * width_ + 8 * layers_of_group_;
  }
  return bytes;
}

std::size_t LayerChain::held_bytes() const {
  std::size_t bytes = 0;
  for (const Group& group : groups_) {
    bytes += bytes_held(group.mean, group.negative_mean, group.offset, group.analysis.panels,
                        group.synthesis.panels, group.classes);
    for (const Matrix& predictor : group.predictors) bytes += bytes_held(predictor.panels);
    for (const auto* matrices : {&group.forward, &group.backward}) {
      for (const std::vector<float>& matrix : *matrices) bytes += bytes_held(matrix);
    }
  }
  return bytes;
}

LayerChain::Matrix LayerChain::in_panels(const std::vector<float>& values, std::size_t columns) {
  Matrix matrix{values.size() / columns, columns, {}};
  matrix.panels.reserve(values.size());
  for (std::size_t first = 0; first < columns; first += kPanel) {
    for (std::size_t row = 0; row < matrix.rows; ++row) {
      const float* from = values.data() + row * columns + first;
      matrix.panels.insert(matrix.panels.end(), from, from + kPanel);
    }
  }
  return matrix;
}

// Of the coordinates from `from` on of each tile, to those from `to` on.
void LayerChain::multiply(const TokenTiles::Tiles& x, std::size_t from, const Matrix& matrix,
                          TokenTiles::Tiles& product, std::size_t to, std::size_t tiles) {
  for (std::size_t first = 0; first < matrix.columns; first += kPanel) {
    const float* panel = matrix.panels.data() + first * matrix.rows;
    for (std::size_t tile = 0; tile < tiles; ++tile) {
      multiply_tile(x[tile].data() + from * kTileRows, matrix.rows, panel, kPanel,
                    product[tile].data() + (to + first) * kTileRows);
    }
  }
}

// To three; zeros where nothing comes before.
void LayerChain::predict(std::size_t index, std::size_t tiles, TokenTiles& memory) const {
  const Group& group = groups_[index];
  for (std::size_t tile = 0; tile < tiles && group.order == 0; ++tile) {
    std::fill_n(memory.three[tile].data(), width_ * kTileRows, 0.0f);
  }
  for (std::size_t back = 1; back <= group.order; ++back) {
    const TokenTiles::Tiles& from = memory.decoded[(index - back) % memory.decoded.size()];
    TokenTiles::Tiles& to = back == 1 ? memory.three : memory.two;
    multiply(from, 0, group.predictors[back - 1], to, 0, tiles);
    for (std::size_t tile = 0; tile < tiles && back > 1; ++tile) {
      add_tile(memory.three[tile].data(), to[tile].data(), width_, 1.0f);
    }
  }
  for (std::size_t tile = 0; tile < tiles && !group.offset.empty(); ++tile) {
    shift_coordinates(memory.three[tile].data(), width_, group.offset.data());
  }
}

void LayerChain::close_loop(std::size_t index, std::size_t tiles, TokenTiles& memory) const {
  TokenTiles::Tiles& decoded = memory.decoded[index % memory.decoded.size()];
  multiply(memory.points, index * width_, groups_[index].synthesis, decoded, 0, tiles);
  for (std::size_t tile = 0; tile < tiles; ++tile) {
    add_tile(decoded[tile].data(), memory.three[tile].data(), width_, 1.0f);
  }
}

void LayerChain::head_coordinates(std::size_t index, Rows<const float> tokens, float* in,
                                  float* u) const {
  const Group& group = groups_[index];
  std::uint32_t magnitudes[kTileRows];
  load_tile({tokens.data + index * width_, tokens.count, width_, tokens.stride}, in, magnitudes);
  shift_coordinates(in, width_, group.negative_mean.data());
  for (std::size_t head = 0; head < group.forward.size(); ++head) {
    const std::size_t at = head * head_dim_ * kTileRows;
    multiply_tile(in + at, head_dim_, group.forward[head].data(), u + at);
  }
}

void LayerChain::encode(Rows<const float> x, TokenTiles& memory, float* largest) const {
  const std::size_t tiles = tiles_of(x.count);
  std::fill_n(largest, tiles * kTileRows, 0.0f);
  for (std::size_t index = 0; index < groups_.size(); ++index) {
    const Group& group = groups_[index];
    predict(index, tiles, memory);
    for (std::size_t tile = 0; tile < tiles; ++tile) {
      const std::size_t first = tile * kTileRows;
      float* const u = memory.one[tile].data();
      head_coordinates(index, x.slice(first, std::min(kTileRows, x.count - first)),
                       memory.two[tile].data(), u);
      add_tile(u, memory.three[tile].data(), width_, -1.0f);
    }
    multiply(memory.one, 0, group.analysis, memory.points, index * width_, tiles);
    for (std::size_t tile = 0; tile < tiles; ++tile) {
      quantise_points(lattice_, memory.points[tile].data() + index * width_ * kTileRows, width_,
                      largest + tile * kTileRows);
    }
    close_loop(index, tiles, memory);
  }
}

void LayerChain::decode(TokenTiles& memory, Rows<float> x) const {
  const std::size_t tiles = tiles_of(x.count);
  for (std::size_t index = 0; index < groups_.size(); ++index) {
    const Group& group = groups_[index];
    predict(index, tiles, memory);
    close_loop(index, tiles, memory);
    for (std::size_t tile = 0; tile < tiles; ++tile) {
      const std::size_t first = tile * kTileRows;
      const float* decoded = memory.decoded[index % memory.decoded.size()][tile].data();
      float* out = memory.one[tile].data();
      for (std::size_t head = 0; head < group.backward.size(); ++head) {
        const std::size_t at = head * head_dim_ * kTileRows;
        multiply_tile(decoded + at, head_dim_, group.backward[head].data(), out + at);
      }
      shift_coordinates(out, width_, group.mean.data());
      store_tile(out, {x[first].data() + index * width_, std::min(kTileRows, x.count - first),
                       width_, x.stride});
    }
  }
}

}  // namespace kakeya

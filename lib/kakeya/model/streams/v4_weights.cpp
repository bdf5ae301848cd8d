// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/streams/v4_weights.h"

#include <cmath>
#include <set>

#include "kakeya/core/error.h"
#include "kakeya/core/random.h"
#include "kakeya/model/weights/scaled_weights.h"

namespace kakeya {
namespace {

using Shape = std::vector<std::size_t>;

constexpr const char* kScaled =
    "F8_E4M3";  // whose matrices have scales of their blocks beside them

std::size_t size(int length) { return static_cast<std::size_t>(length); }

// One tensor by any of the names that files have for it, behind "layers.N." and perhaps "model.".
struct Tensor {
  enum class Kind { matrix, bias, norm };
  Kind kind;
  std::vector<std::string> names;
  Shape shape;
  std::vector<float>* into = nullptr;
};

Tensor tensor(Tensor::Kind kind, Shape shape, std::vector<float>& into,
              std::vector<std::string> names) {
  return {kind, std::move(names), std::move(shape), &into};
}

// `ours` and `published`: where the compressor stands in transformers' names and in the publisher's.
void add_compressor(std::vector<Tensor>& list, V4Compressor& to, std::size_t hidden,
                    const std::string& ours, const std::string& published) {
  const std::size_t wide = to.overlap ? 2 * to.dim : to.dim;
  const std::string own = "self_attn." + ours + ".", file = "attn." + published + ".";
  list.push_back(tensor(Tensor::Kind::matrix, {wide, hidden}, to.kv,
                        {own + "kv_proj.weight", file + "wkv.weight"}));
  list.push_back(tensor(Tensor::Kind::matrix, {wide, hidden}, to.gate,
                        {own + "gate_proj.weight", file + "wgate.weight"}));
  list.push_back(tensor(Tensor::Kind::bias, {to.ratio, wide}, to.position_bias,
                        {own + "position_bias", file + "ape"}));
  list.push_back(tensor(Tensor::Kind::norm, {to.dim}, to.norm,
                        {own + "kv_norm.weight", file + "norm.weight"}));
}

// The tensors of a layer, and the weights that they go into, made to their sizes.
std::vector<Tensor> tensors_of(const V4Config& config, V4Attention kind, V4LayerWeights& to) {
  const std::size_t hidden = size(config.hidden), dim = size(config.head_dim);
  std::vector<Tensor> list = {
      tensor(Tensor::Kind::matrix, {dim, hidden}, to.kv,
             {"self_attn.kv_proj.weight", "attn.wkv.weight"}),
      // transformers writes the published name as attn.norm
      tensor(Tensor::Kind::norm, {dim}, to.norm,
             {"self_attn.kv_norm.weight", "attn.kv_norm.weight", "attn.norm.weight"})};
  if (kind == V4Attention::sliding) return list;
  const bool csa = kind == V4Attention::csa;
  to.compressor = V4Compressor{
      .ratio = size(csa ? config.csa_ratio : config.hca_ratio), .dim = dim, .overlap = csa};
  add_compressor(list, *to.compressor, hidden, "compressor", "compressor");
  if (!csa) return list;
  to.indexer =
      V4Compressor{.ratio = to.compressor->ratio, .dim = size(config.index_dim), .overlap = true};
  add_compressor(list, *to.indexer, hidden, "compressor.indexer", "indexer.compressor");
  return list;
}

std::size_t values_of(const Shape& shape) {
  std::size_t values = 1;
  for (const std::size_t length : shape) values *= length;
  return values;
}

class StoredWeights final : public V4Weights {
 public:
  StoredWeights(const std::string& folder, const V4Config& config)
      : config_(config), source_(open_safetensors(folder, Shards::present)) {}

  std::optional<std::string> missing(int layer) const override {
    V4LayerWeights unused;
    for (const Tensor& each : tensors_of(config_, config_.layers.at(size(layer)), unused)) {
      const WeightInfo* const found = find(layer, each);
      if (found == nullptr) return name_text(layer, each);
      if (found->type != kScaled) continue;
      if (source_->find(scale_of(found->name)) == nullptr) return scale_of(found->name);
    }
    return std::nullopt;
  }

  V4LayerWeights read(int layer) const override {
    V4LayerWeights weights;
    for (const Tensor& each : tensors_of(config_, config_.layers.at(size(layer)), weights)) {
      const WeightInfo* const found = find(layer, each);
      if (found == nullptr)
        throw InputError(source_->path() + ": no tensor " + name_text(layer, each));
      if (found->shape != each.shape) {
        throw InputError(source_->path() + ": tensor " + found->name + " " +
                         shape_text(found->shape) + ", expected " + shape_text(each.shape));
      }
      each.into->resize(found->values());
      if (found->type == kScaled) {
        read_scaled(*source_, found->name, scale_of(found->name), config_.weight_block, *each.into);
      } else {
        source_->read(found->name, *each.into);
      }
    }
    return weights;
  }

  std::string text() const override {
    std::set<std::string> types;
    for (int layer = 0; layer < static_cast<int>(config_.layers.size()); ++layer) {
      V4LayerWeights unused;
      for (const Tensor& each : tensors_of(config_, config_.layers[size(layer)], unused)) {
        if (const WeightInfo* found = find(layer, each)) types.insert(found->type);
      }
    }
    std::string all;
    for (const std::string& type : types) all += (all.empty() ? "" : ", ") + type;
    return all;
  }

 private:
  const WeightInfo* find(int layer, const Tensor& tensor) const {
    for (const char* before : {"", "model."}) {
      for (const std::string& name : tensor.names) {
        const WeightInfo* found =
            source_->find(before + ("layers." + std::to_string(layer) + "." + name));
        if (found != nullptr) return found;
      }
    }
    return nullptr;
  }

  static std::string name_text(int layer, const Tensor& tensor) {
    return "layers." + std::to_string(layer) + "." + tensor.names[0] + " (or " + tensor.names[1] +
           ")";
  }

  // Beside "x.weight": "x.scale", or transformers' "x.weight_scale_inv".
  std::string scale_of(const std::string& weight) const {
    const std::string published = weight.substr(0, weight.rfind('.')) + ".scale";
    const std::string ours = weight + "_scale_inv";
    return source_->find(ours) != nullptr ? ours : published;
  }

  V4Config config_;
  std::unique_ptr<WeightSource> source_;
};

class RandomWeights final : public V4Weights {
 public:
  RandomWeights(const V4Config& config, std::uint64_t seed) : config_(config), seed_(seed) {}

  std::optional<std::string> missing(int) const override { return std::nullopt; }

  V4LayerWeights read(int layer) const override {
    V4LayerWeights weights;
    std::uint64_t stream = static_cast<std::uint64_t>(layer) << 8;
    for (const Tensor& each : tensors_of(config_, config_.layers.at(size(layer)), weights)) {
      ++stream;
      each.into->assign(values_of(each.shape), 1.0f);
      if (each.kind == Tensor::Kind::norm) continue;
      const double deviation = each.kind == Tensor::Kind::bias
                                   ? 0.02
                                   : 1 / std::sqrt(static_cast<double>(config_.hidden));
      const Random random(seed_, stream);
      for (std::size_t i = 0; i < each.into->size(); ++i)
        (*each.into)[i] = static_cast<float>(deviation * random.normal(i));
    }
    return weights;
  }

  std::string text() const override { return "random, seed " + std::to_string(seed_); }

 private:
  V4Config config_;
  std::uint64_t seed_;
};

}  // namespace

std::unique_ptr<V4Weights> open_v4_weights(const std::string& folder, const V4Config& config) {
  return std::make_unique<StoredWeights>(folder, config);
}

std::unique_ptr<V4Weights> random_v4_weights(const V4Config& config, std::uint64_t seed) {
  return std::make_unique<RandomWeights>(config, seed);
}

}  // namespace kakeya

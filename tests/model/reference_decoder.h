// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "support/tiny_model.h"

namespace kakeya::testing {

/// What a codec does to the cache, as the reference decoder is told of it.
struct ReferenceCodec {
  /// Changes the K or V of one token in one layer, all heads of it.
  std::function<void(std::size_t layer, bool is_key, std::size_t token, std::vector<double>&)>
      change;
  std::size_t exact_window = 0;  ///< how many of the last tokens a query sees unchanged
  bool post_rope = false;        ///< keys are changed after their rotation
};

/// The decoder of a TinyModel in plain loops and doubles: what the real one is compared with.
class ReferenceDecoder {
 public:
  explicit ReferenceDecoder(const TinyModel& model, ReferenceCodec codec = {})
      : model_(model), codec_(std::move(codec)) {}

  /// Logits of every position, [tokens][vocab].
  std::vector<std::vector<double>> logits(std::span<const std::int32_t> tokens) const {
    std::vector<Row> x;
    for (const std::int32_t token : tokens) {
      const auto& table = values("model.embed_tokens.weight");
      const auto start = table.begin() + token * static_cast<std::ptrdiff_t>(model_.hidden);
      x.emplace_back(start, start + static_cast<std::ptrdiff_t>(model_.hidden));
      if (model_.gemma()) {
        for (double& value : x.back()) value *= std::sqrt(static_cast<double>(model_.hidden));
      }
    }
    for (std::size_t i = 0; i < model_.layers; ++i) layer(i, x);
    std::vector<std::vector<double>> out;
    for (const Row& row : x) {
      const std::string output = model_.tied ? "model.embed_tokens" : "lm_head";
      out.push_back(apply(output, norm(row, "model.norm.weight")));
    }
    return out;
  }

 private:
  using Row = std::vector<double>;

  const std::vector<float>& values(const std::string& name) const {
    return model_.tensors.at(name).values;
  }

  Row norm(const Row& x, const std::string& weight) const {
    double square = 0;
    for (const double value : x) square += value * value;
    const double scale = 1 / std::sqrt(square / static_cast<double>(x.size()) +
                                       static_cast<double>(model_.norm_eps));
    Row out;
    for (std::size_t i = 0; i < x.size(); ++i)
      out.push_back(x[i] * scale *
                    (static_cast<double>(values(weight)[i]) + (model_.gemma() ? 1 : 0)));
    return out;
  }

  Row apply(const std::string& name, const Row& x) const {
    const auto& weight = values(name + ".weight");
    const auto bias = model_.tensors.find(name + ".bias");
    Row out(weight.size() / x.size());
    for (std::size_t r = 0; r < out.size(); ++r) {
      if (bias != model_.tensors.end()) out[r] = static_cast<double>(bias->second.values[r]);
      for (std::size_t c = 0; c < x.size(); ++c)
        out[r] += static_cast<double>(weight[r * x.size() + c]) * x[c];
    }
    return out;
  }

  /// The heads of one row, each by itself.
  std::vector<Row> heads_of(const Row& all) const {
    std::vector<Row> heads;
    for (std::size_t start = 0; start < all.size(); start += model_.head_dim) {
      const auto begin = all.begin() + static_cast<std::ptrdiff_t>(start);
      heads.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(model_.head_dim));
    }
    return heads;
  }

  /// The heads of a projection, normed where the model norms them.
  Row projected(const std::string& layer, const char* name, const Row& x) const {
    const Row all = apply(layer + "self_attn." + name + "_proj", x);
    if (!model_.qk_norm()) return all;
    Row out;
    for (const Row& head : heads_of(all)) {
      const Row normed = norm(head, layer + "self_attn." + name + "_norm.weight");
      out.insert(out.end(), normed.begin(), normed.end());
    }
    return out;
  }

  /// The heads of a row, rotated to `position`.
  Row rotated(const Row& all, std::size_t position, double base) const {
    Row out;
    const std::size_t dim = model_.head_dim, half = dim / 2;
    for (const Row& head : heads_of(all)) {
      for (std::size_t i = 0; i < dim; ++i) {
        const double power = -2.0 * static_cast<double>(i % half) / static_cast<double>(dim);
        const double angle = static_cast<double>(position) * std::pow(base, power);
        const double other = i < half ? -head[i + half] : head[i - half];
        out.push_back(head[i] * std::cos(angle) + other * std::sin(angle));
      }
    }
    return out;
  }

  /// Keys and values of all tokens so far.
  struct Cache {
    std::vector<Row> k, v;
  };

  /// What token t gathers from tokens `first` to t: from the last ones of `exact`, from the others
  /// of `coded`.
  Row attention(const std::vector<Row>& q, const Cache& coded, const Cache& exact,
                std::size_t first, std::size_t t) const {
    const auto seen = [&](std::size_t s) -> const Cache& {
      return t - s < codec_.exact_window ? exact : coded;
    };
    const double scalar =
        model_.query_scalar > 0 ? model_.query_scalar : static_cast<double>(model_.head_dim);
    const std::size_t dim = model_.head_dim, group = model_.query_heads / model_.kv_heads;
    Row out(model_.query_heads * dim);
    for (std::size_t head = 0; head < model_.query_heads; ++head) {
      const std::size_t from = head * dim, shared = head / group * dim;
      Row weight;
      double total = 0;
      for (std::size_t s = first; s <= t; ++s) {
        double score = 0;
        for (std::size_t i = 0; i < dim; ++i) score += q[t][from + i] * seen(s).k[s][shared + i];
        weight.push_back(std::exp(score / std::sqrt(scalar)));
        total += weight.back();
      }
      for (std::size_t s = first; s <= t; ++s) {
        for (std::size_t i = 0; i < dim; ++i)
          out[from + i] += weight[s - first] / total * seen(s).v[s][shared + i];
      }
    }
    return out;
  }

  static double activation(double x, bool gelu) {
    if (!gelu) return x / (1 + std::exp(-x));
    return 0.5 * x * (1 + std::tanh(std::sqrt(2 / std::acos(-1.0)) * (x + 0.044715 * x * x * x)));
  }

  void layer(std::size_t index, std::vector<Row>& x) const {
    const std::string name = "model.layers." + std::to_string(index) + ".";
    const bool gemma = model_.gemma(), windowed = gemma && (index + 1) % model_.full_every != 0;
    const double base = static_cast<double>(windowed ? model_.window_rope_base : model_.rope_base);
    std::vector<Row> q;
    Cache coded, exact;
    for (std::size_t t = 0; t < x.size(); ++t) {
      const Row normed = norm(x[t], name + "input_layernorm.weight");
      const Row key = projected(name, "k", normed),
                value = apply(name + "self_attn.v_proj", normed);
      const auto changed = [&](bool is_key, Row row) {
        if (codec_.change) codec_.change(index, is_key, t, row);
        return row;
      };
      q.push_back(rotated(projected(name, "q", normed), t, base));
      exact.k.push_back(rotated(key, t, base));
      exact.v.push_back(value);
      coded.k.push_back(codec_.post_rope ? changed(true, exact.k.back())
                                         : rotated(changed(true, key), t, base));
      coded.v.push_back(changed(false, value));
    }
    for (std::size_t t = 0; t < x.size(); ++t) {
      const std::size_t first = windowed && t + 1 > model_.window ? t + 1 - model_.window : 0;
      Row mixed = apply(name + "self_attn.o_proj", attention(q, coded, exact, first, t));
      if (gemma) mixed = norm(mixed, name + "post_attention_layernorm.weight");
      add(x[t], mixed);
      const Row normed = norm(x[t], name + (gemma ? "pre_feedforward_layernorm.weight"
                                                  : "post_attention_layernorm.weight"));
      Row gate = apply(name + "mlp.gate_proj", normed);
      const Row up = apply(name + "mlp.up_proj", normed);
      for (std::size_t i = 0; i < gate.size(); ++i) gate[i] = activation(gate[i], gemma) * up[i];
      Row down = apply(name + "mlp.down_proj", gate);
      if (gemma) down = norm(down, name + "post_feedforward_layernorm.weight");
      add(x[t], down);
    }
  }

  static void add(Row& x, const Row& y) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += y[i];
  }

  const TinyModel& model_;
  ReferenceCodec codec_;
};

}  // namespace kakeya::testing

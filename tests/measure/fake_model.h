// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "kakeya/core/error.h"
#include "kakeya/measure/passages.h"
#include "kakeya/model/model.h"
#include "support/scratch_folder.h"

namespace kakeya::testing {

/// A number in [-1, 1) that depends on nothing but its arguments.
inline float hashed(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  std::uint64_t x = a * 0x9e3779b97f4a7c15u + b * 0xbf58476d1ce4e5b9u + c * 0x94d049bb133111ebu + 1;
  for (int round = 0; round < 3; ++round) {
    x ^= x >> 31;
    x *= 0xd6e8feb86659fd93u;
  }
  return static_cast<float>(static_cast<double>(x >> 11) * 0x1p-52 - 1);
}

/// A small deterministic causal transformer-like model: real attention (one query head for each KV
/// head), no MLP, no RoPE. What it predicts depends on every K and V before it, and layers feed
/// each other. Where the tap has an exact window, a query sees the last tokens in that version.
class FakeModel : public Model {
 public:
  explicit FakeModel(int layers = 6, int heads = 2, int dim = 16, int vocab = 40) {
    facts_ = {"fake",      "fake", layers, heads, heads,  dim,
              heads * dim, vocab,  256,    1e4,   "none", "F32"};
  }

  const ModelFacts& facts() const override { return facts_; }
  /// Its layers are on several devices from now on.
  void spread(const std::vector<int>& layer_devices) { facts_.layer_devices = layer_devices; }

  std::vector<float> logits(std::span<const std::int32_t> tokens, std::size_t first,
                            std::size_t count, KvTap* tap) override {
    ++forwards;
    return predictions(run(tokens, tap), first, count);
  }

  /// The same numbers as logits() over what the cache gives back, in the same order of sums.
  std::vector<float> step(std::span<const StepInput> batch, StepCache& cache) override {
    ++forwards;
    std::vector<float> all;
    for (const StepInput& input : batch) {
      const std::size_t n = input.tokens.size(), before = cache.tokens(input.sequence),
                        width = hidden_width();
      std::vector<float> hidden = embed(input.tokens, before);
      for (int layer = 0; layer < facts_.shape.layers; ++layer) {
        const auto seed = static_cast<std::uint64_t>(10 * layer + 10);
        const std::vector<float> queries = project(hidden, seed, n),
                                 keys = project(hidden, seed + 1, n),
                                 values = project(hidden, seed + 2, n);
        cache.append(input.sequence, layer, dense_rows(keys.data(), n, width),
                     dense_rows(values.data(), n, width));
        const auto kept = [&](Part part) {
          Versions read{std::vector<float>((before + n) * width), {}};
          cache.read(input.sequence, {layer, part}, {0, before + n},
                     dense_rows(read.coded.data(), before + n, width));
          return read;
        };
        attend(hidden, queries, before, 0, kept(Part::key), kept(Part::value));
      }
      const std::vector<float> some = predictions(hidden, n - input.scored, input.scored);
      all.insert(all.end(), some.begin(), some.end());
    }
    return all;
  }

  std::vector<double> nll(std::span<const std::int32_t>, std::size_t, KvTap*) override {
    throw InputError("the fake model has no nll()");
  }
  std::vector<double> rope_frequencies(int) const override { return {}; }
  std::vector<float> attention_output(int) const override { return {}; }
  void prefill(std::span<const std::int32_t> tokens, KvTap& tap) override { run(tokens, &tap); }

  int forwards = 0;
  float wobble = 0;  ///< not 0: every forward differs
  std::function<bool(KvSite, int)>
      hide;  ///< sites that the model keeps from the tap, in the n-th forward (from 1)
  std::function<void()> on_visit;

 private:
  std::size_t hidden_width() const { return static_cast<std::size_t>(facts_.hidden); }

  /// One part of a layer, and where a query is near, the part as it sees it.
  struct Versions {
    std::vector<float> coded, exact;
    float at(bool near, std::size_t i) const { return near ? exact[i] : coded[i]; }
  };

  Versions show(KvTap* tap, KvSite site, const std::vector<float>& part, std::size_t tokens) {
    if (on_visit) on_visit();
    Versions both{part, part};
    if (!tap || !tap->wants(site) || (hide && hide(site, forwards))) return both;
    float* const exact = tap->exact_window() > 0 ? both.exact.data() : nullptr;
    std::optional<OnDevice> there;
    if (tap->on_device() && !facts_.layer_devices.empty())
      there.emplace(facts_.layer_devices.at(static_cast<std::size_t>(site.layer)));
    if (tap->on_device()) {  // of a test whose device memory is the host's (emulated_kernels.cpp)
      const auto view = [&](float* data) {
        return dense_device_vectors(data, DeviceScalar::fp32, tokens, facts_.shape.heads(),
                                    facts_.shape.dim());
      };
      tap->visit_device(site, {view(both.coded.data()), 0, view(exact), nullptr});
      return both;
    }
    tap->visit(site,
               {both.coded.data(), tokens, facts_.shape.heads(), facts_.shape.dim(), 0, exact});
    return both;
  }

  /// Keys and values, to a tap that wants them together.
  std::array<Versions, 2> show_pair(KvTap* tap, int layer, std::array<std::vector<float>, 2> parts,
                                    std::size_t tokens) {
    if (!tap || !tap->wants_pairs()) {
      return {show(tap, {layer, Part::key}, parts[0], tokens),
              show(tap, {layer, Part::value}, parts[1], tokens)};
    }
    if (on_visit) on_visit();
    if (hide && hide({layer, Part::key}, forwards)) {
      return {Versions{parts[0], parts[0]}, Versions{parts[1], parts[1]}};
    }
    std::array<Versions, 2> both{Versions{parts[0], parts[0]}, Versions{parts[1], parts[1]}};
    const auto view = [&](Versions& part) {
      return KvView{
          part.coded.data(),  tokens, facts_.shape.heads(),
          facts_.shape.dim(), 0,      tap->exact_window() > 0 ? part.exact.data() : nullptr};
    };
    tap->visit_pair(layer, view(both[0]), view(both[1]));
    return both;
  }

  std::vector<float> project(const std::vector<float>& hidden, std::uint64_t seed,
                             std::size_t tokens) const {
    const std::size_t width = hidden_width();
    std::vector<float> out(tokens * width);
    for (std::size_t t = 0; t < tokens; ++t) {
      for (std::size_t i = 0; i < width; ++i) {
        float sum = 0;
        for (std::size_t j = 0; j < width; ++j) sum += hidden[t * width + j] * hashed(seed, i, j);
        out[t * width + i] = sum * 0.5f;
      }
    }
    return out;
  }

  /// Of tokens whose first stands at position `first`.
  std::vector<float> embed(std::span<const std::int32_t> tokens, std::size_t first) const {
    const std::size_t width = hidden_width();
    std::vector<float> hidden(tokens.size() * width);
    for (std::size_t t = 0; t < tokens.size(); ++t) {
      for (std::size_t i = 0; i < width; ++i) {
        hidden[t * width + i] =
            hashed(1, static_cast<std::uint64_t>(tokens[t]), i) + 0.2f * hashed(2, first + t, i);
      }
    }
    return hidden;
  }

  std::vector<float> predictions(const std::vector<float>& hidden, std::size_t first,
                                 std::size_t count) const {
    const std::size_t width = hidden_width(), vocab = static_cast<std::size_t>(facts_.vocab);
    std::vector<float> out(count * vocab);
    for (std::size_t row = 0; row < count; ++row) {
      for (std::size_t token = 0; token < vocab; ++token) {
        float sum = 0;
        for (std::size_t i = 0; i < width; ++i)
          sum += hidden[(first + row) * width + i] * hashed(77, token, i);
        out[row * vocab + token] =
            sum + wobble * static_cast<float>(forwards) * hashed(5, row, token);
      }
    }
    return out;
  }

  /// Of tokens whose first stands at position `first`, over all keys and values up to their own.
  void attend(std::vector<float>& hidden, const std::vector<float>& queries, std::size_t first,
              std::size_t window, const Versions& keys, const Versions& values) const {
    const std::size_t width = hidden_width(), dim = facts_.shape.dim();
    for (std::size_t row = 0; row < hidden.size() / width; ++row) {
      for (std::size_t head = 0; head < width; head += dim) {
        std::vector<float> mixed(dim, 0.0f);
        float total = 0;
        for (std::size_t s = 0; s <= first + row; ++s) {
          const bool near = first + row - s < window;
          float score = 0;
          for (std::size_t i = 0; i < dim; ++i)
            score += queries[row * width + head + i] * keys.at(near, s * width + head + i);
          const float weight = std::exp(std::tanh(score));
          total += weight;
          for (std::size_t i = 0; i < dim; ++i)
            mixed[i] += weight * values.at(near, s * width + head + i);
        }
        for (std::size_t i = 0; i < dim; ++i) {
          float& h = hidden[row * width + head + i];
          h = std::tanh(h + mixed[i] / total);
        }
      }
    }
  }

  std::vector<float> run(std::span<const std::int32_t> tokens, KvTap* tap) {
    const std::size_t n = tokens.size();
    std::vector<float> hidden = embed(tokens, 0);
    for (int layer = 0; layer < facts_.shape.layers; ++layer) {
      const auto seed = static_cast<std::uint64_t>(10 * layer + 10);
      const std::vector<float> queries = project(hidden, seed, n);
      const auto [keys, values] =
          show_pair(tap, layer, {project(hidden, seed + 1, n), project(hidden, seed + 2, n)}, n);
      attend(hidden, queries, 0, tap ? tap->exact_window() : 0, keys, values);
    }
    return hidden;
  }

  ModelFacts facts_;
};

/// Passages of `tokens` hashed ids each.
inline std::vector<Passage> fake_passages(std::size_t count, std::size_t tokens, int vocab = 40) {
  std::vector<Passage> passages(count);
  for (std::size_t p = 0; p < count; ++p) {
    passages[p].origin = "fake " + std::to_string(p);
    for (std::size_t t = 0; t < tokens; ++t) {
      const double unit = 0.5 + 0.5 * static_cast<double>(hashed(p, t, 9));
      passages[p].tokens.push_back(static_cast<std::int32_t>(unit * 0.999 * vocab));
    }
  }
  return passages;
}

}  // namespace kakeya::testing

// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/torch/torch_model.h"

#include <c10/core/InferenceMode.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cmath>

#include "kakeya/core/error.h"
#include "kakeya/model/check_tokens.h"
#include "kakeya/model/torch/decoder_ops.h"
#include "kakeya/model/torch/logit_ops.h"
#include "kakeya/model/torch/positions.h"
#include "kakeya/model/torch/read_tensor.h"
#include "kakeya/model/torch/show_tap.h"
#include "kakeya/model/torch/task_pool.h"
#include "kakeya/model/torch/torch_device.h"
#include "kakeya/model/torch/torch_functions.h"

namespace kakeya {
namespace {

bool parse_attention(const std::string& text) {
  if (text == "plain" || text == "fused") return text == "fused";
  throw SpecError("attention " + text + ": expected plain or fused");
}

}  // namespace

TorchModel::TorchModel(const Checkpoint& checkpoint, const ModelOptions& options)
    : facts_(facts_of(checkpoint)),
      config_(checkpoint.config()),
      options_(at::TensorOptions()
                   .device(parse_devices(options.device).front())
                   .dtype(parse_dtype(options.dtype))),
      products_(options_.device().is_cpu() ? options_.dtype(at::kFloat) : options_),
      fused_(parse_attention(options.attention)),
      invariant_(options.batch_invariant),
      block_tokens_(options.block_tokens),
      pool_(worker_count(options)),
      threads_(options.threads) {
  const std::vector<at::Device> devices = parse_devices(options.device);
  if (invariant_ && (fused_ || !options_.device().is_cpu())) {
    throw SpecError("batch-invariant: given with " +
                    (fused_ ? "attention fused" : "device " + options.device) +
                    ", expected attention plain on cpu");
  }
  for (const at::Device device : devices) {
    const Tensor none = at::empty({0}, products_.device(device));
    places_.push_back({device, {static_cast<std::size_t>(pool_.threads()), none}, {}});
  }
  const std::int64_t hidden = config_.hidden,
                     width = std::int64_t{config_.shape.query_heads} * config_.shape.head_dim;
  at::Device device = devices.front();
  const auto matrix = [&](std::initializer_list<Slot> slots, int layer, std::int64_t columns) {
    return read_stack(checkpoint, slots, layer, columns, options_.device(device))
        .to(products_.device(device));
  };
  const auto norm = [&](Slot slot, int layer) {
    return read_vector(checkpoint, slot, layer, options_.device(device).dtype(at::kFloat));
  };
  embedding_ = matrix({Slot::embedding}, 0, hidden);
  for (int i = 0; i < config_.shape.layers; ++i) {
    frequencies_.push_back(checkpoint.frequencies(i));
    Layer layer;
    layer.place = place_of_layer(i, config_.shape.layers, devices.size());
    device = devices[layer.place];
    if (device.is_cuda()) facts_.layer_devices.push_back(device.index());
    layer.windowed = config_.windowed(i);
    layer.attention_norm = norm(Slot::attention_norm, i);
    layer.ffn_norm = norm(Slot::ffn_norm, i);
    layer.qkv = matrix({Slot::query, Slot::key, Slot::value}, i, hidden);
    if (config_.architecture.qkv_bias) {
      layer.qkv_bias = matrix({Slot::query_bias, Slot::key_bias, Slot::value_bias}, i, 1).flatten();
    }
    if (config_.architecture.qk_norm) {
      layer.query_norm = norm(Slot::query_norm, i);
      layer.key_norm = norm(Slot::key_norm, i);
    }
    if (config_.architecture.sandwich_norms) {
      layer.attention_post_norm = norm(Slot::attention_post_norm, i);
      layer.ffn_post_norm = norm(Slot::ffn_post_norm, i);
    }
    layer.attention_output = matrix({Slot::attention_output}, i, width);
    layer.gate_up = matrix({Slot::gate, Slot::up}, i, hidden);
    layer.down = matrix({Slot::down}, i, config_.ffn);
    layers_.push_back(std::move(layer));
  }
  device = devices.back();
  output_ = config_.tied_embeddings ? embedding_.to(device) : matrix({Slot::output}, 0, hidden);
  final_norm_ = norm(Slot::final_norm, 0);
}

// Blocks of tokens [first, end), the last ones first: attention costs most there, so the short
// tasks even out the end. Tokens by themselves come one after another: their products use all threads.
void TorchModel::for_blocks(std::int64_t block, std::int64_t first, std::int64_t end,
                            const BlockWork& work) {
  for (std::int64_t token = first; invariant_ && token < end; ++token) work(token, 1, 0);
  if (invariant_) return;
  const std::int64_t count = (end - first + block - 1) / block;
  run_tasks(pool_, static_cast<std::size_t>(count), [&](std::size_t task, std::size_t worker) {
    const std::int64_t start = first + (count - 1 - static_cast<std::int64_t>(task)) * block;
    work(start, std::min(block, end - start), worker);
  });
}

// The heads of one part in fused rows of Q, K and V, or of K and V: a view [tokens, heads,
// head_dim].
at::Tensor TorchModel::heads(const Tensor& qkv, Part part) const {
  const std::int64_t dim = config_.shape.head_dim, keys = config_.shape.kv_heads,
                     all = qkv.size(1) / dim;
  const std::int64_t start = part == Part::query ? 0 : all - (part == Part::key ? 2 : 1) * keys;
  const std::int64_t count = part == Part::query ? config_.shape.query_heads : keys;
  return qkv.narrow(1, start * dim, count * dim).view({qkv.size(0), count, dim});
}

at::Tensor TorchModel::embed(std::span<const std::int32_t> tokens) const {
  Tensor x = token_rows(embedding_, tokens).to(options_);
  if (!config_.architecture.scaled_embedding) return x;
  // The factor, too, is a number of the type of activations: in bf16 sqrt(640) is 25.25.
  return x.mul_(at::scalar_tensor(std::sqrt(static_cast<double>(config_.hidden)), options_));
}

// x on the device of a layer.
at::Tensor TorchModel::at_layer(const Layer& layer, const Tensor& x) const {
  return x.to(places_[layer.place].device);
}

// For outputs of token `wanted` and later ones.
TorchModel::Pass TorchModel::start_pass(std::int64_t tokens, std::int64_t wanted,
                                        KvTap* tap) const {
  Pass pass;
  pass.tap = tap;
  pass.pre_rope = tap != nullptr && tap->tap_point() == TapPoint::pre_rope;
  pass.block = rows_at_once(tokens, block_tokens_, options_.device().is_cpu());
  // Whole blocks, so that the others are cut as they always are and come out the same.
  const std::size_t replaced = tap != nullptr ? tap->replaced_tokens() : 0;
  pass.begin = std::min(static_cast<std::int64_t>(replaced), wanted) / pass.block * pass.block;
  pass.window = std::min<std::int64_t>(config_.window.tokens, tokens);
  const std::size_t exact = tap != nullptr ? tap->exact_window() : 0;
  pass.exact = static_cast<std::int64_t>(std::min(exact, static_cast<std::size_t>(tokens)));
  pass.places.resize(places_.size());
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    const bool windowed = layers_[i].windowed;
    const at::Device device = places_[layers_[i].place].device;
    PassPlace& place = pass.places[layers_[i].place];
    if (place.mask[windowed].defined()) continue;
    place.rotary[windowed] = rotary_table(frequencies_[i], tokens).to(device);
    place.mask[windowed] = windowed ? window_mask(pass.block, pass.window, products_.device(device))
                                    : causal_mask(pass.block, products_.device(device));
  }
  return pass;
}

void TorchModel::rotate(const Layer& layer, const Pass& pass, const Projected& all,
                        std::int64_t start, std::int64_t rows) const {
  const Tensor table = pass.places[layer.place].rotary[layer.windowed].narrow(1, start, rows);
  const Tensor cos = table.select(0, 0), sin = table.select(0, 1);
  const Tensor block = all.qkv.narrow(0, start, rows);
  rotate_half(heads(block, Part::query), cos, sin);
  rotate_half(heads(block, Part::key), cos, sin);
  if (!all.exact.defined()) return;
  rotate_half(heads(all.exact.narrow(0, start, rows), Part::key), cos, sin);
}

// Fused Q, K and V of some rows of x, after QK-norm, before RoPE.
void TorchModel::project_block(const Layer& layer, const Tensor& x, const Tensor& qkv,
                               const Product& product) const {
  const Tensor normed = rms_norm(x, layer.attention_norm, config_.norm_eps);
  qkv.copy_(product ? product(normed, layer.qkv) : project_rows(normed, layer.qkv));
  if (layer.qkv_bias.defined()) qkv.add_(layer.qkv_bias);
  if (!layer.query_norm.defined()) return;
  for (const auto& [part, weight] :
       {std::pair(Part::query, layer.query_norm), std::pair(Part::key, layer.key_norm)}) {
    const Tensor view = heads(qkv, part);
    view.copy_(rms_norm(view, weight, config_.norm_eps));
  }
}

// Fused Q, K and V of all tokens; after RoPE too unless a tap must see them before.
TorchModel::Projected TorchModel::project(const Layer& layer, const Pass& pass, const Tensor& x) {
  const Tensor qkv = at::empty({x.size(0), layer.qkv.size(0)}, x.options());
  qkv.narrow(0, 0, pass.begin).zero_();
  for_blocks(
      pass.block, pass.begin, x.size(0), [&](std::int64_t start, std::int64_t rows, std::size_t) {
        project_block(layer, x.narrow(0, start, rows), qkv.narrow(0, start, rows), pass.product);
        if (!pass.pre_rope) rotate(layer, pass, {qkv, {}}, start, rows);
      });
  return {qkv, {}};
}

// Shows the tap what it wants of this layer, and takes over what it wrote. V has no RoPE: it comes
// right after K.
void TorchModel::visit(const Pass& pass, int layer, Projected& all, bool before_rope) {
  if (pass.tap == nullptr || before_rope != pass.pre_rope) return;
  const std::int64_t width = std::int64_t{2} * config_.shape.kv_heads * config_.shape.head_dim;
  if (pass.exact > 0) all.exact = all.qkv.narrow(1, all.qkv.size(1) - width, width).clone();
  const auto exact = [&](Part part) {
    return all.exact.defined() && part != Part::query ? heads(all.exact, part) : Tensor();
  };
  const bool pair = pass.tap->wants_pairs() && pass.tap->wants({layer, Part::key}) &&
                    pass.tap->wants({layer, Part::value});
  if (pair) {
    show_tap_pair(*pass.tap, layer, {heads(all.qkv, Part::key), heads(all.qkv, Part::value)},
                  {exact(Part::key), exact(Part::value)}, host_);
  }
  for (const Part part : {Part::key, Part::value, Part::query}) {
    if ((pair && part != Part::query) || !pass.tap->wants({layer, part})) continue;
    show_tap(*pass.tap, {layer, part}, heads(all.qkv, part), exact(part), host_);
  }
}

// What tokens [start, start + rows) gather from the values they see: [rows, query_heads *
// head_dim].
at::Tensor TorchModel::attend_block(const Layer& layer, const Pass& pass, const Projected& all,
                                    std::int64_t start, std::int64_t rows, std::size_t worker) {
  const std::int64_t kv = config_.shape.kv_heads, group = config_.shape.query_heads / kv,
                     dim = config_.shape.head_dim, end = start + rows;
  // The key that the first column of the mask stands for, and the first that is seen.
  const std::int64_t column = layer.windowed ? start + 1 - pass.window : start;
  const std::int64_t first = layer.windowed ? std::max<std::int64_t>(0, column) : 0;
  const std::int64_t masked = std::max(first, column);
  const Tensor mask = pass.places[layer.place]
                          .mask[layer.windowed]
                          .narrow(0, 0, rows)
                          .narrow(1, masked - column, end - masked);
  // Some query sees keys [first, coded_end) as coded, some sees [exact_first, end) exact.
  const bool two = all.exact.defined(), only_exact = layer.windowed && pass.exact >= pass.window;
  const std::int64_t coded_end = only_exact ? first : std::max(first, end - pass.exact),
                     exact_first = two ? std::max(first, start + 1 - pass.exact) : end;
  const Tensor coded = all.qkv.narrow(0, first, coded_end - first),
               exact = (two ? all.exact : all.qkv).narrow(0, exact_first, end - exact_first);
  const Tensor mixed = at::empty({rows, kv, group, dim}, all.qkv.options());
  const Tensor queries =
      heads(all.qkv.narrow(0, start, rows), Part::query).view({rows, kv, group, dim});
  if (fused_ && !two) {
    const Tensor seen = all.qkv.narrow(0, first, end - first);
    const Tensor keys = heads(seen, Part::key), values = heads(seen, Part::value);
    attend_fused(queries, {keys, values}, mask, config_.attention_scale, mixed);
    return mixed.view({rows, -1});
  }
  attend(queries, {heads(coded, Part::key), heads(coded, Part::value)},
         {heads(exact, Part::key), heads(exact, Part::value)},
         std::max<std::int64_t>(0, coded_end - exact_first), mask, config_.attention_scale,
         places_[layer.place].scores[worker], mixed);
  return mixed.view({rows, -1});
}

// sum += x weight^T, normed where the architecture does so.
void TorchModel::add_part(const Tensor& sum, const Tensor& x, const Tensor& weight,
                          const Tensor& post_norm, const Product& product) const {
  if (!product && !post_norm.defined()) return add_product(sum, x, weight);
  const Tensor part = product ? product(x, weight) : project_rows(x, weight);
  sum.add_(post_norm.defined() ? rms_norm(part, post_norm, config_.norm_eps) : part);
}

// Adds to rows of x what they gathered, and their feed-forward.
void TorchModel::finish_rows(const Layer& layer, const Tensor& x, const Tensor& mixed,
                             const Product& product) const {
  add_part(x, mixed, layer.attention_output, layer.attention_post_norm, product);
  const Tensor normed = rms_norm(x, layer.ffn_norm, config_.norm_eps);
  const Tensor gate_up =
      product ? product(normed, layer.gate_up) : project_rows(normed, layer.gate_up);
  const Tensor gate = gate_up.narrow(1, 0, config_.ffn);
  activate(gate, config_.architecture.activation);
  const Tensor active = at::mul(gate, gate_up.narrow(1, config_.ffn, config_.ffn));
  add_part(x, active, layer.down, layer.ffn_post_norm, product);
}

// Final-norm output of positions [first, first + count), [count, hidden] float32. The last layer
// computes no other rows.
at::Tensor TorchModel::run(std::span<const std::int32_t> tokens, std::size_t first,
                           std::size_t count, KvTap* tap) {
  check_forward(tokens, first, count, facts_);
  const auto length = static_cast<std::int64_t>(tokens.size());
  const auto from = static_cast<std::int64_t>(first), to = from + static_cast<std::int64_t>(count);
  Tensor x = embed(tokens);
  Pass pass = start_pass(length, from, tap);
  if (invariant_) pass.product = product_of(x);
  for (int i = 0; i < config_.shape.layers; ++i) {
    const Layer& layer = layers_[static_cast<std::size_t>(i)];
    const bool last = i + 1 == config_.shape.layers;
    x = at_layer(layer, x);
    Projected all = project(layer, pass, x);
    visit(pass, i, all, true);
    if (pass.pre_rope) {
      for_blocks(pass.block, 0, length, [&](std::int64_t start, std::int64_t rows, std::size_t) {
        rotate(layer, pass, all, start, rows);
      });
    }
    visit(pass, i, all, false);
    const std::int64_t begin = last ? from : pass.begin, end = last ? to : length;
    const Tensor mixed = invariant_ ? attend_by_token(i, pass, all, begin, end) : Tensor();
    for_blocks(pass.block, begin, end,
               [&](std::int64_t start, std::int64_t rows, std::size_t worker) {
                 finish_rows(layer, x.narrow(0, start, rows),
                             invariant_ ? mixed.narrow(0, start, rows)
                                        : attend_block(layer, pass, all, start, rows, worker),
                             pass.product);
               });
  }
  return final_rows(x.narrow(0, from, to - from));
}

void TorchModel::prefill(std::span<const std::int32_t> tokens, KvTap& tap) {
  const c10::InferenceMode inference;
  run(tokens, 0, 0, &tap);
}

std::vector<float> TorchModel::attention_output(int layer) const {
  const c10::InferenceMode inference;
  const Layer& from = layers_.at(static_cast<std::size_t>(layer));
  Tensor matrix = from.attention_output.to(at::kFloat);
  if (from.attention_post_norm.defined()) {
    matrix = at::mul(matrix, from.attention_post_norm.unsqueeze(1));
  }
  matrix = matrix.to(at::kCPU).contiguous();
  return {matrix.data_ptr<float>(), matrix.data_ptr<float>() + matrix.numel()};
}

std::unique_ptr<Model> run_on_torch(const std::string& path, const Checkpoint& checkpoint,
                                    const ModelOptions& options) {
  const c10::InferenceMode inference;
  const std::string what = path + ": device " + options.device;
  try {
    return std::make_unique<TorchModel>(checkpoint, options);
  } catch (const c10::OutOfMemoryError&) {
    throw Error(what +
                ": has no memory left for the weights: expected more of it, or several "
                "devices, as cuda:0,cuda:1, each of which has a run of the layers");
  } catch (const c10::Error& error) {
    throw Error(what + ": " + error.what_without_backtrace());
  }
}

}  // namespace kakeya

// SPDX-License-Identifier: Apache-2.0
// An incremental forward: the new tokens of several sequences over what a cache keeps of them.
#include "kakeya/model/torch/torch_step.h"

#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "kakeya/core/error.h"
#include "kakeya/model/check_tokens.h"
#include "kakeya/model/torch/decoder_ops.h"
#include "kakeya/model/torch/logit_ops.h"
#include "kakeya/model/torch/positions.h"
#include "kakeya/model/torch/task_pool.h"
#include "kakeya/model/torch/tensor_views.h"
#include "kakeya/model/torch/torch_model.h"

namespace kakeya {
namespace {

constexpr std::int64_t kTaskProducts = 1 << 17;  // from so many on, heads are tasks of their own

// Rows of a tensor on the host, float32, which `rows` must outlive.
Rows<const float> rows_of(const at::Tensor& rows) {
  return {rows.data_ptr<float>(), static_cast<std::size_t>(rows.size(0)),
          static_cast<std::size_t>(rows.size(1)), static_cast<std::size_t>(rows.stride(0))};
}

}  // namespace

// Blocks of rows; a few rows at once, whose products are what the pool shares.
void TorchModel::for_rows(const Step& step, std::int64_t rows, const BlockWork& work) {
  if (step.product && !invariant_) return work(0, rows, 0);
  for_blocks(step.block, 0, rows, work);
}

// Checks a batch, and says where its tokens are.
std::vector<TorchModel::StepRows> TorchModel::plan_step(std::span<const StepInput> batch,
                                                        const StepCache& cache) const {
  check_step(batch, cache, facts_);
  if (invariant_ && cache.sums_packed()) {
    throw InputError(
        "batch-invariant: given with sums of packed values, which are added page by page, expected "
        "neither or one of them");
  }
  std::vector<StepRows> parts;
  std::int64_t row = 0;
  for (const StepInput& input : batch) {
    const std::size_t kept = cache.tokens(input.sequence);
    const auto rows = static_cast<std::int64_t>(input.tokens.size());
    parts.push_back({input.sequence, row, rows, static_cast<std::int64_t>(kept)});
    row += rows;
  }
  return parts;
}

// Angles of positions 0 .. tokens - 1, kept from step to step.
void TorchModel::grow_rotary(std::int64_t tokens) {
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    Place& place = places_[layers_[i].place];
    Tensor& table = place.rotary[layers_[i].windowed];
    if (table.defined() && table.size(1) >= tokens) continue;
    const std::int64_t doubled = table.defined() ? 2 * table.size(1) : 0;
    table = rotary_table(frequencies_[i],
                         std::min<std::int64_t>(std::max(tokens, doubled), config_.context))
                .to(place.device);
  }
}

void TorchModel::append_rows(const Step& step, int layer, const StepRows& part,
                             const Tensor& qkv) const {
  const std::int64_t width = std::int64_t{config_.shape.kv_heads} * config_.shape.head_dim,
                     queries = qkv.size(1) - 2 * width;
  const auto on_host = [&](std::int64_t column) {
    return qkv.narrow(0, part.row, part.rows).narrow(1, column, width).to(at::kFloat).to(at::kCPU);
  };
  const Tensor keys = on_host(queries), values = on_host(queries + width);
  step.cache.append(part.sequence, layer, rows_of(keys), rows_of(values));
}

// Threads that decode pages: those of the forward, and where it runs on a GPU some of their own.
WorkerPool& TorchModel::readers() {
  if (products_.device().is_cpu()) return pool_;
  if (!readers_) readers_ = std::make_unique<WorkerPool>(threads_);
  return *readers_;
}

// Keys and values of some tokens of a layer, as attention takes them: [kv_heads, count, head_dim] each,
// in the type of products. Keys are rotated. Pages are decoded on all threads.
std::array<at::Tensor, 2> TorchModel::read_tile(const Step& step, int layer, const StepRows& part,
                                                std::int64_t first, std::int64_t count) {
  const std::int64_t heads = config_.shape.kv_heads, dim = config_.shape.head_dim;
  const Tensor host = tile_.narrow(0, 0, 2 * count * heads * dim).view({count, 2, heads, dim});
  float* const rows = host.data_ptr<float>();
  const auto width = static_cast<std::size_t>(heads * dim),
             head_dim = static_cast<std::size_t>(dim), begin = static_cast<std::size_t>(first),
             end = begin + static_cast<std::size_t>(count);
  const bool apart = step.cache.heads_apart(layer);
  std::vector<std::pair<KvSite, TokenRange>> runs;
  for (const Part which : {Part::key, Part::value}) {
    if (which == Part::value && !apart) continue;
    for (int head = 0; head < (apart ? config_.shape.kv_heads : 1); ++head) {
      const KvSite site{layer, which, head};
      for (std::size_t token = begin; token < end; token += runs.back().second.count) {
        const std::size_t run = step.cache.run_end(part.sequence, site, token);
        runs.push_back({site, {token, std::min(run, end) - token}});
      }
    }
  }
  run_tasks(readers(), runs.size(), [&](std::size_t task, std::size_t) {
    const auto& [site, tokens] = runs[task];
    float* const at = rows + (tokens.first - begin) * 2 * width;
    if (!apart) {
      return step.cache.read_both(part.sequence, layer, tokens,
                                  dense_rows(at, tokens.count, 2 * width));
    }
    const std::size_t column =
        (site.part == Part::value ? width : 0) + static_cast<std::size_t>(site.head) * head_dim;
    step.cache.read(part.sequence, site, tokens, {at + column, tokens.count, head_dim, 2 * width});
  });
  const Layer& of = layers_[static_cast<std::size_t>(layer)];
  const at::Device device = places_[of.place].device;
  const Tensor tile =
      host.to(options_.device(device));  // as rounded as a tap's; the same values where float32
  if (!step.post_rope) {
    const Tensor angles = places_[of.place].rotary[of.windowed].narrow(1, first, count);
    rotate_half(tile.select(1, 0), angles.select(0, 0), angles.select(0, 1));
  }
  const Tensor both = tile.to(products_.device(device)).permute({1, 2, 0, 3});
  return {both.select(0, 0), both.select(0, 1)};
}

// Goes with the queries of a sequence over one more tile, which begins at token `first`. q:
// [kv_heads, rows * group, dim]; keys, values: [kv_heads, count, dim]; state as attend_tile().
void TorchModel::add_tile_to_rows(const Step& step, const Layer& layer, const StepRows& part,
                                  const Tensor& q, const Tensor& keys, const Tensor& values,
                                  std::int64_t first, const Tensor& state) {
  const std::int64_t kv = q.size(0), group = q.size(1) / part.rows, count = keys.size(1),
                     window = layer.windowed ? config_.window.tokens : 0;
  const std::int64_t blocks = (part.rows + step.block - 1) / step.block,
                     products = std::min(part.rows, step.block) * group * count * q.size(2);
  const std::int64_t at_once = q.is_cpu() && products >= kTaskProducts ? 1 : kv;
  const auto tasks = static_cast<std::size_t>(blocks * (kv / at_once));
  run_tasks(pool_, tasks, [&](std::size_t task, std::size_t) {
    const std::int64_t row = static_cast<std::int64_t>(task) % blocks * step.block,
                       rows = std::min(step.block, part.rows - row),
                       head = static_cast<std::int64_t>(task) / blocks * at_once;
    // Of the block: its first and last query, and what they see.
    const std::int64_t from = part.position + row, to = from + rows - 1, last = first + count - 1;
    const auto begins = [&](std::int64_t query) { return window == 0 ? 0 : query - window + 1; };
    if (first > to || last < begins(from)) return;
    Tensor mask;
    if (last > from || first < begins(to)) {
      mask = hidden_keys(from - first, {rows, count}, window, state.options());
    }
    const auto of_block = [&](const Tensor& all) {
      return all.narrow(0, head, at_once).narrow(1, row * group, rows * group);
    };
    const Tensor k = keys.narrow(0, head, at_once), v = values.narrow(0, head, at_once);
    attend_tile(of_block(q), {k, v}, mask, config_.attention_scale, of_block(state));
  });
}

// The first token that the new tokens of a sequence see.
std::int64_t TorchModel::first_seen(int layer, const StepRows& part) const {
  if (!layers_[static_cast<std::size_t>(layer)].windowed) return 0;
  return std::max<std::int64_t>(0, part.position + 1 - config_.window.tokens);
}

void TorchModel::require_kept(const Step& step, int layer, const StepRows& part) const {
  check_kept(step.cache, part.sequence, layer, static_cast<std::size_t>(first_seen(layer, part)),
             static_cast<std::size_t>(part.position));
}

// What the new tokens of a sequence gather from all that the cache gives back. queries and mixed:
// [part.rows, query_heads * head_dim], views.
void TorchModel::attend_cached(const Step& step, int layer, const StepRows& part,
                               const Tensor& queries, const Tensor& mixed) {
  const Layer& of = layers_[static_cast<std::size_t>(layer)];
  const std::int64_t kv = config_.shape.kv_heads, group = config_.shape.query_heads / kv,
                     dim = config_.shape.head_dim, end = part.position + part.rows;
  const std::int64_t begin = first_seen(layer, part);
  require_kept(step, layer, part);
  const auto by_head = [&](const Tensor& rows) {  // [kv, rows, group, dim], a view
    return rows.view({part.rows, kv, group, dim}).transpose(0, 1);
  };
  const at::Device device = places_[of.place].device;
  const Tensor q = at::empty({kv, part.rows, group, dim}, products_.device(device));
  q.copy_(by_head(queries));
  if (q.scalar_type() == at::kFloat) q.mul_(config_.attention_scale);
  const Tensor state = start_attention(kv, part.rows * group, dim, device);
  for (std::int64_t first = begin; first < end; first += kTileTokens) {
    const std::int64_t count = std::min(kTileTokens, end - first);
    const auto [keys, values] = step.device != nullptr ? kept_rows(step, layer, part, first, count)
                                                       : read_tile(step, layer, part, first, count);
    add_tile_to_rows(step, of, part, q.view({kv, part.rows * group, dim}), keys, values, first,
                     state);
  }
  by_head(mixed).copy_(attended(state).view({kv, part.rows, group, dim}));
}

// The new tokens of all sequences over what the cache gives back of theirs.
void TorchModel::attend_step(const Step& step, int layer, std::span<const StepRows> parts,
                             const Tensor& queries, const Tensor& mixed) {
  if (step.device != nullptr) return attend_on_device(step, layer, parts, queries, mixed);
  if (invariant_) return attend_each(step, layer, parts, queries, mixed);
  std::vector<StepRows> few;
  std::copy_if(parts.begin(), parts.end(), std::back_inserter(few),
               [&](const StepRows& part) { return is_few(step, layer, part); });
  if (!few.empty()) attend_few(step, layer, few, queries, mixed);
  for (const StepRows& part : parts) {
    if (part.rows == 0 || is_few(step, layer, part)) continue;
    attend_cached(step, layer, part, queries.narrow(0, part.row, part.rows),
                  mixed.narrow(0, part.row, part.rows));
  }
}

// Embeddings of a batch through all layers; of the last one, rows that are scored alone. Final-norm
// output of these, [rows, hidden] float32.
at::Tensor TorchModel::run_step(std::span<const StepInput> batch, std::vector<StepRows> parts,
                                Step& step) {
  std::vector<std::int32_t> tokens;
  std::vector<std::int64_t> positions;
  std::vector<std::int64_t> scored;  // rows
  for (std::size_t i = 0; i < batch.size(); ++i) {
    tokens.insert(tokens.end(), batch[i].tokens.begin(), batch[i].tokens.end());
    const StepRows& part = parts[i];
    const auto unscored = part.rows - static_cast<std::int64_t>(batch[i].scored);
    for (std::int64_t row = 0; row < part.rows; ++row) {
      positions.push_back(part.position + row);
      if (row >= unscored) scored.push_back(part.row + row);
    }
    grow_rotary(part.position + part.rows);
  }
  const auto index = [&](const std::vector<std::int64_t>& rows, at::Device device) {
    return at::tensor(rows, at::kLong).to(device);
  };
  for (const Place& place : places_) {
    Step::Angles& all = step.angles.emplace_back();
    for (int windowed = 0; windowed < 2; ++windowed) {
      if (!place.rotary[windowed].defined()) continue;
      const Tensor angles = place.rotary[windowed].index_select(1, index(positions, place.device));
      all.cos[windowed] = angles.select(0, 0);
      all.sin[windowed] = angles.select(0, 1);
    }
  }
  Tensor x = embed(tokens);
  step.product = product_of(x);
  step.block = rows_at_once(x.size(0), block_tokens_, options_.device().is_cpu());
  for (int i = 0; i < config_.shape.layers; ++i) {
    const Layer& layer = layers_[static_cast<std::size_t>(i)];
    const Step::Angles& angles = step.angles[layer.place];
    x = at_layer(layer, x);
    const Tensor qkv = at::empty({x.size(0), layer.qkv.size(0)}, x.options());
    for_rows(step, x.size(0), [&](std::int64_t start, std::int64_t rows, std::size_t) {
      const Tensor block = qkv.narrow(0, start, rows);
      const Tensor cos = angles.cos[layer.windowed].narrow(0, start, rows),
                   sin = angles.sin[layer.windowed].narrow(0, start, rows);
      project_block(layer, x.narrow(0, start, rows), block, step.product);
      rotate_half(heads(block, Part::query), cos, sin);
      if (step.post_rope) rotate_half(heads(block, Part::key), cos, sin);
    });
    if (step.device != nullptr) {
      append_on_device(step, i, qkv);
    } else {
      for (const StepRows& part : parts) append_rows(step, i, part, qkv);
    }
    const std::int64_t width = std::int64_t{config_.shape.query_heads} * config_.shape.head_dim;
    Tensor queries = qkv.narrow(1, 0, width);
    if (i + 1 == config_.shape.layers) {
      x = x.index_select(0, index(scored, x.device()));
      queries = queries.index_select(0, index(scored, x.device()));
      std::int64_t row = 0;
      for (std::size_t p = 0; p < parts.size(); ++p) {
        const auto rows = static_cast<std::int64_t>(batch[p].scored);
        parts[p] = {parts[p].sequence, row, rows, parts[p].position + parts[p].rows - rows};
        row += rows;
      }
    }
    const Tensor mixed = at::empty({x.size(0), width}, x.options());
    attend_step(step, i, parts, queries, mixed);
    step.product = product_of(x);
    for_rows(step, x.size(0), [&](std::int64_t start, std::int64_t rows, std::size_t) {
      finish_rows(layer, x.narrow(0, start, rows), mixed.narrow(0, start, rows), step.product);
    });
  }
  return final_rows(x);
}

std::vector<float> TorchModel::step(std::span<const StepInput> batch, StepCache& cache) {
  const c10::InferenceMode inference;
  std::vector<StepRows> parts = plan_step(batch, cache);
  DeviceStepCache* const device = cache.on_device();
  if (device != nullptr) {
    begin_on_device(*device, parts);
  } else if (!tile_.defined()) {
    tile_ =
        at::empty({2 * kTileTokens * config_.shape.kv_heads * config_.shape.head_dim}, at::kFloat);
  }
  Step step{cache, device, cache.tap_point() == TapPoint::post_rope, 0, {}, {}};
  const Tensor normed = run_step(batch, std::move(parts), step);
  if (device != nullptr) device->end_step(stream_of(normed));
  if (invariant_ || !are_few(normed, output_)) return logits_of(normed);
  const Tensor logits = product_of_few(normed, output_, pool_);
  return {logits.data_ptr<float>(), logits.data_ptr<float>() + logits.numel()};
}

}  // namespace kakeya

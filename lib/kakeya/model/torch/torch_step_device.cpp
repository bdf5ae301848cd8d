// SPDX-License-Identifier: Apache-2.0
// Steps over a cache in the memory of the model's GPU: rows go there as they are. Few queries are attended by
// the cache's kernel, which reads pages as they are packed; over layers that are kept in bf16, and where queries
// are many, LibTorch attends over rows in bf16, those of pages decoded a tile at a time.
#include <torch/version.h>

#include <algorithm>
#include <string>
#include <tuple>

#include "kakeya/core/error.h"
#include "kakeya/model/torch/decoder_ops.h"
#include "kakeya/model/torch/tensor_views.h"
#include "kakeya/model/torch/torch_step.h"

#define KAKEYA_FLASH \
  (TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 2))

namespace kakeya {
namespace {

constexpr std::int64_t kFewRows = 16;  // new tokens of a sequence, from which pages are decoded
constexpr std::int64_t kFlashTokens = 1 << 14;  // decoded at once

std::size_t size(std::int64_t number) { return static_cast<std::size_t>(number); }

// What queries gathered of some keys, float32, and the logarithm of their sums of weights.
struct Gathered {
  at::Tensor out, sums;  // [batch, heads, queries, dim] and [batch, heads, queries, 1]
};

// LibTorch's flash kernel itself. What scaled_dot_product_attention() prefers on a Hopper plans anew for every
// number of keys, which takes longer than to attend. q: [batch, heads, queries, dim], k and v: of heads that
// divide these; all bf16. `causal`: queries stand at the same tokens as keys.
#if KAKEYA_FLASH
Gathered flash(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, bool causal,
               double scale) {
  const auto all = at::_scaled_dot_product_flash_attention(q, k, v, 0.0, causal, false, scale);
  return {std::get<0>(all), std::get<1>(all).unsqueeze(-1)};
}
#else
Gathered flash(const at::Tensor&, const at::Tensor&, const at::Tensor&, bool, double) {
  throw Error("flash attention in LibTorch " TORCH_VERSION ", expected 2.2 or later");
}
#endif

// softmax(scale q k^T) v, in the type of q.
at::Tensor attend_all(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, double scale) {
  const at::Tensor scores = at::matmul(q, k.transpose(2, 3)).to(at::kFloat).mul_(scale);
  return at::matmul(at::softmax(scores, -1).to(v.scalar_type()), v);
}

// All that a and b gathered.
Gathered joined(const Gathered& a, const Gathered& b) {
  const at::Tensor sums = at::logaddexp(a.sums, b.sums);
  return {a.out.to(at::kFloat)
              .mul_(at::sub(a.sums, sums).exp_())
              .add_(b.out.to(at::kFloat).mul_(at::sub(b.sums, sums).exp_())),
          sums};
}

}  // namespace

void TorchModel::begin_on_device(DeviceStepCache& cache, std::span<const StepRows> parts) const {
  if (places_.size() > 1) {
    throw InputError("a cache on a GPU under a model on " + std::to_string(places_.size()) +
                     " GPUs, expected one");
  }
  std::vector<StepPart> all;
  for (const StepRows& part : parts) {
    all.push_back({part.sequence, size(part.row), size(part.rows), size(part.position)});
  }
  stream_of(embedding_);  // the default one, or it throws
  cache.begin_step(all);
}

void TorchModel::append_on_device(const Step& step, int layer, const Tensor& qkv) const {
  step.device->append_rows(layer, device_vectors(heads(qkv, Part::key)),
                           device_vectors(heads(qkv, Part::value)), stream_of(qkv));
}

// Tokens [first, first + count) as attention takes them: [kv_heads, count, head_dim] each, in the type of
// products.
std::array<at::Tensor, 2> TorchModel::kept_rows(const Step& step, int layer, const StepRows& part,
                                                std::int64_t first, std::int64_t count) const {
  const auto both =
      step.device->rows(part.sequence, layer, {size(first), size(count)}, stream_of(embedding_));
  std::array<Tensor, 2> rows;
  for (std::size_t side = 0; side < 2; ++side) {
    rows[side] = tensor_of(both[side], products_.device()).to(products_.dtype()).transpose(0, 1);
  }
  return rows;
}

// Whether flash() takes these queries.
bool TorchModel::attends_fast(int layer, const Tensor& queries) const {
  return KAKEYA_FLASH && queries.is_cuda() && queries.scalar_type() == at::kBFloat16 &&
         !layers_[size(layer)].windowed;
}

// As attend_cached(), of many queries of a layer without a window: over the tokens before them tile by tile,
// then over their own.
void TorchModel::attend_many(const Step& step, int layer, const StepRows& part,
                             const Tensor& queries, const Tensor& mixed) {
  const std::int64_t heads = config_.shape.query_heads, dim = config_.shape.head_dim;
  require_kept(step, layer, part);
  const Tensor q = queries.view({part.rows, heads, dim}).transpose(0, 1).unsqueeze(0);
  const auto over = [&](std::int64_t first, std::int64_t count, bool causal) {
    const auto [keys, values] = kept_rows(step, layer, part, first, count);
    return flash(q, keys.unsqueeze(0), values.unsqueeze(0), causal, config_.attention_scale);
  };
  Gathered all = over(part.position, part.rows, true);
  for (std::int64_t first = 0; first < part.position; first += kFlashTokens) {
    all = joined(all, over(first, std::min(kFlashTokens, part.position - first), false));
  }
  mixed.view({part.rows, heads, dim}).copy_(all.out.squeeze(0).transpose(0, 1));
}

// As attend_cached(), of sequences of one length and one query each, whose rows lie at equal distances, over a
// layer in bf16. False, and nothing done, where they are not such.
bool TorchModel::attend_together(const Step& step, int layer, std::span<const StepRows> parts,
                                 const Tensor& queries, const Tensor& mixed) {
  const StepRows& first = parts.front();
  const std::int64_t kv = config_.shape.kv_heads, group = config_.shape.query_heads / kv,
                     dim = config_.shape.head_dim, begin = first_seen(layer, first),
                     count = first.position + 1 - begin,
                     batch = static_cast<std::int64_t>(parts.size());
  std::array<DeviceVectors, 2> rows;
  std::ptrdiff_t apart = 0;  // bytes from one sequence to the next
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].rows != 1 || parts[i].position != first.position) return false;
    require_kept(step, layer, parts[i]);
    const auto here =
        step.device->rows(parts[i].sequence, layer, {size(begin), size(count)}, stream_of(queries));
    if (i == 0) {
      rows = here;
      continue;
    }
    const std::ptrdiff_t far =
        static_cast<std::byte*>(here[0].data) - static_cast<std::byte*>(rows[0].data);
    if (i == 1) apart = far;
    if (far <= 0 || far != static_cast<std::ptrdiff_t>(i) * apart) return false;
  }
  std::array<Tensor, 2> all;
  for (std::size_t side = 0; side < 2; ++side) {
    const Tensor one = tensor_of(rows[side], products_.device());
    all[side] = at::from_blob(rows[side].data, {batch, count, kv, dim},
                              {apart / 2, one.stride(0), one.stride(1), 1}, one.options())
                    .to(products_.dtype())
                    .transpose(1, 2);
  }
  const Tensor q = queries.view({batch, kv, group, dim}).to(products_.dtype());
  const bool fast = KAKEYA_FLASH && q.is_cuda() && q.scalar_type() == at::kBFloat16;
  const Tensor out = fast ? flash(q, all[0], all[1], false, config_.attention_scale).out
                          : attend_all(q, all[0], all[1], config_.attention_scale);
  mixed.copy_(out.reshape({batch, -1}));
  return true;
}

// As attend_cached(), of all parts.
void TorchModel::attend_on_device(const Step& step, int layer, std::span<const StepRows> parts,
                                  const Tensor& queries, const Tensor& mixed) {
  const std::int64_t heads = config_.shape.query_heads, dim = config_.shape.head_dim;
  const bool own = step.device->attends(layer);
  if (!own && attend_together(step, layer, parts, queries, mixed)) return;
  std::vector<StepPart> few;  // side by side, of the cache's kernel
  const auto attend_packed = [&](std::int64_t end) {
    if (few.empty()) return;
    const auto first = static_cast<std::int64_t>(few.front().row);
    const auto by_head = [&](const Tensor& rows) {
      return device_vectors(rows.narrow(0, first, end - first).view({end - first, heads, dim}));
    };
    step.device->attend(layer, few, by_head(queries), by_head(mixed), config_.attention_scale,
                        stream_of(queries));
    few.clear();
  };
  for (const StepRows& part : parts) {
    if (part.rows == 0) continue;
    if (own && part.rows <= kFewRows) {
      require_kept(step, layer, part);
      few.push_back({part.sequence, size(part.row), size(part.rows), size(part.position)});
      continue;
    }
    attend_packed(part.row);
    const Tensor q = queries.narrow(0, part.row, part.rows),
                 out = mixed.narrow(0, part.row, part.rows);
    attends_fast(layer, q) ? attend_many(step, layer, part, q, out)
                           : attend_cached(step, layer, part, q, out);
  }
  attend_packed(queries.size(0));
}

}  // namespace kakeya

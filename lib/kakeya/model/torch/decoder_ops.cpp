// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/torch/decoder_ops.h"

#include <ATen/ATen.h>
#include <torch/version.h>

#include <algorithm>
#include <limits>

namespace kakeya {
namespace {

// Softmax over the last dim of scale * scores, in float32; the result has the type of `scores`,
// which may be overwritten. Float32 scores come scaled already: scaling the queries costs less, and
// rounds bf16 queries once more.
at::Tensor softmax(at::Tensor scores, double scale) {
  if (scores.scalar_type() != at::kFloat) {
    return at::_softmax(scores.to(at::kFloat).mul_(scale), -1, false).to(scores.scalar_type());
  }
  if (!scores.is_cpu()) return at::_softmax(scores, -1, false);
  at::_softmax_out(scores, scores, -1, false);  // row by row: reads a value before it writes it
  return scores;
}

// Columns [first, first + count) of what has a row a query head, [heads, tokens * group, keys],
// with tokens and groups apart: [heads, tokens, group, count].
at::Tensor columns_of(const at::Tensor& rows, std::int64_t tokens, std::int64_t first,
                      std::int64_t count) {
  return rows.view({rows.size(0), tokens, rows.size(1) / tokens, rows.size(2)})
      .narrow(3, first, count);
}

// mask: [tokens, last keys], added to the last columns of scores: [heads, tokens * group, keys].
void add_mask(const at::Tensor& scores, const at::Tensor& mask) {
  columns_of(scores, mask.size(0), scores.size(2) - mask.size(1), mask.size(1))
      .add_(mask.unsqueeze(1));
}

// q: [heads, tokens * group, dim]; k, v: [heads, keys, dim]; scores: [heads, tokens * group, keys],
// overwritten.
at::Tensor attend_heads(const at::Tensor& q, const KeysValues& all, const at::Tensor& mask,
                        double scale, at::Tensor scores) {
  at::bmm_out(scores, q, all.k.transpose(1, 2));
  add_mask(scores, mask);
  return at::bmm(softmax(std::move(scores), scale), all.v);
}

// The same over two versions of keys and values, which overlap; `older`, [tokens, 1, overlap],
// marks what a query sees as coded of the keys in both. Only as many columns as there are exact
// keys are computed besides.
at::Tensor attend_heads(const at::Tensor& q, const KeysValues& coded, const KeysValues& exact,
                        const at::Tensor& older, const at::Tensor& mask, double scale,
                        at::Tensor scores) {
  const std::int64_t tokens = mask.size(0), keys = scores.size(2), coded_keys = coded.k.size(1),
                     exact_keys = exact.k.size(1), overlap = older.size(2);
  at::Tensor early = scores.narrow(2, 0, coded_keys);
  at::bmm_out(early, q, coded.k.transpose(1, 2));
  const at::Tensor late = at::bmm(q, exact.k.transpose(1, 2)),
                   late_of_both = columns_of(late, tokens, 0, overlap);
  late_of_both.copy_(
      at::where(older, columns_of(scores, tokens, keys - exact_keys, overlap), late_of_both));
  scores.narrow(2, keys - exact_keys, exact_keys).copy_(late);
  add_mask(scores, mask);
  const at::Tensor weights = softmax(std::move(scores), scale);
  late.copy_(weights.narrow(2, keys - exact_keys, exact_keys));
  late_of_both.masked_fill_(older, 0);
  columns_of(weights, tokens, keys - exact_keys, overlap).masked_fill_(older.logical_not(), 0);
  return at::bmm(weights.narrow(2, 0, coded_keys), coded.v).baddbmm_(late, exact.v);
}

bool plain_floats(const at::Tensor& x) {
  return x.is_cpu() && x.scalar_type() == at::kFloat && x.stride(-1) == 1;
}

// rotate_half() in one go, with its bits.
void rotate_floats(const at::Tensor& x, const at::Tensor& cos, const at::Tensor& sin) {
  const std::int64_t half = x.size(2) / 2;
  for (std::int64_t token = 0; token < x.size(0); ++token) {
    const float* const c = cos.data_ptr<float>() + token * cos.stride(0);
    const float* const s = sin.data_ptr<float>() + token * sin.stride(0);
    for (std::int64_t head = 0; head < x.size(1); ++head) {
      float* const first = x.data_ptr<float>() + token * x.stride(0) + head * x.stride(1);
      float* const second = first + half;
      for (std::int64_t i = 0; i < half; ++i) {
        const float a = first[i], b = second[i];
        first[i] = a * c[i] - b * s[i];
        second[i] = b * c[i] + a * s[i];
      }
    }
  }
}

}  // namespace

at::Tensor project_rows(const at::Tensor& x, const at::Tensor& weight) {
  return at::mm(x.to(weight.scalar_type()), weight.t()).to(x.scalar_type());
}

void add_product(const at::Tensor& sum, const at::Tensor& x, const at::Tensor& weight) {
  if (x.scalar_type() == weight.scalar_type()) {
    sum.addmm_(x, weight.t());
  } else {
    sum.add_(project_rows(x, weight));
  }
}

at::Tensor rms_norm(const at::Tensor& x, const at::Tensor& weight, double epsilon) {
  const at::Tensor wide = x.to(at::kFloat);
  at::Tensor out = at::mul(wide, wide);
  const at::Tensor scale = at::mean(out, {-1}, true).add_(epsilon).rsqrt_();
  at::mul_out(out, wide, scale);
  return out.mul_(weight).to(x.scalar_type());
}

void activate(const at::Tensor& x, Activation activation) {
  at::Tensor out = x;  // the same values
  switch (activation) {
    case Activation::silu:
      at::silu_(out);
      break;
    case Activation::gelu_tanh:
      at::gelu_(out, "tanh");
      break;
  }
}

void rotate_half(const at::Tensor& x, const at::Tensor& cos, const at::Tensor& sin) {
  if (plain_floats(x) && plain_floats(cos) && plain_floats(sin)) return rotate_floats(x, cos, sin);
  const std::int64_t half = x.size(2) / 2;
  const at::Tensor wide = x.to(at::kFloat);  // x itself where it is float32
  const at::Tensor first = wide.narrow(2, 0, half), second = wide.narrow(2, half, half);
  const at::Tensor from_second = at::mul(second, sin), from_first = at::mul(first, sin);
  first.mul_(cos).sub_(from_second);
  second.mul_(cos).add_(from_first);
  if (!wide.is_same(x)) x.copy_(wide);
}

void attend(const at::Tensor& q, KeysValues coded, KeysValues exact, std::int64_t overlap,
            const at::Tensor& mask, double scale, at::Tensor& scratch, const at::Tensor& out) {
  const std::int64_t tokens = q.size(0), heads = q.size(1), group = q.size(2), dim = q.size(3);
  const std::int64_t keys = coded.k.size(0) + exact.k.size(0) - overlap, rows = tokens * group;
  const bool only_exact = coded.k.size(0) == 0, only_coded = exact.k.size(0) == 0;
  const std::int64_t at_once = q.is_cpu() ? 1 : heads;
  const at::ScalarType type = scratch.scalar_type();
  const std::int64_t need = at_once * rows * keys;
  if (scratch.numel() < need) scratch = at::empty({need}, scratch.options());
  at::Tensor older;  // a query sees one key more as coded than the one before it, the last sees all
  if (!only_exact && !only_coded) {
    older = at::ones({tokens, overlap}, scratch.options().dtype(at::kBool))
                .tril_(overlap - tokens)
                .unsqueeze(1);
  }
  for (std::int64_t head = 0; head < heads; head += at_once) {
    const auto part = [&](const at::Tensor& all) {
      return all.narrow(1, head, at_once).transpose(0, 1);
    };
    const at::Tensor packed = at::empty({at_once, rows, dim}, scratch.options());
    packed.view({at_once, tokens, group, dim}).copy_(part(q));
    if (packed.scalar_type() == at::kFloat) packed.mul_(scale);
    const at::Tensor scores = scratch.narrow(0, 0, need).view({at_once, rows, keys});
    const at::Tensor coded_k = part(coded.k).to(type), coded_v = part(coded.v).to(type),
                     exact_k = part(exact.k).to(type), exact_v = part(exact.v).to(type);
    const KeysValues early{coded_k, coded_v}, late{exact_k, exact_v};
    const at::Tensor mixed =
        older.defined() ? attend_heads(packed, early, late, older, mask, scale, scores)
                        : attend_heads(packed, only_exact ? late : early, mask, scale, scores);
    part(out).copy_(mixed.view({at_once, tokens, group, dim}));
  }
}

void attend_fused(const at::Tensor& q, KeysValues all, const at::Tensor& mask, double scale,
                  const at::Tensor& out) {
  const std::int64_t tokens = q.size(0), heads = q.size(1), group = q.size(2), dim = q.size(3),
                     keys = all.k.size(0);
  const at::Tensor hidden = at::zeros({tokens, keys}, mask.options());
  hidden.narrow(1, keys - mask.size(1), mask.size(1)).copy_(mask);
  const at::ScalarType type = mask.scalar_type();
#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 1)
  const auto by_query_head = [&](const at::Tensor& part) {  // [1, heads * group, keys, dim]
    return part.to(type)
        .transpose(0, 1)
        .unsqueeze(1)
        .expand({heads, group, keys, dim})
        .reshape({1, heads * group, keys, dim});
  };
  const at::Tensor queries =
      q.to(type).permute({1, 2, 0, 3}).reshape({1, heads * group, tokens, dim});
  const at::Tensor mixed = at::scaled_dot_product_attention(
      queries, by_query_head(all.k), by_query_head(all.v), hidden, 0.0, false, scale);
  out.copy_(mixed.view({heads, group, tokens, dim}).permute({2, 0, 1, 3}));
#else
  constexpr std::int64_t kTileKeys = 64;
  const at::Tensor queries = q.to(type).transpose(0, 1).reshape({heads, tokens * group, dim});
  const at::Tensor scaled = type == at::kFloat ? at::mul(queries, scale) : queries;
  const at::Tensor k = all.k.to(type).transpose(0, 1), v = all.v.to(type).transpose(0, 1),
                   wide = hidden.to(at::kFloat);
  const at::Tensor state = start_attention(heads, tokens * group, dim, q.device());
  for (std::int64_t first = 0; first < keys; first += kTileKeys) {
    const std::int64_t count = std::min(kTileKeys, keys - first);
    const at::Tensor tile_k = k.narrow(1, first, count), tile_v = v.narrow(1, first, count);
    attend_tile(scaled, {tile_k, tile_v}, wide.narrow(1, first, count), scale, state);
  }
  out.copy_(attended(state).view({heads, tokens, group, dim}).transpose(0, 1));
#endif
}

at::Tensor start_attention(std::int64_t heads, std::int64_t queries, std::int64_t dim,
                           const c10::Device& device) {
  const at::Tensor state =
      at::zeros({heads, queries, dim + 2}, at::TensorOptions().device(device).dtype(at::kFloat));
  // Not -inf: a query may see nothing of a tile.
  state.narrow(2, dim + 1, 1).fill_(std::numeric_limits<float>::lowest());
  return state;
}

void attend_tile(const at::Tensor& q, KeysValues tile, const at::Tensor& mask, double scale,
                 const at::Tensor& state) {
  at::Tensor scores = at::bmm(q, tile.k.transpose(1, 2));
  if (scores.scalar_type() != at::kFloat) scores = scores.to(at::kFloat).mul_(scale);
  if (mask.defined()) add_mask(scores, mask);
  const std::int64_t dim = q.size(2);
  const at::Tensor largest = state.narrow(2, dim + 1, 1), sums = state.narrow(2, 0, dim + 1);
  const at::Tensor now = at::maximum(largest, at::amax(scores, {-1}, true));
  const at::Tensor weights = scores.sub_(now).exp_();
  sums.mul_(at::sub(largest, now).exp_());
  largest.copy_(now);
  sums.narrow(2, 0, dim).add_(at::bmm(weights.to(tile.v.scalar_type()), tile.v));
  sums.narrow(2, dim, 1).add_(at::sum(weights, {-1}, true));
}

at::Tensor attended(const at::Tensor& state) {
  const std::int64_t dim = state.size(2) - 2;
  return at::div(state.narrow(2, 0, dim), state.narrow(2, dim, 1));
}

}  // namespace kakeya

// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/decoder_ops.h"

#include <ATen/ATen.h>

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

// q: [heads, tokens * group, dim]; k, v: [heads, keys, dim]; mask: [tokens, last keys]; scores:
// [heads, tokens * group, keys], overwritten.
at::Tensor attend_heads(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                        const at::Tensor& mask, double scale, at::Tensor scores) {
  const std::int64_t heads = q.size(0), keys = k.size(1), tokens = mask.size(0),
                     group = q.size(1) / tokens;
  at::bmm_out(scores, q, k.transpose(1, 2));
  scores.view({heads, tokens, group, keys})
      .narrow(3, keys - mask.size(1), mask.size(1))
      .add_(mask.unsqueeze(1));
  return at::bmm(softmax(std::move(scores), scale), v);
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
  const std::int64_t half = x.size(2) / 2;
  const at::Tensor wide = x.to(at::kFloat);  // x itself where it is float32
  const at::Tensor first = wide.narrow(2, 0, half), second = wide.narrow(2, half, half);
  const at::Tensor from_second = at::mul(second, sin), from_first = at::mul(first, sin);
  first.mul_(cos).sub_(from_second);
  second.mul_(cos).add_(from_first);
  if (!wide.is_same(x)) x.copy_(wide);
}

void attend(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const at::Tensor& mask,
            double scale, at::Tensor& scratch, const at::Tensor& out) {
  const std::int64_t tokens = q.size(0), heads = q.size(1), group = q.size(2), dim = q.size(3);
  const std::int64_t keys = k.size(0), rows = tokens * group;
  const std::int64_t at_once = q.is_cpu() ? 1 : heads;
  const at::ScalarType type = scratch.scalar_type();
  const std::int64_t need = at_once * rows * keys;
  if (scratch.numel() < need) scratch = at::empty({need}, scratch.options());
  for (std::int64_t head = 0; head < heads; head += at_once) {
    const auto part = [&](const at::Tensor& all) {
      return all.narrow(1, head, at_once).transpose(0, 1);
    };
    const at::Tensor packed = at::empty({at_once, rows, dim}, scratch.options());
    packed.view({at_once, tokens, group, dim}).copy_(part(q));
    if (packed.scalar_type() == at::kFloat) packed.mul_(scale);
    const at::Tensor scores = scratch.narrow(0, 0, need).view({at_once, rows, keys});
    const at::Tensor mixed =
        attend_heads(packed, part(k).to(type), part(v).to(type), mask, scale, scores);
    part(out).copy_(mixed.view({at_once, tokens, group, dim}));
  }
}

}  // namespace kakeya

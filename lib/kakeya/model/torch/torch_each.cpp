// SPDX-License-Identifier: Apache-2.0
// Every token by itself, in the order of a step of one token (ModelOptions::batch_invariant): products a row at a
// time, as those of few rows are, and attention as attend_few() has it.
#include <algorithm>
#include <array>
#include <iterator>
#include <span>
#include <stdexcept>
#include <vector>

#include "kakeya/model/torch/decoder_ops.h"
#include "kakeya/model/torch/logit_ops.h"
#include "kakeya/model/torch/torch_model.h"
#include "kakeya/model/torch/torch_step.h"

namespace kakeya {

// The products of rows, which are taken as single ones where tokens go by themselves.
TorchModel::Product TorchModel::product_of(const Tensor& rows) {
  const Tensor some = invariant_ ? rows.slice(0, 0, 1) : rows;
  if (!are_few(some, layers_.front().gate_up)) return {};
  return [this](const Tensor& x, const Tensor& weight) { return product_of_few(x, weight, pool_); };
}

// The final norm's output, [rows, hidden] float32.
at::Tensor TorchModel::final_rows(const Tensor& x) const {
  const auto normed = [&](const Tensor& rows) {
    return rms_norm(rows.to(at::kFloat), final_norm_, config_.norm_eps);
  };
  if (!invariant_) return normed(x);
  const Tensor out = at::empty(x.sizes(), x.options().dtype(at::kFloat));
  for (std::int64_t row = 0; row < x.size(0); ++row)
    out.narrow(0, row, 1).copy_(normed(x.narrow(0, row, 1)));
  return out;
}

// Their logits, [rows, vocab].
at::Tensor TorchModel::vocabulary_rows(const Tensor& normed) {
  if (!invariant_) return logit_rows(normed, output_, pool_);
  const Tensor out = at::empty({normed.size(0), output_.size(0)}, normed.options());
  for (std::int64_t row = 0; row < normed.size(0); ++row) {
    const Tensor one = normed.narrow(0, row, 1);
    out.narrow(0, row, 1).copy_(are_few(one, output_) ? product_of_few(one, output_, pool_)
                                                      : logit_rows(one, output_, pool_));
  }
  return out;
}

// Keys, rotated, and values of a layer from token `first` on, as attention sees them: [tokens, kv_heads, head_dim]
// float32. Where there are exact ones too, a query sees these of the last `window` tokens up to its own; so each
// query is a sequence, whose number is its token.
class TorchModel::HeldRows final : public StepCache {
 public:
  using Both = std::array<Tensor, 2>;
  HeldRows(Both coded, Both exact, std::int64_t window, std::int64_t first)
      : coded_(std::move(coded)), exact_(std::move(exact)), window_(window), first_(first) {}

  TapPoint tap_point() const override { return TapPoint::post_rope; }
  std::size_t tokens(int) const override {
    return static_cast<std::size_t>(first_ + coded_[0].size(0));
  }
  std::size_t first_token(int, int) const override { return static_cast<std::size_t>(first_); }
  void append(int, int, kakeya::Rows<const float>, kakeya::Rows<const float>) override {
    throw std::logic_error("rows that are held: nothing is appended");
  }
  void read(int sequence, KvSite site, TokenRange tokens, kakeya::Rows<float> out) const override {
    const std::size_t part = site.part == Part::key ? 0 : 1;
    for (std::size_t row = 0; row < out.count; ++row) {
      const auto token = static_cast<std::int64_t>(tokens.first + row);
      const bool near = exact_[part].defined() && sequence - token < window_;
      const Tensor& from = near ? exact_[part] : coded_[part];
      const float* const at =
          from.data_ptr<float>() + (token - first_) * from.stride(0) + site.head * from.stride(1);
      std::copy_n(at, out.dim, out[row].begin());
    }
  }

 private:
  Both coded_, exact_;
  std::int64_t window_, first_;
};

// Tokens [part.row, part.row + part.rows) of `queries`, each by itself.
void TorchModel::attend_held(HeldRows& held, int layer, const StepRows& part, const Tensor& queries,
                             const Tensor& mixed) {
  const Step step{held, nullptr, true, 1, {}, {}};
  std::vector<StepRows> each;
  for (std::int64_t i = 0; i < part.rows; ++i)
    each.push_back({static_cast<int>(part.position + i), part.row + i, 1, part.position + i});
  attend_few(step, layer, each, queries, mixed);
}

// As attend_step(). A layer whose heads are not apart is read once for all of its tokens.
void TorchModel::attend_each(const Step& step, int layer, std::span<const StepRows> parts,
                             const Tensor& queries, const Tensor& mixed) {
  std::vector<StepRows> each;
  for (const StepRows& part : parts) {
    if (part.rows == 0) continue;
    if (step.cache.heads_apart(layer)) {
      for (std::int64_t i = 0; i < part.rows; ++i)
        each.push_back({part.sequence, part.row + i, 1, part.position + i});
      continue;
    }
    require_kept(step, layer, part);
    const std::int64_t first = first_seen(layer, part), end = part.position + part.rows;
    std::vector<Tensor> keys, values;
    for (std::int64_t at = first; at < end; at += kTileTokens) {
      const auto [k, v] = read_tile(step, layer, part, at, std::min(kTileTokens, end - at));
      keys.push_back(k.transpose(0, 1).clone());  // the next tile is read into the same memory
      values.push_back(v.transpose(0, 1).clone());
    }
    HeldRows held({at::cat(keys), at::cat(values)}, {}, 0, first);
    attend_held(held, layer, part, queries, mixed);
  }
  if (!each.empty()) attend_few(step, layer, each, queries, mixed);
}

// What tokens [first, end) of a forward gather: [tokens, query_heads * head_dim], those rows alone set.
at::Tensor TorchModel::attend_by_token(int layer, const Pass& pass, const Projected& all,
                                       std::int64_t first, std::int64_t end) {
  const std::int64_t width = std::int64_t{config_.shape.query_heads} * config_.shape.head_dim;
  const auto held_rows = [&](const Tensor& rows) {
    if (!rows.defined()) return HeldRows::Both{};
    const auto plain = [&](Part part) { return heads(rows, part).to(at::kFloat); };
    return HeldRows::Both{plain(Part::key), plain(Part::value)};
  };
  HeldRows held(held_rows(all.qkv), held_rows(all.exact), pass.exact, 0);
  const Tensor mixed = at::empty({all.qkv.size(0), width}, all.qkv.options());
  attend_held(held, layer, {0, first, end - first, first}, all.qkv.narrow(1, 0, width), mixed);
  return mixed;
}

}  // namespace kakeya

// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/torch/logit_ops.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "kakeya/core/error.h"
#include "kakeya/model/token_losses.h"
#include "kakeya/model/torch/task_pool.h"

namespace kakeya {
namespace {

constexpr std::int64_t kLossRows = 8;           // turned into doubles by one task
constexpr std::int64_t kVocabSlice = 1 << 12;   // rows of the output matrix in one task
constexpr std::int64_t kFewRows = 3;            // a matrix product packs all weights first
constexpr std::int64_t kManyWeights = 1 << 17;  // below that it costs no less
constexpr std::int64_t kTaskWeights = 1 << 18;  // in one task

// [ids, 1]
at::Tensor indices(std::span<const std::int32_t> ids) {
  const at::Tensor out = at::empty({static_cast<std::int64_t>(ids.size()), 1}, at::kLong);
  std::copy(ids.begin(), ids.end(), out.data_ptr<std::int64_t>());
  return out;
}

// Of logits [n, vocab], in double.
at::Tensor log_softmax_of(const at::Tensor& logits) {
  const at::Tensor wide = logits.to(at::kDouble);
  return wide.sub(at::logsumexp(wide, {1}, true));
}

void append(const at::Tensor& column, std::vector<double>& to) {
  const at::Tensor here = column.to(at::kCPU).contiguous();
  to.insert(to.end(), here.data_ptr<double>(), here.data_ptr<double>() + here.numel());
}

}  // namespace

at::Tensor token_rows(const at::Tensor& table, std::span<const std::int32_t> tokens) {
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i] < 0 || tokens[i] >= table.size(0)) {
      throw InputError("token " + std::to_string(i) + " is " + std::to_string(tokens[i]) +
                       ", expected 0 to " + std::to_string(table.size(0) - 1));
    }
  }
  return table.index_select(0, indices(tokens).flatten().to(table.device()));
}

at::Tensor logit_rows(const at::Tensor& normed, const at::Tensor& output, WorkerPool& pool) {
  const std::int64_t vocab = output.size(0), slices = (vocab + kVocabSlice - 1) / kVocabSlice;
  const at::Tensor out = at::empty({normed.size(0), vocab}, normed.options());
  run_tasks(pool, static_cast<std::size_t>(slices), [&](std::size_t slice, std::size_t) {
    const std::int64_t start = static_cast<std::int64_t>(slice) * kVocabSlice;
    const std::int64_t rows = std::min(kVocabSlice, vocab - start);
    at::Tensor part = out.narrow(1, start, rows);
    at::mm_out(part, normed, output.narrow(0, start, rows).to(at::kFloat).t());
  });
  return out;
}

bool are_few(const at::Tensor& x, const at::Tensor& weight) {
  return x.is_cpu() && x.size(0) > 0 && x.size(0) <= kFewRows &&
         weight.scalar_type() == at::kFloat && weight.numel() >= kManyWeights;
}

at::Tensor product_of_few(const at::Tensor& x, const at::Tensor& weight, WorkerPool& pool) {
  const at::Tensor wide = x.to(at::kFloat),
                   out = at::empty({x.size(0), weight.size(0)}, at::kFloat);
  const std::int64_t outputs = weight.size(0),
                     slice = std::max<std::int64_t>(1, kTaskWeights / weight.size(1));
  const std::int64_t slices = (outputs + slice - 1) / slice;
  run_tasks(pool, static_cast<std::size_t>(slices), [&](std::size_t task, std::size_t) {
    const std::int64_t start = static_cast<std::int64_t>(task) * slice,
                       count = std::min(slice, outputs - start);
    for (std::int64_t row = 0; row < x.size(0); ++row) {
      at::Tensor part = out.select(0, row).narrow(0, start, count);
      at::mv_out(part, weight.narrow(0, start, count), wide.select(0, row));
    }
  });
  return out.to(x.scalar_type());
}

at::Tensor losses(const at::Tensor& logits, std::span<const std::int32_t> targets,
                  WorkerPool& pool) {
  const at::Tensor chosen = indices(targets).to(logits.device());
  const std::int64_t count = logits.size(0), tasks = (count + kLossRows - 1) / kLossRows;
  const at::Tensor out = at::empty({count, 1}, at::kDouble);
  run_tasks(pool, static_cast<std::size_t>(tasks), [&](std::size_t task, std::size_t) {
    const std::int64_t start = static_cast<std::int64_t>(task) * kLossRows;
    const std::int64_t rows = std::min(kLossRows, count - start);
    const at::Tensor wide = logits.narrow(0, start, rows).to(at::kDouble);
    out.narrow(0, start, rows)
        .copy_(at::logsumexp(wide, {1}, true).sub_(wide.gather(1, chosen.narrow(0, start, rows))));
  });
  return out;
}

void compare_rows(const at::Tensor& reference, const at::Tensor& coded,
                  std::span<const std::int32_t> targets, std::size_t first, TokenLosses& losses) {
  const at::Tensor chosen = indices(targets).to(coded.device());
  const at::Tensor log_p = log_softmax_of(reference), log_q = log_softmax_of(coded);
  const WordPair<at::Tensor> all{log_p.exp(), log_q.exp(), log_p, log_q},
      target{all.p.gather(1, chosen), all.q.gather(1, chosen), log_p.gather(1, chosen),
             log_q.gather(1, chosen)};
  const auto take = [&](std::vector<double>& values, auto over, const auto& term) {
    append(over.of_rows(all, target, term), values);
  };
  for_each_loss(losses, take);
  const at::Tensor same = reference.argmax(1).eq(coded.argmax(1)).to(at::kByte).to(at::kCPU);
  losses.top1.insert(losses.top1.end(), same.data_ptr<std::uint8_t>(),
                     same.data_ptr<std::uint8_t>() + same.numel());
  // An infinite logit makes a NaN or an infinity of its row's sum.
  const at::Tensor sums = at::add(reference.sum(1), coded.sum(1)).to(at::kDouble).to(at::kCPU);
  for (std::int64_t row = 0; row < sums.numel(); ++row) {
    if (std::isfinite(sums.data_ptr<double>()[row])) continue;
    throw InputError("logits of scored token " +
                     std::to_string(first + static_cast<std::size_t>(row)) +
                     ": NaN or infinite, expected finite numbers");
  }
}

}  // namespace kakeya

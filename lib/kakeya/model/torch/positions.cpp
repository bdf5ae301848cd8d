// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/torch/positions.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace kakeya {
namespace {

at::Tensor all_hidden(std::int64_t rows, std::int64_t columns, const c10::TensorOptions& options) {
  return at::full({rows, columns}, -std::numeric_limits<double>::infinity(), options);
}

}  // namespace

at::Tensor rotary_table(std::span<const double> frequencies, std::int64_t tokens) {
  const auto pairs = static_cast<std::int64_t>(frequencies.size());
  const at::Tensor table = at::empty({2, tokens, 1, pairs}, at::kFloat);
  float* const cosine = table.data_ptr<float>();
  float* const sine = cosine + tokens * pairs;
  for (std::int64_t t = 0; t < tokens; ++t) {
    for (std::int64_t i = 0; i < pairs; ++i) {
      const double angle = static_cast<double>(t) * frequencies[static_cast<std::size_t>(i)];
      cosine[t * pairs + i] = static_cast<float>(std::cos(angle));
      sine[t * pairs + i] = static_cast<float>(std::sin(angle));
    }
  }
  return table;
}

at::Tensor causal_mask(std::int64_t block, const c10::TensorOptions& options) {
  return hidden_keys(0, {block, block}, 0, options);
}

at::Tensor window_mask(std::int64_t block, std::int64_t window, const c10::TensorOptions& options) {
  return hidden_keys(window - 1, {block, window - 1 + block}, window, options);
}

// Of query r, column c is the key r + ahead - c before its own.
at::Tensor hidden_keys(std::int64_t ahead, std::array<std::int64_t, 2> size, std::int64_t window,
                       const c10::TensorOptions& options) {
  at::Tensor later = all_hidden(size[0], size[1], options).triu_(ahead + 1);
  if (window == 0) return later;
  return all_hidden(size[0], size[1], options).tril_(ahead - window).add_(later);
}

// Blocks of tokens are the tasks of a forward. On the CPU a matrix product is at full speed from
// about 100 rows on; shorter texts are cut smaller, so that there is work for several threads.
std::int64_t rows_at_once(std::int64_t tokens, std::int64_t asked, bool cpu) {
  constexpr std::int64_t kRowsCpu = 128, kLeastRowsCpu = 32, kBlocksCpu = 8, kRowsCuda = 512;
  if (asked > 0) return std::min(asked, tokens);
  if (!cpu) return std::min(kRowsCuda, tokens);
  return std::min(tokens,
                  std::clamp((tokens + kBlocksCpu - 1) / kBlocksCpu, kLeastRowsCpu, kRowsCpu));
}

}  // namespace kakeya

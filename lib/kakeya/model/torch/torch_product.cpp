// SPDX-License-Identifier: Apache-2.0
#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include "kakeya/model/torch/torch_functions.h"

namespace kakeya {

std::vector<float> torch_product(Rows<const float> x, std::span<const float> matrix) {
  const c10::InferenceMode inference;
  const auto columns = static_cast<std::int64_t>(x.dim), rows = static_cast<std::int64_t>(x.count),
             outputs = static_cast<std::int64_t>(matrix.size() / x.dim);
  std::vector<float> product(x.count * static_cast<std::size_t>(outputs));
  // LibTorch takes no const memory; mm only reads its operands.
  const auto view = [&](const float* data, std::int64_t count) {
    return at::from_blob(const_cast<float*>(data), {count, columns}, at::kFloat);
  };
  at::Tensor out = at::from_blob(product.data(), {rows, outputs}, at::kFloat);
  at::mm_out(out, view(x.data, rows), view(matrix.data(), outputs).t());
  return product;
}

}  // namespace kakeya

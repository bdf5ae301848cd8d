// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/streams/product.h"

#include "kakeya/model/torch_library.h"

namespace kakeya {

std::vector<float> matrix_product(Rows<const float> x, std::span<const float> matrix) {
  return torch_library("KV streams").product(x, matrix);
}

}  // namespace kakeya

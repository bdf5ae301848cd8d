// SPDX-License-Identifier: Apache-2.0
#include "kakeya/core/error.h"
#include "kakeya/model/streams/product.h"

namespace kakeya {

std::vector<float> matrix_product(Rows<const float>, std::span<const float>) {
  throw InputError("KV streams: this build has no LibTorch (see the configure output)");
}

void set_product_threads(int) {}

}  // namespace kakeya

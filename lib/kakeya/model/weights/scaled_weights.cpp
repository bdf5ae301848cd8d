// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/weights/scaled_weights.h"

#include <cmath>
#include <vector>

#include "kakeya/core/error.h"

namespace kakeya {

void read_scaled(const WeightSource& source, const std::string& name, const std::string& scale,
                 std::array<std::size_t, 2> block, std::span<float> out) {
  source.read(name, out);
  const std::vector<std::size_t>& shape = source.find(name)->shape;
  if (shape.size() != 2 || block[0] == 0 || block[1] == 0) {
    throw InputError(source.path() + ": tensor " + name + " " + shape_text(shape) +
                     " under blocks of " + std::to_string(block[0]) + " x " +
                     std::to_string(block[1]) +
                     ": expected a matrix and blocks that are not empty");
  }
  const std::vector<std::size_t> wanted = {(shape[0] + block[0] - 1) / block[0],
                                           (shape[1] + block[1] - 1) / block[1]};
  const WeightInfo* const found = source.find(scale);
  if (found == nullptr) {
    throw InputError(source.path() + ": tensor " + name + " of " + source.find(name)->type +
                     " has no scales: expected a tensor " + scale);
  }
  if (found->shape != wanted) {
    throw InputError(source.path() + ": tensor " + scale + " " + shape_text(found->shape) +
                     ", expected " + shape_text(wanted) + " for the " + std::to_string(block[0]) +
                     " x " + std::to_string(block[1]) + " blocks of " + name);
  }
  std::vector<float> scales(wanted[0] * wanted[1]);
  source.read(scale, scales);
  for (std::size_t row = 0; row < shape[0]; ++row) {
    const float* const of_row = scales.data() + row / block[0] * wanted[1];
    float* const values = out.data() + row * shape[1];
    for (std::size_t i = 0; i < shape[1]; ++i) {
      const float stored = values[i], by = of_row[i / block[1]];
      values[i] = stored * by;
      if (std::isfinite(values[i])) continue;
      throw InputError(source.path() + ": tensor " + name + ", row " + std::to_string(row) +
                       ", column " + std::to_string(i) + ": " + std::to_string(stored) + " times " +
                       std::to_string(by) + ", its scale in " + scale +
                       ": expected a finite value");
    }
  }
}

}  // namespace kakeya

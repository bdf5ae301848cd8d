// SPDX-License-Identifier: Apache-2.0
#include "kakeya/device/klt_plan_parts.h"

#include "kernels/klt.h"

namespace kakeya {

std::size_t KltFloats::add_vector(std::span<const float> vector) {
  const std::size_t first = values_.size();
  values_.insert(values_.end(), vector.begin(), vector.end());
  values_.resize(first +
                 static_cast<std::size_t>(kernels::klt_padded(static_cast<int>(vector.size()))));
  return first;
}

std::size_t KltFloats::add_matrix(std::size_t dim, const At& at) {
  const int width = static_cast<int>(dim);
  const std::size_t first = values_.size();
  values_.resize(first + kernels::klt_matrix_values(width));
  for (int i = 0; i < width; ++i) {
    for (int j = 0; j < width; ++j) {
      values_[first + kernels::klt_place(width, i, j)] =
          at(static_cast<std::size_t>(i), static_cast<std::size_t>(j));
    }
  }
  return first;
}

std::size_t KltFloats::add_rows(std::span<const float> matrix, std::size_t dim) {
  return add_matrix(dim, [&](std::size_t i, std::size_t j) { return matrix[i * dim + j]; });
}

std::size_t KltFloats::add_number(float value) {
  values_.push_back(value);
  return values_.size() - 1;
}

kernels::Klt klt_kernel_of(const TransformFrames& frames, std::size_t width, std::size_t groups) {
  kernels::Klt kernel;
  const Lattice lattice = frames.format->lattice;
  kernel.points = lattice == Lattice::trellis ? kernels::Klt::trellis
                  : lattice == Lattice::e8    ? kernels::Klt::e8
                                              : kernels::Klt::z;
  kernel.dim = static_cast<int>(width * groups);
  kernel.page = static_cast<int>(frames.format->page);
  kernel.parts =
      kernels::klt_parts(kernel.points, static_cast<int>(width)) * static_cast<int>(groups);
  kernel.largest = frames.largest;
  kernel.most_bits = static_cast<std::uint32_t>(8 * frames.kept_bytes);
  return kernel;
}

}  // namespace kakeya

// SPDX-License-Identifier: Apache-2.0
// A product of matrices, panel by panel: 32 columns of at most 256 rows, copied to lie together, which
// the first cache holds whatever the stride. What has been summed waits in `sums` between panels, exactly.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kakeya/simd/kernels.h"
#include "kakeya/simd/matrix.h"
#include "kakeya/simd/tile.h"

namespace kakeya {
namespace {

// `columns` of each row, at most kPanelWidth, one row after another, zeros behind them.
template <typename T>
void copy_columns(const T* from, std::size_t stride, std::size_t rows, std::size_t columns, T* to) {
  for (std::size_t k = 0; k < rows; ++k, from += stride, to += kPanelWidth) {
    if (columns == kPanelWidth) {
      std::copy_n(from, kPanelWidth, to);
    } else {
      std::fill(std::copy_n(from, columns, to), to + kPanelWidth, T{});
    }
  }
}

template <typename T, typename Kernel>
void add_in_panels(Rows<const T> factors, Rows<const T> rows, Rows<T> sums, Kernel add_panel) {
  constexpr std::size_t kDepth = 256, kWorthACopy = 48;
  static_assert(sizeof(T) == sizeof(float));
  const TileBuffer memory(kDepth * kPanelWidth / kTileRows);  // aligned
  T* const panel = reinterpret_cast<T*>(memory.data());
  std::vector<T> edge;  // sums of fewer columns than a panel's
  for (std::size_t first = 0; first < rows.count; first += kDepth) {
    const std::size_t inner = std::min(kDepth, rows.count - first);
    const Rows<const T> part{factors.data + first, sums.count, inner, factors.stride};
    for (std::size_t column = 0; column < rows.dim; column += kPanelWidth) {
      const std::size_t columns = std::min(kPanelWidth, rows.dim - column);
      const T* const from = rows.data + first * rows.stride + column;
      Rows<T> to{sums.data + column, sums.count, kPanelWidth, sums.stride};
      if (columns == kPanelWidth && sums.count < kWorthACopy) {
        add_panel(part, from, rows.stride, to);
        continue;
      }
      copy_columns(from, rows.stride, inner, columns, panel);
      if (columns < kPanelWidth) {
        edge.resize(sums.count * kPanelWidth);
        copy_columns<T>(to.data, sums.stride, sums.count, columns, edge.data());
        to = dense_rows(edge.data(), sums.count, kPanelWidth);
      }
      add_panel(part, panel, kPanelWidth, to);
      for (std::size_t i = 0; i < sums.count && columns < kPanelWidth; ++i) {
        std::copy_n(to[i].data(), columns, sums.data + i * sums.stride + column);
      }
    }
  }
}

}  // namespace

void add_product(Rows<const float> factors, Rows<const float> rows, Rows<float> sums) {
  constexpr std::size_t kFew = 4;
  const MatrixKernels& use = kernels_in_use().matrix;
  if (sums.count >= kFew) return add_in_panels(factors, rows, sums, use.add_panel);
  for (std::size_t i = 0; i < sums.count; ++i) use.combine(factors[i].data(), rows, sums[i].data());
}

void add_pair_product(Rows<const std::int32_t> factors, Rows<const std::int32_t> rows,
                      Rows<std::int32_t> sums) {
  add_in_panels(factors, rows, sums, kernels_in_use().matrix.add_pair_panel);
}

}  // namespace kakeya

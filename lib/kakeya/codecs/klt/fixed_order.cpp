// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codecs/klt/fixed_order.h"

#include <algorithm>
#include <limits>

#include "kakeya/core/rows.h"
#include "kakeya/simd/matrix.h"

namespace kakeya {
namespace {

constexpr std::size_t kBlock = 32;  // rows that go through the others together

template <typename T>
std::vector<T> turned(std::span<const T> matrix, std::size_t columns) {
  const std::size_t rows = matrix.size() / columns;
  std::vector<T> out(matrix.size());
  for (std::size_t first = 0; first < columns; first += kBlock) {  // what is written stays close
    const std::size_t end = std::min(first + kBlock, columns);
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = first; j < end; ++j) out[j * rows + i] = matrix[i * columns + j];
    }
  }
  return out;
}

}  // namespace

std::vector<float> ordered_product(std::span<const float> a, std::span<const float> b,
                                   std::size_t inner, std::size_t columns) {
  const std::size_t rows = a.size() / inner;
  std::vector<float> product(rows * columns);
  add_product(dense_rows(a.data(), rows, inner), dense_rows(b.data(), inner, columns),
              dense_rows(product.data(), rows, columns));
  return product;
}

std::vector<float> symmetric_product(std::span<const float> a, std::span<const float> b,
                                     std::size_t inner) {
  constexpr std::size_t kRows = 64;
  const std::size_t n = a.size() / inner;
  std::vector<float> product(n * n);
  for (std::size_t first = 0; first < n; first += kRows) {
    const std::size_t rows = std::min(kRows, n - first);
    add_product({&a[first * inner], rows, inner, inner}, {&b[first], inner, n - first, n},
                {&product[first * n + first], rows, n - first, n});
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) product[j * n + i] = product[i * n + j];
  }
  return product;
}

std::vector<float> weighted_square(std::span<const float> rotation,
                                   std::span<const float> weights) {
  const std::size_t n = weights.size();
  std::vector<float> scaled(rotation.begin(), rotation.end());
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) scaled[i * n + j] *= weights[j];
  }
  return symmetric_product(scaled, transposed(rotation, n), n);
}

std::vector<float> transposed(std::span<const float> matrix, std::size_t columns) {
  return turned(matrix, columns);
}

std::vector<std::int32_t> transposed(std::span<const std::int32_t> matrix, std::size_t columns) {
  return turned(matrix, columns);
}

void solve_in_place(std::vector<float>& a, std::vector<float>& b, std::size_t n) {
  const std::size_t columns = b.size() / n;
  const auto rows_of_b = [&](std::size_t first, std::size_t rows) {
    return Rows<float>{&b[first * columns], rows, columns, columns};
  };
  std::vector<float> least(n), factors(kBlock * n);
  for (std::size_t i = 0; i < n; ++i) {
    least[i] = std::max(0x1p-18f * a[i * n + i], std::numeric_limits<float>::min());
  }
  // a = L D L^T: row k of `a` from column k on becomes that of D L^T, factors has -L.
  for (std::size_t first = 0; first < n; first += kBlock) {
    const std::size_t end = std::min(first + kBlock, n), rows = end - first;
    if (first > 0) {
      for (std::size_t k = 0; k < first; ++k) {
        for (std::size_t r = 0; r < rows; ++r)
          factors[r * first + k] = -a[k * n + first + r] / a[k * n + k];
      }
      const Rows<const float> known{factors.data(), rows, first, first};
      add_product(known, {&a[first], first, n - first, n},
                  {&a[first * n + first], rows, n - first, n});
      add_product(known, rows_of_b(0, first), rows_of_b(first, rows));
    }
    for (std::size_t i = first; i < end; ++i) {
      for (std::size_t k = first; k < i; ++k) factors[k] = -a[k * n + i] / a[k * n + k];
      add_combination(&factors[first], {&a[first * n + i], i - first, n - i, n}, &a[i * n + i]);
      if (!(a[i * n + i] > least[i])) a[i * n + i] = least[i];
      add_combination(&factors[first], rows_of_b(first, i - first), &b[i * columns]);
    }
  }
  for (std::size_t first = (n - 1) / kBlock * kBlock, end = n; end > 0;
       end = first, first -= first == 0 ? 0 : kBlock) {
    const std::size_t rows = end - first, after = n - end;
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t j = 0; j < after; ++j)
        factors[r * after + j] = -a[(first + r) * n + end + j];
    }
    if (after > 0)
      add_product({factors.data(), rows, after, after}, rows_of_b(end, after),
                  rows_of_b(first, rows));
    for (std::size_t k = end; k-- > first;) {
      for (std::size_t i = k + 1; i < end; ++i) factors[i] = -a[k * n + i];
      if (k + 1 < end)
        add_combination(&factors[k + 1], rows_of_b(k + 1, end - k - 1), &b[k * columns]);
      for (std::size_t j = 0; j < columns; ++j) b[k * columns + j] /= a[k * n + k];
    }
  }
}

}  // namespace kakeya

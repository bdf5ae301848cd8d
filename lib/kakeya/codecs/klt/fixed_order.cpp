// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codecs/klt/fixed_order.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "kakeya/core/rows.h"
#include "kakeya/simd/matrix.h"
#include "kakeya/simd/tile.h"

namespace kakeya {
namespace {

constexpr std::size_t kPanelColumns = 8;

double dot(const float* x, const float* y, std::size_t n) {
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += double{x[i]} * double{y[i]};
  return sum;
}

// The tridiagonal matrix that reflections make of a symmetric one.
struct Tridiagonal {
  std::vector<double> diagonal, below;  // [n]; below[i]: between i - 1 and i
};

// Leaves row k of `a` from column k + 1 on the reflection's vector v, of which H = 1 - v v^T scales[k].
Tridiagonal tridiagonal_of(std::vector<float>& a, std::size_t n, std::vector<float>& scales) {
  Tridiagonal t{std::vector<double>(n), std::vector<double>(n)};
  std::vector<float> p(n), scaled(n);
  scales.assign(n, 0.0f);
  for (std::size_t k = 0; k < n; ++k) {
    t.diagonal[k] = double{a[k * n + k]};
    if (k + 1 == n) break;
    float* v = &a[k * n + k + 1];
    const std::size_t left = n - k - 1;
    const double norm = std::sqrt(dot(v, v, left)), first = double{v[0]};
    t.below[k + 1] = first > 0 ? -norm : norm;
    if (!(norm > 0x1p-60)) {  // whose square would be lost
      t.below[k + 1] = 0.0;
      continue;
    }
    v[0] = static_cast<float>(first - t.below[k + 1]);
    scales[k] = static_cast<float>(2.0 / dot(v, v, left));  // of v as it is stored
    // p = scale A v, and A -= v w^T + w v^T with w = p - v (scale p^T v / 2); A is what is left.
    const Rows<float> rest{&a[(k + 1) * n + k + 1], left, left, n};
    for (std::size_t i = 0; i < left; ++i) scaled[i] = scales[k] * v[i];
    std::fill_n(p.begin(), left, 0.0f);
    add_combination(scaled.data(), rest, p.data());
    const auto half = static_cast<float>(-0.5 * double{scales[k]} * dot(p.data(), v, left));
    for (std::size_t i = 0; i < left; ++i) p[i] += half * v[i];
    subtract_symmetric(v, p.data(), rest);
  }
  return t;
}

// The product of the reflections, transposed: row i is axis i of the tridiagonal matrix.
std::vector<float> axes_of(const std::vector<float>& a, std::size_t n,
                           const std::vector<float>& scales) {
  std::vector<float> q(n * n, 0.0f), p(n);
  for (std::size_t i = 0; i < n; ++i) q[i * n + i] = 1.0f;
  // From the last on: before reflection k, rows and columns up to k are those of the identity.
  for (std::size_t k = n - 1; k-- > 0;) {
    const float* v = &a[k * n + k + 1];
    const std::size_t left = n - k - 1;
    const Rows<float> corner{&q[(k + 1) * n + k + 1], left, left, n};
    std::fill_n(p.begin(), left, 0.0f);
    add_combination(v, corner, p.data());
    for (std::size_t i = 0; i < left; ++i) p[i] *= -scales[k];
    add_outer(v, p.data(), corner);
  }
  return transposed(q, n);
}

// One step of implicit QL on the block from l to m, whose turns are those of rows m and m - 1, and down.
void step(Tridiagonal& t, std::size_t l, std::size_t m, std::vector<Turn>& turns) {
  auto &d = t.diagonal, &e = t.below;  // e[i + 1] between i and i + 1
  double g = (d[l + 1] - d[l]) / (2.0 * e[l + 1]);
  double r = std::sqrt(g * g + 1.0);
  g = d[m] - d[l] + e[l + 1] / (g + (g >= 0 ? r : -r));
  double s = 1.0, c = 1.0, p = 0.0;
  turns.clear();
  if (m + 1 < d.size()) e[m + 1] = 0.0;
  for (std::size_t i = m; i-- > l;) {
    const double f = s * e[i + 1], b = c * e[i + 1];
    r = std::sqrt(f * f + g * g);
    if (i + 2 <= m) e[i + 2] = r;
    if (r == 0.0) {
      d[i + 1] -= p;
      return;  // it fell into two
    }
    s = f / r;
    c = g / r;
    g = d[i + 1] - p;
    const double turn = (d[i] - g) * s + 2.0 * c * b;
    p = s * turn;
    d[i + 1] = g + p;
    g = c * turn - b;
    turns.push_back({static_cast<float>(c), static_cast<float>(s)});
  }
  d[l] -= p;
  e[l + 1] = g;
}

}  // namespace

std::vector<float> ordered_product(std::span<const float> a, std::span<const float> b,
                                   std::size_t inner, std::size_t columns) {
  const std::size_t rows = a.size() / inner;
  std::vector<float> panels, product(rows * columns);
  panels.reserve(b.size());
  for (std::size_t first = 0; first < columns; first += kPanelColumns) {
    for (std::size_t i = 0; i < inner; ++i) {
      const float* from = &b[i * columns + first];
      panels.insert(panels.end(), from, from + kPanelColumns);
    }
  }
  TileBuffer tile(inner), out(columns);
  std::uint32_t largest[kTileRows];
  for (std::size_t row = 0; row < rows; row += kTileRows) {
    const std::size_t count = std::min(kTileRows, rows - row);
    load_tile({&a[row * inner], count, inner, inner}, tile.data(), largest);
    for (std::size_t first = 0; first < columns; first += kPanelColumns) {
      multiply_tile(tile.data(), inner, &panels[first * inner], kPanelColumns,
                    out.data() + first * kTileRows);
    }
    store_tile(out.data(), {&product[row * columns], count, columns, columns});
  }
  return product;
}

std::vector<float> transposed(std::span<const float> matrix, std::size_t columns) {
  const std::size_t rows = matrix.size() / columns;
  std::vector<float> out(matrix.size());
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) out[j * rows + i] = matrix[i * columns + j];
  }
  return out;
}

void solve_in_place(std::vector<float>& a, std::vector<float>& b, std::size_t n) {
  const std::size_t columns = b.size() / n;
  // a = L D L^T: row k of `a` from column k on becomes that of D L^T, factors has -L.
  std::vector<float> factors(n * n, 0.0f);
  for (std::size_t i = 0; i < n; ++i) {
    float* const factor = &factors[i * n];
    for (std::size_t k = 0; k < i; ++k) factor[k] = -a[k * n + i] / a[k * n + k];
    const float least = std::max(0x1p-18f * a[i * n + i], std::numeric_limits<float>::min());
    add_combination(factor, {&a[i], i, n - i, n}, &a[i * n + i]);
    if (!(a[i * n + i] > least)) a[i * n + i] = least;
    add_combination(factor, {b.data(), i, columns, columns}, &b[i * columns]);
  }
  for (std::size_t k = n; k-- > 0;) {
    float* const row = &b[k * columns];
    std::vector<float> above(n - k - 1);
    for (std::size_t i = k + 1; i < n; ++i) above[i - k - 1] = -a[k * n + i];
    add_combination(above.data(), {row + columns, n - k - 1, columns, columns}, row);
    for (std::size_t j = 0; j < columns; ++j) row[j] /= a[k * n + k];
  }
}

OrderedEigen ordered_eigen(std::vector<float> a, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) a[i * n + j] = a[j * n + i];
  }
  std::vector<float> scales;
  Tridiagonal t = tridiagonal_of(a, n, scales);
  std::vector<float> rows = axes_of(a, n, scales);
  const auto small = [&](std::size_t i) {
    const double around = std::fabs(t.diagonal[i]) + std::fabs(t.diagonal[i + 1]);
    return std::fabs(t.below[i + 1]) <= 0x1p-40 * around;
  };
  std::size_t rounds = 4 * n + 60;  // usually 2 n
  std::vector<Turn> turns;
  for (std::size_t l = 0; l < n; ++l) {
    for (; rounds > 0; --rounds) {
      std::size_t m = l;
      while (m + 1 < n && !small(m)) ++m;
      if (m == l) break;
      step(t, l, m, turns);
      turn_rows(turns, m - 1, dense_rows(rows.data(), n, n));
    }
  }
  for (double& value : t.diagonal) value = std::isnan(value) ? 0.0 : value;
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t x, std::size_t y) { return t.diagonal[x] > t.diagonal[y]; });
  OrderedEigen result;
  result.vectors.reserve(n * n);
  for (const std::size_t k : order) {
    result.values.push_back(t.diagonal[k]);
    result.vectors.insert(result.vectors.end(), &rows[k * n], &rows[k * n] + n);
  }
  return result;
}

}  // namespace kakeya

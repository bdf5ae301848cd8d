// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codecs/klt/fixed_order.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "kakeya/core/rows.h"
#include "kakeya/simd/tile.h"

namespace kakeya {
namespace {

constexpr std::size_t kPanelColumns = 8;

// y += factor x.
void add_scaled(double* y, const double* x, double factor, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) y[i] += factor * x[i];
}

double dot(const double* x, const double* y, std::size_t n) {
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += x[i] * y[i];
  return sum;
}

// The tridiagonal matrix that reflections make of a symmetric one.
struct Tridiagonal {
  std::vector<double> diagonal, below;  // [n]; below[i]: between i - 1 and i
};

// Leaves row k of `a` from column k + 1 on the reflection's vector v, of which H = 1 - v v^T scales[k].
Tridiagonal tridiagonal_of(std::vector<double>& a, std::size_t n, std::vector<double>& scales) {
  Tridiagonal t{std::vector<double>(n), std::vector<double>(n)};
  std::vector<double> p(n);
  scales.assign(n, 0.0);
  for (std::size_t k = 0; k < n; ++k) {
    t.diagonal[k] = a[k * n + k];
    if (k + 1 == n) break;
    double* v = &a[k * n + k + 1];
    const std::size_t left = n - k - 1;
    const double norm = std::sqrt(dot(v, v, left)), first = v[0];
    t.below[k + 1] = first > 0 ? -norm : norm;
    if (!(norm > 0)) continue;
    v[0] -= t.below[k + 1];
    scales[k] = 1.0 / (norm * (norm + std::fabs(first)));
    // p = scale A v, and A -= v w^T + w v^T with w = p - v (scale p^T v / 2); A is what is left.
    std::fill_n(p.begin(), left, 0.0);
    for (std::size_t i = 0; i < left; ++i) {
      add_scaled(p.data(), &a[(k + 1 + i) * n + k + 1], scales[k] * v[i], left);
    }
    add_scaled(p.data(), v, -0.5 * scales[k] * dot(p.data(), v, left), left);
    for (std::size_t i = 0; i < left; ++i) {
      double* row = &a[(k + 1 + i) * n + k + 1];
      const double own = v[i], other = p[i];
      for (std::size_t j = 0; j < left; ++j) row[j] -= own * p[j] + other * v[j];
    }
  }
  return t;
}

// The product of the reflections, transposed: row i is axis i of the tridiagonal matrix.
std::vector<double> axes_of(const std::vector<double>& a, std::size_t n,
                            const std::vector<double>& scales) {
  std::vector<double> q(n * n, 0.0), p(n);
  for (std::size_t i = 0; i < n; ++i) q[i * n + i] = 1.0;
  // From the last on: before reflection k, rows and columns up to k are those of the identity.
  for (std::size_t k = n - 1; k-- > 0;) {
    const double* v = &a[k * n + k + 1];
    const std::size_t left = n - k - 1;
    double* corner = &q[(k + 1) * n + k + 1];
    std::fill_n(p.begin(), left, 0.0);
    for (std::size_t i = 0; i < left; ++i) add_scaled(p.data(), corner + i * n, v[i], left);
    for (std::size_t i = 0; i < left; ++i) {
      add_scaled(corner + i * n, p.data(), -scales[k] * v[i], left);
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) std::swap(q[i * n + j], q[j * n + i]);
  }
  return q;
}

struct Turn {
  double cosine, sine;
};

// Turns rows i + 1 and i of `rows`, for i from `last` down, each by its turn; some columns at a time,
// whose numbers of row i stay at hand for the next turn.
void apply(std::span<const Turn> turns, std::size_t last, std::vector<double>& rows,
           std::size_t n) {
  constexpr std::size_t kColumns = 16;
  for (std::size_t first = 0; first < n; first += kColumns) {
    const std::size_t columns = std::min(kColumns, n - first);
    double carried[kColumns] = {};
    std::copy_n(&rows[(last + 1) * n + first], columns, carried);
    for (std::size_t k = 0; k < turns.size(); ++k) {
      double *low = &rows[(last - k) * n + first], *high = low + n;
      const auto [c, s] = turns[k];
      for (std::size_t j = 0; j < columns; ++j) {
        const double own = low[j];
        high[j] = s * own + c * carried[j];
        carried[j] = c * own - s * carried[j];
      }
    }
    std::copy_n(carried, columns, &rows[(last + 1 - turns.size()) * n + first]);
  }
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
    turns.push_back({c, s});
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

void solve_in_place(std::vector<double>& a, std::vector<double>& b, std::size_t n) {
  const std::size_t columns = b.size() / n;
  for (std::size_t k = 0; k < n; ++k) {
    double& pivot = a[k * n + k];
    if (!(pivot > 0)) pivot = std::numeric_limits<double>::min();
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = -a[k * n + i] / pivot;
      add_scaled(&a[i * n + i], &a[k * n + i], factor, n - i);
      add_scaled(&b[i * columns], &b[k * columns], factor, columns);
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t i = k + 1; i < n; ++i) {
      add_scaled(&b[k * columns], &b[i * columns], -a[k * n + i], columns);
    }
    const double pivot = a[k * n + k];
    for (std::size_t j = 0; j < columns; ++j) b[k * columns + j] /= pivot;
  }
}

void subtract_product(std::vector<double>& from, const std::vector<double>& a,
                      const std::vector<double>& b, std::size_t n) {
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = 0; i < n; ++i) {
      add_scaled(&from[i * n], &b[k * n], -a[k * n + i], n);
    }
  }
}

OrderedEigen ordered_eigen(std::vector<double> a, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) a[i * n + j] = a[j * n + i];
  }
  std::vector<double> scales;
  Tridiagonal t = tridiagonal_of(a, n, scales);
  std::vector<double> rows = axes_of(a, n, scales);
  const auto small = [&](std::size_t i) {
    const double around = std::fabs(t.diagonal[i]) + std::fabs(t.diagonal[i + 1]);
    return std::fabs(t.below[i + 1]) <= 0x1p-53 * around;
  };
  std::size_t rounds = 4 * n + 60;  // usually 2 n
  std::vector<Turn> turns;
  for (std::size_t l = 0; l < n; ++l) {
    for (; rounds > 0; --rounds) {
      std::size_t m = l;
      while (m + 1 < n && !small(m)) ++m;
      if (m == l) break;
      step(t, l, m, turns);
      apply(turns, m - 1, rows, n);
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

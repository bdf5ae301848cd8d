// SPDX-License-Identifier: Apache-2.0
// Eigenvectors in three parts, each of which the caches serve well:
//
//   A = Q T Q^T     reflections, 32 at a time: what they do to the rest of the matrix is added up and
//                   subtracted at once, as a product. Each reads that rest once.
//   Q^T             the same 32 reflections together are 1 - V^T S V
//   T = G D G^T     QL: one sweep of rotations after another, which are kept until there are some, and
//                   then turn strips of Q^T that the first cache holds
#include <algorithm>
#include <cmath>
#include <numeric>

#include "kakeya/codecs/klt/fixed_order.h"
#include "kakeya/core/rows.h"
#include "kakeya/simd/matrix.h"

namespace kakeya {
namespace {

constexpr std::size_t kTogether = 32;  // reflections

// In eight interleaved parts.
double dot(const float* x, const float* y, std::size_t n) {
  double parts[8] = {};
  std::size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    for (std::size_t k = 0; k < 8; ++k) parts[k] += double{x[i + k]} * double{y[i + k]};
  }
  for (; i < n; ++i) parts[i % 8] += double{x[i]} * double{y[i]};
  return ((parts[0] + parts[4]) + (parts[1] + parts[5])) +
         ((parts[2] + parts[6]) + (parts[3] + parts[7]));
}

// The tridiagonal matrix that reflections make of a symmetric one.
struct Tridiagonal {
  std::vector<double> diagonal, below;  // [n]; below[i]: between i - 1 and i
};

// Leaves row k of `a` from column k + 1 on the reflection's vector v, of which H = 1 - v v^T scales[k].
// H A H = A - v w^T - w v^T with w = p - v (scale p^T v / 2), p = scale A v. A block's v and w, row 2 q and
// 2 q + 1 of `pairs` for its reflection q, are subtracted from its own rows and from p as they are needed,
// and from the rows behind it at its end.
Tridiagonal tridiagonal_of(Rows<float> a, std::vector<float>& scales) {
  constexpr std::size_t kRows = 2 * kTogether;
  const std::size_t n = a.count;
  Tridiagonal t{std::vector<double>(n), std::vector<double>(n)};
  std::vector<float> p(n), scaled(n), pairs(kRows * n), columns(n * kRows);  // columns: pairs^T
  scales.assign(n, 0.0f);
  for (std::size_t block = 0; block < n; block += kTogether) {
    const std::size_t end = std::min(block + kTogether, n);
    std::fill(pairs.begin(), pairs.end(), 0.0f);
    std::fill(columns.begin(), columns.end(), 0.0f);
    for (std::size_t k = block; k < end; ++k) {
      const std::size_t known = 2 * (k - block), left = n - k - 1;
      float factor[kRows];
      float* const row = a.data + k * a.stride;
      for (std::size_t q = 0; q < known; ++q) factor[q] = -columns[k * kRows + (q ^ 1)];
      add_combination(factor, {&pairs[k], known, n - k, n}, row + k);
      t.diagonal[k] = double{row[k]};
      if (left == 0) break;
      float* const v = row + k + 1;
      const double norm = std::sqrt(dot(v, v, left)), first = double{v[0]};
      t.below[k + 1] = first > 0 ? -norm : norm;
      if (!(norm > 0x1p-60)) {  // whose square would be lost
        t.below[k + 1] = 0.0;
        continue;
      }
      v[0] = static_cast<float>(first - t.below[k + 1]);
      scales[k] = static_cast<float>(2.0 / dot(v, v, left));  // of v as it is stored
      for (std::size_t i = 0; i < left; ++i) scaled[i] = scales[k] * v[i];
      std::fill_n(p.begin(), left, 0.0f);
      add_combination(scaled.data(), {v + a.stride, left, left, a.stride}, p.data());
      float along[kRows] = {};
      add_combination(scaled.data(), {&columns[(k + 1) * kRows], left, known, kRows}, along);
      for (std::size_t q = 0; q < known; ++q) factor[q] = -along[q ^ 1];
      if (known > 0) add_combination(factor, {&pairs[k + 1], known, left, n}, p.data());
      const auto half = static_cast<float>(-0.5 * double{scales[k]} * dot(p.data(), v, left));
      for (std::size_t i = 0; i < left; ++i) p[i] += half * v[i];
      for (std::size_t i = 0; i < left; ++i) {
        pairs[known * n + k + 1 + i] = columns[(k + 1 + i) * kRows + known] = v[i];
        pairs[(known + 1) * n + k + 1 + i] = columns[(k + 1 + i) * kRows + known + 1] = p[i];
      }
    }
    if (end == n) break;
    for (std::size_t i = end; i < n; ++i) {
      for (std::size_t q = 0; q < kRows; q += 2) {
        float* const both = &columns[i * kRows + q];
        const float v = both[0];
        both[0] = -both[1];
        both[1] = -v;
      }
    }
    add_product({&columns[end * kRows], n - end, kRows, kRows}, {&pairs[end], kRows, n - end, n},
                {a.data + end * a.stride + end, n - end, n - end, a.stride});
  }
  return t;
}

// Multiplies q by the product of the reflections `block` to `end`, 1 - V^T S V with an upper triangle S.
// Its rows and columns up to `block` are those of the identity.
void reflect(Rows<const float> a, const std::vector<float>& scales, std::size_t block,
             std::size_t end, Rows<float> q) {
  const std::size_t count = end - block, left = q.count - block - 1;
  std::vector<float> rows(count * left), columns(left * kTogether);
  for (std::size_t k = 0; k < count; ++k) {
    const float* from = a.data + (block + k) * a.stride + block + 1;
    for (std::size_t i = k; i < left; ++i) {
      rows[k * left + i] = columns[i * kTogether + k] = from[i];
    }
  }
  const Rows<const float> v = dense_rows<const float>(rows.data(), count, left);
  float products[kTogether * kTogether] = {}, s[kTogether * kTogether] = {};
  add_product(v, dense_rows<const float>(columns.data(), left, kTogether),
              dense_rows(products, count, kTogether));
  for (std::size_t j = 0; j < count; ++j) {  // s is -S
    const float scale = scales[block + j];
    for (std::size_t i = 0; i < j; ++i) {
      float sum = 0;
      for (std::size_t k = i; k < j; ++k) sum += s[i * kTogether + k] * products[k * kTogether + j];
      s[i * kTogether + j] = -(sum * scale);
    }
    s[j * kTogether + j] = -scale;
  }
  const Rows<float> corner{q.data + (block + 1) * q.stride + block + 1, left, left, q.stride};
  std::vector<float> inner(count * left), outer(count * left);
  add_product(v, corner, dense_rows(inner.data(), count, left));
  add_product({s, count, count, kTogether}, dense_rows<const float>(inner.data(), count, left),
              dense_rows(outer.data(), count, left));
  add_product({columns.data(), left, count, kTogether},
              dense_rows<const float>(outer.data(), count, left), corner);
}

// Rows of a matrix in strips of columns, and the rotations that they wait for.
class TurnedRows {
 public:
  explicit TurnedRows(std::size_t n)
      : n_(n), strips_((n + kTurnColumns - 1) / kTurnColumns), rows_(strips_ * n * kTurnColumns) {}

  /// Makes them the columns of q.
  void set_columns(Rows<const float> q) {
    for (std::size_t first = 0; first < n_; first += kTurnColumns) {
      const std::size_t count = std::min(kTurnColumns, n_ - first);
      float* to = &rows_[first * n_];
      for (std::size_t row = 0; row < n_; ++row, to += kTurnColumns) {
        const float* const from = q.data + first * q.stride + row;
        for (std::size_t j = 0; j < count; ++j) to[j] = from[j * q.stride];
      }
    }
  }

  void append_row(std::size_t row, std::vector<float>& out) const {
    for (std::size_t first = 0; first < n_; first += kTurnColumns) {
      const float* const from = &rows_[first * n_ + row * kTurnColumns];
      out.insert(out.end(), from, from + std::min(kTurnColumns, n_ - first));
    }
  }

  /// A sweep that turns rows `last` + 1 and `last` first.
  void add(std::vector<Turn> turns, std::size_t last) {
    if (turns.empty()) return;
    waiting_.push_back({std::move(turns), last});
    if (waiting_.size() == kSweeps) join();
    if (joined_.size() == kGroups) apply();
  }

  void finish() {
    if (!waiting_.empty()) join();
    apply();
  }

 private:
  struct Sweeps {
    std::vector<Turn> turns;
    std::size_t last;
  };
  static constexpr std::size_t kSweeps = 4, kGroups = 8;

  // Makes sweeps of one range of what waits, with turns by nothing where one has no other.
  void join() {
    std::size_t high = 0, low = n_;
    for (const Sweeps& sweep : waiting_) {
      high = std::max(high, sweep.last);
      low = std::min(low, sweep.last + 1 - sweep.turns.size());
    }
    const std::size_t count = high + 1 - low;
    Sweeps all{std::vector<Turn>(waiting_.size() * count, Turn{1.0f, 0.0f}), high};
    for (std::size_t i = 0; i < waiting_.size(); ++i) {
      std::ranges::copy(waiting_[i].turns, &all.turns[i * count + high - waiting_[i].last]);
    }
    sweeps_.push_back(waiting_.size());
    joined_.push_back(std::move(all));
    waiting_.clear();
  }

  void apply() {
    for (std::size_t strip = 0; strip < strips_; ++strip) {
      for (std::size_t i = 0; i < joined_.size(); ++i) {
        turn_rows(joined_[i].turns, sweeps_[i], joined_[i].last, &rows_[strip * n_ * kTurnColumns]);
      }
    }
    joined_.clear();
    sweeps_.clear();
  }

  std::size_t n_, strips_;
  std::vector<float> rows_;
  std::vector<Sweeps> waiting_, joined_;
  std::vector<std::size_t> sweeps_;  // of joined_
};

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

OrderedEigen ordered_eigen(std::vector<float> a, std::size_t n) {
  // Rows a power of two apart would share a few places of the cache.
  const std::size_t stride = n + (n % 128 == 0 ? 16 : 0);
  std::vector<float> work(n * stride);
  const Rows<float> matrix{work.data(), n, n, stride};
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) work[i * stride + j] = work[j * stride + i] = a[i * n + j];
  }
  std::vector<float> scales;
  Tridiagonal t = tridiagonal_of(matrix, scales);
  TurnedRows rows(n);
  {
    a.assign(n * stride, 0.0f);
    const Rows<float> q{a.data(), n, n, stride};
    for (std::size_t i = 0; i < n; ++i) a[i * stride + i] = 1.0f;
    for (std::size_t block = (n - 1) / kTogether * kTogether + kTogether; block > 0;) {
      block -= kTogether;
      const std::size_t end = std::min(block + kTogether, n - 1);
      if (block < end) reflect(matrix, scales, block, end, q);
    }
    rows.set_columns(q);
  }
  const auto small = [&](std::size_t i) {
    const double around = std::fabs(t.diagonal[i]) + std::fabs(t.diagonal[i + 1]);
    return std::fabs(t.below[i + 1]) <= 0x1p-24 * around;  // vectors are floats
  };
  std::size_t rounds = 4 * n + 60;  // usually less than 2 n
  std::vector<Turn> turns;
  for (std::size_t l = 0; l < n; ++l) {
    for (; rounds > 0; --rounds) {
      std::size_t m = l;
      while (m + 1 < n && !small(m)) ++m;
      if (m == l) break;
      step(t, l, m, turns);
      rows.add(turns, m - 1);
    }
  }
  rows.finish();
  for (double& value : t.diagonal) value = std::isnan(value) ? 0.0 : value;
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t x, std::size_t y) { return t.diagonal[x] > t.diagonal[y]; });
  OrderedEigen result;
  result.vectors.reserve(n * n);
  for (const std::size_t k : order) {
    result.values.push_back(t.diagonal[k]);
    rows.append_row(k, result.vectors);
  }
  return result;
}

}  // namespace kakeya

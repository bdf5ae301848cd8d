// SPDX-License-Identifier: Apache-2.0
// Principal components by subspace iteration. With Z the white tokens, a row each, and V some more rows than are
// asked for:
//
//   V  <-  rows of (V Z^T) Z, made orthonormal      some times
//   V C V^T = Q L Q^T                               C = Z^T Z, at last: directions Q^T V with energies L
#include "kakeya/codecs/klt/seed_search.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "kakeya/codecs/klt/fixed_order.h"
#include "kakeya/simd/matrix.h"
#include "kakeya/simd/tile.h"

namespace kakeya {
namespace {

constexpr std::size_t kMostTokens = 16384, kMore = 16, kTogether = 256;
constexpr int kRounds = 3;

// Of one group, u to white coordinates and back.
struct Whitening {
  std::vector<float> to, from;  // [n, n]
};

Whitening whitening_of(const ChainPrior& prior, std::size_t group) {
  const std::size_t n = prior.width;
  const OrderedEigen eigen = ordered_eigen(prior.groups[group].own, n);
  Whitening made{std::vector<float>(n * n), std::vector<float>(n * n)};
  for (std::size_t k = 0; k < n; ++k) {
    const auto deviation =
        static_cast<float>(std::sqrt(std::max(eigen.values[k], 0.0) + prior.noise));
    for (std::size_t i = 0; i < n; ++i) {
      made.to[i * n + k] = eigen.vectors[k * n + i] / deviation;
      made.from[k * n + i] = eigen.vectors[k * n + i] * deviation;
    }
  }
  return made;
}

double dot(const float* x, const float* y, std::size_t n) {
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += double{x[i]} * double{y[i]};
  return sum;
}

// Rows that are no more than rounding become 0.
void make_orthonormal(Rows<float> rows) {
  for (std::size_t k = 0; k < rows.count; ++k) {
    float* const row = rows[k].data();
    const double before = dot(row, row, rows.dim);
    for (std::size_t j = 0; j < k; ++j) {
      const auto along = static_cast<float>(-dot(row, rows[j].data(), rows.dim));
      add_combination(&along, {rows[j].data(), 1, rows.dim, rows.dim}, row);
    }
    const double left = dot(row, row, rows.dim);
    const auto scale = left > 1e-8 * before ? static_cast<float>(1 / std::sqrt(left)) : 0.0f;
    for (std::size_t i = 0; i < rows.dim; ++i) row[i] *= scale;
  }
}

class WhiteTokens {
 public:
  WhiteTokens(Rows<const float> x, const LayerChain& chain, const ChainPrior& prior)
      : n_(chain.width()), dim_(chain.dim()) {
    for (std::size_t g = 0; g < prior.groups.size(); ++g) {
      whitenings_.push_back(whitening_of(prior, g));
    }
    const std::size_t apart = (x.count + kMostTokens - 1) / kMostTokens;
    x = {x.data, (x.count + apart - 1) / apart, x.dim, x.stride * apart};
    values_.resize(x.count * dim_);
    TileBuffer in(n_), u(n_);
    std::vector<float> rows(kTileRows * n_);
    for (std::size_t first = 0; first < x.count; first += kTileRows) {
      const std::size_t count = std::min(kTileRows, x.count - first);
      for (std::size_t g = 0; g < whitenings_.size(); ++g) {
        chain.head_coordinates(g, x.slice(first, count), in.data(), u.data());
        for (std::size_t i = 0; i < n_; ++i) {
          for (std::size_t t = 0; t < count; ++t) rows[t * n_ + i] = u.data()[i * kTileRows + t];
        }
        add_product({rows.data(), count, n_, n_}, {whitenings_[g].to.data(), n_, n_, n_},
                    {&values_[first * dim_ + g * n_], count, n_, dim_});
      }
    }
    leave_out_far_ones(x.count);
  }

  std::size_t tokens() const { return values_.size() / dim_; }
  Rows<const float> rows() const { return {values_.data(), tokens(), dim_, dim_}; }

  /// Takes `share` of their mean from all of them, and returns it.
  std::vector<float> take_mean(double share) {
    std::vector<double> sums(dim_);
    for (std::size_t t = 0; t < tokens(); ++t) {
      for (std::size_t i = 0; i < dim_; ++i) sums[i] += double{values_[t * dim_ + i]};
    }
    std::vector<float> mean;
    for (const double sum : sums)
      mean.push_back(static_cast<float>(share * sum / static_cast<double>(tokens())));
    for (std::size_t t = 0; t < tokens(); ++t) {
      for (std::size_t i = 0; i < dim_; ++i) values_[t * dim_ + i] -= mean[i];
    }
    return mean;
  }

  /// Of group `g`, u of rows of white tokens.
  std::vector<float> coordinates(Rows<const float> rows, std::size_t g) const {
    std::vector<float> u(rows.count * n_);
    add_product({rows.data + g * n_, rows.count, n_, rows.stride},
                {whitenings_[g].from.data(), n_, n_, n_}, dense_rows(u.data(), rows.count, n_));
    return u;
  }

 private:
  // Those that have more than sixteen times the energy of most.
  void leave_out_far_ones(std::size_t count) {
    constexpr double kFar = 16;
    std::vector<double> energies(count);
    for (std::size_t t = 0; t < count; ++t) {
      const double energy = dot(&values_[t * dim_], &values_[t * dim_], dim_);
      energies[t] = std::isfinite(energy) ? energy : INFINITY;
    }
    std::vector<double> sorted = energies;
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(count / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    std::size_t left = 0;
    for (std::size_t t = 0; t < count; ++t) {
      if (energies[t] > kFar * *middle || std::isinf(energies[t])) continue;
      if (left != t) std::copy_n(&values_[t * dim_], dim_, &values_[left * dim_]);
      ++left;
    }
    values_.resize(left * dim_);
  }

  std::size_t n_, dim_;
  std::vector<Whitening> whitenings_;
  std::vector<float> values_;
};

// (V Z^T) Z
std::vector<float> through(Rows<const float> z, const std::vector<float>& v) {
  const std::size_t dim = z.dim, count = v.size() / dim;
  const std::vector<float> by_column = transposed(v, dim);
  std::vector<float> sums(v.size());
  for (std::size_t first = 0; first < z.count; first += kTogether) {
    const Rows<const float> here = z.slice(first, std::min(kTogether, z.count - first));
    std::vector<float> along(here.count * count);
    add_product(here, dense_rows(by_column.data(), dim, count),
                dense_rows(along.data(), here.count, count));
    const std::vector<float> turned = transposed(along, count);
    add_product(dense_rows(turned.data(), count, here.count), here,
                dense_rows(sums.data(), count, dim));
  }
  return sums;
}

}  // namespace

ChainSeeds find_seeds(Rows<const float> x, const LayerChain& chain, const ChainPrior& prior,
                      double prior_tokens, std::size_t count) {
  WhiteTokens tokens(x, chain, prior);
  const std::size_t dim = chain.dim(), n = chain.width();
  if (tokens.tokens() == 0) return {std::vector<ChainSeeds::Group>(prior.groups.size())};
  const auto all = static_cast<double>(x.count);
  const double means = std::min(prior_tokens, 64.0);
  std::vector<float> found = tokens.take_mean(all / (all + means));
  const Rows<const float> z = tokens.rows();
  const std::size_t tried = std::min({count + kMore, z.count, dim});
  std::vector<float> v;
  for (std::size_t k = 0; k < tried; ++k) {
    const auto token = z[k * z.count / tried];
    v.insert(v.end(), token.begin(), token.end());
  }
  make_orthonormal(dense_rows(v.data(), tried, dim));
  for (int round = 1; round < kRounds; ++round) {
    v = through(z, v);
    make_orthonormal(dense_rows(v.data(), tried, dim));
  }
  const std::vector<float> image = through(z, v);
  const OrderedEigen eigen =
      ordered_eigen(ordered_product(image, transposed(v, dim), dim, tried), tried);
  std::size_t rows = 1;
  for (std::size_t k = 0; k < std::min(count, tried); ++k) {
    const double above =
        (eigen.values[k] / static_cast<double>(z.count) - 1) * all / (all + prior_tokens);
    if (!(above > 0) || std::isinf(above)) break;
    std::vector<float> factors(&eigen.vectors[k * tried], &eigen.vectors[k * tried] + tried);
    for (float& factor : factors) factor *= static_cast<float>(std::sqrt(above));
    found.resize(++rows * dim);
    add_combination(factors.data(), dense_rows<const float>(v.data(), tried, dim),
                    &found[(rows - 1) * dim]);
  }
  ChainSeeds seeds;
  for (std::size_t g = 0; g * n < dim; ++g) {
    const std::vector<float> u =
        tokens.coordinates(dense_rows<const float>(found.data(), rows, dim), g);
    seeds.groups.push_back(rows == 1 ? ChainSeeds::Group{} : to_seeds(u, seed_units(prior, g)));
  }
  return seeds;
}

}  // namespace kakeya

// SPDX-License-Identifier: Apache-2.0
#include "kakeya/calibrate/principal_components.h"

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "kakeya/core/random.h"

namespace kakeya {
namespace {

using Eigen::Index;
using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using ColumnMajor = Eigen::MatrixXf;

constexpr Index kBlock = 512, kOversampling = 64;
constexpr int kIterations = 3;  // products with the covariance before the last
constexpr Index kBand = 192;    // rows of a product that are one task
constexpr std::uint64_t kSeed = 11;
constexpr float kStir = 1e-6f, kSmallest = 1e-20f;

// One covariance on its way.
class Deflation {
 public:
  Deflation(std::vector<float>& covariance, Index width, Index rank, std::uint64_t stream)
      : covariance_(covariance.data(), width, width),
        width_(width),
        found_(width, rank),
        variances_(rank),
        random_(kSeed, stream) {}

  void start(Index columns) {
    q_.resize(width_, columns);
    for (Index i = 0; i < q_.size(); ++i) {
      q_.data()[i] = static_cast<float>(random_.normal(drawn_++));
    }
  }

  // The bands of products.
  void resize_product() { product_.resize(width_, q_.cols()); }
  void multiply(Index first, Index band) {
    product_.middleRows(first, band).noalias() = covariance_.middleRows(first, band) * q_;
  }
  void adopt_product() { std::swap(q_, product_); }

  // Of what is left beside the components that were found. The covariance has lost these but for
  // rounding, which matters where little else is left; and where nothing is (a channel that never
  // moves has no variance), stirring gives directions that were not found yet.
  void orthonormalise() {
    for (int round = 0; round < 2; ++round) {
      const float stir = kStir * q_.norm() / std::sqrt(static_cast<float>(q_.size()));
      if (count_ > 0) {
        const auto before = found_.leftCols(count_);
        const ColumnMajor along = before.transpose() * q_;
        q_.noalias() -= before * along;
      }
      for (Index i = 0; round == 0 && i < q_.size(); ++i) {
        q_.data()[i] += std::max(stir, kSmallest) * static_cast<float>(random_.normal(drawn_++));
      }
      const Eigen::HouseholderQR<ColumnMajor> qr(q_);
      q_ = qr.householderQ() * ColumnMajor::Identity(width_, q_.cols());
      if (count_ == 0) break;
    }
  }

  // Rayleigh and Ritz: the best `columns` directions in the span of q_, of which product_ is the
  // product with the covariance.
  void rotate(Index columns) {
    const Eigen::MatrixXd inner = (q_.transpose() * product_).cast<double>();
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver((inner + inner.transpose()) / 2);
    const ColumnMajor turn =
        solver.eigenvectors().rowwise().reverse().leftCols(columns).cast<float>();
    q_ = (q_ * turn).eval();
    product_ = (product_ * turn).eval();
    found_.middleCols(count_, columns) = q_;
    const Eigen::VectorXd values = solver.eigenvalues().reverse().head(columns);
    variances_.segment(count_, columns) = values;
    // (1 - q q^T) C (1 - q q^T) = C - q y^T - y q^T with y = C q - q diag(values) / 2.
    product_ -= q_ * (values / 2).cast<float>().asDiagonal();
    count_ += columns;
  }
  void deflate(Index first, Index band) {
    covariance_.middleRows(first, band).noalias() -=
        q_.middleRows(first, band) * product_.transpose();
    covariance_.middleRows(first, band).noalias() -=
        product_.middleRows(first, band) * q_.transpose();
  }

  // In order of falling variance, which neighbouring blocks may not be.
  PrincipalComponents finish() const {
    std::vector<Index> order(static_cast<std::size_t>(count_));
    std::iota(order.begin(), order.end(), Index{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](Index a, Index b) { return variances_(a) > variances_(b); });
    PrincipalComponents made;
    for (const Index k : order) {
      made.vectors.insert(made.vectors.end(), found_.col(k).data(), found_.col(k).data() + width_);
      made.variances.push_back(std::max(0.0, variances_(k)));
    }
    return made;
  }

 private:
  Eigen::Map<RowMajor> covariance_;
  Index width_, count_ = 0;
  ColumnMajor q_, product_, found_;
  Eigen::VectorXd variances_;
  Random random_;
  std::uint64_t drawn_ = 0;
};

}  // namespace

std::vector<PrincipalComponents> principal_components(
    std::vector<std::vector<float>>& covariances, std::size_t width, std::size_t rank,
    WorkerPool& pool, const std::function<void(std::size_t done, std::size_t of)>& done) {
  const auto n = static_cast<Index>(width), r = static_cast<Index>(rank);
  std::vector<Deflation> all;
  for (std::size_t i = 0; i < covariances.size(); ++i) all.emplace_back(covariances[i], n, r, i);
  const auto each = [&](const std::function<void(Deflation&)>& work) {
    pool.run(all.size(), [&](std::size_t task) { work(all[task]); });
  };
  const Index bands = (n + kBand - 1) / kBand;
  const auto each_band = [&](const std::function<void(Deflation&, Index, Index)>& work) {
    pool.run(all.size() * static_cast<std::size_t>(bands), [&](std::size_t task) {
      const Index first = static_cast<Index>(task) % bands * kBand;
      work(all[task / static_cast<std::size_t>(bands)], first, std::min(kBand, n - first));
    });
  };
  const auto multiply = [&] {
    each([](Deflation& part) { part.resize_product(); });
    each_band([](Deflation& part, Index first, Index band) { part.multiply(first, band); });
  };
  const Index blocks = (r + kBlock - 1) / kBlock;
  done(0, static_cast<std::size_t>(blocks));
  for (Index block = 0; block < blocks; ++block) {
    const Index found = block * kBlock, wanted = std::min(kBlock, r - found),
                columns = std::min(wanted + kOversampling, n - found);
    each([&](Deflation& part) { part.start(columns); });
    for (int i = 0; i < kIterations; ++i) {
      multiply();
      each([](Deflation& part) {
        part.adopt_product();
        part.orthonormalise();
      });
    }
    multiply();
    each([&](Deflation& part) { part.rotate(wanted); });
    if (block + 1 < blocks) {
      each_band([](Deflation& part, Index first, Index band) { part.deflate(first, band); });
    }
    done(static_cast<std::size_t>(block + 1), static_cast<std::size_t>(blocks));
  }
  std::vector<PrincipalComponents> made;
  for (const Deflation& part : all) made.push_back(part.finish());
  return made;
}

}  // namespace kakeya

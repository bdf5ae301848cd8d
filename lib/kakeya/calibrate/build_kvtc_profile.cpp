// SPDX-License-Identifier: Apache-2.0
#include "kakeya/calibrate/build_kvtc_profile.h"

#include <Eigen/Core>
#include <algorithm>
#include <utility>
#include <vector>

#include "kakeya/calibrate/principal_components.h"
#include "kakeya/codecs/kvtc/kvtc_groups.h"
#include "kakeya/core/half.h"

namespace kakeya {
namespace {

using Eigen::Index;
using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr Index kBand = 64;  // sampled tokens that are one task

// basis (x - mean) of the sampled tokens, [tokens, rank], with the basis as it is stored.
std::vector<float> coefficients_of(const KvtcPart& part, std::size_t rank,
                                   const std::vector<float>& samples, WorkerPool& pool) {
  const std::size_t width = part.mean.size();
  std::vector<float> basis(part.basis.size());
  std::transform(part.basis.begin(), part.basis.end(), basis.begin(), half_to_float);
  const auto n = static_cast<Index>(width), r = static_cast<Index>(rank),
             tokens = static_cast<Index>(samples.size() / width);
  std::vector<float> coefficients(static_cast<std::size_t>(tokens) * rank);
  pool.run(static_cast<std::size_t>((tokens + kBand - 1) / kBand), [&](std::size_t task) {
    const Index first = static_cast<Index>(task) * kBand, band = std::min(kBand, tokens - first);
    const Eigen::Map<const RowMajor> x(samples.data(), tokens, n);
    const Eigen::Map<const RowMajor> rows(basis.data(), r, n);
    const RowMajor centred = x.middleRows(first, band).rowwise() -
                             Eigen::Map<const Eigen::RowVectorXf>(part.mean.data(), n);
    Eigen::Map<RowMajor> y(coefficients.data(), tokens, r);
    y.middleRows(first, band).noalias() = centred * rows.transpose();
  });
  return coefficients;
}

}  // namespace

void build_kvtc_profile(std::array<WholeTokens, 2> gathered, std::size_t rank, KvtcProfile& profile,
                        WorkerPool& pool,
                        const std::function<void(std::size_t done, std::size_t of)>& done) {
  const std::size_t width = profile.width();
  profile.rank = rank;
  std::vector<std::vector<float>> covariances;
  for (std::size_t p = 0; p < 2; ++p) {
    profile.parts[p].mean.assign(gathered[p].mean.begin(), gathered[p].mean.end());
    covariances.push_back(std::move(gathered[p].covariance));
  }
  std::size_t steps = 0;
  std::vector<PrincipalComponents> components =
      principal_components(covariances, width, rank, pool, [&](std::size_t block, std::size_t of) {
        steps = of + 2;
        done(block, steps);
      });
  for (std::size_t p = 0; p < 2; ++p) {
    KvtcPart& part = profile.parts[p];
    part.basis.resize(rank * width);
    std::transform(components[p].vectors.begin(), components[p].vectors.end(), part.basis.begin(),
                   float_to_half);
    components[p] = {};
    part.single_errors.resize(rank * kKvtcTypes);
    part.group_errors.resize(profile.group_starts() * kKvtcLargerSizes * kKvtcStoredTypes);
    const std::vector<float> y = coefficients_of(part, rank, gathered[p].samples, pool);
    const Rows<const float> rows = dense_rows(y.data(), y.size() / rank, rank);
    pool.run(rank, [&](std::size_t first) { measure_group_errors(rows, first, part); });
    done(steps - 1 + p, steps);
  }
}

}  // namespace kakeya

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <new>

#include "kakeya/core/rows.h"
#include "kakeya/profile/profile.h"

namespace kakeya {

/// Vectors in memory that begins at a multiple of 64 bytes, as tensors do; zeros, every page
/// touched.
class BenchVectors {
 public:
  BenchVectors(std::size_t count, std::size_t dim);
  float* data() const { return values_.get(); }
  std::size_t bytes() const { return count_ * dim_ * sizeof(float); }
  Rows<float> rows() const { return dense_rows(data(), count_, dim_); }

 private:
  struct Free {
    void operator()(float* values) const { ::operator delete[](values, std::align_val_t{64}); }
  };
  std::size_t count_, dim_;
  std::unique_ptr<float, Free> values_;
};

/// The vectors that every codec is timed on, the same in every run: normal coordinates; norms that
/// vary from vector to vector (a log-normal factor); every sixteenth vector heavy-tailed (the cubes
/// of its coordinates), so that rare paths are taken as often as in a cache.
BenchVectors bench_vectors(std::size_t count, std::size_t dim);

/// Vectors for a calibrated codec: normal coordinates of the site's transform, with its deviations
/// and mean.
BenchVectors bench_vectors(std::size_t count, const SiteTransform& site);

/// Whole tokens of the profile's first group of layers: normal coordinates of its transform, with
/// its deviations and means. Throws as Profile::layer_transform().
BenchVectors bench_vectors(std::size_t count, const Profile& profile);

/// Whole tokens for kvtc: the profile's means, and normal coefficients with its variances for the
/// 64 strongest components.
BenchVectors bench_vectors(std::size_t count, const KvtcProfile& profile);

}  // namespace kakeya

// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/speed/bench_vectors.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "kakeya/core/half.h"
#include "kakeya/core/random.h"

namespace kakeya {
namespace {

constexpr std::uint64_t kSeed = 1;
constexpr std::size_t kHeavyEvery = 16;

std::size_t array_bytes(std::size_t count, std::size_t dim) {
  if (dim != 0 && count > std::numeric_limits<std::size_t>::max() / sizeof(float) / dim)
    throw std::bad_alloc();
  return count * dim * sizeof(float);
}

}  // namespace

BenchVectors::BenchVectors(std::size_t count, std::size_t dim)
    : count_(count),
      dim_(dim),
      values_(
          static_cast<float*>(::operator new[](array_bytes(count, dim), std::align_val_t{64}))) {
  std::fill_n(values_.get(), count * dim, 0.0f);
}

BenchVectors bench_vectors(std::size_t count, std::size_t dim) {
  BenchVectors made(count, dim);
  const Random coordinates(kSeed, 0), norms(kSeed, 1);
  for (std::size_t row = 0; row < count; ++row) {
    const double scale = std::exp(0.5 * norms.normal(row));
    for (std::size_t i = 0; i < dim; ++i) {
      const double value = coordinates.normal(row * dim + i);
      const double shaped = row % kHeavyEvery == kHeavyEvery - 1 ? value * value * value : value;
      made.data()[row * dim + i] = static_cast<float>(scale * shaped);
    }
  }
  return made;
}

BenchVectors bench_vectors(std::size_t count, const SiteTransform& site) {
  const std::size_t dim = site.mean.size();
  BenchVectors made(count, dim);
  const Random random(kSeed, 2);
  std::vector<double> x(dim);
  for (std::size_t row = 0; row < count; ++row) {
    std::copy(site.mean.begin(), site.mean.end(), x.begin());
    for (std::size_t j = 0; j < dim; ++j) {
      const double y =
          random.normal(row * dim + j) * deviation_of_class(site.classes[j] % kDeviations);
      for (std::size_t i = 0; i < dim; ++i) x[i] += y * double{site.backward[j * dim + i]};
    }
    for (std::size_t i = 0; i < dim; ++i) made.data()[row * dim + i] = static_cast<float>(x[i]);
  }
  return made;
}

BenchVectors bench_vectors(std::size_t count, const Profile& profile) {
  const LayerTransform& group = profile.layer_transform(0, 0);
  const std::size_t width = profile.group_width(), dim = profile.shape.dim(),
                    heads = profile.shape.heads();
  BenchVectors made(count, width);
  const Random random(kSeed, 5);
  std::vector<float> u(width);
  for (std::size_t row = 0; row < count; ++row) {
    std::fill(u.begin(), u.end(), 0.0f);
    for (std::size_t j = 0; j < width; ++j) {
      const auto v =
          static_cast<float>(random.normal(row * width + j) * std::exp2(group.deviations[j] / 4.0));
      for (std::size_t i = 0; i < width; ++i) {
        u[i] += v * half_to_float(group.rotation[i * width + j]);
      }
    }
    for (std::size_t at = 0; at < width; at += dim) {
      const std::size_t part = at / dim / heads;
      KvSite site = site_of_index(part);
      site.head = static_cast<int>(at / dim % heads);
      const SiteTransform& head = profile.transform(site, TransformVariant());
      const auto unit = static_cast<float>(std::exp2(-profile.layer_octaves[part]));
      float* const x = made.rows()[row].data() + at;
      std::copy(head.mean.begin(), head.mean.end(), x);
      for (std::size_t j = 0; j < dim; ++j) {
        for (std::size_t i = 0; i < dim; ++i) {
          x[i] += u[at + j] * unit * head.backward[j * dim + i];
        }
      }
    }
  }
  return made;
}

BenchVectors bench_vectors(std::size_t count, const KvtcProfile& profile) {
  constexpr std::size_t kStrongest = 64;
  const std::size_t width = profile.width(), part_width = profile.shape.part_width();
  BenchVectors made(count, 2 * width);
  std::vector<float> x(width);
  for (std::size_t p = 0; p < 2; ++p) {
    const KvtcPart& part = profile.parts[p];
    const Random random(kSeed, 3 + p);
    for (std::size_t row = 0; row < count; ++row) {
      std::copy(part.mean.begin(), part.mean.end(), x.begin());
      for (std::size_t k = 0; k < std::min(kStrongest, profile.rank); ++k) {
        const double variance = part.single_errors[k * kKvtcTypes];
        const auto y =
            static_cast<float>(random.normal(row * kStrongest + k) * std::sqrt(variance));
        for (std::size_t i = 0; i < width; ++i)
          x[i] += y * half_to_float(part.basis[k * width + i]);
      }
      for (std::size_t i = 0; i < width; ++i) {
        made.rows()[row][(2 * (i / part_width) + p) * part_width + i % part_width] = x[i];
      }
    }
  }
  return made;
}

}  // namespace kakeya

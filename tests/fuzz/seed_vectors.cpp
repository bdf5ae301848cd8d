// SPDX-License-Identifier: Apache-2.0
#include "fuzz/seed_vectors.h"

#include <cmath>

#include "kakeya/core/random.h"

namespace kakeya::fuzz {

std::vector<float> seed_vectors(SeedKind kind, std::size_t count, std::size_t dim) {
  const Random random(static_cast<std::uint64_t>(kind));
  std::vector<float> x(count * dim);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double z = random.normal(i);
    double value = z;
    switch (kind) {
      case SeedKind::normal:
        break;
      case SeedKind::heavy_tailed:
        value = z * z * z;
        break;
      case SeedKind::zeros:
        value = 0.0;
        break;
      case SeedKind::outlier_channel:
        value = i % dim == 2 ? 300.0 + z : z;
        break;
      case SeedKind::tiny:
        value = 1e-38 * z;
        break;
      case SeedKind::huge:
        value = 1e37 * z;
        break;
      // Each vector a thousand times the one before, up to 1e30: a step taken from earlier vectors
      // is far too small.
      case SeedKind::growing:
        value = z * std::pow(1000.0, static_cast<double>(i / dim % 10));
        break;
    }
    x[i] = static_cast<float>(value);
  }
  return x;
}

std::vector<std::byte> seed_frame(const Codec& codec, SeedKind kind, std::size_t count) {
  const auto x = seed_vectors(kind, count, codec.dim());
  std::vector<std::byte> frame(codec.encoded_bound(count));
  frame.resize(codec.encode(dense_rows(x.data(), count, codec.dim()), frame));
  return frame;
}

}  // namespace kakeya::fuzz

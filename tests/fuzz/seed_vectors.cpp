// SPDX-License-Identifier: Apache-2.0
#include "fuzz/seed_vectors.h"

#include <cmath>

#include "fuzz/specs.h"
#include "kakeya/core/random.h"
#include "support/made_profile.h"

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

namespace {

// What klt codes rather than keeps beside the code.
std::vector<float> seeds_of_profile(const Codec& codec, std::size_t count) {
  const bool tokens = scope_of(codec.spec()) == VectorScope::token;
  return test::vectors_near(*profile_of(codec.spec(), codec.dim())->find<Profile>(""),
                            tokens ? std::nullopt : std::optional(KvSite{0, Part::value, 0}), count,
                            3);
}

}  // namespace

std::vector<std::byte> seed_frame(const Codec& codec, SeedKind kind, std::size_t count) {
  auto x = seed_vectors(kind, count, codec.dim());
  if (profile_of(codec.spec(), codec.dim()) != nullptr && codec.spec().starts_with("klt") &&
      (kind == SeedKind::normal || kind == SeedKind::growing)) {
    x = seeds_of_profile(codec, count);
    for (std::size_t i = 0; i < x.size() && kind == SeedKind::growing; ++i) {
      if (i / codec.dim() % 3 == 1) x[i] *= 1000.0f;
    }
  }
  std::vector<std::byte> frame(codec.encoded_bound(count));
  frame.resize(codec.encode(dense_rows(x.data(), count, codec.dim()), frame));
  return frame;
}

}  // namespace kakeya::fuzz

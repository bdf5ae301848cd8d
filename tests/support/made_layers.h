// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <vector>

#include "kakeya/core/half.h"
#include "kakeya/core/random.h"
#include "kakeya/profile/profile.h"

// Layers whose relation is known. With Q a rotation of the coordinates in pairs, those of layer l
// are u_l = t_l Q^l, where every coordinate of t is by itself a stationary process of order 2:
//
//   t_l = kOneBack t_(l-1) + kTwoBack t_(l-2) + noise
//
// So the best predictors and the rotations that make residuals uncorrelated are powers of Q.
namespace kakeya::test {

inline constexpr double kOneBack = 0.36, kTwoBack = 0.6, kLayerAngle = 0.4;
/// The correlation of neighbouring layers, and what is left of a variance when a layer is predicted
/// from as many before it.
inline constexpr double kCorrelation = kOneBack / (1 - kTwoBack);
inline constexpr double kResidual[] = {
    1, 1 - kCorrelation* kCorrelation,
    (1 - kCorrelation * kCorrelation) * (1 - kTwoBack * kTwoBack)};

/// Standard deviation of coordinate j of t: from 2^-1/2 to 2^-7/2.
inline double layer_deviation(std::size_t j, std::size_t width) {
  return std::exp2(-0.5 - 3 * (static_cast<double>(j) + 0.5) / static_cast<double>(width));
}

/// `factor` times the rotation of row vectors by `angle` in the planes of coordinates (i, n - 1 -
/// i), as binary16, [n, n].
inline std::vector<std::uint16_t> pair_rotation(std::size_t n, double angle, double factor = 1) {
  std::vector<std::uint16_t> halves(n * n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t other = n - 1 - i;
    const double cross = i < other ? std::sin(angle) : -std::sin(angle);
    halves[i * n + i] = float_to_half(static_cast<float>(factor * std::cos(angle)));
    halves[i * n + other] = float_to_half(static_cast<float>(factor * cross));
  }
  return halves;
}

/// How layer `layer` is coded after `order` others: the truth, but for rounding.
inline LayerTransform made_layer(std::size_t n, std::size_t order, std::size_t layer) {
  LayerTransform made;
  const double factors[3][2] = {{0, 0}, {kCorrelation, 0}, {kOneBack, kTwoBack}};
  double squares = 0;
  for (std::size_t back = 1; back <= order; ++back) {
    const double factor = factors[order][back - 1];
    const auto part = pair_rotation(n, kLayerAngle * static_cast<double>(back), factor);
    made.predictor.insert(made.predictor.end(), part.begin(), part.end());
    squares += factor * factor;
  }
  made.rotation = pair_rotation(n, -kLayerAngle * static_cast<double>(layer));
  for (std::size_t j = 0; j < n; ++j) {
    const double left = kResidual[order] * std::pow(layer_deviation(j, n), 2);
    made.deviations.push_back(static_cast<std::int8_t>(std::lround(2 * std::log2(left))));
  }
  for (const double rate : kLayerRates) {
    const double error = 0.0717 * std::exp2(-2 * rate);  // of a coordinate of what was decoded
    for (std::size_t j = 0; j < n; ++j) {
      const double variance = std::pow(layer_deviation(j, n), 2);
      const double left = kResidual[order] * variance + squares * std::min(error, variance);
      const auto place = static_cast<int>(std::lround(32 + 2 * std::log2(left)));
      made.classes.push_back(static_cast<std::uint8_t>(std::clamp(place, 0, kDeviations - 1)));
    }
  }
  return made;
}

/// Gives a profile that has the transforms of its heads octaves and the transforms of whole
/// layers of every order that it has layers for.
inline void add_made_layers(Profile& profile) {
  const auto layers = static_cast<std::size_t>(profile.shape.layers);
  for (std::size_t part = 0; part < 2 * layers; ++part) {
    profile.layer_octaves.push_back(0.25 * static_cast<double>(part % 4) - 0.5);
  }
  for (std::size_t order = 0; order <= std::min<std::size_t>(kMostOrder, layers - 1); ++order) {
    auto& transforms = profile.layer_transforms.emplace_back(layers);
    for (std::size_t layer = order; layer < layers; ++layer) {
      transforms[layer] = made_layer(profile.layer_width(), order, layer);
    }
  }
}

/// A matrix in floats; adds factor times the rotation by `angle` as its block (row, column) of size
/// n.
inline void add_block(std::vector<float>& matrix, std::size_t columns, std::size_t n,
                      std::size_t row, std::size_t column, double angle, double factor) {
  const auto block = pair_rotation(n, angle, factor);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      matrix[(row * n + i) * columns + column * n + j] = half_to_float(block[i * n + j]);
    }
  }
}

/// How layers 2 g and 2 g + 1 are coded together, after the `order` (0 or 1) two before: predicted
/// as well as can be, each layer turned to its own axes; what the two have in common is left.
inline LayerTransform made_pair(std::size_t n, std::size_t order, std::size_t group) {
  LayerTransform made;
  const std::size_t width = 2 * n;
  std::vector<float> rotation(width * width, 0.0f), predictor(order * width * width, 0.0f);
  // [layer of the group before][layer of this one]
  const double factors[2][2] = {{kTwoBack, kOneBack * kTwoBack},
                                {kOneBack, kOneBack * kOneBack + kTwoBack}};
  for (std::size_t to = 0; to < 2; ++to) {
    const std::size_t layer = 2 * group + to;
    add_block(rotation, width, n, to, to, -kLayerAngle * static_cast<double>(layer), 1);
    for (std::size_t from = 0; from < 2 && order > 0; ++from) {
      add_block(predictor, width, n, from, to, kLayerAngle * static_cast<double>(2 + to - from),
                factors[from][to]);
    }
    const double left = order == 0 ? 1 : kResidual[2] * (to == 0 ? 1 : 1 + kOneBack * kOneBack);
    for (std::size_t j = 0; j < n; ++j) {
      made.deviations.push_back(static_cast<std::int8_t>(
          std::lround(2 * std::log2(left * std::pow(layer_deviation(j, n), 2)))));
    }
  }
  for (std::size_t rate = 0; rate < std::size(kLayerRates); ++rate) {
    for (const std::int8_t deviation : made.deviations) {
      made.classes.push_back(static_cast<std::uint8_t>(32 + deviation));
    }
  }
  made.rotation = to_halves(rotation);
  made.predictor = to_halves(predictor);
  return made;
}

/// Instead of transforms of layers those of pairs of them, of orders 0 and 1.
inline void add_made_groups(Profile& profile) {
  profile.layer_group = 2;
  const auto groups = static_cast<std::size_t>(profile.layer_groups());
  profile.layer_transforms.assign(2, std::vector<LayerTransform>(groups));
  for (std::size_t order = 0; order <= 1; ++order) {
    for (std::size_t group = order; group < groups; ++group) {
      profile.layer_transforms[order][group] = made_pair(profile.layer_width(), order, group);
    }
  }
}

/// u of `count` tokens in all layers, [count, layers, width], which follow the relation.
inline std::vector<double> made_coordinates(std::size_t layers, std::size_t n, std::size_t count,
                                            std::uint64_t seed) {
  const Random random(seed);
  std::vector<double> u(count * layers * n), t(layers * n);
  for (std::size_t row = 0; row < count; ++row) {
    for (std::size_t layer = 0; layer < layers; ++layer) {
      const std::size_t order = std::min<std::size_t>(layer, 2);
      const double angle = kLayerAngle * static_cast<double>(layer);
      for (std::size_t j = 0; j < n; ++j) {
        double& here = t[layer * n + j];
        here = random.normal((row * layers + layer) * n + j) * layer_deviation(j, n) *
               std::sqrt(kResidual[order]);
        if (order == 1) here += kCorrelation * t[j];
        if (order == 2)
          here += kOneBack * (&here)[-static_cast<std::ptrdiff_t>(n)] +
                  kTwoBack * (&here)[-2 * static_cast<std::ptrdiff_t>(n)];
      }
      for (std::size_t j = 0; j < n; ++j) {
        const std::size_t other = n - 1 - j;
        const double cross = other < j ? std::sin(angle) : -std::sin(angle);
        u[(row * layers + layer) * n + j] =
            std::cos(angle) * t[layer * n + j] + cross * t[layer * n + other];
      }
    }
  }
  return u;
}

/// The keys and values of `count` tokens whose u are these in a made profile: [count, layers * [K
/// of the heads, V of the heads]], as VectorScope::token has it.
inline std::vector<float> tokens_of(const Profile& profile, std::size_t count, std::uint64_t seed) {
  const std::size_t n = profile.layer_width(), dim = profile.shape.dim();
  const auto layers = static_cast<std::size_t>(profile.shape.layers);
  const std::vector<double> u = made_coordinates(layers, n, count, seed);
  std::vector<float> x;
  for (std::size_t at = 0; at < u.size(); at += dim) {
    const std::size_t layer = at / n % layers, head = at % n / dim;
    const bool key = head < profile.shape.heads();
    const KvSite site{static_cast<int>(layer), key ? Part::key : Part::value,
                      static_cast<int>(head) - (key ? 0 : profile.shape.kv_heads)};
    const SiteTransform& made = profile.transform(site, {});
    const double down = std::exp2(-profile.layer_octaves[2 * layer + (key ? 0 : 1)]);
    for (std::size_t i = 0; i < dim; ++i) {
      double sum = made.mean[i];
      for (std::size_t j = 0; j < dim; ++j) {
        sum += u[at + j] * down * double{made.backward[j * dim + i]};
      }
      x.push_back(static_cast<float>(sum));
    }
  }
  return x;
}

}  // namespace kakeya::test

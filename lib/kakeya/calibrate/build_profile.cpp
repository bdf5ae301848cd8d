// SPDX-License-Identifier: Apache-2.0
#include "kakeya/calibrate/build_profile.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>

#include "kakeya/calibrate/classes.h"
#include "kakeya/calibrate/metric.h"
#include "kakeya/calibrate/rounding.h"
#include "kakeya/calibrate/transform.h"
#include "kakeya/core/error.h"
#include "kakeya/core/half.h"
#include "kakeya/simd/tile.h"
#include "kakeya/stats/inverse.h"

namespace kakeya {
namespace {

// Keys are weighted for distances up to here, or as far as their layer sees.
constexpr double kFarthest = 1024;

// Classes are chosen with a step of 1/2 unit, about 3 bits.
constexpr int kQuarters = 4;

std::vector<double> key_metric(const Model& model, const CacheMoments& moments, TapPoint tap,
                               int layer, int head) {
  const ModelFacts& facts = model.facts();
  const std::size_t dim = facts.shape.dim();
  const int group = facts.shape.query_heads / facts.shape.kv_heads;
  std::vector<double> mean(dim * dim, 0.0);
  for (int h = head * group; h < (head + 1) * group; ++h) {
    const std::vector<double> each = moments.queries(layer, h).matrix(false);
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += each[i] / group;
  }
  if (tap == TapPoint::post_rope) return mean;
  const double farthest =
      facts.windows.covers(layer) ? std::min(kFarthest, facts.windows.tokens - 1.0) : kFarthest;
  return rotated_metric(mean, model.rope_frequencies(layer), farthest,
                        rope_pairs_of(facts.rope_layout, dim));
}

// Moments of what a transform in its unit multiplies: vectors whose y have these deviations, and
// errors of decoded vectors, which the inverse has to take back.
std::vector<double> rounding_moments(const std::vector<float>& forward,
                                     const std::vector<double>& deviations, double unit) {
  constexpr double kErrors = 0.1;  // their variance in units
  const std::size_t dim = deviations.size();
  const std::vector<float> back = inverse(forward, dim);
  std::vector<double> moments(dim * dim, 0.0);
  for (std::size_t j = 0; j < dim; ++j) {
    const double deviation = deviations[j] / unit, variance = deviation * deviation + kErrors;
    for (std::size_t a = 0; a < dim; ++a) {
      const double here = variance * back[j * dim + a];
      for (std::size_t b = 0; b < dim; ++b) moments[a * dim + b] += here * back[j * dim + b];
    }
  }
  return moments;
}

// Unit: what y is divided by.
SiteTransform finish(const KarhunenLoeve& transform, double unit, std::vector<double> mean,
                     MatrixFormat format) {
  SiteTransform site;
  const std::size_t dim = transform.deviation.size();
  site.mean.assign(mean.begin(), mean.end());
  for (const double value : transform.forward) {
    site.forward.push_back(half_to_float(float_to_half(static_cast<float>(value / unit))));
    if (!std::isfinite(site.forward.back())) {
      throw InputError("calibration: a transform beyond the range of binary16");
    }
  }
  if (format == MatrixFormat::int8) {
    std::vector<double> exact = transform.forward;
    for (double& value : exact) value /= unit;
    site.stored_forward =
        round_to_int8(exact, dim, rounding_moments(site.forward, transform.deviation, unit));
    site.forward = values_of(site.stored_forward);
  }
  site.backward = inverse(site.forward, dim);
  return site;
}

// The sampled vectors of a site in units.
std::vector<float> coordinates_of(const SiteTransform& site, const std::vector<float>& samples) {
  const std::size_t dim = site.mean.size(), vectors = samples.size() / dim;
  std::vector<float> y(samples.size()), negative(dim);
  std::transform(site.mean.begin(), site.mean.end(), negative.begin(), std::negate<>());
  TileBuffer in(dim), out(dim);
  for (std::size_t first = 0; first < vectors; first += kTileRows) {
    const std::size_t count = std::min(kTileRows, vectors - first);
    std::uint32_t largest[kTileRows];
    load_tile({samples.data() + first * dim, count, dim, dim}, in.data(), largest);
    shift_coordinates(in.data(), dim, negative.data());
    multiply_tile(in.data(), dim, site.forward.data(), out.data());
    store_tile(out.data(), {y.data() + first * dim, count, dim, dim});
  }
  return y;
}

}  // namespace

Profile build_profile(const Model& model, const CacheMoments& moments, TapPoint tap,
                      const std::vector<TransformVariant>& variants, MatrixFormat matrices,
                      WorkerPool& pool, const std::function<void(int layer)>& done) {
  const ModelFacts& facts = model.facts();
  const std::size_t dim = facts.shape.dim();
  const std::size_t kv_heads = facts.shape.heads();
  const auto group = static_cast<std::size_t>(facts.shape.query_heads / facts.shape.kv_heads);
  Profile profile;
  profile.origin.model.name = facts.name;
  profile.shape = facts.shape;
  profile.tap = tap;
  profile.matrices = matrices;
  profile.variants = variants;
  profile.parts.resize(facts.shape.parts());
  for (int layer = 0; layer < facts.shape.layers; ++layer) {
    const std::vector<float> output = model.attention_output(layer);
    // metrics[part][head]
    std::vector<std::vector<double>> metrics(2 * kv_heads);
    pool.run(metrics.size(), [&](std::size_t task) {
      const std::size_t head = task % kv_heads;
      metrics[task] = task < kv_heads
                          ? key_metric(model, moments, tap, layer, static_cast<int>(head))
                          : value_metric(output, dim * facts.shape.heads(Part::query), dim,
                                         head * group, group);
    });
    for (const Part which : {Part::key, Part::value}) {
      PartProfile& part = profile.parts[KvSite{layer, which}.index()];
      part.heads.assign(variants.size(), std::vector<SiteTransform>(kv_heads));
      for (std::size_t v = 0; v < variants.size(); ++v) {
        std::vector<KarhunenLoeve> transforms(kv_heads);
        const auto site = [&](std::size_t head) {
          return KvSite{layer, which, static_cast<int>(head)};
        };
        pool.run(kv_heads, [&](std::size_t head) {
          const std::vector<double> covariance =
              moments.cache(site(head)).matrix(variants[v].centred);
          const std::vector<double>& metric = metrics[(which == Part::key ? 0 : kv_heads) + head];
          transforms[head] = karhunen_loeve(
              covariance, variants[v].weighted ? metric : std::vector<double>(), dim);
        });
        const double unit = geometric_mean_deviation(transforms);
        pool.run(kv_heads, [&](std::size_t head) {
          std::vector<double> mean = moments.cache(site(head)).mean();
          if (!variants[v].centred) mean.assign(dim, 0.0);
          SiteTransform& made = part.heads[v][head];
          made = finish(transforms[head], unit, std::move(mean), matrices);
          const std::vector<float> y = coordinates_of(made, moments.samples(site(head)));
          made.classes = choose_classes({y.data(), y.size() / dim, dim, dim}, kQuarters);
        });
      }
    }
    done(layer);
  }
  return profile;
}

}  // namespace kakeya

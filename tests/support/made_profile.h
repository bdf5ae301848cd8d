// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kakeya/core/error.h"
#include "kakeya/core/half.h"
#include "kakeya/core/random.h"
#include "kakeya/profile/profile.h"
#include "support/made_key_bias.h"
#include "support/made_layers.h"
#include "support/made_origin.h"

namespace kakeya::test {

/// Standard deviation, in units, of coordinate j: falling from 2^3 to 2^-3, geometric mean 1.
inline double made_deviation(std::size_t j, std::size_t dim) {
  return std::exp2(3.0 - 6.0 * (static_cast<double>(j) + 0.5) / static_cast<double>(dim));
}

/// A transform whose coordinates are rotated by `angle` in pairs (i, dim - 1 - i), scaled by
/// 1 / `size`: orthogonal but for that, its inverse known.
inline SiteTransform made_transform(std::size_t dim, double angle, double size, float mean) {
  SiteTransform site;
  site.forward.assign(dim * dim, 0.0f);
  site.backward = site.forward;
  site.mean.assign(dim, 0.0f);
  for (std::size_t i = 0; i < dim; ++i) {
    const std::size_t other = dim - 1 - i;
    const double own = std::cos(angle), cross = i < other ? std::sin(angle) : -std::sin(angle);
    site.forward[i * dim + i] = static_cast<float>(own / size);
    site.forward[i * dim + other] = static_cast<float>(cross / size);
    site.backward[i * dim + i] = static_cast<float>(own * size);
    site.backward[other * dim + i] = static_cast<float>(cross * size);
    site.mean[i] = mean * static_cast<float>(i % 5);
    const double place = 32 + 4 * std::log2(made_deviation(i, dim));
    site.classes.push_back(static_cast<std::uint8_t>(std::lround(place)));
  }
  return site;
}

/// Two layers of two heads or as many as are asked for, sensitivities 1, 4, 1, 4, ... (keys,
/// values, keys, values), and transforms of whole layers (made_layers.h).
inline Profile made_profile(std::size_t dim, int layers = 2, int kv_heads = 2) {
  Profile profile;
  static_cast<ProfileHead&>(profile) = made_origin(dim, layers, kv_heads);
  profile.sensitivity_bits = 2;
  profile.variants = {{true, true}};
  profile.parts.resize(2 * static_cast<std::size_t>(layers));
  for (std::size_t p = 0; p < profile.parts.size(); ++p) {
    profile.parts[p].sensitivity = p % 2 == 0 ? 1 : 4;
    profile.parts[p].prefix_sensitivity = p % 2 == 0 ? 1 : 16;
    profile.parts[p].heads.resize(1);
    for (int head = 0; head < kv_heads; ++head) {
      profile.parts[p].heads[0].push_back(
          made_transform(dim, 0.3 + 0.2 * static_cast<double>(p) + head, 0.5, 3.0f));
    }
  }
  add_made_layers(profile);
  profile.digest = std::string(64, 'c');
  return profile;
}

/// The same, for vectors of numbers in [-1, 1): means of 0, and coordinates that all deviate by one
/// unit, those of whole layers too.
inline Profile flattened(Profile profile) {
  for (PartProfile& part : profile.parts) {
    for (std::vector<SiteTransform>& heads : part.heads) {
      for (SiteTransform& site : heads) {
        std::fill(site.mean.begin(), site.mean.end(), 0.0f);
        std::fill(site.classes.begin(), site.classes.end(), std::uint8_t{32});
      }
    }
  }
  for (std::vector<LayerTransform>& groups : profile.layer_transforms) {
    for (LayerTransform& layer : groups) {
      std::fill(layer.deviations.begin(), layer.deviations.end(), std::int8_t{0});
      std::fill(layer.classes.begin(), layer.classes.end(), std::uint8_t{32});
    }
  }
  return profile;
}

/// Gives the one profile it has of either kind, whatever the name but "missing".
class OneProfile final : public ProfileSource {
 public:
  explicit OneProfile(Profile profile)
      : profile_(std::make_shared<const Profile>(std::move(profile))) {}
  OneProfile(Profile profile, KvtcProfile kvtc)
      : profile_(std::make_shared<const Profile>(std::move(profile))),
        kvtc_(std::make_shared<const KvtcProfile>(std::move(kvtc))) {}
  std::shared_ptr<const ProfileHead> find(std::string_view kind,
                                          std::string_view name) const override {
    if (name == "missing") throw InputError("profile=missing: no such file");
    if (kind == Profile::kKind) return profile_;
    if (kind == KvtcProfile::kKind && kvtc_) return kvtc_;
    if (kind == KeyBias::kKind) {
      const KvShape& shape = profile_->shape;
      return std::make_shared<const KeyBias>(
          made_key_bias(shape.dim(), shape.layers, shape.kv_heads));
    }
    throw InputError("no profile of " + std::string(kind));
  }
  using ProfileSource::find;
  const Profile& profile() const { return *profile_; }
  const KvtcProfile& kvtc() const { return *kvtc_; }

 private:
  std::shared_ptr<const Profile> profile_;
  std::shared_ptr<const KvtcProfile> kvtc_;
};

/// Normal vectors that follow the transform: mean and covariance are what it was made for.
inline std::vector<float> vectors_of(const SiteTransform& site, std::size_t count,
                                     std::uint64_t seed) {
  const std::size_t dim = site.mean.size();
  const Random random(seed);
  std::vector<float> x(count * dim);
  std::vector<double> y(dim);
  for (std::size_t row = 0; row < count; ++row) {
    for (std::size_t j = 0; j < dim; ++j) {
      y[j] = random.normal(row * dim + j) * made_deviation(j, dim);
    }
    for (std::size_t i = 0; i < dim; ++i) {
      double sum = site.mean[i];
      for (std::size_t j = 0; j < dim; ++j) sum += y[j] * double{site.backward[j * dim + i]};
      x[row * dim + i] = static_cast<float>(sum);
    }
  }
  return x;
}

/// Vectors of a site, or of whole tokens in all layers where there is none, that are within a
/// deviation or two of what the made profile expects, by arithmetic that is the same everywhere.
inline std::vector<float> vectors_near(const Profile& profile, std::optional<KvSite> where,
                                       std::size_t count, std::uint64_t seed) {
  std::vector<KvSite> sites;
  if (where) sites.push_back(*where);
  for (int layer = 0; layer < profile.shape.layers && !where; ++layer) {
    for (const Part part : {Part::key, Part::value}) {
      for (int head = 0; head < profile.shape.kv_heads; ++head) {
        sites.push_back({layer, part, head});
      }
    }
  }
  const std::size_t dim = profile.shape.dim();
  const Random random(seed);
  std::vector<float> x;
  std::vector<double> y(dim);
  for (std::size_t part = 0; part < count * sites.size(); ++part) {
    const SiteTransform& site = profile.transform(sites[part % sites.size()], {});
    for (std::size_t j = 0; j < dim; ++j) {
      const auto draw = static_cast<std::int32_t>(random.bits(part * dim + j) >> 32) >> 8;
      const int octave = where ? 2 - static_cast<int>(6 * j / dim) : -3;
      y[j] = std::ldexp(static_cast<double>(draw), octave - 23);
    }
    for (std::size_t i = 0; i < dim; ++i) {
      double sum = site.mean[i];
      for (std::size_t j = 0; j < dim; ++j) sum += y[j] * double{site.backward[j * dim + i]};
      x.push_back(static_cast<float>(sum));
    }
  }
  return x;
}

}  // namespace kakeya::test

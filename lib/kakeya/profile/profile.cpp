// SPDX-License-Identifier: Apache-2.0
#include "kakeya/profile/profile.h"

#include <algorithm>
#include <cmath>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

constexpr double kLargestOffset = 3.0;  // bits; what models have lies within 2.4

bool finite(const std::vector<float>& values) {
  return std::all_of(values.begin(), values.end(),
                     [](float value) { return std::isfinite(value); });
}

// Whether all that is there is what a matrix of this size has.
bool fits(const Int8Matrix& matrix, std::size_t rows, std::size_t columns) {
  return matrix.steps.size() == rows * columns && matrix.scale.size() == columns &&
         finite(matrix.scale);
}

void check_transform(const SiteTransform& site, std::size_t dim, MatrixFormat format,
                     const std::string& where) {
  const auto require = [&](bool holds, const char* what) {
    if (!holds) throw InputError(where + ": " + what);
  };
  require(site.mean.size() == dim, "expected a mean of head_dim values");
  require(site.forward.size() == dim * dim, "expected a transform of head_dim^2 values");
  require(site.backward.size() == dim * dim, "expected an inverse of head_dim^2 values");
  require(site.classes.size() == dim, "expected a class a coordinate");
  require(finite(site.mean) && finite(site.forward) && finite(site.backward),
          "a value that is not finite");
  const bool bytes = format == MatrixFormat::int8;
  require(
      bytes ? fits(site.stored_forward, dim, dim) && values_of(site.stored_forward) == site.forward
            : site.stored_forward.empty(),
      "a transform that is not what is stored of it");
}

void check_layer_transforms(const Profile& profile, const std::string& origin) {
  const auto require = [&](bool holds, const std::string& what) {
    if (!holds) throw InputError(origin + ": " + what);
  };
  if (profile.layer_transforms.empty()) return;
  require(profile.layer_group >= 1 && profile.shape.layers % profile.layer_group == 0,
          "groups of " + std::to_string(profile.layer_group) + " layers, expected a divisor of " +
              std::to_string(profile.shape.layers));
  const std::size_t n = profile.group_width(),
                    groups = static_cast<std::size_t>(profile.layer_groups());
  require(profile.layer_transforms.size() <= kMostOrder + 1, "transforms of an order above 2");
  require(profile.layer_shaping >= 0 && profile.layer_shaping <= 1, "shaping out of range");
  require(profile.layer_octaves.size() == profile.parts.size(), "expected octaves of every part");
  for (const double octaves : profile.layer_octaves) {
    require(std::isfinite(octaves) && std::abs(octaves) < 64, "octaves out of range");
  }
  const auto all_finite = [](const std::vector<std::uint16_t>& halves) {
    return std::all_of(halves.begin(), halves.end(),
                       [](std::uint16_t half) { return (half & 0x7c00) != 0x7c00; });
  };
  for (std::size_t order = 0; order < profile.layer_transforms.size(); ++order) {
    require(profile.layer_transforms[order].size() == groups,
            "expected transforms of every group of layers");
    for (std::size_t group = order; group < groups; ++group) {
      for (const std::int8_t deviation : profile.layer_transforms[order][group].deviations) {
        require(std::abs(deviation) <= 32, "a deviation out of range");
      }
      const LayerTransform& made = profile.layer_transforms[order][group];
      const std::string where = "layers from " + std::to_string(group * n / profile.layer_width());
      require(made.predictor.size() == order * n * n && made.rotation.size() == n * n &&
                  made.deviations.size() == n && made.classes.size() == std::size(kLayerRates) * n,
              where + ": transforms of another size");
      require(all_finite(made.predictor) && all_finite(made.rotation),
              where + ": a value that is not finite");
      const bool bytes = profile.matrices == MatrixFormat::int8, predicted = bytes && order > 0;
      require(
          (predicted ? fits(made.stored_predictor, order * n, n) : made.stored_predictor.empty()) &&
              (bytes ? fits(made.stored_rotation, n, n) : made.stored_rotation.empty()),
          where + ": matrices stored in another format");
    }
  }
}

// See Profile::rate_offsets().
std::vector<double> offsets_of(const Profile& profile, double PartProfile::*sensitivity) {
  std::vector<double> offsets;
  double sum = 0;
  for (const PartProfile& part : profile.parts) {
    if (!(part.*sensitivity > 0)) {
      throw InputError("profile of " + profile.origin.model.name +
                       ": sensitivities were not measured: alloc=kl needs them");
    }
    offsets.push_back(0.5 * std::log2(part.*sensitivity));
    sum += offsets.back();
  }
  const auto shift = [&] {
    const double mean = sum / static_cast<double>(offsets.size());
    for (double& offset : offsets) offset -= mean;
  };
  shift();
  sum = 0;
  for (double& offset : offsets) {
    offset = std::clamp(offset, -kLargestOffset, kLargestOffset);
    sum += offset;
  }
  shift();
  return offsets;
}

}  // namespace

std::string describe_variant(TransformVariant variant) {
  return std::string("weight=") + (variant.weighted ? "query" : "none") +
         ",center=" + (variant.centred ? "mean" : "none");
}

int shaping_gain(std::int8_t deviation, double shaping) {
  return static_cast<int>(std::lround(-shaping * deviation));
}

double deviation_of_class(int place) { return std::exp2((place - 32) / 4.0); }

std::size_t SiteTransform::matrix_bytes() const {
  return stored_forward.empty() ? 2 * forward.size() : stored_forward.bytes();
}

std::size_t LayerTransform::matrix_bytes() const {
  return stored_rotation.empty() ? 2 * (predictor.size() + rotation.size())
                                 : stored_predictor.bytes() + stored_rotation.bytes();
}

void LayerTransform::unpack() {
  predictor = to_halves(values_of(stored_predictor));
  rotation =
      to_halves(orthonormal_columns(values_of(stored_rotation), stored_rotation.scale.size()));
}

const SiteTransform& Profile::transform(const KvSite& site, TransformVariant variant) const {
  if (site.layer < 0 || site.layer >= shape.layers || site.part == Part::query || site.head < 0 ||
      site.head >= shape.kv_heads) {
    throw InputError("profile of " + origin.model.name + ": " + site_name(site) +
                     ": expected one of " + std::to_string(shape.layers) + " layers and " +
                     std::to_string(shape.kv_heads) + " KV heads");
  }
  const auto found = std::find(variants.begin(), variants.end(), variant);
  if (found == variants.end()) {
    throw InputError("profile of " + origin.model.name +
                     ": it was made without the transforms of " + describe_variant(variant) +
                     " (kakeya-calibrate --ablations makes them)");
  }
  const auto which = static_cast<std::size_t>(found - variants.begin());
  return part(site).heads[which][static_cast<std::size_t>(site.head)];
}

const LayerTransform& Profile::layer_transform(int order, int group) const {
  const auto o = static_cast<std::size_t>(order), g = static_cast<std::size_t>(group);
  if (o >= layer_transforms.size() || g >= layer_transforms[o].size() ||
      layer_transforms[o][g].deviations.empty()) {
    const std::string what = layer_group == 1 ? "layer " : "the group of layers from ";
    throw InputError(
        "profile of " + origin.model.name + ": it was made without the transform of " + what +
        std::to_string(group * layer_group) + " after " + std::to_string(order) +
        " others (kakeya-calibrate --scope layer --predict " + std::to_string(order) +
        (layer_group == 1 ? "" : " --layer-group " + std::to_string(layer_group)) + " makes it)");
  }
  return layer_transforms[o][g];
}

std::size_t Profile::reader_bytes() const {
  const std::size_t dim = shape.dim();
  const std::size_t site = 4 * dim + parts.front().heads.front().front().matrix_bytes() + dim;
  return parts.size() * (shape.heads() * site + 4);
}

std::size_t Profile::layer_reader_bytes(int order) const {
  std::size_t bytes = 4 * layer_octaves.size();
  for (int group = 0; group < layer_groups(); ++group) {
    const LayerTransform& made = layer_transform(std::min(order, group), group);
    bytes += made.matrix_bytes() + made.deviations.size() + made.classes.size();
  }
  return bytes;
}

std::vector<double> Profile::rate_offsets() const {
  return offsets_of(*this, &PartProfile::sensitivity);
}

std::string_view layer_steps_name(Tier steps) {
  return steps == Tier::cold ? "prefix" : "inforward";
}

std::vector<double> Profile::prefix_rate_offsets() const {
  return offsets_of(*this, &PartProfile::prefix_sensitivity);
}

void check_profile(const Profile& profile, const std::string& origin) {
  const auto refuse = [&](const std::string& what) { throw InputError(origin + ": " + what); };
  check_head(profile, origin);
  if (profile.variants.empty()) refuse("expected at least one variant of transforms");
  if (profile.parts.size() != profile.shape.parts()) {
    refuse(std::to_string(profile.parts.size()) + " parts, expected two a layer");
  }
  for (std::size_t p = 0; p < profile.parts.size(); ++p) {
    const PartProfile& part = profile.parts[p];
    const std::string where = origin + ": " + site_name(site_of_index(p));
    for (const double sensitivity : {part.sensitivity, part.prefix_sensitivity}) {
      if (std::isfinite(sensitivity) && sensitivity >= 0) continue;
      throw InputError(where + ": expected sensitivities of at least 0");
    }
    if (part.heads.size() != profile.variants.size()) {
      throw InputError(where + ": expected transforms of every variant");
    }
    for (const auto& heads : part.heads) {
      if (heads.size() != profile.shape.heads()) {
        throw InputError(where + ": expected a transform a KV head");
      }
      for (const SiteTransform& site : heads) {
        check_transform(site, profile.shape.dim(), profile.matrices, where);
      }
    }
  }
  check_layer_transforms(profile, origin);
}

}  // namespace kakeya

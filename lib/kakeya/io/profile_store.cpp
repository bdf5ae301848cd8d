// SPDX-License-Identifier: Apache-2.0
#include "kakeya/io/profile_store.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <span>

#include "kakeya/core/error.h"
#include "kakeya/core/half.h"
#include "kakeya/io/digest.h"
#include "kakeya/io/h5.h"
#include "kakeya/io/profile_fields.h"
#include "kakeya/stats/inverse.h"

namespace kakeya {
namespace {

constexpr std::int64_t kSchema = 2;
constexpr std::int64_t kMostVariants = 4;

template <typename Facts, typename Visit>
void describe(Facts& facts, const Visit& field) {
  visit_origin(facts, field);
  field("sensitivity_bits", facts.sensitivity_bits);
  field("sensitivity_passages", facts.sensitivity_passages);
}

std::string group_of(std::size_t variant) { return "/variant" + std::to_string(variant); }

// The three arrays of a variant.
struct Arrays {
  std::array<std::uint64_t, 3> vectors;
  std::array<std::uint64_t, 4> matrices;
  std::vector<float> mean;
  std::vector<std::uint16_t> forward;
  std::vector<std::uint8_t> classes;

  explicit Arrays(const Profile& profile) {
    const std::uint64_t parts = 2 * static_cast<std::uint64_t>(profile.layers),
                        heads = static_cast<std::uint64_t>(profile.kv_heads),
                        dim = static_cast<std::uint64_t>(profile.head_dim);
    vectors = {parts, heads, dim};
    matrices = {parts, heads, dim, dim};
  }
};

std::string layer_group(std::size_t order, std::size_t layer) {
  return "/layers/order" + std::to_string(order) + "/" + std::to_string(layer);
}

void write_layers(h5::File& file, const Profile& profile) {
  const std::uint64_t n = profile.layer_width();
  file.set_integer("/", "layer_orders", static_cast<std::int64_t>(profile.layer_transforms.size()));
  if (profile.layer_transforms.empty()) return;
  file.write("/layers/octaves", h5::Scalar::fp64,
             std::array<std::uint64_t, 1>{profile.layer_octaves.size()},
             profile.layer_octaves.data());
  for (std::size_t order = 0; order < profile.layer_transforms.size(); ++order) {
    for (std::size_t layer = order; layer < profile.layer_transforms[order].size(); ++layer) {
      const LayerTransform& made = profile.layer_transforms[order][layer];
      const std::string group = layer_group(order, layer);
      if (order > 0) {
        file.write(group + "/predictor", h5::Scalar::fp16,
                   std::array<std::uint64_t, 2>{order * n, n}, made.predictor.data());
      }
      file.write(group + "/rotation", h5::Scalar::fp16, std::array<std::uint64_t, 2>{n, n},
                 made.rotation.data());
      file.write(group + "/classes", h5::Scalar::uint8,
                 std::array<std::uint64_t, 2>{std::size(kLayerRates), n}, made.classes.data());
    }
  }
}

// Memory is asked for after the file has been seen to hold as much.
template <typename Value>
std::vector<Value> read_matrix(const h5::File& file, const std::string& name, h5::Scalar scalar,
                               std::uint64_t rows, std::uint64_t columns) {
  const std::array<std::uint64_t, 2> shape{rows, columns};
  file.check(name, scalar, shape);
  std::vector<Value> values(rows * columns);
  file.read(name, scalar, shape, values.data());
  return values;
}

void read_layers(const h5::File& file, const std::string& path, Profile& profile) {
  const std::int64_t orders = file.integer("/", "layer_orders");
  if (orders < 0 || orders > kMostOrder + 1) {
    throw CorruptStream(path + ": layer_orders " + std::to_string(orders));
  }
  if (orders == 0) return;
  const auto layers = static_cast<std::size_t>(profile.layers);
  const std::uint64_t n = profile.layer_width();
  profile.layer_octaves.resize(2 * layers);
  file.read("/layers/octaves", h5::Scalar::fp64, std::array<std::uint64_t, 1>{2 * layers},
            profile.layer_octaves.data());
  for (std::size_t order = 0; order < static_cast<std::size_t>(orders); ++order) {
    profile.layer_transforms.emplace_back(layers);
    for (std::size_t layer = order; layer < layers; ++layer) {
      LayerTransform& made = profile.layer_transforms[order][layer];
      const std::string group = layer_group(order, layer);
      if (order > 0) {
        made.predictor =
            read_matrix<std::uint16_t>(file, group + "/predictor", h5::Scalar::fp16, order * n, n);
      }
      made.rotation = read_matrix<std::uint16_t>(file, group + "/rotation", h5::Scalar::fp16, n, n);
      made.classes = read_matrix<std::uint8_t>(file, group + "/classes", h5::Scalar::uint8,
                                               std::size(kLayerRates), n);
    }
  }
}

}  // namespace

void write_profile(const std::string& path, const Profile& profile) {
  check_profile(profile, path);
  const std::string part_file = path + ".part";
  {
    h5::File file = h5::File::create(part_file);
    file.set_text("/", "format", kProfileFormat);
    file.set_integer("/", "schema", kSchema);
    describe(profile, PutField{file});
    file.set_integer("/", "variants", static_cast<std::int64_t>(profile.variants.size()));
    std::vector<double> sensitivity;
    for (const PartProfile& part : profile.parts) sensitivity.push_back(part.sensitivity);
    file.write("/sensitivity", h5::Scalar::fp64, std::array<std::uint64_t, 1>{sensitivity.size()},
               sensitivity.data());
    for (std::size_t v = 0; v < profile.variants.size(); ++v) {
      Arrays arrays(profile);
      for (const PartProfile& part : profile.parts) {
        for (const SiteTransform& site : part.heads[v]) {
          arrays.mean.insert(arrays.mean.end(), site.mean.begin(), site.mean.end());
          for (const float value : site.forward) arrays.forward.push_back(float_to_half(value));
          arrays.classes.insert(arrays.classes.end(), site.classes.begin(), site.classes.end());
        }
      }
      const std::string group = group_of(v);
      file.write(group + "/mean", h5::Scalar::fp32, arrays.vectors, arrays.mean.data());
      file.write(group + "/forward", h5::Scalar::fp16, arrays.matrices, arrays.forward.data());
      file.write(group + "/classes", h5::Scalar::uint8, arrays.vectors, arrays.classes.data());
      file.set_integer(group, "weighted", profile.variants[v].weighted);
      file.set_integer(group, "centred", profile.variants[v].centred);
    }
    write_layers(file, profile);
    file.close();
  }
  std::filesystem::rename(part_file, path);
}

Profile read_profile(const std::string& path) {
  const h5::File file = h5::File::open(path);
  require_profile_format(file, path, kProfileFormat, kSchema);
  Profile profile;
  describe(profile, GetField{file, path});
  const std::int64_t variants = file.integer("/", "variants");
  require_sane_shape(profile, path);
  if (variants < 1 || variants > kMostVariants) {
    throw CorruptStream(path + ": variants " + std::to_string(variants));
  }
  profile.parts.resize(2 * static_cast<std::size_t>(profile.layers));
  std::vector<double> sensitivity(profile.parts.size());
  file.read("/sensitivity", h5::Scalar::fp64, std::array<std::uint64_t, 1>{sensitivity.size()},
            sensitivity.data());
  const auto heads = static_cast<std::size_t>(profile.kv_heads),
             dim = static_cast<std::size_t>(profile.head_dim);
  for (std::int64_t v = 0; v < variants; ++v) {
    const std::string group = group_of(static_cast<std::size_t>(v));
    profile.variants.push_back(
        {file.integer(group, "weighted") != 0, file.integer(group, "centred") != 0});
    Arrays arrays(profile);
    file.check(group + "/mean", h5::Scalar::fp32, arrays.vectors);
    file.check(group + "/forward", h5::Scalar::fp16, arrays.matrices);
    file.check(group + "/classes", h5::Scalar::uint8, arrays.vectors);
    const std::size_t sites = profile.parts.size() * heads;
    arrays.mean.resize(sites * dim);
    arrays.forward.resize(sites * dim * dim);
    arrays.classes.resize(sites * dim);
    file.read(group + "/mean", h5::Scalar::fp32, arrays.vectors, arrays.mean.data());
    file.read(group + "/forward", h5::Scalar::fp16, arrays.matrices, arrays.forward.data());
    file.read(group + "/classes", h5::Scalar::uint8, arrays.vectors, arrays.classes.data());
    for (std::size_t p = 0; p < profile.parts.size(); ++p) {
      profile.parts[p].sensitivity = sensitivity[p];
      profile.parts[p].heads.emplace_back(heads);
      for (std::size_t h = 0; h < heads; ++h) {
        SiteTransform& site = profile.parts[p].heads.back()[h];
        const std::size_t vector = (p * heads + h) * dim;
        site.mean.assign(arrays.mean.begin() + static_cast<std::ptrdiff_t>(vector),
                         arrays.mean.begin() + static_cast<std::ptrdiff_t>(vector + dim));
        site.classes.assign(arrays.classes.begin() + static_cast<std::ptrdiff_t>(vector),
                            arrays.classes.begin() + static_cast<std::ptrdiff_t>(vector + dim));
        for (std::size_t i = 0; i < dim * dim; ++i) {
          site.forward.push_back(half_to_float(arrays.forward[vector * dim + i]));
        }
        site.backward = inverse(site.forward, dim);
      }
    }
  }
  read_layers(file, path, profile);
  check_profile(profile, path);
  profile.digest = sha256_path(path);
  return profile;
}

}  // namespace kakeya

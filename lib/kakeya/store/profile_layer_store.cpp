// SPDX-License-Identifier: Apache-2.0
#include "kakeya/store/profile_layer_store.h"

#include <cstdint>
#include <iterator>
#include <vector>

#include "kakeya/core/error.h"
#include "kakeya/store/profile_fields.h"

namespace kakeya {
namespace {

// Calls field(name, scalar type, shape, array) for a matrix, in the format of the profile.
template <typename Halves, typename Matrix, typename Visit>
void visit_matrix(MatrixFormat format, const std::string& name, Halves& halves, Matrix& stored,
                  std::uint64_t rows, std::uint64_t columns, const Visit& field) {
  if (format == MatrixFormat::fp16) return field(name, h5::Scalar::fp16, {rows, columns}, halves);
  field(name, h5::Scalar::int8, {rows, columns}, stored.steps);
  field(name + "_scale", h5::Scalar::fp32, {columns}, stored.scale);
}

// The same for the transforms of every order and group of layers.
template <typename Kept, typename Visit>
void visit_transforms(Kept& profile, const Visit& field) {
  const std::uint64_t n = profile.group_width();
  for (std::size_t order = 0; order < profile.layer_transforms.size(); ++order) {
    for (std::size_t group = order; group < profile.layer_transforms[order].size(); ++group) {
      auto& made = profile.layer_transforms[order][group];
      const std::string place =
          "/layers/order" + std::to_string(order) + "/" + std::to_string(group);
      if (order > 0) {
        visit_matrix(profile.matrices, place + "/predictor", made.predictor, made.stored_predictor,
                     order * n, n, field);
      }
      visit_matrix(profile.matrices, place + "/rotation", made.rotation, made.stored_rotation, n, n,
                   field);
      field(place + "/deviations", h5::Scalar::int8, {n}, made.deviations);
      field(place + "/classes", h5::Scalar::uint8, {std::size(kLayerRates), n}, made.classes);
    }
  }
}

}  // namespace

void write_layer_transforms(h5::File& file, const Profile& profile) {
  file.set_integer("/", "layer_orders", static_cast<std::int64_t>(profile.layer_transforms.size()));
  if (profile.layer_transforms.empty()) return;
  file.set_integer("/", "layer_group", profile.layer_group);
  file.set_real("/", "layer_shaping", profile.layer_shaping);
  file.set_text("/", "layer_steps", std::string(layer_steps_name(profile.layer_steps)));
  PutArray{file}("/layers/octaves", h5::Scalar::fp64, {profile.layer_octaves.size()},
                 profile.layer_octaves);
  visit_transforms(profile, PutArray{file});
}

void read_layer_transforms(const h5::File& file, const std::string& path, Profile& profile) {
  const std::int64_t orders = file.integer("/", "layer_orders");
  if (orders < 0 || orders > kMostOrder + 1) {
    throw CorruptStream(path + ": layer_orders " + std::to_string(orders));
  }
  if (orders == 0) return;
  const std::int64_t together = file.integer("/", "layer_group");
  if (together < 1 || together > profile.shape.layers || profile.shape.layers % together != 0) {
    throw CorruptStream(path + ": layer_group " + std::to_string(together) +
                        ", expected a divisor of " + std::to_string(profile.shape.layers));
  }
  profile.layer_group = static_cast<int>(together);
  profile.layer_shaping = file.real("/", "layer_shaping");
  const std::string steps = file.text("/", "layer_steps");
  profile.layer_steps = Tier::hot;
  if (steps == layer_steps_name(Tier::cold)) profile.layer_steps = Tier::cold;
  if (steps != layer_steps_name(profile.layer_steps)) {
    throw CorruptStream(path + ": layer_steps '" + steps + "', expected prefix or inforward");
  }
  GetArray{file}("/layers/octaves", h5::Scalar::fp64, {profile.shape.parts()},
                 profile.layer_octaves);
  profile.layer_transforms.resize(static_cast<std::size_t>(orders));
  for (auto& order : profile.layer_transforms) {
    order.resize(static_cast<std::size_t>(profile.layer_groups()));
  }
  visit_transforms(profile, GetArray{file});
  if (profile.matrices == MatrixFormat::fp16) return;
  for (std::size_t order = 0; order < profile.layer_transforms.size(); ++order) {
    auto& groups = profile.layer_transforms[order];
    for (std::size_t group = order; group < groups.size(); ++group) groups[group].unpack();
  }
}

}  // namespace kakeya

// SPDX-License-Identifier: Apache-2.0
#include "kakeya/store/profile_layer_store.h"

#include <array>
#include <cstdint>
#include <iterator>
#include <vector>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

using Shape = std::array<std::uint64_t, 2>;

// Where the file has the transform of a group of layers.
std::string place_of(std::size_t order, std::size_t group) {
  return "/layers/order" + std::to_string(order) + "/" + std::to_string(group);
}

void write_matrix(h5::File& file, const std::string& name, const std::vector<std::uint16_t>& halves,
                  const Int8Matrix& stored, const Shape& shape) {
  if (stored.empty()) return file.write(name, h5::Scalar::fp16, shape, halves.data());
  file.write(name, h5::Scalar::int8, shape, stored.steps.data());
  file.write(name + "_scale", h5::Scalar::fp32, std::array<std::uint64_t, 1>{shape[1]},
             stored.scale.data());
}

// Memory is asked for after the file has been seen to hold as much.
template <typename Value>
void read_array(const h5::File& file, const std::string& name, h5::Scalar scalar,
                const Shape& shape, std::vector<Value>& values) {
  file.check(name, scalar, shape);
  values.resize(shape[0] * shape[1]);
  file.read(name, scalar, shape, values.data());
}

void read_matrix(const h5::File& file, const std::string& name, MatrixFormat format,
                 const Shape& shape, std::vector<std::uint16_t>& halves, Int8Matrix& stored) {
  if (format == MatrixFormat::fp16) return read_array(file, name, h5::Scalar::fp16, shape, halves);
  read_array(file, name, h5::Scalar::int8, shape, stored.steps);
  stored.scale.resize(shape[1]);
  file.read(name + "_scale", h5::Scalar::fp32, std::array<std::uint64_t, 1>{shape[1]},
            stored.scale.data());
}

}  // namespace

void write_layer_transforms(h5::File& file, const Profile& profile) {
  const std::uint64_t n = profile.group_width();
  file.set_integer("/", "layer_orders", static_cast<std::int64_t>(profile.layer_transforms.size()));
  if (profile.layer_transforms.empty()) return;
  file.set_integer("/", "layer_group", profile.layer_group);
  file.set_real("/", "layer_shaping", profile.layer_shaping);
  file.set_text("/", "layer_steps", std::string(layer_steps_name(profile.layer_steps)));
  file.write("/layers/octaves", h5::Scalar::fp64,
             std::array<std::uint64_t, 1>{profile.layer_octaves.size()},
             profile.layer_octaves.data());
  for (std::size_t order = 0; order < profile.layer_transforms.size(); ++order) {
    for (std::size_t group = order; group < profile.layer_transforms[order].size(); ++group) {
      const LayerTransform& made = profile.layer_transforms[order][group];
      const std::string place = place_of(order, group);
      if (order > 0) {
        write_matrix(file, place + "/predictor", made.predictor, made.stored_predictor,
                     {order * n, n});
      }
      write_matrix(file, place + "/rotation", made.rotation, made.stored_rotation, {n, n});
      file.write(place + "/deviations", h5::Scalar::int8, std::array<std::uint64_t, 1>{n},
                 made.deviations.data());
      file.write(place + "/classes", h5::Scalar::uint8, Shape{std::size(kLayerRates), n},
                 made.classes.data());
    }
  }
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
  const auto groups = static_cast<std::size_t>(profile.layer_groups());
  const std::uint64_t n = profile.group_width();
  profile.layer_octaves.resize(profile.shape.parts());
  file.read("/layers/octaves", h5::Scalar::fp64,
            std::array<std::uint64_t, 1>{profile.layer_octaves.size()},
            profile.layer_octaves.data());
  for (std::size_t order = 0; order < static_cast<std::size_t>(orders); ++order) {
    profile.layer_transforms.emplace_back(groups);
    for (std::size_t group = order; group < groups; ++group) {
      LayerTransform& made = profile.layer_transforms[order][group];
      const std::string place = place_of(order, group);
      if (order > 0) {
        read_matrix(file, place + "/predictor", profile.matrices, {order * n, n}, made.predictor,
                    made.stored_predictor);
      }
      read_matrix(file, place + "/rotation", profile.matrices, {n, n}, made.rotation,
                  made.stored_rotation);
      made.deviations.resize(n);
      file.read(place + "/deviations", h5::Scalar::int8, std::array<std::uint64_t, 1>{n},
                made.deviations.data());
      read_array(file, place + "/classes", h5::Scalar::uint8, {std::size(kLayerRates), n},
                 made.classes);
      if (profile.matrices == MatrixFormat::int8) made.unpack();
    }
  }
}

}  // namespace kakeya

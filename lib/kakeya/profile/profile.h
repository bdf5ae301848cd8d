// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kakeya/profile/int8_matrix.h"
#include "kakeya/profile/kvtc_profile.h"
#include "kakeya/profile/profile_origin.h"
#include "kakeya/profile/profile_source.h"

namespace kakeya {

// What calibration knows of a model: the coordinates in which its cache is cheap, and how much each
// part of it matters. Written by kakeya-calibrate, read by the codec klt. Plain data.

/// Which steps of the chain a transform was made with (the ablations of klt's keys).
struct TransformVariant {
  bool weighted = true;  ///< by what attention sees of an error; else by the error itself
  bool centred = true;   ///< the mean is subtracted; else it is coded with the rest
  bool operator==(const TransformVariant&) const = default;
};

/// "weight=query,center=mean", in the terms of klt's keys.
std::string describe_variant(TransformVariant variant);

/// The Karhunen-Loève coordinates of one site: y = (x - mean) forward, x = y backward + mean, for
/// row vectors. Errors of y count as they are: the weighting of attention is inside. The unit is
/// the same for all heads of a (layer, part): the geometric mean of the standard deviations of
/// their y is 1.
struct SiteTransform {
  std::vector<float> mean;      ///< [dim]; zeros where not centred
  std::vector<float> forward;   ///< [dim, dim], row i: what coordinate i of x adds to y
  std::vector<float> backward;  ///< [dim, dim], its inverse
  /// [dim], how y_j is distributed: shape * kDeviations + k, standard deviation
  /// deviation_of_class(k), shape one of those of entropy/point_model.h.
  std::vector<std::uint8_t> classes;
  Int8Matrix stored_forward;  ///< what forward was made from; empty: binary16

  /// Of `forward`, as it is stored.
  std::size_t matrix_bytes() const;

  bool operator==(const SiteTransform&) const = default;
};

inline constexpr int kDeviations = 64, kShapes = 4;

/// Nominal rates, in bits a value, for which a LayerTransform has classes: the residual of a
/// prediction from decoded layers is not the same at every rate.
inline constexpr double kLayerRates[] = {-1.0, 0.0, 1.0, 1.5, 2.0, 3.0, 4.0};

/// How all keys and values of a group of Profile::layer_group consecutive layers of a token are
/// coded together, after `order` groups before it (0, 1 or 2). With u the n = layer_group * 2 KV
/// heads * head_dim coordinates y, layer by layer those of all heads of the keys and then of the
/// values, each times 2^(Profile::layer_octaves of its part), and w those of the groups before as
/// they were decoded: v = (u - w predictor) rotation. The step of v is 2^-b at the nominal rate b,
/// but for shaping (shaping_gain()).
struct LayerTransform {
  std::vector<std::uint16_t> predictor;  ///< binary16, [order * n, n]: the group before, then the
                                         ///< one before that
  std::vector<std::uint16_t> rotation;   ///< binary16, [n, n], orthogonal but for rounding
  /// [n], quarter octaves in [-32, 32]: v_j has a standard deviation of about 2^(d_j / 4).
  std::vector<std::int8_t> deviations;
  /// [rates of kLayerRates, n], as SiteTransform::classes, of v.
  std::vector<std::uint8_t> classes;
  /// What predictor, rounded, and rotation, its columns made orthonormal and rounded, were made
  /// from; empty: binary16, and no predictor.
  Int8Matrix stored_predictor, stored_rotation;

  /// Of both matrices, as they are stored.
  std::size_t matrix_bytes() const;

  /// Sets predictor and rotation from what is stored. Throws InputError where a rotation's columns
  /// are none (orthonormal_columns()).
  void unpack();
};

inline constexpr int kMostOrder = 2;

/// "prefix" (Tier::cold) or "inforward" (Tier::hot), as the modes of an evaluation are called: whose
/// sensitivities the steps of whole layers follow.
std::string_view layer_steps_name(Tier steps);

/// Shaping g gives v_j a step that is finer than the common one by a factor of about 2^(-g d_j /
/// 4): errors follow the deviations of coordinates, from g = 0, where all are the same, to g = 1,
/// where every coordinate costs the same. By how many quarter octaves it is finer.
int shaping_gain(std::int8_t deviation, double shaping);

/// The shaping of kakeya-calibrate and of codecs that are not told otherwise (reports/transform).
inline constexpr double kLayerShaping = 0.25;

/// 2^((k - 32) / 4) of class shape * kDeviations + k: from 2^-8 to 2^7.75.
double deviation_of_class(int place);

/// What is known of the keys or values of a layer.
struct PartProfile {
  /// Mean KL divergence in nats on calibration text when this part alone is coded inside the
  /// forward, at Profile::sensitivity_bits; 0: not measured.
  double sensitivity = 0;
  /// The same when a cache of a clean prefill is coded once and read by later tokens; 0: not
  /// measured, which codecs of single heads do without.
  double prefix_sensitivity = 0;
  std::vector<std::vector<SiteTransform>> heads;  ///< [variant as Profile::variants][KV head]
};

struct Profile : ProfileHead {
  static constexpr std::string_view kKind = "klt";

  double sensitivity_bits = 0;         ///< nominal rate at which sensitivities were measured
  double prefix_sensitivity_bits = 0;  ///< and prefix sensitivities
  int sensitivity_passages = 0;        ///< and on how many passages
  MatrixFormat matrices = MatrixFormat::fp16;
  std::vector<TransformVariant> variants;
  std::vector<PartProfile> parts;  ///< [KvSite::index()]
  /// For codecs of whole layers, where made: binary orders of magnitude from the unit of each part
  /// to that of u; how many consecutive layers are transformed together, a divisor of `layers`; and
  /// the transforms [order][group], empty where a group has fewer before it.
  std::vector<double> layer_octaves;
  int layer_group = 1;
  double layer_shaping = 0;       ///< with which classes were chosen; in [0, 1]
  Tier layer_steps = Tier::cold;  ///< whose sensitivities the steps of whole layers follow
  std::vector<std::vector<LayerTransform>> layer_transforms;

  const PartProfile& part(const KvSite& site) const { return parts[site.index()]; }

  /// Throws InputError naming site and variant when the profile does not have them.
  const SiteTransform& transform(const KvSite& site, TransformVariant variant) const;

  /// Coordinates of all keys and values of a token in one layer.
  std::size_t layer_width() const { return 2 * shape.part_width(); }

  /// Groups of layers that are transformed together, and coordinates of a token in one of them.
  int layer_groups() const { return shape.layers / layer_group; }
  std::size_t group_width() const { return static_cast<std::size_t>(layer_group) * layer_width(); }

  /// Throws InputError where calibration did not make it.
  const LayerTransform& layer_transform(int order, int group) const;

  /// Bytes of what a reader needs of one variant: means in float32, matrices as they are stored, a
  /// class a coordinate, and a rate offset of 4 bytes a part.
  std::size_t reader_bytes() const;

  /// What a reader needs besides for whole layers, each group predicted from up to `order` before
  /// it.
  std::size_t layer_reader_bytes(int order) const;

  /// Bits by which each part [KvSite::index()] is coded more finely than the nominal
  /// rate: log2(sensitivity / geometric mean) / 2, within +-3 and then shifted to the mean 0.
  /// Distortion falls as 2^(-2 bits), so this evens out the damage. Throws InputError when a
  /// sensitivity was not measured.
  std::vector<double> rate_offsets() const;

  /// The same from the prefix sensitivities, for codecs of whole layers.
  std::vector<double> prefix_rate_offsets() const;
};

/// Throws InputError, beginning with `origin`, when the parts of a profile do not fit one another
/// or hold a number that is not finite.
void check_profile(const Profile& profile, const std::string& origin);

}  // namespace kakeya

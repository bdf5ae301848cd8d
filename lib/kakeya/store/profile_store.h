// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "kakeya/profile/profile.h"
#include "kakeya/store/kept_digest.h"

namespace kakeya {

/// What the attribute "format" says.
inline constexpr char kProfileFormat[] = "kakeya-profile";

/// Writes a profile as an HDF5 file, which appears when it is whole:
///
///   /                     attributes: format, schema, model_name, model_sha256, text_name, ...,
///                         matrices: "fp16" or "int8", layer_orders; with /layers layer_group,
///                         layer_shaping, layer_steps
///   /sensitivity          [parts] float64
///   /prefix_sensitivity   [parts] float64
///   /variant<i>           attributes weight, center
///   /variant<i>/mean      [parts, KV heads, dim] float32
///   /variant<i>/forward   [parts, KV heads, dim, dim] binary16
///   /variant<i>/classes   [parts, KV heads, dim] uint8
///   /layers/octaves                    [parts] float64
///   /layers/order<o>/<g>/predictor     [o * n, n] binary16, from o = 1 on; of group g of layers,
///                                      n = layer_group * 2 KV heads * dim
///   /layers/order<o>/<g>/rotation      [n, n] binary16
///   /layers/order<o>/<g>/deviations    [n] int8
///   /layers/order<o>/<g>/classes       [rates, n] uint8
///
/// Where "matrices" says int8, forward, predictor and rotation are int8 and have beside them the
/// scale of each column, float32: forward_scale [parts, KV heads, dim], predictor_scale [n],
/// rotation_scale [n] (Int8Matrix, LayerTransform).
///
/// parts are keys, values of layer 0, keys, values of layer 1, ... Inverses are not stored; /layers
/// only where they were made. The schema is 6. With Digest::kept, what kept_digest.h adds
/// besides. Throws InputError (check_profile), IoError.
void write_profile(const std::string& path, const Profile& profile,
                   Digest digest = Digest::of_file);

/// Reads one, its digest set. Throws IoError, CorruptStream, or InputError from check_profile().
Profile read_profile(const std::string& path);

}  // namespace kakeya

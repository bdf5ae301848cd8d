// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "kakeya/profile/profile_origin.h"

namespace kakeya::test {

/// The origin of profiles that no calibration made; `digest` is left empty, as before storing.
inline ProfileHead made_origin(std::size_t head_dim, int layers, int heads) {
  ProfileHead origin;
  origin.origin.model.name = "made";
  origin.origin.model.sha256 = std::string(64, 'a');
  origin.origin.text.name = "none";
  origin.origin.text.sha256 = std::string(64, 'b');
  origin.tokens_sha256 = std::string(64, 'd');
  origin.tap = TapPoint::pre_rope;
  origin.dtype = "fp32";
  origin.shape.layers = layers;
  origin.shape.kv_heads = heads;
  origin.shape.head_dim = static_cast<int>(head_dim);
  origin.passages = 1;
  origin.context = 100;
  origin.sinks = 4;
  return origin;
}

}  // namespace kakeya::test

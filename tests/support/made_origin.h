// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "kakeya/profile/profile_origin.h"

namespace kakeya::test {

/// The origin of profiles that no calibration made; `digest` is left empty, as before storing.
inline ProfileOrigin made_origin(std::size_t head_dim, int layers, int heads) {
  ProfileOrigin origin;
  origin.model_name = "made";
  origin.model_sha256 = std::string(64, 'a');
  origin.text_name = "none";
  origin.text_sha256 = std::string(64, 'b');
  origin.tokens_sha256 = std::string(64, 'd');
  origin.tap = "pre-rope";
  origin.dtype = "fp32";
  origin.layers = layers;
  origin.kv_heads = heads;
  origin.head_dim = static_cast<int>(head_dim);
  origin.passages = 1;
  origin.context = 100;
  origin.sinks = 4;
  return origin;
}

}  // namespace kakeya::test

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "codecs/vectors_for_test.h"
#include "support/made_profile.h"

/// Codecs of whole layers over a made profile of four layers, and what they write on every instruction set.
namespace kakeya::test::four_layers {

inline constexpr int kLayers = 4;
inline constexpr std::size_t kHeadDim = 8, kWidth = 4 * kHeadDim, kDim = kLayers * kWidth;

inline const OneProfile& made() {
  static const OneProfile source(made_profile(kHeadDim, kLayers));
  return source;
}

inline std::unique_ptr<Codec> make_for(const std::string& spec) {
  CodecInput input{kDim, &made()};
  input.layers = LayerRange{0, kLayers};
  return make_codec(spec, input);
}

inline Rows<const float> rows_of(const std::vector<float>& x) {
  return dense_rows<const float>(x.data(), x.size() / kDim, kDim);
}

}  // namespace kakeya::test::four_layers

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "kakeya/codec/codec.h"
#include "kakeya/codec/stages.h"
#include "kakeya/codecs/fixed_rate/tile_scales.h"
#include "kakeya/lattice/lattice.h"

namespace kakeya {

/// How points become bits: the options of the key `pack`, in order.
enum class Packing { block, joint, rans };

/// What a fixed-rate codec of points within a box codes with.
struct FixedRateOptions {
  Lattice lattice = Lattice::z;
  int q = 1;  ///< coordinates lie in [-q, q]
  Packing packing = Packing::block;
  Scales scales = Scales::two;
  bool class_each = false;
  StageOptions stages;
  double nominal_bits = 0;  ///< of the published formula, a vector
};

/// Reads the keys from `pack` on into `options` and builds the codec.
std::unique_ptr<Codec> make_fixed_rate(SpecArgs& args, const CodecInput& input,
                                       FixedRateOptions options);

}  // namespace kakeya

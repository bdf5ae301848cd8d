// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "kakeya/core/kv.h"

namespace kakeya {

/// Where vectors of codecs without pages lie.
enum class PlainVectors {
  as_cached,  ///< as a live cache of this library has them: a frame of kPlainPage vectors, and the
              ///< rest waits in bf16; formats that other engines store (stored_alone()) lie alone
  alone       ///< each by itself, one frame for all: as published figures count them
};

/// What a codec takes for vectors of one kind.
struct CodecCost {
  std::string spec;           ///< canonical, of a calibrated codec without its profile
  bool nominal = false;       ///< the rate is what the key `bits` promises, not counted bytes
  std::size_t page = 0;       ///< vectors that are coded together, which wait as bf16; 0: none do
  bool frame_a_page = false;  ///< each page is a frame; false: one frame holds all
  double frame_bytes = 0;     ///< of a frame, whatever it holds: header and checksum
  double vector_bytes = 0;    ///< of a vector in a full page
  double profile_bytes = 0;   ///< of a profile, once a card: of one head of one part of a layer
};

/// Of a fixed-rate codec the bytes are counted: frames of drawn vectors are written, of several
/// lengths and two scales, and must not depend on the values. With a key `budget` they are known. Of a codec whose rate
/// is a key `bits` (klt, kvtc, ece8) that rate is taken, as nominal: pages' and frames' headers are not in it. The
/// profile's bytes of klt's single heads are counted from a made profile of these dims; of other
/// calibrated codecs they are not known here and 0. Throws as make_codec(), and SpecError for a codec
/// whose bytes depend on what is coded.
CodecCost codec_cost(std::string_view spec, std::size_t dim, Part part,
                     PlainVectors plain = PlainVectors::as_cached);

/// Whether it is a format in which other engines store each vector by itself: bf16 (identity), fp8,
/// llama.cpp's blocks, vLLM's int8 and int4, nvfp4 and mxfp4.
bool stored_alone(std::string_view spec);

/// Whether the codec has a profile whose bytes codec_cost() does not know.
bool profile_unknown(std::string_view spec);

}  // namespace kakeya

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "kakeya/codec/codec.h"

namespace kakeya::fuzz {

/// A codec that a target decodes with, for vectors of each of these lengths.
struct SpecCase {
  std::string_view spec;
  std::size_t dims[2];
  bool keys = false;     ///< of codecs that code keys otherwise than values
  std::size_t more = 0;  ///< vectors of a frame besides those that its recipe says
};

/// The codecs of one family of decoders, which between them take every key of it: a row more is
/// all that a new key needs.
struct Family {
  std::string_view name;
  std::span<const SpecCase> cases;
};

std::span<const Family> families();

/// Throws std::out_of_range on a name that is not there.
const Family& family_named(std::string_view name);

/// The made profile of codecs that need one, for vectors of `dim`; of whole tokens, two layers of
/// one head each. Null for other codecs.
const ProfileSource* profile_of(std::string_view spec, std::size_t dim);

/// The codec of `which` for its dims[place], built the first time and kept: the targets run it
/// millions of times.
const Codec& codec_of(const SpecCase& which, std::size_t place);

}  // namespace kakeya::fuzz

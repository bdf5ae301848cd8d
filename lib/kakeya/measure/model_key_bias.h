// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "kakeya/codec/cache_codecs.h"
#include "kakeya/profile/key_bias.h"
#include "kakeya/profile/profile_shelf.h"

namespace kakeya {

/// The biases of the keys of the model at `path` as the profile that its file would be: with the
/// same digest. Throws as read_key_biases().
KeyBias model_key_bias(const std::string& path);

/// Puts them on `shelf` where a codec or a plan of `pairs` centres on the bias (codec/key_bias.h) and
/// the shelf has none: whoever runs the model has them, without a file. Throws as model_key_bias().
void shelve_key_bias(ProfileShelf& shelf, std::span<const CodecPair> pairs,
                     const std::string& path);

}  // namespace kakeya

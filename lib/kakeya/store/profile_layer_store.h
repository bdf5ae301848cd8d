// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "kakeya/profile/profile.h"
#include "kakeya/store/h5.h"

namespace kakeya {

// The transforms of whole layers in a profile's file: /layers, as drawn in profile_store.h.

/// Writes them, and how many orders there are. Throws IoError.
void write_layer_transforms(h5::File& file, const Profile& profile);

/// Reads them into a profile whose sizes and format of matrices are known. Throws CorruptStream, or
/// InputError from LayerTransform::unpack().
void read_layer_transforms(const h5::File& file, const std::string& path, Profile& profile);

}  // namespace kakeya

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "kakeya/codec/codec.h"

namespace kakeya::fuzz {

/// Kinds of vectors that seeds are encoded from.
enum class SeedKind { normal, heavy_tailed, zeros, outlier_channel, tiny, huge, growing };
inline constexpr SeedKind kSeedKinds[] = {
    SeedKind::normal, SeedKind::heavy_tailed, SeedKind::zeros,  SeedKind::outlier_channel,
    SeedKind::tiny,   SeedKind::huge,         SeedKind::growing};

std::vector<float> seed_vectors(SeedKind kind, std::size_t count, std::size_t dim);

/// The frame that `codec` writes for such vectors; of klt, which keeps nearly all of them beside
/// the code, for vectors of its profile where they are normal, and every third of them far off
/// where they grow.
std::vector<std::byte> seed_frame(const Codec& codec, SeedKind kind, std::size_t count);

}  // namespace kakeya::fuzz

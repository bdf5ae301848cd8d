// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/fields.h"

// Pages of tiles (lib/kakeya/entropy/tile_format.h) on the device: launchers of tiles_encode.cu and
// tiles_decode.cu. They take what those of fields.h take, with points of Z.

namespace kakeya::kernels {

/// Bytes of device memory that encode_tiles() is lent, a multiple of 256.
std::size_t tile_encode_workspace(const PagePoints& points, int heads, int dim);

/// Writes pages, stream_bytes and streams of all heads: the bytes of TileCoder::encode(). As encode_fields(),
/// but that every page has counts for its lists. Three kernels.
void encode_tiles(const FieldPages& codec, const PagePoints& points, std::int64_t tokens,
                  const PageSections& out, void* workspace, std::uint32_t* flags, Stream stream);

/// Bytes of device memory that decode_tiles() is lent, a multiple of 256.
std::size_t tile_decode_workspace(const PagePoints& points, int heads);

/// As decode_fields(): 0 in pages that TileCoder::decode() refuses. Two kernels.
void decode_tiles(const FieldPages& codec, const PageSections& in, const PagePoints& points,
                  std::int64_t tokens, void* workspace, std::uint32_t* flags, Stream stream);

}  // namespace kakeya::kernels

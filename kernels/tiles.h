// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/fields.h"
#include "kernels/klt.h"

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

/// The same of pages that locate_pages() has found, of all or, where it is not null, of `only`.
void decode_located_tiles(const FieldPages& codec, const PageSections& in, const PagePoints& points,
                          std::int64_t tokens, const std::uint64_t* starts, const LeftPages& only,
                          std::uint32_t* flags, Stream stream);

/// Whether decode_tile_vectors() has a kernel: product=exact, page=128, head_dim 64, 128 or 256.
bool has_tile_vectors(const Klt& codec);

/// Pages straight to vectors, with no points in memory between them: what decode_tiles() and klt_backward() do, to the
/// bit. Pages of entries beyond what a byte holds, of far entries that are many or large, of no vectors,
/// longer than what a block has room for (pages.md), and damaged ones take these two; work.bounds says which. klt_read_exact() comes first. `workspace`: tile_decode_workspace(). Four kernels.
void decode_tile_vectors(const Klt& codec, const FieldPages& pages, const PageSections& in,
                         const PagePoints& points, const KltWork& work, const Vectors& y,
                         void* workspace, std::uint32_t* flags, Stream stream);

}  // namespace kakeya::kernels

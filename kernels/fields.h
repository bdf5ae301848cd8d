// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/pages.h"

// Pages of fields (lib/kakeya/entropy/field_format.h) on the device: launchers of fields_encode.cu
// and fields_decode.cu.

namespace kakeya::kernels {

/// What pages of fields hold.
struct FieldPages {
  PageLattice lattice = PageLattice::z;  ///< z, e8 or trellis, of which a path is a vector
  bool values = false;                   ///< FieldOrder::values
  std::int32_t heads = 0, dim = 0;       ///< dim: a multiple of 8 up to 512
  /// For encoding, in device memory: FieldCoder::widths() by coordinate, head h from h * usual_stride on.
  HeadPlans plans;                        ///< which usual_bits a head has (Klt::plans)
  const std::uint32_t* counts = nullptr;  ///< Klt::counts
  const float* usual_bits = nullptr;
  std::int64_t usual_stride = 0;
};

/// Bytes of device memory that encode_fields() is lent, a multiple of 256.
std::size_t field_encode_workspace(const PagePoints& points, int heads, int dim);

/// Writes pages, stream_bytes and streams of all heads: the bytes of FieldCoder::encode(). Pages have as
/// many vectors as `tokens` tell, of up to 4096; points.vectors is not read. A page that has no counts for
/// its lists, which vectors within FieldCoder::most_vector_bits() never make, is kPageTooLong and left out.
/// Points that are none of the lattice, or beyond 2^21, make a page that decodes to something else; nothing
/// is touched out of bounds. Three kernels.
void encode_fields(const FieldPages& codec, const PagePoints& points, std::int64_t tokens,
                   const PageSections& out, void* workspace, std::uint32_t* flags, Stream stream);

/// Bytes of device memory that decode_fields() is lent, a multiple of 256.
std::size_t field_decode_workspace(const PagePoints& points, int heads);

/// Decodes as decode_pages(): every value of the room of every page is written, 0 where there is no
/// vector and in pages that FieldCoder::decode() refuses, whose heads get kBadPage. Pages have as
/// many vectors as `tokens` tell: points.vectors is not read. Two kernels.
void decode_fields(const FieldPages& codec, const PageSections& in, const PagePoints& points,
                   std::int64_t tokens, void* workspace, std::uint32_t* flags, Stream stream);

}  // namespace kakeya::kernels

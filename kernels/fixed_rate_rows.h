// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/kernels.h"

namespace kakeya::kernels {

/// What KV caches mostly hold: bf16 vectors of 64, 128 or 256, the published codecs' widths and those that
/// attention reads. These have kernels of their own (fixed_rate_rows.cu), in which all of that is a
/// constant.
constexpr FixedRate kUsualRates[] = {{FixedRate::z, 7},
                                     {FixedRate::d4, 38},
                                     {FixedRate::d4, 7},
                                     {FixedRate::e8, 10},
                                     {FixedRate::e8, 7}};
constexpr bool is_usual_dim(int dim) { return dim == 64 || dim == 128 || dim == 256; }

constexpr bool is_usual(const FixedRate& codec, const Vectors& x) {
  if (!is_usual_dim(x.dim) || x.type != Scalar::bf16) return false;
  for (const FixedRate& usual : kUsualRates) {
    if (codec.lattice == usual.lattice && codec.q == usual.q) return true;
  }
  return false;
}

void encode_usual(const FixedRate& codec, const Vectors& x, const Sections& out,
                  std::uint32_t* flags, Stream stream);
void decode_usual(const FixedRate& codec, const Sections& in, const Vectors& y,
                  std::uint32_t* flags, Stream stream);
/// Of tq alone: d4 and e8 take no less time than in fixed_rate.cu.
void round_trip_usual_z(const FixedRate& codec, const Vectors& x, const Vectors& y,
                        std::uint32_t* flags, Stream stream);

}  // namespace kakeya::kernels

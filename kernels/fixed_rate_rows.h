// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/kernels.h"

namespace kakeya::kernels {

/// What KV caches mostly hold: bf16 vectors of 128 and the published codecs' widths. These have
/// kernels of their own (fixed_rate_rows.cu), in which all of that is a constant.
constexpr FixedRate usual_rate(int lattice) {
  return {static_cast<FixedRate::Kind>(lattice), lattice == FixedRate::z    ? 7
                                                 : lattice == FixedRate::d4 ? 38
                                                                            : 10};
}
constexpr bool is_usual(const FixedRate& codec, const Vectors& x) {
  return x.dim == 128 && x.type == Scalar::bf16 && codec.q == usual_rate(codec.lattice).q;
}

void encode_usual(const FixedRate& codec, const Vectors& x, const Sections& out,
                  std::uint32_t* flags, Stream stream);
void decode_usual(const FixedRate& codec, const Sections& in, const Vectors& y,
                  std::uint32_t* flags, Stream stream);
/// Of tq alone: d4 and e8 take no less time than in fixed_rate.cu.
void round_trip_usual_z(const Vectors& x, const Vectors& y, std::uint32_t* flags, Stream stream);

}  // namespace kakeya::kernels

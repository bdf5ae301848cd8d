// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "kakeya/codec/codec.h"
#include "kakeya/lattice/lattice.h"

namespace kakeya {

/// Bits that the published formula charges for a block of D4 or E8.
double published_block_bits(Lattice lattice, int q);

/// rule=published of d4 and e8: the published round trip, arithmetic included. Takes no further
/// keys.
std::unique_ptr<Codec> make_published(SpecArgs& args, const CodecInput& input, Lattice lattice,
                                      int q);

}  // namespace kakeya

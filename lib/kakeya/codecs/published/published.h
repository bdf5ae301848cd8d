// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "kakeya/codec/codec.h"
#include "kakeya/lattice/lattice.h"

namespace kakeya {

/// Nominal bits of a block of D4 or E8.
double published_block_bits(Lattice lattice, int q);

/// rule=published of d4: the published round trip, arithmetic included; with the key ablate (and
/// max), the codecs of its ablation. Takes no further keys.
std::unique_ptr<Codec> make_published_d4(SpecArgs& args, const CodecInput& input, int q);

/// rule=published of e8. Takes no further keys.
std::unique_ptr<Codec> make_published_e8(SpecArgs& args, const CodecInput& input, int q);

}  // namespace kakeya

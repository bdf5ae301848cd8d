// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "kakeya/codec/codec.h"
#include "kakeya/lattice/lattice.h"

namespace kakeya {

/// The entropy-coded codec of a lattice, of the keys that its descriptor lists.
std::unique_ptr<Codec> make_entropy_coded(SpecArgs& args, const CodecInput& input, Lattice lattice);

}  // namespace kakeya

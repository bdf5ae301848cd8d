// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fuzz/targets.h"

namespace kakeya::fuzz {

// Target "page": a page of lattice points with nothing around it.
//
//      0        1        2        3        4
//      +--------+--------+--------+--------+------------------+--------
//      | model  | dim    | vectors| each   | classes          | page
//      +--------+--------+--------+--------+------------------+--------
//
// model, dim and vectors are places in lists, modulo their lengths; classes, modulo their number,
// are one byte for all coordinates, or, where `each` is odd, a byte a coordinate.

bool run_page(Input input);
Inputs page_seeds();

}  // namespace kakeya::fuzz

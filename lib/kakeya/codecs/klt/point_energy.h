// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kakeya/entropy/density.h"
#include "kakeya/lattice/lattice.h"

namespace kakeya {

/// The mean square of a coordinate of the points of `lattice` (not D4) nearest to a source of this
/// variance and shape, in steps, the coordinates around it being like it. Rises with the variance. Far
/// above a step it is the variance and the lattice's second moment; far below it is 0.
double point_energy(Lattice lattice, const CoordinateShape& shape, double variance);

/// The variance of a source whose points have the mean square `energy`. Where that says nothing, all
/// points being 0 or nearly: `expected`, or the most that it can be.
double variance_of_points(Lattice lattice, const CoordinateShape& shape, double energy,
                          double expected);

}  // namespace kakeya

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kakeya/entropy/point_model.h"

namespace kakeya {

/// Bits a coordinate of this class costs when it follows its own model, the others of its block
/// being like it: the entropy of the model's frequencies, of its raw bits, and for E8 an eighth of
/// the coset's.
double class_rate(Lattice lattice, const ClassModels& models);

}  // namespace kakeya

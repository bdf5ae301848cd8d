// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>

#include "kakeya/entropy/point_model.h"

namespace kakeya {

/// Models that shared_point_model() keeps when nobody else holds them.
inline constexpr std::size_t kModelsKept = 4;

/// The model of class_grid(nominal_deviation), the same one for all who ask while it is among the
/// kModelsKept asked for last: models and tables do not change once they are made, and making them
/// is most of what it costs to decode a short frame. Thread-safe.
///
/// Whoever decodes frames of strangers: a frame has a byte for each coordinate's class, and one of
/// a few kilobytes may name all 192 classes of a grid. The first such frame of a spec costs three
/// times what an honest one of unlike channels costs (tests/codec/class_tables_test.cpp), and later
/// ones make none. All classes of a model take up to 35 MB (E8).
std::shared_ptr<const PointModel> shared_point_model(Lattice lattice, double nominal_deviation);

}  // namespace kakeya

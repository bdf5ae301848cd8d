// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>

#include "kakeya/model/weights/weight_source.h"

namespace kakeya {

/// Fills `out` with the matrix `name`, each block of `block` rows and columns multiplied by its
/// value of the matrix `scale`, [ceil(rows / block[0]), ceil(columns / block[1])]: how DeepSeek
/// stores E4M3 weights under E8M0 scales. Exact where the scale is a power of two and nothing leaves
/// float32's range.
///
/// Throws InputError naming the tensor when either is missing, no matrix, of another shape than the
/// block wants, `out` has not exactly the length, or a product is not finite: then its row and column too.
void read_scaled(const WeightSource& source, const std::string& name, const std::string& scale,
                 std::array<std::size_t, 2> block, std::span<float> out);

}  // namespace kakeya

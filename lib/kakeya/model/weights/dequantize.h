// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace kakeya {

/// Writes the values of the ggml blocks `stored` to `out`: types F32, F16, BF16, Q8_0, Q4_0, Q4_1,
/// Q5_0, Q5_1, Q4_K, Q5_K and Q6_K, in the arithmetic of ggml's reference (float32, one rounding
/// per operation). Throws InputError naming any other type, or when `stored` is not exactly the
/// blocks of out.size() values. https://github.com/ggml-org/ggml/blob/master/src/ggml-quants.c,
/// dequantize_row_*
void dequantize(std::uint32_t type, std::span<const std::byte> stored, std::span<float> out);

}  // namespace kakeya

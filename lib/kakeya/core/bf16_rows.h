// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kakeya/core/rows.h"

namespace kakeya {

/// Rounds each scalar to bf16, ties to even, what lies beyond the largest to the largest:
/// float_to_finite_bfloat16() (half.h) and back, a row at a time.
void round_rows_to_bf16(Rows<float> rows);

}  // namespace kakeya

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kakeya/simd/kernels.h"

// Kernels written with Highway, each compiled once an instruction set.

namespace kakeya {

/// Those of the instruction set that Highway has chosen.
MoveKernels vector_move_kernels();
TransformKernels vector_transform_kernels();
QuantiseKernels vector_quantise_kernels();
IndexKernels vector_index_kernels();
ProductKernels vector_product_kernels();
ScaleKernels vector_scale_kernels();
PathKernels vector_path_kernels();
MatrixKernels vector_matrix_kernels();

}  // namespace kakeya

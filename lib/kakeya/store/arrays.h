// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "kakeya/core/files.h"  // read_file(), write_file()
#include "kakeya/core/rows.h"

namespace kakeya {

/// Vectors read from a file, float32, dense.
struct Array {
  std::vector<float> values;
  std::size_t count = 0, dim = 0;
  Rows<const float> rows() const { return dense_rows(values.data(), count, dim); }
};

/// Reads `.npy` (f2, f4 or f8, which is rounded to float32; C order; the last axis is dim, `dim` 0
/// or equal to it) or `.f32` (raw
/// little-endian float32 of vectors of `dim` scalars). Throws IoError, or InputError when the file
/// is not such an array or its size is not a multiple of dim.
Array read_array(const std::string& path, std::size_t dim);

/// Writes `.npy` (f4, shape [count, dim]) or raw float32 for any other ending. Written beside and
/// renamed.
void write_array(const std::string& path, Rows<const float> rows);

/// Token ids of a .json file: an array of ids, or an object with "tokens". Throws IoError,
/// CorruptStream (no JSON) or InputError (not whole numbers).
std::vector<std::int32_t> read_token_file(const std::string& path);

}  // namespace kakeya

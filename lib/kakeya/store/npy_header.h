// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace kakeya {

/// What stands before the data of a .npy file.
struct NpyHeader {
  std::size_t count = 0, dim = 0;  ///< product of all axes but the last; the last (at least 1)
  std::size_t scalar_bytes = 0;    ///< 2 (f2), 4 (f4) or 8 (f8), little-endian
  std::size_t data_offset = 0;     ///< where the data begin
  std::string shape_text;          ///< "(3, 64)"
  std::vector<std::size_t> axes;   ///< 3, 64
};

/// Parses versions 1.0, 2.0 and 3.0 of the NumPy format (numpy.lib.format). Throws InputError,
/// naming `path`, for anything but a C-ordered array of little-endian f2, f4 or f8 with one axis or
/// more.
NpyHeader parse_npy_header(const std::string& path, std::span<const std::byte> file);

/// The data of `file`, whose header this is. Throws InputError, naming `path`, unless they are as long
/// as the shape takes.
std::span<const std::byte> npy_data(const std::string& path, const NpyHeader& header,
                                    std::span<const std::byte> file);

/// Scalars of `scalar_bytes` bytes (2, 4 or 8), as many as `out` has, rounded to float32.
void npy_values(std::span<const std::byte> data, std::size_t scalar_bytes, std::span<float> out);

/// The version 1.0 header of a C-ordered f4 array [count, dim], padded so that the data begin at a
/// multiple of 64.
std::string make_npy_header(std::size_t count, std::size_t dim);

}  // namespace kakeya

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace kakeya {

/// What stands before the data of a .npy file.
struct NpyHeader {
  std::size_t count = 0, dim = 0;  ///< product of all axes but the last; the last (at least 1)
  std::size_t scalar_bytes = 0;    ///< 2 (f2), 4 (f4) or 8 (f8), little-endian
  std::size_t data_offset = 0;     ///< where the data begin
  std::string shape_text;          ///< "(3, 64)"
};

/// Parses versions 1.0, 2.0 and 3.0 of the NumPy format (numpy.lib.format). Throws InputError,
/// naming `path`, for anything but a C-ordered array of little-endian f2, f4 or f8 with one axis or
/// more.
NpyHeader parse_npy_header(const std::string& path, std::span<const std::byte> file);

/// The version 1.0 header of a C-ordered f4 array [count, dim], padded so that the data begin at a
/// multiple of 64.
std::string make_npy_header(std::size_t count, std::size_t dim);

}  // namespace kakeya

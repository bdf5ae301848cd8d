// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace kakeya {

/// Tokens that a live cache codes together where a codec has no pages. Each such page is a frame with
/// header and checksum: a frame a token would take as much as bf16 or more (17.4 bits a value for fp8
/// of 64 scalars, 16.3 for e8:q=10, in place of 8.57 and 4.96), and those that wait are exact
/// meanwhile.
inline constexpr std::size_t kPlainPage = 128;

}  // namespace kakeya

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace kakeya {

/// CRC-32C (Castagnoli, reflected polynomial 0x82F63B78, RFC 3720 appendix B.4) of `bytes`. Finds
/// every error of up to 32 neighbouring bits, and every three flipped bits in anything below 2^31
/// bits.
std::uint32_t crc32c(std::span<const std::byte> bytes);

}  // namespace kakeya

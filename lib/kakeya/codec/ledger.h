// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kakeya/codec/codec.h"
#include "kakeya/core/ledger.h"

namespace kakeya {

/// The ledger of one frame that `codec` wrote for `x`. With `entropy` false the entropy, which
/// takes a second pass over `x`, is left empty. Throws CorruptStream when `frame` is not one of
/// `codec`.
RateLedger ledger_of(const Codec& codec, Rows<const float> x, std::span<const std::byte> frame,
                     bool entropy = true);

/// Tokens that stay bf16: 16 bits a scalar, whoever counts.
RateLedger ledger_of_exact(std::uint64_t vectors, std::uint64_t dim);

}  // namespace kakeya

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kakeya/entropy/page_plan.h"

namespace kakeya {

// The two directions of PointCoder; the caller has checked lengths, points and room.

/// Writes a page and returns its bytes; needs page_room(plan, vectors) bytes.
std::size_t encode_page(const PagePlan& plan, std::span<const std::int32_t> twice,
                        std::size_t vectors, std::span<std::byte> out);

std::size_t page_room(const PagePlan& plan, std::size_t vectors);

/// Reads a page that is exactly `in`.
void decode_page(const PagePlan& plan, std::span<const std::byte> in, std::size_t vectors,
                 std::span<std::int32_t> twice);

}  // namespace kakeya

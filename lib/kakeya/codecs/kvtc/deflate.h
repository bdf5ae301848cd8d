// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace kakeya {

// Raw DEFLATE (RFC 1951), by zlib. deflate.cpp is the only file that sees zlib; no_deflate.cpp
// stands in for it.

/// Whether this build has zlib; without it the functions below throw.
bool has_deflate();

/// Throws SpecError, beginning with `codec`, where this build has no zlib.
void require_deflate(const std::string& codec);

/// The most bytes that deflate() makes of `bytes` in `parts` parts.
std::size_t deflate_bound(std::size_t bytes, std::size_t parts);

/// One stream of all parts, at level 9; of no bytes, none. Each part begins a block of its own, so
/// that its codes have their own table.
std::vector<std::byte> deflate(std::span<const std::vector<std::byte>> parts);

/// Fills `out`, exactly. Throws CorruptStream, beginning with `codec`, unless `stream` is whole,
/// nothing more, and exactly as long as `out` when it is inflated: whatever it would expand to, no
/// more than `out` is written.
void inflate(std::span<const std::byte> stream, std::span<std::byte> out, const std::string& codec);

}  // namespace kakeya

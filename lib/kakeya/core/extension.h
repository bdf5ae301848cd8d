// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kakeya {

/// What x86-64 processors have beyond the first of them, for loops that have a variant of their own
/// for it (rooms bitstream, entropy). Each has all that stands before it.
enum class Extension { none, sse42, avx2, avx512 };  // avx512: F, CD, BW, DQ and VL

inline constexpr Extension kLastExtension = Extension::avx512;

/// The last one that this processor has, or the one that limit_extensions() allows if that comes
/// before it.
Extension extension_in_use();

/// Allows none beyond `last` from now on; for tests and benchmarks, as a part of use_simd_target()
/// (simd/tile.h). Not while another thread works.
void limit_extensions(Extension last);

}  // namespace kakeya

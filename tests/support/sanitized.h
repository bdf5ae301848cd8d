// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kakeya::test {

/// Whether this is a build with AddressSanitizer, where code takes five to ten times as long. A test that repeats
/// the same steps over many numbers takes fewer of them there: what the numbers are, builds without it tell.
#ifdef __SANITIZE_ADDRESS__
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

}  // namespace kakeya::test

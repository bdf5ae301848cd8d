// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "kakeya/bitstream/frame.h"
#include "kakeya/codec/codec.h"

namespace kakeya {

// The section "site" of frames whose vectors are of one head: layer u16, KV head u16, part u8 (0
// keys, 1 values), 0 u8.

inline constexpr std::string_view kSiteSection = "site";
inline constexpr std::size_t kSiteBytes = 6;

/// Throws InputError, beginning with `codec`, unless `site` is one head of the keys or values of a
/// layer whose numbers fit the section.
void require_site(const std::string& codec, const std::optional<KvSite>& site);

/// What the section holds for a site that require_site() has passed.
std::array<std::byte, kSiteBytes> site_record(const KvSite& site);

/// The site that the section says, for CodecDescriptor::read_place. Throws CorruptStream.
KvSite read_site(const FrameView& view);

/// Throws CorruptStream, beginning with `codec`, unless `section` says `site`.
void require_same_site(const std::string& codec, std::span<const std::byte> section,
                       const KvSite& site);

}  // namespace kakeya

// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codec/site_section.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>

#include "kakeya/codec/stage_sections.h"
#include "kakeya/core/error.h"

namespace kakeya {

void require_site(const std::string& codec, const std::optional<KvSite>& site) {
  constexpr int kMost = std::numeric_limits<std::uint16_t>::max();
  if (!site) throw InputError(codec + ": expected the site that the vectors are of");
  if (site->layer < 0 || site->layer > kMost || site->head < 0 || site->head > kMost ||
      site->part == Part::query) {
    throw InputError(codec + ": " + site_name(*site) +
                     " given, expected one head of the keys or values of a layer");
  }
}

std::array<std::byte, kSiteBytes> site_record(const KvSite& site) {
  const std::uint16_t numbers[] = {static_cast<std::uint16_t>(site.layer),
                                   static_cast<std::uint16_t>(site.head)};
  std::array<std::byte, kSiteBytes> record{};
  std::memcpy(record.data(), numbers, sizeof numbers);
  record[4] = site.part == Part::key ? std::byte{0} : std::byte{1};
  return record;
}

KvSite read_site(const FrameView& view) {
  const auto bytes = section_of(view, kSiteSection);
  if (bytes.size() != kSiteBytes) {
    throw CorruptStream(view.spec + ": section site of " + std::to_string(bytes.size()) +
                        " bytes, expected " + std::to_string(kSiteBytes));
  }
  std::uint16_t numbers[2];
  std::memcpy(numbers, bytes.data(), sizeof numbers);
  if (std::to_integer<int>(bytes[4]) > 1 || bytes[5] != std::byte{0}) {
    throw CorruptStream(view.spec + ": section site: expected part 0 (keys) or 1 (values), then 0");
  }
  return {numbers[0], bytes[4] == std::byte{0} ? Part::key : Part::value, numbers[1]};
}

void require_same_site(const std::string& codec, std::span<const std::byte> section,
                       const KvSite& site) {
  if (std::ranges::equal(section, site_record(site))) return;
  throw CorruptStream(codec + ": a frame of another site, expected " + site_name(site));
}

}  // namespace kakeya

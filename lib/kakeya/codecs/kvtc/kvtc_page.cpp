// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codecs/kvtc/kvtc_page.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "kakeya/bitstream/bits.h"
#include "kakeya/codecs/kvtc/deflate.h"
#include "kakeya/codecs/kvtc/kvtc_groups.h"
#include "kakeya/core/error.h"

namespace kakeya {
namespace {

std::size_t width_of(const KvtcGroup& group) {
  return kKvtcTypeBits[static_cast<std::size_t>(group.type)];
}

std::size_t index_bytes(const KvtcGroup& group, std::size_t tokens) {
  return (group.count * tokens * width_of(group) + 7) / 8;
}

// Codes of a group, [component][token], and a scale a token.
struct GroupCodes {
  std::vector<std::uint8_t> codes;
  std::vector<std::uint16_t> scales;

  GroupCodes(const KvtcGroup& group, std::size_t tokens)
      : codes(group.count * tokens), scales(tokens) {}
};

// Calls visit(group, codes) for each group; `coefficients` has their components in order.
template <typename Visit>
void for_each_quantised(std::span<const KvtcGroup> groups, const KvtcCoefficients& coefficients,
                        const Visit& visit) {
  const std::size_t tokens = coefficients.tokens();
  std::size_t first = 0;
  for (const KvtcGroup& group : groups) {
    GroupCodes made(group, tokens);
    std::vector<float> y(group.count);
    std::vector<std::uint8_t> codes(group.count);
    for (std::size_t token = 0; token < tokens; ++token) {
      for (std::size_t k = 0; k < group.count; ++k) y[k] = coefficients.at(token, first + k);
      made.scales[token] = quantise_group(group.type, y, codes);
      for (std::size_t k = 0; k < group.count; ++k) made.codes[k * tokens + token] = codes[k];
    }
    visit(group, made);
    first += group.count;
  }
}

std::vector<std::byte> pack(std::span<const std::uint8_t> codes, std::size_t width,
                            std::size_t bytes) {
  std::vector<std::byte> packed(bytes);
  BitWriter writer(packed);
  for (const std::uint8_t code : codes) writer.put(code, static_cast<int>(width));
  writer.finish();
  return packed;
}

void unpack(std::span<const std::byte> packed, std::size_t width, std::span<std::uint8_t> codes) {
  BitReader reader(packed);
  for (std::uint8_t& code : codes) {
    code = static_cast<std::uint8_t>(reader.get(static_cast<int>(width)));
  }
  reader.finish();
}

}  // namespace

std::size_t kvtc_page_bound(std::span<const KvtcGroup> groups, std::size_t tokens) {
  std::size_t bytes = 0;
  for (const KvtcGroup& group : groups) bytes += index_bytes(group, tokens);
  return deflate_bound(2 * groups.size() * tokens, 2) + deflate_bound(bytes, groups.size());
}

KvtcPage write_kvtc_page(std::span<const KvtcGroup> groups, const KvtcCoefficients& coefficients) {
  std::array<std::vector<std::byte>, 2> scales;  // high bytes, low bytes
  std::vector<std::vector<std::byte>> indices;   // a part of each run of groups of one width
  std::size_t last_width = 0;
  for_each_quantised(groups, coefficients, [&](const KvtcGroup& group, const GroupCodes& made) {
    for (const std::uint16_t scale : made.scales) {
      scales[0].push_back(static_cast<std::byte>(scale >> 8));
      scales[1].push_back(static_cast<std::byte>(scale & 0xff));
    }
    const std::size_t width = width_of(group);
    const auto packed = pack(made.codes, width, index_bytes(group, coefficients.tokens()));
    if (width != last_width) indices.emplace_back();
    indices.back().insert(indices.back().end(), packed.begin(), packed.end());
    last_width = width;
  });
  return {deflate(scales), deflate(indices)};
}

KvtcCoefficients read_kvtc_page(std::span<const KvtcGroup> groups, std::size_t tokens,
                                std::span<const std::byte> scales,
                                std::span<const std::byte> indices, const std::string& codec) {
  std::size_t total = 0;
  for (const KvtcGroup& group : groups) total += index_bytes(group, tokens);
  std::vector<std::byte> scale_bytes(2 * groups.size() * tokens), index_bytes_of_all(total);
  inflate(scales, scale_bytes, codec);
  inflate(indices, index_bytes_of_all, codec);
  KvtcCoefficients coefficients(tokens, stored_components(groups));
  std::size_t first = 0, byte = 0, at = 0;
  for (const KvtcGroup& group : groups) {
    GroupCodes read(group, tokens);
    const std::size_t bytes = index_bytes(group, tokens);
    unpack(std::span(index_bytes_of_all).subspan(byte, bytes), width_of(group), read.codes);
    byte += bytes;
    std::vector<std::uint8_t> codes(group.count);
    std::vector<float> y(group.count);
    for (std::size_t token = 0; token < tokens; ++token, ++at) {
      const auto scale = static_cast<std::uint16_t>(
          std::to_integer<unsigned>(scale_bytes[at]) << 8 |
          std::to_integer<unsigned>(scale_bytes[groups.size() * tokens + at]));
      bool fits = is_group_scale(group.type, scale);
      for (std::size_t k = 0; k < group.count; ++k) {
        codes[k] = read.codes[k * tokens + token];
        fits = fits && is_group_code(group.type, codes[k]);
      }
      if (!fits) throw CorruptStream(codec + ": a scale or a code that is no number");
      restore_group(group.type, scale, codes, y);
      for (std::size_t k = 0; k < group.count; ++k) coefficients.at(token, first + k) = y[k];
    }
    first += group.count;
  }
  return coefficients;
}

double kvtc_entropy(std::span<const KvtcGroup> groups, const KvtcCoefficients& coefficients) {
  double bits = 0;
  for_each_quantised(groups, coefficients, [&](const KvtcGroup&, const GroupCodes& made) {
    std::array<double, 256> counts{};
    for (const std::uint8_t code : made.codes) ++counts[code];
    const auto all = static_cast<double>(made.codes.size());
    for (const double count : counts) {
      if (count > 0) bits -= count * std::log2(count / all);
    }
  });
  return bits;
}

}  // namespace kakeya
